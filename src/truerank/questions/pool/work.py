"""Pools of documents: which runs made the judged one, and what one made now would hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from truerank.conventions.axes import USUAL_ORDERS, Conventions
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Mask, Rows, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.judge import JudgedRun, every_document
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs, one_by_one
from truerank.measures.core.base import Measure
from truerank.questions.pool.answer import Contribution, DocumentPool, Pooled, Pools
from truerank.questions.pool.depths import ENDLESS, in_every_list, pool_depth, unbroken
from truerank.track.facts import READ_JUDGMENTS
from truerank.track.lens import Lens
from truerank.track.parts import Part, gathered, per_topic, tallied
from truerank.track.track import Progress, Track

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

    def pooled(self, runs: Iterable[str], depth: int | None = None) -> Mask:
        """Which judgments are about documents that one of the runs has within a depth, by default that of the pool."""
        found = np.zeros(len(self.judgments), np.bool_)
        for name in runs:
            found[self.runs[name].within(depth or self.depth or 0)] = True
        return found


def refuse_pool(depth: int | None, ties: str | None) -> None:
    """Refuse what no pool can be made with."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int | np.integer) or depth < 1):
        raise InputError(f"depth is {depth!r}; give a whole number of at least 1")
    if ties is not None and ties not in USUAL_ORDERS:
        known = ", ".join(USUAL_ORDERS)
        raise InputError(f"a pool is made of single rankings, and ties={ties!r} is none; take {known}")


def graded(qrels: Any) -> Qrels:
    """Judgments of documents; preferences are refused."""
    judgments = as_qrels(qrels)
    if isinstance(judgments, Preferences):
        raise InputError("these judgments are preferences (three columns), and a pool is of documents; give qrels")
    return judgments


def pooled_track(qrels: Any, runs: Any, precision: str, depth: int | None, ties: str | None) -> Track:
    """Judgments and runs, to be looked at without any measure."""
    refuse_pool(depth, ties)
    conventions, named = Conventions(precision=precision), named_runs(runs)
    return Track(graded(qrels), tuple(named), (), conventions)


def orders(ties: str | None) -> tuple[str, ...]:
    """Orders of tied documents that the pool may have been made in, the likeliest first; one, where it is known."""
    return tuple(sorted(USUAL_ORDERS, key=lambda order: order == UNLIKELY)) if ties is None else (ties,)


def look(lens: Lens, measures: Sequence[Measure], *, orders: Sequence[str], reach: int) -> PoolPart:
    """What is kept of a run."""
    return PoolPart(topics=lens.topics, sights=sights(lens, orders, reach))


def sights(lens: Lens, orders: Sequence[str], reach: int) -> dict[str, Sight]:
    """A run in each of some orders of ties; by its ranks only where it has them, or nothing else is asked for."""
    known = [order for order in orders if order in lens.orders or len(orders) == 1]
    first = _sight(lens, known[0], reach)
    tied = bool((lens.judged.size > 1).any())
    return {order: _sight(lens, order, reach) if tied and place else first for place, order in enumerate(known)}


