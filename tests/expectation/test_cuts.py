"""Lists cut inside large tie groups, against sums over all numbers of relevant documents that may be kept."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import Count, draws, means
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Nonrelevant
from truerank.expectation.information import Information
from truerank.expectation.kept import kept, with_gain
from truerank.expectation.opaque import SAMPLED
from truerank.expectation.pair import Pair
from truerank.expectation.weights import Flat, Harmonic
from truerank.measures.auc import AUC

from .test_kernels import GRADE, group

PLACES = [(0, 2, 1), (0, 50, 50), (7, 1000, 5), (3, 200, 40)]
"""Documents above a group, documents in it, relevant ones among them."""
MISSED = 3
"""Relevant documents that were not retrieved."""


def mean(size: int, relevant: int, drawn: int, value: Callable[[int], Fraction]) -> Fraction:
    """Expectation by the number of relevant documents among those drawn."""
    every, total = math.comb(size, drawn), Fraction(0)
    for hits in range(min(relevant, drawn) + 1):
        total += Fraction(math.comb(relevant, hits) * math.comb(size - relevant, drawn - hits), every) * value(hits)
    return total


def terminated(above: int, size: int, relevant: int) -> Rankings:
    """A group below others that are not relevant, with a terminal document."""
    r = group([1.0] * relevant + [np.nan], above=above, size=size)
    start, stop = r.start.copy(), r.stop.copy()
    start[:, -1] = stop[:, -1] = above + size + 1
    return replace(r, start=start, stop=stop, terminal="once", pool=np.ones((1, relevant + MISSED)), max_grade=1.0)


@pytest.mark.parametrize(("above", "size", "relevant"), PLACES)
def test_the_terminal_document_of_a_cut_group(above: int, size: int, relevant: int) -> None:
    chance, all_there_is = 0.25, relevant + MISSED
    r = terminated(above, size, relevant)
    lengths, everywhere = np.arange(above + size + 1)[None, :], np.array([[10**6]])
    q = Fraction(1 - chance)
    worth = {
        "gain": (
            Gain(Flat(), GRADE).terminal(r, lengths, everywhere),
            lambda hits: Fraction(hits, all_there_is),
        ),
        "pair": (
            Pair(Flat(), GRADE, GRADE).terminal(r, lengths, everywhere),
            lambda hits: Fraction(hits, all_there_is) * (hits + Fraction(hits, all_there_is)),
        ),
        "cascade": (
            Cascade(Flat(), GRADE, 1 - chance * GRADE).terminal(r, lengths, everywhere),
            lambda hits: Fraction(hits, all_there_is) * q**hits,
        ),
    }
    for name, (found, value) in worth.items():
        assert (found[0, : above + 1] == 0).all()
        for drawn in {0, 1, size // 3, size - 1, size}:
            expected = float(mean(size, relevant, drawn, value))
            assert found[0, above + drawn] == pytest.approx(expected, rel=1e-12, abs=1e-300), (name, drawn)


@pytest.mark.parametrize(("above", "size", "relevant"), PLACES)
def test_weights_of_the_terminal_document(above: int, size: int, relevant: int) -> None:
    r = terminated(above, size, relevant)
    lengths, depth = np.array([[above + size]]), np.array([[10**6]])
    flat, harmonic = (Gain(weight, GRADE).terminal(r, lengths, depth) for weight in (Flat(), Harmonic()))
    assert harmonic[0, 0] == pytest.approx(flat[0, 0] / (above + size + 1), rel=1e-15)


@pytest.mark.parametrize(("above", "size", "relevant"), [(0, 3, 2), (0, 60, 20), (5, 300, 40)])
def test_information_of_a_cut_group(above: int, size: int, relevant: int) -> None:
    """Each kept document stands at the cut, and shares its rank with those that are relevant too."""
    collection, beta = 10_000, 1.05
    r = Rankings.single(
        [1.0] * above + [1.0] * relevant + [0.0] * (size - relevant), groups=[*range(above), *[-1] * size]
    )
    term = Information(GRADE, beta, collection)
    found = term.curve(r, above + size)[0]
    total, judged = math.log(collection), above + relevant
    first = sum(total - math.log(i) for i in range(1, above + 1))
    for drawn in range(size + 1):
        value = 0.0
        for hits in range(max(drawn - (size - relevant), 0), min(relevant, drawn) + 1):
            p = math.comb(relevant, hits) * math.comb(size - relevant, drawn - hits) / math.comb(size, drawn)
            told = total - math.log(above + drawn) if drawn else 0.0
            both = first + (drawn - hits) * told + (hits * (total - math.log(above + hits)) if hits else 0.0)
            both += (relevant - hits) * (total - math.log(judged))
            value += p * (first + drawn * told + judged * (total - math.log(judged)) - beta * both)
        assert found[above + drawn] == pytest.approx(value, rel=1e-11)
        assert term.total(r, np.array([[above + drawn]]))[0] == found[above + drawn]


@pytest.mark.parametrize(("size", "relevant", "judged"), [(40, 5, 20), (300, 30, 60)])
def test_counts_down_to_every_depth(size: int, relevant: int, judged: int) -> None:
    r = group([1.0] * relevant + [0.0] * (judged - relevant), above=2, size=size, after=3)

    def phi(above: Floats, row: Rows) -> Floats:
        return 1.0 - np.minimum(above, 7.0) / 7.0

    term = Count(GRADE, Nonrelevant(GRADE), phi)
    curve = term.curve(r, size + 5)[0]
    depths = [0, 1, 2, 3, 4, size // 2, size + 1, size + 2, size + 5]
    expected = [term.total(r, np.array([[depth]]))[0] for depth in depths]
    np.testing.assert_allclose(curve[depths], expected, rtol=1e-12)


def test_means_are_those_of_the_draws() -> None:
    size, marked, steps = np.array([5, 1, 9, 9]), np.array([2, 1, 0, 6]), np.array([6, 1, 4, 10])
    values = np.random.default_rng(0).random((4, 7))
    each = [(values * p).sum(axis=-1) for p in draws(size, marked, 9)]
    expected = [each[j][place] for place, count in enumerate(steps) for j in range(count)]
    np.testing.assert_allclose(means(size, marked, values, steps), expected, rtol=1e-14)


def test_many_sets_are_sampled_and_always_the_same() -> None:
    """Three kinds of documents in a group of 90, of which half stay."""
    r = Rankings.single([0.0] * 30 + [1.0] * 30 + [2.0] * 30, groups=[0] * 90)
    cut = kept(r, 45)
    assert len(cut.row) == SAMPLED
    assert (cut.rankings.stop[:, 0] == 45).all()
    assert cut.mean((cut.rankings.grade > 0).sum(axis=-1).astype(float), 1)[0] == pytest.approx(30.0, abs=0.5)
    np.testing.assert_array_equal(cut.rankings.grade, kept(r, 45).rankings.grade)


def test_lists_that_are_shorter_than_the_cut_have_no_value() -> None:
    r = Rankings.single([1.0, 0.0])
    assert np.isnan(kept(r, 3).mean(np.empty(0), 1)).all()
    assert len(kept(r, 2).row) == 1


def test_documents_without_gain_need_no_slot() -> None:
    grades, groups = [0.0, 1.0, np.nan, 2.0, 0.0, 1.0, np.nan], [0, 0, 0, 1, 2, 2, 3]
    r = Rankings.single(grades, pool=[1, 2, 1, 1, 0], groups=groups)
    area = AUC(size=20)
    less = with_gain(r, area.gain(r))
    assert less.start.shape == (1, 3)
    assert area.score(less) == area.score(r)
