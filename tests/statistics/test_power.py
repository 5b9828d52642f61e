"""Power against scipy's noncentral distributions, statsmodels, and tracks made up for it."""

from __future__ import annotations

import math

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.data.errors import InputError
from truerank.statistics.anova import anova
from truerank.statistics.power import anova_power, anova_topics, detectable, exaggeration, needed_topics, plan, power_of
from truerank.statistics.student import student

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("topics", [2, 10, 50, 1000])
@pytest.mark.parametrize("effect", [0.01, 0.3, 1.0, 8.0])
@pytest.mark.parametrize("sides", [1, 2])
def test_power_is_of_the_noncentral_t(topics: int, effect: float, sides: int) -> None:
    critical = stats.t.isf(0.05 / sides, topics - 1)
    shift = effect * math.sqrt(topics)
    # Written with the mirror image of the lower tail, which scipy finds where it does not find the tail itself.
    expected = stats.nct.sf(critical, topics - 1, shift)
    expected += stats.nct.sf(critical, topics - 1, -shift) if sides == 2 and shift < 20 else 0
    assert power_of(topics, 0.1 * effect, 0.1, sides=sides) == pytest.approx(expected, abs=1e-9)
    assert power_of(topics, -0.1 * effect, 0.1, sides=sides) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("effect", [0.05, 0.3, 1.0, 3.0])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95), (0.2, 0.3)])
@pytest.mark.parametrize("sides", [1, 2])
def test_topics_needed_are_the_fewest(effect: float, alpha: float, power: float, sides: int) -> None:
    needed = float(needed_topics(effect, 1.0, alpha=alpha, power=power, sides=sides))
    assert power_of(needed, effect, 1.0, alpha=alpha, sides=sides) >= power
    if needed > 2:
        assert power_of(needed - 1, effect, 1.0, alpha=alpha, sides=sides) < power
    solve = pytest.importorskip("statsmodels.stats.power").TTestPower().solve_power
    if needed > 10:
        alternative = "two-sided" if sides == 2 else "larger"
        theirs = solve(effect, alpha=alpha, power=power, alternative=alternative)
        assert needed == math.ceil(theirs)


@pytest.mark.parametrize("topics", [2, 5, 50, 5000])
@pytest.mark.parametrize("sides", [1, 2])
def test_the_detectable_difference_has_the_power(topics: int, sides: int) -> None:
    found = detectable(topics, [0.1, 0.3], power=0.9, sides=sides)
    assert found[1] == pytest.approx(3 * found[0])
    assert power_of(topics, float(found[0]), 0.1, sides=sides) == pytest.approx(0.9, abs=1e-9)


def test_differences_are_found_as_often_as_planned() -> None:
    topics = int(needed_topics(0.05, 0.1))
    tracks = 1000
    rng = np.random.default_rng(1)
    found = sum(student([rng.normal(0.05, 0.1, topics), np.zeros(topics)]).p[0, 1] < 0.05 for _ in range(tracks))
    assert found / tracks == pytest.approx(float(power_of(topics, 0.05, 0.1)), abs=4 * np.sqrt(0.16 / tracks))


def test_a_plan_takes_the_spread_that_was_observed() -> None:
    values = scores(1, 4, 30)
    found = plan(values, 0.02, alpha=0.01, power=0.9)
    deviation = (values[0] - values[3]).std(ddof=1)
    assert found.topics == 30
    assert found.deviation[0, 3] == pytest.approx(deviation)
    assert found.detectable[3, 0] == pytest.approx(float(detectable(30, deviation, alpha=0.01, power=0.9)))
    assert found.needed is not None
    assert found.needed[3, 0] == needed_topics(0.02, deviation, alpha=0.01, power=0.9)
    assert plan(values).needed is None


