"""Topics in groups: the t-test of group means, enumeration, formulas, and how often what is not there is found."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from truerank.statistics.clusters import Clusters, intraclass
from truerank.statistics.intervals import difference_intervals, mean_intervals
from truerank.statistics.tests import TESTS

stats = pytest.importorskip("scipy.stats")

UNEVEN = np.repeat(np.arange(10), [1, 1, 2, 2, 3, 4, 6, 8, 10, 13])


def alike(rng: np.random.Generator, number: np.ndarray, correlation: float) -> np.ndarray:
    """Differences of mean 0 whose topics are alike within groups."""
    shared = rng.normal(size=number.max() + 1)[number]
    return np.sqrt(correlation) * shared + np.sqrt(1 - correlation) * rng.normal(size=len(number))


def test_of_equal_groups_it_is_the_t_test_of_their_means() -> None:
    scores = np.random.default_rng(1).random((2, 20))
    number = np.arange(20) % 5
    units = Clusters(number).of(scores)
    means = [[scores[at][number == group].mean() for group in range(5)] for at in (0, 1)]
    np.testing.assert_allclose(units, means, atol=1e-15)
    assert TESTS["student"](units).p[0, 1] == pytest.approx(stats.ttest_rel(*means).pvalue, abs=1e-14)


def test_the_mean_over_groups_is_that_over_topics() -> None:
    scores = np.random.default_rng(2).random((3, len(UNEVEN)))
    for units in (Clusters(UNEVEN).of(scores), Clusters(UNEVEN).around_means(scores)):
        np.testing.assert_allclose(units.mean(axis=1), scores.mean(axis=1), atol=1e-14)


def test_the_error_of_a_mean_is_the_cluster_robust_one() -> None:
    """G / (G - 1) sum_g (S_g - n_g m)^2 / n^2: what regression on a constant with clustered errors has."""
    scores = np.random.default_rng(3).random((1, len(UNEVEN)))
    mean, groups = scores.mean(), 10
    sums = sum((scores[0][group == UNEVEN] - mean).sum() ** 2 for group in range(groups))
    error = np.sqrt(groups / (groups - 1) * sums) / len(UNEVEN)
    half = stats.t.ppf(0.975, groups - 1) * error
    found = mean_intervals(Clusters(UNEVEN).around_means(scores))
    assert found.low[0] == pytest.approx(mean - half, abs=1e-14)
    assert found.high[0] == pytest.approx(mean + half, abs=1e-14)


def test_randomisation_exchanges_groups_as_a_whole() -> None:
    rng, number = np.random.default_rng(4), np.array([0, 0, 1, 2, 2, 2, 3, 4, 4])
    scores = rng.random((2, len(number)))
    differences = scores[0] - scores[1]
    signs = [np.array(each)[number] for each in product((-1, 1), repeat=5)]
    far = np.mean([abs((each * differences).sum()) >= abs(differences.sum()) - 1e-12 for each in signs])
    assert TESTS["randomization"](Clusters(number).of(scores)).p[0, 1] == pytest.approx(far, abs=1e-15)


def test_numbers_of_groups_that_have_no_topic_do_not_count() -> None:
    assert len(Clusters(np.array([3, 3, 7]))) == 2
    assert len(Clusters(np.array([0, 1, 2])).take(np.array([True, False, True]))) == 2


def test_ten_groups_of_five_that_are_alike_keep_the_level() -> None:
    """With an intraclass correlation of .5 the t-test of topics finds what is not there in a quarter of all tracks."""
    rng, number, tracks = np.random.default_rng(5), np.repeat(np.arange(10), 5), 600
    topics = groups = 0
    for _ in range(tracks):
        scores = np.stack([alike(rng, number, 0.5), np.zeros(50)])
        topics += TESTS["student"](scores).p[0, 1] < 0.05
        groups += TESTS["student"](Clusters(number).of(scores)).p[0, 1] < 0.05
    assert topics / tracks > 0.2
    assert groups / tracks == pytest.approx(0.05, abs=0.027)  # three standard errors


@pytest.mark.parametrize("test", ["student", "randomization", "wilcoxon"])
def test_groups_of_any_sizes_keep_the_level(test: str) -> None:
    rng, tracks, found = np.random.default_rng(6), 400, 0
    for seed in range(tracks):
        scores = np.stack([alike(rng, UNEVEN, 0.5), np.zeros(len(UNEVEN))])
        found += TESTS[test](Clusters(UNEVEN).of(scores), permutations=1024, seed=seed).p[0, 1] < 0.05
    assert found / tracks < 0.05 + 0.033


def test_intervals_of_groups_hold() -> None:
    rng, number, tracks = np.random.default_rng(7), np.repeat(np.arange(15), 4), 400
    held = 0
    for _ in range(tracks):
        scores = np.stack([0.3 + alike(rng, number, 0.5), np.zeros(60)])
        found = difference_intervals(Clusters(number).of(scores))
        held += found.low[0, 1] <= 0.3 <= found.high[0, 1]
    assert held / tracks == pytest.approx(0.95, abs=0.033)


def test_intraclass_correlation_of_a_published_table() -> None:
    """Shrout & Fleiss 1979, six targets and four judges: ICC(1, 1) = .17."""
    ratings = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]])
    found = intraclass(ratings.reshape(1, -1), np.repeat(np.arange(6), 4))
    assert round(found[0], 2) == 0.17


def test_what_is_said_of_few_and_of_uneven_groups() -> None:
    assert not Clusters(np.arange(40) // 2).notes()
    assert "4 groups are few" in Clusters(np.arange(40) // 10).notes()[0]
    assert "50% of the topics" in Clusters(np.array([0] * 20 + [*range(1, 21)])).notes()[0]
