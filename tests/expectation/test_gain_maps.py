"""Quantities: what is made of gain maps, in every slot, past the end of a list and in a terminal document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import Count
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Hit, Map, Nonrelevant, Quantity, identity, linear
from truerank.expectation.information import Information
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat

GRADE = Map(identity)
HIT = Hit(GRADE)
R = Rankings.single([3, 0, float("nan"), 1, -1], pool=[3, 2, 1, 0])

MADE: list[tuple[Quantity, Callable[[Any, Any], Any]]] = [
    (1.0 * GRADE, lambda g, h: g),
    (GRADE * 3, lambda g, h: 3 * g),
    (1 - GRADE, lambda g, h: 1 - g),
    (GRADE - 1, lambda g, h: g - 1),
    (-GRADE, lambda g, h: -g),
    (HIT + 0.1 * GRADE, lambda g, h: h + 0.1 * g),
    (2 * (1 - 0.5 * GRADE) - HIT, lambda g, h: 2 - g - h),
    (np.float64(0.3) * GRADE + np.intp(2), lambda g, h: 0.3 * g + 2),
    (GRADE - GRADE + 4, lambda g, h: 4 + 0 * g),
]


@pytest.mark.parametrize(("made", "expected"), MADE, ids=range(len(MADE)))
def test_arithmetic_is_that_of_the_arrays(made: Quantity, expected: Callable[[Any, Any], Any]) -> None:
    gain, hit = R.gains(GRADE), R.gains(HIT)
    np.testing.assert_array_equal(made.over(R), expected(gain, hit))


@pytest.mark.parametrize(("made", "expected"), MADE, ids=range(len(MADE)))
def test_past_the_end_it_is_the_same_of_the_grade_there(made: Quantity, expected: Callable[[Any, Any], Any]) -> None:
    assert made.beyond(replace(R, beyond=2.0)) == expected(2.0, 1.0)
    assert made.beyond(R) == 0.0  # Without documents there is nothing.


@pytest.mark.parametrize(("made", "expected"), MADE, ids=range(len(MADE)))
def test_shares_add_up_to_the_terminal_document(made: Quantity, expected: Callable[[Any, Any], Any]) -> None:
    ended = replace(R, terminal="once")
    for r in (ended, replace(ended, pool=np.zeros((1, 0)), grade=np.zeros((1, 5)))):
        terminal = made.over(r)[0, -1]
        assert made.shares(r).sum() == pytest.approx(terminal)
        assert terminal == pytest.approx(expected(r.gains(GRADE)[0, -1], r.gains(HIT)[0, -1]))


def test_equal_sums_are_equal_and_share_what_was_worked_out() -> None:
    assert 1.0 * GRADE is GRADE
    assert 0.5 * (2 * GRADE) == GRADE == 1 - (1 - GRADE)
    assert 2 * GRADE + HIT == GRADE + GRADE + HIT
    assert hash(1 - GRADE) == hash(1 + -1 * Map(identity))
    assert 1 - Map(linear) != 1 - GRADE
    assert (1.0 * Map(identity)).over(R) is GRADE.over(R)


def test_marks_of_judged_documents_without_gain() -> None:
    assert Nonrelevant(GRADE).over(R).tolist() == [[0, 1, 0, 0, 1]]
    assert Nonrelevant(Map(identity, level=2)).over(R).tolist() == [[0, 1, 0, 1, 1]]
    assert Nonrelevant(GRADE).over(replace(R, negative_judged=False)).tolist() == [[0, 1, 0, 0, 0]]


@pytest.mark.parametrize("wrong", [np.ones(3), "2", None, [1.0], True], ids=repr)
def test_other_things_are_refused_with_what_to_do(wrong: Any) -> None:
    for operation in (lambda: wrong * GRADE, lambda: GRADE * wrong, lambda: GRADE + wrong, lambda: wrong - GRADE):
        with pytest.raises(TypeError, match="write a Map"):
            operation()


def test_gains_are_not_multiplied_by_each_other() -> None:
    with pytest.raises(TypeError, match="multiplied by numbers"):
        GRADE * HIT  # type: ignore[operator]


@pytest.mark.parametrize(
    "made",
    [
        lambda x: Gain(Flat(), x),
        lambda x: Pair(Flat(), x, GRADE),
        lambda x: Pair(Flat(), GRADE, x),
        lambda x: Cascade(Flat(), x, 1 - GRADE),
        lambda x: Cascade(Flat(), GRADE, x),
        lambda x: Count(x, HIT, lambda count, row: count),
        lambda x: Count(GRADE, x, lambda count, row: count),
        lambda x: Information(x, 1.0, 100),
    ],
)
@pytest.mark.parametrize("array", [R.gains(GRADE), 1.0 - R.gains(GRADE), lambda grade: grade], ids=["x", "1-x", "map"])
def test_terms_refuse_arrays(made: Callable[[Any], object], array: Any) -> None:
    with pytest.raises(
        TypeError, match=r"takes a gain map for (gain|seen|keep|counted), such as (1 - )?self\.gain\(r\)"
    ):
        made(array)


@pytest.mark.parametrize(
    "made",
    [
        lambda: Gain(Flat(), 1 - GRADE),
        lambda: Pair(Flat(), 1 - GRADE, GRADE),
        lambda: Pair(Flat(), GRADE, GRADE + 1),
        lambda: Cascade(Flat(), 1 - GRADE, 1 - GRADE),
        lambda: Cascade(Flat(), GRADE, 0.9 - GRADE),
        lambda: Cascade(Flat(), GRADE, GRADE),
        lambda: Count(GRADE, 1 - GRADE, lambda count, row: count),
    ],
)
def test_terms_refuse_what_unjudged_documents_would_have_to_count_for(made: Callable[[], object]) -> None:
    """They have no slot in rankings, so that their part in a sum would be missing without a word."""
    with pytest.raises(ValueError, match="for unjudged documents"):
        made()
