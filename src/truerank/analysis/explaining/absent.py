"""What relevant documents that were not retrieved would add, and what their absence and the order cost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.explaining.lists import List
from truerank.analysis.explaining.variations import Variation, longer, scores
from truerank.data.arrays import Floats


@dataclass(frozen=True)
class Missing:
    """Relevant documents of one grade that were not retrieved, and the score with one of them in the list."""

    docs: tuple[str, ...]
    grade: float
    at_first: float
    """Above all others."""
    appended: float
    """Below all others."""


def missing(one: List) -> tuple[Missing, ...]:
    """Documents that were not retrieved by grade, the most valuable first."""
    by_grade: dict[float, list[str]] = {}
    for doc, grade in one.missing.items():
        by_grade.setdefault(grade, []).append(doc)
    above, below = longer(one.r, 1, above=True), longer(one.r, 1)
    found = []
    for grade, docs in by_grade.items():
        put = np.array([grade])
        [first] = scores(one.measure, above, [Variation(np.array([0]), put)]).tolist()
        [last] = scores(one.measure, below, [Variation(np.array([one.listed]), put)]).tolist()
        found.append(Missing(tuple(docs), grade, first, last))
    return tuple(found)


def in_best_order(one: List) -> tuple[float, float] | None:
    """The score of the list's documents in the best order, and with those that are missing too; None if not known."""
    if not one.measure.sorts_ties or one.r.pairs is not None:
        return None
    absent = np.array([*one.missing.values()], np.float64)
    return _sorted(one, np.zeros(0)), _sorted(one, absent)


def _sorted(one: List, absent: Floats) -> float:
    r = replace(longer(one.r, len(absent)), ties="expected")
    grade = np.append(r.grade[0, : one.listed], absent)
    known = np.append(one.grade, absent)
    order = np.argsort(-one.measure.merit(known, r), kind="stable")
    slots = np.arange(len(grade))
    return float(scores(one.measure, r, [Variation(slots, grade[order], slots + 1)])[0])
