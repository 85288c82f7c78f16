"""The table of budgets: what the agent takes, and its time beside the CHIP controller's.

    bench.py [--json] [--quick | --counted] [--only WORD] [--nodes N] [--runs N]

--quick leaves out the CHIP controller and many nodes, --counted all but what is the same on
every machine; --only measures one of protocol, size, start, idle, nodes, chip. The exit code is 1 when
something counted is over its budget; what is timed is only marked, for a machine may be busy.

Commissioning beside the CHIP controller: each run gets a device fresh from the factory, and the
two take turns. Ours is timed as a whole process, from its start to its end; CHIP's by its
commissioning call alone.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import time

import bench_agent
from bench_table import Table
from harness import HERE, ROOT, Lab

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


def protocol(table):
    """The rows of Tests/Benchmark; allocations are counted, and so may fail the run."""
    said = subprocess.run([ROOT / ".build/release/benchmark"], check=True, capture_output=True,
                          text=True).stdout
    for row in map(json.loads, said.splitlines()):
        table.add(row["name"], row["value"], row["unit"], row["budget"],
                  counted=row["budget"] is not None)


def beside_chip(table, runs):
    mine, chips = measure(runs)
    mine_median, chip_median = statistics.median(mine), statistics.median(chips)
    table.add("commissioning, matter-gateway", mine_median, "s",
              note=f"{min(mine):.3f} to {max(mine):.3f} s")
    table.add("commissioning, CHIP's call alone", chip_median, "s",
              note=f"{min(chips):.3f} to {max(chips):.3f} s")
    table.add("commissioning, ours / CHIP's", mine_median / chip_median, "", BUDGET)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--counted", action="store_true")
    parser.add_argument(
        "--only", choices=("protocol", "size", "start", "idle", "nodes", "chip"))
    parser.add_argument("--nodes", type=int, help="measure with so many devices too")
    parser.add_argument("--runs", type=int, default=10, help="beside the CHIP controller")
    options = parser.parse_args()

    def wanted(word):
        if options.counted and word not in ("protocol", "size", "idle"):
            return False
        return options.only in (None, word)

    counts = [1, 10] if options.quick else [1, 10, 100]
    if options.nodes and options.nodes not in counts:
        counts = sorted(counts + [options.nodes])
    table = Table(options.json)
    if wanted("protocol"):
        protocol(table)
    bench_agent.measure(table, wanted, counts)
    if wanted("chip") and not options.quick:
        beside_chip(table, options.runs)
    table.finish()


if __name__ == "__main__":
    main()
