"""Blocks of rankings, row by row."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.data.rankings import Rankings

ROWS = 4
PAIRS = np.array([[0, 0, 1], [3, 1, 0], [1, 2, -1], [0, 2, 0], [3, -1, 2]])


def block() -> Rankings:
    """Rows that all differ, with preferences in no order of rows."""
    one = Rankings.single([2, 1, 0])
    row = np.arange(ROWS)
    many: dict[str, Any] = {
        name: np.repeat(getattr(one, name), ROWS, axis=0) for name in ("start", "stop", "judgment", "pool")
    }
    return replace(
        one,
        **many,
        topic=row + 10,
        grade=one.grade + row[:, None],
        length=row + 3,
        judged=row + 3,
        pool_rank=np.add.outer(row, np.arange(2)),
        pairs=PAIRS,
    )


@pytest.mark.parametrize("rows", [[], [2], [0, 3], [3, 0, 0, 1]], ids=str)
def test_rows_are_taken_with_all_that_belongs_to_them(rows: list[int]) -> None:
    whole, some = block(), block().take(np.array(rows, np.intp))
    for name in ("topic", "start", "stop", "grade", "judgment", "length", "pool", "judged", "pool_rank"):
        assert getattr(some, name).tolist() == [getattr(whole, name)[row].tolist() for row in rows]
    expected = [[new, *pair[1:]] for new, row in enumerate(rows) for pair in PAIRS.tolist() if pair[0] == row]
    assert some.pairs is not None
    assert some.pairs.tolist() == expected


def test_groups_that_begin_within_a_depth() -> None:
    one = Rankings.single([2, 1, 0, 1, 1, 0], groups=[0, 0, 1, 2, 2, 2])
    many = replace(
        one, start=np.repeat(one.start, 2, axis=0), stop=np.repeat(one.stop, 2, axis=0), length=np.full(2, 6)
    )
    for depths in ([3, 3], [4, 1], [1, 0], [9, 9]):
        some = many.shared_within(np.array(depths)[:, None])
        whole = [(row, first) for row, depth in enumerate(depths) for first in (1, 4) if first <= depth]
        assert [*zip(some.groups.row.tolist(), some.groups.start.tolist(), strict=True)] == whole
        assert some.groups.size.tolist() == [2 if first == 1 else 3 for _, first in whole]
        assert some.group.tolist() == [at for at, (_, first) in enumerate(whole) for _ in range(2 if first == 1 else 3)]
        assert (
            some.flat.tolist()
            == np.flatnonzero((many.stop > many.start) & (many.start <= np.array(depths)[:, None])).tolist()
        )
    assert many.shared_within(many.depth(None)) is many.shared


def test_only_neighbours_with_equal_numbers_are_tied() -> None:
    one = Rankings.single([2, 1, 0, 1], groups=[0, 1, 1, 0])
    assert (one.start.tolist(), one.stop.tolist()) == ([[1, 2, 2, 4]], [[1, 3, 3, 4]])
    with pytest.raises(InputError, match="groups has 1 numbers for 2 grades"):
        Rankings.single([1, 0], groups=[0])
