"""Cases laid out as blocks of rankings, once for all measures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.questions.properties.examples import Example

ROOM = 1 << 18
"""Slots of a block."""
_NO_LEVEL = -1


@dataclass(frozen=True, eq=False)
class Block:
    """Cases of one top level and depth, and of similar length."""

    rows: Rows
    """Where the examples stand among all."""
    examples: tuple[Example, ...]
    length: Rows
    level: Rows
    """Levels in rank order, a row an example; -1 past the end."""
    pool: Rows
    """Levels of the relevant documents, descending, padded with 0."""
    judged: Rows
    _made: dict[tuple[tuple[float, ...], str], Rankings] = field(default_factory=dict)

    @classmethod
    def of(cls, examples: Sequence[Example], rows: Sequence[int]) -> Block:
        """Some of the examples."""
        some = tuple(examples[row] for row in rows)
        level, length = _padded([example.grades for example in some], _NO_LEVEL)
        pool, relevant = _padded([example.pool for example in some], 0)
        judged = relevant + np.array([example.others for example in some], np.int64)
        return cls(np.array(rows, np.int64), some, length, level, pool, judged)

    @property
    def top(self) -> int:
        """The highest level there is."""
        return self.examples[0].top

    @property
    def depth(self) -> int | None:
        """How deep a measure is to look."""
        return self.examples[0].depth

    def within(self, size: int) -> Block:
        """The examples that a collection of some size has room for: their documents are listed or relevant."""
        documents = self.length + (self.pool > 0).sum(axis=-1) - (self.level > 0).sum(axis=-1)
        if (documents <= size).all():
            return self
        fits = np.flatnonzero(documents <= size)
        return replace(Block.of(self.examples, fits.tolist()), rows=self.rows[fits])

    def rankings(self, grades: tuple[float, ...], terminal: str = "") -> Rankings:
        """What a measure sees; ``grades`` are those of the levels from 0 on."""
        if (grades, terminal) not in self._made:
            self._made[grades, terminal] = self._rankings(np.array(grades), terminal)
        return self._made[grades, terminal]

    def _rankings(self, grades: Floats, terminal: str) -> Rankings:
        level = np.pad(self.level, ((0, 0), (0, bool(terminal))), constant_values=_NO_LEVEL)
        rank = np.arange(1, level.shape[1] + 1)
        # Padding stands past the list and past a terminal document.
        start = np.where(level >= 0, rank, self.length[:, None] + 2)
        if terminal:
            start[:, -1] = self.length + 1
        return Rankings(
            topic=np.arange(len(level)),
            start=start,
            stop=start,
            grade=np.where(level >= 0, grades[level], np.nan),
            judgment=np.where(level >= 0, rank - 1, -1),
            length=self.length,
            pool=-np.sort(-grades[self.pool], axis=-1),
            judged=self.judged,
            max_grade=float(grades.max()),
            terminal=terminal,
        )


def blocks(examples: Sequence[Example]) -> tuple[Block, ...]:
    """All examples, in as few blocks as padding allows.

    >>> from truerank.questions.properties.examples import drawn
    >>> [block.rows.tolist() for block in blocks([drawn((1,)), drawn((0,) * 9), drawn((0,)), drawn((0, 1)).at(1)])]
    [[0, 2], [1], [3]]
    """
    alike: dict[tuple[int, int | None, int], list[int]] = {}
    for row, example in enumerate(examples):
        size = max(len(example.grades), len(example.pool))
        alike.setdefault((example.top, example.depth, size.bit_length()), []).append(row)
    return tuple(
        Block.of(examples, rows[first : first + at_once])
        for (_, _, bits), rows in alike.items()
        for at_once in [max(ROOM >> bits, 1)]
        for first in range(0, len(rows), at_once)
    )


def _padded(lists: list[tuple[int, ...]], padding: int) -> tuple[Rows, Rows]:
    """Lists as rows of one array, and their lengths."""
    length = np.array([len(each) for each in lists], np.int64)
    table = np.full((len(lists), int(length.max(initial=0))), padding, np.int64)
    table[np.arange(table.shape[1]) < length[:, None]] = [level for each in lists for level in each]
    return table, length
