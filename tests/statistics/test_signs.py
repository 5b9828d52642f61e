"""The sign test and the signed-rank test against scipy, in each of their ways, and by enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.statistics.signs import sign, wilcoxon

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


@pytest.mark.parametrize("topics", [1, 2, 3, 8, 25, 50, 51, 120])
def test_without_ties(topics: int) -> None:
    values = scores(topics, 4, topics)
    found = wilcoxon(values)
    assert found.how == ("exact" if topics <= 50 else "normal approximation")
    for i, j in itertools.combinations(range(4), 2):
        expected = stats.wilcoxon(values[i], values[j]).pvalue
        assert found.p[i, j] == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("topics", [120, 200])
def test_with_ties_and_zeros(topics: int) -> None:
    values = precisions(topics, 4, topics)
    found = wilcoxon(values)
    assert found.how == "normal approximation"
    for i, j in itertools.combinations(range(4), 2):
        tenths = np.rint(10 * (values[i] - values[j]))  # scipy compares bits, and 0.3 - 0.2 is not 0.1
        assert len(set(np.abs(tenths[tenths != 0]))) < len(tenths)
        assert found.p[i, j] == pytest.approx(stats.wilcoxon(tenths).pvalue, abs=1e-9)


@pytest.mark.parametrize("topics", [1, 2, 5, 9, 14])
def test_few_topics_with_ties_by_enumeration(topics: int) -> None:
    values = precisions(topics, 3, topics)
    p = wilcoxon(values).p
    for i, j in itertools.combinations(range(3), 2):
        tenths = np.rint(10 * (values[i] - values[j]))
        kept = tenths != 0
        ranks = stats.rankdata(np.abs(tenths[kept]))
        observed = abs((np.sign(tenths[kept]) * ranks).sum())
        sums = [abs((np.array(each) * ranks).sum()) for each in itertools.product((1, -1), repeat=int(kept.sum()))]
        assert p[i, j] == pytest.approx(np.mean([each >= observed - 1e-9 for each in sums]), abs=1e-12)


def test_topics_without_a_difference_do_not_count() -> None:
    tenths = np.array([0, 0, 0, 0, -1, -3, 4, 5, 6, 7])
    every, differing = (wilcoxon([some / 10, np.zeros(len(some))]).p[0, 1] for some in (tenths, tenths[4:]))
    assert every == differing


def test_pairs_with_and_without_ties_at_once() -> None:
    values = np.vstack([scores(1, 3, 20), np.zeros(20)])
    values[2, :3] = 0.5
    found = wilcoxon(values)
    assert found.how == "exact"
    for i, j in itertools.combinations(range(4), 2):
        assert found.p[i, j] == pytest.approx(
            stats.wilcoxon(values[i], values[j], method="exact" if (i, j) != (2, 3) else "auto").pvalue, abs=0.02
        )
