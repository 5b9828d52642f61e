"""Discounts of one's own: ranks with weights, functions, and what is refused."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.grammar import parse


def gentle(rank: int) -> float:
    return 1 / math.sqrt(rank)


def rising(rank: int) -> float:
    return float(rank)


def broken(rank: int) -> float:
    return 1 / (5 - rank)


def test_a_function_of_the_rank_is_a_discount_of_measures_over_runs() -> None:
    qrels = {"q": {"a": 1, "b": 1, "c": 0}}
    measure = tr.DiscountU(discount=gentle, e=0.1)
    assert str(measure @ 10) == "DiscountU(discount=gentle,e=0.1)@10"
    found = tr.evaluate(qrels, {"run": {"q": {"c": 3.0, "a": 2.0, "b": 2.0}}}, [measure])["run"][str(measure)].mean
    # The tie of a and b does not matter, since both are relevant.
    assert found == pytest.approx(gentle(2) + gentle(3) - 0.1 * (1 + gentle(2) + gentle(3)), abs=1e-15)


def test_a_table_of_weights_is_read_from_text_and_names_every_rank_that_counts() -> None:
    measure = parse("DiscountU(discount={1: 1, 3: 0, 2: 0.5}, e=0)")
    assert str(measure) == "DiscountU(discount={1:1,2:0.5,3:0},e=0)"
    assert measure.of([0, 1, 1, 1]) == 0.5


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"discount": "log"}, "discount is one of 'flat', 'log2'"),
    ({"discount": {1: 1, 2: 2}}, "discount rises from 1 at rank 1 to 2 at 2"),
    ({"discount": {2: 1}}, "discount rises from 0 at rank 1 to 1 at 2"),
    ({"discount": {0: 1}}, "a rank of discount is a whole number from 1 on, not 0"),
    ({"discount": {1: -1}}, "a weight of discount"),
    ({"discount": rising}, "rising rises from 1 at rank 1 to 2 at 2"),
    ({"discount": broken}, "broken(5) has no number: ZeroDivisionError"),
    ({"discount": lambda rank: 1 / rank}, "write it with def"),
    ({"p": 0.5}, "p is a parameter of discount='geometric'"),
    ({"discount": "geometric", "T": 2}, "T is a parameter of discount='inverse-square'"),
    ({"stops": 1}, "stops is True or False, not 1"),
    ({"stops": True, "gains": {1: 2}}, "gains is a number from 0 to 1"),
]


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_what_is_no_discount_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        tr.DiscountU(**given)


@pytest.mark.parametrize("make", [gentle])
def test_a_function_that_turns_bad_far_down_is_refused_where_it_is_asked(make: Callable[[int], float]) -> None:
    def late(rank: int) -> float:
        return make(rank) if rank < 2000 else 3.0

    run = {"q": {f"d{i}": float(-i) for i in range(3000)}}
    with pytest.raises(InputError, match="late rises from"):
        tr.evaluate({"q": {"d1": 1}}, run, [tr.DiscountU(discount=late)])
