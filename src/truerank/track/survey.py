"""Which runs made the pool that was judged, as far as runs and judgments tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from truerank.conventions.axes import USUAL_ORDERS
from truerank.conventions.ties import broken_by_order, orders_of
from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun
from truerank.data.qrels import Qrels
from truerank.track.certainty import UNCLEAR, certainty
from truerank.track.judged_depth import ENDLESS, in_every_list, pool_depth, unbroken
from truerank.track.parts import Part, gathered, per_topic, tallied

UNLIKELY = "docid-asc"
"""The order of ties that is believed last, where several explain the judgments alike: no tool takes it."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Sight(Part):
    """A run as the judgments show it, its ties in one order."""

    run: str
    length: Rows = per_topic()
    """Documents listed for each judged topic."""
    unbroken: Rows = per_topic()
    """The deepest rank down to which the documents of each topic are judged; ENDLESS where all are."""
    judged_at: Rows = tallied()
    """How many of the documents at each rank are judged, over all topics."""
    judgment: Rows = gathered()
    """Rows of the judgments that are about documents of this run, as deep as they matter here."""
    rank: Rows = gathered()
    """Where those documents stand."""

    @cached_property
    def judged_to(self) -> int:
        """The deepest rank down to which its documents are judged in every topic; ENDLESS where all are."""
        return in_every_list(self.unbroken, self.length)

    @property
    def longest(self) -> int:
        """Documents in the longest list."""
        return int(self.length.max(initial=0))

    @property
    def depth(self) -> int:
        """``judged_to``, or the end of the longest list."""
        return min(self.judged_to, self.longest)

    def share(self, depth: int) -> float:
        """Share of judged documents among the first ``depth`` of each topic; NaN where there are none."""
        listed = int(np.minimum(self.length, depth).sum())
        return int(self.judged_at[:depth].sum()) / listed if listed else np.nan

    def within(self, depth: int) -> Rows:
        """Rows of the judgments that are about its first ``depth`` documents."""
        return self.judgment[self.rank <= depth]


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolPart(Part):
    """A run, with its ties in each order that it has."""

    sights: dict[str, Sight]

    def only(self, order: str) -> PoolPart:
        """The run in one of the orders."""
        return PoolPart(topics=self.topics, sights={order: self.sights[order]})


@dataclass(frozen=True, eq=False)
class Survey:
    """All runs as the judgments show them, with the pool that this tells of."""

    judgments: Qrels
    runs: dict[str, Sight]
    depth: int | None
    """How deep the pool is; None where the runs do not tell."""
    contributors: tuple[str, ...]
    ties: str
    """The order in which tied documents were pooled."""
    given: bool
    """Whether the contributors were named, rather than found."""

    @cached_property
    def holders(self) -> Rows:
        """For each judgment, how many contributors have the document within the depth of the pool."""
        return self.held((name,) for name in self.contributors)

    def held(self, groups: Iterable[Iterable[str]]) -> Rows:
        """For each judgment, how many groups of runs have the document within the depth of the pool."""
        count = np.zeros(len(self.judgments), np.int64)
        for group in groups:
            count[self.pooled(group)] += 1
        return count

    @property
    def certainty(self) -> str:
        """How sure the pool is."""
        return certainty(self.depth, len(self.contributors), int((self.holders > 0).sum()), len(self.judgments))

    @property
    def shows(self) -> bool:
        """Whether the judgments show which runs made the pool: some contributors are judged to its depth, not to their
        ends, as a run would be whose few documents others have brought in.
        """
        ends = [self.runs[name].judged_to for name in self.contributors]
        return self.certainty != UNCLEAR and any(depth != ENDLESS for depth in ends)

    def best_rank(self, runs: Iterable[str]) -> Rows:
        """For each judgment, the best rank at which one of the runs lists the document; the surveyed ranks only."""
        best = np.full(len(self.judgments), ENDLESS)
        for name in runs:
            np.minimum.at(best, self.runs[name].judgment, self.runs[name].rank)
        return best

    def pooled(self, runs: Iterable[str], depth: int | None = None) -> Mask:
        """Which judgments are about documents that one of the runs has within a depth, by default that of the pool."""
        found = np.zeros(len(self.judgments), np.bool_)
        for name in runs:
            found[self.runs[name].within(depth or self.depth or 0)] = True
        return found


def orders(ties: str | None) -> tuple[str, ...]:
    """Orders of tied documents that the pool may have been made in, the likeliest first; one, where it is known."""
    return tuple(sorted(USUAL_ORDERS, key=lambda order: order == UNLIKELY)) if ties is None else (ties,)


def sights(judged: JudgedRun, topics: Rows, orders: Sequence[str], reach: int = ENDLESS) -> dict[str, Sight]:
    """A run in each of some orders of ties; by its ranks only where it has them, or nothing else is asked for."""
    known = [order for order in orders if order in orders_of(judged.run) or len(orders) == 1]
    first = _sight(judged, topics, known[0], reach)
    tied = bool((judged.size > 1).any())
    return {
        order: _sight(judged, topics, order, reach) if tied and place else first for place, order in enumerate(known)
    }


def _sight(judged: JudgedRun, topics: Rows, ties: str, reach: int) -> Sight:
    """Judged documents are kept down to ``reach`` and as deep as all of them are judged."""
    ranked = broken_by_order(judged, ties)
    to, rank = unbroken(ranked), ranked.above + 1
    kept = np.flatnonzero(rank <= max(in_every_list(to, ranked.length), reach))
    return Sight(
        topics=topics,
        run=judged.run.name,
        length=ranked.length[topics],
        unbroken=to[topics],
        judged_at=np.bincount(ranked.above, minlength=1),
        judgment=ranked.judgment[kept],
        rank=rank[kept],
    )


def survey(
    judgments: Qrels,
    parts: Sequence[PoolPart],
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
) -> Survey:
    """The pool that the runs tell of.

    ``depth`` and ``contributors`` ("all", or names) are what is known of it already. The order of ties is the one, of
    those that all runs have, whose pool holds most of the judgments.
    """
    common = [order for order in parts[0].sights if all(order in part.sights for part in parts)]
    runs = {order: {part.sights[order].run: part.sights[order] for part in parts} for order in common}
    found = [_pool(judgments, runs[order], order, depth if contributors is None else None) for order in common]
    best = max(found, key=lambda one: int((one.holders > 0).sum()))
    if contributors is None:
        return best
    given = _given(contributors, best.runs)
    depth = depth or min((best.runs[name].depth for name in given), default=0) or None
    return replace(best, depth=depth, contributors=given, given=True)


def _pool(judgments: Qrels, runs: dict[str, Sight], ties: str, depth: int | None) -> Survey:
    depth = depth or pool_depth([one.judged_to for one in runs.values()], [one.longest for one in runs.values()])
    found = () if depth is None else tuple(name for name, one in runs.items() if one.judged_to >= depth)
    return Survey(judgments, runs, depth, found, ties, given=False)


def _given(contributors: str | Iterable[str], runs: Mapping[str, Sight]) -> tuple[str, ...]:
    if contributors == "all":
        return tuple(runs)
    wanted = {contributors} if isinstance(contributors, str) else {*contributors}
    for name in sorted(wanted):
        if name not in runs:
            raise InputError(f"there is no run {name!r} to contribute; there are {', '.join(runs)}")
    return tuple(name for name in runs if name in wanted)
