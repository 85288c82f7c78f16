"""matter-gateway against a device that nobody here wrote, in two network namespaces.

    interop.py [NAME...]    all tests, or those whose name contains one of the words

Each test has devices and a state folder of its own. It ends with `N passed, N failed`.
"""
import itertools
import json
import os
import pathlib
import re
import select
import signal
import socket
import subprocess
import sys
import termios
import time
import traceback

from circuitmatter import pase

import leaks
import mqtt
import scanners
from harness import GATEWAY, Lab

TEMPERATURE = "2/temperature-measurement/measured-value"
LIGHT = "1/on-off/on-off"
# sysexits(3); what a script that calls the gateway relies on.
USAGE, BAD_DATA, NO_HOST, UNAVAILABLE, NO_PERMISSION, CONFIGURATION = 64, 65, 68, 69, 77, 78
SYSEXITS = range(64, 79)
INTERRUPTED = 130

tests = []


def test(function):
    tests.append(function)
    return function


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def failed_well(result, code=None):
    """It ended with a code of sysexits (that one, if named) and says why in its last line."""
    shown = f"exit code {result.returncode}, said: {result.stdout}{result.stderr}"
    check(result.returncode in ([code] if code else SYSEXITS), shown)
    lines = result.stderr.strip().splitlines()
    check(lines and "Fatal error" not in result.stderr, shown)
    return lines[-1]


class Setting:
    """One test's devices and gateway, in the lab that all share."""

    ports = itertools.count(5600)
    # Neighbours differ in their upper four bits too, all that a manual code carries.
    discriminators = itertools.cycle(range(200, 4096, 257))

    def __init__(self, lab, name):
        self.lab, self.state = lab, lab.folder / name
        self.devices = []

    def device(self, **options):
        options = {"port": next(self.ports), "discriminator": next(self.discriminators), **options}
        device = self.lab.device(**options)
        self.devices.append(device)
        return device

    def run(self, *words, **options):
        return self.lab.gateway(*words, **{"state": self.state, **options})

    def json(self, *words, **options):
        return self.lab.gateway_json(*words, **{"state": self.state, **options})

    def pair(self, device, payload=None):
        node = self.json("pair", payload or device.qr)["node_id"]
        check(device.wait_for("COMMISSIONED"), "the device was told to be complete")
        return node

    def nodes(self):
        listed = self.json("devices")
        listed = listed["devices"] if isinstance(listed, dict) else listed
        return [node["node_id"] for node in listed]

    def end(self):
        for device in self.devices:
            device.stop()


@test
def pairs_by_qr_and_shows_each_step(setting):
    device = setting.device()
    result = setting.run("pair", device.qr, "--json")
    check(result.returncode == 0, result.stderr)
    node = json.loads(result.stdout)["node_id"]
    check(re.fullmatch(r"0x[0-9A-F]{1,16}", node), f"node_id {node}")
    check(len(result.stderr.splitlines()) >= 5, f"progress: {result.stderr}")
    check(device.wait_for("COMMISSIONED"), "CommissioningComplete was received")
    check(setting.nodes() == [node], f"listed: {setting.nodes()}")
    shown = setting.run("show", node)
    check(shown.returncode == 0 and "CircuitMatter" in shown.stdout, shown.stdout + shown.stderr)


@test
def pairs_by_manual_code(setting):
    device = setting.device()
    setting.pair(device, device.manual)
    check(len(setting.nodes()) == 1, "one node is stored")


@test
def reads_a_temperature_in_degrees(setting):
    device = setting.device(temperature=21.5)
    node = setting.pair(device)
    text = setting.run("read", node, TEMPERATURE)
    check(text.returncode == 0, text.stderr)
    check(re.search(r"21\.50? ?°C", text.stdout), text.stdout)
    value = setting.json("read", node, TEMPERATURE)
    check(value["node_id"] == node and "path" in value, value)
    check(value["value"] in (21.5, 2150), value)


@test
def reads_a_temperature_below_zero(setting):
    node = setting.pair(setting.device(temperature=-12.34))
    text = setting.run("read", node, TEMPERATURE)
    check(re.search(r"[-−]12\.34 ?°C", text.stdout), text.stdout + text.stderr)


