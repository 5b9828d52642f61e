"""McSherry & Najork (2008)."""

from __future__ import annotations

import truerank as tr
from truerank.questions.reproduce.mcsherry import SIX, VECTOR, printed_reciprocal_rank, vector_scores

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
    moved = max(asked.tied, key=lambda row: row.best - row.worst)
    first = found["Section 1"].parts.tables[0].rows[0]
    assert first[1:5] == (moved.run, moved.worst, moved.expected, moved.best)


def test_without_ties_nothing_is_told() -> None:
    qrels, runs = {"q": {"a": 1, "b": 0}}, {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    marks = {claim.claim: claim for claim in tr.reproduce("mcsherry", qrels, runs).claims}
    claim = marks["Different orders of ties can give appreciably different scores."]
    assert (claim.mark, claim.numbers) == ("cannot be told", "no list has ties")
