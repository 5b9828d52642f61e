"""Intervals by Student's t against scipy; how often intervals hold; where there is none."""

from __future__ import annotations

import itertools
import tracemalloc

import numpy as np
import pytest
from tests.statistics.tracks import alike, scores

from truerank.data.errors import InputError
from truerank.statistics.intervals import METHODS, difference_intervals, mean_intervals
from truerank.statistics.tests import TESTS

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("topics", [2, 9, 50])
@pytest.mark.parametrize("confidence", [0.5, 0.95])
def test_student_against_scipy(topics: int, confidence: float) -> None:
    values = scores(topics, 4, topics)
    means = mean_intervals(values, confidence=confidence)
    pairs = difference_intervals(values, confidence=confidence)
    for i in range(4):
        expected = stats.ttest_1samp(values[i], 0).confidence_interval(confidence)
        assert (means.low[i], means.high[i]) == pytest.approx((expected.low, expected.high), abs=1e-9)
    for i, j in itertools.permutations(range(4), 2):
        expected = stats.ttest_rel(values[i], values[j]).confidence_interval(confidence)
        assert (pairs.low[i, j], pairs.high[i, j]) == pytest.approx((expected.low, expected.high), abs=1e-9)
        assert pairs.estimate[i, j] == pytest.approx(values[i].mean() - values[j].mean(), abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_other_way_round_is_the_same(method: str) -> None:
    found = difference_intervals(scores(1, 5, 20), method=method, permutations=500)
    np.testing.assert_array_equal(found.low, -found.high.T)
    np.testing.assert_array_equal(found.estimate, -found.estimate.T)
    assert (found.low <= found.estimate).all()
    assert (np.diag(found.low) == 0).all()
    assert (found.method, found.confidence) == (method, 0.95)


@pytest.mark.thorough
@pytest.mark.parametrize("method", METHODS)
def test_intervals_hold_as_often_as_they_say(method: str) -> None:
    """Of pairs that are alike, one in five has an interval that leaves out 0; by Tukey's, so many tracks have one."""
    tracks = 400 if method in ("t", "tukey") else 200
    outside = 0
    for seed in range(tracks):
        found = difference_intervals(
            alike(seed, 3, 15), method=method, confidence=0.8, permutations=499, seed=seed, threads=1
        )
        left_out = (found.low > 0) | (found.high < 0)
        outside += bool(left_out.any()) if "tukey" in method else bool(left_out[0, 1])
    assert outside / tracks == pytest.approx(0.2, abs=4 * np.sqrt(0.16 / tracks))


@pytest.mark.parametrize("method", METHODS[:3])
def test_one_topic_has_no_interval(method: str) -> None:
    for found in (mean_intervals([[0.1], [0.4]], method=method), difference_intervals([[0.1], [0.4]], method=method)):
        assert np.isnan(found.low[found.estimate != 0]).all()
        assert "one topic" in found.notes[0]


@pytest.mark.parametrize("method", METHODS)
def test_what_does_not_vary_has_no_interval(method: str) -> None:
    values = scores(2, 1, 20) + np.array([[0.0], [0.1], [0.0]])
    pairs = difference_intervals(values, method=method, permutations=200)
    if method == "randomized-tukey":
        # Permutations mix systems that differ, so that their range is known.
        assert (pairs.low[0, 1], pairs.notes) < (pairs.estimate[0, 1], ("",))
        return
    assert np.isnan(pairs.low[np.triu_indices(3, 1)]).all()
    assert np.isnan(pairs.high[np.triu_indices(3, 1)]).all()
    assert pairs.notes[0] == "1 pair of systems does not differ on any topic"
    assert pairs.notes[1].endswith("nothing varies and there is no interval: 2 pairs of systems")
    if method in ("t", "bootstrap", "bca"):
        means = mean_intervals([[0.3] * 8, list(range(8))], method=method, permutations=200)
        assert means.low[0] == means.high[0] == pytest.approx(0.3)
        assert means.low[1] < means.estimate[1] < means.high[1]
        assert means.notes == ("all topics have the same score, so that the interval has no width: 1 system",)


@pytest.mark.parametrize("method", ["t", "bootstrap"])
def test_differences_of_all_pairs_are_not_held_at_once(method: str) -> None:
    values = scores(3, 200, 400)
    every_pair = 200 * 199 // 2 * 400 * 8
    tracemalloc.start()
    try:
        difference_intervals(values, method=method, permutations=100)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < every_pair / 2


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="method='tukey' is not known here; take one of t, bootstrap, bca"):
        mean_intervals([[1, 2]], method="tukey")
    with pytest.raises(InputError, match="confidence=95"):
        difference_intervals([[1, 2], [3, 5]], confidence=95)
    with pytest.raises(InputError, match="permutations=0"):
        mean_intervals([[1, 2]], method="bca", permutations=0)


@pytest.mark.parametrize(
    ("test", "method"),
    [
        ("student", "t"),
        ("bootstrap-shift", "bootstrap-t"),
        ("tukey", "tukey"),
        ("randomized-tukey", "randomized-tukey"),
    ],
)
def test_an_interval_leaves_out_0_where_its_test_finds_a_difference(test: str, method: str) -> None:
    both = 0
    for seed in range(12):
        values = scores(seed, 5, 20) + 0.15 * np.random.default_rng(seed).random((5, 1))
        p = TESTS[test](values, permutations=999, seed=3).p
        found = difference_intervals(values, method=method, permutations=999, seed=3)
        np.testing.assert_array_equal((found.low > 0) | (found.high < 0), p < 0.05)
        both += int((p < 0.05).sum())
    assert both
