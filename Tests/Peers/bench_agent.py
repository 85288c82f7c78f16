"""What the agent takes: measured from outside, in /proc, while it keeps virtual devices read."""
import json
import os
import pathlib
import re
import socket
import statistics
import subprocess
import tempfile
import time

from harness import GATEWAY, Lab

MEGABYTE = 1_000_000
SIZE_BUDGET = 9_000_000  # octets; scripts/check has the same
START_BUDGET = 30  # ms
# Private dirty and resident memory in MB, by the number of nodes; what DESIGN has no figure
# for is told only.
MEMORY_BUDGETS = {0: (3, 14), 100: (6, 18)}
WAKEUPS_BUDGET = 2  # a second, with no device
FIRST_DISCRIMINATOR = 100
KINDS = ("temperature", "humidity", "contact", "light", "plug", "occupancy")
SETTLED, WATCHED = 3, 20  # seconds: after the start, and how long rates are taken
POLL = 5  # seconds; the agent's own is 60, which would make too few polls to be told from noise


def size(table):
    with tempfile.NamedTemporaryFile() as stripped:
        subprocess.run(["strip", "-o", stripped.name, str(GATEWAY)], check=True)
        octets = os.stat(stripped.name).st_size
    table.add("program, stripped", octets, "B", SIZE_BUDGET, counted=True)


class Agent:
    """`matter-gateway run`, until it says that it is ready."""

    def __init__(self, lab, *words):
        path = lab.folder / "notify"
        path.unlink(missing_ok=True)
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(str(path))
            manager.settimeout(20)
            self.log = open(lab.folder / "agent.log", "w")
            self.began = time.monotonic()
            self.process = lab.start(
                lab.gateway_command("run", *words), stdin=subprocess.DEVNULL, stdout=self.log,
                stderr=self.log, env={**os.environ, "NOTIFY_SOCKET": str(path)})
            while b"READY=1" not in manager.recv(4096):
                pass
        self.start_seconds = time.monotonic() - self.began

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.log.close()

    def _proc(self, name):
        return pathlib.Path("/proc", str(self.process.pid), name).read_text()

    def _number(self, name, word):
        return int(re.search(rf"^{word}:\s*(\d+)", self._proc(name), re.M).group(1))

    @property
    def threads(self):
        return self._number("status", "Threads")

    @property
    def memory(self):
        """Private dirty and resident, in MB."""
        return (self._number("smaps_rollup", "Private_Dirty") * 1024 / MEGABYTE,
                self._number("status", "VmRSS") * 1024 / MEGABYTE)

    @property
    def wakeups(self):
        return self._number("status", "voluntary_ctxt_switches")

    @property
    def cpu_seconds(self):
        return int(self._proc("schedstat").split()[0]) / 1e9


def datagrams(lab):
    """UDP datagrams in and out of the gateway's network namespace so far."""
    words = lab.command("gateway", "cat", "/proc/net/snmp", "/proc/net/snmp6")
    text = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    four = re.findall(r"^Udp: (\d+) \d+ \d+ (\d+)", text, re.M)[0]
    six = re.findall(r"^Udp6(?:In|Out)Datagrams\s+(\d+)", text, re.M)
    return sum(map(int, (*four, *six)))


def start(table, lab, runs=9):
    """From the start of the process, `ip netns exec` before it, to its READY=1."""
    times, bare, processor = [], [], []
    for _ in range(runs):
        agent = Agent(lab)
        times.append(agent.start_seconds * 1000)
        processor.append(agent.cpu_seconds * 1000)
        agent.stop()
        before = time.monotonic()
        subprocess.run(lab.command("gateway", "true"), check=True)
        bare.append((time.monotonic() - before) * 1000)
    table.add("start until ready, warm cache",
              statistics.median(times) - statistics.median(bare), "ms", START_BUDGET,
              note=f"median of {runs}, {min(times):.0f} to {max(times):.0f} ms with "
                   f"{statistics.median(bare):.0f} ms of ip netns exec, which is taken off")
    table.add("processor time until ready, with ip netns exec",
              statistics.median(processor), "ms")


