"""Tie groups, the documents of a topic that share a score, and the orders that break ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Keys, Rows, begins, offsets, spans, table
from truerank.data.errors import InputError
from truerank.data.ids import LONG, Ids, load, mix
from truerank.data.parallel import parallel, topic_blocks
from truerank.data.run import Run
from truerank.data.stated_ranks import ranks_at

PRECISIONS = ("float64", "float32")
Values: TypeAlias = npt.NDArray[Any]
Levels: TypeAlias = Callable[[int, Rows], Values]
"""What to compare rows by, smallest first: at level 0, then among those equal there at level 1, and so on."""

_DENSE = 100
"""One group searched for among so many rows is where looking at all rows becomes cheaper."""
_FEW = 8
"""Documents of a group up to which each that is asked for is compared with all others."""
_BLOCK = 1 << 16


def tie_groups(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str = "float64") -> tuple[Rows, Rows]:
    """Return for each row the first row of its tie group and the number of documents in it.

    ``begin`` and ``end`` are the bounds of each row's topic. ``precision="float32"`` compares scores rounded to single
    precision, as trec_eval 9 does. Only tied rows cost more than a look at their two neighbours.

    >>> score, rows = np.array([3.0, 2.0, 2.0, 2.0, 1.0]), np.array([0, 2])
    >>> first, size = tie_groups(score, rows, np.array([0, 0]), np.array([5, 5]))
    >>> first.tolist(), size.tolist()
    ([0, 1], [1, 3])
    """
    if precision not in PRECISIONS:
        raise ValueError(f"precision is {precision!r}; choose one of {', '.join(PRECISIONS)}")
    first = row.copy()
    size = np.ones(len(row), dtype=np.intp)
    own = _at(score, row, precision)
    tied = (row > begin) & (_at(score, np.maximum(row - 1, begin), precision) == own)
    tied |= (row < end - 1) & (_at(score, np.minimum(row + 1, end - 1), precision) == own)
    some = np.flatnonzero(tied)
    if not len(some):
        return first, size
    row, begin, end, own = row[some], begin[some], end[some], own[some]
    # Neighbours of one group share one search.
    new = np.flatnonzero(begins(own, begin))
    search = _in_edges if len(new) * _DENSE > len(score) else _by_bisection
    top, bottom = search(score, row[new], begin[new], end[new], precision)
    shared = np.diff(new, append=len(some))
    first[some], size[some] = np.repeat(top, shared), np.repeat(bottom - top, shared)
    return first, size


def all_tie_groups(score: Floats, bounds: Rows, precision: str = "float64") -> tuple[Rows, Rows]:
    """Return what ``tie_groups`` does for every row, when ``score`` holds whole topics one after the other.

    >>> first, size = all_tie_groups(np.array([2.0, 1.0, 1.0, 1.0]), np.array([0, 3, 4]))
    >>> first.tolist(), size.tolist()
    ([0, 1, 1, 3], [1, 2, 2, 1])
    """
    new = begins(rounded(score, precision))
    new[bounds[bounds < len(score)]] = True
    top = np.flatnonzero(new)
    count = np.diff(top, append=len(score))
    return np.repeat(top, count), np.repeat(count, count)


def rounded(score: Floats, precision: str) -> npt.NDArray[np.floating[Any]]:
    """Scores as they are compared."""
    if precision == "float64":
        return score
    with np.errstate(over="ignore"):
        return score.astype(np.float32)


def _at(score: Floats, row: Rows, precision: str) -> npt.NDArray[np.floating[Any]]:
    return rounded(score[row], precision)


def _in_edges(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str) -> tuple[Rows, Rows]:
    """Find where scores change, all over, and look up the rows among these places."""
    value = rounded(score, precision)
    edges = np.concatenate([[0], np.flatnonzero(value[1:] != value[:-1]) + 1, [len(score)]])
    place = np.searchsorted(edges, row, side="right")
    return np.maximum(edges[place - 1], begin), np.minimum(edges[place], end)


def _by_bisection(score: Floats, row: Rows, begin: Rows, end: Rows, precision: str) -> tuple[Rows, Rows]:
    """Find the two ends of each row's group in its topic."""
    own = _at(score, row, precision)
    top = _first(score, own, begin, row, precision, larger=True)
    return top, _first(score, own, row, end, precision, larger=False)


