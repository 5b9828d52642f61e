"""What each list earned by its ending: kinds against a plain reading of each list, and sums against the scores."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

import truerank as tr
from truerank.questions.nil.question import KINDS, NilAnswer, nil

QRELS = {
    "none1": {"x": 0},
    "none2": {},
    "has1": {"a": 1, "b": 1},
    "has2": {"a": 1, "b": 2},
    "has3": {"a": 1},
    "has4": {"a": 1},
    "has5": {"a": 1},
}
RUN = {
    "none1": ["NIL"],
    "none2": ["x", "y"],
    "has1": ["a", "b"],
    "has2": ["x", "NIL", "b"],
    "has3": ["x", "NIL", "y"],
    "has4": ["x", "y", "z"],
}


def kinds(found: NilAnswer, run: str, measure: str) -> dict[str, str]:
    return {row.topic: row.kind for row in found.lists if (row.run, row.measure) == (run, measure)}


def test_kinds_by_hand() -> None:
    found = nil(QRELS, {"r": RUN}, "RR RBP(p=0.5) GM", limit=3)
    assert kinds(found, "r", "RBP(p=0.5)") == {
        "none1": "correctly unanswered",
        "none2": "false answer",
        "has1": "stop that paid",
        "has2": "premature NIL",
        "has3": "giving up",
        "has4": "full list",
        "has5": "giving up",
    }
    # The terminal document stands below the relevant one, which is all that RR looks at.
    assert kinds(found, "r", "RR")["has1"] == "stop that did not pay"
    rows = {row.topic: row for row in found.lists if row.measure == "RBP(p=0.5)"}
    assert (rows["has2"].nil_rank, rows["has2"].found, rows["has2"].below, rows["has2"].length) == (2, 0, 1, 1)
    assert (rows["has1"].nil_rank, rows["has1"].found, rows["has1"].below) == (None, 2, 0)
    assert (rows["none1"].original, rows["none1"].modified) == (0.5, 1.0)
    assert rows["none1"].adds == pytest.approx(0.5 / 7)
    assert found.hedgers == ()
    # Nothing adds up to a geometric mean.
    assert all(math.isnan(row.adds) for row in found.lists if row.measure.startswith("GM"))
    assert "GM is no mean over topics, so that topics do not add up to it" in [*found.own_notes("endings")]


def plain_kind(docs: list[str], grades: dict[str, int], limit: int, hedges: bool) -> str:
    relevant = {doc for doc, grade in grades.items() if grade > 0}
    has_nil = "NIL" in docs
    kept = docs[: docs.index("NIL")] if has_nil else docs
    below = docs[len(kept) :]
    if hedges and has_nil and len(docs) > 1:
        return "hedging"
    if not relevant:
        return "false answer" if kept else "correctly unanswered"
    if relevant & {*below}:
        return "premature NIL"
    if not has_nil and len(docs) >= limit:
        return "full list"
    return "stop" if relevant & {*kept} else "giving up"


def made_up(seed: int, runs: int = 9, topics: int = 24) -> tuple[Any, dict[str, dict[str, list[str]]]]:
    rng = random.Random(seed)
    docs = [*"abcdefgh"]
    qrels = {f"t{n}": {doc: rng.choice([0, 0, 1, 2]) * (n % 4 > 0) for doc in docs[:5]} for n in range(topics)}
    made: dict[str, dict[str, list[str]]] = {}
    for number in range(runs):
        lists: dict[str, list[str]] = {}
        for topic in qrels:
            chosen = rng.sample(docs, rng.choice([0, 1, 2, 4, 5]))
            if number == 0:
                chosen = [*rng.sample(docs, 4), "NIL"]
            elif number == 1:
                chosen = ["NIL", *chosen]
            elif rng.random() < 0.3:
                chosen.insert(rng.randint(0, len(chosen)), "NIL")
            if chosen:
                lists[topic] = chosen[:5]
        made[f"r{number}"] = lists
    return qrels, made


@pytest.mark.parametrize("seed", range(4))
def test_kinds_and_sums_against_a_plain_reading(seed: int) -> None:
    qrels, runs = made_up(seed)
    for given in ({}, {"ending": "terminal-once"}):
        found = nil(qrels, runs, "RR nDCG@5 RBP(p=0.5) AP P@5", limit=5, **given)
        assert [one.run for one in found.hedgers] == ["r0", "r1"]
        assert [(one.first, one.last) for one in found.hedgers] == [(5, 5), (1, 1)]
        by_run = {name: dict.fromkeys(run, 0.0) for name, run in found.items()}
        for row in found.lists:
            kind = plain_kind(runs[row.run].get(row.topic, []), qrels[row.topic], 5, row.run in ("r0", "r1"))
            assert row.kind.startswith(kind)
            if kind == "stop":
                assert row.kind == ("stop that paid" if row.difference > 1e-12 else "stop that did not pay")
            by_run[row.run][row.measure] += row.adds
        for name, run in found.items():
            for measure, shift in run.items():
                assert by_run[name][measure] == pytest.approx(shift.differences["modified"], abs=1e-12)
                rows = [row for row in found.endings if (row.run, row.measure) == (name, measure)]
                assert sum(row.adds for row in rows) == pytest.approx(shift.differences["modified"], abs=1e-12)
                assert sum(row.lists for row in rows) == len(qrels)
                assert all(row.gains + row.losses == pytest.approx(row.adds, abs=1e-12) for row in rows)
                assert [row.kind for row in rows] == sorted((row.kind for row in rows), key=KINDS.index)


def test_values_are_those_of_the_two_evaluations() -> None:
    qrels, runs = made_up(9)
    found = nil(qrels, runs, "AP", limit=5)
    modified = tr.evaluate(qrels, runs, "AP", ending="terminal", limit=5, missing="empty")
    original = tr.evaluate(qrels, runs, "AP", nil="answer", missing="empty")
    for row in found.lists:
        assert row.modified == modified[row.run]["AP"].per_topic[row.topic]
        assert row.original == original[row.run]["AP"].per_topic[row.topic]


def test_the_largest_stand_first_and_words_sum_up() -> None:
    qrels, runs = made_up(2)
    found = nil(qrels, runs, "RBP(p=0.5) AP", limit=5)
    for measure in found.measures:
        adds = [abs(row.adds) for row in found.lists if row.measure == measure]
        assert adds == pytest.approx(sorted(adds, reverse=True))
    notes = [note for note in found.own_notes("endings") if note.code == "TR436"]
    for note, measure in zip(notes, found.measures, strict=True):
        mean = sum(run[measure].differences["modified"] for run in found.values()) / len(found)
        assert sum(note.facts["adds"].values()) == pytest.approx(mean, abs=1e-12)
    hedged = [note for note in found.own_notes("cases") if note.code == "TR437"]
    assert hedged == [
        "r0 hedges: NIL beside documents at rank 5 of every list (24)",
        f"r1 hedges: NIL beside documents at rank 1 of every list ({sum(len(d) > 1 for d in runs['r1'].values())})",
    ]


@pytest.mark.parametrize(
    ("lists", "hedges"),
    [
        ([["a", "NIL"], ["b", "NIL"]], True),
        ([["NIL", "a"], ["b", "NIL", "c"]], True),
        # Lists that end at their NIL, each where it likes, are ended by it.
        ([["a", "NIL"], ["b", "c", "NIL"]], False),
        ([["a", "NIL"], ["b"]], False),
        ([["a", "NIL"]], False),
        ([["NIL"], ["NIL"], ["a", "NIL"], ["b", "NIL"]], False),
        ([["NIL"], ["a", "NIL"], ["b", "NIL"]], True),
        ([["NIL"], ["NIL"]], False),
    ],
    ids=str,
)
def test_who_hedges(lists: list[list[str]], hedges: bool) -> None:
    run = {f"q{n}": docs for n, docs in enumerate(lists)}
    qrels = {topic: {"a": 1} for topic in run}
    assert bool(nil(qrels, {"r": run}, "RR", limit=5).hedgers) == hedges
    assert ("hedged-nil" in {finding.check for finding in tr.lint(qrels, {"r": run})}) == hedges


def test_documents_tied_with_nil_stand_above_it() -> None:
    qrels = {"q": {"a": 1}, "p": {"a": 1}}
    run = {topic: {"a": 1.0, "NIL": 1.0, "b": 0.5} for topic in qrels}
    [one, other] = nil(qrels, {"r": run}, "RR").lists
    assert (one.nil_rank, one.found, one.below, other.nil_rank) == (2, 1, 0, 2)
