"""One huge tie group: time and memory grow with the number of its documents, and no bit of the result moves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from truerank.data.arrays import Floats
from truerank.data.rankings import ENDLESS, Rankings
from truerank.expectation import cascade, opaque
from truerank.expectation.opaque import Opaque
from truerank.measures.core.lengths import curve
from truerank.measures.grammar import parse


def mixed(size: int, seed: int = 0, above: int = 0) -> Rankings:
    """Documents of several grades, tied but for a few at the top."""
    grades = np.random.default_rng(seed).choice([0.0, 0.0, 1.0, 2.0, 3.0, np.nan], size).tolist()
    return Rankings.single(grades, pool=[3.0, 2.0, 2.0, 1.0], groups=[*range(above), *[above] * (size - above)])


@pytest.mark.parametrize("text", ["ERR", "RBU", "iRBU(p=0.99)", "RR", "Success@700", "ERR(max_rel=9)", "ERR@50"])
@pytest.mark.parametrize(("size", "above"), [(2, 0), (40, 3), (900, 0), (900, 1)])
def test_ranks_that_no_reader_comes_to_add_nothing(
    text: str, size: int, above: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    measure, r = parse(text), mixed(size, above=above)
    short = measure.score(r), measure.credits(r), curve(measure, r, size) if measure.cutoff is None else None
    monkeypatch.setattr(cascade, "NOBODY", 0.0)
    whole = measure.score(r), measure.credits(r), curve(measure, r, size) if measure.cutoff is None else None
    for one, other in zip(short, whole, strict=True):
        assert one is other is None or (one is not None and other is not None and (one == other).all())


def test_few_ranks_of_a_large_group_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    means = cascade._means

    def seen(groups: cascade.Groups, x: Floats, q: Floats) -> tuple[Floats, Floats]:
        widths.append(len(groups.ranks))
        return means(groups, x, q)

    monkeypatch.setattr(cascade, "_means", seen)
    for size in (2_000, 4_000):
        parse("ERR").score(mixed(size))
    assert max(widths) < 500


def test_a_lone_relevant_document_may_stand_at_any_rank() -> None:
    r = Rankings.single([1.0] + [0.0] * 999, groups=[0] * 1000)
    assert parse("RR").score(r)[0] == pytest.approx(sum(1 / i for i in range(1, 1001)) / 1000)
    assert parse("ERR(max_rel=1)").score(r)[0] == pytest.approx(sum(1 / i for i in range(1, 1001)) / 2000)


@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
@pytest.mark.parametrize("size", [20, 300])
def test_samples_of_a_long_list_are_taken_in_batches(size: int, ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    r, depth = replace(mixed(size), ties=ties), np.array([[ENDLESS]])
    rows: list[int] = []

    def function(grades: Floats, pool: Floats) -> Floats:
        rows.append(len(grades))
        return (np.nan_to_num(grades) / np.arange(1, grades.shape[1] + 1)).sum(axis=-1)

    whole = Opaque(function).estimate(r, depth), Opaque(function).cuts(r, depth, 10)
    assert max(rows) == opaque.SAMPLED
    rows.clear()
    monkeypatch.setattr(opaque, "ROOM", 7 * size)
    batched = Opaque(function).estimate(r, depth), Opaque(function).cuts(r, depth, 10)
    assert max(rows) == 7
    assert np.array_equal(np.array(whole[0]), np.array(batched[0]), equal_nan=True)
    # How far the extremes of a sample are from those of all orders is not known.
    assert np.isnan(whole[0][1]).all() == (ties != "expected")
    assert np.array_equal(whole[1], batched[1])


@pytest.mark.parametrize(
    "counts", [[1], [3], [1, 1], [2, 3], [1, 2, 3], [4, 4], [6, 1, 1], [1, 1, 1, 1, 1, 1], [1999, 1]]
)
def test_orders_are_counted(counts: list[int]) -> None:
    mates = np.repeat(np.arange(float(len(counts))), counts)
    exact = math.factorial(len(mates)) // math.prod(map(math.factorial, counts))
    assert opaque._distinct(mates) == min(exact, opaque.ORDERINGS + 1)


def test_orders_of_a_huge_group_are_counted_at_once() -> None:
    # The factorial of a million has 5,565,709 digits.
    assert opaque._distinct(np.arange(1_000_000) % 2) == opaque.ORDERINGS + 1


@pytest.mark.parametrize(("size", "active", "ranks"), [(700, 600, 300), (2000, 600, 2000), (1000, 1000, 1000)])
@pytest.mark.parametrize("keeps", [[0.0, 0.5, 0.9], [0.99, 0.999], [0.25, 1.0, 0.9375], [0.0]])
def test_documents_kind_by_kind_are_those_one_by_one(size: int, active: int, ranks: int, keeps: list[float]) -> None:
    rng = np.random.default_rng(3)
    x, q = rng.integers(0, 4, active) / 4.0, rng.choice(keeps, active)
    one = [np.array([number]) for number in (0, 0, active, 0, size, ranks)]
    grown = cascade._grown(cascade.Groups(*one, active=np.arange(active)), x, q)
    for found, expected in zip(cascade.Kinds.of(x, q).means(size, ranks), grown, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-11, atol=1e-13)


def test_many_tied_documents_of_few_grades_are_one_list_of_kinds() -> None:
    rng = np.random.default_rng(4)
    share, grades = np.array([0.5, 0.2, 0.2, 0.1]), np.arange(4.0)
    many = np.repeat(grades, (share * 200_000).astype(int)).tolist()
    few = rng.permutation(np.repeat(grades, (share * 500).astype(int))).tolist()
    # With so many documents drawing with or without replacement is nearly the same.
    found = parse("ERR").of(many, groups=[0] * len(many))
    assert found == pytest.approx(parse("ERR").of(few, groups=[0] * len(few)), rel=2e-3)
