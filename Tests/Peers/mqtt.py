"""matter-gateway against a mosquitto of Debian's, in the gateway's namespace."""
import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import time

from harness import GATEWAY

PORT, TLS_PORT = 18830, 18883
BASE = "matter-gateway/cellar"
LIGHT = "1/on-off/on-off"
tests = []


def test(function):
    tests.append(function)
    return function


def check(condition, what):
    if not condition:
        raise AssertionError(what)


def wait_for(condition, what, seconds=20):
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = condition()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"not in time: {what}")


class Site:
    """A broker, who listens to all of it, and the gateway."""

    def __init__(self, setting, name):
        self.setting, self.lab = setting, setting.lab
        self.folder = self.lab.folder / name
        self.folder.mkdir()
        self.log = self.folder / "heard"
        self.process = None

    def openssl(self, words):
        subprocess.run(["openssl", *words.split()], check=True, cwd=self.folder,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start_broker(self):
        if not (self.folder / "ca.pem").exists():
            curve = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes"
            (self.folder / "san").write_text("subjectAltName=DNS:localhost")
            self.openssl(f"req -x509 {curve} -days 2 -subj /CN=ca -keyout ca.key -out ca.pem")
            self.openssl(f"req {curve} -subj /CN=broker -keyout broker.key -out broker.csr")
            self.openssl("x509 -req -in broker.csr -CA ca.pem -CAkey ca.key -CAcreateserial"
                         " -days 2 -extfile san -out broker.pem")
            (self.folder / "users").write_text("gateway:hunter2\n")
            subprocess.run(["mosquitto_passwd", "-U", self.folder / "users"], check=True)
            (self.folder / "password").write_text("hunter2\n")
            (self.folder / "broker.conf").write_text(
                f"user root\nper_listener_settings true\npersistence true\n"
                f"persistence_location {self.folder}/\n"
                f"listener {PORT} 127.0.0.1\nallow_anonymous true\n"
                f"listener {TLS_PORT} 127.0.0.1\nallow_anonymous false\n"
                f"password_file {self.folder}/users\ncafile {self.folder}/ca.pem\n"
                f"certfile {self.folder}/broker.pem\nkeyfile {self.folder}/broker.key\n")
        self.broker = self.lab.start(
            self.lab.command("gateway", "mosquitto", "-c", self.folder / "broker.conf"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.listener = None
        wait_for(self._listen, "the broker takes connections")

    def _listen(self):
        with open(self.log, "ab") as log:
            listener = self.lab.start(
                # What comes while it is away waits for it.
                self.lab.command("gateway", "mosquitto_sub", "-p", PORT, "-t", "#", "-F",
                                 "%r %t %p", "-q", "1", "-c", "-i", "listener"), stdout=log, stderr=subprocess.DEVNULL)
        time.sleep(0.3)
        return listener.poll() is None

    def stop_broker(self):
        self.broker.terminate()
        self.broker.wait()

    def publish(self, topic, payload, *words):
        subprocess.run(self.lab.command("gateway", "mosquitto_pub", "-p", PORT, "-q", "1", "-t",
                                        topic, "-m", payload, *words), check=True)

    def heard(self, topic):
        """Payloads, oldest first."""
        lines = self.log.read_text().splitlines()
        return [line.split(" ", 2)[2] for line in lines if line.split(" ", 2)[1] == topic]

    def readings(self, wanted=""):
        """Sequence numbers in the history that was heard, of one value or of all."""
        rows = [row for text in self.heard(f"{BASE}/history")
                for row in json.loads(text)["readings"]]
        return [row["sequence"] for row in rows
                if wanted in ("", f"{row['path']}={row['value']}")]

    def configure(self, *lines):
        path = self.folder / "gateway.conf"
        path.write_text("mqtt-name = cellar\n" + "\n".join(lines) + "\n")
        return path

    def start_gateway(self, configuration):
        self.process = self.lab.start(
            self.lab.gateway_command("run", "--poll", "2", "--config", configuration,
                                     state=self.setting.state),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def ask(self, *words):
        """A command of the running agent's."""
        return subprocess.run(
            self.lab.command("gateway", GATEWAY, "--state", self.setting.state, *words),
            capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)

    def status(self):
        """What it says of the broker; nothing while the agent is not there yet."""
        told = self.ask("status", "--json").stdout
        return (json.loads(told)["mqtt"] if told else None) or {}


@test
def tells_a_broker_over_tls_and_obeys_it(setting):
    site = Site(setting, "mqtt")
    device = setting.device(temperature=21.5)
    node = setting.pair(device)
    setting.run("room", node, "Attic")
    site.start_broker()
    site.publish(f"{BASE}/node/{node}/set", '{"on":true}', "-r")
    site.start_gateway(site.configure(
        f"mqtt-broker = mqtts://localhost:{TLS_PORT}", f"mqtt-ca = {site.folder}/ca.pem",
        "mqtt-user = gateway", f"mqtt-password-file = {site.folder}/password",
        "mqtt-commands = control"))
    wait_for(lambda: "online" in site.heard(f"{BASE}/status"), "the gateway is online")
    value = f"{BASE}/node/{node}/2/temperature-measurement/measured-value"
    wait_for(lambda: "21.5" in site.heard(value), "the temperature")
    states = wait_for(lambda: site.heard(f"{BASE}/node/{node}/state"), "the state")
    check(json.loads(states[-1])["room"] == "Attic", states[-1])
    found = f"homeassistant/device/matter-gateway_cellar_{node}/config"
    components = wait_for(
        lambda: any('"temperature"' in text for text in site.heard(found)) and site.heard(found),
        "Home Assistant's")
    check(json.loads(components[-1])["device"]["suggested_area"] == "Attic", components[-1])
    check(site.status().get("state") == "connected", site.status())
    check(device.said("LIGHT ON") == 0, "a retained command was carried out")
    site.publish(f"{BASE}/node/{node}/set", '{"endpoint":1,"on":true}')
    check(device.wait_for("LIGHT ON"), "the light was switched")
    site.publish(f"{BASE}/node/{node}/set", '{"on":"hunter3"}')
    wait_for(lambda: site.readings(f"{LIGHT}=True"), "the light in the history")
    # What happens while there is no broker is told when it is back.
    site.stop_broker()
    wait_for(lambda: site.status().get("state") == "disconnected", "the broker is missed")
    before = len(site.heard(value))
    check(site.ask("off", node).returncode == 0, "devices need no broker")
    wait_for(lambda: site.status()["waiting_readings"] > 0, "it is kept")
    site.start_broker()
    wait_for(lambda: len(site.heard(value)) > before, "the temperature again")
    wait_for(lambda: site.readings(f"{LIGHT}=False"), "the light in the history")
    sequences = sorted(set(site.readings()))
    check(sequences == list(range(sequences[0], sequences[-1] + 1)), f"a gap: {sequences}")
    wait_for(lambda: site.status()["waiting_readings"] == 0, "all is forwarded")
    site.process.send_signal(signal.SIGKILL)
    wait_for(lambda: site.heard(f"{BASE}/status")[-1] == "offline", "the last will")
    said = site.process.stdout.read()
    check("not understood" in said, said)
    for secret in ("hunter2", "hunter3"):
        check(secret not in said, said)


@test
def says_what_is_wrong_with_a_broker(setting):
    site = Site(setting, "mqtt-wrong")
    site.start_broker()
    site.start_gateway(site.configure(f"mqtt-broker = mqtts://localhost:{TLS_PORT}"))
    told = wait_for(lambda: site.status().get("error"), "the error")
    check("authority" in told, told)
    doctor = site.ask("doctor")
    check("mqtt-ca" in doctor.stdout + doctor.stderr, doctor.stdout)
    refused = setting.run("--config", site.configure("mqtt-user = a"),
                          "devices")
    check(refused.returncode == 78 and "line 2" in refused.stderr, refused.stderr)


@test
def waits_for_no_name_server(setting):
    site = Site(setting, "mqtt-names")
    namespace = setting.lab.namespaces["gateway"]
    folder = pathlib.Path("/etc/netns") / namespace
    # ip netns exec puts it into the place of /etc/resolv.conf.
    folder.mkdir(parents=True)
    with contextlib.ExitStack() as ending:
        ending.callback(folder.rmdir)
        ending.callback((folder / "resolv.conf").unlink)
        (folder / "resolv.conf").write_text("nameserver 127.0.0.1\n")
        silent = ("import socket, time; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM);"
                  "s.bind(('127.0.0.1', 53)); time.sleep(600)")
        setting.lab.start(setting.lab.command("gateway", sys.executable, "-c", silent))
        site.start_gateway(site.configure("mqtt-broker = broker.example"))
        wait_for(lambda: site.status().get("state") == "connecting", "it is looked up")
        for _ in range(5):
            before = time.monotonic()
            check(site.status()["state"] == "connecting", "the lookup goes on")
            check(time.monotonic() - before < 1, "the agent was held up")
        told = wait_for(lambda: site.status().get("error"), "it is given up")
        check("looked up" in told, told)
        before = time.monotonic()
        site.process.send_signal(signal.SIGTERM)
        site.process.wait(5)
        check(time.monotonic() - before < 2, "it ended too late")
