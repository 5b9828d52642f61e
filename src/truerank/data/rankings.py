"""Rankings: what a measure sees, a padded block of slots with one row a topic."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import field, replace
from functools import cached_property, wraps
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Mask, Rows, Scalar, begins, put, spans
from truerank.data.classes import dataclass
from truerank.data.errors import InputError

Made = TypeVar("Made")
GainOfGrade = Callable[[Floats], Floats]
"""Maps grades above 0 to gains; hashable, so that gains are worked out once."""

ENDLESS = np.intp(np.iinfo(np.intp).max // 2 + 1)
"""The depth of a measure without a cutoff."""

TERMINAL = {"none": "", "silence": "", "terminal": "tail", "terminal-once": "once"}
"""By ending, how far the terminal document reaches: all ranks past the list where their weights have a sum, or one.
Without one a list may still end at its NIL, as it does for measures of silence."""


class GroupColumns(NamedTuple):
    """Tie groups as columns."""

    flat: Rows
    """Index of the first slot in the block."""
    row: Rows
    start: Rows
    stop: Rows
    size: Rows
    """Documents, listed or not."""


@dataclass(frozen=True, eq=False)
class Shared:
    """Slots in tie groups of more than one, as columns; the slots of a group stand side by side."""

    flat: Rows
    """Index in the block, row by row."""
    row: Rows
    start: Rows
    stop: Rows
    first: Rows
    """Where in these columns each group begins."""
    group: Rows
    """Number of each slot's group."""

    @cached_property
    def size(self) -> Rows:
        """Documents in each slot's group, listed or not."""
        return self.stop - self.start + 1

    @cached_property
    def groups(self) -> GroupColumns:
        """What the slots of a group share, group by group."""
        start, stop, first = self.start[self.first], self.stop[self.first], self.first
        return GroupColumns(self.flat[first], self.row[first], start, stop, stop - start + 1)

    def within(self, depth: Rows) -> Shared:
        """The groups that begin within ``depth``, shape (rows, 1); of the others no document comes so far."""
        some = np.flatnonzero(self.groups.start <= depth[self.groups.row, 0])
        count = np.diff(self.first, append=len(self.flat))[some]
        slots = spans(self.first[some], count)
        first, group = np.cumsum(count) - count, np.repeat(np.arange(len(some)), count)
        return Shared(self.flat[slots], self.row[slots], self.start[slots], self.stop[slots], first, group)

    def sums(self, x: Floats) -> Floats:
        """For each slot here, the sum of a block's ``x`` over its group."""
        return self.each(x)[self.group]

    def each(self, x: Floats, how: np.ufunc = np.add) -> Floats:
        """For each group, the sum (or product, ...) of a block's ``x``."""
        values: Floats = how.reduceat(x.take(self.flat), self.first)
        return values


def _once_a_map(make: Callable[[Rankings, GainOfGrade], Floats]) -> Callable[[Rankings, GainOfGrade], Floats]:
    """Have a block make something of a map once, and keep it as it is."""

    @wraps(make)
    def made(block: Rankings, gain: GainOfGrade) -> Floats:
        return block.once((make.__name__, gain), lambda: make(block, gain))

    return made


