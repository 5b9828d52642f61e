"""Tests of significance against scipy, slow twins, and scores that leave them little to work with."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest

from truerank.analysis.significance import tukey as tukey_module
from truerank.analysis.significance.paired import PValues
from truerank.analysis.significance.randomization import randomization
from truerank.analysis.significance.student import significant, student
from truerank.analysis.significance.tukey import tukey
from truerank.data.errors import InputError

stats = pytest.importorskip("scipy.stats")

TESTS = [student, randomization, tukey]
every_test = pytest.mark.parametrize("test", TESTS, ids=lambda test: test.__name__)
Test = Callable[[object], PValues]


def scores(seed: int, systems: int, topics: int) -> np.ndarray:
    """Systems of different quality on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    return rng.normal(0.4, 0.2, topics) + rng.normal(0, 0.05, (systems, 1)) + rng.normal(0, 0.1, (systems, topics))


@pytest.mark.parametrize(("seed", "systems", "topics"), [(1, 2, 50), (2, 6, 9), (3, 4, 2), (4, 3, 500)])
def test_student_is_the_paired_t_test(seed: int, systems: int, topics: int) -> None:
    values = scores(seed, systems, topics)
    p = student(values).p
    for i, j in itertools.combinations(range(systems), 2):
        assert p[i, j] == pytest.approx(stats.ttest_rel(values[i], values[j]).pvalue, abs=1e-9)


@pytest.mark.parametrize("topics", [2, 5, 12])
def test_all_assignments_of_a_few_topics(topics: int) -> None:
    values = scores(5, 3, topics)
    p = randomization(values).p
    for i, j in itertools.combinations(range(3), 2):
        expected = stats.permutation_test(
            (values[i] - values[j],), np.mean, permutation_type="samples", n_resamples=np.inf
        )
        assert p[i, j] == pytest.approx(expected.pvalue, abs=1e-9)


def test_drawn_assignments_count_the_observed_one() -> None:
    values = scores(6, 2, 40)
    rng = np.random.default_rng(3)
    difference = values[0] - values[1]
    as_far = sum(
        abs((np.where(rng.random(40) < 0.5, -1, 1) * difference).sum()) >= abs(difference.sum()) for _ in range(999)
    )
    assert randomization(values, permutations=999, seed=3).p[0, 1] == pytest.approx((1 + as_far) / 1000, abs=1e-12)
    assert 0 < randomization(values + np.array([[0], [1]]), permutations=99).p[0, 1] == 1 / 100


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


def test_tukey_against_analysis_of_variance_by_hand() -> None:
    """Two-way analysis of variance by sums of squares, then the studentised range."""
    values = scores(9, 5, 20)
    systems, topics = values.shape
    correction = values.sum() ** 2 / values.size
    total = (values**2).sum() - correction
    between_systems = (values.sum(axis=1) ** 2).sum() / topics - correction
    between_topics = (values.sum(axis=0) ** 2).sum() / systems - correction
    free = (systems - 1) * (topics - 1)
    error = (total - between_systems - between_topics) / free
    p = tukey(values).p
    for i, j in itertools.combinations(range(systems), 2):
        q = abs(values[i].mean() - values[j].mean()) / np.sqrt(error / topics)
        assert p[i, j] == pytest.approx(stats.studentized_range.sf(q, systems, free), abs=1e-9)


def test_tukey_of_two_systems_is_the_paired_t_test() -> None:
    values = scores(10, 2, 15)
    assert tukey(values).p[0, 1] == pytest.approx(stats.ttest_rel(*values).pvalue, abs=1e-9)


def test_tukey_knows_that_topics_are_shared() -> None:
    """Topics that differ much in difficulty hide differences from the test for independent groups only."""
    values = scores(11, 4, 50) + np.array([[0.2], [0], [0], [0]])
    spread = values + np.linspace(0, 3, 50)
    assert tukey(spread).p[0, 1] < 0.001 < 0.2 < stats.tukey_hsd(*spread).pvalue[0, 1]
    assert tukey(spread).p == pytest.approx(tukey(values).p, abs=1e-9)


def test_many_systems_by_polynomials() -> None:
    values = scores(12, 16, 10)
    mean = values.mean(axis=1)
    p = tukey(values).p
    assert len(mean) * (len(mean) - 1) // 2 > tukey_module._FEW
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    error = np.sqrt((residual**2).sum() / (15 * 9) / 10)
    for j in range(1, 16):
        assert p[0, j] == pytest.approx(stats.studentized_range.sf(abs(mean[0] - mean[j]) / error, 16, 135), abs=1e-9)
    far = tukey(values + 100 * np.arange(16)[:, None]).p
    assert (far[np.triu_indices(16, 1)] < 1e-9).all()


@every_test
@pytest.mark.parametrize(("systems", "topics"), [(1, 1), (1, 7), (2, 1), (3, 2), (4, 30)])
def test_p_values_are_a_symmetric_matrix(test: Test, systems: int, topics: int) -> None:
    p = test(scores(13, systems, topics)).p
    assert p.shape == (systems, systems)
    assert (p == p.T).all()
    assert (np.diag(p) == 1).all()
    assert ((p >= 0) & (p <= 1)).all()


@every_test
def test_systems_that_do_not_differ(test: Test) -> None:
    values = scores(14, 1, 20).repeat(3, axis=0)
    assert (test(values).p == 1).all()
    assert (test(values + np.array([[0], [1e-17], [0]])).p == 1).all()
    noisy = values.copy()
    noisy[1] = np.nextafter(noisy[1], 1)
    assert (test(noisy).p == 1).all()


@pytest.mark.parametrize("test", [student, tukey], ids=lambda test: test.__name__)
def test_a_constant_difference_is_said(test: Test) -> None:
    found = test(scores(15, 1, 20) + np.array([[0.0], [0.1], [0.0]]))
    assert found.p[0, 1] == found.p[1, 2] == 0
    assert found.p[0, 2] == 1
    assert "nothing varies" in found.notes[0]
    assert "2 pairs" in found.notes[0]


@every_test
def test_one_topic_is_said(test: Test) -> None:
    found = test([[0.1], [0.9]])
    assert (found.p == 1).all()
    assert "1 topic" in found.notes[0] or "one topic" in found.notes[0]
    assert not test([[0.1]]).notes, "there is nothing to compare"


@every_test
@pytest.mark.parametrize("bad", [[], [0.1, 0.2], [[]], [["a"]], [[0.1], [0.1, 0.2]], None])
def test_what_is_not_a_table_is_refused(test: Test, bad: object) -> None:
    with pytest.raises(InputError, match="one row a system"):
        test(bad)


@every_test
def test_undefined_scores_are_refused(test: Test) -> None:
    with pytest.raises(InputError, match="system 1 has the score nan for topic 0"):
        test([[0.1, 0.2], [np.nan, 0.3]])


def test_permutations_are_checked() -> None:
    with pytest.raises(InputError, match="permutations=0"):
        randomization(scores(1, 2, 3), permutations=0)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
def test_significant_pairs_are_those_of_the_test(seed: int, alpha: float) -> None:
    draw = np.random.default_rng(seed)
    scores = draw.random((12, 20)) * draw.random((12, 1)) + draw.random(20)
    scores[1] = scores[0]
    scores[2] = scores[0] + 1e-3
    scores[3] = scores[0] + 1e-7 * draw.random(20)
    scores[4] = 0.5
    np.testing.assert_array_equal(significant(scores, alpha), student(scores).p < alpha)


def test_one_topic_finds_nothing() -> None:
    assert not significant([[0.1], [0.9]]).any()
