"""Intervals that agree with corrected verdicts, and how often they hold."""

from __future__ import annotations

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.data.errors import InputError
from truerank.statistics.agreeing import AGREEING, agreeing_intervals
from truerank.statistics.corrections import CORRECTIONS, corrected
from truerank.statistics.effects import effects
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.tests import TESTS

pytest.importorskip("scipy")


@pytest.mark.parametrize("test", AGREEING)
@pytest.mark.parametrize("correction", ["holm", "bonferroni", "benjamini-hochberg"])
@pytest.mark.parametrize("baselines", [None, [1]])
def test_0_is_outside_just_where_a_difference_is_shown(test: str, correction: str, baselines: list[int] | None) -> None:
    shown = 0
    for seed in range(4):
        make = scores if seed % 2 else precisions
        values = make(seed, 5, 25) + 0.25 * np.random.default_rng(seed).random((5, 1))
        found = corrected(TESTS[test](values, permutations=2999), correction, baselines=baselines)
        way = np.sign(effects(values).difference)
        ends = agreeing_intervals(values, found, way, method=AGREEING[test], permutations=2999)
        asked = found.tested
        different = found.p < 0.05
        assert ((ends.low >= 0) | (ends.high <= 0))[asked & different].all()
        assert ((ends.low <= 0) & (ends.high >= 0))[asked & ~different].all()
        np.testing.assert_array_equal(ends.low, -ends.high.T)
        shown += int((found.p[asked] < 0.05).sum())
    assert 0 < shown < 4 * asked.sum()


def test_levels_by_hand() -> None:
    values = scores(3, 4, 30) + np.array([[0.0], [0.0], [0.2], [0.5]]) - 0.05 * np.array([[0], [1], [0], [0]])
    way = np.sign(effects(values).difference)
    p = TESTS["student"](values)
    holm = corrected(p)
    open_ = [(a, b) for a in range(4) for b in range(a) if not holm.p[a, b] < 0.05]
    assert (len(open_), holm.significant, holm.size) == (1, 5, 6)
    ends = agreeing_intervals(values, holm, way)
    [(a, b)] = open_
    alone = difference_intervals(values)
    assert (ends.low[a, b], ends.high[a, b]) == (alone.low[a, b], alone.high[a, b])
    strict = difference_intervals(values, confidence=1 - 0.05 / 6)
    assert (ends.low[3, 0], ends.high[3, 0]) == (strict.low[3, 0], strict.high[3, 0])
    found = corrected(p, "benjamini-hochberg")
    ends = agreeing_intervals(values, found, way)
    level = 0.05 * found.significant / 6
    np.testing.assert_array_equal(ends.low, difference_intervals(values, confidence=1 - level).low)
    with pytest.raises(InputError, match="correction='none'"):
        agreeing_intervals(values, corrected(p, "none"), way)


def test_others_beside_count_in_the_family() -> None:
    one, two = (TESTS["student"](scores(seed, 4, 30)) for seed in (1, 2))
    found = corrected(one, beside=[two])
    upper = np.triu_indices(4, 1)
    expected = CORRECTIONS["holm"](np.stack([one.p[upper], two.p[upper]]))[0]
    np.testing.assert_array_equal(found.p[upper], expected)
    assert (found.family, found.size) == ("6 pairs of 4 systems by 2 measures", 12)
    twice = corrected(TESTS["tukey"](scores(1, 4, 30)), "none", beside=[two])
    np.testing.assert_allclose(twice.p[upper], np.minimum(1, 2 * TESTS["tukey"](scores(1, 4, 30)).p[upper]))


@pytest.mark.thorough
@pytest.mark.parametrize("different", [0, 3, 7])
def test_how_often_all_hold(different: int) -> None:
    """Signs of those shown and intervals of all others hold at once; those shown hold at once by themselves."""
    tracks = 200
    rng = np.random.default_rng(5)
    true = np.zeros(8)
    true[1 : 1 + different] = 0.06 + 0.1 * np.arange(different)
    signs = widths = 0
    for _ in range(tracks):
        values = rng.normal(0, 0.2, 30) + rng.normal(0, 0.1, (8, 30)) + true[:, None]
        found = corrected(TESTS["student"](values), baselines=[0])
        ends = agreeing_intervals(values, found, np.sign(effects(values).difference))
        low, high, p = ends.low[1:, 0], ends.high[1:, 0], found.p[1:, 0]
        holds = (low <= true[1:]) & (true[1:] <= high)
        right = np.sign(effects(values).difference)[1:, 0] == np.sign(true[1:])
        signs += bool(np.where(p < 0.05, right, holds).all())
        widths += bool(holds[p < 0.05].all())
    slack = 3 * np.sqrt(0.05 * 0.95 / tracks)
    assert signs / tracks > 0.95 - slack
    assert widths / tracks > 0.95 - slack