def _sight(lens: Lens, ties: str, reach: int) -> Sight:
    """Judged documents are kept down to ``reach`` and as deep as all of them are judged."""
    ranked: JudgedRun = broken_by_order(lens.judged, ties)
    to, rank = unbroken(ranked), ranked.above + 1
    kept = np.flatnonzero(rank <= max(in_every_list(to, ranked.length), reach))
    return Sight(
        topics=lens.topics,
        run=lens.name,
        length=ranked.length[lens.topics],
        unbroken=to[lens.topics],
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


def conclude(found: Survey) -> Pools:
    """What the runs say of the pool."""
    relevant, held = found.judgments.grade > 0, found.holders > 0
    return Pools(
        parts=tuple(_contribution(found, one) for one in found.runs.values()),
        depth=found.depth,
        judgments=len(found.judgments),
        explained=int(held.sum()),
        relevant=int(relevant.sum()),
        explained_relevant=int((held & relevant).sum()),
        num_topics=len(found.judgments.topics),
        ties=found.ties,
        notices=tuple(READ_JUDGMENTS(note) for note in found.judgments.notes),
    )


def _contribution(found: Survey, one: Sight) -> Contribution:
    contributes = one.run in found.contributors
    own = one.within(found.depth or 0) if contributes else np.zeros(0, np.int64)
    alone = own[found.holders[own] == 1]
    return Contribution(
        run=one.run,
        contributes=contributes,
        judged_to=one.depth,
        to_end=one.judged_to == ENDLESS,
        judged_pool=np.nan if found.depth is None else one.share(found.depth),
        judged_10=one.share(10),
        judged_100=one.share(100),
        unique=len(alone),
        unique_relevant=int((found.judgments.grade[alone] > 0).sum()),
    )


def restricted(found: Survey, depth: int) -> Qrels:
    """The judgments that a shallower pool would have had; the survey has to reach so deep."""
    if not found.given and (found.depth is None or depth > found.depth):
        pool = "these runs do not tell of one" if found.depth is None else f"it is {found.depth} deep"
        raise InputError(
            f"the pool cannot be restricted to depth {depth}: {pool}; choose contributors='all' (--all-runs) to take "
            "the judgments there are of all runs' documents"
        )
    kept = found.pooled(found.contributors, depth)
    said = f"judgments are those of a pool {depth} deep of {len(found.contributors)} runs"
    note = f"{said}: {int(kept.sum()):,} of {len(kept):,}"
    return replace(taken(found.judgments, kept), notes=(*found.judgments.notes, note))


def taken(qrels: Qrels, kept: Mask) -> Qrels:
    """Some of the judgments; topics stay.

    >>> taken(as_qrels({"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}), np.array([False, True, False])).offsets.tolist()
    [0, 1, 1]
    """
    return replace(
        qrels,
        offsets=offsets(kept)[qrels.offsets],
        grade=qrels.grade[kept],
        docs=qrels.docs.take(np.flatnonzero(kept)),
        key=qrels.key[kept],
    )


def pooled(runs: Any, depth: int, *, qrels: Any, ties: str, precision: str, progress: Progress | None) -> DocumentPool:
    """The documents that at least one of the runs has among its first ``depth``."""
    refuse_pool(depth, ties)
    precision = Conventions(precision=precision).precision
    named = named_runs(runs)
    known = {} if qrels is None else _grades(graded(qrels))
    found: dict[bytes, dict[bytes, tuple[int, int]]] = {}
    for place, (name, run) in enumerate(one_by_one(named), 1):
        for topic, document, rank in _top(run, depth, ties, precision):
            documents = found.setdefault(topic, {})
            count, best = documents.get(document, (0, rank))
            documents[document] = count + 1, min(best, rank)
        if progress is not None:
            progress(name, place, len(named))
    return DocumentPool(
        documents=tuple(
            Pooled(
                topic=text(topic), document=text(document), runs=count, rank=best, grade=known.get((topic, document))
            )
            for topic in sorted(found)
            for document, (count, best) in sorted(found[topic].items(), key=lambda one: (-one[1][0], one[1][1], one[0]))
        ),
        depth=depth,
        runs=tuple(each.name for each in named),
    )


def _top(run: Run, depth: int, ties: str, precision: str) -> Iterator[tuple[bytes, bytes, int]]:
    """The first documents of each topic, with their ranks."""
    ranked = broken_by_order(every_document(_unjudged(run, precision), depth), ties)
    first = np.flatnonzero(ranked.above < depth)
    topics = [run.topics[topic] for topic in topics_of(ranked)[first].tolist()]
    yield from zip(topics, run.docs.take(ranked.row[first]).tolist(), (ranked.above[first] + 1).tolist(), strict=True)


def _unjudged(run: Run, precision: str) -> JudgedRun:
    """A run with every one of its topics judged, and no document."""
    topics = len(run.topics)
    none: Rows = np.zeros(0, np.int64)
    nothing = Ids.pack([])
    begin = np.zeros(topics + 1, np.int64)
    return JudgedRun(
        qrels=Qrels(run.topics, begin, np.zeros(0), nothing, nothing.keys()),
        run=run,
        precision=precision,
        length=np.diff(run.offsets),
        run_topic=np.arange(topics),
        offsets=begin,
        row=none,
        judgment=none,
        grade=np.zeros(0),
        above=none,
        size=none,
    )


def _grades(qrels: Qrels) -> dict[tuple[bytes, bytes], float]:
    """What is judged, and how; a negative grade is that of a document that was pooled before, and not judged."""
    counts = np.diff(qrels.offsets).tolist()
    topics = [topic for topic, count in zip(qrels.topics, counts, strict=True) for _ in range(count)]
    rows = zip(topics, qrels.docs.tolist(), qrels.grade.tolist(), strict=True)
    return {(topic, document): grade for topic, document, grade in rows if grade >= 0}
