"""The sign test against scipy."""

from __future__ import annotations

import itertools

import pytest
from tests.statistics.tracks import precisions, scores

from truerank.statistics.sign import sign

stats = pytest.importorskip("scipy.stats")


@pytest.mark.parametrize("topics", [1, 2, 7, 50, 1000])
@pytest.mark.parametrize("make", [scores, precisions], ids=lambda make: make.__name__)
def test_it_is_a_fair_coin(make, topics: int) -> None:
    values = make(topics, 4, topics)
    p = sign(values).p
    for i, j in itertools.combinations(range(4), 2):
        won, lost = int((values[i] > values[j]).sum()), int((values[i] < values[j]).sum())
        expected = stats.binomtest(won, won + lost).pvalue if won + lost else 1.0
        assert p[i, j] == pytest.approx(expected, abs=1e-9)
