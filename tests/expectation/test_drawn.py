"""Means of what was drawn from a tie group: as all draws have it, in exact arithmetic."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.rankings import Rankings
from truerank.expectation.drawn import mean_reciprocals
from truerank.measures.grammar import parse
from truerank.measures.inf_ap import InfAP

SIZES = st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 60), st.integers(0, 10**6))
LITTLE = 2e-5
"""What infAP adds to the judged documents above."""


def slow(count: int, marked: int, base: float, drawn: int) -> Fraction:
    """The mean over all draws, weighted by how many there are."""
    some = range(max(0, drawn - (count - marked)), min(marked, drawn) + 1)
    ways = [(k, comb(marked, k) * comb(count - marked, drawn - k)) for k in some]
    return sum(Fraction(many, comb(count, drawn)) / (Fraction(base) + k) for k, many in ways)


@given(st.lists(SIZES, min_size=1, max_size=4))
def test_every_number_of_draws_of_every_group(sizes: list[tuple[int, int, int, int]]) -> None:
    count = [marked + others for marked, others, _, _ in sizes]
    marked, base = [one for one, *_ in sizes], [LITTLE + above for *_, above in sizes]
    drawn = [1 + min(most, many) for (_, _, most, _), many in zip(sizes, count, strict=True)]
    found = mean_reciprocals(np.array(count), np.array(marked), np.array(base), np.array(drawn))
    expected = [slow(*one, t) for *one, most in zip(count, marked, base, drawn, strict=True) for t in range(most)]
    assert len(found) == len(expected)
    for one, other in zip(found.tolist(), expected, strict=True):
        assert abs(Fraction(one) / other - 1) < 1e-13


@pytest.mark.parametrize("marked", [1, 2, 40_000, 99_999])
def test_a_large_group(marked: int) -> None:
    """None, one, all and all but one of the documents are drawn: these means are known otherwise."""
    count = 100_000
    found = mean_reciprocals(np.array([count]), np.array([marked]), np.array([LITTLE]), np.array([count + 1]))
    one, all_ = marked / count, 1 / (marked + LITTLE)
    known = {0: 1 / LITTLE, 1: one / (1 + LITTLE) + (1 - one) / LITTLE, count: all_}
    known[count - 1] = one / (marked - 1 + LITTLE) + (1 - one) * all_
    for drawn, mean in known.items():
        assert found[drawn] == pytest.approx(mean, rel=1e-11)


GRADES = st.lists(st.sampled_from([1.0, 1.0, 0.0, -1.0, np.nan]), min_size=1, max_size=12)
TIED = st.lists(st.integers(0, 2), min_size=12, max_size=12).map(sorted)


@given(GRADES, TIED, st.sampled_from([None, 1, 3, 7]))
def test_infap_is_its_mean_over_all_orders(grades: list[float], groups: list[int], cutoff: int | None) -> None:
    r = Rankings.single(grades, pool=[1.0, 1.0], groups=groups[: len(grades)])
    measure = InfAP(cutoff=cutoff)
    slowly = measure.opaque(r)
    exact, error = slowly.estimate(r, measure.depth(r))
    if not error.any():
        np.testing.assert_allclose(measure.score(r), exact, rtol=1e-12, atol=1e-13)
        np.testing.assert_allclose(
            measure.cuts(r, len(grades)), slowly.cuts(r, measure.depth(r), len(grades)), rtol=1e-12, atol=1e-13
        )


def test_infap_of_a_group_of_more_orders_than_are_tried_is_exact() -> None:
    """A relevant document among unjudged ones: those above it are none of the pool, at whatever rank it stands."""
    size = 5000
    r = Rankings.single([1.0] + [np.nan] * (size - 1), groups=[0] * size)
    found = parse("infAP").estimate(r)
    assert found.error is None
    assert found.value[0] == pytest.approx(sum(1 / rank for rank in range(1, size + 1)) / size, rel=1e-13)
