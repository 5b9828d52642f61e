"""The kernels where the small lists of ``every_measure`` do not reach: deep ranks, large groups, endless tails."""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from truerank.data.rankings import ENDLESS, Rankings
from truerank.expectation import cascade
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import draws
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Map, identity
from truerank.expectation.opaque import ORDERINGS, SAMPLED, Opaque
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat, Geometric, Harmonic, Linear, Logarithmic, Weight
from truerank.measures.table import TABLE

NOWHERE = np.full((1, 1), ENDLESS)
GRADE = Map(identity)
WEIGHTS: list[Weight] = [Flat(), Linear(), Harmonic(), Logarithmic(), Geometric(0.8), Geometric(0.999)]


def group(grades: list[float], *, above: int, size: int, after: int = 0) -> Rankings:
    """Judged documents in one tie group of a long list; the other documents are unjudged and not listed."""
    count = len(grades)
    return Rankings(
        topic=np.zeros(1, np.intp),
        start=np.full((1, count), above + 1),
        stop=np.full((1, count), above + size),
        grade=np.array([grades]),
        judgment=np.arange(count)[None, :],
        length=np.array([above + size + after]),
        pool=-np.sort(-np.array([[g for g in grades if g > 0]])),
        judged=np.array([count]),
        max_grade=max(grades),
    )


def weight_at(weight: Weight, rank: int) -> Fraction:
    return Fraction(float(weight.at(np.array([rank]))[0]))


PLACES = [(0, 1, 1), (0, 2, 1), (0, 50, 3), (7, 1000, 2), (100_000, 900, 5)]
"""Documents above a group, documents in it, relevant ones among them."""


@pytest.mark.parametrize(("above", "size", "relevant"), PLACES)
@pytest.mark.parametrize("weight", WEIGHTS, ids=repr)
@pytest.mark.parametrize("share", [1.0, 0.4])
def test_gain_and_pair_in_a_group(weight: Weight, above: int, size: int, relevant: int, share: float) -> None:
    depth = above + max(int(size * share), 1)
    r = group([1.0] * relevant, above=above, size=size)
    whole = sum((weight_at(weight, i) for i in range(above + 1, depth + 1)), Fraction(0))
    exact = float(whole * relevant / size)
    assert Gain(weight, GRADE).total(r, np.array([[depth]]))[0] == pytest.approx(exact, rel=1e-13)

    both = Fraction(relevant - 1, max(size - 1, 1))
    pairs = sum((weight_at(weight, i) * (1 + (i - above - 1) * both) for i in range(above + 1, depth + 1)), Fraction(0))
    found = Pair(weight, GRADE, GRADE).total(r, np.array([[depth]]))[0]
    assert found == pytest.approx(float(pairs * relevant / size), rel=1e-11)


@pytest.mark.parametrize(("above", "size", "relevant"), PLACES)
@pytest.mark.parametrize("weight", [Flat(), Harmonic(), Geometric(0.8)], ids=repr)
def test_cascade_in_a_group(weight: Weight, above: int, size: int, relevant: int) -> None:
    """All relevant documents satisfy with the same chance, so that it takes their number above a rank alone."""
    chance = 0.25
    r = group([1.0] * relevant, above=above, size=size)
    total = Fraction(0)
    for j in range(1, size + 1):
        for hits in range(relevant):
            ways = math.comb(j - 1, hits) * math.comb(size - j, relevant - 1 - hits)
            p = Fraction(ways, math.comb(size, relevant))
            total += weight_at(weight, above + j) * p * Fraction(chance) * Fraction(1 - chance) ** hits
    gain = chance * GRADE
    assert Cascade(weight, gain, 1 - gain).total(r, NOWHERE)[0] == pytest.approx(float(total), rel=1e-12)


def test_cascade_is_the_same_in_batches_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 6, 40).astype(np.intp)
    groups = np.repeat(np.arange(40), sizes).tolist()
    grades = rng.integers(0, 3, len(groups)).astype(float).tolist()
    r = Rankings.single(grades, groups=groups)
    gain = 0.25 * GRADE
    whole = Cascade(Harmonic(), gain, 1 - gain).total(r, NOWHERE)
    for room in (1, 7, 50):
        monkeypatch.setattr(cascade, "BATCH", room)
        assert Cascade(Harmonic(), gain, 1 - gain).total(r, NOWHERE) == whole


