from __future__ import annotations

from typing import Any

import pytest
from tests.questions.choose.leaves import LEAVES

from truerank.questions.choose.question import choose
from truerank.questions.choose.work import patience

RBPU, ERRU, RBU, OIE = LEAVES[11][0], LEAVES[12][0], LEAVES[13][0], LEAVES[15][0]


@pytest.mark.parametrize("depth", [1, 1.5, 2, 7, 10, 33, 1000, 123456, 1_000_000])
def test_patience_means_that_many_documents(depth: float) -> None:
    p = patience(depth)
    assert p < 1
    assert 1 / (1 - p) == pytest.approx(depth, rel=0.06)
    assert len(f"{p:.15g}") <= 10


@pytest.mark.parametrize("answers", [RBPU, ERRU, RBU, OIE], ids=["RBPU", "ERRU", "RBU", "OIE"])
def test_costs_are_such_that_a_lone_hit_equals_silence(answers: dict[str, Any]) -> None:
    measure = choose(**answers, silence_at=20).measure
    silence = measure.of([], pool=[1.0])
    assert measure.of([0.0] * 19 + [1.0]) == pytest.approx(silence, abs=1e-9)
    assert measure.of([0.0] * 18 + [1.0]) > silence
    paid = choose(**answers, pays_for=20).measure
    assert paid.of([1.0] + [0.0] * 19) == pytest.approx(paid.of([], pool=[1.0]), abs=1e-9)


def test_costs_are_those_of_a_hit_of_the_highest_grade() -> None:
    qrels = {"q1": {"a": 1, "b": 4}, "q2": {"a": 2}}
    two, graded = choose(**RBU, silence_at=20), choose(qrels, **RBU, silence_at=20)
    assert graded.measure != two.measure
    assert graded.measure(max_rel=4).of([0.0] * 19 + [4.0]) == pytest.approx(0, abs=1e-12)
    assert choose({"q1": {"a": 0}}, **RBU, silence_at=20).measure == two.measure


def test_parameters_say_why() -> None:
    found = choose(**RBPU, silence_at=20)
    assert [each.name for each in found.parameters] == ["p", "e"]
    assert found.parameters[0].because.startswith("1 - 1/10, with which readers see 10 documents on average; 35%")
    assert found.parameters[1].because == "so that silence_at = 20"
    assert found.label == "RBPU(p=0.9,e=0.015378)"
    assert f"e={found.parameters[1].value!r}" in str(found.measure)
    assert choose(**RBPU).parameters[1].because.startswith("the usual value")
    assert [(each.name, each.value) for each in choose(**OIE).parameters] == [("size", 20000), ("beta", 1.05)]
    assert [(each.name, each.value) for each in choose(**LEAVES[2][0]).parameters] == [("cutoff", 10)]


def test_a_size_that_is_not_known_is_said_to_be_assumed() -> None:
    found = choose(**{**OIE, "size": None})
    assert str(found.measure) == "OIE"
    assert found.notices == ("OIE: a collection of 1,000,000 documents is assumed; give size=",)
