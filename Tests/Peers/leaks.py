"""What must not be left anywhere: passcodes, passphrases, PINs, in what the agent writes, shows,
keeps in memory, or leaves behind when it dies."""
import os
import pathlib
import re
import resource
import signal
import subprocess
import time

from harness import GATEWAY, ROOT
from scanners import Agent, Scanner, check

tests = []
PASSPHRASE, PIN, BACKUP = "nineteen grey geese", "83619275", "four words and some"


def test(function):
    tests.append(function)
    return function


def memory(process):
    """All that the process has written to, as octets."""
    held = bytearray()
    maps = pathlib.Path(f"/proc/{process}/maps").read_text()
    with open(f"/proc/{process}/mem", "rb", 0) as file:
        for start, end, rights in re.findall(r"^(\w+)-(\w+) (\S+)", maps, re.M):
            if rights.startswith("rw"):
                try:
                    file.seek(int(start, 16))
                    held += file.read(int(end, 16) - int(start, 16))
                except OSError:
                    continue  # a device's or the kernel's own
    return bytes(held)


def program(agent):
    """The agent's own process id, behind the program that puts it into its namespace."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        for process in (agent.process.pid, *children(agent.process.pid)):
            if pathlib.Path(f"/proc/{process}/exe").resolve() == GATEWAY.resolve():
                return process
    raise AssertionError("the agent is not there")


def children(process):
    path = pathlib.Path(f"/proc/{process}/task/{process}/children")
    return [int(word) for word in path.read_text().split()]


@test
def leaves_no_secret_in_output_files_arguments_or_memory(setting):
    device, other = setting.device(passcode=71359082), setting.device(passcode=64028135)
    scanner = Scanner()
    agent = Agent(setting, scanner)
    shown = []

    def ask(*words, text=None):
        result = subprocess.run(
            setting.lab.command("gateway", GATEWAY, "--state", setting.state, *words),
            capture_output=True, text=True, timeout=60, input=text or "")
        shown.append(result.stdout + result.stderr)
        return result

    check(ask("log", "debug").returncode == 0, shown)
    check(ask("pin", "set", text=f"{PIN}\n{PIN}\n").returncode == 0, shown)
    check(ask("window", "open").returncode == 0, shown)
    scanner.scan(f"WIFI:T:WPA;S:Mill;P:{PASSPHRASE};;")
    scanner.scan(device.qr)
    agent.wait_for("added in ")
    check(ask("pair", "-", text=other.manual + "\n").returncode == 0, shown)
    # A wrong code as well: what fails is said.
    scanner.scan(device.qr)
    agent.wait_for("add", times=3)
    file = setting.lab.folder / "secrets.backup"
    check(ask("backup", file, "--yes", text=f"{BACKUP}\n{BACKUP}\n").returncode == 0, shown)
    ask("window", "close")
    for words in (["status"], ["devices"], ["show", "1"], ["doctor"], ["prepare"], ["settings"],
                  ["wifi", "show"], ["thread", "show"], ["alert", "list"], ["dashboard", "--once"]):
        ask(*words)
        ask(*words, "--json")
    report = subprocess.run(
        setting.lab.command("gateway", ROOT / "scripts/doctor-report"), capture_output=True,
        text=True, timeout=120,
        env={**os.environ, "MATTER_GATEWAY": str(GATEWAY)})
    shown.append(report.stdout + report.stderr)

    codes = [device.qr, device.manual, re.sub(r"\D", "", device.manual), "71359082",
             other.qr, other.manual, re.sub(r"\D", "", other.manual), "64028135"]
    secrets = codes + [PASSPHRASE, PIN, BACKUP]
    process = program(agent)
    arguments = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
    environment = pathlib.Path(f"/proc/{process}/environ").read_bytes()
    said = "\n".join(agent.said + shown).encode()
    check(len(said) > 5000, "there is something to look through")
    # The passphrase of the network is what devices are given: it stays, in the state and there.
    held, gone = memory(process), codes + [PIN, BACKUP]
    check(b"Mill" in held, "the memory was read")
    kept = b"".join(path.read_bytes() for path in setting.lab.folder.rglob("*")
                    if path.is_file() and path.name.startswith(("gateway", setting.state.name)))
    for secret in secrets:
        octets = secret.encode()
        check(octets not in said, f"{secret} was shown")
        check(octets not in arguments + environment, f"{secret} is in the arguments")
    for secret in gone:
        octets = secret.encode()
        check(octets not in held, f"{secret} is in the agent's memory {held.count(octets)} times")
        check(octets not in kept, f"{secret} is in a file")
    print(f"        {len(said)} octets of output, {len(held) >> 10} KiB of memory", flush=True)
    agent.kill()
    scanner.close()


@test
def leaves_no_core_when_it_dies(setting):
    folder = setting.lab.folder / "cores"
    folder.mkdir()

    def unlimited():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        os.chdir(folder)

    def status_of(*command, until):
        process = subprocess.Popen(
            [str(word) for word in command], preexec_fn=unlimited, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        said = []
        while until not in "".join(said):
            said.append(process.stdout.readline())
            check(said[-1], f"it ended: {said}")
        os.kill(process.pid, signal.SIGABRT)
        return os.waitpid(process.pid, 0)[1]

    if not os.WCOREDUMP(status_of("sh", "-c", "echo up; read line", until="up")):
        print("        this machine writes no cores: not checked", flush=True)
        return
    # Without a namespace of its own, for it is this process that dies: it sends nothing before.
    status = status_of(GATEWAY, "--state", folder / "state", "--interface", "lo", "run",
                       until="Running.")
    check(os.WIFSIGNALED(status), f"it ended with {status}")
    check(not os.WCOREDUMP(status), "its memory was written to a core")
