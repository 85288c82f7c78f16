"""The parts of the virtual board, from inside: its button and lamp, the scanner at its serial line,
the network it is in, and its service. All of it is the kernel's; nothing here stands in for it."""
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
DEVICE = ROOT / ".build/debug/virtual-device"
HOUSE = "house"  # the namespace of whatever else is in the building


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def run(*command, seconds=60, **options):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True,
                          text=True, timeout=seconds, **options).stdout


def until(what, holds, seconds=30):
    """Waits for something to hold; the last thing seen is told when it does not."""
    deadline = time.monotonic() + seconds
    while True:
        seen = holds()
        if seen:
            return seen
        check(time.monotonic() < deadline, f"{what}: not within {seconds} s")
        time.sleep(0.05)


class Step:
    """One line of the story, with the time it took."""

    def __init__(self, text):
        self.text = text

    def __enter__(self):
        self.start = time.monotonic()

    def __exit__(self, problem, value, trace):
        state = "FAILED" if problem else "ok    "
        print(f"{state} {self.text} ({time.monotonic() - self.start:.1f} s)", flush=True)


class GPIO:
    """A chip of gpio-sim: line 0 is the button, between the line and ground; line 1 is the lamp."""

    LABEL = "board-gpio"
    CONFIGURATION = pathlib.Path("/sys/kernel/config/gpio-sim/board")

    def __init__(self):
        bank = self.CONFIGURATION / "bank0"
        for line, name in enumerate(("button", "lamp")):
            (bank / f"line{line}").mkdir(parents=True)
            (bank / f"line{line}/name").write_text(name)
        (bank / "num_lines").write_text("4")
        (bank / "label").write_text(self.LABEL)
        self.plug()

    def plug(self):
        (self.CONFIGURATION / "live").write_text("1")
        device = (self.CONFIGURATION / "dev_name").read_text().strip()
        chip = (self.CONFIGURATION / "bank0/chip_name").read_text().strip()
        self.place = pathlib.Path("/sys/devices/platform", device, chip)
        self.release()

    def unplug(self):
        (self.CONFIGURATION / "live").write_text("0")

    def hold(self):
        (self.place / "sim_gpio0/pull").write_text("pull-down")

    def release(self):
        (self.place / "sim_gpio0/pull").write_text("pull-up")

    def press(self):
        self.hold()
        time.sleep(0.2)
        self.release()

    @property
    def is_lit(self):
        return (self.place / "sim_gpio1/value").read_text().strip() == "1"


class Lamp:
    """Who looks at the lamp: for how long it was lit and dark, in turn."""

    def __init__(self, gpio):
        self.gpio, self.changes, self.is_over = gpio, [], False
        threading.Thread(target=self._look, daemon=True).start()

    def _look(self):
        last = None
        while not self.is_over:
            try:
                now = self.gpio.is_lit
            except OSError:  # the chip is away
                now = None
            if now != last:
                self.changes.append((time.monotonic(), now))
                last = now
            time.sleep(0.01)

    def spans(self, since):
        """[(lit, seconds)] of whole spans that began after an instant."""
        changes = [change for change in list(self.changes) if change[0] >= since]
        return [(lit, end - start) for (start, lit), (end, _) in zip(changes, changes[1:])]

    def shows(self, what, pattern, seconds=15):
        """Waits until the last spans are as the pattern says: [(lit, least, most)]."""
        since = time.monotonic() - 0.02

        def holds():
            last = self.spans(since)[-len(pattern):]
            return len(last) == len(pattern) and all(
                lit == wanted and least <= span <= most
                for (lit, span), (wanted, least, most) in zip(last, pattern))

        try:
            until(f"the lamp shows {what}", holds, seconds)
        except AssertionError as problem:
            raise AssertionError(f"{problem}; it showed {self.spans(since)[-8:]}") from None


# As board/README.md tells people: [(lit, least, most)] in seconds.
IDLE = [(True, 0.02, 0.4), (False, 4.0, 5.5), (True, 0.02, 0.4)]
WINDOW = [(True, 0.8, 1.2), (False, 0.8, 1.2), (True, 0.8, 1.2)]
ADDED = [(True, 2.5, 4.5)]
AWAY = [(True, 0.7, 1.3), (False, 8.0, 10.5), (True, 0.7, 1.3)]


class Scanner:
    """At the board's first serial line; the hand that holds it is outside of the board."""

    PATH = "/dev/ttyS0"

    def __init__(self, folder):
        self.wishes = open(folder / "beside", "a", buffering=1)

    def scan(self, text):
        self.wishes.write(f"scan {text}\n")


class Network:
    """The board's lan0 and, in a namespace of its own, what else is on that network."""

    def __init__(self):
        run("ip", "netns", "add", HOUSE)
        run("ip", "link", "add", "lan0", "type", "veth", "peer", "name", "lan1", "netns", HOUSE)
        run("ip", "link", "set", "lan0", "up")
        run("ip", "-n", HOUSE, "link", "set", "lo", "up")
        self.plug()

    def plug(self):
        run("ip", "-n", HOUSE, "link", "set", "lan1", "up")
        until("lan0 has its address", self._is_ready)

    def unplug(self):
        run("ip", "-n", HOUSE, "link", "set", "lan1", "down")

    def _is_ready(self):
        shown = run("ip", "-6", "address", "show", "dev", "lan0")
        return "fe80" in shown and "tentative" not in shown


class Device:
    """virtual-device in the house, new from the factory."""

    def __init__(self, folder, *words):
        self.maker = folder / "maker.pem"
        self.lines = []
        self.process = subprocess.Popen(
            ["ip", "netns", "exec", HOUSE, DEVICE, "--paa-out", self.maker,
             *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        threading.Thread(target=self._listen, daemon=True).start()
        until("the device is there", lambda: self.said("READY"))

    def _listen(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip("\n"))

    def said(self, text):
        return [line for line in list(self.lines) if line.startswith(text)]

    @property
    def qr(self):
        return self.said("QR code")[0].split()[-1]

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()


class Service:
    """The installed program and its unit."""

    UNIT, CONFIGURATION = "matter-gateway.service", "/etc/matter-gateway.conf"

    def install(self, package):
        run("apt-get", "install", "-y", "-qq", "--no-install-recommends", package, seconds=120,
            env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})

    def configure(self, **values):
        with open(self.CONFIGURATION, "a") as file:
            for key, value in values.items():
                file.write(f"{key.replace('_', '-')} = {value}\n")

    def shown(self, name):
        return run("systemctl", "show", "-P", name, self.UNIT).strip()

    @property
    def process(self):
        return int(self.shown("MainPID"))

    def status(self):
        """/proc's words about the process."""
        lines = pathlib.Path(f"/proc/{self.process}/status").read_text().splitlines()
        return dict(line.split(":\t", 1) for line in lines if ":\t" in line)

    def ask(self, *words):
        return run("matter-gateway", *words)

    def json(self, *words):
        return json.loads(self.ask(*words, "--json"))

    def devices(self):
        return self.json("devices")["devices"]

    def log(self):
        words = ["systemctl", "status", "--no-pager", "--full", "--lines", "40", self.UNIT]
        return subprocess.run(words, capture_output=True, text=True).stdout


def tell(text):
    print(f"       {text}", flush=True)
    sys.stdout.flush()
