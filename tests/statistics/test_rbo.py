from __future__ import annotations

import csv
import math
import re
from itertools import pairwise, permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.parity.shared import need

from truerank.data.errors import InputError
from truerank.statistics.rbo import RBO, Overlap, rbo

VARIANTS = ("w", "a", "b")

Groups = list[list[int]]


@st.composite
def rankings(draw: st.DrawFn, most: int = 6) -> Groups:
    """Items in groups, some of them not in the other ranking."""
    items = draw(st.permutations(range(most)))[: draw(st.integers(1, most))]
    cuts = sorted(draw(st.sets(st.integers(1, len(items)))) | {0, len(items)})
    return [list(items[first:last]) for first, last in pairwise(cuts)]


persistence = st.sampled_from([0.05, 0.5, 0.8, 0.9, 0.99])


def parsed(text: str) -> list[Any]:
    parts = re.findall(r"\([^)]*\)|\S+", text)
    return [tuple(part[1:-1].split()) if part.startswith("(") else part for part in parts]


def test_every_published_case() -> None:
    with need("rbo", "cases.csv").open() as lines:
        cases = list(csv.DictReader(lines))
    assert len(cases) == 2000
    columns = [f"{variant}.{end}" for variant in VARIANTS for end in ("ext", "min", "max", "res")]
    expected = [[float(case[column]) for column in columns] for case in cases]
    found = [
        [
            value
            for found in [rbo(parsed(case["x"]), parsed(case["y"]), p=float(case["p"]))]
            for each in (found.w, found.a, found.b)
            for value in (each.ext, each.low, each.high, each.residual)
        ]
        for case in cases
    ]
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


LN2 = math.log(2.0)


@pytest.mark.parametrize(
    ("x", "y", "variant", "expected"),
    [
        # Agreement 0 at rank 1, then all of it: 1/4 + 1/4, and at the least 1/4 + 2 (1/(3 8) + 1/(4 16) + ...).
        ("a b", "b a", "a", (0.5, 0.25 + 2 * (LN2 - 0.625), 0.5)),
        # The longer list has the shorter one: 1/2 + 1/2 1/4 + 1/(3 8) + ... = ln 2 at the least.
        ("a", "a b", "a", (1.0, LN2, 1.0)),
        # Nothing in common; from rank 2 on everything may be.
        ("a", "b", "a", (0.0, 0.0, 0.5)),
        # At rank 1 the tied two meet the first one: 2 / (2 + 1), 1/2, 1/2 / sqrt(1/2).
        ("(a b)", "a b", "w", (5 / 6, 1 / 3 + 0.25 + 2 * (LN2 - 0.625), 5 / 6)),
        ("(a b)", "a b", "a", (0.75, 0.25 + 0.25 + 2 * (LN2 - 0.625), 0.75)),
        ("(a b)", "a b", "b", (0.5**1.5 + 0.5, 0.5**1.5 + 0.25 + 2 * (LN2 - 0.625), 0.5**1.5 + 0.5)),
    ],
)
def test_by_hand(x: str, y: str, variant: str, expected: tuple[float, float, float]) -> None:
    found: Overlap = getattr(rbo(parsed(x), parsed(y), p=0.5), variant)
    assert (found.ext, found.low, found.high) == pytest.approx(expected, abs=1e-12)
    assert found.residual == found.high - found.low


@given(x=rankings(), y=rankings(), p=persistence)
def test_bounds_hold_and_order_of_arguments_does_not_matter(x: Groups, y: Groups, p: float) -> None:
    found, turned = rbo(x, y, p=p), rbo(y, x, p=p)
    for variant in VARIANTS:
        one: Overlap = getattr(found, variant)
        other: Overlap = getattr(turned, variant)
        assert 0.0 <= one.low <= one.ext <= one.high <= 1.0
        assert (one.ext, one.low, one.high) == pytest.approx((other.ext, other.low, other.high), abs=1e-14)


@given(x=rankings(), p=persistence)
def test_equal_rankings_have_one(x: Groups, p: float) -> None:
    found = rbo(x, [set(group) for group in x], p=p)
    assert found.w.ext == pytest.approx(1.0)
    assert found.b.ext == pytest.approx(1.0)
    # The mean over orders has one only where there is a single order.
    assert (abs(found.a.ext - 1.0) < 1e-12) == all(len(group) == 1 for group in x)


