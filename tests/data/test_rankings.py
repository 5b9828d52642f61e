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
    whole, some = block(), block().take(np.array(rows, np.int64))
    for name in ("topic", "start", "stop", "grade", "judgment", "length", "pool", "judged", "pool_rank"):
        assert getattr(some, name).tolist() == [getattr(whole, name)[row].tolist() for row in rows]
    expected = [[new, *pair[1:]] for new, row in enumerate(rows) for pair in PAIRS.tolist() if pair[0] == row]
    assert some.pairs is not None
    assert some.pairs.tolist() == expected


def test_only_neighbours_with_equal_numbers_are_tied() -> None:
    one = Rankings.single([2, 1, 0, 1], groups=[0, 1, 1, 0])
    assert (one.start.tolist(), one.stop.tolist()) == ([[1, 2, 2, 4]], [[1, 3, 3, 4]])
    with pytest.raises(InputError, match="groups has 1 numbers for 2 grades"):
        Rankings.single([1, 0], groups=[0])
