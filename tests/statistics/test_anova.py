"""Two-way analysis of variance: published tables, statsmodels, and tables with nothing in them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.statistics.test_tukey import WHEAT
from tests.statistics.tracks import scores

from truerank.statistics.anova import anova, same_means

pytest.importorskip("scipy")

GRAFTS = [
    [90.3, 89.2, 98.2, 93.9, 87.4, 97.9],
    [92.5, 89.5, 90.6, 94.7, 87.0, 95.8],
    [85.5, 90.8, 89.6, 86.2, 88.0, 93.4],
    [82.5, 89.5, 85.6, 87.4, 78.9, 90.7],
]
"""Yields of vascular grafts at four pressures from six batches: Montgomery, Design and Analysis of Experiments (8th
edition 2012), example 4.1."""


def test_the_published_table_of_grafts() -> None:
    """Montgomery, table 4.4."""
    found = anova(GRAFTS)
    assert [round(source.squares, 2) for source in (found.systems, found.topics, found.error)] == [
        178.17,
        192.25,
        109.89,
    ]
    assert [source.freedom for source in (found.systems, found.topics, found.error)] == [3, 5, 15]
    assert round(found.systems.mean_square, 2) == 59.39
    assert round(found.error.mean_square, 2) == 7.33
    assert round(found.systems.f, 2) == 8.11
    assert round(found.systems.p, 4) == 0.0019


def test_the_published_table_of_wheat() -> None:
    """Clewer & Scarisbrick 2001, example 10.1."""
    found = anova(WHEAT)
    assert [round(source.squares, 2) for source in (found.systems, found.topics, found.error)] == [6.63, 9.78, 2.40]
    assert (found.systems.freedom, found.topics.freedom, found.error.freedom) == (3, 2, 6)
    assert (round(found.systems.f, 3), round(found.topics.f, 3)) == (5.525, 12.225)


@pytest.mark.parametrize(("seed", "systems", "topics"), [(1, 2, 30), (2, 5, 8), (3, 3, 2)])
def test_against_statsmodels(seed: int, systems: int, topics: int) -> None:
    formula = pytest.importorskip("statsmodels.formula.api")
    anova_lm = pytest.importorskip("statsmodels.stats.anova").anova_lm
    pandas = pytest.importorskip("pandas")
    values = scores(seed, systems, topics)
    system, topic = np.indices(values.shape)
    frame = pandas.DataFrame({"score": values.ravel(), "system": system.ravel(), "topic": topic.ravel()})
    table = anova_lm(formula.ols("score ~ C(system) + C(topic)", frame).fit())
    found = anova(values)
    for source, row in ((found.systems, "C(system)"), (found.topics, "C(topic)")):
        assert source.freedom == table.loc[row, "df"]
        assert source.squares == pytest.approx(table.loc[row, "sum_sq"], abs=1e-9)
        assert source.f == pytest.approx(table.loc[row, "F"], rel=1e-9)
        assert source.p == pytest.approx(table.loc[row, "PR(>F)"], abs=1e-9)
    assert found.error.squares == pytest.approx(table.loc["Residual", "sum_sq"], abs=1e-9)


def test_where_nothing_is_left_over() -> None:
    same = anova(np.tile(scores(4, 1, 9), (3, 1)))
    assert (same.systems.f, same.systems.p, same.notes) == (0.0, 1.0, ("no two systems differ on any topic",))
    assert (same.topics.f, same.topics.p) == (math.inf, 0.0), "topics differ, though systems do not"
    steady = anova(scores(4, 1, 9) + np.array([[0.0], [0.1], [0.1]]))
    assert (steady.systems.f, steady.systems.p) == (math.inf, 0.0)
    assert (steady.topics.f, steady.topics.p) == (math.inf, 0.0)
    assert "no bound" in steady.notes[0]
    flat = anova([[0.5] * 4] * 3)
    assert (flat.topics.f, flat.topics.p) == (0.0, 1.0)


@pytest.mark.parametrize(
    "values",
    [
        GRAFTS,
        [[0.1, 0.5, 0.3], [0.2, 0.6, 0.4]],
        [[0.1, 0.5, 0.3]] * 2,
        [[0.1] * 3, [0.2] * 3],
        [[0.1, 0.7]],
        [[1], [3]],
    ],
)
def test_squares_add_up_to_those_of_all_scores(values: list[list[float]]) -> None:
    found = anova(values)
    parts = found.systems.squares + found.topics.squares + found.error.squares
    assert parts == pytest.approx(np.size(values) * np.var(values))


@pytest.mark.parametrize(
    ("values", "word"), [([[0.1, 0.2]], "one system"), ([[0.1], [0.2]], "one topic"), ([[1]], "one")]
)
def test_too_little_is_said(values: list[list[float]], word: str) -> None:
    found = anova(values)
    assert math.isnan(found.systems.f)
    assert found.systems.p == found.topics.p == 1
    assert word in found.notes[0]


def test_degrees_of_freedom_by_orthonormal_contrasts() -> None:
    """Greenhouse & Geisser 1959: the covariance of any k - 1 contrasts that are orthonormal."""
    special = pytest.importorskip("scipy.special")
    values = scores(6, 5, 12) + np.outer([1.0, 1.0, 0.0, 0.0, 0.5], scores(7, 1, 12)[0])
    contrasts = np.linalg.qr(np.eye(5)[:, 1:] - 0.2)[0].T
    between = contrasts @ np.cov(values) @ contrasts.T
    even = np.trace(between) ** 2 / (4 * np.trace(between @ between))
    assert 0.25 < even < 0.95
    assert same_means(values) == pytest.approx(special.fdtrc(4 * even, 44 * even, anova(values).systems.f), abs=1e-12)


def test_runs_that_go_together_raise_no_more_false_alarms_than_said() -> None:
    rng = np.random.default_rng(3)
    # Two families of runs, of which each does well on topics of its own.
    family = np.repeat([0, 1], 8)
    alarms = np.zeros(2)
    for _ in range(400):
        values = rng.normal(size=(2, 40))[family] + 0.5 * rng.normal(size=(16, 40))
        alarms += [anova(values).systems.p < 0.05, same_means(values) < 0.05]
    assert alarms[0] > 0.1 * 400
    # 20 are to be expected: fewer than 8 or more than 36 less than one time in a thousand.
    assert 8 <= alarms[1] <= 36


def test_means_of_what_never_varies() -> None:
    assert same_means([[0.5] * 4] * 3) == 1.0
    assert same_means(scores(4, 1, 9) + np.array([[0.0], [0.1], [0.1]])) < 1e-12
