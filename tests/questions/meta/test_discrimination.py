"""Discriminative power, against scipy's t-test pair by pair."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from scipy.stats import ttest_rel

from truerank.data.errors import InputError
from truerank.questions.meta.discrimination import discrimination
from truerank.questions.meta.scores import SystemScores


def scores(seed: int, systems: int = 7, topics: int = 15) -> np.ndarray:
    random = np.random.default_rng(seed)
    values: np.ndarray = random.normal(0, 0.1, (systems, 1)) + random.normal(0.5, 0.2, (systems, topics))
    return values


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alpha", [0.01, 0.2])
def test_it_is_the_share_of_pairs_that_differ(seed: int, alpha: float) -> None:
    values = scores(seed)
    pairs = [*combinations(range(7), 2)]
    p = {pair: ttest_rel(*values[list(pair)]).pvalue for pair in pairs}
    size = {pair: abs(values[pair[0]].mean() - values[pair[1]].mean()) for pair in pairs}
    found = discrimination(SystemScores(values), alpha=alpha)
    assert found.p == pytest.approx(sorted(p.values(), reverse=True))
    assert found.discrimination == np.mean([each < alpha for each in p.values()])
    significant = [size[pair] for pair in pairs if p[pair] < alpha]
    assert found.smallest == pytest.approx(min(significant)) if significant else math.isnan(found.smallest)
    assert found.missed == pytest.approx(max(size[pair] for pair in pairs if p[pair] >= alpha))


@pytest.mark.parametrize(("over", "share"), [(1.001, 1.0), (0.999, 0.0)])
def test_with_the_difference_needed_a_pair_is_significant(over: float, share: float) -> None:
    values = scores(1, systems=2)
    found = discrimination(SystemScores(values))
    assert found.needed == found.typical
    moved = values[0] - values[1] - (values[0] - values[1]).mean() + over * found.needed
    assert discrimination(SystemScores(np.stack([values[1] + moved, values[1]]))).discrimination == share


def test_the_difference_needed_is_that_of_the_pair_that_varies_most() -> None:
    values = scores(2)
    found = discrimination(SystemScores(values))
    alone = [discrimination(SystemScores(values[list(pair)])).needed for pair in combinations(range(7), 2)]
    assert found.needed == pytest.approx(max(alone))
    assert found.typical == pytest.approx(np.median(alone))
    assert found.missed <= found.needed


@pytest.mark.parametrize("test", ["tukey", "randomized-tukey"])
def test_tests_of_all_pairs_hold_them_to_one_difference(test: str) -> None:
    values = scores(3, systems=12)
    found = discrimination(SystemScores(values), test=test, permutations=499)
    assert found.missed < found.smallest == found.needed
    assert found.discrimination < discrimination(SystemScores(values)).discrimination


def test_nothing_found_has_no_smallest_difference() -> None:
    found = discrimination(SystemScores(np.full((3, 4), 0.5)))
    assert (found.discrimination, found.missed) == (0.0, 0.0)
    assert math.isnan(found.smallest)
    one = discrimination(SystemScores(np.array([[0.1], [0.9]])))
    assert one.discrimination == 0.0
    assert math.isnan(one.needed)
    assert "one topic" in one.notes[0]


def test_an_unknown_test_is_refused() -> None:
    with pytest.raises(InputError, match="test='chi'"):
        discrimination(SystemScores(scores(1)), test="chi")
