"""Numbers and corrections of the papers, as the definitions list them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.effort import RBPU, RBU
from truerank.measures.oie import OIE


def tied(measure: str, grades: list[int], groups: list[int]) -> float:
    return tr.parse(measure).of([float(g) for g in grades], groups=groups)


MCSHERRY_NAJORK = [
    # measure, grades in score order, tie groups, truth
    ("RR@2", [1, 0], [0, 0], 3 / 4),
    ("RR", [1], [0], 1.0),
    ("RR", [0, 1, 0], [0, 0, 0], (1 + 1 / 2 + 1 / 3) / 3),
    ("RR", [0, 1, 1, 0], [0, 1, 1, 1], (2 / 3) / 2 + (1 / 3) / 3),
    ("RR@1", [1, 0], [0, 0], 1 / 2),
    ("AP", [1, 0], [0, 0], 3 / 4),
    ("AP", [1, 1, 0], [0, 0, 0], (1 + 5 / 6 + 7 / 12) / 3),
    ("AP", [1], [0], 1.0),
    ("P@1", [1, 0], [0, 0], 1 / 2),
    ("R@1", [1, 0], [0, 0], 1 / 2),
    ("F@1", [1, 0], [0, 0], 1 / 2),
    ("DCG@1", [1, 0], [0, 0], 1 / 2),
    ("nDCG", [1, 0], [0, 0], (1 + 1 / math.log2(3)) / 2),
]


@pytest.mark.parametrize(("measure", "grades", "groups", "truth"), MCSHERRY_NAJORK)
def test_mcsherry_najork(measure: str, grades: list[int], groups: list[int], truth: float) -> None:
    assert tied(measure, grades, groups) == pytest.approx(truth, abs=1e-15)


def test_their_printed_reciprocal_rank_is_wrong_as_the_definitions_say() -> None:
    def printed(n: int, relevant: int) -> float:
        f = [1.0]
        for x in range(n):
            f.append(f[-1] * max(n - relevant - x, 0) / (n - x))
        return sum(f[j] / j for j in range(1, n + 1))

    assert (printed(2, 1), printed(1, 1)) == (0.5, 0.0)
    assert (tied("RR", [1, 0], [0, 0]), tied("RR", [1], [0])) == (0.75, 1.0)


def test_relevant_documents_may_be_counted_in_the_run() -> None:
    qrels, run = {"q": dict.fromkeys("abcd", 1)}, {"q": ["a", "x", "b"]}
    for measure, by_judgments, by_run in [("AP", 5 / 12, 5 / 6), ("R@3", 1 / 2, 1.0), ("F@3", 4 / 7, 4 / 5)]:
        assert tr.evaluate(qrels, run, measure)["run"][measure].mean == pytest.approx(by_judgments, abs=1e-15)
        found = tr.evaluate(qrels, run, measure, relevant="run")["run"][measure].mean
        assert found == pytest.approx(by_run, abs=1e-15)


def break_even(m: int, size: float) -> float:
    """The beta at which one relevant document at rank m is worth as much as an empty list."""
    return (m * math.log(size) - math.lgamma(m + 1)) / ((m - 1) * math.log(size) - math.lgamma(m))


def gained(rank: int, beta: float, size: int) -> float:
    measure = OIE(beta=beta, size=size)
    return measure.of([0.0] * (rank - 1) + [1.0]) - measure.of([], pool=[1.0])


@pytest.mark.parametrize(("m", "size", "printed"), [(20, 20_000, 1.0464), (20, 1_000, 1.0426), (20, 10**9, 1.0500)])
def test_oie_breaks_even(m: int, size: int, printed: float) -> None:
    assert round(break_even(m, size), 4) == printed
    assert gained(m, break_even(m, size), size) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("rank", "worth"), [(18, 0.270), (19, -0.134), (20, -0.534)])
def test_oie_at_the_published_beta(rank: int, worth: float) -> None:
    assert round(gained(rank, 1.05, 20_000), 3) == worth


def test_oie_of_a_perfect_ranking() -> None:
    size, beta = 20_000, 1.05
    for relevant in (1, 3, 10):
        lost = (beta - 1) * sum(math.log(size / i) for i in range(1, relevant + 1))
        found = OIE(size=size, beta=beta).of([1.0] * relevant)
        assert found == pytest.approx(relevant * math.log(size / relevant) - lost, abs=1e-9)
    assert OIE(size=size).of([], pool=[0.0]) == 0.0


def curve(measure: tr.Measure, longest: int) -> list[float]:
    """Figure 1 of Amigó et al. (2022): ten documents without relevance, then relevant ones only."""
    return [measure.of([0.0] * min(n, 10) + [1.0] * max(n - 10, 0), pool=[1.0]) for n in range(longest + 1)]


def test_rank_biased_utility_peaks_where_the_figure_has_it() -> None:
    half, sure = curve(RBU(p=0.98, max_rel=1), 40), curve(RBU(p=0.98, gains={1: 1.0}), 40)
    assert half.index(max(half)) == 14
    assert all(half[n] < half[n - 1] for n in range(15, 41))
    assert all(sure[n] < sure[n - 1] for n in range(12, 41))
    assert sure[11] > sure[10]
    assert max(curve(RBU(p=0.9, max_rel=1), 60)[1:]) < 0 < curve(RBU(p=0.9, gains={1: 1.0}), 11)[11]


def test_the_effort_that_is_never_compensated_is() -> None:
    """RBPU at p = .8: from 22 documents on with Rel = 1/2, from 13 on with Rel = 1."""
    for gain, first in ((0.5, 22), (1.0, 13)):
        values = curve(RBPU(p=0.8, gains={1: gain}), 60)
        assert [n for n in range(1, 61) if values[n] > 0] == list(range(first, 61))


def test_the_collection_of_oie_has_just_room() -> None:
    # Three listed, and two more that are relevant: five documents, not four.
    grades, pool = [1.0, 0.0, 1.0], [1.0, 1.0, 2.0, 1.0]
    assert np.isfinite(OIE(size=5).of(grades, pool=pool))
    with pytest.raises(InputError, match="a topic has 5 documents; size=4 must be the collection's"):
        OIE(size=4).of(grades, pool=pool)
    # Where the cutoff goes through a tie, as many as are expected there: two, one of them relevant, and three more.
    tied = {"grades": [1.0, 0.0, 1.0, 0.0], "pool": pool, "groups": [0, 0, 0, 0]}
    assert np.isfinite(OIE(size=5, cutoff=2).of(**tied))
    with pytest.raises(InputError, match="a topic has 5 documents; size=4"):
        OIE(size=4, cutoff=2).of(**tied)
    assert np.isfinite(OIE(size=10**300).of(grades, pool=pool))


def test_compatibility_goes_as_deep_as_its_authors_do() -> None:
    # Their script adds up 1,000 depths, whatever the lengths of list and ideal ranking are.
    every = [0.95 ** (i - 1) / i for i in range(1, 1001)]
    assert tr.Compat.of([0, 1]) == pytest.approx(sum(every[1:]) / sum(every), rel=1e-12)
    assert tr.Compat.of([0, 1]) == tr.Compat.of([0, 1, 0, 0])
    assert tr.Compat.of([0] * 1000 + [1]) == 0.0
    assert tr.Compat(deepest=2000, p=1).of([0] * 1000 + [1]) > 0.0
    # ir_measures stops with the longer of both, so that what follows counts.
    stops = tr.Compat(deepest=None)
    assert stops.of([0, 1]) == pytest.approx(0.475 / 1.475)
    assert stops.of([0, 1]) < stops.of([0, 1, 0, 0])
