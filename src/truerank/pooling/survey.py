"""Which runs made the pool that was judged, as far as runs and judgments tell."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from truerank.conventions.axes import USUAL_ORDERS
from truerank.conventions.ties import broken_by_order, orders_of, taken, topics_of
from truerank.data.arrays import ODD, Keys, Mask, Rows, distinct, offsets, stretches
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun, every_document
from truerank.data.parts import Part, part_field
from truerank.data.qrels import Qrels
from truerank.pooling.certainty import NOT_JUDGED, UNCLEAR, certainty
from truerank.pooling.contributors import Contributors, Listings
from truerank.pooling.contributors import contributors as fitted
from truerank.pooling.judged_depth import ENDLESS, in_every_list, pool_depth, unbroken

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.track.lens import Lens

UNLIKELY = "docid-asc"
"""The order of ties that is believed last, where several explain the judgments alike: no tool takes it."""
REACH = 500
"""Ranks that are looked at: pools are less than half as deep."""
ROOM = 20_000_000
"""Documents of all runs that are looked at; of many topics and runs, fewer of each."""


@dataclass(frozen=True, eq=False, kw_only=True)
class PooledRun(Part):
    """A run as the judgments show it, its ties in one order."""

    run: str
    reach: int
    """Down to which rank all documents are kept."""
    length: Rows = part_field(merge="per topic")
    """Documents listed for each judged topic."""
    unbroken: Rows = part_field(merge="per topic")
    """The deepest rank down to which the documents of each topic are judged; ENDLESS where all are."""
    pooled_to: Rows = part_field(merge="per topic")
    """The same with documents that are in the pool and not judged."""
    judged_at: Rows = part_field(merge="tally")
    """How many of the documents at each rank are judged, over all topics."""
    pooled_at: Rows = part_field(merge="tally")
    """The same with documents that are in the pool and not judged."""
    judgment: Rows = part_field(merge="concat")
    """Rows of the judgments that are about documents of this run, as deep as they matter here."""
    rank: Rows = part_field(merge="concat")
    """Where those documents stand."""
    other: Keys = part_field(merge="concat")
    """Keys of documents that the judgments do not have, with their topics."""
    other_topic: Rows = part_field(merge="concat")
    other_rank: Rows = part_field(merge="concat")

    def trimmed(self) -> PooledRun:
        """Of the whole run, which may be judged less deep than some of its topics are, that were looked at alone."""
        kept = self.rank <= max(self.all_pooled_to, self.reach)
        return self if kept.all() else replace(self, judgment=self.judgment[kept], rank=self.rank[kept])

    @cached_property
    def judged_to(self) -> int:
        """The deepest rank down to which its documents are judged in every topic; ENDLESS where all are."""
        return in_every_list(self.unbroken, self.length)

    @cached_property
    def all_pooled_to(self) -> int:
        """The same with documents that are in the pool and not judged."""
        return in_every_list(self.pooled_to, self.length)

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


@dataclass(frozen=True, eq=False, kw_only=True)
class PoolPart(Part):
    """A run, with its ties in each order that it has."""

    by_order: dict[str, PooledRun]

    def only(self, order: str) -> PoolPart:
        """The run in one of the orders."""
        return PoolPart(topics=self.topics, by_order={order: self.by_order[order]})


@dataclass(frozen=True, eq=False)
class Survey:
    """All runs as the judgments show them, with the pool that this tells of."""

    judgments: Qrels
    runs: dict[str, PooledRun]
    contributors: tuple[str, ...]
    """The runs that contributed."""
    possible: tuple[str, ...]
    """The runs of which it cannot be told."""
    run_depth: dict[str, int]
    """How deep each of them was pooled; no more than that of the topic."""
    topic_depth: Rows
    """How deep each topic was pooled; 0 where the runs do not tell."""
    ties: str
    """The order in which tied documents were pooled."""
    given: bool
    """Whether the contributors were named, rather than found."""
    evidence: Contributors | None = None
    """What the documents of runs tell; by their places among the runs."""
    exact: bool = False
    """Whether the pool has every document that the judgments have, and no other."""

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The runs that contributed or may have: together they have the documents of the pool."""
        some = {*self.contributors, *self.possible}
        return tuple(name for name in self.runs if name in some)

    @property
    def depths(self) -> tuple[int, int]:
        """The least depth of a topic and run, and the greatest; 0 where the runs do not tell."""
        runs = [self.run_depth[name] for name in self.members] or [0]
        topics = self.topic_depth
        least = min(min(runs), int(topics.min(initial=ENDLESS)))
        return least, min(max(runs), int(topics.max(initial=0)))

    @property
    def depth(self) -> int | None:
        """How deep the pool is in every topic, for every run of it; None where the runs do not tell."""
        return self.depths[0] or self.depths[1] or None

    @cached_property
    def topics(self) -> Rows:
        """The topic of each judgment."""
        return stretches(self.judgments.offsets)

    @cached_property
    def judged(self) -> Mask:
        """Which rows of the judgments are judged, rather than in the pool only."""
        mask: Mask = self.judgments.grade != NOT_JUDGED
        return mask

    @cached_property
    def holders(self) -> Rows:
        """For each judgment, how many runs of the pool have the document within its depth."""
        return self.held((name,) for name in self.members)

    def held(self, groups: Iterable[Iterable[str]]) -> Rows:
        """For each judgment, how many groups of runs have the document within the depth of the pool."""
        count = np.zeros(len(self.judgments), np.intp)
        for group in groups:
            count[self.pooled(group)] += 1
        return count

    @cached_property
    def explained(self) -> int:
        """How many judged documents the pool has."""
        return int(((self.holders > 0) & self.judged).sum())

    @property
    def certainty(self) -> str:
        """How sure the pool is."""
        share = self.explained / max(1, int(self.judged.sum()))
        exact = self.exact or (self.given and bool((self.holders > 0).all()))
        return certainty(exact=exact, edge=self.edge > 0, members=len(self.members), explained=share)

    @property
    def edge(self) -> float:
        """How much more likely judgments are with an edge at this depth, as a logarithm; 0 if none was looked for."""
        return 0.0 if self.evidence is None else float(np.nan_to_num(max(self.evidence.edges.values())))

    @property
    def shows(self) -> bool:
        """Whether the judgments show which runs made the pool: some contributors are judged to its depth, not to their
        ends, as a run would be whose few documents others have brought in.
        """
        ends = [self.runs[name].all_pooled_to for name in self.members]
        return self.certainty != UNCLEAR and any(depth != ENDLESS for depth in ends)

    def best_rank(self, runs: Iterable[str]) -> Rows:
        """For each judgment, the best rank at which one of the runs lists the document; the surveyed ranks only."""
        best = np.full(len(self.judgments), ENDLESS)
        for name in runs:
            np.minimum.at(best, self.runs[name].judgment, self.runs[name].rank)
        return best

    def within(self, name: str, depth: int | None = None, *, outside: int = 0) -> Rows:
        """Judgments of documents that a run has within its depth in the pool, and within ``depth``.

        ``outside`` is the depth of a run that is not of the pool.
        """
        one = self.runs[name]
        limit = np.minimum(self.topic_depth[self.topics[one.judgment]], self.run_depth.get(name, 0) or outside)
        return one.judgment[one.rank <= (limit if depth is None else np.minimum(limit, depth))]

    def pooled(self, runs: Iterable[str], depth: int | None = None) -> Mask:
        """Which judgments are about documents that one of the runs has within the pool, and within ``depth``."""
        found = np.zeros(len(self.judgments), np.bool_)
        for name in runs:
            found[self.within(name, depth)] = True
        return found

    def weight(self, name: str) -> float:
        """How many times as likely the judgments are if a run contributed than if not, as a power of ten."""
        return (
            float("nan")
            if self.evidence is None
            else float(self.evidence.weight[[*self.runs].index(name)] / np.log(10))
        )

    @cached_property
    def _unlisted(self) -> tuple[Keys, Rows]:
        """Documents of the pool that the judgments do not have, and how many of its runs have each."""
        found: tuple[Keys, Rows] = np.unique(
            np.concatenate([np.zeros(0, np.uint64), *(self._others(name, 0) for name in self.members)]),
            return_counts=True,
        )
        return found

    def _others(self, name: str, depth: int) -> Keys:
        """Documents of a run within the pool that the judgments do not have; ``depth`` is that of a run outside."""
        one = self.runs[name]
        limit = np.minimum(self.topic_depth[one.other_topic], self.run_depth.get(name, 0) or depth)
        return one.other[one.other_rank <= limit]

    def own(self, name: str) -> tuple[int, Rows]:
        """What a run has within the depth of the pool, and no other run of the pool.

        How many documents that the judgments do not have, and rows of the judgments.
        """
        itself, depth = int(name in self.members), self.depths[1]
        others = self._others(name, depth)
        keys, count = self._unlisted
        held = np.zeros(len(others), np.intp)
        known = np.isin(others, keys)
        held[known] = count[np.searchsorted(keys, others[known])]
        mine = self.within(name, outside=depth)
        return int((held == itself).sum()), mine[self.holders[mine] == itself]

    def instead(self, name: str) -> tuple[str, ...]:
        """Runs that may have contributed instead: they have most of what a run would otherwise have alone."""
        mine = self.within(name)
        sure = self.pooled(one for one in self.contributors if one != name)
        alone = mine[~sure[mine]]
        shared = {other: int(np.isin(alone, self.within(other)).sum()) for other in self.possible if other != name}
        most = max(shared.values(), default=0)
        return tuple(other for other, count in shared.items() if count and 2 * count >= most)


