"""What is measured inside one process: dicts, prepared runs, the price of ties."""

from __future__ import annotations

import time
from collections.abc import Callable

import truerank as tr
from benchmarks.contestants import TREC_EVAL, TRUERANK
from benchmarks.workloads import WORKLOADS


def best_of(repeat: int, function: Callable[[], object]) -> float:
    """Shortest wall time of several calls."""
    times = []
    for _ in range(repeat):
        begin = time.perf_counter()
        function()
        times.append(time.perf_counter() - begin)
    return min(times)


def dicts(name: str, repeat: int) -> tuple[float, float]:
    """Seconds of ours and of pytrec_eval from dicts to values of each topic."""
    import pytrec_eval

    workload = WORKLOADS[name]
    workload.make()
    with workload.qrels.open() as file:
        qrels = pytrec_eval.parse_qrel(file)
    with workload.runs[0].open() as file:
        run = pytrec_eval.parse_run(file)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(TREC_EVAL.split()))
    ours = best_of(repeat, lambda: tr.evaluate(qrels, run, TRUERANK))
    return ours, best_of(repeat, lambda: evaluator.evaluate(run))


def prepared(name: str, repeat: int) -> tuple[float, float]:
    """Seconds to read a run, and to score it once read."""
    workload = WORKLOADS[name]
    workload.make()
    qrels = tr.read_qrels(workload.qrels)
    reading = best_of(repeat, lambda: tr.read_run(workload.runs[0]))
    run = tr.read_run(workload.runs[0])
    return reading, best_of(repeat, lambda: tr.evaluate(qrels, run, TRUERANK))


def ties(name: str, repeat: int) -> tuple[float, float]:
    """Seconds from file to scores with ties expected, and with ties in the order of the file."""
    workload = WORKLOADS[name]
    workload.make()

    def evaluate(order: str) -> Callable[[], object]:
        return lambda: tr.evaluate(workload.qrels, workload.runs[0], TRUERANK, ties=order)

    return best_of(repeat, evaluate("expected")), best_of(repeat, evaluate("input"))
