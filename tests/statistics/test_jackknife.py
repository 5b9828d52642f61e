"""Intervals of rank correlations, against scipy, by hand and by simulation."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.statistics.correlations import kendall
from truerank.statistics.jackknife import FEWEST, INTERVALS, MOST, PARTS, correlation_interval, t_quantile

EACH = pytest.mark.parametrize("name", INTERVALS)


def drawn(systems: int, seed: int = 1, rows: int | None = None) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    x, noise = rng.standard_normal((2, systems) if rows is None else (2, rows, systems))
    return x, x + noise


@EACH
@pytest.mark.parametrize("noise", [1.0, 0.3])
def test_it_is_what_leaving_out_each_system_gives(name: str, noise: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    coefficient, (x, y) = INTERVALS[name].coefficient, drawn(20)
    y = x + noise * (y - x)
    value, left = coefficient(x, y), [coefficient(np.delete(x, i), np.delete(y, i)) for i in range(20)]
    error = math.sqrt(19 / 20 * sum((one - np.mean(left)) ** 2 for one in left)) / (1 - value**2)
    # For normal scores: Fieller, Hartley and Pearson.
    error = max(error, math.sqrt(1.06 / 17 if name == "spearman" else 0.437 / 16))
    reach = stats.t.ppf(0.975, 19) * error
    low = min(math.tanh(math.atanh(value) - reach), value * 0.025 ** (2 / 20))
    expected = low, math.tanh(math.atanh(value) + reach)
    assert correlation_interval(name, x, y) == pytest.approx(expected, rel=1e-4)


@EACH
@pytest.mark.parametrize("systems", [8, 20])
def test_it_holds_as_often_as_is_said(name: str, systems: int) -> None:
    """The coefficient to be expected of so many systems lies in 95% of the intervals, or in more."""
    true = float(np.mean(INTERVALS[name].coefficient(*drawn(systems, seed=2, rows=4000))))
    found = [correlation_interval(name, x, y) for x, y in zip(*drawn(systems, seed=3, rows=200), strict=True)]
    held = [ends[0] <= true <= ends[1] for ends in found if ends is not None]
    assert len(held) >= 190
    # Two standard errors of 200 draws.
    assert np.mean(held) >= 0.95 - 2 * math.sqrt(0.95 * 0.05 / 200)


def test_the_order_of_systems_is_nothing() -> None:
    for systems in (30, PARTS + 50):
        x, y = drawn(systems)
        shuffled = np.random.default_rng(4).permutation(systems)
        found = correlation_interval("tau_b", x, y)
        assert found is not None
        assert correlation_interval("tau_b", x[shuffled], y[shuffled]) == pytest.approx(found, abs=1e-12)


def test_parts_of_many_systems_tell_as_much() -> None:
    x, y = drawn(PARTS + 100)
    value, left = kendall(x, y), [kendall(np.delete(x, i), np.delete(y, i)) for i in range(len(x))]
    error = math.sqrt((len(x) - 1) / len(x) * sum((one - np.mean(left)) ** 2 for one in left))
    found = correlation_interval("tau_a", x, y)
    assert found is not None
    assert found[1] - value == pytest.approx(1.96 * error, rel=0.3)
    assert found[0] < value < found[1]


def test_what_is_rare_may_not_have_been_seen() -> None:
    """Rankings that agree in all leave room for the systems that none of the n shows with a chance of 2.5%."""
    ten = list(range(10))
    unseen = 1 - 0.025 ** (1 / 10)
    assert correlation_interval("tau_a", ten, ten) == pytest.approx(((1 - unseen) ** 2, 1.0))
    assert correlation_interval("spearman", ten, ten[::-1]) == pytest.approx((-1.0, -((1 - unseen) ** 2)))
    x, _ = drawn(60)
    nearly = np.where(np.arange(60) == 3, x + 0.2, x)
    found = correlation_interval("tau_b", x, nearly)
    assert found is not None
    assert found[0] <= kendall(x, nearly) * 0.025 ** (2 / 60) + 1e-12


def test_it_holds_where_a_system_in_twenty_stands_anywhere() -> None:
    rng = np.random.default_rng(5)

    def upset(rows: int) -> tuple[Any, Any]:
        x, noise = rng.standard_normal((2, rows, 40))
        return x, np.where(rng.random((rows, 40)) < 0.05, 2 * rng.standard_normal((rows, 40)), x + 0.25 * noise)

    for name in ("tau_b", "spearman"):
        true = float(np.mean(INTERVALS[name].coefficient(*upset(4000))))
        found = [correlation_interval(name, x, y) for x, y in zip(*upset(200), strict=True)]
        assert np.mean([ends is not None and ends[0] <= true <= ends[1] for ends in found]) >= 0.95


def test_there_is_none_where_nothing_tells() -> None:
    assert correlation_interval("tau_b", list(range(10)), [1] * 10) is None
    assert correlation_interval("tau_a", *drawn(FEWEST - 1)) is None
    assert correlation_interval("tau_a", *drawn(FEWEST)) is not None
    assert correlation_interval("tau_a", *drawn(MOST + 1)) is None


def test_more_confidence_is_a_wider_interval_and_no_other_is_taken() -> None:
    x, y = drawn(20)
    one, other = (correlation_interval("tau_a", x, y, share) for share in (0.9, 0.99))
    assert one is not None
    assert other is not None
    assert other[0] < one[0] < one[1] < other[1]
    for wrong in (0.0, 1.0, 95.0, math.nan):
        with pytest.raises(InputError, match="between 0 and 1"):
            correlation_interval("tau_a", x, y, wrong)


@pytest.mark.parametrize("free", [7, 10, 30, 149])
@pytest.mark.parametrize("share", [0.9, 0.95, 0.975, 0.995])
def test_quantiles_of_t(free: int, share: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    assert t_quantile(free, share) == pytest.approx(stats.t.ppf(share, free), rel=2e-3)
