"""Comparisons: rankings of which a property says that some score more than others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from truerank.analysis.properties.cases import Case
from truerank.data.arrays import Floats, Mask, Rows

SIDE = 2
"""Cases of a side at most: their scores are added up."""
NONE = -1


class Comparison(NamedTuple):
    """One instance of a property: ``more`` should score more than ``less``, each side the sum of its scores."""

    more: tuple[Case, ...]
    less: tuple[Case, ...] = ()
    of: Case | None = None
    """The ranking that both were made from, where it is neither."""
    reading: str = ""
    """How the property was read."""
    number: int = 0
    """The n of a property that has one."""


@dataclass(frozen=True, eq=False)
class Asked:
    """The comparisons of a property as indices into the cases of a universe, the smallest first."""

    cases: Sequence[Case]
    more: Rows
    less: Rows
    of: Rows
    reading: tuple[str, ...]
    number: Rows
    length: Rows
    """Of the longest ranking in each."""

    def __len__(self) -> int:
        return len(self.more)

    def __getitem__(self, index: int) -> Comparison:
        of = int(self.of[index])
        return Comparison(
            self._side(self.more[index]),
            self._side(self.less[index]),
            None if of == NONE else self.cases[of],
            self.reading[index],
            int(self.number[index]),
        )

    def _side(self, side: Rows) -> tuple[Case, ...]:
        return tuple(self.cases[case] for case in side.tolist() if case != NONE)

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings that there are, in the order in which they come."""
        return tuple(dict.fromkeys(self.reading))

    def read(self, reading: str) -> Mask:
        """Which comparisons belong to a reading."""
        return np.array([each == reading for each in self.reading], bool)


class Universe:
    """The cases that properties ask about: each is scored once, however many comparisons it is in."""

    def __init__(self) -> None:
        self.cases: list[Case] = []
        self._index: dict[Case, int] = {}

    def add(self, case: Case) -> int:
        """The number of a case."""
        found = self._index.setdefault(case, len(self.cases))
        if found == len(self.cases):
            self.cases.append(case)
        return found

    def ask(self, comparisons: Iterable[Comparison]) -> Asked:
        """Take the cases of comparisons in."""
        rows, reading = [], []
        for more, less, of, read, number in comparisons:
            sides = [self.add(case) for case in more], [self.add(case) for case in less]
            length = max(len(case.grades) for case in (*more, *less))
            padded = [index for side in sides for index in (*side, *[NONE] * (SIDE - len(side)))]
            rows.append((*padded, NONE if of is None else self.add(of), number, length))
            reading.append(read)
        table = np.array(rows, np.int64).reshape(-1, 2 * SIDE + 3)
        return Asked(
            self.cases,
            table[:, :SIDE],
            table[:, SIDE : 2 * SIDE],
            table[:, 2 * SIDE],
            tuple(reading),
            table[:, 2 * SIDE + 1],
            table[:, 2 * SIDE + 2],
        )


def scores_of(side: Rows, value: Floats) -> tuple[float, ...]:
    """The scores of a side, case by case."""
    return tuple(float(value[case]) for case in side.tolist() if case != NONE)
