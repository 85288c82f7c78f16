"""Three virtual devices, and the agent on a board that is drawn in the terminal.

    demo.py [--auto] [--one-host]

With --auto it presses, pastes and reads by itself, and fails when something is not as it should
be. Devices and board have a network namespace each; with --one-host all is on this host as it is.
"""
import fcntl
import os
import random
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import tty

from harness import ENDINGS, GATEWAY, SIDES, Device, Lab, OneHost

BOARD, DEVICE = (GATEWAY.with_name(name) for name in ("simulated-board", "virtual-device"))
# A good code, of the SDK's example devices: the upper bits of its discriminator are the
# thermostat's here, its passcode is not.
FOREIGN_CODE = "3497-011-2332"
FOREIGN_PASSCODE = 20202021
# What each is, its discriminator's upper four bits (all that a manual code carries of it), its
# endpoints, what the demonstration calls it, and where it waits. Two are out of the box: they
# speak Bluetooth until they are given a Wi-Fi network, and the sensor cannot do both at once.
KINDS = {
    "light": (0x2, "light", "Lamp", ["--bluetooth"]),
    "climate sensor": (0x7, "temperature,humidity", "Cellar",
                       ["--leaves-bluetooth", "--bluetooth"]),
    "thermostat": (0xF, "thermostat", "Office", []),
}
WIFI_PASSWORD = "twelve monkeys"
WIFI_LABEL = f"WIFI:T:WPA;S:virtual-home;P:{WIFI_PASSWORD};;"
# To the beginning of the line, and nothing in it: what the board draws begins so.
CLEAR = "\r\x1b[K"
BOLD, PLAIN = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")


class VirtualDevice(Device):
    def __init__(self, lab, kind, authority):
        self.kind = kind
        place, types, self.name, radio = KINDS[kind]
        radio = radio + [lab.folder / "air"] if radio else []
        passcode = FOREIGN_PASSCODE
        while passcode == FOREIGN_PASSCODE or len(set(f"{passcode:08}")) == 1:
            passcode = random.randrange(1, 12345678)
        where = [] if isinstance(lab, OneHost) else ["--interface", SIDES["device"][0]]
        self.told = 0
        lab.devices.append(self)
        super().__init__(lab.command(
            "device", DEVICE, *where, *radio, "--port", 0, "--types", types,
            "--discriminator", place << 8 | random.randrange(256), "--passcode", passcode,
            "--paa-out", authority), stdin=subprocess.PIPE)

    @property
    def qr(self):
        return self._payload("QR code")

    @property
    def manual(self):
        digits = self._payload("manual code")
        return f"{digits[:4]}-{digits[4:7]}-{digits[7:]}"

    def _payload(self, words):
        return next(line.removeprefix(words + " ") for line in self.lines
                    if line.startswith(words + " "))

    def do(self, line):
        """What somebody at the device does to it."""
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def news(self):
        """What it said since it was asked last, without what goes with every commissioning."""
        new = self.lines[self.told:]
        self.told += len(new)
        return [line for line in new if not line.startswith(("window ", "session "))]


