"""The table: every size side by side, from fifty short lists to seven million lines, with growth."""

from __future__ import annotations

import importlib.util
import math
import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from benchmarks.contestants import Measured, alternated, contestants, run_all
from benchmarks.jobs import growth, measured
from benchmarks.workloads import WORKLOADS

_TIED = "tied documents in one group"


@dataclass(frozen=True)
class Line:
    """What one tool took for one work."""

    work: str
    who: str
    took: Measured
    ours: Measured | None = None
    """What we took, for a peer."""
    exponent: float = math.nan
    """Of time against size, over three sizes."""

    def text(self) -> str:
        """A line of the table."""
        times = "" if self.ours is None else f"{self.took.processor / self.ours.processor:.2f}"
        exponent = "" if math.isnan(self.exponent) else f"{self.exponent:.2f}"
        spent = f"{_spent(self.took.seconds):>10}{_spent(self.took.processor):>10}{self.took.megabytes:>9.0f}"
        return f"{self.work:44}{self.who:22}{spent}{times:>12}{exponent:>9}"


def _spent(seconds: float) -> str:
    return f"{1000 * seconds:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


def table(repeat: int, wanted: Callable[[str], bool] = lambda name: True) -> None:
    """Print it part by part, as it comes."""
    print(f"Python {platform.python_version()}, numpy {np.__version__}, {platform.machine()}; best of {repeat}")
    print(f"{'work':44}{'who':22}{'clock':>10}{'CPU':>10}{'peak MB':>9}{'times ours':>12}{'growth':>9}")
    for name, part in PARTS.items():
        if wanted(name):
            for line in part(repeat):
                print(line.text(), flush=True)


def _grown(work: str, job: str, everyone: tuple[str, ...], sizes: list[int], repeat: int) -> list[Line]:
    """The largest of some sizes, with the growth over all of them; of ours, and of others beside them."""
    works = [partial(measured, job, who, size) for who in everyone for size in sizes]
    found = alternated(works, repeat)
    each = [found[begin : begin + len(sizes)] for begin in range(0, len(found), len(sizes))]
    return [
        Line(
            work.format(f"{sizes[-1]:,}"),
            who,
            took[-1],
            each[0][-1] if place else None,
            growth(sizes, [one.processor for one in took]),
        )
        for place, (who, took) in enumerate(zip(everyone, each, strict=True))
    ]


def _side_by_side(
    work: str, job: str, sizes: list[int], repeat: int, *, others: tuple[str, ...] = ()
) -> Iterator[Line]:
    peers = ["pytrec_eval"] if importlib.util.find_spec("pytrec_eval") else []
    yield from _grown(work, job, ("truerank", *others, *peers), sizes, repeat)


def start(repeat: int) -> Iterator[Line]:
    """What a short command takes, most of which is its start."""
    workload = WORKLOADS["small"]
    workload.make()
    ours = [sys.executable, "-m", "truerank"]
    commands = {
        "truerank evaluate, 50 x 1000": [*ours, "evaluate", str(workload.qrels), str(workload.runs[0])],
        "truerank --help": [*ours, "--help"],
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
    }
    found = alternated([partial(run_all, [command], notes=False) for command in commands.values()], repeat)
    for place, (name, took) in enumerate(zip(commands, found, strict=True)):
        yield Line(name, "", took, found[0] if place else None)


def small(repeat: int) -> Iterator[Line]:
    """Validation while training."""
    yield from _side_by_side("{} lists of 10 again", "small", [12, 25, 50], repeat, others=("tr.evaluate",))


def dicts(repeat: int) -> Iterator[Line]:
    """From dicts."""
    yield from _side_by_side("dicts, {} x 100", "dicts_100", [436, 1745, 6980], repeat)
    yield from _side_by_side("dicts, {} x 1000", "dicts_1000", [62, 125, 250], repeat)


def prepared(repeat: int) -> Iterator[Line]:
    """Ten measures of what was read."""
    for job in ("prepared", "prepared_graded", "prepared_tied"):
        work = f"{job.replace('_', ', ')}, {{}} x 1000, ten"
        yield from _grown(work, job, ("truerank",), [436, 1745, 6980], repeat)


def files(repeat: int) -> Iterator[Line]:
    """From files, with the peers that are here."""
    for name in ("medium", "medium-all-tied", "large", "large-graded", "large-ties", "large-shuffled", "track"):
        workload = WORKLOADS[name]
        workload.make()
        everyone = [one for one in contestants() if name != "track" or one.name != "ir_measures"]
        best = alternated([partial(one.measure, workload.qrels, workload.runs) for one in everyone], repeat)
        runs = f"{workload.systems} x " if workload.systems > 1 else ""
        work = f"{name}: {runs}{workload.topics:,} x {workload.depth:,} from file"
        for place, one in enumerate(everyone):
            yield Line(work, one.name, best[place], best[0] if place else None)


def questions(repeat: int) -> Iterator[Line]:
    """What else is asked of fifty runs; beside evaluating them."""
    workload = WORKLOADS["track"]
    workload.make()
    options = {"unjudged": ["--next", "50"], "pool": ["--leave-out", "run", "--all-runs", "--depth", "10"]}
    files = [str(workload.qrels), *map(str, workload.runs)]
    asked = [
        [name, *options.get(name, [])]
        for name in ("evaluate", "ties", "lint", "depth", "meta", "curves", "compare", "unjudged", "pool")
    ]
    commands = [[sys.executable, "-m", "truerank", name, *files, *more] for name, *more in asked]
    found = alternated([partial(run_all, [command], notes=False) for command in commands], repeat)
    for words, took in zip(asked, found, strict=True):
        evaluated = None if took is found[0] else found[0]
        yield Line(f"{workload.systems} runs: {' '.join(words)}", "truerank", took, evaluated)


def tie_groups(repeat: int) -> Iterator[Line]:
    """One list of nothing but ties."""
    for measure in ("AP", "nDCG", "Bpref", "ERR", "RBU", "infAP", "AP+", "ERR+"):
        under = "both bounds of " if measure.endswith("+") else ""
        work = f"{{}} {_TIED}"
        [line] = _grown(work, "tied_group", (measure,), [10_000, 100_000, 1_000_000], repeat)
        yield Line(line.work, under + measure.rstrip("+"), line.took, exponent=line.exponent)


def linear(repeat: int) -> Iterator[Line]:
    """What is to grow as its input does."""
    for work, job, sizes in (
        ("compare two runs by {} users", "users", [5_000, 10_000, 20_000]),
        ("gzip of {} members", "members", [800, 1_600, 3_200]),
        ("ids of {} characters", "long_ids", [250_000, 500_000, 1_000_000]),
        ("{} measures as text", "many_measures", [2_000, 4_000, 8_000]),
    ):
        yield from _grown(work, job, ("truerank",), sizes, repeat)


PARTS: dict[str, Callable[[int], Iterator[Line]]] = {
    "start": start,
    "small-calls": small,
    "dicts": dicts,
    "prepared": prepared,
    "files": files,
    "questions": questions,
    "tie-groups": tie_groups,
    "linear": linear,
}
"""The parts of the table by name."""
