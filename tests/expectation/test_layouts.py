"""Terms and measures give the same bits, however the arrays of a block lie in memory."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.expectation.test_terms import TERMS
from tests.layouts import LAYOUTS, bits
from tests.quick import first

from truerank.data.arrays import Array, table
from truerank.data.errors import InputError
from truerank.data.rankings import ENDLESS, Rankings
from truerank.expectation.information import Information
from truerank.expectation.random_order import random_order
from truerank.expectation.term import Term
from truerank.measures.table import TABLE

GRADES = (float("nan"), 0.0, 1.0, 2.0, 3.0)
DEPTHS = (2, 5, int(ENDLESS))


@st.composite
def blocks(draw: st.DrawFn) -> Rankings:
    """Some lists of the same length, with ties; often one, as a block of one row is contiguous in every order."""
    rows, slots = draw(st.sampled_from([1, 1, 2, 5])), draw(st.integers(1, 9))
    seed = draw(st.integers(0, 10**6))
    random = np.random.default_rng(seed)
    lists, pools = [], []
    for _ in range(rows):
        grades = random.choice(GRADES, slots)
        groups = np.sort(random.integers(0, draw(st.sampled_from([1, 3, slots])), slots)).tolist()
        # What is judged and not listed: a relevant document, and one that is not.
        pool = [*grades[~np.isnan(grades)].tolist(), 3.0, 0.0]
        lists.append(Rankings.single(grades.tolist(), pool=pool, groups=groups))
        pools.append(lists[-1].pool[0])
    stacked: dict[str, Any] = {
        name: np.concatenate([getattr(one, name) for one in lists])
        for name in ("start", "stop", "grade", "judgment", "length", "judged")
    }
    pool = table(np.concatenate(pools), np.array([len(one) for one in pools]), 0.0)
    rank = np.tile(np.arange(1, pool.shape[1] + 1), (rows, 1))
    return replace(lists[0], **stacked, topic=np.arange(rows), pool=pool, max_grade=3.0, pool_rank=rank, kept={})


def laid_out(r: Rankings, layout: str) -> Rankings:
    """The block with all of its arrays in another layout."""
    arrays = {one.name: getattr(r, one.name) for one in fields(r)}
    changed = {name: LAYOUTS[layout](value) for name, value in arrays.items() if isinstance(value, np.ndarray)}
    return replace(r, **changed, kept={})


def read(term: Term, r: Rankings) -> list[Any]:
    """Everything that a term knows."""
    found: list[Any] = [term.start(r)]
    if term.takes_terminal:
        found.append(term.terminal(r, r.length[:, None], r.depth(None)))
    if not isinstance(term, Information):
        found.append(term.curve(r, 12))
    for depth in DEPTHS:
        at = np.full((len(r.length), 1), depth)
        found += [term.total(r, at), term.adds(r, at), term.variance(r, at), term.credit(r, at), term.factors(r, at)]
    return [bits(value) for value in found]


@pytest.mark.parametrize("layout", first(2, LAYOUTS))
@pytest.mark.parametrize("term", TERMS, ids=lambda term: type(term).__name__)
@given(r=blocks())
@settings(max_examples=8)
def test_terms(term: Term, layout: str, r: Rankings) -> None:
    assert read(term, laid_out(r, layout)) == read(term, r)


@pytest.mark.parametrize("layout", first(2, LAYOUTS))
@pytest.mark.parametrize("name", TABLE)
@given(r=blocks(), cutoff=st.sampled_from([None, 3]))
@settings(max_examples=5)
def test_measures(name: str, layout: str, r: Rankings, cutoff: int | None) -> None:
    measure = TABLE[name]
    if cutoff is not None and measure.takes_at and measure.cutoff is None:
        measure = measure @ cutoff

    def values(block: Rankings) -> Any:
        try:
            return [bits(measure.estimate(block)), bits(measure.variance(block)), bits(measure.credits(block))]
        except InputError as refused:
            return str(refused)

    assert values(laid_out(r, layout)) == values(r)


@pytest.mark.parametrize("layout", LAYOUTS)
@given(r=blocks())
@settings(max_examples=30)
def test_sums_over_groups(layout: str, r: Rankings) -> None:
    y = np.random.default_rng(1).random(r.start.shape)
    other: Array = LAYOUTS[layout](y)
    for whole in (r, laid_out(r, layout)):
        for sums in (Rankings.group_sum, Rankings.above, Rankings.below):
            assert bits(sums(whole, other)) == bits(sums(r, y))
    seed = np.arange(len(r.length), dtype=np.uint64)
    assert bits(random_order(laid_out(r, layout), seed).grade) == bits(random_order(r, seed).grade)
