"""Two runs by one measure: the topics, what leaves their differences open, and the documents behind them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis.differences.bounds import Bounds, by_unjudged
from truerank.analysis.differences.hypothetical import if_relevant
from truerank.analysis.differences.lists import Documents, Lists
from truerank.analysis.differences.moved import Moved, adds, known, listed
from truerank.analysis.differences.topics import TopicDifferences
from truerank.data.arrays import Rows
from truerank.data.block import Pool
from truerank.statistics.pairs import EQUAL


@dataclass(frozen=True, eq=False, kw_only=True)
class Difference(TopicDifferences):
    """Two runs by a measure. What takes long, documents and what they leave open, is worked out when asked for."""

    depth: int
    """Ranks that documents are looked at in."""
    index: Rows
    """Index of each topic in the judgments."""
    lists: Lists
    pool: Pool
    by_ties: Bounds
    """What orders of ties can make of each difference."""

    @cached_property
    def by_unjudged(self) -> Bounds | None:
        """What grades of unjudged documents can make of each difference; None for a measure without bounds."""
        found = by_unjudged(self.measure, self.lists, self.pool)
        return None if found is None else found.take(self.index)

    def documents(self, topics: str | Iterable[str] | None = None) -> list[Moved]:
        """Documents in the first ranks of either run, of a topic or of all, those with the largest impact first."""
        return [moved for _, some in self.by_topic(self._places(topics)) for moved in some]

    def rest(self, topic: str) -> float:
        """What is left of a topic's difference beside the impacts of its documents: deeper ones, or none of them."""
        [place] = self._places(topic).tolist()
        [(_, documents)] = self.by_topic(self._places(topic), unjudged=False)
        return float(self.differences[place]) - sum(moved.impact for moved in documents)

    def by_topic(self, places: Rows, *, unjudged: bool = True) -> list[tuple[int, list[Moved]]]:
        """For some topics, by their places here, the documents in the first ranks of either run.

        Without ``unjudged`` nothing is said about what unjudged ones would do, which takes longest.
        """
        documents = self.top(places)
        topics, measure = self.index[places], self.measure
        a, b = (adds(measure, views, documents, topics) for views in (self.lists.a, self.lists.b))
        open_ = if_relevant(measure, self.lists, self.pool, documents) if unjudged else None
        moved = list(listed(documents, self.lists.qrels.topics, (a, b), open_))
        found: dict[int, list[Moved]] = {topic: [] for topic in topics.tolist()}
        for topic, one in zip(documents.topic.tolist(), moved, strict=True):
            found[topic].append(one)
        return [
            (place, sorted(found[topic], key=_by_impact))
            for place, topic in zip(places.tolist(), topics.tolist(), strict=True)
        ]

    def top(self, places: Rows) -> Documents:
        """The documents in the first ranks of either run, for topics by their places here."""
        return self.lists.documents(self.measure, self.depth, self.index[places])

    def counts(self, places: Rows) -> dict[str, Rows]:
        """How many documents came and went, for topics by their places here."""
        found = self.top(places)
        kinds = {
            "entered": found.entered,
            "left": found.left,
            "moved": found.moved,
            "unjudged_entered": found.entered & found.unjudged,
            "unjudged_left": found.left & found.unjudged,
        }
        return {name: found.count(which, self.index[places]) for name, which in kinds.items()}

    def records(self, places: Rows) -> list[dict[str, Any]]:
        """A record a topic."""
        open_, empty = self.by_unjudged, np.full(len(self.topics), np.nan)
        columns = {
            "a": self.a,
            "b": self.b,
            "difference": self.differences,
            "contribution": empty if self.contributions is None else self.contributions,
            "ties_low": self.by_ties.low,
            "ties_high": self.by_ties.high,
            "unjudged_low": empty if open_ is None else open_.low,
            "unjudged_high": empty if open_ is None else open_.high,
        }
        numbers = {name: known(column[places]) for name, column in columns.items()}
        counts = {name: count.tolist() for name, count in self.counts(places).items()}
        rows = zip(*numbers.values(), *counts.values(), strict=True)
        return [
            {
                "measure": str(self.measure),
                "topic": self.topics[place],
                "better": self.ahead(place),
                "depends_on": " ".join(self.depends_on(place)),
                **dict(zip((*numbers, *counts), row, strict=True)),
            }
            for place, row in zip(places.tolist(), rows, strict=True)
        ]

    def ahead(self, place: int) -> str | None:
        """The run that is better in a topic, "a" or "b"; None for neither."""
        gain = self.gains[place]
        return "b" if gain > 0 else "a" if gain < 0 else None

    def depends_on(self, place: int) -> tuple[str, ...]:
        """What can turn around who is ahead in a topic: the order of "ties", grades of "unjudged" documents."""
        both = {"ties": self.by_ties, "unjudged": self.by_unjudged}
        return tuple(name for name, bounds in both.items() if bounds is not None and bounds.open[place])

    def listless(self, place: int) -> tuple[str, ...]:
        """The runs that have no documents for a topic, "a" or "b"."""
        views = {"a": self.lists.a, "b": self.lists.b}
        return tuple(side for side, one in views.items() if not one.judged.length[self.index[place]])

    def _places(self, topics: str | Iterable[str] | None) -> Rows:
        if topics is None:
            return self.by_impact
        known = {topic: place for place, topic in enumerate(self.topics)}
        wanted = [topics] if isinstance(topics, str) else list(topics)
        for topic in wanted:
            if topic not in known:
                raise KeyError(f"topic {topic!r} was not compared")
        return np.array([known[topic] for topic in wanted], np.int64)

    def as_dict(self, top: int | None) -> dict[str, Any]:
        """Everything, in the terms of JSON; ``top`` limits the topics to those of largest impact."""
        places, found = self.by_impact[:top], self.concentration
        open_ = self.by_unjudged
        by_topic = self.by_topic(places)
        rest = known(self.differences[places] - [sum(one.impact for one in some) for _, some in by_topic])
        return {
            **{name: getattr(self, name) for name in ("mean_a", "mean_b", "difference", "wins", "losses", "level")},
            "undefined": self.undefined,
            "depth": self.depth,
            "concentration": None if found is None else vars(found),
            "ties_bounds": "exact" if self.by_ties.exact else "inner",
            "unjudged_bounds": None if open_ is None else "exact" if open_.exact else "outer",
            "topics": [{**record, "rest": one} for record, one in zip(self.records(places), rest, strict=True)],
            "documents": [one.as_dict() for _, some in by_topic for one in some],
        }


def _by_impact(moved: Moved) -> tuple[float, float, int, str]:
    best = min(ranks[0] for ranks in (moved.ranks_a, moved.ranks_b) if ranks is not None)
    return -round(abs(moved.impact) / EQUAL), -round(abs(moved.if_relevant or 0.0) / EQUAL), best, moved.doc
