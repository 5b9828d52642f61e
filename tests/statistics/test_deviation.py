"""The deviation of differences against all pairs one by one, Bonett's formula by hand, and heavy tails."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.statistics.deviation import deviation_interval, pooled_deviation

stats = pytest.importorskip("scipy.stats")


def slow(values: np.ndarray, confidence: float) -> tuple[float, float]:
    """Bonett 2006, with t in place of z and the mean over pairs, one pair and topic after the other."""
    systems, topics = values.shape
    pairs = list(combinations(range(systems), 2))
    differences = [values[a] - values[b] for a, b in pairs]
    variance = np.mean([np.var(each, ddof=1) for each in differences])
    proportion = 1 / (2 * np.sqrt(topics - 4))
    # Around the trimmed mean of each system, of scores without the mean of the topic.
    centre = [stats.trim_mean(values[each] - values.mean(axis=0), proportion) for each in range(systems)]
    q = [np.mean([(values[a, t] - values[b, t] - centre[a] + centre[b]) ** 2 for a, b in pairs]) for t in range(topics)]
    kurtosis = topics * sum(one**2 for one in q) / ((topics - 1) * variance) ** 2
    c = topics / (topics - stats.norm.ppf((1 + confidence) / 2))
    error = c * np.sqrt((kurtosis - (topics - 3) / topics) / (topics - 1))
    half = stats.t.ppf((1 + confidence) / 2, topics - 1) * error
    return np.sqrt(c * variance * np.exp(-half)), np.sqrt(c * variance * np.exp(half))


@pytest.mark.parametrize("systems", [2, 3, 7])
@pytest.mark.parametrize("topics", [5, 6, 25, 50])
def test_all_pairs_one_by_one(systems: int, topics: int) -> None:
    values = scores(systems + topics, systems, topics)
    variances = [np.var(values[a] - values[b], ddof=1) for a, b in combinations(range(systems), 2)]
    assert pooled_deviation(values) == pytest.approx(np.sqrt(np.mean(variances)))
    assert deviation_interval(values, 0.9) == pytest.approx(slow(values, 0.9))


def test_units_and_the_difficulty_of_topics_do_not_matter() -> None:
    values = scores(1, 4, 30)
    low, high = deviation_interval(values) or (0.0, 0.0)
    assert low < pooled_deviation(values) < high
    assert deviation_interval(3 * values + np.arange(30)) == pytest.approx((3 * low, 3 * high))


def test_little_is_known_from_few_topics_and_everything_of_what_does_not_vary() -> None:
    assert deviation_interval(scores(2, 3, 4)) is None
    steady = scores(2, 1, 9) + np.array([[0.0], [0.1]])
    assert pooled_deviation(steady) == 0
    assert deviation_interval(steady) == (0.0, 0.0)


@pytest.mark.parametrize(("freedom", "least"), [(3, 0.8), (5, 0.9), (1000, 0.93)])
def test_the_interval_holds_for_heavy_tails(freedom: int, least: float) -> None:
    """By chi-square it holds in .68, .86 and .96 of these."""
    rng = np.random.default_rng(4)
    true = np.sqrt(2 * freedom / (freedom - 2))
    held = [
        low <= true <= high
        for low, high in (deviation_interval(rng.standard_t(freedom, (2, 50))) or (0, 0) for _ in range(600))
    ]
    assert np.mean(held) >= least


def test_many_systems_tell_more_than_two() -> None:
    rng = np.random.default_rng(5)
    lengths = [
        np.mean(
            [
                np.log(high / low)
                for low, high in (deviation_interval(rng.normal(size=(systems, 50))) or (1, 1) for _ in range(100))
            ]
        )
        for systems in (2, 10)
    ]
    assert lengths[1] < 0.6 * lengths[0]
