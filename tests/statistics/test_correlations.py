from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.statistics.correlations import kendall, kendall_b, spearman, tau_ap, tau_ap_b, weighted_tau

stats = pytest.importorskip("scipy.stats")

Function = Callable[[Any, Any], Any]
EVERY: list[Function] = [kendall, kendall_b, tau_ap, tau_ap_b, weighted_tau, spearman]
SYMMETRIC: list[Function] = [kendall, kendall_b, tau_ap_b, weighted_tau, spearman]

short = st.integers(2, 5).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 3), min_size=size, max_size=size)] * 2)
)
pairs = st.integers(2, 30).flatmap(
    lambda size: st.tuples(*[st.lists(st.integers(0, 12), min_size=size, max_size=size)] * 2)
)


def orders(scores: list[int]) -> Iterator[list[int]]:
    """Every order of the systems that the scores allow, each as a score without ties."""
    groups = [[place for place, score in enumerate(scores) if score == value] for value in sorted({*scores})]
    for chosen in product(*(permutations(group) for group in groups)):
        flat = [place for group in chosen for place in group]
        yield [flat.index(place) for place in range(len(scores))]


def untied_kendall(x: list[int], y: list[int]) -> float:
    n = len(x)
    signs = [(x[i] - x[j]) * (y[i] - y[j]) for i in range(n) for j in range(i)]
    return float(np.sign(signs).sum()) / len(signs)


def untied_tau_ap(truth: list[int], estimate: list[int]) -> float:
    """As Yilmaz, Aslam and Robertson write it."""
    ranked = sorted(range(len(truth)), key=lambda place: -estimate[place])
    total = sum(
        sum(truth[above] > truth[here] for above in ranked[:rank]) / rank for rank, here in enumerate(ranked) if rank
    )
    return 2.0 * total / (len(truth) - 1) - 1.0