class Board:
    """simulated-board with a pseudo-terminal in front of it: its keys, and what it shows."""

    def __init__(self, lab, authorities, columns=120, rows=24):
        self.lines, self.text = [], ""
        self.on_line = self.on_frame = lambda text: None
        self.terminal, end = os.openpty()
        self.resize(columns, rows)
        where = [] if isinstance(lab, OneHost) else ["--interface", SIDES["gateway"][0]]
        # A session whose terminal this is, so that Control-C is its signal.
        self.process = lab.start(
            lab.command("gateway", sys.executable, "-c", TAKE_TERMINAL, BOARD,
                        "--state", lab.folder / "gateway.db", "--paa", authorities,
                        "--air", lab.folder / "air", "--allow-test-devices", "--poll", 2,
                        *where),
            stdin=end, stdout=end, stderr=end, start_new_session=True)
        os.close(end)

    def resize(self, columns, rows):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("4H", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def take(self, seconds):
        """What it shows next, as octets; empty when nothing came in time, None at its end."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return b""
        try:
            octets = os.read(self.terminal, 65536)
        except OSError:  # Nobody has the other end any more.
            octets = b""
        if not octets:
            return None
        self._read(octets.decode(errors="replace"))
        return octets

    def end(self, seconds):
        """Its exit code, when it ends by itself."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.take(0.1) is not None:
            pass
        return self.process.wait(max(1, deadline - time.monotonic()))

    def _read(self, text):
        """Whole lines, and the line it draws anew again and again."""
        *drawn, last = (self.text + text).split(CLEAR)
        for piece in drawn:
            frame = self._take_lines(piece)
            if frame:
                self.on_frame(frame)
        # Whether it is all there shows when the next one begins.
        self.text = self._take_lines(last)

    def _take_lines(self, piece):
        *lines, rest = piece.split("\r\n")
        for line in lines:
            self.lines.append(line)
            self.on_line(line)
        return rest


# Becomes the program in its arguments, with the standard input as its controlling terminal.
TAKE_TERMINAL = """
import fcntl, os, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv(sys.argv[1], sys.argv[1:])
"""


def parse_frame(frame):
    """The lamp, what it means, and the readings beside it."""
    shown = frame.rsplit("  > ", 1)[0]
    state, *readings = shown[2:].split(" | ")
    return frame[0], state, readings


class Transcript:
    """What happens, as lines that read well where nobody sees the lamp."""

    resting = {"idle", "window open", "added", "not added"}
    width = 96

    def __init__(self):
        self.column, self.lamp, self.state, self.changes = 0, None, None, 0

    def _begin(self, text):
        if self.column:
            print()
        print(text, end="", flush=True)
        self.column = len(text)

    def _append(self, text):
        if self.column + len(text) > self.width:
            self._begin("        ")
            text = text.removeprefix(", ")
        print(text, end="", flush=True)
        self.column += len(text)

    def say(self, text):
        self._begin(text)
        print(flush=True)
        self.column = 0

    def step(self, text):
        self.say(f"{BOLD}{text}{PLAIN}")

    def show(self, frame):
        lamp, state, _ = parse_frame(frame)
        if state != self.state:
            if self.column and not {state, self.state} & self.resting:
                self._append(f", {state}")
            else:
                self._begin(f"    lamp {lamp} {state}")
            self.changes = 0
        elif lamp != self.lamp and state in self.resting and self.column:
            self._append(lamp if self.changes else f"  {lamp}")
            self.changes += 1
        self.lamp, self.state = lamp, state

    def watch_lamp(self):
        """From now on each of its changes is shown, until something else is."""
        self.changes = 0
        self._begin(f"    lamp {self.lamp} {self.state}")


class Play:
    """The demonstration without a person."""

    def __init__(self, board, devices):
        self.board, self.devices, self.transcript = board, devices, Transcript()
        self.frame, self.seen, self.passed = "", 0, 0
        board.on_line = lambda line: self.transcript.say(f"    {line}")
        board.on_frame = self._draw

    def _draw(self, frame):
        self.frame = frame
        self.transcript.show(frame)

    def look(self, seconds):
        self.transcript.watch_lamp()
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            if self.board.take(left) is None:
                return

    def expect(self, pattern, seconds=15):
        """A line that fits the pattern, after the one that was found last."""
        self._until(lambda: self._find(pattern), seconds, f"the board did not show: {pattern}")

    def _find(self, pattern):
        for index in range(self.seen, len(self.board.lines)):
            if re.search(pattern, self.board.lines[index]):
                self.seen = index + 1
                return True
        return False

    def _until(self, holds, seconds, failure):
        deadline = time.monotonic() + seconds
        while not holds():
            left = deadline - time.monotonic()
            if left <= 0 or self.board.take(min(left, 0.1)) is None:
                self.transcript.say("")
                sys.exit(f"demo failed: {failure}")
        self.passed += 1

    def says(self, kind, text, seconds=10):
        device = self.devices[kind]
        self._until(lambda: device.said(text), seconds, f"the {kind} did not say: {text}")
        self.transcript.say(f"    the {kind} itself says: {text}")

    def press(self):
        self.transcript.say("  [the button is pressed]")
        self.board.type(" ")

    def paste(self, *lines):
        for line in lines:
            self.transcript.say(f"  > {line}")
        self.board.type("".join(f"{line}\r" for line in lines))

    def run(self):
        step, light = self.transcript.step, self.devices["light"]
        self.expect("^Running")
        step("2. The window is closed: nobody can add anything")
        self.paste(light.manual)
        self.expect("^window closed: press the button")
        step("3. The button opens it, and the lamp blinks")
        self.press()
        self.expect("^window open for")
        self.look(2.2)
        step("4. A code with a slip of the pen, and one of another device: both are refused")
        self.paste(mistyped(light.manual))
        self.expect("^the check digit does not fit")
        self.paste(FOREIGN_CODE)
        self.expect("^not added: .*passcode")
        self.says("thermostat", "wrong passcode")
        self.look(3)
        step("5. The Wi-Fi network's label: for devices that speak only Bluetooth so far")
        self.paste(WIFI_LABEL)
        self.expect('^Wi-Fi "virtual-home" is used for devices')
        step("6. Now the right ones, one after another: a name, then what the label says")
        for kind, device in self.devices.items():
            self.paste(f"NAME:{device.name}", device.manual if kind == "thermostat" else device.qr)
            self.expect(f"^added in .*{device.name}", 30)
            self.says(kind, "commissioned")
            self.expect(f"^{device.name}: ")
        step("7. They are stored")
        self.paste("devices")
        for device in self.devices.values():
            self.expect(f"^0x.* {device.name} ")
        step("8. The light is switched, and the device confirms it")
        self.paste("on lamp")
        self.expect("^Lamp: on")
        self.says("light", "light on")
        step("9. The readings beside the lamp, anew every two seconds")
        self.reads("Lamp on")
        self.act("climate sensor", "set temperature 24.5")
        self.reads("Cellar 24.50 °C")
        self.act("light", "press")
        self.reads("Lamp off")
        step("10. The button closes the window")
        self.press()
        self.expect("^window closed")
        step("11. Control-C ends it")
        self.board.type("\x03")
        code = self.board.end(10)
        if code:
            sys.exit(f"demo failed: the board ended with {code}")
        self.passed += 1

    def act(self, kind, line):
        self.transcript.say(f"  [at the {kind}: {line}]")
        self.devices[kind].do(line)

    def reads(self, text):
        self._until(lambda: text in self.readings, 15, f"the readings did not come to {text}")
        self.transcript.say(f"    {self.readings}")

    @property
    def readings(self):
        return " | ".join(parse_frame(self.frame)[2]) if self.frame else ""


def mistyped(code):
    digit = code[-1]
    return code[:-1] + str((int(digit) + 1) % 10)


def play(lab, devices, authorities):
    board = Board(lab, authorities)
    whole = Play(board, devices)
    whole.run()
    return whole.passed


def converse(lab, devices, authorities):
    """A person at the board: keys go there, its picture comes back, and what devices say too."""
    columns, rows = shutil.get_terminal_size()
    board = Board(lab, authorities, columns, rows)

    def resized(number, frame):
        board.resize(*shutil.get_terminal_size())

    signal.signal(signal.SIGWINCH, resized)
    modes = termios.tcgetattr(0)
    try:
        tty.setraw(0)
        while True:
            ready = select.select([0, board.terminal], [], [], 0.1)[0]
            if 0 in ready:
                keys = os.read(0, 4096)
                if not keys:
                    return
                os.write(board.terminal, keys)
            if board.terminal in ready:
                octets = board.take(0)
                if octets is None:
                    break
                os.write(1, octets)
            for device in devices.values():
                for line in device.news():
                    text = f"{CLEAR}  the {device.kind} itself says: {line}\r\n{board.text}"
                    os.write(1, text.encode())
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, modes)
    return board.process.wait()


