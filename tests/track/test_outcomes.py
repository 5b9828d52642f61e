"""What scores and differences can come to, against every way of judging what nobody has judged."""

from __future__ import annotations

import random
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank.data.rankings import Rankings
from truerank.track.outcomes import EACH, differences, first_of_ties, outcomes, steps
from truerank.track.track import Track

Judged = dict[str, dict[str, int]]

TIGHT = ["AP", "AP@3", "AP(norm='min')@3", "R@2", "F@3", "Rprec", "Rprec(mult=2)", "SetAP", "SetF", "IPrec@0.2"]
"""Measures whose bounds are met, of judgments without grades."""
VALID = [
    "nDCG@1",
    "nDCG@3",
    "nDCG",
    "Q@3",
    "Bpref",
    "Bpref(norm='R')",
    "infAP",
    "G",
    "RnDCG",
    "NumRel",
    "AP(norm='pool')@3",
    "Bpref@2",
]
JOINT = ["P@3", "RBP", "DCG@2", "R@2", "F@3"]
"""Measures whose differences have bounds that are met."""
APART = ["AP", "nDCG@1", "nDCG@3", "nRBP@3", "ERR@3", "Bpref", "infAP", "Q@3", "Rprec"]
"""Measures whose differences have bounds that need not be met."""


def collection(rng: random.Random, *, graded: bool) -> tuple[Judged, dict[str, Any], int]:
    docs, ties = [f"d{n}" for n in range(6)], rng.random() < 0.3
    judged = {doc: rng.choice([0, 1, 2][: 2 + graded]) for doc in rng.sample(docs, rng.randint(2, 4))}
    runs: dict[str, Any] = {}
    for name in "AB":
        some = rng.sample(docs, rng.randint(1, 5))
        runs[name] = {"q": {doc: rng.choice([1, 2, 3]) for doc in some} if ties else some}
    return {"q": judged}, runs, rng.choice([0, 0, 1])


def completions(qrels: Judged, runs: dict[str, Any], unseen: int) -> list[Judged]:
    """The judgments with every other document left out, or judged in every way."""
    judged = qrels["q"]
    open_ = sorted({doc for run in runs.values() for doc in run["q"]} - {*judged}) + ["unseen"] * unseen
    grades = [None, *range(max(1, *judged.values()) + 1)]
    return [
        {"q": judged | {doc: g for doc, g in zip(open_, choice, strict=True) if g is not None}}
        for choice in product(grades, repeat=len(open_))
    ]


def cases(count: int, *, graded: bool = True) -> list[tuple[Judged, dict[str, Any], int, list[Judged]]]:
    rng, found = random.Random(5), []
    while len(found) < count:
        qrels, runs, unseen = collection(rng, graded=graded and rng.random() < 0.5)
        every = completions(qrels, runs, unseen)
        if 3 <= len(every) <= 81:
            found.append((qrels, runs, unseen, every))
    return found


@pytest.mark.parametrize("ties", first(1, ["expected", "docid", "bounds"]))
@pytest.mark.parametrize("text", [*TIGHT, *VALID])
def test_no_judgments_take_a_score_past_its_bounds(text: str, ties: str) -> None:
    for qrels, runs, unseen, every in cases(4):
        found = tr.evaluate(qrels, runs, text, unjudged="bounds", unseen=unseen, ties=ties)
        after = [tr.evaluate(judged, runs, text, ties=ties) for judged in every]
        for name in runs:
            score = found[name][text]
            each = [end for one in after for end in (one[name][text].low, one[name][text].mean, one[name][text].high)]
            some = [end for end in each if end is not None]
            assert score.low - 1e-9 <= min(some) <= max(some) <= score.high + 1e-9, (qrels, runs, unseen)
            if text in TIGHT and max(qrels["q"].values()) < 2:
                assert (score.low, score.high) == pytest.approx((min(some), max(some)))