@pytest.mark.parametrize(("found", "slow"), [(kendall, untied_kendall), (tau_ap, untied_tau_ap)])
@given(pair=short)
def test_ties_give_the_mean_over_all_orders(found: Function, slow: Function, pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    expected = np.mean([slow(one, other) for one in orders(x) for other in orders(y)])
    assert found(x, y) == pytest.approx(expected, abs=1e-12)


@given(pair=pairs)
def test_kendall_b_and_spearman_are_those_of_scipy(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    if len({*x}) == 1 or len({*y}) == 1:
        assert math.isnan(kendall_b(x, y))
        assert math.isnan(spearman(x, y))
    else:
        assert kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
        assert spearman(x, y) == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


X = [0.67, 0.45, 0.29, 0.12, 0.57, 0.24, 0.94, 0.75, 0.08, 0.54]
Y = [0.48, 0.68, 0.32, 0.09, 0.06, 0.61, 0.87, 0.22, 0.44, 0.84]
X_TIED = [0.7, 0.4, 0.3, 0.1, 0.6, 0.2, 0.9, 0.8, 0.1, 0.5]
Y_TIED = [0.5, 0.7, 0.3, 0.1, 0.1, 0.6, 0.9, 0.2, 0.4, 0.8]


@pytest.mark.parametrize(
    ("coefficient", "x", "y", "printed"),
    [
        (tau_ap, X, Y, 0.3928571),
        (tau_ap, X, Y_TIED, 0.39903),
        (tau_ap_b, X, Y_TIED, 0.3317019),
        (tau_ap_b, X_TIED, Y_TIED, 0.339418),
    ],
)
def test_ap_correlations_that_the_package_ircor_prints(
    coefficient: Function, x: list[float], y: list[float], printed: float
) -> None:
    assert coefficient(x, y) == pytest.approx(printed, abs=5e-8)


@given(pair=st.permutations(range(7)))
def test_without_ties_the_forms_agree(pair: list[int]) -> None:
    x = [*range(7)]
    assert kendall(x, pair) == pytest.approx(kendall_b(x, pair))
    assert tau_ap_b(x, pair) == pytest.approx((tau_ap(x, pair) + tau_ap(pair, x)) / 2)


@pytest.mark.parametrize("coefficient", EVERY)
@given(pair=pairs, rows=st.integers(1, 4))
def test_rows_are_taken_one_by_one(coefficient: Function, pair: tuple[list[int], list[int]], rows: int) -> None:
    x, y = pair
    many = [y[shift:] + y[:shift] for shift in range(rows)]
    np.testing.assert_array_equal(coefficient(x, many), [coefficient(x, row) for row in many])
    np.testing.assert_array_equal(coefficient(many, x), [coefficient(row, x) for row in many])
    np.testing.assert_array_equal(coefficient(many, many[::-1]), list(map(coefficient, many, many[::-1])))


@pytest.mark.parametrize("coefficient", EVERY)
@pytest.mark.parametrize("most", [12, 10**9], ids=["tied", "untied"])
def test_the_order_of_systems_does_not_change_a_bit(coefficient: Function, most: int) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.integers(0, most, (2, 60))
    turned = [rng.permutation(60) for _ in range(50)]
    assert {coefficient(x[order], y[order]) for order in turned} == {coefficient(x, y)}
    rows = coefficient(x[turned], y[turned])
    assert {*rows.tolist()} == {coefficient(x, y)}


@pytest.mark.parametrize("coefficient", EVERY)
@given(pair=pairs)
def test_values_lie_between_minus_one_and_one(coefficient: Function, pair: tuple[list[int], list[int]]) -> None:
    value = coefficient(*pair)
    assert math.isnan(value) or -1.0 <= value <= 1.0 + 1e-12


@pytest.mark.parametrize("coefficient", SYMMETRIC)
@given(pair=pairs)
def test_symmetric_coefficients(coefficient: Function, pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    assert coefficient(x, y) == pytest.approx(coefficient(y, x), nan_ok=True, abs=1e-12)


@pytest.mark.parametrize("coefficient", [kendall_b, tau_ap_b, spearman])
def test_equal_rankings_with_ties_have_one(coefficient: Function) -> None:
    assert coefficient([5, 3, 3, 1, 1, 1], [5, 3, 3, 1, 1, 1]) == 1.0


@pytest.mark.parametrize("coefficient", EVERY)
def test_opposite_rankings_have_minus_one(coefficient: Function) -> None:
    assert coefficient(np.arange(129), -np.arange(129)) == pytest.approx(-1.0, abs=1e-12)


@pytest.mark.parametrize("coefficient", EVERY)
@pytest.mark.parametrize("scores", [[], [1.0]])
def test_fewer_than_two_systems_are_undefined(coefficient: Function, scores: list[float]) -> None:
    assert math.isnan(coefficient(scores, scores))
    assert np.isnan(coefficient(scores, np.array([scores, scores]))).tolist() == [True, True]


@pytest.mark.parametrize(("coefficient", "value"), [(kendall, 0.0), (tau_ap, 0.0)])
def test_where_all_are_tied_the_mean_over_orders_is_zero(coefficient: Function, value: float) -> None:
    assert coefficient([3, 2, 1], [1, 1, 1]) == value


def test_many_systems_are_compared_in_blocks() -> None:
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 900, (2, 2500))
    assert kendall_b(x, y) == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_infinite_and_large_scores_have_an_order() -> None:
    assert kendall([math.inf, 0.0, -math.inf], [3, 2, 1]) == 1.0
    assert kendall([2**53 + 1, 2**53], [2, 1]) == 1.0
    assert kendall(np.array([3, 2], np.uint8), [True, False]) == 1.0


@pytest.mark.parametrize("coefficient", EVERY)
@pytest.mark.parametrize(
    ("x", "y", "said"),
    [
        ([1.0, math.nan], [1, 2], "the score at 1 is NaN"),
        ([1.0, 2.0], [[1, 2], [math.nan, 2]], "the score at 1, 0 is NaN"),
        ([1, 2, 3], [1, 2], "shapes"),
        ([[1, 2]] * 2, [[1, 2]] * 3, "shapes"),
        (["a", "b"], [1, 2], "not rows of numbers"),
        ([[1, 2], [1]], [1, 2], "not rows of numbers"),
        ([None, 1], [1, 2], "NaN|not rows of numbers"),
        (1.0, 1.0, "not rows of numbers"),
    ],
)
def test_what_has_no_order_is_refused(coefficient: Function, x: Any, y: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        coefficient(x, y)


def test_nothing_is_changed() -> None:
    x, y = np.array([3.0, 1.0, 1.0]), np.array([[1.0, 2.0, 3.0]])
    x.flags.writeable = y.flags.writeable = False
    for coefficient in EVERY:
        coefficient(x, y)
    assert y.tolist() == [[1.0, 2.0, 3.0]]


def slow_weighted(x: list[int], y: list[int]) -> float:
    """As Vigna writes it: pair by pair, with the ranks of one, ties broken by the other; then the other way round."""
    found = []
    for first, second in ((x, y), (y, x)):
        order = sorted(range(len(x)), key=lambda place: (-first[place], -second[place]))
        rank = {place: number for number, place in enumerate(order)}

        def product(a: list[int], b: list[int], rank: dict[int, int] = rank) -> float:
            return sum(
                float(np.sign(a[i] - a[j]) * np.sign(b[i] - b[j])) * (1 / (rank[i] + 1) + 1 / (rank[j] + 1))
                for i in range(len(a))
                for j in range(i)
            )

        norm = math.sqrt(product(first, first) * product(second, second))
        found.append(product(first, second) / norm if norm else math.nan)
    return sum(found) / 2


@given(pair=pairs)
def test_weighted_tau_pair_by_pair_and_as_scipy_has_it(pair: tuple[list[int], list[int]]) -> None:
    x, y = pair
    assert weighted_tau(x, y) == pytest.approx(slow_weighted(x, y), abs=1e-12, nan_ok=True)
    assert weighted_tau(x, y) == pytest.approx(stats.weightedtau(x, y).statistic, abs=1e-12, nan_ok=True)
