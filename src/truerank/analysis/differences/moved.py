"""Documents that moved between two lists, and what their moves did to the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.differences.added import added
from truerank.analysis.differences.lists import Documents, Places
from truerank.analysis.views import Views
from truerank.data.arrays import Floats, Rows
from truerank.data.ids import text
from truerank.measures.core.base import Measure


@dataclass(frozen=True)
class Moved:
    """A document of two lists: where it stands in each, and what that does to the difference of their scores."""

    topic: str
    doc: str
    judged: bool
    grade: float | None
    """None where unjudged, and where judgments are preferences."""
    status: str
    """"entered" or "left" the first ranks, "moved" or "stayed" in them."""
    ranks_a: tuple[int, int] | None
    """First and last rank that it can have, equal where it is not tied; None where it is not listed."""
    ranks_b: tuple[int, int] | None
    score_a: float | None
    """Score in the run."""
    score_b: float | None
    adds_a: float
    """What it adds to the score of the topic."""
    adds_b: float
    if_relevant: float | None
    """By how much the difference would grow if it had the grade that is worth most; only where it is unjudged."""

    @property
    def impact(self) -> float:
        """What it adds to the difference."""
        return self.adds_b - self.adds_a

    def as_dict(self) -> dict[str, Any]:
        """Everything by name; ranks have their ends in fields of their own."""
        ends = {
            f"{end}_rank_{side}": None if ranks is None else ranks[place]
            for side, ranks in (("a", self.ranks_a), ("b", self.ranks_b))
            for place, end in enumerate(("first", "last"))
        }
        names = ("topic", "doc", "judged", "grade", "status")
        after = ("score_a", "score_b", "adds_a", "adds_b", "impact", "if_relevant")
        return {
            **{name: getattr(self, name) for name in names},
            **ends,
            **{name: getattr(self, name) for name in after},
        }


def adds(measure: Measure, views: Views, documents: Documents, topics: Rows) -> Floats:
    """What each document adds to a run's scores; nothing where it is unjudged."""
    by_judgment = np.zeros(len(views.judged.qrels.grade))
    for r in views.lists(measure):
        rows = np.flatnonzero(np.isin(r.topic, topics))
        if len(rows):
            some = r.take(rows)
            listed = some.judgment >= 0
            by_judgment[some.judgment[listed]] = added(measure, some)[listed]
    return np.where(documents.judgment >= 0, by_judgment[documents.judgment], 0.0)


def listed(
    documents: Documents, topics: tuple[bytes, ...], adds: tuple[Floats, Floats], open_: Floats | None
) -> Iterator[Moved]:
    """The documents as records, in the order of the arrays."""
    status = np.select([documents.entered, documents.left, documents.moved], ["entered", "left", "moved"], "stayed")
    names = [text(topic) for topic in topics]
    columns = (
        [names[topic] for topic in documents.topic.tolist()],
        map(text, documents.docs.tolist()),
        (~documents.unjudged).tolist(),
        known(documents.grade),
        status.tolist(),
        *(_ranks(places) for places in documents.sides),
        *(known(places.score) for places in documents.sides),
        *(one.tolist() for one in adds),
        [None] * len(status) if open_ is None else known(np.where(documents.unjudged, open_, np.nan)),
    )
    return (Moved(*row) for row in zip(*columns, strict=True))


def _ranks(places: Places) -> list[tuple[int, int] | None]:
    ends = zip(places.above.tolist(), places.size.tolist(), strict=True)
    return [(above + 1, above + size) if size else None for above, size in ends]


def known(values: Floats) -> list[float | None]:
    """Numbers as a list; None for what is undefined.

    >>> known(np.array([0.5, np.nan]))
    [0.5, None]
    """
    return [None if value != value else value for value in values.tolist()]
