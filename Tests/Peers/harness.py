"""Two network namespaces, a test device in one and matter-gateway in the other.

    with Lab() as lab:
        device = lab.device(temperature=21.5)
        result = lab.gateway("pair", device.qr)

Namespaces are named after this process, so that runs do not meet. Leaving the block, also by
Ctrl-C, ends what was started here, by its process id, and removes them. Needs root.
"""
import contextlib
import ctypes
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PREFIX = "mgw"
GATEWAY = pathlib.Path(os.environ.get("MATTER_GATEWAY", ROOT / ".build/release/matter-gateway"))
VIRTUAL_DEVICE = ROOT / ".build/debug/virtual-device"
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
SIDES = {"device": ("veth-d", 1), "gateway": ("veth-g", 2)}


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def _die_with_parent():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDINGS)


@contextlib.contextmanager
def _undisturbed():
    """What is begun inside is known to the cleaning before a signal can ask for that."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDINGS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def clean_up_after_the_dead():
    """Removes what runs left that were killed: namespaces and folders named after them."""
    def dead(name):
        process = name[len(PREFIX):].split("-")[0]
        return (name.startswith(PREFIX) and process.isdigit()
                and not pathlib.Path("/proc", process).exists())

    listed = run("ip", "netns", "list", capture_output=True, text=True).stdout
    for name in filter(dead, (line.split()[0] for line in listed.splitlines() if line.strip())):
        run("ip", "netns", "del", name)
    for folder in pathlib.Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        if dead(folder.name):
            shutil.rmtree(folder, ignore_errors=True)


class Device:
    """A running device; what it said so far is in `lines`."""

    process = None

    def __init__(self, command, stdin=subprocess.DEVNULL):
        self.lines, self._changed = [], threading.Condition()
        with _undisturbed():
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                stdin=stdin, preexec_fn=_die_with_parent)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        for line in self.process.stdout:
            with self._changed:
                self.lines.append(line.rstrip("\n"))
                self._changed.notify_all()
        with self._changed:
            self._changed.notify_all()

    def said(self, text):
        return sum(line.startswith(text) for line in list(self.lines))

    def wait_for(self, text, seconds=10, times=1):
        """Whether a line that begins with `text` came, `times` times in all, in time."""
        with self._changed:
            return self._changed.wait_for(lambda: self.said(text) >= times, seconds)

    def _payload(self, word):
        return next(line.split(" ", 1)[1] for line in self.lines if line.startswith(word + " "))

    @property
    def qr(self):
        return self._payload("QR")

    @property
    def manual(self):
        return self._payload("MANUAL")

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(3)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class VirtualDevice(Device):
    """A running virtual-device, with its console."""

    def __init__(self, command):
        super().__init__(command, stdin=subprocess.PIPE)

    def _payload(self, word):
        return super()._payload({"QR": "QR code", "MANUAL": "manual code"}[word]).split()[-1]

    def tell(self, line):
        """Types a line at the console."""
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


class Lab:
    """`programs` have to be built; whoever says nothing wants matter-gateway."""

    def __init__(self, *programs):
        self.programs = programs or (GATEWAY,)

    def __enter__(self):
        self._check()
        for program in self.programs:
            if not program.exists():
                sys.exit(f"{program} is not there: scripts/demo and scripts/test build theirs")
        self.name = f"{PREFIX}{os.getpid()}"
        self.namespaces, self.processes, self.devices = {}, [], []
        with _undisturbed():
            self.folder = pathlib.Path(tempfile.mkdtemp(prefix=f"{self.name}-"))
            for number in ENDINGS:
                signal.signal(number, lambda number, frame: sys.exit(128 + number))
        self.state = self.folder / "gateway"
        try:
            self._join()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *problem):
        for number in ENDINGS:  # a second Ctrl-C does not stop the cleaning
            signal.signal(number, signal.SIG_IGN)
        for device in self.devices:
            device.stop()
        for process in self.processes:
            if process.poll() is None:
                process.kill()
                process.wait()
        for name in self.namespaces.values():
            subprocess.run(["ip", "netns", "del", name], stderr=subprocess.DEVNULL)
        shutil.rmtree(self.folder, ignore_errors=True)

    def _check(self):
        if os.geteuid() != 0:
            sys.exit("network namespaces need root: run scripts/demo or scripts/test instead")

    def _join(self):
        clean_up_after_the_dead()
        for side in SIDES:
            name = f"{self.name}-{side[0]}"
            self.namespaces[side] = name
            run("ip", "netns", "add", name)
        device, gateway = self.namespaces["device"], self.namespaces["gateway"]
        run("ip", "link", "add", SIDES["device"][0], "netns", device, "type", "veth",
            "peer", "name", SIDES["gateway"][0], "netns", gateway)
        for side, (interface, number) in SIDES.items():
            # Duplicate address detection would keep the addresses tentative for a second.
            for scope in ("all", "default", interface):
                self._inside(side, "sysctl", "-qw", f"net.ipv6.conf.{scope}.accept_dad=0")
            for link in ("lo", interface):
                run("ip", "-n", self.namespaces[side], "link", "set", link, "up")
            for address in (f"fd11::{number}/64", f"10.77.0.{number}/24"):
                run("ip", "-n", self.namespaces[side], "addr", "add", address, "dev", interface)
            # Without any route an IPv4 multicast group cannot be joined.
            run("ip", "-n", self.namespaces[side], "route", "add", "224.0.0.0/4",
                "dev", interface)
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            shown = run("ip", "-n", gateway, "-6", "addr", "show", "dev", SIDES["gateway"][0],
                        capture_output=True, text=True).stdout
            if "fe80:" in shown and "tentative" not in shown:
                return
            time.sleep(0.02)
        raise RuntimeError("the link came not up")

    def _inside(self, side, *command, **options):
        return run("ip", "netns", "exec", self.namespaces[side], *command, **options)

    def command(self, side, *command):
        return [str(word) for word in ("ip", "netns", "exec", self.namespaces[side], *command)]

    def cut_link(self, cut=True):
        interface = SIDES["device"][0]
        run("ip", "-n", self.namespaces["device"], "link", "set", interface,
            "down" if cut else "up")
        # A link that is up again has no usable address for a second or two.
        deadline = time.monotonic() + 10
        while not cut and time.monotonic() < deadline:
            shown = subprocess.run(
                ["ip", "-n", self.namespaces["device"], "-6", "address", "show", "dev",
                 interface], capture_output=True, text=True).stdout
            if "fe80" in shown and "tentative" not in shown:
                return
            time.sleep(0.1)

    def device(self, state=None, seconds=30, **options):
        """Starts a device, new from the factory unless `state` names its memory."""
        number = len(self.devices)
        state = state or self.folder / f"device-{number}.json"
        words = []
        for name, value in options.items():
            words += [f"--{name.replace('_', '-')}"] + ([] if value is True else [value])
        device = Device(self.command(
            "device", sys.executable, HERE / "circuitmatter_device.py",
            "--interface", SIDES["device"][0], "--state", state, *words))
        self.devices.append(device)
        if not device.wait_for("READY", seconds):
            raise RuntimeError("the device did not start:\n" + "\n".join(device.lines))
        return device

    def virtual_device(self, *words):
        """Starts the virtual device; `words` are options of its own."""
        device = VirtualDevice(self.command(
            "device", VIRTUAL_DEVICE, "--interface", SIDES["device"][0], *words))
        self.devices.append(device)
        if not device.wait_for("READY"):
            raise RuntimeError("the device did not start:\n" + "\n".join(device.lines))
        return device

    def enter(self, side):
        """From here on this thread and those it makes are on that side of the link."""
        with open(f"/run/netns/{self.namespaces[side]}") as namespace:
            if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), 0):
                raise OSError(ctypes.get_errno(), "setns")

    def gateway_command(self, *words, state=None, test_devices=True):
        return self.command(
            "gateway", GATEWAY, "--state", state or self.state,
            "--interface", SIDES["gateway"][0],
            *(["--allow-test-devices"] if test_devices else []), *words)

    def gateway(self, *words, seconds=60, **options):
        """Runs one command of matter-gateway to its end."""
        return subprocess.run(self.gateway_command(*words, **options), capture_output=True,
                              text=True, timeout=seconds, stdin=subprocess.DEVNULL)

    def gateway_json(self, *words, **options):
        result = self.gateway(*words, "--json", **options)
        if result.returncode:
            raise RuntimeError(f"{' '.join(map(str, words))}: {result.stderr.strip()}")
        return json.loads(result.stdout)

    def start(self, command, **options):
        """Starts a process that ends with the lab at the latest."""
        with _undisturbed():
            process = subprocess.Popen(command, preexec_fn=_die_with_parent, **options)
            self.processes.append(process)
        return process


class OneHost(Lab):
    """The same on this host as it is: needs no root, and shows itself on its network."""

    def _check(self):
        pass

    def _join(self):
        pass

    def command(self, side, *command):
        return [str(word) for word in command]
