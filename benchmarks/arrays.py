"""Vectors of scores for the same documents, as an optimiser has them: arrays against runs, ours and others'."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

import truerank as tr
from benchmarks.inside import best_of

SHAPES = {"50 x 100": (50, 100), "1,000 x 120": (1000, 120)}
MEASURES = {"nDCG@10": "ndcg_cut.10", "AP": "map"}


@dataclass(frozen=True)
class Workload:
    """Documents with grades, and vectors of scores of few values, so that some are tied."""

    scores: np.ndarray
    grades: np.ndarray
    offsets: np.ndarray

    @classmethod
    def make(cls, topics: int, documents: int, vectors: int) -> Workload:
        rng = np.random.default_rng(0)
        scores = np.round(rng.random((vectors, topics * documents)), 2)
        grades = rng.choice([0.0, 0.0, 0.0, 1.0, 2.0], topics * documents)
        return cls(scores, grades, np.arange(topics + 1) * documents)

    def run(self, vector: int) -> dict[str, dict[str, float]]:
        """A vector as a dict of dicts."""
        return self._dicts(self.scores[vector])

    @property
    def qrels(self) -> dict[str, dict[str, int]]:
        return self._dicts(self.grades.astype(np.int64))

    def _dicts(self, values: np.ndarray) -> dict:  # type: ignore[type-arg]
        bounds = zip(self.offsets[:-1].tolist(), self.offsets[1:].tolist(), strict=True)
        listed = values.tolist()
        return {
            f"q{topic}": {f"d{at}": listed[at] for at in range(first, last)}
            for topic, (first, last) in enumerate(bounds)
        }


def per_vector(topics: int, documents: int, repeat: int) -> dict[str, float]:
    """Seconds a vector of each way; others go through a loop, from dicts that are made beforehand."""
    many = max(2_000_000 // (topics * documents), 8)
    work = Workload.make(topics, documents, many)
    scorer = tr.ArrayScorer(work.grades, work.offsets, [*MEASURES])
    alone = tr.ArrayScorer(work.grades, work.offsets, "nDCG@10")
    few = range(2)
    runs, qrels = [work.run(vector) for vector in few], work.qrels
    judged = tr.read_qrels(qrels)
    ways: dict[str, tuple[Callable[[], object], int]] = {
        "ArrayScorer": (lambda: scorer(work.scores), many),
        "ArrayScorer, nDCG@10 alone": (lambda: alone(work.scores), many),
        "score_arrays, one vector": (
            lambda: tr.score_arrays(work.scores[0], work.grades, work.offsets, [*MEASURES]),
            1,
        ),
        "tr.evaluate, dicts": (lambda: [tr.evaluate(judged, run, [*MEASURES]) for run in runs], len(few)),
    }
    if importlib.util.find_spec("pytrec_eval"):
        import pytrec_eval

        evaluator = pytrec_eval.RelevanceEvaluator(qrels, set(MEASURES.values()))
        ways["pytrec_eval, dicts"] = (lambda: [evaluator.evaluate(run) for run in runs], len(few))
    if importlib.util.find_spec("ranx"):
        import ranx  # type: ignore[import-untyped]

        ranx_qrels = ranx.Qrels(qrels)
        ranx_measures = ["ndcg@10", "map"]

        def each() -> None:
            for run in runs:
                ranx.evaluate(ranx_qrels, ranx.Run(run), ranx_measures)

        each()  # compiles
        ways["ranx, dicts"] = (each, len(few))
    return {name: best_of(repeat, call) / vectors for name, (call, vectors) in ways.items()}


def arrays(repeat: int) -> None:
    """Print the table; ratios are to the prepared arrays."""
    for shape, (topics, documents) in SHAPES.items():
        seconds = per_vector(topics, documents, repeat)
        ours = seconds["ArrayScorer"]
        print(f"\na vector of scores for {shape} documents, {' and '.join(MEASURES)}")
        for name, taken in seconds.items():
            print(f"  {name:32} {1000 * taken:9.2f} ms {taken / ours:8.2f} times")
