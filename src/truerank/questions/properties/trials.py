"""Trials: rankings of which a property says that some score more than others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Mask, Rows
from truerank.questions.properties.examples import Example

SIDE = 2
"""Cases of a side at most: their scores are added up."""
NONE = -1


class Trial(NamedTuple):
    """One instance of a property: ``more`` should score more than ``less``, each side the sum of its scores."""

    more: tuple[Example, ...]
    less: tuple[Example, ...] = ()
    of: Example | None = None
    """The ranking that both were made from, where it is neither."""
    reading: str = ""
    """How the property was read."""
    number: int = 0
    """The n of a property that has one."""


@dataclass(frozen=True, eq=False)
class Trials:
    """The trials of a property as indices into the examples of a universe, the smallest first."""

    examples: Sequence[Example]
    more: Rows
    less: Rows
    of: Rows
    reading: tuple[str, ...]
    number: Rows
    length: Rows
    """Of the longest ranking in each."""

    def __len__(self) -> int:
        return len(self.more)

    def __getitem__(self, index: int) -> Trial:
        of = int(self.of[index])
        return Trial(
            self._side(self.more[index]),
            self._side(self.less[index]),
            None if of == NONE else self.examples[of],
            self.reading[index],
            int(self.number[index]),
        )

    def _side(self, side: Rows) -> tuple[Example, ...]:
        return tuple(self.examples[example] for example in side.tolist() if example != NONE)

    @property
    def readings(self) -> tuple[str, ...]:
        """The readings that there are, in the order in which they come."""
        return tuple(dict.fromkeys(self.reading))

    def read(self, reading: str) -> Mask:
        """Which trials belong to a reading."""
        return np.array([each == reading for each in self.reading], bool)


class Universe:
    """The examples that properties ask about: each is scored once, however many trials it is in."""

    def __init__(self) -> None:
        self.examples: list[Example] = []
        self._index: dict[Example, int] = {}

    def add(self, example: Example) -> int:
        """The number of an example."""
        found = self._index.setdefault(example, len(self.examples))
        if found == len(self.examples):
            self.examples.append(example)
        return found

    def ask(self, trials: Iterable[Trial]) -> Trials:
        """Take the examples of trials in."""
        rows, reading = [], []
        for more, less, of, read, number in trials:
            sides = [self.add(example) for example in more], [self.add(example) for example in less]
            length = max(len(example.grades) for example in (*more, *less))
            padded = [index for side in sides for index in (*side, *[NONE] * (SIDE - len(side)))]
            rows.append((*padded, NONE if of is None else self.add(of), number, length))
            reading.append(read)
        table = np.array(rows, np.int64).reshape(-1, 2 * SIDE + 3)
        return Trials(
            self.examples,
            table[:, :SIDE],
            table[:, SIDE : 2 * SIDE],
            table[:, 2 * SIDE],
            tuple(reading),
            table[:, 2 * SIDE + 1],
            table[:, 2 * SIDE + 2],
        )


def scores_of(side: Rows, value: Floats) -> tuple[float, ...]:
    """The scores of a side, example by example."""
    return tuple(float(value[example]) for example in side.tolist() if example != NONE)
