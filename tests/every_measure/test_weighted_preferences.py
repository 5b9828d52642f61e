"""Preference loss weighted to the top: explicit pairs in every order of ties, what it has, and what it has not."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

import truerank as tr
from truerank.io.load import as_preferences
from truerank.measures.wpref_loss import WPrefLoss

from .test_preferences import Pairs, orders


def cost(order: list[str], pairs: Pairs) -> float:
    place = {doc: rank for rank, doc in enumerate(order, 1)}
    violated = [place[worse] for better, worse in pairs if place[worse] < place[better]]
    return math.fsum(1 / math.log2(rank + 1) for rank in violated)


def weighted(listed: list[str], pairs: Pairs) -> float:
    """The mean over orders of what is missing, over the most that documents may cost by how often they are worse."""
    docs = {doc for pair in pairs for doc in pair}
    missing = sorted(docs - {*listed})
    costs = [cost([*listed, *rest], pairs) for rest in permutations(missing)]
    often = sorted((sum(worse == doc for _, worse in pairs) for doc in docs), reverse=True)
    most = math.fsum(count / math.log2(rank + 1) for rank, count in enumerate(often, 1))
    return math.fsum(costs) / len(costs) / most


def drawn(seed: int) -> tuple[Pairs, dict[str, float]]:
    """Preferences in circles, repeated and contradictory; a list with ties, other documents and missing ones."""
    rng = random.Random(seed)
    pairs = [tuple(rng.sample("abcde", 2)) for _ in range(rng.randint(1, 8))]
    listed = rng.sample("abcdexyz", rng.randint(0, 6))
    return pairs, {doc: float(rng.randint(1, 3)) for doc in listed}  # type: ignore[return-value]


def score(pairs: Pairs, run: object, **given: str) -> float:
    found = tr.evaluate(as_preferences({"q": pairs}), {"q": run}, "WPrefLoss", missing="empty", **given)
    return found["run"]["WPrefLoss"].mean


@pytest.mark.parametrize("seed", range(60))
def test_explicit_preferences_in_every_order_of_ties(seed: int) -> None:
    pairs, run = drawn(seed)
    if not run:
        run = {"z": 1.0}
    every = [weighted(order, pairs) for order in orders(run)]
    assert score(pairs, run) == pytest.approx(math.fsum(every) / len(every), abs=1e-12)
    low, high = (score(pairs, run, ties=ties) for ties in ("best", "worst"))
    assert low <= min(every) + 1e-12
    assert high >= max(every) - 1e-12
    if len(every) == 1:
        assert low == high == score(pairs, run)


def test_the_top_weighs_more() -> None:
    """The slide's complaint: with PrefLoss, flipping 1 and 11 costs as much as flipping 18 and 19."""
    docs = [f"d{n}" for n in range(1, 21)]

    def flipped(one: int, other: int) -> list[str]:
        order = docs.copy()
        order[one - 1], order[other - 1] = order[other - 1], order[one - 1]
        return order

    both = [("d1", "d11"), ("d18", "d19")]
    plain = [
        tr.evaluate(as_preferences({"q": both}), {"q": order}, "PrefLoss")["run"]["PrefLoss"].mean
        for order in (flipped(1, 11), flipped(18, 19))
    ]
    assert plain == [0.5, 0.5]
    assert score(both, flipped(1, 11)) == pytest.approx(1 / (1 + 1 / math.log2(3)))
    assert score(both, flipped(18, 19)) == pytest.approx(1 / math.log2(19) / (1 + 1 / math.log2(3)))
    # With one preference a topic, too.
    assert score(both[:1], flipped(1, 11)) == 1.0
    assert score(both[1:], flipped(18, 19)) == pytest.approx(1 / math.log2(19))


def test_none_where_nothing_is_violated_and_all_where_an_order_is_turned_around() -> None:
    docs = [*"abcdef"]
    every = [(a, b) for i, a in enumerate(docs) for b in docs[i + 1 :]]
    for pairs in (every, every[::3], every[:2]):
        assert score(pairs, docs) == 0.0
    assert score(every, docs[::-1]) == pytest.approx(1.0)
    assert score([*every, *every], docs[::-1]) == pytest.approx(1.0)
    assert WPrefLoss().of([0, 0, 1, 2]) == 1.0


def test_mending_neighbours_helps_where_grades_are_behind_it_and_may_not_where_pairs_are_open() -> None:
    rng = random.Random(3)
    for _ in range(50):
        grades = [rng.randint(0, 3) for _ in range(6)]
        wrong = [i for i in range(5) if grades[i] < grades[i + 1]]
        for i in wrong:
            mended = [*grades[:i], grades[i + 1], grades[i], *grades[i + 2 :]]
            assert WPrefLoss().of(mended) < WPrefLoss().of(grades)
    # b is better than a, and worse than three others below: it is dearer on top than a was.
    open_ = [("b", "a"), ("x", "b"), ("y", "b"), ("z", "b")]
    assert score(open_, [*"baxyz"]) > score(open_, [*"abxyz"])


def test_documents_without_preferences_above_a_pair_make_it_cheaper() -> None:
    pairs = [("a", "b")]
    assert score(pairs, [*"uba"]) < score(pairs, [*"ba"])
    assert score(pairs, [*"bau"]) == score(pairs, [*"ba"])
    assert score(pairs, [*"uba"], unjudged="condensed") == score(pairs, [*"ba"])


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
def test_parts_add_up(ties: str) -> None:
    for seed in range(8):
        pairs, run = drawn(seed)
        if run:
            one = tr.explain(as_preferences({"q": pairs}), {"q": run}, "WPrefLoss", ties=ties)["WPrefLoss"]
            assert one.score == pytest.approx(score(pairs, run, ties=ties), abs=1e-12)
            assert math.fsum(step.contribution for step in one.steps) == pytest.approx(one.score, abs=1e-12)
    graded = tr.explain({"q": {"a": 2, "b": 1, "c": 0, "d": 2}}, {"q": ["c", "u", "b", "a"]}, "WPrefLoss")["WPrefLoss"]
    assert math.fsum(step.contribution for step in graded.steps) == pytest.approx(graded.score, abs=1e-12)
    assert graded.score == pytest.approx(WPrefLoss().of([0, math.nan, 1, 2], pool=[2, 1, 0, 2]))
