"""Which scores are level, against a look at every pair; and that every question that orders systems asks this."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.statistics.level import EQUAL, above, level

NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ([], []),
        ([0.2], [0.2]),
        ([0.3, 0.1 + 0.2, 0.4], [0.3, 0.3, 0.4]),
        # On both sides of where the 12th decimal is rounded up.
        ([1 / 8192, np.nextafter(1 / 8192, 0), np.nextafter(1 / 8192, 1)], [np.nextafter(1 / 8192, 0)] * 3),
        # A thousand times the size, a thousand times the rounding.
        ([1000 * (0.1 + 0.2) + 1e-10, 300.0], [300.0, 300.0]),
        ([1e-9, 0.0], [1e-9, 0.0]),
        ([NAN, 0.5, NAN, 0.5], [NAN, 0.5, NAN, 0.5]),
        ([INF, -INF, INF, 0.0], [INF, -INF, INF, 0.0]),
        ([-0.3, -0.1 - 0.2], [-0.1 - 0.2, -0.1 - 0.2]),
    ],
)
def test_scores_that_differ_by_rounding_become_one(scores: list[float], wanted: list[float]) -> None:
    np.testing.assert_array_equal(level(scores), wanted)


def test_rows_and_axes_are_worked_on_by_themselves() -> None:
    rng = np.random.default_rng(3)
    scores = rng.integers(0, 5, (4, 6, 3)) / 7 + rng.integers(-1, 2, (4, 6, 3)) * 1e-16
    found = level(scores, axis=1)
    for row in range(4):
        for column in range(3):
            np.testing.assert_array_equal(found[row, :, column], level(scores[row, :, column]))
    apart = np.abs(found[:, :, None] - found[:, None]) > 0
    np.testing.assert_array_equal(apart, np.abs(scores[:, :, None] - scores[:, None]) > 1e-6)


def test_the_size_of_what_scores_were_made_of_counts() -> None:
    """Means about 0 of values about 1000 have the rounding of those."""
    assert level([1e-13, 0.0], size=1000.0).tolist() == [0.0, 0.0]
    assert level([1e-13, 0.0], size=1e-6).tolist() == [1e-13, 0.0]


def test_one_score_is_above_another_by_more_than_rounding() -> None:
    assert above(0.5, 0.4)
    assert not above(0.4, 0.5)
    assert not above(0.5 + EQUAL / 2, 0.5)
    assert not above(NAN, 0.5)
    assert not above(0.5, NAN)
    assert above(INF, 1.0)
    assert not above(INF, INF)
    assert above([[0.1, 0.2]], [[0.2], [0.1]]).tolist() == [[False, False], [False, True]]
