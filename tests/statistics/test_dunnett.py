"""Dunnett's tests: the distribution, what they are with two systems, their level, power, and what they agree with."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from tests.statistics.tracks import alike, precisions, scores

from truerank.data.errors import InputError
from truerank.statistics.corrections import holm
from truerank.statistics.dunnett import beyond, critical_t, dunnett, randomized_dunnett
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.student import student, t_statistic
from truerank.statistics.tests import BASELINE_TESTS, procedure

stats = pytest.importorskip("scipy.stats")
NAMES = sorted(BASELINE_TESTS)


@pytest.mark.parametrize(
    ("others", "free", "critical"),
    # Dunnett 1964, two-sided at .05.
    [(1, 10, 2.23), (2, 60, 2.27), (3, 20, 2.54), (7, 120, 2.65), (9, 5, 3.97)],
)
def test_critical_values_are_the_published_ones(others: int, free: int, critical: float) -> None:
    assert critical_t(0.95, others, free) == pytest.approx(critical, abs=0.0051)


@pytest.mark.parametrize(("t", "others", "free"), [(2.3, 3, 8), (1.5, 5, 40), (3.0, 7, 343)])
def test_the_distribution_is_that_of_the_multivariate_t(t: float, others: int, free: int) -> None:
    shape = 0.5 * (np.eye(others) + 1)
    inside = stats.multivariate_t(shape=shape, df=free, seed=1).cdf(np.full(others, t), lower_limit=np.full(others, -t))
    assert float(beyond(t, others, free)) == pytest.approx(1 - inside, abs=3e-4)


@pytest.mark.parametrize("free", [1, 7, 60])
def test_of_one_comparison_it_is_that_of_t(free: int) -> None:
    t = np.array([0.0, 0.5, 2.0, 6.0])
    np.testing.assert_allclose(beyond(t, 1, free), 2 * stats.t.sf(t, free), rtol=1e-7, atol=1e-11)


def test_with_two_systems_it_is_the_t_test() -> None:
    values = scores(3, 2, 30)
    assert dunnett(values).p[0, 1] == pytest.approx(student(values).p[0, 1], rel=1e-9)


@pytest.mark.parametrize("baseline", [0, 2, 4])
def test_randomised_over_all_turns(baseline: int) -> None:
    values = scores(4, 5, 9)
    apart = np.delete(values - values[baseline], baseline, axis=0)
    far = [np.abs(t_statistic(apart * np.array(signs))).max() for signs in product((1, -1), repeat=9)]
    expected = [np.mean(np.array(far) >= one - 1e-9) for one in np.abs(t_statistic(apart))]
    found = randomized_dunnett(values, baseline=baseline).p[baseline]
    np.testing.assert_allclose(np.delete(found, baseline), expected, rtol=1e-12)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [scores, precisions])
@pytest.mark.parametrize("topics", [8, 30])
def test_an_interval_leaves_out_0_where_a_difference_is_found(name: str, make, topics: int) -> None:
    some = 0
    for seed in range(12):
        values = make(seed, 5, topics) + 0.2 * np.random.default_rng(seed).random((5, 1))
        at = seed % 5
        p = procedure(name, baseline=True)(values, baseline=at, permutations=999, seed=3).p[at]
        found = difference_intervals(values, method=name, baseline=at, permutations=999, seed=3)
        np.testing.assert_array_equal((found.low[at] > 0) | (found.high[at] < 0), p < 0.05)
        some += int((p < 0.05).sum())
    assert some


@pytest.mark.parametrize("name", NAMES)
def test_pairs_without_the_baseline_are_not_found(name: str) -> None:
    values = scores(5, 4, 30) + np.array([[0.0], [0.3], [0.6], [0.9]])
    p = procedure(name, baseline=True)(values, baseline=1, permutations=500).p
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()
    assert (p[1, [0, 2, 3]] < 0.05).all()
    assert (p[np.ix_([0, 2, 3], [0, 2, 3])] == 1).all()


@pytest.mark.parametrize("name", NAMES)
def test_little_to_work_with(name: str) -> None:
    test = procedure(name, baseline=True)
    assert (test([[0.5, 0.1]]).p == 1).all()
    assert (test([[0.5], [0.9]]).p == 1).all()
    same = scores(14, 1, 20).repeat(3, axis=0)
    assert (test(same, permutations=99).p == 1).all()
    with pytest.raises(InputError, match="baseline=3; give a position from 0 to 2"):
        test(same, baseline=3)


def test_the_same_bits_by_any_threads() -> None:
    values = scores(6, 6, 40)
    one, two = (randomized_dunnett(values, permutations=3000, seed=2, threads=threads).p for threads in (1, 3))
    assert one.tobytes() == two.tobytes()


@pytest.mark.parametrize("name", NAMES)
def test_the_level_where_all_are_alike(name: str) -> None:
    tracks = 200
    test = procedure(name, baseline=True)
    found = sum(
        (test(alike(seed, 5, 20), permutations=199, seed=seed, threads=1).p < 0.1).any() for seed in range(tracks)
    )
    assert abs(found / tracks - 0.1) < 3 * np.sqrt(0.1 * 0.9 / tracks)


def test_it_finds_more_than_holm_where_few_differ() -> None:
    found = np.zeros(2)
    for seed in range(300):
        values = alike(seed, 8, 50)
        values[1] += 0.054
        found += [holm(student(values).p[0, 1:])[0] < 0.05, dunnett(values).p[0, 1] < 0.05]
    by_holm, by_dunnett = found / 300
    assert by_dunnett > by_holm + 0.03