@pytest.mark.parametrize("text", ["infAP", "Bpref", "Bpref@2"])
def test_documents_that_were_pooled_and_not_sampled_may_be_judged(text: str) -> None:
    """infAP reads a negative grade as not judged: any grade may take its place. To Bpref it is a judgment."""
    rng = random.Random(9)
    docs = [f"d{n}" for n in range(6)]
    for _ in range(12):
        judged = {doc: rng.choice([0, 1, -1]) for doc in rng.sample(docs, 4)}
        if not any(grade > 0 for grade in judged.values()):
            continue
        run = {"q": rng.sample(docs, rng.randint(2, 6))}
        score = tr.evaluate({"q": judged}, run, text, unjudged="bounds")["run"][text]
        open_ = {doc for doc in run["q"] if doc not in judged}
        if text == "infAP":
            open_ |= {doc for doc, grade in judged.items() if grade < 0}
        for choice in product([None, 0, 1], repeat=len(open_)):
            more = {doc: g for doc, g in zip(sorted(open_), choice, strict=True) if g is not None}
            mean = tr.evaluate({"q": judged | more}, run, text)["run"][text].mean
            assert score.low - 1e-9 <= mean <= score.high + 1e-9, (judged, run, more)


@pytest.mark.parametrize("text", first(7, [*JOINT, *APART]))
def test_no_judgments_take_a_difference_past_its_bounds(text: str) -> None:
    for qrels, runs, unseen, every in cases(6):
        track = Track.of(qrels, runs, text, {"unjudged": "bounds", "unseen": unseen})
        found = differences(*(outcomes(track.lens(place), track.measures[0]) for place in range(2)), 0.0)
        after = [tr.evaluate(judged, runs, text) for judged in every]
        apart = [one["B"][text].mean - one["A"][text].mean for one in after]
        assert found.low[0] - 1e-9 <= min(apart) <= max(apart) <= found.high[0] + 1e-9, (qrels, runs, unseen)
        if found.exact:
            assert (found.low[0], found.high[0]) == pytest.approx((min(apart), max(apart)))
        assert found.exact or text not in JOINT


@pytest.mark.parametrize("text", ["AP", "nDCG", "Q"])
def test_many_documents_are_looked_at_in_steps_that_are_no_narrower(text: str) -> None:
    docs = [f"d{n}" for n in range(4 * EACH)]
    found = tr.evaluate({"q": {"d3": 1, "m": 1}}, {"q": docs}, text, unjudged="bounds")["run"][text]
    rng = random.Random(1)
    for count in range(0, 4 * EACH, 30):
        for some in (docs[:count], docs[len(docs) - count :], rng.sample(docs, count)):
            mean = tr.evaluate({"q": dict.fromkeys(some, 1) | {"d3": 1, "m": 1}}, {"q": docs}, text)["run"][text].mean
            assert found.low <= mean <= found.high


def test_steps_have_no_gaps() -> None:
    found = steps(1000).tolist()
    assert found == sorted({*found})
    assert (found[0], found[-1]) == (0, 1000)


def test_a_topic_without_relevant_documents_may_come_into_the_mean() -> None:
    qrels, run = {"a": {"x": 0}, "b": {"x": 1}}, {"a": ["x", "u"], "b": ["x"]}
    found = tr.evaluate(qrels, run, "AP", unjudged="bounds", no_relevant="skip")["run"]["AP"]
    assert (found.low, found.mean, found.high) == (0.75, 1.0, 1.0)


