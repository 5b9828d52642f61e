"""The paired t-test against scipy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import scores

from truerank.statistics.student import significant, student

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize(("seed", "systems", "topics"), [(1, 2, 50), (2, 6, 9), (3, 4, 2), (4, 3, 500)])
def test_it_is_the_paired_t_test(seed: int, systems: int, topics: int) -> None:
    values = scores(seed, systems, topics)
    p = student(values).p
    for i, j in itertools.combinations(range(systems), 2):
        assert p[i, j] == pytest.approx(stats.ttest_rel(values[i], values[j]).pvalue, abs=1e-9)


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


def test_blocks_of_pairs_keep_their_places(monkeypatch: pytest.MonkeyPatch) -> None:
    from truerank.statistics import paired

    values = scores(5, 7, 10)
    whole = student(values).p
    monkeypatch.setattr(paired.in_blocks, "__defaults__", (15,))
    assert (student(values).p == whole).all()