@dataclass(frozen=True, eq=False, kw_only=True)
class Rankings:
    """A block of rankings, one row a topic, one slot a document that can matter.

    A document takes one of the ranks ``start`` to ``stop``, all equally likely; the documents of a tie group
    share them and stand side by side. A document not listed here is unjudged. Padding is an unjudged document
    past the end of the list, so no kernel needs to know of it.

    >>> import numpy as np
    >>> r = Rankings.single([1, 0, 1], pool=[1, 1, 1])
    >>> r.gains(lambda grade: grade).tolist()
    [[1.0, 0.0, 1.0]]
    """

    topic: Rows
    """Index of each row's topic in the judgments."""
    start: Rows
    stop: Rows
    """The last of these ranks; ``start`` itself where nothing is tied."""
    grade: Floats
    """Grade of each slot; NaN where unjudged."""
    judgment: Rows
    """Row of each slot's document in the judgments; -1 where unjudged."""
    length: Rows
    """Documents in each list, the terminal document not counted."""
    pool: Floats
    """Positive grades of each topic's judgments, descending, padded with 0."""
    judged: Rows
    """Judged documents of each topic, retrieved or not."""
    max_grade: float
    """Highest grade of the collection."""
    terminal: str = ""
    """"" without a terminal document, "tail" or "once" with: it is then the last slot of every row."""
    beyond: float = np.nan
    """Grade of the documents past the end of a list, where they are taken to have one."""
    pool_rank: Rows | None = None
    """For each grade of ``pool``, the best rank at which a contributing run lists that document."""
    names: Sequence[bytes] = ()
    """The topics of the judgments, which ``topic`` counts."""
    negative_judged: bool = True
    """Whether a negative grade is a judgment of non-relevance; otherwise the document counts as unjudged."""
    pairs: Rows | None = None
    """Preferences: rows of (row of the block, slot of the better, slot of the worse), slot -1 if not retrieved."""
    lost: Rows | None = None
    """With preferences: how often each document of a row was found worse than another, descending, padded with 0."""
    ties: str = "expected"
    """What to take over the orders of documents that are tied here: the mean, or the "best" or "worst" of them."""
    more: Rows | None = None
    """Documents of ``more_grade`` that judging may find beside the pool, one or more counts a row; None for none."""
    more_grade: float = 1.0
    cuts: Rows | None = None
    """Lengths that a normaliser is to take the lists to be cut at, one or more a row; None for their own."""
    kept: dict[Hashable, tuple[Floats, Any]] = field(default_factory=dict, repr=False)
    """What was made of pools, with the pool that it was made of: all rankings of the same topics share it."""

    @classmethod
    def single(
        cls,
        grades: list[float],
        *,
        pool: list[float] | None = None,
        groups: list[int] | None = None,
        terminal: str = "",
    ) -> Rankings:
        """One ranking from its grades in rank order (NaN: unjudged); equal neighbours in ``groups`` are tied."""
        n = len(grades)
        slots = n + bool(terminal)
        grade = np.array([*grades, *([np.nan] if terminal else [])], np.float64)[None, :]
        start, stop = (np.arange(1, slots + 1)[None, :] for _ in range(2))
        if groups is not None:
            if len(groups) != n:
                raise InputError(f"groups has {len(groups)} numbers for {n} grades; give one for each")
            first = np.flatnonzero(begins(np.array(groups)))
            size = np.diff(first, append=n)
            start[0, :n], stop[0, :n] = np.repeat(first + 1, size), np.repeat(first + size, size)
        known = grade[0][~np.isnan(grade[0])] if pool is None else np.array(pool, np.float64)
        return cls(
            topic=np.zeros(1, np.intp),
            start=start,
            stop=stop,
            grade=grade,
            judgment=np.where(np.isnan(grade), -1, np.arange(slots)),
            length=np.array([n]),
            terminal=terminal,
            pool=-np.sort(-known[known > 0])[None, :],
            judged=np.array([len(known)]),
            max_grade=float(max([*known.tolist(), 0])),
        )

    @cached_property
    def is_judged(self) -> Mask:
        """Which slots hold a judged document."""
        return ~np.isnan(self.grade) if self.negative_judged else self.grade >= 0

    @cached_property
    def end(self) -> Rows:
        """Last rank of each row with a document: the list's own last, or that of one taken to stand past it."""
        last: Rows = np.maximum(self.length, np.where(np.isnan(self.grade), 0, self.stop).max(axis=-1, initial=0))
        return last

    @cached_property
    def size(self) -> Rows:
        """Documents in each slot's tie group."""
        return self.stop - self.start + 1

    @cached_property
    def tied(self) -> bool:
        """Whether any slot is in a group of more than one."""
        return self.stop is not self.start and bool((self.stop > self.start).any())

    @cached_property
    def _made(self) -> dict[Hashable, Array]:
        """What was made of maps and weights: measures that share them share it."""
        return {}

    def once(self, key: Hashable, make: Callable[[], npt.NDArray[Scalar]]) -> npt.NDArray[Scalar]:
        """What is made of the block, which it keeps; nobody may write there."""
        found = self._made.get(key)
        if found is None:
            found = self._made[key] = make()
            found.setflags(write=False)
        return found

    def depth(self, cutoff: int | None) -> Rows:
        """The cutoff of each row, or ``ENDLESS``, shape (rows, 1); the same array for all that ask."""
        return self.once(
            ("depth", cutoff), lambda: np.full((len(self.length), 1), ENDLESS if cutoff is None else cutoff, np.intp)
        )

    def of_pool(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What is made of the pool alone, once for all rankings that share it."""
        pool, made = self.kept.get(key, (None, None))
        if pool is not self.pool:
            made = make()
            if isinstance(made, np.ndarray):
                made.setflags(write=False)
            self.kept[key] = (self.pool, made)
        found: Made = made  # type: ignore[assignment]
        return found

    def pool_gains(self, gain: GainOfGrade) -> Floats:
        """Gains of the positive grades of each topic's judgments."""
        return self.of_pool(("gains", gain), lambda: gain_of(self.pool, gain))

    @cached_property
    def shared(self) -> Shared:
        """The slots that share their ranks, group by group."""
        flat = np.flatnonzero((self.stop > self.start).ravel())
        row, start = flat // max(self.start.shape[1], 1), self.start.take(flat)
        new = begins(start, row)
        return Shared(flat, row, start, self.stop.take(flat), np.flatnonzero(new), np.cumsum(new) - 1)

    def shared_within(self, depth: Rows) -> Shared:
        """Those of them that may stand within ``depth``, shape (rows, 1); the same for all that ask with one array."""
        if depth is self.depth(None):
            return self.shared
        known, found = self._shared_within.get(id(depth), (None, None))
        if known is not depth or found is None:
            found = self.shared.within(np.broadcast_to(depth, (len(self.length), 1)))
            self._shared_within[id(depth)] = depth, found
        return found

    @cached_property
    def _shared_within(self) -> dict[int, tuple[Rows, Shared]]:
        """By depth, which stays here, so that no other one has its id."""
        return {}

    def group_sum(self, x: Floats) -> Floats:
        """For every slot, the sum of ``x`` over its tie group.

        >>> Rankings.single([1, 0, 1], groups=[0, 0, 1]).group_sum(np.array([[1.0, 5.0, 2.0]])).tolist()
        [[6.0, 6.0, 2.0]]
        """
        sums: Floats = x.copy()
        if self.tied:
            put(sums, self.shared.flat, self.shared.sums(x))
        return sums

    def above(self, y: Floats) -> Floats:
        """For every slot, the sum of ``y`` over the tie groups ranked above its own."""
        before: Floats = np.zeros(y.shape)
        y[:, :-1].cumsum(axis=-1, out=before[:, 1:])
        if self.tied:
            s = self.shared
            put(before, s.flat, before.take(s.flat[s.first])[s.group])
        return before

    def below(self, y: Floats) -> Floats:
        """For every slot, the sum of ``y`` over the tie groups ranked below its own.

        >>> Rankings.single([1, 0, 1], groups=[0, 0, 1]).below(np.array([[1.0, 5.0, 2.0]])).tolist()
        [[2.0, 2.0, 0.0]]
        """
        after: Floats = np.zeros(y.shape)
        after[:, :-1] = np.cumsum(y[:, :0:-1], axis=-1)[:, ::-1]
        if self.tied:
            s = self.shared
            last = np.append(s.first[1:], len(s.flat)) - 1
            put(after, s.flat, after.take(s.flat[last])[s.group])
        return after

    @_once_a_map
    def gains(self, gain: GainOfGrade) -> Floats:
        """Gain of every slot: nothing for unjudged documents; the terminal document has the share of gain found."""
        x = gain_of(self.grade, gain)
        if self.terminal:
            total, found = row_sum(self.pool_gains(gain)), row_sum(x[:, :-1])
            # More than there is, however much, can only be found where unjudged documents are taken to be relevant.
            with np.errstate(over="ignore"):
                share = np.divide(found, total, out=np.ones(len(x)), where=total > 0)
            x[:, -1] = np.minimum(share, 1.0)
        return x

    @_once_a_map
    def shares(self, gain: GainOfGrade) -> Floats:
        """What every slot adds to the gain of a terminal document: its share in all gain there is.

        In the last slot, that of the terminal document, is what it has where nothing is listed: 1 if there is nothing
        to find. So the terminal document of a list cut anywhere has that, and the sum over what is above the cut.

        >>> Rankings.single([2, 0, 1], pool=[2, 1, 1]).shares(lambda grade: grade).tolist()
        [[0.5, 0.0, 0.0]]
        """
        x, total = gain_of(self.grade, gain), row_sum(self.pool_gains(gain))[:, None]
        with np.errstate(over="ignore"):
            shares: Floats = np.divide(x, total, out=np.zeros(x.shape), where=total > 0)
        shares[:, -1:] = total <= 0
        return shares

    def product(self, one: Any, other: Any) -> Floats | None:
        """What two quantities of a document come to, multiplied, where grades are a matter of chance; None elsewhere.

        It is then not the product of what each of them is expected to be.
        """
        return None

    def gain_beyond(self, gain: GainOfGrade) -> float:
        """Gain of a document past the end of the list, where such have a grade; otherwise 0."""
        return 0.0 if self.beyond != self.beyond else float(gain_of(np.array([self.beyond]), gain)[0])

    def ideal(self, gain: GainOfGrade) -> Floats:
        """Gains of the best possible ranking; a terminal document's 1 stands in the first place without gain."""
        return self.of_pool(("ideal", gain, bool(self.terminal)), lambda: self._ideal(gain))

    def _ideal(self, gain: GainOfGrade) -> Floats:
        best = -np.sort(-self.pool_gains(gain), axis=-1)
        if self.terminal:
            best = np.concatenate([best, np.zeros((len(best), 1))], axis=-1)
            best[np.arange(len(best)), (best > 0).sum(axis=-1)] = 1.0
        return best

    def relevant(self, gain: GainOfGrade, within: Rows | None = None) -> Rows:
        """Documents with gain in the judgments, the terminal document included; ``within`` the pool of each depth."""
        count: Rows = self.of_pool(("relevant", gain), lambda: (self.pool_gains(gain) > 0).sum(axis=-1, keepdims=True))
        if within is not None:
            has_gain = self.pool_gains(gain) > 0
            if self.pool_rank is None:
                raise InputError("the pool of a depth is made of runs, and one list has none; evaluate runs")
            best = np.sort(np.where(has_gain, self.pool_rank, np.iinfo(np.intp).max), axis=-1)
            found = [np.searchsorted(ranks, depths, side="right") for ranks, depths in zip(best, within, strict=True)]
            count = np.minimum(np.array(found, np.intp).reshape(within.shape), count)
        if self.more is not None:
            return count + self.more
        return count + 1 if self.terminal else count

    @property
    def lengths(self) -> Rows:
        """Documents in each list, or where it is to be cut; shape (rows, 1), or a column for each cut."""
        return self.length[:, None] if self.cuts is None else self.cuts

    def ideal_depth(self, depth: Rows) -> Rows:
        """How deep an ideal ranking goes: a terminal document that ends the list also ends the ideal."""
        return np.minimum(depth, self.lengths + 1) if self.terminal == "tail" else depth

    def reach(self, depth: Rows) -> Rows:
        """The depth itself, or the end of the list for a measure without a cutoff."""
        return np.where(depth == ENDLESS, self.lengths + bool(self.terminal), depth)

    def take(self, rows: Rows) -> Rankings:
        """Some rows of the block, in this order; a row may be taken more than once.

        >>> Rankings.single([1, 0]).take(np.array([0, 0])).grade.tolist()
        [[1.0, 0.0], [1.0, 0.0]]
        """
        return replace(
            self,
            **{name: getattr(self, name)[rows] for name in _BY_ROW},
            kept={},
            pool_rank=None if self.pool_rank is None else self.pool_rank[rows],
            pairs=None if self.pairs is None else _pairs_of(self.pairs, rows),
            lost=None if self.lost is None else self.lost[rows],
        )


_BY_ROW = ("topic", "start", "stop", "grade", "judgment", "length", "pool", "judged")


def _pairs_of(pairs: Rows, rows: Rows) -> Rows:
    """Preferences of some rows, by the places that these have then."""
    by_row = pairs[np.argsort(pairs[:, 0], kind="stable")]
    first, past = (np.searchsorted(by_row[:, 0], rows, side) for side in ("left", "right"))
    row = np.repeat(np.arange(len(rows)), past - first)
    return np.column_stack([row, by_row[spans(first, past - first), 1:]])


def row_sum(x: Floats) -> Floats:
    """Sum over the last axis, added up from the left: padding on the right leaves its bits as they are."""
    if not x.shape[-1]:
        return np.zeros(x.shape[:-1])
    if x.size == x.shape[-1]:
        return x.cumsum(axis=-1)[..., -1]
    # Whole columns are added up, one after the other; of one row numpy would add up parts first.
    columns = x.T if x.ndim == 2 else np.moveaxis(x, -1, 0)
    total: Floats = np.add.reduce(columns.copy(), axis=0, initial=-0.0)
    return total


def gain_of(grade: Floats, gain: GainOfGrade) -> Floats:
    """Gain of grades; unjudged documents and grades of zero or less have none."""
    some = grade > 0
    return np.where(some, gain(np.where(some, grade, 0.0)), 0.0)
