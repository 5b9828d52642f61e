"""Measures of one's own: broken ones are caught, with a witness that is short."""

from __future__ import annotations

import math

import numpy as np
import pytest

import truerank as tr
from truerank.questions.properties.property import Witness
from truerank.questions.properties.question import Verdict, properties


def check(function: object, name: str) -> Verdict:
    [found] = properties(tr.measure(function, name="mine"), property=name).verdicts  # type: ignore[arg-type]
    return found


def late(ranking: tr.Ranking) -> float:
    """Hits are worth more, the further down they stand."""
    return float(sum(grade * rank for rank, grade in enumerate(ranking.grades, 1))) / 100


def unordered(ranking: tr.Ranking) -> float:
    return float(ranking.grades.sum())


def long(ranking: tr.Ranking) -> float:
    return len(ranking) / 10 + float(ranking.grades.sum())


def endless(ranking: tr.Ranking) -> float:
    return float(np.exp2(ranking.grades.sum()))


def second(ranking: tr.Ranking) -> float:
    """Looks at the second document only."""
    return float(ranking.grades[1]) if len(ranking) > 1 else 0.0


def generous(ranking: tr.Ranking) -> float:
    """The more there was to find, the better."""
    return float(ranking.grades.sum()) * len(ranking.pool)


@pytest.mark.parametrize(
    ("function", "name", "outcome", "length"),
    [
        (late, "Priority", "reversed", 2),
        (late, "Top-weightedness", "equal", 4),
        (unordered, "Priority", "equal", 2),
        (unordered, "Top-weightedness", "equal", 4),
        (long, "Confidence", "reversed", 2),
        (second, "Priority", "reversed", 2),
        (second, "Convergence", "equal", 1),
        (generous, "Recall", "reversed", 1),
        (endless, "Redundancy", "reversed", 2),
    ],
)
def test_what_is_broken_is_caught(function: object, name: str, outcome: str, length: int) -> None:
    found = check(function, name)
    assert found.outcome == outcome
    assert found.holds is False
    assert found.witness.length == length <= 4


@pytest.mark.parametrize("function", [late, unordered, long, endless, generous])
def test_what_has_no_bound_is_caught(function: object) -> None:
    assert check(function, "Boundedness").outcome == "fails"


def average_precision(ranking: tr.Ranking) -> float:
    hits, total = 0, 0.0
    for rank, grade in enumerate(ranking.grades, 1):
        hits += grade > 0
        total += hits / rank * (grade > 0)
    return total / len(ranking.pool)


def test_average_precision_written_by_hand_is_average_precision() -> None:
    names = ["Priority", "Top", "Deepness", "Shallowness", "Confidence", "Redundancy", "Completeness", "Localisation"]
    own, ours = properties(tr.measure(average_precision), property=names), properties("AP", property=names)
    for name, found in own["average_precision"].items():
        assert found.outcome == ours["AP"][name].outcome
        assert found.scales[0].decisive.witness.said == ours["AP"][name].scales[0].decisive.witness.said


def test_whether_grades_play_a_part_is_found_out() -> None:
    assert check(average_precision, "Priority").scales[0].scale == "Rel = 1"
    assert check(unordered, "Priority").scales[0].scale == "grades as they are"


def test_division_by_nothing_is_undefined() -> None:
    found = check(average_precision, "Completeness")
    assert found.outcome == "fails"
    assert math.isnan(found.witness.more_scores[0])
    assert found.witness.said == "0, R = 0: undefined"


def test_a_function_without_a_value_has_no_verdict() -> None:
    found = check(lambda ranking: math.nan, "Priority")
    assert (found.outcome, found.holds) == ("undefined", None)
    assert found.witness == Witness("there is no case in which the scores are defined")


def test_a_cutoff_is_kept() -> None:
    [found] = properties(tr.measure(unordered) @ 1, property="Priority").verdicts
    assert found.outcome == "equal"
    assert [found.witness.less[0].list, found.witness.more[0].list] == ["001", "010"]


def test_nothing_to_find_is_undefined_for_a_function_that_looks_for_the_best() -> None:
    assert check(lambda ranking: ranking.grades[0] / max(ranking.pool), "Completeness").outcome == "fails"
    assert check(lambda ranking: ranking.grades[0] / ranking.pool[0], "Recall").outcome == "equal"


@pytest.mark.parametrize(
    ("function", "given"),
    [
        (lambda ranking: ranking.nothing, r"grades \[0.0\] and pool \[\]: AttributeError: .*; mend it"),
        (lambda ranking: "much", r"grades \[0.0\] and pool \[2.0\]: ValueError: .*; mend it"),
    ],
)
def test_errors_say_what_the_function_was_given(function: object, given: str) -> None:
    with pytest.raises(tr.InputError, match=f"mine failed for {given}"):
        check(function, "Recall")
