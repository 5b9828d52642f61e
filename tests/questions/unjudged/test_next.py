"""What to judge next: each document judged both ways, and everything evaluated again."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE
from truerank.questions.unjudged import hypothetical
from truerank.questions.unjudged.question import unjudged

Qrels = dict[str, dict[str, float]]
Runs = dict[str, dict[str, dict[str, float]]]

BOUNDED = [measure for measure in TABLE.values() if measure.has_bounds and not measure.needs_pool]
SOME = [
    tr.parse(text)
    for text in ("nDCG@3", "AP@2", "ERR(max_rel=4)", "AP(rel=2)", "RBP(p=0.5,gains={1:0.9,2:0.3})@4", "P@20", "Bpref")
]
CHOICES: list[dict[str, str]] = [
    {"ties": "docid", "negative": "unjudged"},
    {"missing": "skip", "no_relevant": "skip"},
    {"relevant": "run", "precision": "float32", "identical": "drop"},
]
CASES = [
    *((measure, {}) for measure in [*BOUNDED, *SOME]),
    *((measure, choice) for measure in SOME for choice in CHOICES),
]


def collection(seed: int, *, relevant: bool = True) -> tuple[Qrels, Runs]:
    """Three topics with ties, negative and odd grades; one run lacks a topic, one list is short."""
    rng = random.Random(seed)
    docs = [f"d{n}" for n in range(9)]
    qrels = {
        topic: {doc: rng.choice([0, 0, 1, 2, -1] if relevant else [0, -1]) for doc in rng.sample(docs, 4)}
        for topic in ("q1", "q2", "q3")
    }
    runs = {
        name: {t: {d: float(rng.choice([1, 2, 2, 3, 4])) for d in rng.sample(docs, n)} for t in qrels}
        for name, n in (("one", 6), ("two", 3))
    }
    del runs["two"]["q3"]
    runs["one"]["q1"]["q1"] = 2.0
    return qrels, runs


def widths(qrels: Qrels, runs: Runs, measure: Measure, topic: str, choice: dict[str, str]) -> float:
    """What is open in a topic, over all runs."""
    scores = tr.evaluate(qrels, runs, measure, unjudged="bounds", **choice)
    total = 0.0
    for run in scores.values():
        score = run[str(measure)]
        ends = {t: high - low for t, low, high in zip(score.topics, score.low_values, score.high_values, strict=True)}
        total += ends.get(topic, 0.0)
    return total


def judged(qrels: Qrels, topic: str, doc: str, grade: float) -> Qrels:
    return {**qrels, topic: {**qrels[topic], doc: grade}}


def top_grade(qrels: Qrels, measure: Measure) -> float:
    """The grade worth most of those there are, or that the measure allows for."""
    grades = sorted({g for some in qrels.values() for g in some.values()})
    allowed = [*grades, *dict(getattr(measure, "gains", None) or ()), getattr(measure, "max_rel", None) or 0]
    inside = measure if not hasattr(measure, "measure") else measure.measure
    worth = {g: inside.gain(Scale(max(grades)))(np.array([float(g)]))[0] for g in allowed if g > 0}
    return max(worth, key=lambda g: (worth[g], g)) if worth and max(worth.values()) > 0 else max(*grades, 0) or 1.0


class Scale:
    def __init__(self, max_grade: float) -> None:
        self.max_grade = max_grade


@pytest.mark.parametrize(("measure", "choice"), CASES, ids=str)
@pytest.mark.thorough
def test_gains_are_those_of_judging_and_evaluating_again(measure: Measure, choice: dict[str, str]) -> None:
    qrels, runs = collection(1)
    found = unjudged(qrels, runs, measure, next=100, depth=9, aim="scores", **choice)
    expected = by_hand(qrels, runs, measure, choice)
    assert {(j.topic, j.doc) for j in found.next} == {key for key, (mean, _, _) in expected.items() if mean > 1e-12}
    for j in found.next:
        assert (j.gain, j.if_nonrelevant, j.if_relevant) == pytest.approx(
            expected[j.topic, j.doc], rel=1e-11, abs=1e-11
        ), j
    gains = [round(j.gain, 9) for j in found.next]
    assert gains == sorted(gains, reverse=True)


def by_hand(
    qrels: Qrels, runs: Runs, measure: Measure, choice: dict[str, str]
) -> dict[Any, tuple[float, float, float]]:
    """By topic and document, what judging it gains: on average, if it is not relevant, and if it is."""
    found = {}
    top = top_grade(qrels, measure)
    for topic, grades in qrels.items():
        # To infAP a negative grade is no judgment, whatever it is to others.
        negative = choice.get("negative") != "unjudged" and measure.name != "infAP"
        known = {d for d, g in grades.items() if g >= 0 or negative}
        listed = {d for run in runs.values() for d in run.get(topic, ())} - known
        if choice.get("identical") == "drop":
            listed -= {topic}
        before = widths(qrels, runs, measure, topic, choice)
        for doc in listed:
            after = [widths(judged(qrels, topic, doc, grade), runs, measure, topic, choice) for grade in (0.0, top)]
            found[topic, doc] = (before - sum(after) / 2, before - after[0], before - after[1])
    return found


@pytest.mark.parametrize("text", ["RBP", "nDCG@2", "AP", "RR"])
def test_where_nothing_is_relevant(text: str) -> None:
    qrels, runs = collection(3, relevant=False)
    found = unjudged(qrels, runs, text, next=100, depth=9, aim="scores")
    expected = by_hand(qrels, runs, tr.parse(text), {})
    assert {(j.topic, j.doc): j.gain for j in found.next} == pytest.approx(
        {key: mean for key, (mean, _, _) in expected.items() if mean > 1e-12}
    )
    assert found.next or text in ("AP", "nDCG@2")


def test_a_sum_gains_its_weights() -> None:
    """A document at rank i moves RBP by (1 - p) p^(i - 1), whatever it turns out to be."""
    runs = {"x": {"q": ["a", "u", "v"]}, "y": {"q": ["v", "b", "a", "w"]}}
    found = unjudged({"q": {"a": 1, "b": 0}}, runs, "RBP(p=0.5)", next=3)
    expected = {"v": 1 / 2 + 1 / 8, "u": 1 / 4, "w": 1 / 16}
    assert [(j.doc, j.gain, j.if_nonrelevant, j.if_relevant) for j in found.next] == [
        (doc, gain, gain, gain) for doc, gain in expected.items()
    ]
    assert [j.ranks for j in found.next] == [{"y": 1, "x": 3}, {"x": 2}, {"y": 4}]


def test_lists_in_parts_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, runs = collection(1)
    whole = unjudged(qrels, runs, "AP", next=100).next
    monkeypatch.setattr(hypothetical, "ROOM", 20)
    assert unjudged(qrels, runs, "AP", next=100).next == whole


@pytest.mark.parametrize(("given", "looked"), [({}, {"a", "b", "c"}), ({"depth": 1}, {"a"}), ({"next": 2}, {"a", "b"})])
def test_how_many_and_how_deep(given: dict[str, int], looked: set[str]) -> None:
    found = unjudged({"q": {"z": 1}}, {"q": list("abc")}, "RBP", **{"next": 9, **given})
    assert {j.doc for j in found.next} == looked


def test_a_document_high_in_one_run_counts_where_it_is_low_in_another() -> None:
    runs = {"x": {"q": ["u", "a"]}, "y": {"q": ["a", "b", "u"]}}
    [found] = unjudged({"q": {"a": 1, "b": 0}}, runs, "RBP(p=0.5)", next=1, depth=1).next
    assert found.gain == 1 / 2 + 1 / 8


def test_a_nil_ends_lists_where_the_end_is_an_answer() -> None:
    run = {"x": {"q": ["a", "u", "NIL", "v"]}}
    asked = [unjudged({"q": {"a": 1}}, run, "RBP", next=9, ending=e).next for e in ("none", "terminal")]
    assert [{j.doc for j in some} for some in asked] == [{"u", "v", "NIL"}, {"u"}]


@pytest.mark.parametrize(("text", "message"), [("AUC", "no bounds to narrow"), ("AP(norm='pool')", "the pool")])
def test_measures_that_cannot_tell(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        unjudged({"q": {"a": 1}}, {"q": ["a"]}, [text], next=1)


def test_what_pairs_share_tells_nothing_about_them() -> None:
    """u stands at the same rank in both runs; with one run, or where no pair is open, scores are all there is."""
    qrels, runs = {"q": {"a": 1, "b": 0}}, {"x": {"q": ["u", "v", "a"]}, "y": {"q": ["u", "t", "b"]}}
    assert {one.doc for one in unjudged(qrels, runs, "RBP", next=9).next} == {"v", "t"}
    both = unjudged(qrels, runs, "RBP", next=9, aim="scores").next
    assert [one.doc for one in both] == ["u", "t", "v"]
    assert [one.apart for one in both] == [None] * 3
    alone = unjudged(qrels, {"x": runs["x"]}, "RBP", next=9).next
    assert [one.doc for one in alone] == ["u", "v"]


def test_chances_weigh_what_is_gained() -> None:
    """By the model, and not as if a document were as likely to be relevant as not."""
    rng = random.Random(3)
    docs = [f"d{n}" for n in range(40)]
    qrels = {str(t): {d: int(rng.random() < 0.2) for d in rng.sample(docs, 20)} for t in range(6)}
    runs = {n: {t: rng.sample(docs, 20) for t in qrels} for n in "xy"}
    for aim in ("pairs", "scores"):
        found = unjudged(qrels, runs, "nDCG@10", next=5, aim=aim).next
        for one in found:
            assert one.chance is not None
            assert 0 < one.chance < 1
            assert one.gain == pytest.approx((1 - one.chance) * one.if_nonrelevant + one.chance * one.if_relevant)
    even = unjudged(qrels, runs, "nDCG@10", next=5, aim="scores", draws=0).next
    assert all(one.gain == pytest.approx((one.if_nonrelevant + one.if_relevant) / 2) for one in even)
    assert {one.chance for one in even} == {None}


def test_documents_that_put_runs_in_order_come_first() -> None:
    """Each two runs count by the chance that they are reversed: most where that is all but certain."""
    rng = random.Random(6)
    docs = [f"d{n}" for n in range(40)]
    qrels = {str(t): {d: int(rng.random() < 0.5) for d in rng.sample(docs, 20)} for t in range(6)}
    runs = {n: {t: rng.sample(docs, 20) for t in qrels} for n in "wxyz"}
    found = unjudged(qrels, runs, "P@5", next=1000)
    doubt = {(pair.run, pair.compared_with): pair.chance for pair in found.undecided("P@5")}
    assert max(chance or 0.0 for chance in doubt.values()) > 0.3
    assert len(found.next) > 30
    for one in found.next:
        moved = {run: 0.2 * (one.ranks.get(run, 9) <= 5) for run in runs}
        squares = sum((chance or 0.0) * (moved[a] - moved[b]) ** 2 for (a, b), chance in doubt.items())
        assert one.apart == pytest.approx((one.chance or 0.0) * squares**0.5)
    worth = [one.apart or 0.0 for one in found.next]
    assert worth == sorted(worth, reverse=True)


def test_where_there_is_nothing_to_judge_a_sentence_says_so() -> None:
    runs = {"x": {"q": ["a", "b", "u"]}, "y": {"q": ["b", "a"]}}
    found = unjudged({"q": {"a": 1, "b": 0}}, runs, "P@2", next=3)
    said = "There is nothing to judge next by P@2: all documents in the first 2 ranks of the runs are judged."
    said += " --depth N looks deeper."
    assert (found.next, found.depth, found.candidates) == ((), 2, 0)
    assert found.verdict("next") == said
    assert " ".join(str(found).split()).startswith(said)
    assert found.to_markdown().splitlines()[0] == f"**{said}**"
    assert [note.code for note in found.notes(whole=True)][:1] == ["TR246"]
    # Looked at deeper there is one, which changes nothing at the top.
    deeper = unjudged({"q": {"a": 1, "b": 0}}, runs, "P@2", next=3, depth=3)
    assert deeper.candidates == 1
    said = "1 document in the first 3 ranks of the runs is not judged, none of which would change a score."
    assert said in deeper.verdict("next")
    assert "nothing to judge" not in str(unjudged({"q": {"a": 1, "b": 0}}, runs, "P@3", next=3))