@test
def switches_the_light_at_the_device(setting):
    device = setting.device()
    node = setting.pair(device)
    for word, state in (("on", True), ("off", False), ("on", True)):
        before = device.said(f"LIGHT {word.upper()}")
        result = setting.run(word, node)
        check(result.returncode == 0, result.stderr)
        check(device.wait_for(f"LIGHT {word.upper()}", times=before + 1), f"{word} came not")
        check(setting.json("read", node, LIGHT)["value"] is state, f"on-off is not {state}")


@test
def reads_everything_by_the_names_of_its_tables(setting):
    """Each value of a cluster we have a table of is of that table's type: what is not falls back
    to tag numbers, as members `0`, `1`, … of an object."""
    node = setting.pair(setting.device())
    readings = setting.json("read", node, "*/*/*")["readings"]
    check(len(readings) > 60, f"{len(readings)} readings")
    check(any(r["path"] == TEMPERATURE and r["value"] == 21.5 for r in readings), readings)

    def numbered(value):
        if isinstance(value, dict):
            return any(key.isdigit() or numbered(v) for key, v in value.items())
        return isinstance(value, list) and any(map(numbered, value))

    def named(path):
        _, cluster, attribute = path.split("/")
        return not cluster.startswith("0x") and not attribute.startswith("0x")

    foreign = [r for r in readings if named(r["path"]) and numbered(r.get("value"))]
    check(not foreign, foreign)


@test
def shows_the_device_as_it_is(setting):
    device = setting.device()
    node = setting.pair(device)
    shown = setting.json("show", node)
    light, sensor = shown["endpoints"][1:3]
    check(light["commands"][:3] == ["on", "off", "toggle"], light)
    check(sensor["readings"][0]["value"] == 21.5, sensor)
    text = setting.run("show", node).stdout
    check("measured-value: 21.50 °C" in text and "commands: on, off, toggle" in text, text)
    failed_well(setting.run("level", node, "50"), UNAVAILABLE)
    failed_well(setting.run("thermostat", node), UNAVAILABLE)
    device.stop()
    away = setting.run("show", node)
    check(away.returncode == 0 and "on/off light" in away.stdout and away.stderr, away)


@test
def has_the_device_identify_itself(setting):
    device = setting.device()
    node = setting.pair(device)
    for words, seconds in ((["identify", node], 30), (["identify", node, "--seconds=5"], 5)):
        result = setting.run(*words)
        check(result.returncode == 0, result.stderr)
        check(device.wait_for(f"IDENTIFY {seconds}"), f"{words} came not")


@test
def names_a_command_that_the_device_does_not_know(setting):
    """CircuitMatter's light cannot toggle."""
    node = setting.pair(setting.device())
    line = failed_well(setting.run("toggle", node), UNAVAILABLE)
    check("toggle" in line, line)


@test
def lists_the_rooms_with_their_devices(setting):
    first, second = (setting.pair(setting.device()) for _ in range(2))
    check(setting.run("room", first, "Hall").returncode == 0, "it is put into a room")
    rooms = setting.json("rooms")["rooms"]
    found = [(room["room"], [node["node_id"] for node in room["devices"]]) for room in rooms]
    check(found == [("Hall", [first]), ("", [second])], found)


@test
def lists_the_fabrics_of_a_device(setting):
    device = setting.device()
    node = setting.pair(device)
    fabrics = setting.json("fabrics", node)["fabrics"]
    check(len(fabrics) == 1 and fabrics[0]["ours"] is True, fabrics)
    check(fabrics[0]["fabric_node_id"] == node and fabrics[0]["vendor_id"] == 0xFFF1, fabrics)


@test
def knows_a_device_again_after_its_restart(setting):
    memory = setting.lab.folder / "restarted.json"
    device = setting.device(state=memory, port=5599, temperature=18)
    node = setting.pair(device)
    device.stop()
    setting.device(state=memory, port=5598, temperature=19)
    text = setting.run("read", node, TEMPERATURE)
    check(re.search(r"\b19(\.0+)? ?°C", text.stdout), text.stdout + text.stderr)


@test
def keeps_two_devices_apart(setting):
    first, second = setting.device(temperature=5), setting.device(temperature=30)
    nodes = [setting.pair(first), setting.pair(second)]
    check(sorted(setting.nodes()) == sorted(nodes), setting.nodes())
    for node, degrees in zip(nodes, ("5", "30")):
        text = setting.run("read", node, TEMPERATURE)
        check(re.search(rf"\b{degrees}(\.0+)? ?°C", text.stdout), text.stdout + text.stderr)


