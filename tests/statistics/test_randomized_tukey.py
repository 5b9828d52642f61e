"""Randomised Tukey HSD: every permutation of a small case, two systems, and what Tukey's own test says."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import alike, precisions, scores

from truerank.statistics.randomization import randomization
from truerank.statistics.tukey import randomized_tukey, tukey


@pytest.mark.parametrize("seed", range(3))
def test_it_comes_near_all_permutations(seed: int) -> None:
    """Three systems and four topics in tenths: (3!)^4 ways to deal the scores out, in whole numbers."""
    values = precisions(seed, 3, 4)
    tenths = np.rint(10 * values).astype(int)
    dealt = itertools.product(*(itertools.permutations(topic) for topic in tenths.T))
    ranges = np.array([np.ptp(np.sum(each, axis=0)) for each in dealt])
    p = randomized_tukey(values, permutations=20_000).p
    for i, j in itertools.combinations(range(3), 2):
        share = (ranges >= abs(tenths[i].sum() - tenths[j].sum())).mean()
        assert p[i, j] == pytest.approx(share, abs=4 * np.sqrt(0.25 / 20_000))


def test_permutation_by_permutation() -> None:
    values = scores(1, 4, 9)
    rng = np.random.default_rng(np.random.SeedSequence(8, spawn_key=(0,)))
    totals = np.zeros((500, 4))
    for topic in (values - values.min(axis=0)).T:
        totals += rng.permuted(np.tile(topic, (500, 1)), axis=1)
    ranges = np.ptp(totals / 9, axis=1)
    p = randomized_tukey(values, permutations=500, seed=8).p
    for i, j in itertools.combinations(range(4), 2):
        as_far = (ranges >= abs(values[i].mean() - values[j].mean()) - 1e-12).sum()
        assert p[i, j] == (1 + as_far) / 501


def test_of_two_systems_it_is_the_randomisation_test() -> None:
    values = scores(2, 2, 10)
    assert randomized_tukey(values, permutations=20_000).p[0, 1] == pytest.approx(
        randomization(values).p[0, 1], abs=0.015
    )


def test_it_comes_near_tukey_where_scores_are_normal_and_systems_alike() -> None:
    pytest.importorskip("scipy")
    values = alike(3, 5, 60)
    assert randomized_tukey(values, permutations=20_000).p == pytest.approx(tukey(values).p, abs=0.03)


def test_topics_as_hard_as_they_like() -> None:
    values = precisions(4, 3, 12)
    hard = values + 1e3 * np.arange(12)
    assert randomized_tukey(hard).p == pytest.approx(randomized_tukey(values).p, abs=1e-12)


def test_a_system_that_varies_more_than_the_rest_is_found_too_often() -> None:
    """What the documentation warns of: means are equal, and a finding in one track of twenty would be right."""
    spread = np.array([[0.3]] + [[0.02]] * 9)
    tracks = 200
    found = 0
    for seed in range(tracks):
        values = spread * np.random.default_rng(seed).normal(size=(10, 50))
        found += bool((randomized_tukey(values, permutations=199, seed=seed, threads=1).p <= 0.05).any())
    assert found / tracks == pytest.approx(0.16, abs=3 * np.sqrt(0.16 * 0.84 / tracks))


def test_p_is_never_0() -> None:
    values = scores(5, 2, 30) + np.array([[0.0], [5.0]])
    found = randomized_tukey(values, permutations=99)
    assert found.p[0, 1] == 1 / 100
    assert found.how == "99 permutations drawn with seed 0"
