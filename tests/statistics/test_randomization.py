"""The randomisation test against scipy, enumeration and slow twins."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.statistics.randomization import randomization

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("topics", [2, 5, 12])
def test_all_assignments_of_a_few_topics(topics: int) -> None:
    values = scores(5, 3, topics)
    found = randomization(values)
    assert found.how == f"all {2**topics:,} assignments"
    for i, j in itertools.combinations(range(3), 2):
        expected = stats.permutation_test(
            (values[i] - values[j],), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert found.p[i, j] == pytest.approx(expected.pvalue, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_assignments_one_by_one(seed: int) -> None:
    """Scores in tenths, where many assignments have the same mean; as whole numbers nothing is rounded."""
    values = precisions(seed, 2, 8)
    tenths = np.rint(10 * (values[0] - values[1])).astype(int)
    sums = [abs(int((tenths * each).sum())) for each in itertools.product((1, -1), repeat=8)]
    expected = np.mean([each >= abs(int(tenths.sum())) for each in sums])
    assert randomization(values).p[0, 1] == expected


def test_drawn_assignments_count_the_observed_one() -> None:
    values = scores(6, 2, 40)
    difference = values[0] - values[1] - 0.9 * (values[0] - values[1]).mean()
    as_far = 0
    for block, rows in enumerate([1024, 1024, 952]):
        rng = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(block,)))
        drawn = np.where(rng.random((rows, 40)) < 0.5, -1, 1)
        as_far += sum(abs((each * difference).sum()) >= abs(difference.sum()) for each in drawn)
    found = randomization([difference, np.zeros(40)], permutations=3000, seed=3)
    assert 0.1 < found.p[0, 1] == pytest.approx((1 + as_far) / 3001, abs=1e-12)
    assert found.how == "3,000 assignments drawn with seed 3"
    assert randomization(values + np.array([[0], [1]]), permutations=99).p[0, 1] == 1 / 100


def test_assignments_depend_on_the_seed_alone() -> None:
    values = scores(7, 5, 30)
    alone, among = randomization(values[[0, 3]], seed=1).p[0, 1], randomization(values, seed=1).p[0, 3]
    assert alone == among
    assert alone != randomization(values, seed=2).p[0, 3]


def test_drawn_and_all_assignments_agree() -> None:
    values = scores(8, 2, 14)
    every = randomization(values, permutations=2**14).p[0, 1]
    assert randomization(values, permutations=2**14 - 1).p[0, 1] == pytest.approx(every, abs=0.02)


def test_rounding_does_not_lose_assignments_with_the_same_mean() -> None:
    # The sums are 0.1 + 0.2 and 0.3, which differ in the last bit; both assignments of the sign count.
    values = np.array([[0.1, 0.2, 0.3], [0.0, 0.0, 0.0]])
    assert randomization(values).p[0, 1] == 2 / 8
    assert randomization([[0.3, 0.1, 0.2, 0.0], [0, 0, 0, 0.6]]).p[0, 1] == 1.0
