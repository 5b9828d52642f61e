"""Random orders of ties: all of them equally likely, whichever other rows there are."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import perm

import numpy as np
import pytest

from truerank.data.rankings import Rankings
from truerank.expectation.random_order import random_order
from truerank.measures.core.orders import values_of_orders
from truerank.measures.grammar import parse

DRAWS = 6000


def drawn(r: Rankings, draws: int = DRAWS) -> Rankings:
    return random_order(r.take(np.zeros(draws, np.intp)), np.arange(draws, dtype=np.uint64))


@pytest.mark.parametrize("judged", [1, 2, 3, 5], ids=lambda judged: f"{judged} of 5")
def test_every_way_to_place_judged_documents_is_as_likely(judged: int) -> None:
    slots = Rankings.single([float(grade) for grade in range(1, judged + 1)], groups=[0] * judged)
    # A rank above, and a group of five, of which some are judged.
    r = replace(slots, start=slots.start * 0 + 2, stop=slots.stop * 0 + 6, length=np.array([7]))
    found = drawn(r)
    assert (found.start == found.stop).all()
    assert (np.diff(found.start, axis=1) > 0).all()
    assert 2 <= found.start.min() <= found.start.max() <= 6
    # Grades are those of the documents that stand there, and so are judgments.
    assert (found.judgment == found.grade - 1).all()
    ways = Counter(
        tuple(place[np.argsort(grade)].tolist()) for place, grade in zip(found.start, found.grade, strict=True)
    )
    assert len(ways) == perm(5, judged)
    expected = DRAWS / len(ways)
    distance = sum((count - expected) ** 2 / expected for count in ways.values())
    # Chi squared has a mean of one less than there are ways, and a variance of twice that.
    assert distance < len(ways) - 1 + 4 * np.sqrt(2 * (len(ways) - 1))


@pytest.mark.parametrize("measure", ["AP", "nDCG@3", "ERR", "Bpref", "infAP"])
def test_values_are_those_of_all_orders(measure: str) -> None:
    r = Rankings.single([1, 0, 2, np.nan, np.nan, 0, 1], groups=[0, 0, 1, 1, 1, 1, 2])
    [every] = values_of_orders(parse(measure), r, np.array([0]))
    found = parse(measure).score(drawn(r))
    assert {*found.round(12).tolist()} == {*every.values.round(12).tolist()}
    assert found.mean() == pytest.approx(every.values.mean(), abs=4 * every.values.std() / np.sqrt(DRAWS))


def test_an_order_depends_on_its_row_alone() -> None:
    r = drawn(Rankings.single([1, 0, 2, 0, 1], groups=[0, 0, 0, 1, 1]), 50)
    one = Rankings.single([1, 0, 2, 0, 1], groups=[0, 0, 0, 1, 1])
    for row in range(50):
        alone = random_order(one, np.array([row], np.uint64))
        assert alone.start.tolist() == r.start[[row]].tolist()
        assert alone.grade.tolist() == r.grade[[row]].tolist()


def test_a_long_tie_is_placed_in_time() -> None:
    """Of 200,000 documents some are judged, or all; nothing is as long as all pairs of them."""
    for judged in (1000, 200_000):
        grade = np.arange(judged, dtype=np.float64)[None, :]
        rank = np.ones((1, judged), np.intp)
        pool = np.ones((1, 1))
        r = replace(
            Rankings.single([1.0]),
            start=rank,
            stop=rank * 200_000,
            grade=grade,
            judgment=np.arange(judged)[None, :],
            length=np.array([200_000]),
            pool=pool,
        )
        found = random_order(r, np.array([7], np.uint64))
        assert (np.diff(found.start[0]) > 0).all()
        assert sorted(found.grade[0].tolist()) == grade[0].tolist()