@pytest.mark.parametrize("chance", [1.0, 0.5, 0.1, 0.004])
@pytest.mark.parametrize("length", [0, 3, 40])
def test_endless_tails(chance: float, length: int) -> None:
    """A geometric series for a geometric weight; the logarithmic series for a harmonic one."""
    r, p = replace(Rankings.single([0.0] * length), beyond=1.0), 0.8
    gain = chance * GRADE
    found = Cascade(Geometric(p), gain, 1 - gain).total(r, NOWHERE)[0]
    assert found == pytest.approx(p**length * chance * (1 - p) / (1 - p * (1 - chance)), abs=1e-15)
    assert Gain(Geometric(p), gain).total(r, NOWHERE)[0] == pytest.approx(chance * p**length, abs=1e-15)

    keep = 1 - chance
    steps = range(20_000)
    series = math.fsum(chance * keep**step / (length + 1 + step) for step in steps)
    assert Cascade(Harmonic(), gain, 1 - gain).total(r, NOWHERE)[0] == pytest.approx(series, abs=1e-14)
    for weight in (Flat(), Harmonic(), Logarithmic()):
        assert Gain(weight, gain).total(r, NOWHERE)[0] == 0.0


@pytest.mark.parametrize(("size", "marked"), [(1, 0), (1, 1), (5, 2), (40, 13), (500, 3)])
def test_draws_are_hypergeometric(size: int, marked: int) -> None:
    for j, p in enumerate(draws(np.array([size]), np.array([marked]), size)):
        exact = [
            math.comb(marked, m) * math.comb(size - marked, j - m) / math.comb(size, j) if m <= j else 0.0
            for m in range(marked + 1)
        ]
        np.testing.assert_allclose(p[0], exact, rtol=0, atol=1e-13)


def test_draws_of_groups_side_by_side() -> None:
    size, marked = np.array([3, 6, 2]), np.array([1, 4, 2])
    together = list(draws(size, marked, 6))
    for row in range(3):
        alone = list(draws(size[row : row + 1], marked[row : row + 1], int(size[row])))
        for j, p in enumerate(alone):
            np.testing.assert_allclose(together[j][row, : p.shape[1]], p[0], rtol=0, atol=1e-15)


ORDERS = [
    ([[1.0, 0.0]], 2),
    ([[1.0, 1.0, 0.0, 0.0]], 6),
    ([[2.0, 1.0, np.nan], [0.0, 1.0]], 12),
    ([[np.nan, np.nan, 1.0, 1.0, -1.0]], 30),
    ([[1.0] * 6 + [0.0] * 6], 924),
    ([[0.0] * 30], 1),
    ([[1.0] * 7 + [0.0] * 7], SAMPLED),
]


@pytest.mark.parametrize(("grades", "count"), ORDERS)
def test_opaque_takes_each_distinct_order_once(grades: list[list[float]], count: int) -> None:
    seen: list[tuple[Any, ...]] = []

    def function(orders: Any, pool: Any) -> Any:
        seen.extend(tuple(np.nan_to_num(order, nan=-9.0).tolist()) for order in orders)
        return np.zeros(len(orders))

    groups = [i for i, group_ in enumerate(grades) for _ in group_]
    Opaque(function).estimate(Rankings.single([g for group_ in grades for g in group_], groups=groups), NOWHERE)
    assert len(seen) == count
    if count != SAMPLED:
        assert len(set(seen)) == count <= ORDERINGS
    flat = [sorted(np.nan_to_num(group_, nan=-9.0)) for group_ in grades]
    for order in seen:
        ends = np.cumsum([len(group_) for group_ in grades]).tolist()
        parts = [sorted(order[a:b]) for a, b in zip([0, *ends], ends, strict=False)]
        assert parts == flat


@pytest.mark.parametrize("name", [name for name in TABLE if name not in ("OIE", "NumQ", "NumRet")])
def test_unjudged_documents_need_not_be_listed(name: str) -> None:
    """A group's unlisted documents are unjudged: listing them changes nothing."""
    judged = [2.0, 0.0, 1.0, 1.0, -1.0]
    few = group(judged, above=3, size=9, after=4)
    grades = [math.nan] * 3 + judged + [math.nan] * 8
    groups = [0, 1, 2, *[3] * 9, 4, 5, 6, 7]
    every = Rankings.single(grades, pool=judged, groups=groups)
    measure = TABLE[name]
    for at in [measure, *([measure @ k for k in (1, 4, 7, 12, 20)] if measure.takes_cutoff and name != "c" else [])]:
        assert at.score(few)[0] == pytest.approx(at.score(every)[0], abs=1e-14), at
