"""ranx's functions of metrics: ``from truerank.compat.ranx.metrics import ndcg``.

They take a sequence of queries, each with rows of (document, grade), and one of rows (document, score), in the same
order. As in ranx, the rows of a run are its ranking, best first, whatever their scores are.

>>> judgments, run = [[(12, 5), (25, 3)]], [[(12, 0.9), (23, 0.8), (25, 0.7)]]
>>> [round(float(value), 4) for value in ndcg(judgments, run, k=5)]
[0.943]
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from truerank.compat.ranx.evaluate import per_query
from truerank.compat.trec_eval.quirks import TrecInterpolated
from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run
from truerank.questions.evaluate.work import score

__all__ = [
    "average_precision",
    "bpref",
    "dcg",
    "dcg_burges",
    "f1",
    "get_hit_lists",
    "hit_rate",
    "hits",
    "interpolated_precision_at_recall",
    "ndcg",
    "ndcg_burges",
    "precision",
    "r_precision",
    "rank_biased_precision",
    "recall",
    "reciprocal_rank",
]

_TENTHS = tuple(tenth / 10 for tenth in range(11))


class MetricFunction(Protocol):
    """A function of a metric: a value a query."""

    def __call__(self, qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Floats:
        """Values, of the first k documents, where grades from ``rel_lvl`` on are relevant."""
        ...


def _metric(function: str, metric: str, what: str, *, cut: bool = True) -> MetricFunction:
    """The function of a metric that ``evaluate`` knows by another name; not all are of the first k documents."""

    def values(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> Floats:
        return _values(metric, qrels, run, k if cut else 0, rel_lvl)

    values.__name__ = values.__qualname__ = function
    values.__doc__ = what if cut else f"{what.removesuffix('.')}; ``k`` is taken for compatibility."
    return values


hits = _metric("hits", "hits", "How many relevant documents are among the first k.")
hit_rate = _metric("hit_rate", "hit_rate", "Whether a relevant document is among the first k.")
precision = _metric("precision", "precision", "The share of the first k documents that are relevant.")
recall = _metric("recall", "recall", "The share of relevant documents that are among the first k.")
f1 = _metric("f1", "f1", "The harmonic mean of precision and recall.")
r_precision = _metric("r_precision", "r-precision", "Precision at as many documents as are relevant.", cut=False)
reciprocal_rank = _metric("reciprocal_rank", "mrr", "One over the rank of the first relevant document.")
average_precision = _metric("average_precision", "map", "The mean of precision at relevant documents.")
dcg = _metric("dcg", "dcg", "Discounted cumulative gain, with grades as gains.")
dcg_burges = _metric("dcg_burges", "dcg_burges", "Discounted cumulative gain, with exponential gains.")
ndcg = _metric("ndcg", "ndcg", "Normalised discounted cumulative gain, with grades as gains.")
ndcg_burges = _metric("ndcg_burges", "ndcg_burges", "Normalised discounted cumulative gain, with exponential gains.")
bpref = _metric("bpref", "bpref", "Binary preference.", cut=False)


def rank_biased_precision(qrels: Any, run: Any, p: float, rel_lvl: int = 1) -> Floats:
    """Rank-biased precision of persistence p, with grades as gains.

    >>> rank_biased_precision([[(1, 1)]], [[(1, 0.5)]], 0.75).tolist()
    [0.25]
    """
    digits = np.format_float_positional(p, trim="-")
    if not digits.startswith("0."):
        raise InputError(f"p={p!r} is no persistence; give a number above 0 and below 1")
    return _values(f"rbp{digits[1:]}", qrels, run, 0, rel_lvl)


def interpolated_precision_at_recall(qrels: Any, run: Any, rel_lvl: int = 1) -> Floats:
    """The highest precision at recall 0, 0.1, ... 1 or past it: a row a query."""
    judged, ranked = _lists(qrels, run)
    # ranx finds as many documents for a level as trec_eval 9 does.
    wanted = tuple(TrecInterpolated(rel=rel_lvl, levels=(level,), version=9) for level in _TENTHS)
    found = score(as_qrels(judged), as_run(ranked), wanted, conventions("ranx", missing="empty"))
    values: Floats = np.array([found[str(measure)].values for measure in wanted]).T
    return values


def get_hit_lists(qrels: Any, run: Any, k: int = 0, rel_lvl: int = 1) -> list[Floats]:
    """For each query, 1 for each of the first k documents that is relevant and 0 for the others.

    >>> [one.tolist() for one in get_hit_lists([[(1, 2), (3, 1)]], [[(3, 0.9), (2, 0.8), (1, 0.7)]], 2)]
    [[1.0, 0.0]]
    """
    judged, ranked = _lists(qrels, run)
    _refuse_cutoff(k)
    return [
        np.array([float(judged[query].get(doc, 0) >= rel_lvl) for doc in docs[: k or None]])
        for query, docs in ranked.items()
    ]


def _values(metric: str, qrels: Any, run: Any, k: int, rel_lvl: float) -> Floats:
    _refuse_cutoff(k)
    judged, ranked = _lists(qrels, run)
    name = f"{metric}{f'@{k}' if k else ''}{f'-l{rel_lvl:g}' if rel_lvl != 1 else ''}"
    values, _ = per_query(judged, ranked, [name], make_comparable=True)
    return values[name]


def _lists(qrels: Any, run: Any) -> tuple[dict[str, dict[int, float]], dict[str, list[int]]]:
    """Judgments and rankings by the place of their query, in words that sort as numbers do."""
    if len(qrels) != len(run):
        raise InputError(f"there are {len(qrels)} queries with judgments and {len(run)} with documents; give as many")
    width = len(str(len(run)))
    names = [f"{place:0{width}}" for place in range(len(run))]
    judged = {name: {int(doc): float(grade) for doc, grade in rows} for name, rows in zip(names, qrels, strict=True)}
    ranked = {name: [int(row[0]) for row in rows] for name, rows in zip(names, run, strict=True)}
    return judged, ranked


def _refuse_cutoff(k: int) -> None:
    if k < 0:
        raise InputError(f"k={k} is no depth; give a whole number from 1 on, or 0 for all documents")
