"""Bootstrap tests and intervals against scipy and against every sample there is."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.statistics.bootstrap import bootstrap_shift
from truerank.statistics.intervals import difference_intervals, mean_intervals, resampled_means
from truerank.statistics.randomization import Draws

stats = pytest.importorskip("scipy.stats")


def every_sample(difference: np.ndarray) -> np.ndarray:
    return np.array(list(itertools.product(difference, repeat=len(difference))))


def drawn_samples(topics: int, draws: int, seed: int) -> np.ndarray:
    """The topics of each sample, by their numbers."""
    parts = []
    for block, first in enumerate(range(0, draws, 1024)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block,)))
        parts.append(rng.integers(0, topics, (min(1024, draws - first), topics)))
    return np.concatenate(parts)


def far(samples: np.ndarray, difference: np.ndarray) -> np.ndarray:
    """Which samples of centred differences have a t as far from 0 as that observed."""
    observed = abs(stats.ttest_1samp(difference, 0).statistic)
    mean, deviation = samples.mean(axis=1), samples.std(axis=1, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = np.abs(mean) / (deviation / np.sqrt(len(difference)))
    return ~(t < observed * (1 - 1e-9))


@pytest.mark.parametrize("seed", range(3))
def test_shift_sample_by_sample(seed: int) -> None:
    values = scores(seed, 2, 12)
    difference = values[0] - values[1]
    centred = difference - difference.mean()
    expected = (1 + far(centred[drawn_samples(12, 1500, seed)], difference).sum()) / 1501
    assert bootstrap_shift(values, permutations=1500, seed=seed).p[0, 1] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("make", [scores, precisions], ids=lambda make: make.__name__)
def test_shift_comes_near_all_samples(make) -> None:
    values = make(1, 2, 6)
    difference = values[0] - values[1]
    share = far(every_sample(difference - difference.mean()), difference).mean()
    assert bootstrap_shift(values, permutations=20_000).p[0, 1] == pytest.approx(share, abs=0.015)


@pytest.mark.parametrize(("method", "theirs"), [("bootstrap", "percentile"), ("bca", "BCa")])
@pytest.mark.parametrize("make", [scores, precisions], ids=lambda make: make.__name__)
def test_ends_of_the_same_samples_as_scipy(make, method: str, theirs: str) -> None:
    """scipy finds the ends for the means that were drawn here; the widened level is given to it."""
    values = make(3, 3, 25)
    drawn = resampled_means(values, Draws(2000, 5))
    level = 0.9 if method == "bca" else 1 - 2 * stats.norm.cdf(-stats.t.ppf(0.95, 24) * np.sqrt(25 / 24))
    means = mean_intervals(values, method=method, confidence=0.9, permutations=2000, seed=5)
    pairs = difference_intervals(values, method=method, confidence=0.9, permutations=2000, seed=5)
    cases = [(values[i], drawn[i], means.low[i], means.high[i]) for i in range(3)]
    cases += [
        (values[i] - values[j], drawn[i] - drawn[j], pairs.low[i, j], pairs.high[i, j])
        for i, j in itertools.combinations(range(3), 2)
    ]
    for sample, means_drawn, low, high in cases:
        ours = type("Drawn", (), {"bootstrap_distribution": means_drawn})()
        expected = stats.bootstrap(
            (sample,), np.mean, n_resamples=0, bootstrap_result=ours, method=theirs, confidence_level=level
        ).confidence_interval
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-9)


@pytest.mark.parametrize("method", ["bootstrap", "bca"])
@pytest.mark.parametrize("draws", [1, 2, 3, 5])
def test_few_draws_that_lie_on_one_side_have_ends(method: str, draws: int) -> None:
    for seed in range(20):
        values = scores(seed, 2, 9)
        drawn = resampled_means(values, Draws(draws, seed))
        found = mean_intervals(values, method=method, permutations=draws, seed=seed)
        assert (found.low <= found.high).all()
        assert (found.low >= drawn.min(axis=1) - 1e-12).all()
        assert (found.high <= drawn.max(axis=1) + 1e-12).all()
        assert np.isfinite(difference_intervals(values, method=method, permutations=draws, seed=seed).low).all()


def test_means_of_samples_topic_by_topic() -> None:
    values = scores(4, 2, 7)
    expected = values[:, drawn_samples(7, 1100, 9)].mean(axis=-1)
    np.testing.assert_allclose(resampled_means(values, Draws(1100, 9)), expected, rtol=0, atol=1e-12)


def test_a_constant_difference_has_the_p_of_its_signs() -> None:
    values = scores(5, 1, 20) + np.array([[0.0], [0.1]])
    shift = bootstrap_shift(values, permutations=999)
    assert shift.p[0, 1] == 1 / 1000
    assert "nothing varies and p is that of the signs, 0.001: 1 pair" in shift.notes[0]
    assert bootstrap_shift([[0.5, 0.5, 0.5], [0.0, 0.0, 0.0]], permutations=999).p[0, 1] == 0.25