def _first(
    score: Floats, own: npt.NDArray[np.floating[Any]], low: Rows, high: Rows, precision: str, *, larger: bool
) -> Rows:
    """Bisect for the first row of [low, high) that is not larger than ``own``, or else that is smaller."""
    low, high = low.copy(), high.copy()
    while len(low) and int((high - low).max()) > 0:
        middle = (low + high) >> 1
        value = _at(score, np.minimum(middle, len(score) - 1), precision)
        after = (value > own) if larger else (value >= own)
        open_ = low < high
        low = np.where(open_ & after, middle + 1, low)
        high = np.where(open_ & ~after, middle, high)
    return low


def before(run: Run, row: Rows, first: Rows, size: Rows, order: str, seed: int = 0) -> Rows:
    """Count for each row the documents of its tie group that come before it.

    The group of a row is the rows ``first`` to ``first + size - 1``. Orders: "docid" (descending by bytes, as
    trec_eval does), "docid-asc", "input", "rank" (the run's own rank column, then input order), "sample" (a random
    order that depends on the seed and the ids of topic and documents only).

    >>> from truerank.data.run import arrange
    >>> run = arrange("x", [b"q"], [0, 3], Ids.pack("bca"), [1, 1, 1])
    >>> rows = np.arange(3)
    >>> before(run, rows, np.zeros(3, int), np.full(3, 3), "docid").tolist()
    [1, 0, 2]
    """
    if order not in ORDERS:
        raise ValueError(f"order is {order!r}; choose one of {', '.join(ORDERS)}")
    levels = ORDERS[order](run, seed)
    if order == "input" and run.arrival is None:
        return np.asarray(row - first, dtype=np.intp)
    result = np.zeros(len(row), dtype=np.intp)
    tied = np.flatnonzero(size > 1)
    if not len(tied):
        return result
    tied = tied[np.argsort(first[tied], kind="stable")]
    starts = np.flatnonzero(np.diff(first[tied], prepend=-1))
    wanted = np.diff(starts, append=len(tied))
    few = np.repeat(wanted <= _FEW, wanted)
    some = tied[few]
    result[some] = _by_comparing(levels, row[some], first[some], size[some])
    some = tied[~few]
    result[some] = _by_sorting(levels, row[some], first[some], size[some], wanted[wanted > _FEW])
    return result


def _by_id(run: Run, seed: int) -> Levels:
    words = _words(run.docs)
    return lambda level, rows: _word(run.docs, words, level, rows)


def _by_id_descending(run: Run, seed: int) -> Levels:
    words = _words(run.docs)
    return lambda level, rows: ~_word(run.docs, words, level, rows)


def _by_input(run: Run, seed: int) -> Levels:
    arrival = run.arrival
    return lambda level, rows: rows if arrival is None else arrival[rows]


def _by_rank(run: Run, seed: int) -> Levels:
    column, by_input = run.rank, _by_input(run, seed)
    if column is None:
        raise InputError(f"run {run.name} has no rank column; choose another order for ties, such as docid")
    return lambda level, rows: by_input(level - 1, rows) if level else ranks_at(column, rows)


def _by_chance(run: Run, seed: int) -> Levels:
    by_id = _by_id(run, seed)
    # Each topic has its own order: documents that tie in many topics are not first in all of them.
    salt = mix(Ids.pack(run.topics).keys() ^ np.uint64((seed + 1) % (1 << 64)))
    return lambda level, rows: by_id(level - 1, rows) if level else mix(run.key[rows] ^ salt[run.topic_of(rows)])


ORDERS: dict[str, Callable[[Run, int], Levels]] = {
    "docid": _by_id_descending,
    "docid-asc": _by_id,
    "input": _by_input,
    "rank": _by_rank,
    "sample": _by_chance,
}
"""What documents are compared by in each order that ``conventions.axes`` has, given the run and a seed."""


