"""Who is measured: each from file to the means of ten measures, in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

TREC_EVAL = "map ndcg ndcg_cut.10 P.10 recall.100 recip_rank Rprec bpref map_cut.100 success.10"
TRUERANK = "AP nDCG nDCG@10 P@10 R@100 RR Rprec Bpref AP@100 Success@10"

PYTREC_EVAL = """
import sys, pytrec_eval
with open(sys.argv[1]) as f: qrels = pytrec_eval.parse_qrel(f)
evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(sys.argv[2].split()))
for path in sys.argv[3:]:
    with open(path) as f: run = pytrec_eval.parse_run(f)
    result = evaluator.evaluate(run)
    names = next(iter(result.values()))
    print({n: pytrec_eval.compute_aggregated_measure(n, [v[n] for v in result.values()]) for n in names})
"""
IR_MEASURES = """
import sys, ir_measures
measures = [ir_measures.parse_measure(m) for m in sys.argv[2].split()]
evaluator = ir_measures.evaluator(measures, list(ir_measures.read_trec_qrels(sys.argv[1])))
for path in sys.argv[3:]:
    print(evaluator.calc_aggregate(ir_measures.read_trec_run(path)))
"""
OURS = """
import sys, truerank as tr
print(tr.evaluate(sys.argv[1], sys.argv[3:], sys.argv[2], ties={ties!r}).to_dict())
"""


@dataclass(frozen=True)
class Measured:
    """Wall time, peak memory and time of the processor that a process, or a call, took."""

    seconds: float
    megabytes: float
    processor: float = 0.0


@dataclass(frozen=True)
class Contestant:
    """A command that evaluates runs against judgments."""

    name: str
    code: str
    measures: str = TRUERANK

    def command(self, qrels: Path, runs: list[Path]) -> list[list[str]]:
        """The command lines: one, or for trec_eval one a run."""
        if not self.code:
            flags = [flag for measure in TREC_EVAL.split() for flag in ("-m", measure)]
            return [["trec_eval", *flags, str(qrels), str(run)] for run in runs]
        return [[sys.executable, "-c", self.code, str(qrels), self.measures, *map(str, runs)]]

    def measure(self, qrels: Path, runs: list[Path]) -> Measured:
        """Run it once."""
        return run_all(self.command(qrels, runs))


def run_all(commands: list[list[str]], *, notes: bool = True) -> Measured:
    """Wall time of commands one after another, and the largest memory of one; without ``notes`` they say nothing."""
    begin, peak, processor = time.perf_counter(), 0.0, 0.0
    for command in commands:
        path = shutil.which(command[0]) or command[0]
        quiet = [(os.POSIX_SPAWN_OPEN, stream, os.devnull, os.O_WRONLY, 0) for stream in ((1,) if notes else (1, 2))]
        child = os.posix_spawn(path, command, os.environ, file_actions=quiet)
        _, status, usage = os.wait4(child, 0)
        if status:
            raise RuntimeError(f"{command[0]} failed with status {os.waitstatus_to_exitcode(status)}")
        peak = max(peak, usage.ru_maxrss / 1024)
        processor += usage.ru_utime + usage.ru_stime
    return Measured(time.perf_counter() - begin, peak, processor)


def alternated(works: Sequence[Callable[[], Measured]], repeat: int) -> list[Measured]:
    """The best of several rounds, by time of the processor, of each of some works.

    All are done in each round, so that a slow moment of the machine falls on all; and each round begins with another
    one, since whoever follows a large process pays for the pages that this gives back.

    >>> done = []
    >>> _ = alternated([lambda name=name: done.append(name) or Measured(0, 0) for name in "abc"], 2)
    >>> "".join(done)
    'abcbca'
    """
    found: list[list[Measured]] = [[] for _ in works]
    for turn in range(repeat):
        for place in (*range(turn % len(works), len(works)), *range(turn % len(works))):
            found[place].append(works[place]())
    return [min(taken, key=lambda one: one.processor) for taken in found]


def contestants() -> list[Contestant]:
    """Ourselves and every peer that is here."""
    found = [
        Contestant("truerank", OURS.format(ties="expected")),
        Contestant("truerank, docid order", OURS.format(ties="docid")),
    ]
    if shutil.which("trec_eval"):
        found.append(Contestant("trec_eval", ""))
    if importlib.util.find_spec("pytrec_eval"):
        found.append(Contestant("pytrec_eval", PYTREC_EVAL, TREC_EVAL))
    if importlib.util.find_spec("ir_measures"):
        found.append(Contestant("ir_measures", IR_MEASURES))
    return found