FOUND: list[tuple[str, dict[str, Any], Judged | dict[str, dict[str, float]], dict[str, Any], dict[str, float]]] = [
    # The terminal document stays behind padding where tied documents are put in order: the other list is longer.
    (
        "APT@8",
        {"ties": "bounds"},
        {"q": {"a": 1, "b": 1, "c": 0, "d": 2, "e": 1, "f": 1}, "p": {"b": 2}},
        {"q": {"f": 2, "b": 3, "c": 3, "a": 2, "d": 0}, "p": {"a": 6, "b": 5, "c": 4, "d": 3, "e": 2, "f": 1}},
        {},
    ),
    # An unjudged document that has the highest grade is best before a tied one that is relevant, too.
    (
        "DCG@3",
        {"ties": "bounds", "ending": "terminal-once"},
        {"q": {"a": 0, "b": 0.5, "c": 0}, "p": {"a": 1}},
        {"q": {"c": 2, "b": 3, "e": 0, "d": 3, "a": 2}, "p": {"a": 0}},
        {"d": 1, "e": 1},
    ),
    # With a cutoff of 1, it is the grade and not the number of unseen documents that the ideal ranking depends on.
    (
        "nDCG@1",
        {"unseen": 1},
        {"q": {"a": 0.5}, "p": {"a": 2}},
        {"q": {"a": 1}, "p": {"a": 1}},
        {"unseen": 2},
    ),
    # A terminal document may be worth more than those that the ideal ranking has before it.
    (
        "nDCGT(gains={1: 0.5, 2: 1.5})@5",
        {"ties": "docid", "unseen": 2},
        {"q": {"b": 0.5}},
        {"q": {"b": 1, "a": 0, "c": 1}},
        {"a": 0.5, "c": 0.5, "unseen": 0.5, "unseen2": 0.5},
    ),
    # Where lower is better, the highest value comes of the order that is worst for readers.
    ("ESL(want=3,size=20)", {"ties": "bounds"}, {"q": {"a": 1, "b": 1, "c": 1}}, {"q": dict.fromkeys("abcd", 1)}, {}),
    # An unjudged document of the highest grade, where sums are divided by an ideal.
    ("nRBP(p=0.5)@5", {"ties": "bounds"}, {"q": {"a": 1, "c": 0.5}}, {"q": {"b": 2, "c": 2}}, {"b": 1}),
]
"""Found by going through judgments at random: a measure, conventions, a collection, and judgments of its topic q."""


@pytest.mark.parametrize(("text", "choice", "qrels", "run", "more"), FOUND)
def test_judgments_that_went_past_bounds(
    text: str, choice: dict[str, Any], qrels: Any, run: Any, more: dict[str, float]
) -> None:
    [(name, found)] = tr.evaluate(qrels, run, text, unjudged="bounds", **choice)["run"].items()
    choice = {key: value for key, value in choice.items() if key != "unseen"}
    after = tr.evaluate({**qrels, "q": qrels["q"] | more}, run, text, **choice)["run"][name]
    place, then = ([*score.topics].index("q") for score in (found, after))
    for values in (after.low_values, after.values, after.high_values):
        value = None if values is None else values[then]
        assert value is None or found.low_values[place] - 1e-12 <= value <= found.high_values[place] + 1e-12


@pytest.mark.parametrize("levels", [32, 1])
@pytest.mark.parametrize("seed", range(6))
def test_what_tied_documents_add_that_are_found_to_have_the_highest_grade(
    seed: int, levels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("truerank.track.outcomes.LEVELS", levels)
    rng = random.Random(seed)
    grades, groups = [rng.choice([0, 0, 1, 2, 3, 4]) for _ in range(8)], sorted(rng.choices(range(3), k=8))
    open_ = [grade == 0 and rng.random() < 0.8 for grade in grades]
    measure, r = tr.parse("DCG@6"), Rankings.single(list(map(float, grades)), groups=groups)

    def best(found: tuple[int, ...]) -> float:
        now = [4 if place in found else grade for place, grade in enumerate(grades)]
        return measure.of([now[place] for place in sorted(range(8), key=lambda at: (groups[at], -now[at]))])

    places = [place for place in range(8) if open_[place]]
    adds = sorted(first_of_ties(measure, r, np.array([open_]), 4.0)[0, places], reverse=True)
    for count in range(len(places) + 1):
        most = max(map(best, combinations(places, count)))
        here = best(()) + sum(adds[:count])
        assert here == pytest.approx(most) if levels > 4 else here >= most - 1e-12


def test_a_grade_that_is_worth_nothing_adds_nothing() -> None:
    r = Rankings.single([0.0, 0.0], groups=[0, 0])
    assert first_of_ties(tr.parse("P(rel=2)@2"), r, np.array([[True, True]]), 1.0).tolist() == [[0.0, 0.0]]
