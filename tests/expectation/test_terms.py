"""What a term says of itself fits together: its total, what documents add and why, its curve, its end."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, permutations, product

import numpy as np
import pytest

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import ENDLESS, Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import Count
from truerank.expectation.effort import Effort
from truerank.expectation.gain import Gain
from truerank.expectation.gain_maps import Hit, Map, Nonrelevant, identity, linear
from truerank.expectation.information import Information
from truerank.expectation.pair import Pair
from truerank.expectation.term import Term
from truerank.expectation.weights import Flat, Geometric, Harmonic, Logarithmic

GAIN = Map(linear, 4.0)


def half(count: Floats, row: Rows) -> Floats:
    return 0.5**count


SUMS: list[Term] = [
    Gain(Logarithmic(), GAIN),
    Gain(Geometric(0.8), 2 * GAIN),
    Pair(Harmonic(), Hit(GAIN), Hit(GAIN)),
    Pair(Flat(), GAIN, Hit(GAIN) + 0.3 * GAIN),
    Cascade(Harmonic(), GAIN, 1 - GAIN),
    Cascade(Geometric(0.5), Hit(GAIN), 1 - Hit(GAIN)),
    Cascade(Flat(), Hit(GAIN), 1 - 0.5 * GAIN),
    Count(GAIN, Nonrelevant(GAIN), half),
    Effort(Logarithmic(), 0.25),
]
TERMS: list[Term] = [*SUMS, Information(GAIN, 1.05, 100)]
GRADES, GROUPS = [1.0, 0.0, 3.0, 1.0, float("nan"), 2.0, 0.0, 1.0], [0, 1, 1, 1, 1, 2, 2, 3]
TIED = Rankings.single(GRADES, pool=[3, 2, 2, 1, 1, 1, 0], groups=GROUPS)
UNTIED = Rankings.single(GRADES, pool=[3, 2, 2, 1, 1, 1, 0])
DEPTHS = [0, 1, 3, 4, 6, 8, 20, int(ENDLESS)]


def at(depth: int) -> Rows:
    return np.array([[depth]])


def names(term: Term) -> str:
    return type(term).__name__


@pytest.mark.parametrize("term", TERMS, ids=names)
@pytest.mark.parametrize("r", [TIED, UNTIED], ids=["tied", "untied"])
def test_what_documents_add_makes_up_the_total(term: Term, r: Rankings) -> None:
    for depth in DEPTHS:
        made_up = term.start(r) + term.adds(r, at(depth)).sum(axis=-1)
        assert made_up == pytest.approx(term.total(r, at(depth)), abs=1e-13)


@pytest.mark.parametrize("term", SUMS, ids=names)
def test_what_documents_add_is_the_mean_over_the_orders_of_ties(term: Term) -> None:
    blocks = [list(permutations([at for at, _ in some])) for _, some in groupby(enumerate(GROUPS), lambda one: one[1])]
    every = [[at for block in choice for at in block] for choice in product(*blocks)]
    for depth in DEPTHS:
        adds, credit = np.zeros(len(GRADES)), np.zeros(len(GRADES))
        for order in every:
            r = Rankings.single([GRADES[at] for at in order], pool=[3, 2, 2, 1, 1, 1, 0])
            adds[order] += term.adds(r, at(depth))[0]
            found = term.credit(r, at(depth))
            assert found is not None
            credit[order] += found[0]
        np.testing.assert_allclose(term.adds(TIED, at(depth))[0], adds / len(every), rtol=0, atol=1e-13)
        np.testing.assert_allclose(term.credit(TIED, at(depth))[0], credit / len(every), rtol=0, atol=1e-13)  # type: ignore[index]


@pytest.mark.parametrize("term", SUMS[:-1], ids=names)
@pytest.mark.parametrize("r", [TIED, UNTIED], ids=["tied", "untied"])
def test_credits_are_shared_out_in_full(term: Term, r: Rankings) -> None:
    for depth in DEPTHS:
        credit = term.credit(r, at(depth))
        assert credit is not None
        assert credit.sum() == pytest.approx(term.total(r, at(depth))[0], abs=1e-13)


@pytest.mark.parametrize("term", SUMS, ids=names)
@pytest.mark.parametrize("r", [TIED, UNTIED], ids=["tied", "untied"])
def test_additions_are_gain_times_factor_less_cost(term: Term, r: Rankings) -> None:
    for depth in DEPTHS:
        found = term.factors(r, at(depth))
        made = np.zeros(r.start.shape)
        if found.gain is not None and found.factor is not None:
            made += found.gain * found.factor
        if found.cost is not None:
            made -= found.cost
        np.testing.assert_allclose(made, term.adds(r, at(depth)), rtol=1e-13, atol=1e-15)
        how_far = found.seen if found.seen is not None else found.reached
        if how_far is not None:
            assert found.weight is not None
            product_ = np.where(found.weight > 0, found.weight * how_far, 0.0)
            np.testing.assert_allclose(product_, found.factor, rtol=1e-13)


def test_factors_are_exact_however_deep_the_document_stands() -> None:
    """They are no differences of running sums, in which little is left of small weights."""
    deep = Rankings.single([1.0] * 300)
    rank = np.arange(1, 301)
    geometric = Gain(Geometric(0.8), GAIN).factors(deep, at(int(ENDLESS)))
    np.testing.assert_allclose(geometric.factor, [0.2 * 0.8 ** (rank - 1.0)], rtol=1e-14)
    precision = Pair(Harmonic(), Hit(GAIN), Hit(GAIN)).factors(deep, at(int(ENDLESS)))
    np.testing.assert_allclose(precision.seen, [rank], rtol=1e-15)
    stops = Cascade(Harmonic(), GAIN, 1 - GAIN).factors(deep, at(int(ENDLESS)))
    np.testing.assert_allclose(stops.reached, [0.75 ** (rank - 1.0)], rtol=1e-12)


@pytest.mark.parametrize("term", TERMS, ids=names)
@pytest.mark.parametrize("r", [TIED, UNTIED], ids=["tied", "untied"])
def test_the_curve_has_the_total_of_every_depth(term: Term, r: Rankings) -> None:
    curve = term.curve(r, 12)
    for depth in range(13):
        assert curve[:, depth] == pytest.approx(term.total(r, at(depth)), abs=1e-13)


@pytest.mark.parametrize("weight", [Geometric(0.8), Harmonic()], ids=repr)
def test_what_stands_past_the_end_is_known_however_the_gain_is_written(weight: Geometric | Harmonic) -> None:
    r = replace(UNTIED, beyond=4.0)
    plain = Gain(weight, GAIN).total(r, at(int(ENDLESS)))
    for again in (1.0 * GAIN, 0.5 * (GAIN + GAIN), 1 - (1 - GAIN)):
        assert Gain(weight, again).total(r, at(int(ENDLESS))) == plain
    twice = Gain(weight, 2 * GAIN)
    assert twice.total(r, at(int(ENDLESS))) == pytest.approx(2 * plain, rel=1e-14)
    stops = Cascade(weight, GAIN, 1 - GAIN)
    assert stops.total(r, at(int(ENDLESS))) >= stops.total(UNTIED, at(int(ENDLESS)))
    assert Gain(weight, GAIN).total(r, at(5)) == Gain(weight, GAIN).total(UNTIED, at(5))


def test_a_reader_who_is_kept_by_another_quantity_than_gain_goes_on_by_that() -> None:
    """Past the end all documents have gain 1, and half of the readers go on after each."""
    r = replace(Rankings.single([0.0]), beyond=4.0)
    found = Cascade(Geometric(0.5), GAIN, 1 - 0.5 * GAIN).total(r, at(int(ENDLESS)))
    assert found[0] == pytest.approx(sum(0.5**rank * 0.5 ** (rank - 2) for rank in range(2, 80)), rel=1e-14)


def test_terms_compare_by_value() -> None:
    assert Gain(Flat(), GAIN) == Gain(Flat(), 1.0 * Map(linear, 4.0))
    assert Cascade(Flat(), GAIN, 1 - GAIN) != Cascade(Flat(), GAIN, 1 - 0.5 * GAIN)


@pytest.mark.filterwarnings("error")
def test_rounding_takes_no_mean_below_0() -> None:
    gain = Map(identity)
    # The chances to stop in the first group add up to 1.4, and 4.4 - 1.4 is more than the 3 documents of the second.
    r = Rankings.single([0.9, 0.4, 0.1, 1.0, 1.0, 1.0], groups=[0, 0, 0, 1, 1, 1])
    found = Cascade(Harmonic(), gain, 1 - gain).total(r, np.array([[9]]))
    below = (1 - 0.9) * (1 - 0.4) * (1 - 0.1) / 4
    alone = Cascade(Harmonic(), gain, 1 - gain).total(
        Rankings.single([0.9, 0.4, 0.1], groups=[0, 0, 0]), np.array([[9]])
    )
    assert found[0] == pytest.approx(alone[0] + below)