@test
def refuses_a_wrong_passcode_once(setting):
    device = setting.device(passcode=20202021)
    before = time.monotonic()
    wrong = pase.compute_qr_code(0xFFF4, 0x1234, discriminator(device), 20202022)
    result = setting.run("pair", "MT:" + wrong)
    line = failed_well(result, NO_PERMISSION)
    check("passcode" in line.lower(), line)
    check(time.monotonic() - before < 10, "it took long: was it tried again?")
    check(not setting.nodes(), "nothing is stored")
    check(not device.said("COMMISSIONED"), "the device is as it was")
    setting.pair(device)


@test
def refuses_test_devices_by_default(setting):
    device = setting.device()
    result = setting.run("pair", device.qr, test_devices=False)
    line = failed_well(result, NO_PERMISSION)
    check(re.search(r"attest|authority|certificate", line, re.I), line)
    check(not setting.nodes(), "nothing is stored")
    check(not device.said("COMMISSIONED"), "the device is as it was")
    setting.pair(device)


@test
def says_that_no_device_answers(setting):
    result = setting.run("pair", "MT:Y.K90AFN00KA0648G00", seconds=90)
    line = failed_well(result, UNAVAILABLE)
    check(re.search(r"found|answer|reach", line), line)
    check(not setting.nodes(), "nothing is stored")


@test
def refuses_bad_payloads(setting):
    for payload in ("MT:", "MT:Y.K90AFN00KA0648G0?", "34970112333", "12345", "hello"):
        failed_well(setting.run("pair", payload, seconds=10), BAD_DATA)


@test
def refuses_bad_arguments(setting):
    for words in ([], ["no-such-command"], ["read"], ["pair"]):
        failed_well(setting.run(*words, seconds=10), USAGE)


@test
def names_an_unknown_node(setting):
    for words in (("read", "0xDEADBEEF", TEMPERATURE), ("on", "kitchen"), ("show", "0x1")):
        line = failed_well(setting.run(*words, seconds=10), NO_HOST)
        check(words[1] in line or "node" in line or "device" in line, line)


@test
def names_an_unknown_path(setting):
    node = setting.pair(setting.device())
    for path in ("2/no-such-cluster/x", "2/temperature-measurement/x", "nonsense", "2"):
        failed_well(setting.run("read", node, path, seconds=20))


@test
def gives_the_status_of_an_attribute_that_is_not_there(setting):
    node = setting.pair(setting.device())
    failed_well(setting.run("read", node, "2/0x0402/0x0099", seconds=60))
    check(setting.run("read", node, TEMPERATURE).returncode == 0, "and goes on")


@test
def gives_up_on_an_unreachable_device(setting):
    device = setting.device()
    node = setting.pair(device)
    device.stop()
    before = time.monotonic()
    result = setting.run("read", node, TEMPERATURE, seconds=90)
    line = failed_well(result, UNAVAILABLE)
    check(re.search(r"reach|answer|found", line), line)
    check(time.monotonic() - before < 60, "it waited too long")


