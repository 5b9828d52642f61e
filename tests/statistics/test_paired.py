"""Topics without a value for some system."""

from __future__ import annotations

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.data.errors import InputError
from truerank.statistics.paired import complete
from truerank.statistics.student import student

NAN = float("nan")


@pytest.mark.parametrize(
    ("lost", "note"),
    [
        ([], None),
        ([(1, 2)], "1 topic of 6 is left out, where system 1 has no value"),
        ([(1, 2), (1, 4)], "2 topics of 6 are left out, where system 1 has no value"),
        ([(0, 2), (1, 2), (2, 5)], "2 topics of 6 are left out, where one of 3 systems has no value"),
    ],
)
def test_topics_are_left_out_for_all(lost: list[tuple[int, int]], note: str | None) -> None:
    values = scores(1, 3, 6)
    holes = values.copy()
    for system, topic in lost:
        holes[system, topic] = NAN
    found = complete(holes)
    kept = [topic for topic in range(6) if topic not in {topic for _, topic in lost}]
    np.testing.assert_array_equal(found.scores, values[:, kept])
    assert np.flatnonzero(found.kept).tolist() == kept
    assert found.notes == (() if note is None else (note,))


def test_infinite_scores_are_no_scores() -> None:
    assert complete([[1.0, np.inf], [1.0, 2.0]]).scores.tolist() == [[1.0], [1.0]]


def test_nothing_left_is_refused() -> None:
    with pytest.raises(InputError, match="no topic has a value for all of 2 systems"):
        complete([[1.0, NAN], [NAN, 2.0]])
    with pytest.raises(InputError, match="one row a system"):
        complete([1.0, 2.0])


@pytest.mark.parametrize("scale", [1e141, -1e141, 1e308])
def test_scores_without_squares_are_refused(scale: float) -> None:
    with pytest.raises(InputError, match=r"up to 1e\+140 they can be compared; divide them all"):
        student(scale * np.array([[0.1, 0.5, 1.0], [0.2, 0.4, 0.6]]))


def test_scores_are_compared_whatever_their_size() -> None:
    some = np.array([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]])
    with np.errstate(all="raise"):
        assert student(1e140 * some).p == pytest.approx(student(some).p)