def without_ties(groups: Groups) -> list[list[int]]:
    """Every order that the groups allow."""
    return [[item for group in chosen for item in group] for chosen in product(*map(permutations, groups))]


@given(x=rankings(4), y=rankings(4), p=persistence)
def test_variant_a_is_the_mean_over_all_orders(x: Groups, y: Groups, p: float) -> None:
    every = [rbo(one, other, p=p).w for one in without_ties(x) for other in without_ties(y)]
    found = rbo(x, y, p=p).a
    assert found.low == pytest.approx(np.mean([each.low for each in every]), abs=1e-12)
    if sum(map(len, x)) == sum(map(len, y)):
        assert found.ext == pytest.approx(np.mean([each.ext for each in every]), abs=1e-12)
        assert found.high == pytest.approx(np.mean([each.high for each in every]), abs=1e-12)


def by_definition(x: Groups, y: Groups, p: float, variant: str) -> float:
    """The extrapolated value, item by item and depth by depth, with a tail long enough to matter no more."""
    short, long = sorted((x, y), key=lambda groups: sum(map(len, groups)))
    s, depths = sum(map(len, short)), sum(map(len, long))

    def contribution(groups: Groups, item: int, depth: int) -> float:
        above = 0
        for group in groups:
            if item in group:
                within = min(max(depth - above, 0), len(group))
                return float(within > 0) if variant == "w" else within / len(group)
            above += len(group)
        return 0.0

    items = {item for groups in (x, y) for group in groups for item in group}
    alone = [item for group in long for item in group if not any(item in group for group in short)]
    agreement = [0.0]
    for depth in range(1, depths + 1):
        c = [contribution(short, item, depth) for item in items]
        d = [contribution(long, item, depth) for item in items]
        overlap = sum(one * other for one, other in zip(c, d, strict=True))
        size, square = sum(c), sum(one**2 for one in c)
        if depth > s:
            seen = [part for item in alone if (part := contribution(long, item, depth)) > 0]
            overlap += (depth - s) * agreement[s] * sum(seen) / len(seen)
            size = square = depth
        if variant == "b":
            agreement.append(overlap / math.sqrt(square * sum(other**2 for other in d)))
        else:
            agreement.append(2 * overlap / (size + sum(d)))
    common = len(items) - len(alone) - (len(items) - depths)
    last = (common + (depths - s) * agreement[s]) / depths
    tail = [last] * math.ceil(40 / (1 - p))
    return (1 - p) * sum(each * p**rank for rank, each in enumerate([*agreement[1:], *tail]))


@pytest.mark.parametrize("variant", VARIANTS)
@given(x=rankings(), y=rankings(), p=persistence)
def test_sums_from_counts_are_those_of_the_definition(variant: str, x: Groups, y: Groups, p: float) -> None:
    assert getattr(rbo(x, y, p=p), variant).ext == pytest.approx(by_definition(x, y, p, variant), abs=1e-9)


@given(x=rankings(), y=rankings())
def test_longer_lists_leave_less_open(x: Groups, y: Groups) -> None:
    flat_x, flat_y = without_ties(x)[0], without_ties(y)[0]
    whole, part = rbo(flat_x, flat_y).a, rbo(flat_x, flat_y[:-1]).a
    assert part.low <= whole.low + 1e-12
    assert whole.high <= part.high + 1e-12


def test_from_an_empty_list_nothing_is_extrapolated() -> None:
    found = rbo([], ["a", ("b", "c")], p=0.9)
    assert isinstance(found, RBO)
    for one in (found.w, found.a, found.b):
        assert math.isnan(one.ext)
        assert one.low == 0.0
    assert found.a.high == pytest.approx(1.0 - 0.1 * 0.9 / 4)


def test_long_lists_are_fast_and_exact() -> None:
    items = list(range(50_000))
    found = rbo(items, [items[:1000], *items[1000:]], p=0.999)
    assert found.w.low == pytest.approx(found.w.high)
    assert found.a.ext < found.w.ext < 1.0


@pytest.mark.parametrize("p", [0, 1, -0.5, 1.5, math.nan, "0.9", None])
def test_persistence_lies_between_0_and_1(p: Any) -> None:
    with pytest.raises(InputError, match="between 0 and 1"):
        rbo(["a"], ["a"], p=p)
