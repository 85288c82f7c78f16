"""The running agent as an installer meets it: scanners that are pseudo-terminals, and its death."""
import json
import os
import random
import subprocess
import threading
import time

from harness import GATEWAY

tests = []


def test(function):
    tests.append(function)
    return function


def check(condition, what):
    if not condition:
        raise AssertionError(what)


class Scanner:
    """A serial scanner: what it reads appears at the path, a carriage return behind it."""

    def __init__(self):
        self.end, self.other = os.openpty()
        self.path = os.ttyname(self.other)

    def scan(self, text):
        os.write(self.end, text.encode() + b"\r")

    def close(self):
        os.close(self.end)
        os.close(self.other)


class Agent:
    """The running agent, and all that it said."""

    def __init__(self, setting, scanner, *options):
        self.setting, self.said = setting, []
        self.process = setting.lab.start(
            setting.lab.gateway_command("run", "--scanner", scanner.path, *options, state=setting.state),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self.wait_for("Running.")

    def _listen(self):
        for line in self.process.stdout:
            self.said.append(line.rstrip("\n"))

    def lines(self, text):
        return [line for line in list(self.said) if text in line]

    def wait_for(self, text, seconds=20, times=1):
        deadline = time.monotonic() + seconds
        while len(self.lines(text)) < times:
            check(time.monotonic() < deadline, f"{text!r} was not said in time: {self.said}")
            time.sleep(0.02)

    def ask(self, *words):
        """A command through the agent's socket."""
        return subprocess.run(
            self.setting.lab.command(
                "gateway", GATEWAY, "--state", self.setting.state, *words),
            capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.listener.join()


@test
def adds_devices_by_scanner_lines_alone(setting):
    device, other = setting.device(), setting.device()
    scanner = Scanner()
    agent = Agent(setting, scanner)
    fabric = setting.state.parent
    scanner.scan(device.qr)
    agent.wait_for("window closed")
    check(agent.ask("window", "open").returncode == 0, "the window opens")
    scanner.scan("factory-reset")
    scanner.scan("remove 1 --yes")
    agent.wait_for("this is no setup code and no label for installers", times=2)
    scanner.scan("WIFI:T:WPA;S:Site;P:twelve monkeys;;")
    scanner.scan("ROOM:Cellar")
    scanner.scan("NAME:Pump")
    scanner.scan(device.qr)
    agent.wait_for("added in ")
    scanner.scan(other.manual)
    agent.wait_for("added in ", times=2)
    listed = json.loads(agent.ask("devices", "--json").stdout)["devices"]
    check(len(listed) == 2, listed)
    check((listed[0]["name"], listed[0]["room"]) == ("Pump", "Cellar"), listed)
    check(agent.ask("window", "close").returncode == 0, "the window closes")
    scanner.scan("factory-reset")
    agent.wait_for("this is no setup code and no label for installers", times=3)
    check(len(json.loads(agent.ask("devices", "--json").stdout)["devices"]) == 2, "all is there")
    start = time.monotonic()
    agent.process.terminate()
    check(agent.process.wait(5) == 0, f"exit code {agent.process.returncode}")
    check(time.monotonic() - start < 2, "it ended too late")
    agent.listener.join()
    check(not agent.lines("twelve monkeys") and not agent.lines(device.qr), "a secret was shown")
    check(fabric.exists() and len(setting.nodes()) == 2, "it is kept")
    scanner.close()


@test
def loses_nothing_that_was_told_when_it_is_killed(setting):
    """The house's power goes at moments of a commissioning that a seed chooses."""
    dice = random.Random(1)
    scanner = Scanner()
    told, kills, survivors = 0, 20, 0
    authorities = setting.lab.folder / "authorities-of-killed"
    authorities.mkdir()
    for number in range(kills):
        device = setting.lab.virtual_device(
            "--port", "0", "--state", setting.lab.folder / f"virtual-{number}",
            "--paa-out", authorities / f"{number}.pem", "--types", "temperature",
            "--discriminator", str(number))
        agent = Agent(setting, scanner, "--paa", authorities)
        check(agent.ask("window", "open").returncode == 0, "the window opens")
        scanner.scan(device.qr)
        agent.wait_for("code accepted")
        # A commissioning takes some 0.2 s here.
        time.sleep(dice.uniform(0, 0.3))
        agent.kill()
        device.tell("reboot")
        told += len(agent.lines("added in "))
        kept = setting.nodes()
        check(told <= len(kept) <= number + 1, f"{told} told, {len(kept)} kept")
        survivors += len(kept) == number + 1
        # The next start completes or undoes what was cut off: the code works again, or the
        # device is a node.
        agent = Agent(setting, scanner, "--paa", authorities)
        check(agent.ask("window", "open").returncode == 0, "the window opens")
        if len(nodes(agent)) <= number:
            scanner.scan(device.qr)
        deadline = time.monotonic() + 60
        while len(nodes(agent)) <= number:
            check(
                time.monotonic() < deadline,
                f"not added after kill {number + 1}: {nodes(agent)} {agent.said} {device.lines}")
            time.sleep(0.1)
        check(len(nodes(agent)) == number + 1, f"{nodes(agent)} of {number + 1} devices")
        result = agent.ask("read", nodes(agent)[-1])
        check(result.returncode == 0, f"it answers: {result.stderr}")
        agent.kill()
        told = number + 1
    # A seed whose kills all come before or all after would show nothing.
    check(0 < survivors < kills, f"{survivors} of {kills} were kept before the kill")
    scanner.close()


def nodes(agent):
    result = agent.ask("devices", "--json")
    check(result.returncode == 0, result.stderr)
    return [device["node_id"] for device in json.loads(result.stdout)["devices"]]
