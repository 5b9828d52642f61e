"""Preference judgments: the loss over explicit pairs, under every order of ties."""

from __future__ import annotations

from itertools import permutations, product

import pytest
from hypothesis import strategies as st

import truerank as tr
from truerank.data.errors import InputError
from truerank.io.load import as_preferences

from .collections import NAMES
from .test_against_oracle import same, tried

Pairs = list[tuple[str, str]]


def loss(order: list[str], pairs: Pairs) -> float:
    """Share of pairs in the wrong order; a document that is missing stands last, two of them cost a half."""
    place = {doc: rank for rank, doc in enumerate(order)}
    cost = [
        0.5 if better not in place and worse not in place else float(place.get(worse, 99) < place.get(better, 99))
        for better, worse in pairs
    ]
    return sum(cost) / len(cost)


def orders(run: dict[str, float]) -> list[list[str]]:
    groups = [[doc for doc, s in run.items() if s == score] for score in sorted(set(run.values()), reverse=True)]
    return [[doc for group in choice for doc in group] for choice in product(*(permutations(g) for g in groups))]


@st.composite
def preferences(draw: st.DrawFn) -> tuple[Pairs, dict[str, float]]:
    """Pairs that follow one order of all documents, so that they can all be satisfied; and a list with ties."""
    order = draw(st.permutations(NAMES))
    every = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    pairs = draw(st.lists(st.sampled_from(every), min_size=1, max_size=8, unique=True))
    scores = draw(st.lists(st.sampled_from((None, 1.0, 2.0, 2.0)), min_size=len(NAMES), max_size=len(NAMES)))
    return pairs, {doc: s for doc, s in zip(draw(st.permutations(NAMES)), scores, strict=True) if s is not None}


@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed", "bounds"])
@pytest.mark.parametrize("ties", ["expected", "best", "worst", "bounds", "docid", "docid-asc", "input"])
def test_explicit_preferences(ties: str, unjudged: str) -> None:
    @tried(ties + unjudged, 15, preferences())
    def check(drawn: tuple[Pairs, dict[str, float]]) -> None:
        pairs, run = drawn
        judged = as_preferences({"q": pairs})
        score = tr.evaluate(judged, {"q": run}, "PrefLoss", ties=ties, unjudged=unjudged)["run"]["PrefLoss"]
        losses = [loss(order, pairs) for order in orders(run)]
        by_id = sorted(run, key=str.encode)
        backwards = sorted(run, key=str.encode, reverse=True)
        expected = {
            "best": min(losses),
            "worst": max(losses),
            "docid": loss(sorted(backwards, key=lambda doc: -run[doc]), pairs),
            "docid-asc": loss(sorted(by_id, key=lambda doc: -run[doc]), pairs),
            "input": loss(sorted(run, key=lambda doc: -run[doc]), pairs),
        }.get(ties, sum(losses) / len(losses))
        assert same(score.mean, expected)
        if ties == "bounds" and unjudged != "bounds":
            assert same(score.low, min(losses))
            assert same(score.high, max(losses))
        else:
            assert (score.low, score.high) == (None, None)

    check()


def test_a_sampled_order_is_one_order() -> None:
    pairs, run = [("a", "b"), ("b", "c"), ("a", "c")], dict.fromkeys("abc", 1.0)
    found = set()
    for seed in range(20):
        scores = tr.evaluate(as_preferences({"q": pairs}), {"q": run}, "PrefLoss", ties=f"sample({seed})")
        found.add(scores["run"]["PrefLoss"].mean)
    assert found == {0.0, 1 / 3, 2 / 3, 1.0}


def test_topics_keep_their_pairs_apart() -> None:
    judged = as_preferences({"q1": [("a", "b")], "q2": [("b", "a"), ("c", "a")], "q3": [("x", "y")]})
    run = {"q2": ["a", "b", "c"], "q1": ["a", "b", "c"]}
    score = tr.evaluate(judged, run, "PrefLoss")["run"]["PrefLoss"]
    assert score.per_topic == {"q1": 0.0, "q2": 1.0, "q3": 0.5}


def test_other_measures_are_refused() -> None:
    with pytest.raises(InputError, match="use PrefLoss"):
        tr.evaluate(as_preferences({"q": [("a", "b")]}), {"q": ["a"]}, "AP")
