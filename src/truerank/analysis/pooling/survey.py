"""One pass over the runs: where their judged documents stand, and which of the runs made the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from truerank.analysis.seen import refuse_strangers
from truerank.conventions.choices import CHOICES
from truerank.conventions.ties import broken_by_order
from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.judge import Judged, judge
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import Named
from truerank.questions.pool.depths import pool_depth, unbroken

ORDERS = ("docid", "input", "rank", "docid-asc")
"""Orders of tied documents that a pool may have been made in, the likeliest first."""
Visit = Callable[[str, Run], object]


@dataclass(frozen=True, eq=False)
class Seen:
    """A run as the judgments show it."""

    name: str
    judged_to: int
    """The deepest rank down to which its documents are judged in every topic; ENDLESS where all are."""
    length: Rows
    """Documents listed for each judged topic."""
    judged_at: Rows
    """How many of the documents at each rank are judged, over all topics."""
    judgment: Rows
    """Rows of the judgments that are about documents of this run, as deep as they matter here."""
    rank: Rows
    """Where those documents stand."""

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


@dataclass(frozen=True, eq=False)
class Survey:
    """All runs as the judgments show them, with the pool that this tells of."""

    qrels: Qrels
    seen: dict[str, Seen]
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
        count = np.zeros(len(self.qrels), np.int64)
        for group in groups:
            count[self.pooled(group)] += 1
        return count

    def pooled(self, runs: Iterable[str], depth: int | None = None) -> Mask:
        """Which judgments are about documents that one of the runs has within a depth, by default that of the pool."""
        found = np.zeros(len(self.qrels), np.bool_)
        for name in runs:
            found[self.seen[name].within(depth or self.depth or 0)] = True
        return found


def survey(
    qrels: Qrels,
    runs: list[Named],
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    reach: int = 0,
    visit: Visit | None = None,
    progress: Callable[[str], object] | None = None,
) -> Survey:
    """Look at each run once; ``visit`` is called with each run while it is in memory.

    ``depth``, ``contributors`` ("all", or names) and ``ties`` are what is known of the pool already. The order of ties
    that is not known is the one whose pool holds most of the judgments. Judged documents are kept down to ``reach`` at
    least.
    """
    check(depth, ties, precision)
    reach = max(reach, depth or 0)
    seen: dict[str, dict[str, Seen]] = {order: {} for order in (ORDERS if ties is None else (ties,))}
    for each in runs:
        run = each.read()
        judged = judge(qrels, run, precision=precision)
        refuse_strangers(each.name, judged)
        if ties is None and run.rank is None:
            seen.pop("rank", None)
        tied = bool((judged.size > 1).any())
        first = see(each.name, judged, next(iter(seen)), reach)
        for place, (order, ones) in enumerate(seen.items()):
            ones[each.name] = see(each.name, judged, order, reach) if tied and place else first
        if visit is not None:
            visit(each.name, run)
        if progress is not None:
            progress(each.name)
    found = [_survey(qrels, ones, order, depth if contributors is None else None) for order, ones in seen.items()]
    best = max(found, key=lambda one: int((one.holders > 0).sum()))
    return best if contributors is None else _survey(qrels, best.seen, best.ties, depth, contributors)


def _survey(
    qrels: Qrels,
    seen: dict[str, Seen],
    ties: str,
    depth: int | None,
    contributors: str | Iterable[str] | None = None,
) -> Survey:
    """The pool that runs tell of, with their ties in one order."""
    given = _named(contributors, seen)
    if given is not None:
        depth = depth or min((seen[name].depth for name in given), default=0) or None
        return Survey(qrels, seen, depth, given, ties, given=True)
    depth = depth or pool_depth([one.judged_to for one in seen.values()], [one.longest for one in seen.values()])
    found = () if depth is None else tuple(name for name, one in seen.items() if one.judged_to >= depth)
    return Survey(qrels, seen, depth, found, ties, given=False)


def see(name: str, judged: Judged, ties: str, reach: int) -> Seen:
    """Look at one run; its judged documents are kept down to ``reach`` and as deep as all of them are judged."""
    ranked = broken_by_order(judged, ties)
    to = unbroken(ranked)
    rank = ranked.above + 1
    kept = np.flatnonzero(rank <= max(to, reach))
    at = np.bincount(ranked.above, minlength=1)
    return Seen(name, to, ranked.length, at, ranked.judgment[kept], rank[kept])


def graded(qrels: Any) -> Qrels:
    """Judgments of documents; preferences are refused."""
    judgments = as_qrels(qrels)
    if isinstance(judgments, Preferences):
        raise InputError("these judgments are preferences (three columns), and a pool is of documents; give qrels")
    return judgments


def check(depth: int | None, ties: str | None, precision: str) -> None:
    """Refuse what no pool can be made with."""
    if depth is not None and (isinstance(depth, bool) or not isinstance(depth, int | np.integer) or depth < 1):
        raise InputError(f"depth is {depth!r}; give a whole number of at least 1")
    if ties is not None and ties not in ORDERS:
        raise InputError(f"a pool is made of single rankings, and ties={ties!r} is none; take {', '.join(ORDERS)}")
    if precision not in CHOICES["precision"]:
        raise InputError(f"precision={precision!r} is not a choice; take one of {', '.join(CHOICES['precision'])}")


def _named(contributors: str | Iterable[str] | None, seen: dict[str, Seen]) -> tuple[str, ...] | None:
    if contributors is None:
        return None
    if contributors == "all":
        return tuple(seen)
    wanted = {contributors} if isinstance(contributors, str) else {*contributors}
    for name in sorted(wanted):
        if name not in seen:
            raise InputError(f"there is no run {name!r} to contribute; there are {', '.join(seen)}")
    return tuple(name for name in seen if name in wanted)
