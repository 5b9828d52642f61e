"""Agreement of two orders against their definitions, pair by pair and over all orders of ties."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from truerank.statistics.orders import agreement, ranks


def orders(scores: list[float]) -> list[tuple[int, ...]]:
    """Every order of the systems that the scores leave open, the best first."""
    return [
        order
        for order in itertools.permutations(range(len(scores)))
        if all(scores[a] >= scores[b] for a, b in itertools.pairwise(order))
    ]


def ap_correlation(truth: tuple[int, ...], estimate: tuple[int, ...]) -> float:
    place = {system: at for at, system in enumerate(truth)}
    total = sum(
        sum(place[above] < place[system] for above in estimate[:at]) / at for at, system in enumerate(estimate) if at
    )
    return 2 * total / (len(truth) - 1) - 1


def mean_ap_correlation(x: list[float], y: list[float]) -> float:
    values = [ap_correlation(truth, estimate) for truth in orders(x) for estimate in orders(y)]
    return sum(values) / len(values)


@pytest.mark.parametrize("seed", range(12))
def test_every_statistic_is_what_its_name_says(seed: int) -> None:
    draw = random.Random(seed)
    x, y = ([draw.choice((0.1, 0.2, 0.3, 0.4, 0.5)) for _ in range(5)] for _ in range(2))
    found = agreement(x, y)
    pairs = [*itertools.combinations(range(5), 2)]
    signs = [(np.sign(x[a] - x[b]), np.sign(y[a] - y[b])) for a, b in pairs]
    surplus = sum(one * other for one, other in signs)
    assert (found.runs, found.pairs) == (5, 10)
    assert found.ordered_pairs == sum(one != 0 for one, _ in signs)
    assert found.reversed == sum(one * other < 0 for one, other in signs)
    assert found.tau_a == pytest.approx(surplus / 10)
    size = math.sqrt(sum(one != 0 for one, _ in signs) * sum(other != 0 for _, other in signs))
    assert found.tau_b == pytest.approx(surplus / size) if size else math.isnan(found.tau_b)
    assert found.tau_ap == pytest.approx(mean_ap_correlation(x, y))
    assert found.tau_ap_other == pytest.approx(mean_ap_correlation(y, x))


def test_the_reference_is_the_first() -> None:
    x, y = [0.4, 0.3, 0.2, 0.1], [0.3, 0.4, 0.2, 0.2]
    one, other = agreement(x, y), agreement(y, x)
    assert (one.tau_ap, one.tau_ap_other) == (other.tau_ap_other, other.tau_ap)
    assert (one.ordered_pairs, other.ordered_pairs) == (6, 5)
    assert (one.tau_a, one.tau_b, one.reversed) == (other.tau_a, other.tau_b, other.reversed)


def test_rounding_orders_nothing_and_a_missing_score_leaves_a_system_out() -> None:
    assert agreement([0.1 + 0.2, 0.3], [1.0, 2.0]).ordered_pairs == 0
    found = agreement([0.5, math.nan, 0.1], [0.5, 0.4, 0.1])
    assert (found.runs, found.pairs, found.tau_a) == (2, 1, 1.0)
    assert ranks([0.1 + 0.2, 0.3, math.nan, 0.7]) == [2, 2, None, 1]


@pytest.mark.parametrize("scores", [[], [0.5], [math.nan, 0.5]])
def test_without_a_pair_nothing_is_defined(scores: list[float]) -> None:
    found = agreement(scores, scores)
    assert (found.pairs, found.reversed) == (0, 0)
    assert all(map(math.isnan, (found.tau_a, found.tau_b, found.tau_ap, found.tau_ap_other)))
