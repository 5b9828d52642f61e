"""Lists cut after their first documents: of a tie group that the cut goes through, random documents stay."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from truerank.data.arrays import Floats, Rows, distinct
from truerank.data.classes import dataclass
from truerank.data.rankings import GainOfGrade, Rankings, gain_of
from truerank.expectation.opaque import ORDERINGS, SAMPLED, seed_of


@dataclass(frozen=True, eq=False)
class Kept:
    """Lists cut at one length, one row for each set of documents that may stay; those that do are tied as they were."""

    rankings: Rankings
    row: Rows
    """The row that each was cut from."""
    chance: Floats

    def mean(self, values: Floats, rows: int) -> Floats:
        """Expectation of each row's value; NaN for lists that are shorter than the cut."""
        mean = np.full(rows, np.nan)
        mean[distinct(self.row)] = 0.0
        np.add.at(mean, self.row, self.chance * values)
        return mean


def kept(r: Rankings, length: int) -> Kept:
    """The lists of at least ``length`` documents, cut there; few sets of documents are all taken, many are sampled.

    >>> one = kept(Rankings.single([1, 0], groups=[0, 0]), 1)
    >>> one.rankings.grade.tolist(), one.chance.tolist()
    ([[1.0, nan], [0.0, nan]], [0.5, 0.5])
    """
    row, chance, dropped = [], [], []
    for each in np.flatnonzero(r.length >= length):
        for share, out in _ways(r, int(each), length):
            row.append(each)
            chance.append(share)
            dropped.append(out)
    rows, out = np.array(row, np.intp), np.array(dropped, bool).reshape(len(row), r.start.shape[1])
    return Kept(_cut(r, rows, out, length), rows, np.array(chance, np.float64))


def with_gain(r: Rankings, gain: GainOfGrade) -> Rankings:
    """The rankings without slots for documents that have no gain: fewer to tell apart, where all of those are alike."""
    has_gain = gain_of(r.grade, gain) > 0
    slots = np.argsort(~has_gain, axis=-1, kind="stable")[:, : int(has_gain.sum(axis=-1).max(initial=0))]
    some = np.take_along_axis(has_gain, slots, axis=-1)
    past = r.length[:, None] + 2
    return replace(
        r,
        start=np.where(some, np.take_along_axis(r.start, slots, axis=-1), past),
        stop=np.where(some, np.take_along_axis(r.stop, slots, axis=-1), past),
        grade=np.where(some, np.take_along_axis(r.grade, slots, axis=-1), np.nan),
        judgment=np.where(some, np.take_along_axis(r.judgment, slots, axis=-1), -1),
    )


def _ways(r: Rankings, row: int, length: int) -> Iterator[tuple[float, np.ndarray]]:
    """Chances, and which slots of a row are dropped."""
    past = r.start[row] > length
    tied = np.flatnonzero(~past & (r.stop[row] > length))
    if not len(tied):
        yield 1.0, past
        return
    size, stay = int(r.size[row, tied[0]]), length - int(r.start[row, tied[0]]) + 1
    # Preferences know documents one by one; otherwise those of a grade are alike, and unlisted ones have no grade.
    kind = tied.astype(np.float64) if r.pairs is not None else r.grade[row, tied]
    alike = [tied[kind == each] for each in distinct(kind[~np.isnan(kind)])]
    counts = [len(slots) for slots in alike]
    unjudged = tied[np.isnan(kind)]
    for share, each in _draws([*counts, size - sum(counts)], stay, seed_of(r, row)):
        out = past.copy()
        out[tied] = True
        for slots, number in zip([*alike, unjudged], [*each, stay - sum(each)], strict=True):
            out[slots[:number]] = False
        yield share, out


def _draws(counts: list[int], stay: int, seed: int) -> Iterator[tuple[float, tuple[int, ...]]]:
    """How many of each kind are among the documents that stay, with the chance of it."""
    *listed, rest = counts
    if math.prod(count + 1 for count in listed) > ORDERINGS:
        drawn = np.random.default_rng(seed).multivariate_hypergeometric(counts, stay, SAMPLED)
        yield from ((1.0 / SAMPLED, tuple(each)) for each in drawn[:, :-1].tolist())
        return
    every = math.comb(sum(counts), stay)
    for each in product(*(range(count + 1) for count in listed)):
        if 0 <= stay - sum(each) <= rest:
            ways = math.prod(map(math.comb, counts, (*each, stay - sum(each))))
            yield ways / every, each


def _cut(r: Rankings, rows: Rows, out: np.ndarray, length: int) -> Rankings:
    some = r.take(rows)
    start = np.where(out, length + 2, some.start)
    stop = np.where(out, length + 2, np.minimum(some.stop, length))
    grade, judgment = np.where(out, np.nan, some.grade), np.where(out, -1, some.judgment)
    # What is dropped moves to the end, as padding; the terminal document stays in the last slot, at its own rank.
    last = np.arange(start.shape[1]) == start.shape[1] - bool(r.terminal)
    place = np.argsort(np.where(last, length + 3, start), axis=-1, kind="stable")
    start, stop, grade, judgment = (np.take_along_axis(x, place, axis=-1) for x in (start, stop, grade, judgment))
    if r.terminal:
        start[:, -1] = stop[:, -1] = length + 1
    return replace(
        some,
        start=start,
        stop=stop,
        grade=grade,
        judgment=judgment,
        length=np.full(len(rows), length),
        pairs=None if some.pairs is None else _pairs(some.pairs, out, place),
    )


def _pairs(pairs: Rows, out: np.ndarray, place: Rows) -> Rows:
    """Preferences of the cut lists: a document that was dropped is not retrieved."""
    moved = np.where(out, -1, np.argsort(place, axis=-1))
    moved = np.column_stack([moved, np.full(len(moved), -1)])  # Slot -1 is not retrieved, and stays so.
    row, better, worse = pairs.T
    return np.column_stack([row, moved[row, better], moved[row, worse]])
