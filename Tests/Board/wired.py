"""The story of a board on a wire: installed as a user would, the button pressed, a label scanned, a
device added and read, and then everything taken away that can be, and given back.

    wired.py FOLDER    FOLDER is shared with the outside; its file `words` names the package
"""
import pathlib
import re
import signal
import subprocess
import sys
import time
import traceback

from board import (ADDED, GPIO, IDLE, WINDOW, Device, Lamp, Network, Scanner, Service, Step, check,
                   run, tell, until)

CAP_NET_ADMIN = 1 << 12


class Story:
    def __init__(self, folder):
        self.folder = folder
        self.package = (folder / "words").read_text().split()[0]
        self.service = Service()

    def tell(self):
        with Step("a board with a button, a lamp, a serial line and a wire"):
            self.gpio, self.network = GPIO(), Network()
            self.scanner = Scanner(self.folder)
        with Step("the package is installed, and its service runs"):
            self.service.install(self.package)
            self.is_active()
        with Step("configured, it restarts and owns the button and the lamp"):
            self.configure()
        with Step("it is confined as its unit says"):
            self.look_at_confinement()
        with Step("idle, the lamp blips every five seconds"):
            self.lamp.shows("that it is idle", IDLE)
        with Step("a press opens the window, and the lamp blinks slowly"):
            self.gpio.press()
            self.lamp.shows("an open window", WINDOW)
        with Step("a scanned code adds the device, and the lamp shines"):
            self.scanner.scan(self.device.qr)
            self.lamp.shows("success", ADDED, seconds=30)
            self.node = until("it is listed", self.service.devices)[0]["node_id"]
        with Step("its temperature is read, and a change of it is told"):
            self.reads(21.5)
            self.sets(18.25)
        self.take_away()
        self.measure()

    # MARK: Parts

    def is_active(self):
        until("the service is active", lambda: self.service.shown("ActiveState") == "active")

    def configure(self):
        self.device = Device(self.folder, "--interface", "lan1", "--types", "temperature",
                             "--state", self.folder / "device.json")
        self.device.tell("set temperature 21.5")
        self.service.configure(
            interface="lan0", button=f"{GPIO.LABEL}:0,active-low,pull-up",
            lamp=f"{GPIO.LABEL}:1", scanner=Scanner.PATH, allow_test_devices="yes")
        run("matter-gateway", "authorities", "add", self.device.maker)
        run("systemctl", "restart", Service.UNIT)
        self.is_active()
        self.lamp = Lamp(self.gpio)
        chip = f"/dev/{self.gpio.place.name}"
        shown = run("stat", "-c", "%G %a", chip).strip()
        check(shown == "gpio 660", f"{chip} is {shown}")
        doctor = self.service.ask("doctor")
        check("button" not in doctor and "lamp" not in doctor, doctor)

    def look_at_confinement(self):
        status = self.service.status()
        user = run("id", "-u", "matter-gateway").strip()
        check(set(status["Uid"].split()) == {user}, status["Uid"])
        check(status["NoNewPrivs"] == "1", "it can get rights")
        check(status["Seccomp"] == "2", "no system call is refused")
        for name in ("CapEff", "CapBnd", "CapPrm"):
            check(int(status[name], 16) == CAP_NET_ADMIN, f"{name} {status[name]}")
        check(status["Threads"] == "1", f"{status['Threads']} threads")
        # As the unit's own process would: what it may not touch.
        inside = ["nsenter", "-t", self.service.process, "-m"]
        touched = subprocess.run(
            [*map(str, inside), "touch", "/etc/passwd.new"], capture_output=True)
        check(touched.returncode != 0, "it can write to /etc")
        filters = run("systemctl", "show", "-P", "DevicePolicy", Service.UNIT).strip()
        check(filters == "closed", filters)

    def reads(self, value, seconds=10):
        def holds():
            shown = subprocess.run(["matter-gateway", "read", self.node], capture_output=True,
                                   text=True)
            return f"{value:.2f}" in shown.stdout

        until(f"{value} is read", holds, seconds)

    def sets(self, value, seconds=10):
        """It is told by itself: what is known of it without asking changes."""
        self.device.tell(f"set temperature {value}")
        until(f"{value} is told", lambda: f"{value:.2f}" in self.service.ask(
            "show", self.node, "--stored"), seconds)

    def is_online(self):
        return self.service.devices()[0].get("online") is True

    # MARK: Faults

    def take_away(self):
        with Step("the wire is pulled and put back: it is read again"):
            self.network.unplug()
            time.sleep(3)
            self.network.plug()
            self.reads(18.25, seconds=60)
            self.sets(19.5, seconds=60)
        with Step("the chip of the button vanishes and comes back: a press counts again"):
            self.gpio.unplug()
            time.sleep(2)
            check(self.service.shown("ActiveState") == "active", "it has gone with the chip")
            self.gpio.plug()
            self.lamp.shows("the window, which is still open", WINDOW, seconds=60)
            self.gpio.press()
            self.lamp.shows("that it is idle", IDLE)
        with Step("killed, it is back by itself and reads on"):
            before = self.service.process
            run("systemctl", "kill", "-s", "KILL", Service.UNIT)
            until("it runs again", lambda: self.service.process not in (0, before), 20)
            self.is_active()
            self.sets(20.25, seconds=60)
        with Step("held for ten seconds and confirmed, everything is erased"):
            self.gpio.hold()
            time.sleep(11)
            self.gpio.release()
            time.sleep(1)
            self.gpio.press()
            until("it has no devices", lambda: not self.has_devices(), 30)
            self.lamp.shows("that it is idle", IDLE, seconds=30)

    def has_devices(self):
        shown = subprocess.run(["matter-gateway", "devices", "--json"], capture_output=True,
                               text=True)
        return '"devices":[]' not in shown.stdout

    # MARK: Numbers

    def measure(self):
        start = int(self.service.shown("ExecMainStartTimestampMonotonic"))
        ready = int(self.service.shown("ActiveEnterTimestampMonotonic"))
        rollup = pathlib.Path(f"/proc/{self.service.process}/smaps_rollup").read_text()
        kilobytes = {name: int(re.search(rf"^{name}:\s+(\d+)", rollup, re.M)[1])
                     for name in ("Rss", "Private_Dirty")}
        tell(f"start until ready {(ready - start) / 1000:.0f} ms, resident"
             f" {kilobytes['Rss']} kB, private dirty {kilobytes['Private_Dirty']} kB")


def main():
    folder = pathlib.Path(sys.argv[1])
    before, code = time.monotonic(), 1
    story = Story(folder)
    try:
        story.tell()
        code = 0
        print(f"the board's story took {time.monotonic() - before:.0f} s: passed", flush=True)
    except BaseException as problem:
        output = getattr(problem, "stderr", None) or ""
        print(f"{type(problem).__name__}: {problem} {output}", flush=True)
        if not isinstance(problem, AssertionError):
            traceback.print_exc(file=sys.stdout)
        print("the service:", *story.service.log().splitlines()[-40:], sep="\n    ", flush=True)
    (folder / "code").write_text(str(code))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    main()