def idle(table, lab):
    agent = Agent(lab)
    time.sleep(SETTLED)
    _memory(table, agent, 0)
    table.add("threads, idle", agent.threads, "", 1, counted=True)
    before = agent.wakeups
    time.sleep(10)
    table.add("wake-ups per second, idle", (agent.wakeups - before) / 10, "", WAKEUPS_BUDGET)
    agent.stop()


def _memory(table, agent, nodes):
    dirty, resident = agent.memory
    budgets = MEMORY_BUDGETS.get(nodes, (None, None))
    words = f"{nodes} nodes" if nodes else "idle"
    table.add(f"private dirty memory, {words}", dirty, "MB", budgets[0])
    table.add(f"resident memory, {words}", resident, "MB", budgets[1])


def add_devices(lab, count):
    """Starts and commissions devices until there are `count`, one process for each."""
    for number in range(len(lab.devices), count):
        device = lab.virtual_device(
            "--port", "0", "--types", KINDS[number % len(KINDS)],
            "--discriminator", str(FIRST_DISCRIMINATOR + number), "--seed", str(number))
        result = lab.gateway("pair", device.qr, "--accept-unattested", "--json")
        if result.returncode:
            raise RuntimeError(f"device {number + 1}: {result.stderr.strip()}")


def _wait_until_online(lab, agent, nodes, seconds):
    """All nodes are heard and, for a session each, subscribed."""
    while time.monotonic() < agent.began + seconds:
        # The agent has its own options, which a console must not repeat.
        answer = subprocess.run(
            lab.command("gateway", GATEWAY, "--state", lab.state, "status", "--json"),
            capture_output=True, text=True)
        if answer.returncode == 0 and json.loads(answer.stdout)["online"] == nodes:
            return time.monotonic() - agent.began
        time.sleep(0.05)
    raise RuntimeError(f"not all of {nodes} nodes were there after {seconds} s")


def subscribed(table, lab, nodes):
    """The agent starts with `nodes` devices to subscribe to, and then keeps them read."""
    add_devices(lab, nodes)
    agent = Agent(lab, "--poll", str(POLL))
    seconds = _wait_until_online(lab, agent, nodes, 30 + nodes)
    table.add(f"cold start until all are there, {nodes} nodes", seconds, "s")
    time.sleep(SETTLED)
    before = agent.cpu_seconds, datagrams(lab), agent.wakeups
    time.sleep(WATCHED)
    after = agent.cpu_seconds, datagrams(lab), agent.wakeups
    cpu, packets, woken = (new - old for new, old in zip(after, before))
    _memory(table, agent, nodes)
    table.add(f"threads, {nodes} nodes", agent.threads, "", 1, counted=True)
    table.add(f"datagrams per second, {nodes} nodes", packets / WATCHED)
    table.add(f"wake-ups per second, {nodes} nodes", woken / WATCHED)
    if packets:
        table.add(f"processor time per datagram, {nodes} nodes", cpu / packets * 1e6, "µs")
    table.add(f"processor time, {nodes} nodes", cpu / WATCHED * 1000, "ms/s",
              note=f"each is asked every {POLL} s")
    agent.stop()


def measure(table, wanted, counts):
    """`wanted` tells of a row's word whether to measure it; `counts` are numbers of nodes."""
    if wanted("size"):
        size(table)
    if not any(map(wanted, ("start", "idle", "nodes"))):
        return
    # Pages of a program that was just written count as its dirty memory until they are on disk.
    os.sync()
    with Lab() as lab:
        if wanted("start"):
            start(table, lab)
        if wanted("idle"):
            idle(table, lab)
        if wanted("nodes"):
            for nodes in counts:
                subscribed(table, lab, nodes)
