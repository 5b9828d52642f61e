"""McSherry & Najork (2008)."""

from __future__ import annotations

import math

import pytest

import truerank as tr
from truerank.questions.reproduce.mcsherry import (
    SIX,
    VECTOR,
    K,
    first_at,
    printed_average_precision,
    printed_reciprocal_rank,
    vector_scores,
)

from .conftest import Collection


def test_all_orders_of_the_vector_are_gone_through() -> None:
    found = vector_scores()
    assert found["P"]["orders"] == 6 * 1 * 24
    assert len(VECTOR) == 3
    for name in SIX:
        # A mean that is no end tells that orders differ.
        assert found[name]["least"] < found[name]["closed"] < found[name]["most"]


def test_the_formula_in_print_is_another_one() -> None:
    assert printed_reciprocal_rank(1, 2) == 0.5
    # By hand, two of three relevant: first at rank 1 in 2/3 of the orders, at rank 2 in 1/3.
    assert printed_reciprocal_rank(2, 3) != 2 / 3 + 1 / 3 / 2


def test_numbers_are_those_of_ties(track: Collection) -> None:
    found = tr.reproduce("mcsherry", *track, name="sim", exhibit="Section 1")
    asked = tr.ties(*track, "P@10")
    moved = max(asked.board, key=lambda row: row.best - row.worst)
    first = found["Section 1"].parts.tables[0].rows[0]
    assert first[1:5] == (moved.run, moved.worst, moved.expected, moved.best)


def test_without_ties_nothing_is_told() -> None:
    qrels, runs = {"q": {"a": 1, "b": 0}}, {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    marks = {claim.claim: claim for claim in tr.reproduce("mcsherry", qrels, runs).claims}
    claim = marks["Different orders of ties can give appreciably different scores."]
    assert (claim.mark, claim.numbers) == ("cannot be determined", "no list has ties")


def test_the_formula_for_average_precision_lacks_a_document_that_is_tied_with_none() -> None:
    assert math.isnan(printed_average_precision([[1], [0, 1]], 3, alone=math.nan))
    # By hand: 1 at rank 1; the other at rank 2 or 3, as the second of 2 or of 3.
    assert printed_average_precision([[1], [0, 1]], 3, alone=0.0) == pytest.approx((1 + (2 / 2 + 2 / 3) / 2) / 2)
    assert printed_average_precision(VECTOR, K, alone=0.0) == pytest.approx(vector_scores()["AP"]["mean"])


def test_the_share_of_orders_by_their_first_relevant_document() -> None:
    for relevant, tied in ((1, 2), (2, 4), (3, 5)):
        right = [first_at(rank, relevant, tied, as_printed=False) for rank in range(1, tied + 1)]
        assert sum(right) == 1
        assert [first_at(rank, relevant, tied, as_printed=True) for rank in range(1, tied + 1)] != right


def test_what_is_misprinted_does_not_hold() -> None:
    marks = {claim.claim: claim.mark for claim in tr.reproduce("mcsherry").claims}
    printed = [mark for claim, mark in marks.items() if "as it is printed" in claim or "first x + 1 are not" in claim]
    assert printed == ["does not hold"] * 3