def _words(docs: Ids) -> int:
    """How many stretches of eight bytes the longest id has, or is looked at in."""
    return -(-min(int(docs.length.max(initial=1)), LONG) // 8)


def _word(docs: Ids, words: int, level: int, rows: Rows) -> Keys:
    """Return eight bytes of each id as a number that compares as the bytes do.

    After all words it is the length or, where ids are longer than that, their places among one another.
    """
    start, length = docs.start[rows], docs.length[rows].astype(np.intp)
    if level >= words:
        if not (length > LONG).any():
            return length.astype(np.uint64)
        ids = docs.take(rows).tolist()
        place = {one: number for number, one in enumerate(sorted(set(ids)))}
        return np.array([place[one] for one in ids], dtype=np.uint64)
    if level:
        start, length = start.astype(np.intp) + 8 * level, length - 8 * level
    word: Keys = load(docs.buffer, start, length).byteswap()
    return word


def _by_comparing(levels: Levels, row: Rows, first: Rows, size: Rows) -> Rows:
    """Compare each row with all others of its group: the cost is the sum of the sizes."""

    def compare(span: tuple[int, int]) -> Rows:
        own, count = row[slice(*span)], size[slice(*span)]
        mate = spans(first[slice(*span)], count)
        which = np.repeat(np.arange(len(own)), count)
        total = np.zeros(len(own), dtype=np.intp)
        level = 0
        while len(mate):
            values = levels(level, np.concatenate([mate, own]))
            theirs, mine = values[: len(mate)], values[len(mate) :][which]
            total += np.bincount(which[theirs < mine], minlength=len(own))
            equal = np.flatnonzero(theirs == mine)
            if not level:
                equal = equal[mate[equal] != own[which[equal]]]
            mate, which = mate[equal], which[equal]
            level += 1
        return total

    parts = parallel(compare, topic_blocks(offsets(size).tolist(), _BLOCK))
    return np.concatenate(parts) if parts else row[:0]


def _by_sorting(levels: Levels, row: Rows, first: Rows, size: Rows, wanted: Rows) -> Rows:
    """Sort each group once and look up its ``wanted`` rows, which stand side by side, in it."""
    bounds = offsets(wanted)
    first, size = first[bounds[:-1]], size[bounds[:-1]]
    result = np.zeros(len(row), dtype=np.intp)

    def sort(groups: tuple[int, int]) -> None:
        span, asked = slice(*groups), slice(int(bounds[groups[0]]), int(bounds[groups[1]]))
        places = _places(levels, spans(first[span], size[span]), size[span])
        result[asked] = places[row[asked] - np.repeat(first[span] - offsets(size[span])[:-1], wanted[span])]

    parallel(sort, topic_blocks(offsets(size).tolist(), _BLOCK))
    return result


def _places(levels: Levels, members: Rows, size: Rows) -> Rows:
    """The place that each row has in its group, of groups of some sizes that follow one another.

    All groups are sorted at once, level by level: rows that are equal so far are a group of their own at the next.
    """
    begin = np.repeat(offsets(size)[:-1], size)
    first, live, level = begin.copy(), np.arange(len(members)), 0
    while len(live):
        value = levels(level, members[live])
        if level or len(size) * int(size.max()) > len(members):
            order = np.lexsort((value, first[live]))
        else:
            # Groups of one size are the rows of a table, which are sorted several times faster.
            order = begin + np.argsort(table(value, size, 0), axis=-1).ravel()
        live, value = live[order], value[order]
        shared = first[live]
        start = np.flatnonzero(begins(shared, value))
        alike = np.diff(start, append=len(live))
        # Where a stretch of equal rows begins among those that were equal before, which stand side by side.
        whole = np.flatnonzero(begins(shared))
        place = start - np.repeat(whole, np.diff(np.searchsorted(start, whole), append=len(start)))
        first[live] = np.repeat(shared[start] + place, alike)
        live = live[np.repeat(alike > 1, alike)]
        level += 1
    places: Rows = first - begin
    return places
