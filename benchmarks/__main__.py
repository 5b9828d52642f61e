"""Run the benchmarks: ``python -m benchmarks [NAME ...] [--repeat N]``; without a name, the table of every size."""

from __future__ import annotations

import argparse
import sys
from functools import partial

from benchmarks import inside, stand_ins
from benchmarks.arrays import arrays
from benchmarks.contestants import TRUERANK, alternated, contestants, run_all
from benchmarks.every_size import PARTS, table
from benchmarks.tables import tables
from benchmarks.ties import costs
from benchmarks.truncate import cuts
from benchmarks.workloads import WORKLOADS, Workload


def files(workload: Workload, repeat: int) -> None:
    """From file to ten measures, everyone side by side; the ratio is to ours."""
    workload.make()
    size = max(path.stat().st_size for path in workload.runs) / 2**20
    print(f"\n{workload.name}: {workload.systems} x {workload.topics} x {workload.depth} lines, {size:.0f} MB a file")
    print(f"{'':24}{'seconds':>9}{'times ours':>12}{'peak MB':>9}{'beside the file':>17}")
    ours = 0.0
    everyone = contestants()
    every = alternated([partial(each.measure, workload.qrels, workload.runs) for each in everyone], repeat)
    for contestant, best in zip(everyone, every, strict=True):
        ours = ours or best.seconds
        beside = f"{best.megabytes - size:.0f}" if contestant.name.startswith("truerank") else ""
        print(f"{contestant.name:24}{best.seconds:9.2f}{best.seconds / ours:12.2f}{best.megabytes:9.0f}{beside:>17}")


def within(repeat: int) -> None:
    """Ratios inside one process."""
    print("\nfrom dicts to values a topic: pytrec_eval / ours")
    for name in ("medium", "medium-all-tied", "large", "large-graded"):
        ours, theirs = inside.dicts(name, repeat)
        print(f"  {name:22} {theirs:.3f} / {ours:.3f} s = {theirs / ours:.2f}")
    print("\na prepared run, ten measures: scoring / reading")
    for name in ("large", "large-graded", "large-graded-ties"):
        reading, scoring = inside.prepared(name, repeat)
        print(f"  {name:22} {scoring:.3f} / {reading:.3f} s = {scoring / reading:.3f}")
    print("\nfile to scores: ties expected / ties in file order")
    for name in ("large", "large-ties", "large-all-tied", "large-graded-ties", "medium-all-tied"):
        expected, plain = inside.ties(name, repeat)
        print(f"  {name:22} {expected:.3f} / {plain:.3f} s = {expected / plain:.2f}")


def from_tables(repeat: int) -> None:
    """Tables against the TREC file of the same run."""
    print("\nreading a run from a table: TREC file / table")
    for name in ("large", "large-shuffled"):
        seconds = tables(name, repeat)
        file = seconds["TREC file"]
        for way, taken in seconds.items():
            print(f"  {name:15} {way:22} {file:.3f} / {taken:.3f} s = {file / taken:.2f}")


def stood_in(repeat: int) -> None:
    """Stand-ins against what they stand in for."""
    print("\nthe stand-in for pytrec_eval, dicts to dicts: pytrec_eval / ours")
    for name in ("medium", "large", "large-graded"):
        for label, measures in (("five measures", stand_ins.FIVE), ("all measures", ("all_trec",))):
            ours, theirs = stand_ins.pytrec_eval(name, measures, repeat)
            print(f"  {name:15} {label:14} {theirs:.3f} / {ours:.3f} s = {theirs / ours:.2f}")


def best_cuts(repeat: int) -> None:
    """Best lengths of all lists of a track by 16 measures."""
    reading, cutting = cuts("track", repeat)
    print("\nbest cuts of a track by 16 measures, reading included / reading")
    print(f"  {'track':22} {cutting:.3f} / {reading:.3f} s = {cutting / reading:.2f}")


def order_costs(repeat: int) -> None:
    """The mean over all orders of ties against one order, by measure."""
    print("\nruns in memory, processor time: mean over all orders of ties / order of the file, and order of ids")
    for name in ("track", "medium-all-tied", "large-graded-ties"):
        for measure, seconds in costs(name, repeat).items():
            mean, one, ids = (1000 * seconds[order] for order in ("expected", "input", "docid"))
            print(f"  {name:18} {measure:24} {mean:.1f} / {one:.1f} ms = {mean / one:.2f}; ids {ids:.1f} ms")


def command_line(repeat: int) -> None:
    """The command line against the time that importing numpy takes."""
    small = WORKLOADS["small"]
    small.make()
    truerank = [sys.executable, "-m", "truerank"]
    commands = {
        "import numpy": [sys.executable, "-c", "import numpy"],
        "truerank --help": [*truerank, "--help"],
        "truerank evaluate": [*truerank, "evaluate", str(small.qrels), str(small.runs[0]), "-m", TRUERANK],
    }
    found = alternated([partial(run_all, [command], notes=False) for command in commands.values()], 3 * repeat)
    print("\ncommand line, 50 x 1000, time of the processor")
    for name, taken in zip(commands, found, strict=True):
        print(f"  {name:22} {taken.processor:.3f} s = {taken.processor / found[0].processor:.2f} times numpy")


def main() -> None:
    """Parse the command line and run what it names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "names",
        nargs="*",
        help=f"parts of the table ({', '.join(PARTS)}; default all of them), workloads ({', '.join(WORKLOADS)}), "
        "inside, tables, stand-ins, ties, truncate, arrays, command-line; without a name also ties",
    )
    parser.add_argument("--repeat", type=int, default=3, help="rounds, of which the best counts")
    given = parser.parse_args()
    parts = [name for name in given.names if name in PARTS and name not in WORKLOADS] or (
        [] if given.names else [*PARTS]
    )
    if parts:
        table(given.repeat, parts.__contains__)
    if not given.names:
        order_costs(given.repeat)
    for name in given.names:
        if name in parts:
            continue
        if name == "inside":
            within(given.repeat)
        elif name == "tables":
            from_tables(given.repeat)
        elif name == "stand-ins":
            stood_in(given.repeat)
        elif name == "ties":
            order_costs(given.repeat)
        elif name == "truncate":
            best_cuts(given.repeat)
        elif name == "arrays":
            arrays(given.repeat)
        elif name == "command-line":
            command_line(given.repeat)
        else:
            files(WORKLOADS[name], given.repeat)


if __name__ == "__main__":
    main()
