"""Every end of the figure is reached, every question is needed, and what ends say of themselves is true."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from tests.questions.choose.leaves import FIGURE, LEAVES, ONWARD

from truerank.data.errors import InputError
from truerank.measures.grammar import parse
from truerank.questions.choose.guide import QUESTIONS, paths
from truerank.questions.choose.leaves import DEEP
from truerank.questions.choose.question import choose
from truerank.questions.choose.work import OpenQuestion, filled
from truerank.questions.signature import Unanswered

YES_NO = [name for name, question in QUESTIONS.items() if not question.number]
USUAL: dict[str, Any] = dict.fromkeys(YES_NO, False) | {"depth": 10}


@pytest.mark.parametrize(("answers", "measure", "box"), LEAVES, ids=[measure for _, measure, _ in LEAVES])
def test_every_leaf_is_reached(answers: dict[str, Any], measure: str, box: str) -> None:
    found = choose(**answers)
    assert (str(found.measure), found.figure) == (measure, box)
    assert f'-m "{measure}"' in found.command
    assert parse(str(found.measure)) == found.measure
    assert answers == found.answers
    for other in found.alternatives:
        assert parse(other.measure).name
        assert "{" not in other.when


def test_these_are_all_leaves_of_the_guide_and_of_the_figure() -> None:
    reached = {parse(measure).name for _, measure, _ in LEAVES}
    ends = [way.leaf for way in paths()]
    assert {parse(filled(leaf.measure, {"depth": 10})).name for leaf in ends} == reached
    assert {leaf.figure for leaf in ends} == FIGURE == {box for _, _, box in LEAVES}
    assert len(ends) == len(LEAVES)


@pytest.mark.parametrize(("answers", "measure", "box"), LEAVES, ids=[measure for _, measure, _ in LEAVES])
def test_every_answer_is_needed_on_its_way(answers: dict[str, Any], measure: str, box: str) -> None:
    for name in answers:
        if name == "size" or (name == "redundancy" and answers["recall"] and not answers["length"]):
            continue  # What has a usual answer may be left open.
        with pytest.raises(OpenQuestion, match=f"Give {name}=") as missing:
            choose(**{other: value for other, value in answers.items() if other != name})
        assert missing.value.question is QUESTIONS[name]
        changed = 30 if QUESTIONS[name].number else not answers[name]
        if name != "depth" or "@" in measure or "p=" in measure:
            other = choose(**{**USUAL, **answers, name: changed})
            assert other.measure != choose(**answers).measure


@pytest.mark.parametrize("name", [*YES_NO, "depth", "silence_at", "pays_for", "size"])
def test_every_question_makes_a_difference_somewhere(name: str) -> None:
    values = (2, 30) if QUESTIONS[name].number else (False, True)
    assert any(
        choose(**{**answers, name: values[0]}).measure != choose(**{**answers, name: values[1]}).measure
        for bits in product((False, True), repeat=len(YES_NO))
        for answers in [{**dict(zip(YES_NO, bits, strict=True)), "depth": 10}]
    )


def test_the_first_question_comes_first() -> None:
    with pytest.raises(OpenQuestion, match="Does the system decide how long") as missing:
        choose()
    assert missing.value.question.name == "length"


@pytest.mark.parametrize("depth", [DEEP - 0.5, DEEP, DEEP + 0.5])
def test_deep_is_from_a_depth_on(depth: float) -> None:
    answers = {**LEAVES[7][0], "depth": depth}
    assert choose(**answers).measure.name == ("iRBU" if depth >= DEEP else "ERR")


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"length": "yes"}, "length is True or False, not 'yes'"),
        ({"length": 1}, "length is True or False, not 1"),
        ({"depth": 0.5}, "depth is a number from 1 to"),
        ({"depth": True}, "depth is a number"),
        ({"depth": 2_000_000}, "depth is a number from 1 to 1e"),
        ({"depth": float("nan")}, "depth is a number"),
        ({"size": -1}, "size is a number from 1 to"),
        ({"silence_at": 5, "pays_for": 5}, "each decide what a document costs"),
        ({"lenght": True}, "has no argument 'lenght'; did you mean length?"),
        ({"runs": {"q1": ["a"]}}, "give qrels too"),
        ({**LEAVES[2][0], "depth": 2.5}, "depth is a whole number here, not 2.5"),
        ({**LEAVES[-2][0], "size": 10.5}, "size is a whole number here"),
        ({**LEAVES[-2][0], "silence_at": 1}, "ask for 2 or more"),
        ({**LEAVES[11][0], "silence_at": 1.5}, "silence_at is a whole number here"),
    ],
)
def test_refused(answers: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        choose(**answers)


def test_answers_that_decide_nothing_are_named() -> None:
    answers, *_ = LEAVES[4]
    assert choose(**answers).notices == ()
    found = choose(**answers, recall=False, size=10)
    assert found.notices == ("recall, size: answered, and of no consequence after the other answers",)
    assert "recall" not in found.answers


def test_what_answers_beside_the_way_ask_for_is_held_against_the_measure() -> None:
    """An answer that decides nothing may still ask for what the measure lacks."""
    answers, *_ = LEAVES[4]
    found = choose(**answers, recall=True)
    assert found.notices == ()
    assert found.asked["Recall"]
    assert "Recall" in {verdict.property for verdict in found.lacking}
    told = [str(note) for note in found.notes()]
    assert any(text.startswith("RR: Recall was asked for, and does not hold") for text in told)
    window = choose(**LEAVES[3][0], graded=True, redundancy=True)
    assert [step.question for step in window.ignored] == ["graded"]
    assert {"Recall", "Redundancy"} == {verdict.property for verdict in window.lacking}


def test_what_was_missed_and_that_hits_add_less_and_less_are_had_together() -> None:
    """Without a length that counts the figure has AP or nDCG, which never have Redundancy."""
    found = choose(**ONWARD, recall=True, redundancy=True, graded=True, depth=10)
    assert (str(found.measure), found.figure) == ("nDCGRel", "AP or nDCG")
    assert {verdict.property for verdict in found.lacking} == {"Recall"}
    assert [step.question for step in found.ignored] == ["depth"]
    assert [other.measure for other in found.alternatives] == ["nDCG@10", "iRBU(p=0.9)", "nDCG"]


@pytest.mark.parametrize(
    ("answers", "measure"),
    [
        ({**ONWARD, "recall": True, "graded": True, "depth": 10}, "nDCG@10"),
        ({**ONWARD, "recall": True, "graded": True, "depth": 9.5}, "nDCG@10"),
        ({**ONWARD, "recall": True, "redundancy": False, "graded": False, "depth": 100}, "AP@100"),
        ({**ONWARD, "single": True, "depth": 5}, "RR@5"),
    ],
)
def test_a_depth_is_a_cutoff_where_there_is_no_other_way_to_say_it(answers: dict[str, Any], measure: str) -> None:
    found = choose(**answers)
    assert str(found.measure) == measure
    assert found.ignored == ()
    assert measure not in {other.measure for other in found.alternatives}


def test_what_may_be_left_open_is_asked_for_where_somebody_can_be_asked() -> None:
    replies: dict[str, Any] = {"redundancy": False, "graded": True, "depth": None}
    asked: list[str] = []

    def ask(missing: Unanswered) -> Any:
        asked.append(missing.parameter.name)
        return replies[missing.parameter.name]

    without = {name: reply for name, reply in ONWARD.items() if name != "single"}
    replies["single"] = False
    assert str(choose(**without, recall=True, ask=ask).measure) == "nDCG"
    assert asked == ["single", "redundancy", "graded", "depth"]
    replies["depth"] = 20
    assert str(choose(**without, recall=True, ask=ask).measure) == "nDCG@20"
    asked.clear()
    # Who has answered all that has to be is asked for nothing.
    assert str(choose(**ONWARD, recall=True, graded=True, ask=ask).measure) == "nDCG"
    assert asked == []


def test_numbers_of_numpy_are_taken() -> None:
    plain = choose(**LEAVES[11][0], silence_at=20)
    found = choose(**{name: np.array(value)[()] for name, value in {**LEAVES[11][0], "silence_at": 20}.items()})
    assert found.measure == plain.measure
    assert found.to_json() == plain.to_json()


def test_what_is_missing_is_asked_for() -> None:
    replies = {"recall": False, "redundancy": False, "depth": 10, "silence_at": None}
    asked: list[str] = []

    def ask(missing: Unanswered) -> Any:
        asked.append(missing.parameter.name)
        return replies[missing.parameter.name]

    assert str(choose(length=True, top=True, ask=ask).measure) == "RBPU(p=0.9)"
    assert asked == [*replies]
    assert str(choose(**LEAVES[11][0], ask=ask).measure) == "RBPU(p=0.9)"
    assert asked == [*replies]  # Where nothing has to be asked, what may be left open is.


@pytest.mark.parametrize("length", [True, False])
@pytest.mark.parametrize("redundancy", [True, False])
def test_readers_of_one_document_have_no_patience_to_measure(length: bool, redundancy: bool) -> None:
    answers: dict[str, Any] = {**USUAL, "length": length, "top": True, "redundancy": redundancy}
    with pytest.raises(InputError, match="readers see one document"):
        choose(**{**answers, "depth": 1})
    assert choose(**{**answers, "depth": 1.5}).measure
    window = choose(length=False, top=True, exactly=True, recall=False, depth=1)
    assert (str(window.measure), window.path[-1].means) == ("P@1", "readers see 1 document")
