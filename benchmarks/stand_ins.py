"""The stand-in for pytrec_eval against pytrec_eval: from dicts to dicts, judgments prepared by both beforehand."""

from __future__ import annotations

from typing import Any

from benchmarks.inside import best_of
from benchmarks.workloads import WORKLOADS

FIVE = ("map", "ndcg_cut_10", "recip_rank", "P_10", "recall_100")
"""What an experiment usually reports."""


def pytrec_eval(name: str, measures: tuple[str, ...], repeat: int) -> tuple[float, float]:
    """Seconds of the stand-in and of pytrec_eval, taken in turns, so that a slow moment falls on both."""
    import pytrec_eval as theirs

    from truerank.compat import pytrec_eval as ours

    workload = WORKLOADS[name]
    workload.make()
    with workload.qrels.open() as file:
        qrels = theirs.parse_qrel(file)
    with workload.runs[0].open() as file:
        run = theirs.parse_run(file)
    evaluators: list[Any] = [module.RelevanceEvaluator(qrels, measures) for module in (ours, theirs)]
    rounds = [[best_of(1, lambda each=each: each.evaluate(run)) for each in evaluators] for _ in range(repeat)]  # type: ignore[misc]
    mine, other = (min(seconds) for seconds in zip(*rounds, strict=True))
    return mine, other
