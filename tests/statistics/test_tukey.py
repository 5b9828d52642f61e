"""Tukey's HSD blocked by topic: published examples, sums of squares by hand, scipy and statsmodels."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.statistics import tukey as tukey_module
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.tukey import tukey

stats = pytest.importorskip("scipy.stats")

WHEAT = [[7.4, 6.5, 5.6], [9.8, 6.8, 6.2], [7.3, 6.1, 6.4], [9.5, 8.0, 7.4]]
"""Yields of four cultivars in three blocks: Clewer & Scarisbrick, Practical Statistics and Experimental Design for
Plant and Crop Science (2001), example 10.1."""


def test_the_published_example_of_wheat() -> None:
    """p as published by Schmidt, DSFAIR (2020), "Randomized complete block design", with R's emmeans."""
    p = tukey(WHEAT).p
    published = {(2, 0): 0.9971, (1, 0): 0.2447, (1, 2): 0.3066, (3, 0): 0.0486, (3, 2): 0.0609, (3, 1): 0.5656}
    assert {pair: round(float(p[pair]), 4) for pair in published} == published


def test_against_analysis_of_variance_by_hand() -> None:
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
    interval = difference_intervals(values, method="tukey", confidence=0.9)
    half = stats.studentized_range.ppf(0.9, systems, free) * np.sqrt(error / topics)
    for i, j in itertools.combinations(range(systems), 2):
        difference = values[i].mean() - values[j].mean()
        q = abs(difference) / np.sqrt(error / topics)
        assert p[i, j] == pytest.approx(stats.studentized_range.sf(q, systems, free), abs=1e-9)
        assert interval.low[i, j] == pytest.approx(difference - half, abs=1e-9)
        assert interval.high[j, i] == pytest.approx(half - difference, abs=1e-9)


def test_of_two_systems_it_is_the_paired_t_test() -> None:
    values = scores(10, 2, 15)
    assert tukey(values).p[0, 1] == pytest.approx(stats.ttest_rel(*values).pvalue, abs=1e-9)


def test_it_knows_that_topics_are_shared() -> None:
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


def test_a_pair_is_significant_where_its_interval_leaves_out_0() -> None:
    values = scores(13, 6, 25)
    found = difference_intervals(values, method="tukey", confidence=0.95)
    outside = (found.low > 0) | (found.high < 0)
    assert 0 < outside.sum() < 30
    np.testing.assert_array_equal(outside, tukey(values).p < 0.05)
