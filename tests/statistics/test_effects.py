"""Effect sizes by their definitions."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.statistics.effects import effects

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("topics", [2, 3, 10, 60])
@pytest.mark.parametrize("make", [scores, precisions], ids=lambda make: make.__name__)
def test_definitions(make, topics: int) -> None:
    values = make(topics, 4, topics) + np.linspace(0, 0.01, topics)
    found = effects(values)
    free = topics - 1
    hedges = math.gamma(free / 2) / (math.sqrt(free / 2) * math.gamma((free - 1) / 2)) if free > 1 else 0.0
    for i, j in itertools.permutations(range(4), 2):
        difference = values[i] - values[j]
        deviation = difference.std(ddof=1)
        won, lost = int((difference > 1e-12).sum()), int((difference < -1e-12).sum())
        assert found.difference[i, j] == pytest.approx(difference.mean(), abs=1e-12)
        assert found.deviation[i, j] == pytest.approx(deviation, abs=1e-12)
        assert (found.wins[i, j], found.ties[i, j], found.losses[i, j]) == (won, topics - won - lost, lost)
        assert found.superiority[i, j] == pytest.approx((won + (topics - won - lost) / 2) / topics)
        if deviation > 1e-12:
            assert found.d_z[i, j] == pytest.approx(difference.mean() / deviation, abs=1e-9)
            assert found.d_z[i, j] * math.sqrt(topics) == pytest.approx(stats.ttest_rel(values[i], values[j]).statistic)
            assert found.g_z[i, j] == pytest.approx(hedges * difference.mean() / deviation, abs=1e-9)
        spread = (values[i].std(ddof=1) + values[j].std(ddof=1)) / 2
        assert found.d_av[i, j] == pytest.approx(difference.mean() / spread, abs=1e-9)


def test_hedges_correction_is_nearly_the_rule_of_thumb() -> None:
    found = effects(scores(1, 2, 30))
    assert found.g_z[0, 1] / found.d_z[0, 1] == pytest.approx(1 - 3 / (4 * 29 - 1), abs=1e-4)


def test_systems_that_do_not_differ_and_those_that_differ_by_the_same() -> None:
    found = effects(scores(2, 1, 10) + np.array([[0.0], [0.0], [0.2]]))
    assert found.d_z[0, 1] == found.g_z[0, 1] == found.d_av[0, 1] == 0
    assert found.ties[0, 1] == 10
    assert found.superiority[0, 1] == 0.5
    assert np.isnan(found.d_z[0, 2])
    assert found.d_av[2, 0] > 0
    assert found.superiority[2, 0] == 1
    assert found.notes[0] == "1 pair of systems does not differ on any topic"
    assert found.notes[1].endswith("left undefined: 2 pairs of systems")


def test_little_to_go_by_is_said() -> None:
    one = effects([[0.1], [0.5]])
    assert one.difference[1, 0] == 0.4
    assert one.wins[1, 0] == 1
    assert np.isnan(one.deviation[0, 1])
    assert "one topic" in one.notes[0]
    assert "g_z is 0" in effects([[0.1, 0.2], [0.5, 0.9]]).notes[0]
    assert effects([[0.1, 0.2]]).notes == ()