INTRODUCTION = """
Space opens the window, and the lamp in the last line blinks. Then type or
paste, each with Enter:
  WIFI:T:WPA;S:virtual-home;P:twelve monkeys;;
              a Wi-Fi label: two of them have to be given a network
  NAME:Lamp   what the next device is to be called, if you like
  a code      one of those above; it does not matter which of its two
  on lamp     or off lamp, read lamp, devices, help
Control-C ends the demonstration. Nothing of it stays.
"""


def start(lab):
    authorities = lab.folder / "authorities"
    authorities.mkdir()
    devices = {kind: VirtualDevice(lab, kind, authorities / f"{number}.pem")
               for number, kind in enumerate(KINDS)}
    for device in devices.values():
        if not device.wait_for("READY"):
            sys.exit(f"the {device.kind} did not start:\n" + "\n".join(device.lines))
        device.told = len(device.lines)
    return devices, authorities


def main():
    unknown = set(sys.argv[1:]) - {"--auto", "--one-host"}
    if unknown:
        print(f"unknown: {' '.join(sorted(unknown))}; there are --auto and --one-host",
              file=sys.stderr)
        sys.exit(os.EX_USAGE)
    is_auto = "--auto" in sys.argv
    if not is_auto and not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("no terminal to draw the board in; --auto needs none", file=sys.stderr)
        sys.exit(os.EX_USAGE)
    for number in ENDINGS:  # until the lab has its own
        signal.signal(number, lambda number, frame: os._exit(128 + number))
    before = time.monotonic()
    is_alone = "--one-host" in sys.argv
    with (OneHost if is_alone else Lab)(BOARD, DEVICE) as lab:
        devices, authorities = start(lab)
        place = "on this host" if is_alone else "in a network of their own"
        print(f"{BOLD}1. Three devices {place}, not yet added; their labels say{PLAIN}")
        for device in devices.values():
            where = "Bluetooth" if KINDS[device.kind][3] else "network"
            print(f"    {device.kind:<16}{device.manual:<15}{device.qr:<24}on {where}")
        if is_auto:
            passed = play(lab, devices, authorities)
            code = 0
        else:
            print(INTRODUCTION, flush=True)
            code = converse(lab, devices, authorities)
    if not is_auto:
        print("\nThe board and its devices are gone.")
    else:
        print(f"demo passed: {passed} checks in {time.monotonic() - before:.1f} s")
    sys.exit(code)


if __name__ == "__main__":
    main()
