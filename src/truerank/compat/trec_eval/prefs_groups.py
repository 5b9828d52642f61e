"""What one group of trec_eval's judgments prefers, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from truerank.compat.trec_eval.prefs_lines import Lines
from truerank.data.arrays import Array, Floats, Mask, Rows
from truerank.data.printing import shown


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Judgments of one group, those of documents that the run puts first coming first.

    A place counts judged documents: 0 is the first one retrieved, and those that were not retrieved come last.
    """

    place: Rows
    """Place of each judgment's document, never decreasing."""
    grade: Floats
    prefers: Mask
    """prefers[a, b]: a is preferred to b."""
    partial: bool
    """Whether the preferences come from several subgroups, so that two different grades need not be a preference."""

    def first(self, count: int) -> Group:
        """The group as if it had judged no other documents than its first ones."""
        return Group(self.place[:count], self.grade[:count], self.prefers[:count, :count], self.partial)

    def opinions(self) -> tuple[Rows, Array]:
        """The places, each once, and how often the document at one is preferred to that at another.

        A line that stands twice in a file is two opinions.
        """
        first = np.flatnonzero(np.diff(self.place, prepend=-1))
        if len(first) == len(self.place):
            return self.place, self.prefers
        times = np.add.reduceat(self.prefers, first, axis=0, dtype=np.int32)
        return self.place[first], np.add.reduceat(times, first, axis=1)


def group_of(lines: Lines, subgroups: Mapping[bytes, Rows], place: Rows) -> Group:
    """The group that judged the lines of some subgroups; ``place`` has the place of every line's document."""
    rows = np.concatenate(list(subgroups.values()))
    rows = rows[np.argsort(place[rows], kind="stable")]
    return _partial(lines, subgroups, rows, place) if len(subgroups) > 1 else _complete(lines, rows, place)


def _complete(lines: Lines, rows: Rows, place: Rows) -> Group:
    """One subgroup: a is preferred to b if its grade is higher."""
    at, grade = place[rows], lines.grade[rows]
    twice = np.flatnonzero((at[1:] == at[:-1]) & (grade[1:] != grade[:-1]))
    if len(twice):
        row = int(rows[twice[0] + 1])
        raise lines.error(row, f"document {shown(lines.docs[row])} has two different grades; keep one of the two")
    return Group(at, grade, grade[:, None] > grade, partial=False)


def _partial(lines: Lines, subgroups: Mapping[bytes, Rows], rows: Rows, place: Rows) -> Group:
    """Several subgroups: preferences of any of them, and what follows from a > b and b > c."""
    new = np.diff(place[rows], prepend=-1) > 0
    own, document = lines.grade[rows], np.cumsum(new) - 1
    zero = np.zeros(len(rows), dtype=np.bool_)
    zero[document[own == 0]] = True
    unsure = zero[document] & (own > 0)
    if unsure.any():
        row = int(rows[unsure][0])
        problem = f"document {shown(lines.docs[row])} has a grade of 0 and a higher one"
        raise lines.error(row, f"{problem}; 0 means not relevant: give it in all subgroups or in none")
    rows = rows[new]
    prefers = np.zeros((len(rows), len(rows)), dtype=np.bool_)
    for part in subgroups.values():
        at = np.searchsorted(place[rows], place[part])
        better, worse = np.nonzero(lines.grade[part][:, None] > lines.grade[part])
        prefers[at[better], at[worse]] = True
    prefers = closure(prefers)
    np.fill_diagonal(prefers, False)
    clash = np.argwhere(prefers & prefers.T)
    if len(clash):
        one, other = (int(rows[index]) for index in clash[0])
        both = f"documents {shown(lines.docs[one])} and {shown(lines.docs[other])}"
        raise lines.error(one, f"{both} are each preferred to the other; put opinions that differ in different groups")
    return Group(place[rows], own[new], prefers, partial=True)


def closure(relation: Mask) -> Mask:
    """The transitive closure of a relation (Warshall 1962).

    >>> closure(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], bool)).astype(int).tolist()
    [[0, 1, 1], [0, 0, 1], [0, 0, 0]]
    """
    reached: Mask = relation.copy()
    for middle in range(len(reached)):
        reached[reached[:, middle]] |= reached[middle]
    return reached