def orders(ties: str | None) -> tuple[str, ...]:
    """Orders of tied documents that the pool may have been made in, the likeliest first; one, where it is known."""
    return tuple(sorted(USUAL_ORDERS, key=lambda order: order == UNLIKELY)) if ties is None else (ties,)


def reach(runs: int, topics: int, depth: int | None = None) -> int:
    """How many ranks of each list are looked at; past a depth that is known, as many again.

    >>> reach(129, 50), reach(50, 6980), reach(3, 10, depth=1000)
    (500, 57, 2000)
    """
    return max(10, min(REACH, ROOM // max(1, runs * topics)), 2 * (depth or 0))


def pooled_runs(judged: JudgedRun, topics: Rows, orders: Sequence[str], reach: int = ENDLESS) -> dict[str, PooledRun]:
    """A run in each of some orders of ties; by its ranks only where it has them, or nothing else is asked for."""
    known = [order for order in orders if order in orders_of(judged.run) or len(orders) == 1]
    every = every_document(judged, reach)
    first = _pooled_run(judged, every, topics, known[0], reach)
    tied = bool((judged.size > 1).any() or (every.size > 1).any())
    return {
        order: _pooled_run(judged, every, topics, order, reach) if tied and place else first
        for place, order in enumerate(known)
    }


def look_at_pool(lens: Lens, measures: Sequence[Measure], *, orders: Sequence[str], reach: int) -> PoolPart:
    """What is kept of a run to find the pool by."""
    return PoolPart(topics=lens.topics, by_order=pooled_runs(lens.judged, lens.topics, orders, reach))


def _pooled_run(judged: JudgedRun, every: JudgedRun, topics: Rows, ties: str, reach: int) -> PooledRun:
    """Judged documents are kept down to ``reach`` and as deep as all of them are judged, others down to ``reach``."""
    ranked = broken_by_order(judged, ties)
    pooled_to, rank = unbroken(ranked), ranked.above + 1
    kept = np.flatnonzero(rank <= max(in_every_list(pooled_to, ranked.length), reach))
    sure = ranked.grade != NOT_JUDGED
    first = broken_by_order(every, ties)
    others = np.flatnonzero((first.judgment < 0) & (first.above < reach))
    its_topic = topics_of(first)[others]
    return PooledRun(
        topics=topics,
        run=judged.run.name,
        reach=reach,
        length=ranked.length[topics],
        unbroken=(pooled_to if sure.all() else unbroken(_judged_only(ranked, sure)))[topics],
        pooled_to=pooled_to[topics],
        judged_at=np.bincount(ranked.above[sure], minlength=1),
        pooled_at=np.bincount(ranked.above, minlength=1),
        judgment=ranked.judgment[kept],
        rank=rank[kept],
        # The same document of two topics is two.
        other=judged.run.key[first.row[others]] + its_topic.astype(np.uint64) * ODD,
        other_topic=its_topic,
        other_rank=first.above[others] + 1,
    )


def _judged_only(ranked: JudgedRun, sure: Mask) -> JudgedRun:
    """A run without the documents that are in the pool and not judged."""
    count = np.bincount(topics_of(ranked)[sure], minlength=len(ranked.length))
    return replace(taken(ranked, np.flatnonzero(sure)), offsets=offsets(count))


def survey(
    judgments: Qrels,
    parts: Sequence[PoolPart],
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
) -> Survey:
    """The pool that the runs tell of.

    ``depth`` and ``contributors`` ("all", or names) are what is known of it already. The order of ties is the one, of
    those that all runs have, in which the runs of the pool have most of their documents in the judgments.
    """
    common = [order for order in parts[0].by_order if all(order in part.by_order for part in parts)]
    runs = {order: {part.by_order[order].run: part.by_order[order].trimmed() for part in parts} for order in common}
    best = _found(judgments, runs, depth if contributors is None else None)
    if contributors is None:
        return best
    given = _given(contributors, best.runs)
    depth = depth or min((best.runs[name].depth for name in given), default=0)
    return replace(
        best,
        contributors=given,
        possible=(),
        run_depth=dict.fromkeys(given, depth),
        topic_depth=np.full(len(judgments.topics), depth),
        given=True,
        evidence=None,
        exact=False,
    )


def _found(judgments: Qrels, runs: Mapping[str, dict[str, PooledRun]], depth: int | None) -> Survey:
    """The pool in the likeliest order of ties."""
    for ties, some in runs.items():
        exact = _exact(judgments, some, ties, depth)
        if exact is not None:
            return exact
    first = next(iter(runs))
    found = _fitted(judgments, runs[first], first, depth)
    ties = max(runs, key=lambda order: _hits(found, runs, order))
    return found if ties == first else _fitted(judgments, runs[ties], ties, depth)


def _hits(found: Survey, runs: Mapping[str, dict[str, PooledRun]], order: str) -> int:
    """How many documents of all runs the judgments have down to the depth of the pool, with ties in an order.

    Runs that were pooled have them all there in the order that they were pooled in, also those that are taken for
    others in another order. Without a pool, it is how many more there are than in the first order, at any depth.
    """
    some, first = (_tally(its.values()) for its in (runs[order], next(iter(runs.values()))))
    return int(some[min(found.depths[1], len(some)) - 1] if found.members else (some - first).max())


def _tally(runs: Iterable[PooledRun]) -> Rows:
    """Down to each rank, how many documents of some runs the judgments have."""
    total = np.zeros(2 * REACH, np.intp)
    for one in runs:
        total[: len(one.pooled_at)] += one.pooled_at[: len(total)]
    return np.cumsum(total)


def _exact(judgments: Qrels, runs: dict[str, PooledRun], ties: str, depth: int | None) -> Survey | None:
    """The pool that has every document of the judgments and no other, where there is one.

    A run that was pooled has all of its documents there; one that has another is not of the pool, and one that has a
    document which no other has must be.
    """
    depth = depth or pool_depth([one.all_pooled_to for one in runs.values()], [one.longest for one in runs.values()])
    if depth is None:
        return None
    members = tuple(name for name, one in runs.items() if one.all_pooled_to >= depth and one.longest)
    every = np.full(len(judgments.topics), depth)
    found = Survey(judgments, runs, members, (), dict.fromkeys(members, depth), every, ties, given=False, exact=True)
    if not members or not (found.holders > 0).all():
        return None
    needed = tuple(name for name in members if (found.holders[found.within(name)] == 1).any())
    evidence = fitted(_listings(judgments, runs), depth)
    return replace(
        found,
        contributors=needed,
        possible=tuple(name for name in members if name not in needed),
        evidence=evidence,
    )


def _fitted(judgments: Qrels, runs: dict[str, PooledRun], ties: str, depth: int | None) -> Survey:
    """The pool that explains the judgments best, where some do."""
    evidence = fitted(_listings(judgments, runs), depth)
    if evidence is None:
        none = np.zeros(len(judgments.topics), np.intp)
        return Survey(judgments, runs, (), (), {}, none, ties, given=False)
    told = dict(zip(runs, evidence.told.tolist(), strict=True))
    return Survey(
        judgments,
        runs,
        contributors=tuple(name for name, one in told.items() if one > 0),
        possible=tuple(name for name, one in told.items() if one == 0 and runs[name].longest),
        run_depth=dict(zip(runs, evidence.depth.tolist(), strict=True)),
        topic_depth=evidence.topic_depth,
        ties=ties,
        given=False,
        evidence=evidence,
    )


def _listings(judgments: Qrels, runs: Mapping[str, PooledRun]) -> Listings:
    """The first documents of all runs, those of the judgments numbered as they are there."""
    some = [*runs.values()]
    keys = distinct(np.concatenate([one.other for one in some]))
    known = len(judgments)
    topics = np.zeros(known + len(keys), np.intp)
    topics[:known] = stretches(judgments.offsets)
    documents, ranks = [], []
    for one in some:
        place = known + np.searchsorted(keys, one.other)
        topics[place] = one.other_topic
        near = one.rank <= one.reach
        documents.append(np.concatenate([one.judgment[near], place]))
        ranks.append(np.concatenate([one.rank[near], one.other_rank]))
    return Listings(
        runs=len(some),
        topics=topics,
        listed=known,
        num_topics=len(judgments.topics),
        relevant_only=bool((judgments.grades > 0).all()),
        run=np.repeat(np.arange(len(some)), [len(its) for its in ranks]),
        document=np.concatenate(documents),
        rank=np.concatenate(ranks),
    )


def _given(contributors: str | Iterable[str], runs: Mapping[str, PooledRun]) -> tuple[str, ...]:
    if contributors == "all":
        return tuple(runs)
    wanted = {contributors} if isinstance(contributors, str) else {*contributors}
    for name in sorted(wanted):
        if name not in runs:
            raise InputError(f"there is no run {name!r} to contribute; there are {', '.join(runs)}")
    return tuple(name for name in runs if name in wanted)