def test_a_plan_of_little() -> None:
    one = plan([[0.1], [0.2]], 0.1)
    assert np.isnan(one.detectable).all()
    assert "one topic" in one.notes[0]
    steady = plan(scores(2, 1, 9) + np.array([[0.0], [0.1]]), 0.05)
    assert steady.detectable[0, 1] == 0
    assert steady.needed is not None
    assert steady.needed[0, 1] == 2
    assert "from two topics on" in steady.notes[0]
    assert plan([[0.1, 0.5]]).notes == ()


def test_tiny_differences_need_many_topics_and_get_an_answer() -> None:
    assert needed_topics(1e-6, 0.1) == pytest.approx(7.849e10, rel=1e-3)


@pytest.mark.parametrize("systems", [2, 5, 20])
def test_power_of_an_analysis_of_variance(systems: int) -> None:
    topics = 25
    free = (systems - 1) * (topics - 1)
    critical = stats.f.isf(0.05, systems - 1, free)
    expected = stats.ncf.sf(critical, systems - 1, free, topics * 0.5**2 / 2)
    assert anova_power(topics, systems, 0.05, 0.1) == pytest.approx(expected, abs=1e-9)
    needed = anova_topics(systems, 0.05, 0.1)
    assert anova_power(needed, systems, 0.05, 0.1) >= 0.8 > anova_power(needed - 1, systems, 0.05, 0.1)
    if systems == 2:
        assert anova_power(topics, 2, 0.05, 0.1) == pytest.approx(power_of(topics, 0.05, 0.1 * math.sqrt(2)), abs=1e-9)


def test_analysis_of_variance_finds_as_often_as_planned() -> None:
    rng = np.random.default_rng(3)
    worst_case = np.array([[0.06], [0.03], [0.03], [0.0]])
    tracks = 600
    found = sum(
        anova(worst_case + rng.normal(0, 0.2, 20) + rng.normal(0, 0.08, (4, 20))).systems.p < 0.05
        for _ in range(tracks)
    )
    assert found / tracks == pytest.approx(float(anova_power(20, 4, 0.06, 0.08)), abs=4 * np.sqrt(0.25 / tracks))


@pytest.mark.parametrize(
    ("ask", "what"),
    [
        (lambda: needed_topics(0, 0.1), "difference=0"),
        (lambda: needed_topics(0.1, 0.1, power=1.0), "power=1.0"),
        (lambda: detectable(1, 0.1), "two topics"),
        (lambda: detectable(10, 0.1, alpha=5), "alpha=5"),
        (lambda: power_of(10, 0.1, 0.0), "deviation=0.0"),
        (lambda: power_of(1, 0.1, 0.1), "two topics"),
        (lambda: power_of(10, 0.1, 0.1, sides=3), "sides=3"),
        (lambda: anova_power(10, 1, 0.1, 0.1), "two systems"),
        (lambda: anova_power([1], 3, 0.1, 0.1), "two topics"),
        (lambda: anova_power([20, np.nan], 3, 0.1, 0.1), "two topics"),
        (lambda: power_of(np.inf, 0.1, 0.1), "two topics"),
        (lambda: anova_power(10, 3, np.inf, 0.1), "a difference and a deviation"),
        (lambda: plan([[0.1], [0.2]], alpha=5), "alpha=5"),
        (lambda: plan([[0.1], [0.2]], power=1.0), "power=1.0"),
        (lambda: plan([[0.1], [0.2]], sides=9), "sides=9"),
        (lambda: plan([[0.1], [0.2]], 0), "difference=0"),
    ],
)
def test_what_is_refused(ask, what: str) -> None:
    with pytest.raises(InputError, match=what):
        ask()


@pytest.mark.parametrize(("topics", "difference"), [(10, 0.1), (50, 0.05), (50, 0.2)])
def test_exaggeration_by_simulation(topics: int, difference: float) -> None:
    drawn = np.random.default_rng(1).normal(difference, 0.25, (40_000, topics))
    shown = stats.ttest_1samp(drawn, 0, axis=1).pvalue < 0.05
    expected = np.abs(drawn.mean(axis=1)[shown]).mean() / difference
    assert exaggeration(topics, difference, 0.25) == pytest.approx(expected, rel=0.03)