@test
def survives_a_cut_while_pairing(setting):
    """The device vanishes in the middle; nothing half-stored stays, and it pairs later."""
    device = setting.device()
    process = setting.lab.start(
        setting.lab.gateway_command("pair", device.qr, state=setting.state),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stderr.readline()
    device.process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    try:
        process.wait(15)
    finally:
        device.process.send_signal(signal.SIGCONT)
    check(process.returncode == INTERRUPTED, f"exit code {process.returncode}")
    check(not setting.nodes(), "nothing is half-stored")
    setting.pair(device)


@test
def undoes_a_cancelled_pairing_at_the_device(setting):
    """Cancelled after the fail-safe was armed: the device hears of it before the program ends."""
    device = setting.device()
    process = setting.lab.start(
        setting.lab.gateway_command("pair", device.qr, state=setting.state),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0)
    shown = b""
    while b"setting the location" not in shown:
        octet = process.stderr.read(1)
        check(octet, f"the pairing ended early: {shown}")
        shown += octet
    device.process.send_signal(signal.SIGSTOP)
    process.send_signal(signal.SIGINT)
    device.process.send_signal(signal.SIGCONT)
    check(process.wait(15) == INTERRUPTED, f"exit code {process.returncode}")
    check(device.wait_for("FAIL-SAFE ROLLED BACK", 3), "the device was told")
    check(not setting.nodes(), "nothing is half-stored")
    setting.pair(device)


class AtTerminal:
    """A program with a pseudo-terminal in front of it."""

    def __init__(self, lab, command):
        self.keyboard, screen = os.openpty()
        self.process = lab.start(command, stdin=screen, stdout=screen, stderr=screen)
        os.close(screen)
        self.shown = ""

    def type(self, text):
        os.write(self.keyboard, f"{text}\n".encode())

    def press(self, keys):
        os.write(self.keyboard, keys.encode())

    def wait_for_part(self, text, seconds=20):
        """What is drawn has no lines' ends; what comes behind it stays to be waited for."""
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            left = deadline - time.monotonic()
            check(left > 0 and select.select([self.keyboard], [], [], left)[0],
                  f"{text!r} was not shown: {self.shown!r}")
            self.shown += os.read(self.keyboard, 4096).decode(errors="replace")
        self.shown = self.shown.split(text, 1)[1]

    def wait_for(self, text, seconds=20):
        """What was shown up to there and the rest of that line."""
        deadline = time.monotonic() + seconds
        while text not in self.shown or "\n" not in self.shown.split(text, 1)[1]:
            left = deadline - time.monotonic()
            check(left > 0 and select.select([self.keyboard], [], [], left)[0],
                  f"{text!r} was not shown: {self.shown}")
            self.shown += os.read(self.keyboard, 4096).decode()
        before, after = self.shown.split(text, 1)
        line, self.shown = after.split("\n", 1)
        return before + text + line


@test
def runs_in_the_foreground_and_adds_what_is_typed(setting):
    device = setting.device()
    run = AtTerminal(setting.lab, setting.lab.gateway_command("run", state=setting.state))
    run.wait_for("Running.")
    run.type(device.qr)
    run.wait_for("window closed: press the button")
    check(device.process.poll() is None and "COMMISSIONED" not in device.lines, "it was not asked")
    run.type("window open\nROOM:Cold store\nNAME:Light")
    run.type(device.qr)
    run.wait_for("added in ")
    check(device.wait_for("COMMISSIONED"), "the device was told to be complete")
    run.wait_for("2/temperature-measurement/measured-value 21.50")
    run.type("devices")
    line = run.wait_for("Cold store")
    check("Light" in line, line)
    run.type("on light")
    run.wait_for("Light: on")
    check(device.wait_for("LIGHT ON"), "the device was switched")
    before = time.monotonic()
    run.process.send_signal(signal.SIGTERM)
    check(run.process.wait(5) == 0, f"exit code {run.process.returncode}")
    check(time.monotonic() - before < 2, "it ended too late")
    check(len(setting.nodes()) == 1, "it is kept")


@test
def takes_payloads_alone_where_no_terminal_is(setting):
    device = setting.device()
    node = setting.pair(device)
    process = setting.lab.start(
        setting.lab.gateway_command("run", state=setting.state),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    check(process.stdout.readline() == "Running.\n", "it runs")
    process.stdin.write(f"factory-reset\nremove {node} --yes\nwindow open\n{device.qr}\n")
    process.stdin.flush()
    told = [process.stderr.readline() for _ in range(4)]
    check([line.split(":")[0] for line in told]
          == ["this is no setup code and no label for installers"] * 3 + ["window closed"], told)
    process.send_signal(signal.SIGINT)
    check(process.wait(5) == 0, f"exit code {process.returncode}")
    check(setting.nodes() == [node], "nothing has changed")


class SerialLine(AtTerminal):
    """A line with whoever sits there at its other end."""

    def __init__(self):
        self.keyboard, self.other = os.openpty()
        self.path = os.ttyname(self.other)
        self.shown = ""


def takes_lines(terminal, seconds=2):
    """Within so long; what it shows last comes before that."""
    deadline = time.monotonic() + seconds
    while True:
        flags = termios.tcgetattr(terminal.keyboard)[3]
        if flags & termios.ECHO and flags & termios.ICANON:
            return True
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)


CLEARED = "\x1b[m\x1b[H\x1b[J"


def dashboard_ends_well(terminal):
    check(not takes_lines(terminal, 0), "keys are taken one by one")
    terminal.press("q")
    terminal.wait_for_part(CLEARED)
    check(takes_lines(terminal), "lines are typed again")


@test
def draws_the_dashboard_at_any_console_and_leaves_it_clean(setting):
    device = setting.device()
    node = setting.pair(device)
    run = AtTerminal(setting.lab, setting.lab.gateway_command("run", state=setting.state))
    run.wait_for("Running.")
    run.type(f"name {node} Lamp")
    run.wait_for("is called")
    run.type("dashboard")
    run.wait_for_part("21.50")
    run.press("i")
    run.wait_for_part("shows itself for 30 s")
    dashboard_ends_well(run)
    run.type("log debug")
    run.wait_for("the log tells debug")
    # Beside it: as one command, and at a console that stays.
    once = subprocess.run(console_command(setting, "dashboard"), capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=20)
    check("Lamp" in once.stdout and "\x1b" not in once.stdout, once)
    alone = AtTerminal(setting.lab, console_command(setting, "dashboard"))
    console = AtTerminal(setting.lab, console_command(setting, "console"))
    console.wait_for("Connected.")
    console.type("dashboard")
    for terminal in (alone, console):
        terminal.wait_for_part("Lamp")
        dashboard_ends_well(terminal)
    check(alone.process.wait(5) == 0, f"exit code {alone.process.returncode}")
    console.type("dashboard")
    console.wait_for_part("q quit")
    run.type("dashboard")
    run.wait_for_part("q quit")
    run.process.send_signal(signal.SIGTERM)
    check(run.process.wait(5) == 0, f"exit code {run.process.returncode}")
    for terminal in (run, console):
        terminal.wait_for_part(CLEARED)
        check(terminal is run or terminal.process.wait(5) == UNAVAILABLE, "it says that it ended")
        check(takes_lines(terminal), "the terminal is as it was")


@test
def draws_the_dashboard_at_a_slow_serial_line(setting):
    device = setting.device()
    setting.pair(device)
    line, unplugged = SerialLine(), SerialLine()
    scanner = setting.lab.folder / "scanner"
    run = setting.lab.start(
        setting.lab.gateway_command(
            "run", "--console", f"{line.path},9600", "--scanner", scanner, state=setting.state),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    line.wait_for("Running.")
    console = AtTerminal(setting.lab, console_command(setting, "console"))
    console.wait_for("Connected.")
    scanner.symlink_to(unplugged.path)
    console.wait_for(f"{scanner} is back")
    line.wait_for(f"{scanner} is back")
    line.type("dashboard")
    line.wait_for_part("21.50")
    before, drawn = time.monotonic(), 0
    while time.monotonic() - before < 5:
        if select.select([line.keyboard], [], [], 0.1)[0]:
            octets = os.read(line.keyboard, 4096)
            check(octets.isascii() and b"\n" not in octets, octets)
            drawn += len(octets)
        line.press("h")
    check(1000 < drawn < 5 * 960 + 3000, f"{drawn} octets in 5 s")
    print(f"        {drawn} octets in 5 s of keys", flush=True)
    run.send_signal(signal.SIGTERM)
    line.wait_for_part(CLEARED)
    check(run.wait(5) == 0, f"exit code {run.returncode}")


class ServiceManager:
    """What a service tells by sd_notify(3)."""

    def __init__(self, folder):
        self.path = str(folder / "notify")
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(self.path)
        self.socket.settimeout(5)

    def environment(self, watchdog_seconds):
        return {**os.environ, "NOTIFY_SOCKET": self.path,
                "WATCHDOG_USEC": str(int(watchdog_seconds * 1_000_000))}

    def wait_for(self, *texts):
        for text in texts:
            while text not in self.socket.recv(4096).decode().splitlines():
                pass


def wakeups(process):
    """How often it gave up the processor because it had nothing to do."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"^voluntary_ctxt_switches:\s*(\d+)", status, re.M).group(1))


@test
def runs_as_a_service(setting):
    folder = setting.lab.folder / "service"
    folder.mkdir()
    manager, configuration = ServiceManager(folder), folder / "gateway.conf"
    configuration.write_text("# test\nlog-level = info\n")
    process = setting.lab.start(
        setting.lab.gateway_command("run", "--config", configuration, state=setting.state),
        env=manager.environment(watchdog_seconds=4), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    manager.wait_for("READY=1", "WATCHDOG=1", "WATCHDOG=1")
    check(process.stderr.readline() == "info: Running.\n", "it logs with levels")
    before = wakeups(process)
    time.sleep(6)
    count = wakeups(process) - before
    check(count <= 12, f"{count} wake-ups in 6 s of idleness")
    configuration.write_text("log-level = loud\n")
    process.send_signal(signal.SIGHUP)
    manager.wait_for("RELOADING=1", "READY=1")
    line = process.stderr.readline()
    check(line.startswith(f'error: {configuration}, line 1: "loud" is no level'), line)
    configuration.write_text("log-level = debug\nstate = /elsewhere\n")
    process.send_signal(signal.SIGHUP)
    manager.wait_for("RELOADING=1", "READY=1")
    check(process.stderr.readline() == "info: the configuration was read again\n", "it reloads")
    check(process.stderr.readline().startswith("warning: state has changed"), "what needs more")
    start = time.monotonic()
    process.send_signal(signal.SIGTERM)
    manager.wait_for("STOPPING=1")
    check(process.wait(5) == 0, f"exit code {process.returncode}")
    check(time.monotonic() - start < 2, "it ended too late")
    check(process.stdout.read() == "", "all of it went to standard error")
    print(f"        {count} wake-ups in 6 s")


@test
def ends_in_time_though_a_device_is_silent(setting):
    device = setting.device()
    run = AtTerminal(setting.lab, setting.lab.gateway_command("run", state=setting.state))
    run.wait_for("Running.")
    setting.lab.cut_link()
    try:
        run.type("window open")
        run.type(device.qr)
        run.wait_for("code accepted")
        start = time.monotonic()
        run.process.send_signal(signal.SIGTERM)
        check(run.process.wait(5) == 0, f"exit code {run.process.returncode}")
        check(time.monotonic() - start < 2, "it ended too late")
    finally:
        setting.lab.cut_link(False)


@test
def refuses_a_configuration_by_file_and_line(setting):
    file = setting.lab.folder / "wrong.conf"
    for text, line, words in (("sate = /x", 1, "did you mean state?"),
                              ("#\nwindow-seconds = 5", 2, "from 60 to 900"),
                              ("#\n\nnonsense", 3, "key = value")):
        file.write_text(text)
        for command in ("devices", "run"):
            said = failed_well(setting.run(command, "--config", file), CONFIGURATION)
            check(said.startswith(f"{file}, line {line}: ") and words in said, said)
    check("cannot be read" in failed_well(
        setting.run("devices", "--config", "/nowhere"), CONFIGURATION), "a file that is named")
    check(setting.run("help", "--config", file).returncode == 0, "help needs no configuration")


def console_command(setting, *words):
    """For the running agent, which has its options already."""
    return setting.lab.command("gateway", GATEWAY, "--state", setting.state, *words)


@test
def serves_many_consoles_while_it_runs(setting):
    device, other = setting.device(), setting.device()
    agent = setting.lab.start(
        setting.lab.gateway_command("run", state=setting.state), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, text=True)
    check(agent.stdout.readline() == "Running.\n", "it runs")

    def ask(*words, **options):
        return subprocess.run(console_command(setting, *words), capture_output=True, text=True,
                              timeout=60, **{"stdin": subprocess.DEVNULL, **options})

    console = AtTerminal(setting.lab, console_command(setting, "console"))
    console.wait_for("Connected.")
    paired = ask("pair", "-", "--json", stdin=None, input=device.qr + "\n")
    check(paired.returncode == 0 and "[20/20]" in paired.stderr, paired.stderr)
    node = json.loads(paired.stdout)["node_id"]
    console.type(f"name {node} Lamp")
    console.wait_for('Lamp: is called "Lamp"')
    check(ask("on", "lamp").returncode == 0, "it is switched on")
    check(device.wait_for("LIGHT ON"), "the device was switched")
    console.type(f"window open\n{other.qr}")
    console.wait_for("added in ")
    listed = json.loads(ask("devices", "--json").stdout)["devices"]
    check(len(listed) == 2, listed)
    # A file is written where the console is, by whoever sits there.
    backup = setting.lab.folder / "consoles.backup"
    console.type(f"backup {backup} --yes\n")
    for _ in range(2):
        console.wait_for("(it is not shown)")
        console.type("four words and more")
    console.wait_for("2 devices")
    check(backup.stat().st_mode & 0o077 == 0, "the backup is its owner's alone")
    failed_well(ask("restore", backup, input="four words and more", stdin=None))
    failed_well(ask("devices", "--interface", "lo"), USAGE)
    # Only one has the state: the agent, until it is killed.
    waits = setting.lab.start(
        console_command(setting, "pair", "34970112332"), stderr=subprocess.PIPE, text=True)
    check(waits.stderr.read(1), "it is in progress")
    agent.kill()
    check(waits.wait(5) == UNAVAILABLE, f"exit code {waits.returncode}")
    console.wait_for("the agent has ended the connection")
    check(console.process.wait(5) == UNAVAILABLE, f"exit code {console.process.returncode}")
    check(len(setting.nodes()) == 2, "the state file is opened without an agent")
    failed_well(ask("status"), UNAVAILABLE)


@test
def removes_a_device_from_both_sides(setting):
    device = setting.device()
    node = setting.pair(device)
    refused = setting.run("remove", node, seconds=30)
    check(refused.returncode != 0 and setting.nodes() == [node], "asked to confirm first")
    result = setting.run("remove", node, "--yes")
    check(result.returncode == 0, result.stderr)
    check(device.wait_for("FABRIC REMOVED"), "the device was told")
    check(not setting.nodes(), "it is forgotten")
    again = setting.json("pair", device.qr)["node_id"]
    check(setting.nodes() == [again], "and it can be paired again")


@test
def labels_its_fabric_with_the_site_name(setting):
    check(setting.run("settings", "site-name", "Mill Lane 5").returncode == 0, "it is set")
    node = setting.pair(setting.device())
    fabrics = setting.json("fabrics", node)["fabrics"]
    check([fabric["label"] for fabric in fabrics] == ["Mill Lane 5"], fabrics)


@test
def reads_again_after_a_reset_and_a_restore(setting):
    device = setting.device(temperature=17.25)
    node = setting.pair(device)
    check(setting.run("name", node, "Cellar").returncode == 0, "it is named")
    file, phrase = setting.lab.folder / "x.backup", "four words are fine"

    def typing(text, *words):
        return subprocess.run(
            setting.lab.gateway_command(*words, state=setting.state), input=text,
            capture_output=True, text=True, timeout=60)

    failed_well(typing("short", "backup", file, "--yes"), BAD_DATA)
    saved = typing(phrase + "\n", "backup", file, "--yes")
    check(saved.returncode == 0, saved.stderr)
    check(file.stat().st_mode & 0o777 == 0o600, "it is its owner's alone")
    check(b"Cellar" not in file.read_bytes(), "it can be read")
    reset = setting.json("factory-reset", "--yes")
    check(reset == {"erased": True, "devices_left": 1}, reset)
    left = [path.name for path in setting.state.parent.glob(setting.state.name + "*")]
    check(left == [setting.state.name + ".lock"], f"left: {left}")
    check(not setting.nodes(), "nothing is known any more")
    failed_well(typing("four words are fin", "restore", file, "--yes"), NO_PERMISSION)
    restored = typing(phrase + "\n", "restore", file, "--yes", "--json")
    check(restored.returncode == 0, restored.stderr)
    check(json.loads(restored.stdout)["devices"] == 1, restored.stdout)
    check("17.25" in setting.run("read", "cellar", TEMPERATURE).stdout, "it reads again")


@test
def removes_a_device_that_is_away_and_tells_it_later(setting):
    device = setting.device()
    node = setting.pair(device)
    device.process.send_signal(signal.SIGSTOP)
    try:
        removed = setting.json("remove", node, "--yes")
        check(removed["removal"] == "pending" and not setting.nodes(), removed)
        pending = setting.json("devices")["pending_removals"]
        check([one["node_id"] for one in pending] == [node], pending)
    finally:
        device.process.send_signal(signal.SIGCONT)
    told = setting.run("prepare")
    check("has been told now" in told.stderr, told.stdout + told.stderr)
    check(device.wait_for("FABRIC REMOVED"), "the device was told")
    check(not setting.json("devices")["pending_removals"], "and nothing is left")


@test
def puts_a_device_in_the_place_of_another(setting):
    old, new = setting.device(), setting.device()
    node = setting.pair(old)
    setting.run("name", node, "Lamp")
    replaced = setting.json("replace", "lamp", new.qr, "--yes")
    check(replaced["name"] == "Lamp" and replaced["replaces"] == node, replaced)
    check(old.wait_for("FABRIC REMOVED"), "the old device was told")
    check(setting.nodes() == [replaced["node_id"]], f"listed: {setting.nodes()}")


@test
def ends_a_pairing_that_was_killed(setting):
    """Killed at a step, the pairing is completed or undone by the next command; never half."""
    kept = 0
    for step in ("asking for its key", "installing our root", "giving it its identity",
                 "connecting with its identity", "completing", "storing it"):
        device = setting.device()
        before = setting.nodes()
        process = setting.lab.start(
            setting.lab.gateway_command("pair", device.qr, state=setting.state),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, bufsize=0)
        shown = b""
        while step.encode() not in shown:
            octet = process.stderr.read(1)
            check(octet, f"the pairing ended early: {shown}")
            shown += octet
        process.send_signal(signal.SIGKILL)
        process.wait()
        setting.run("prepare")
        listed = setting.json("devices")
        check(not listed["interrupted_pairings"], f"{step}: {listed}")
        added = [one for one in setting.nodes() if one not in before]
        kept += len(added)
        for node in added:
            check(setting.run("read", node, TEMPERATURE).returncode == 0, f"{step}: not read")
        device.stop()
    check(kept > 0, "none was completed")


@test
def discovers_what_is_on_the_network(setting):
    device = setting.device()
    text = setting.run("discover", seconds=30)
    check(text.returncode == 0 and str(discriminator(device)) in text.stdout,
          text.stdout + text.stderr)
    node = setting.pair(device)
    text = setting.run("discover", seconds=30)
    check(node[2:].rjust(16, "0").upper() in text.stdout.upper(), text.stdout)


@test
def runs_one_thread(setting):
    device = setting.device()
    process = setting.lab.start(
        setting.lab.gateway_command("pair", device.qr, state=setting.state),
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most, looks = 0, 0
    while process.poll() is None:
        try:
            if pathlib.Path(f"/proc/{process.pid}/comm").read_text().strip() != "ip":
                most = max(most, len(list(pathlib.Path(f"/proc/{process.pid}/task").iterdir())))
                looks += 1
        except OSError:
            break
        time.sleep(0.002)
    check(process.wait() == 0, "paired")
    check(looks >= 5 and most == 1, f"{most} threads, seen in {looks} looks")


@test
def keeps_no_passcode_and_closed_files(setting):
    device = setting.device(passcode=76543210)
    setting.pair(device)
    digits = re.sub(r"\D", "", device.manual)
    for path in [setting.state, *setting.state.rglob("*")]:
        check(path.stat().st_mode & 0o077 == 0, f"{path.name} is open to others")
        if path.is_file():
            kept = path.read_bytes()
            for secret in (device.qr, device.manual, digits, "76543210"):
                check(secret.encode() not in kept, f"{path.name} holds {secret}")


@test
def links_no_foundation(setting):
    dynamic = subprocess.run(["readelf", "-d", GATEWAY], capture_output=True, text=True).stdout
    needed = re.findall(r"NEEDED.*\[(.*)\]", dynamic)
    check(needed, "the binary's libraries can be read")
    check(not [n for n in needed if "Foundation" in n or n.startswith("libswiftDispatch")], needed)
    symbols = subprocess.run(["nm", "-a", GATEWAY], capture_output=True, text=True).stdout
    symbols += subprocess.run(["nm", "-D", GATEWAY], capture_output=True, text=True).stdout
    # Swift's mangled names carry the module's length and name: s10Foundation, s8Dispatch.
    foreign = re.findall(r"\$s(?:10Foundation|20FoundationEssentials|8Dispatch)\w*", symbols)
    check(not foreign, foreign[:3])


def discriminator(device):
    words = device.process.args
    return int(words[words.index("--discriminator") + 1])


def main():
    wanted = sys.argv[1:]
    passed, failed = 0, []
    before = time.monotonic()
    with Lab() as lab:
        for function in tests + scanners.tests + leaks.tests + mqtt.tests:
            name = function.__name__.replace("_", " ")
            if wanted and not any(word in name for word in wanted):
                continue
            setting = Setting(lab, function.__name__)
            start = time.monotonic()
            try:
                function(setting)
                passed += 1
                print(f"ok      {name} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception as problem:
                failed.append(name)
                print(f"FAILED  {name}: {problem}", flush=True)
                if not isinstance(problem, (AssertionError, RuntimeError)):
                    traceback.print_exc()
            finally:
                setting.end()
    print(f"interop took {time.monotonic() - before:.1f} s")
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed or not passed else 0)


if __name__ == "__main__":
    main()
