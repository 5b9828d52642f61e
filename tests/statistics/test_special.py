"""Distributions, held to values with twenty digits."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from truerank.statistics import special

VALUES = json.loads(Path(__file__).with_name("special.json").read_text())
"""Worked out with fifty digits, by series and by integration."""


@pytest.mark.parametrize("name", VALUES)
def test_values_to_twelve_digits(name: str) -> None:
    function = getattr(special, name)
    for *given, wanted in VALUES[name]:
        found = float(function(*given))
        assert abs(found / float(wanted) - 1) < (2e-11 if name == "f_tail" else 1e-12), (given, found, wanted)


@pytest.mark.parametrize("name", ["t_tail", "t_quantile", "noncentral_t_tail"])
def test_arrays_have_the_bits_of_their_values(name: str) -> None:
    function = getattr(special, name)
    columns = [np.array(column, dtype=float) for column in zip(*(given for *given, _ in VALUES[name]), strict=True)]
    alone = [float(function(*row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
    assert function(*columns).tolist() == alone


def test_tails_mirror_and_ends_are_where_they_are() -> None:
    assert special.t_tail(9, [-np.inf, np.inf]).tolist() == [1.0, 0.0]
    assert special.t_tail(9, -1.5) + special.t_tail(9, 1.5) == pytest.approx(1.0, abs=1e-15)
    assert special.t_quantile(9, [0.5, 0.0, 1.0]).tolist() == [0.0, np.inf, -np.inf]
    assert special.t_quantile(9, 0.9) == -special.t_quantile(9, 1 - 0.9)
    assert np.isnan(special.t_tail([0, -1, 5], [1.0, 1.0, np.nan])).all()
    assert np.isnan(special.t_quantile([5, 5, 0], [-0.1, np.nan, 0.1])).all()
    assert special.f_tail(2, 9, [0.0, np.inf]).tolist() == [1.0, 0.0]
    assert special.chi2_tail(2, [0.0, np.inf]).tolist() == [1.0, 0.0]
    assert special.chi2_quantile(2, [0.0, 1.0]).tolist() == [np.inf, 0.0]
    assert special.normal_quantile([0.0, 0.5, 1.0]).tolist() == [-np.inf, 0.0, np.inf]


def test_the_binomial_is_exact() -> None:
    for n in (1, 5, 46, 500):
        for k in range(0, n + 1, max(1, n // 9)):
            exact = Fraction(sum(math.comb(n, i) for i in range(k + 1)), 2**n)
            assert special.binomial_head(k, n) == pytest.approx(float(exact), rel=2e-16)


def test_gamma_ratio() -> None:
    for x in (0.5, 3.0, 19.9, 20.0, 300.0):
        assert special.gamma_ratio(x) == pytest.approx(math.exp(math.lgamma(x + 0.5) - math.lgamma(x)), rel=1e-12)


def test_the_noncentral_f_is_that_of_scipy() -> None:
    """With a shift; without one scipy has 1, where it is F itself."""
    stats = pytest.importorskip("scipy.stats")
    for between, within in ((1, 5), (4, 200), (19, 931), (128, 6272)):
        for p in (0.5, 0.05, 1e-4):
            bound = float(special.f_quantile(between, within, p))
            assert float(special.f_tail(between, within, bound)) == pytest.approx(p, rel=1e-12)
            assert float(special.noncentral_f_tail(between, within, 0.0, bound)) == pytest.approx(p, rel=1e-12)
            for shift in (0.5, 8.0, 60.0):
                expected = stats.ncf.sf(bound, between, within, shift)
                assert float(special.noncentral_f_tail(between, within, shift, bound)) == pytest.approx(expected, 1e-7)
