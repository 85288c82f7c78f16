"""The main job, seen from outside: a device is commissioned and its temperature read."""
import sys
import time

from harness import Lab

BOLD, PLAIN = ("\033[1m", "\033[0m") if sys.stdout.isatty() else ("", "")


def step(text):
    print(f"{BOLD}{text}{PLAIN}", flush=True)


def gateway(lab, *words):
    """Runs a command, its progress and result straight on the screen."""
    print(f"  $ matter-gateway {' '.join(words)}", flush=True)
    process = lab.start(lab.gateway_command(*words))
    if process.wait(120):
        sys.exit(f"matter-gateway {words[0]} failed (exit code {process.returncode})")


def switch(lab, node, device, word):
    gateway(lab, word, node)
    said = f"LIGHT {word.upper()}"
    if not device.wait_for(said):
        sys.exit(f"the device did not say {said}")
    print(f"  the device says: {said}")


def main():
    step("1. A test device joins a network of its own (CircuitMatter: light and thermometer)")
    with Lab() as lab:
        device = lab.device(temperature=21.5)
        print(f"  its label: {device.qr}   {device.manual}")
        step("2. The gateway commissions it")
        before = time.monotonic()
        gateway(lab, "pair", device.qr)
        print(f"  in {time.monotonic() - before:.2f} s")
        node = lab.gateway_json("devices")
        node = (node["devices"] if isinstance(node, dict) else node)[0]["node_id"]
        step("3. It switches the light")
        switch(lab, node, device, "on")
        switch(lab, node, device, "off")
        step("4. And reads the temperature")
        gateway(lab, "read", node, "2/temperature-measurement/measured-value")


if __name__ == "__main__":
    main()
