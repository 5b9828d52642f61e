"""Closed forms of variances over orders of ties, where orders are too many for every measure's own test."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from truerank.data.rankings import Rankings
from truerank.expectation.variance import of_gains, of_pairs
from truerank.expectation.weights import Blended, Harmonic, Logarithmic, Weight
from truerank.measures.core.orders import sampled_variance, spread, values_of_orders
from truerank.measures.grammar import parse

RNG = np.random.default_rng(5)
SIZES = [1, 6, 2, 4]
GRADES = RNG.choice([0.0, 1.0, 2.0], sum(SIZES)).tolist()
GROUPS = np.repeat(np.arange(len(SIZES)), SIZES).tolist()


def brute(weight: np.ndarray, x: np.ndarray, y: np.ndarray | None, k: int) -> float:
    """The sum of the variances of groups, each over all its orders."""
    total, begin = 0.0, 0
    for size in SIZES:
        values = []
        for order in permutations(range(begin, begin + size)):
            places = [*range(begin), *order]
            ranks = range(begin, min(begin + size, k))
            seen = np.ones(begin + size) if y is None else np.cumsum(y[places])
            values.append(sum(weight[i] * x[places[i]] * seen[i] for i in ranks))
        total += float(np.var(values))
        begin += size
    return total


@pytest.mark.parametrize("k", [1, 3, 5, 8, 10, 13, 99])
@pytest.mark.parametrize(
    "weight", [Harmonic(), Logarithmic(), Blended(0.7, np.cumsum([[0.0, 3, 2, 2, 1, 1, 0]], axis=-1))]
)
def test_any_gains(weight: Weight, k: int) -> None:
    r = Rankings.single(GRADES, groups=GROUPS)
    x, y = RNG.random((2, 1, len(GRADES)))
    rank = np.arange(1, len(GRADES) + 1)
    w = weight.at(rank[None, :])[0]
    depth = np.array([[k]])
    assert of_gains(weight, x, r, depth)[0] == pytest.approx(brute(w, x[0], None, k), rel=1e-12, abs=1e-14)
    assert of_pairs(weight, x, y, r, depth)[0] == pytest.approx(brute(w, x[0], y[0], k), rel=1e-11, abs=1e-14)


@pytest.mark.parametrize("name", ["P@20", "nDCG@50", "RBP", "AP", "Q", "RR", "Success@3", "AUC", "Rprec", "RBPU"])
def test_long_groups_have_a_closed_form_that_samples_agree_with(name: str) -> None:
    grades = RNG.choice([0.0, 0.0, 1.0, 2.0, np.nan], 120)
    r = Rankings.single(grades.tolist(), groups=np.repeat([0, 1, 2], 40).tolist())
    measure = parse(name)
    found = spread(measure, r)
    assert found.error[0] == 0
    (sampled,) = values_of_orders(measure, r, np.array([0]))
    assert not sampled.exact
    error = np.std((sampled.values - sampled.values.mean()) ** 2) / np.sqrt(len(sampled.values))
    assert abs(found.variance[0] - sampled.values.var()) < 5 * error


def test_what_has_no_closed_form_is_sampled_with_its_error() -> None:
    grades = RNG.choice([0.0, 1.0, 2.0], 40)
    found = spread(parse("ERR"), Rankings.single(grades.tolist(), groups=[0] * 40))
    assert 0 < found.error[0] < found.variance[0]


def test_equal_documents_have_no_variance_at_all() -> None:
    for name in ("AP", "nDCG", "RR", "Q", "Bpref"):
        assert spread(parse(name), Rankings.single([1.0] * 700, groups=[0] * 700)).variance[0] == 0


def test_the_error_of_sampled_variances_is_what_it_says() -> None:
    """Of lists whose variance is known, and that are sampled all the same."""
    inside = []
    for _ in range(80):
        grades = RNG.choice([0.0, 0.0, 1.0, 2.0], 30)
        r = Rankings.single(grades.tolist(), groups=[0] * 15 + [1] * 15)
        for name in ("AP", "nDCG@5"):
            known = parse(name).variance(r)[0]
            for found in values_of_orders(parse(name), r, np.array([0])):
                if not found.exact and known > 0:
                    variance, error = sampled_variance(found)
                    inside.append(abs(variance - known) < 1.96 * error)
    assert len(inside) > 100
    assert 0.9 <= np.mean(inside) <= 0.99
