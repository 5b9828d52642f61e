"""The ranks that a run states itself, beside its scores."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from truerank.data.arrays import Floats, Ints, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.decimals import decimals
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.parallel import blocks, parallel
from truerank.data.printing import shown

IS_SPACE: Mask = np.isin(np.arange(256), list(b" \t\n\r\v\f"))
"""Bytes that stand between the columns of a line."""
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class RankText:
    """The rank column of a TREC file, row by row: what stands behind each document's id in the text of the file.

    Scores order a run, and few questions ask for its ranks. So they are read when one does, and only those asked for:
    to read them all would make every reader of a run wait.

    >>> docs = Ids(np.frombuffer(b"q Q0 d7  3 1.5 t", np.uint8), np.array([5]), np.array([2]))
    >>> RankText(docs).read().tolist()
    [3.0]
    """

    docs: Ids

    def take(self, rows: Ints) -> RankText:
        """The column with some of its rows only."""
        return RankText(self.docs.take(rows))

    def read(self) -> Floats:
        """The ranks; refused where one is no number."""
        rank: Floats = np.empty(len(self.docs))

        def read(rows: slice) -> None:
            begin, end = self._rank_fields(rows)
            rank[rows], bad = decimals(self.docs.buffer, begin, end)
            if len(bad):
                doc, field = (
                    self.docs[rows.start + int(bad[0])],
                    self.docs.buffer[begin[bad[0]] : end[bad[0]]].tobytes(),
                )
                raise InputError(f"the rank of document {shown(doc)} is {shown(field)}; give a number")

        parallel(read, blocks(len(rank), _BLOCK))
        return rank

    def scores(self) -> list[bytes]:
        """The column behind the ranks, that of scores, as it is written.

        >>> docs = Ids(np.frombuffer(b"q Q0 d7  3 1.50 t", np.uint8), np.array([5]), np.array([2]))
        >>> RankText(docs).scores()
        [b'1.50']
        """
        _, rank_end = self._rank_fields(slice(None))
        begin, end = self._next_fields(rank_end)
        text = self.docs.buffer
        return [text[a:b].tobytes() for a, b in zip(begin.tolist(), end.tolist(), strict=True)]

    def _rank_fields(self, rows: slice) -> tuple[Rows, Rows]:
        """Where the ranks of some rows begin and end in the text: the column after the documents."""
        return self._next_fields(self.docs.start[rows].astype(np.intp) + self.docs.length[rows])

    def _next_fields(self, after: Rows) -> tuple[Rows, Rows]:
        """Where the first fields after some positions begin and end in the text."""
        text, last = self.docs.buffer, self.docs.buffer.size - 1
        begin = after.copy()
        while (blank := IS_SPACE[text[begin]]).any():
            begin += blank
        end = begin.copy()
        while (inside := ~IS_SPACE[text[np.minimum(end, last)]] & (end <= last)).any():
            end += inside
        return begin, end


Ranks: TypeAlias = Floats | RankText
"""A rank for each row: numbers where a table has them, or text."""


def ranks_at(column: Ranks, rows: Rows) -> Floats:
    """The ranks of some rows; refused where one is no number.

    >>> ranks_at(np.array([3.0, 1.0, 2.0]), np.array([2, 0])).tolist()
    [2.0, 3.0]
    """
    some = column.take(rows)
    return some.read() if isinstance(some, RankText) else some
