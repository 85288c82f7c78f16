"""Commissioning time against the CHIP controller: medians of ten, on the same test device.

Each run gets a device fresh from the factory, and the two controllers take turns. Ours is
timed as a whole process, from its start to its end; CHIP's by its commissioning call alone.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

from harness import HERE, Lab

BUDGET = 0.50  # ours / CHIP's
PASSCODE = 20202021


class CHIP:
    def __init__(self, lab):
        # Its own words go to a file: it talks more than a pipe holds.
        self.log = open(lab.folder / "chip.log", "w")
        self.process = lab.start(
            lab.command("gateway", sys.executable, HERE / "chip_controller.py"),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log, text=True,
            env={**os.environ, "TMPDIR": str(lab.folder)})
        self.answer()

    def answer(self):
        for line in self.process.stdout:
            word, _, rest = line.strip().partition(" ")
            if word in ("READY", "SECONDS", "FAILED"):
                if word == "FAILED":
                    raise RuntimeError(f"CHIP's controller: {rest}")
                return rest
        raise RuntimeError("CHIP's controller ended")

    def commission(self, node, discriminator):
        self.process.stdin.write(f"{node} {discriminator} {PASSCODE}\n")
        self.process.stdin.flush()
        return float(self.answer())


def ours(lab, device):
    before = time.monotonic()
    result = lab.gateway("pair", device.qr, "--json")
    seconds = time.monotonic() - before
    if result.returncode:
        raise RuntimeError(f"matter-gateway pair: {result.stderr.strip()}")
    return seconds


def measure(runs):
    mine, chips = [], []
    with Lab() as lab:
        chip = CHIP(lab)
        for number in range(runs + 1):
            # Another discriminator each time, so that no cache remembers an earlier device.
            device = lab.device(discriminator=1000 + 2 * number, passcode=PASSCODE)
            mine.append(ours(lab, device))
            device.stop()
            device = lab.device(discriminator=1001 + 2 * number, passcode=PASSCODE)
            chips.append(chip.commission(number + 1, 1001 + 2 * number))
            device.wait_for("COMMISSIONED")
            time.sleep(0.1)  # the controller still reads once after its call has returned
            device.stop()
    return mine[1:], chips[1:]  # the first of each warms caches and makes the fabric


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    wanted = parser.parse_args()
    mine, chips = measure(wanted.runs)
    ratio = statistics.median(mine) / statistics.median(chips)
    good = ratio <= BUDGET
    if wanted.json:
        print(json.dumps({
            "commissioning": {
                "matter_gateway_seconds": mine, "chip_seconds": chips,
                "matter_gateway_median": statistics.median(mine),
                "chip_median": statistics.median(chips),
                "ratio": ratio, "budget": BUDGET, "ok": good}}))
    else:
        print(f"commissioning a CircuitMatter device, {wanted.runs} runs each, in turn")
        print(f"{'':28}{'median':>9}{'least':>9}{'most':>9}")
        for name, times in (("matter-gateway pair", mine), ("CHIP, the call alone", chips)):
            print(f"{name:28}{statistics.median(times):8.3f}s{min(times):8.3f}s"
                  f"{max(times):8.3f}s")
        print(f"{'ratio':28}{ratio:9.2f}   budget {BUDGET:.2f}   {'ok' if good else 'OVER'}")
    sys.exit(0 if good else 1)


if __name__ == "__main__":
    main()
