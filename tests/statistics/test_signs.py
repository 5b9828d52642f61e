"""The sign test and the signed-rank test against scipy, in each of their ways, and by enumeration."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from tests.statistics.tracks import precisions, scores

from truerank.data.errors import InputError
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


both_zeros = pytest.mark.parametrize("zeros", ["wilcox", "pratt"])


@both_zeros
@pytest.mark.parametrize("topics", [1, 2, 3, 8, 25, 50, 51, 120])
def test_without_ties(topics: int, zeros: str) -> None:
    values = scores(topics, 4, topics)
    found = wilcoxon(values, zeros=zeros)
    assert found.how == ("exact" if topics <= 50 else "normal approximation")
    for i, j in itertools.combinations(range(4), 2):
        expected = stats.wilcoxon(values[i], values[j], zero_method=zeros).pvalue
        assert found.p[i, j] == pytest.approx(expected, abs=1e-9)


@both_zeros
@pytest.mark.parametrize("topics", [120, 200])
def test_with_ties_and_zeros(topics: int, zeros: str) -> None:
    values = precisions(topics, 4, topics)
    found = wilcoxon(values, zeros=zeros)
    assert found.how == "normal approximation"
    for i, j in itertools.combinations(range(4), 2):
        tenths = np.rint(10 * (values[i] - values[j]))  # scipy compares bits, and 0.3 - 0.2 is not 0.1
        assert len(set(np.abs(tenths[tenths != 0]))) < len(tenths)
        assert found.p[i, j] == pytest.approx(stats.wilcoxon(tenths, zero_method=zeros).pvalue, abs=1e-9)


@both_zeros
@pytest.mark.parametrize("topics", [1, 2, 5, 9, 14])
def test_few_topics_with_ties_by_enumeration(topics: int, zeros: str) -> None:
    values = precisions(topics, 3, topics)
    p = wilcoxon(values, zeros=zeros).p
    for i, j in itertools.combinations(range(3), 2):
        tenths = np.rint(10 * (values[i] - values[j]))
        kept = tenths != 0
        ranks = stats.rankdata(np.abs(tenths))[kept] if zeros == "pratt" else stats.rankdata(np.abs(tenths[kept]))
        observed = abs((np.sign(tenths[kept]) * ranks).sum())
        sums = [abs((np.array(each) * ranks).sum()) for each in itertools.product((1, -1), repeat=int(kept.sum()))]
        assert p[i, j] == pytest.approx(np.mean([each >= observed - 1e-9 for each in sums]), abs=1e-12)


def test_zeros_count_in_pratts_way_only() -> None:
    tenths = np.array([0, 0, 0, 0, -1, -3, 4, 5, 6, 7])
    without, ranked = (wilcoxon([tenths / 10, np.zeros(10)], zeros=zeros).p[0, 1] for zeros in ("wilcox", "pratt"))
    assert without == wilcoxon([tenths[4:] / 10, np.zeros(6)]).p[0, 1]
    assert without < ranked


def test_pairs_with_and_without_ties_at_once() -> None:
    values = np.vstack([scores(1, 3, 20), np.zeros(20)])
    values[2, :3] = 0.5
    found = wilcoxon(values)
    assert found.how == "exact"
    for i, j in itertools.combinations(range(4), 2):
        assert found.p[i, j] == pytest.approx(
            stats.wilcoxon(values[i], values[j], method="exact" if (i, j) != (2, 3) else "auto").pvalue, abs=0.02
        )


def test_what_zeros_may_be() -> None:
    with pytest.raises(InputError, match="zeros='zsplit' is not known; take wilcox or pratt"):
        wilcoxon([[1, 2], [3, 5]], zeros="zsplit")
