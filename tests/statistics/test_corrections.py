"""Corrections against scipy, statsmodels and their definitions."""

from __future__ import annotations

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.statistics.corrections import CORRECTIONS, benjamini_hochberg, bonferroni, corrected, holm
from truerank.statistics.paired import PValues, matrix

every_correction = pytest.mark.parametrize("name", CORRECTIONS)


def p_values(seed: int, shape: tuple[int, ...]) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return np.round(rng.random(shape) ** 3, 2)


@pytest.mark.parametrize("shape", [(1,), (7,), (40,), (3, 4), (2, 3, 4)])
@pytest.mark.parametrize(
    ("correct", "name"), [(holm, "holm"), (bonferroni, "bonferroni"), (benjamini_hochberg, "fdr_bh")]
)
def test_against_statsmodels(correct, name: str, shape: tuple[int, ...]) -> None:
    multipletests = pytest.importorskip("statsmodels.stats.multitest").multipletests
    p = p_values(len(shape), shape)
    np.testing.assert_allclose(correct(p).ravel(), multipletests(p.ravel(), method=name)[1], rtol=0, atol=1e-9)


def test_false_discovery_against_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    p = p_values(3, (50,))
    np.testing.assert_allclose(benjamini_hochberg(p), stats.false_discovery_control(p), rtol=0, atol=1e-9)


def test_holm_rejects_step_by_step() -> None:
    """The definition: go up from the smallest and stop where p exceeds alpha / (those left)."""
    p = p_values(4, (30,))
    adjusted = holm(p)
    for alpha in (0.001, 0.01, 0.05, 0.2):
        rejected = np.zeros(30, bool)
        for step, place in enumerate(np.argsort(p)):
            if p[place] > alpha / (30 - step):
                break
            rejected[place] = True
        np.testing.assert_array_equal(adjusted <= alpha + 1e-12, rejected)


@every_correction
def test_corrections_keep_the_order_and_never_help(name: str) -> None:
    p = p_values(5, (60,))
    adjusted = CORRECTIONS[name](p)
    assert (adjusted >= p).all()
    assert (adjusted <= 1).all()
    assert (np.diff(adjusted[np.argsort(p)]) >= 0).all()
    assert (CORRECTIONS[name](p[::-1])[::-1] == adjusted).all()


def test_the_stricter_comes_first() -> None:
    p = p_values(6, (25,))
    assert (bonferroni(p) >= holm(p)).all()
    assert (holm(p) >= benjamini_hochberg(p)).all()


@every_correction
def test_no_question_and_one(name: str) -> None:
    assert CORRECTIONS[name]([]).shape == (0,)
    assert CORRECTIONS[name](0.3).tolist() == pytest.approx(0.3)


def test_the_family_is_every_pair_once() -> None:
    found = corrected(PValues("student", matrix(4, [0.01, 0.02, 0.03, 0.04, 0.05, 0.06]), ("a note",)), "bonferroni")
    assert found.family == "6 pairs of 4 systems"
    assert found.p[0, 1] == found.p[1, 0] == pytest.approx(0.06)
    assert (np.diag(found.p) == 1).all()
    assert found.tested.sum() == 12
    assert found.notes == ("a note",)


@pytest.mark.parametrize(
    ("baselines", "family", "tested"),
    [([0], "3 pairs with the baseline", 3), ([0, 2], "5 pairs with one of 2 baselines", 5), ([1, 1], "3 pairs", 3)],
)
def test_the_family_of_baselines(baselines: list[int], family: str, tested: int) -> None:
    p = matrix(4, [0.01, 0.02, 0.03, 0.04, 0.05, 0.06])
    found = corrected(PValues("student", p), "bonferroni", baselines=baselines)
    assert found.family.startswith(family)
    assert found.tested.sum() == 2 * tested
    np.testing.assert_allclose(found.p[found.tested], tested * p[found.tested])
    assert np.isnan(found.p[~found.tested & ~np.eye(4, dtype=bool)]).all()


@pytest.mark.parametrize("correction", ["holm", "bonferroni"])
def test_too_few_draws_for_so_many_pairs_are_said(correction: str) -> None:
    drawn = PValues("sign", matrix(4, [0.01] * 6), (), "99 assignments drawn with seed 0", 1 / 100)
    found = corrected(drawn, correction)
    assert found.notes == (
        "p is at least 0.01, which 6 pairs make 0.06: none can be significant at 0.05; draw 120 times or more, "
        "or take a test that allows for all pairs, or fewer pairs",
    )
    assert corrected(drawn, correction, baselines=[0]).notes == ()
    assert corrected(drawn, correction, alpha=0.1).notes == ()
    assert corrected(drawn, "none").notes == corrected(drawn, "benjamini-hochberg").notes == ()
    assert "draw" not in corrected(PValues("sign", drawn.p, least=1 / 100), correction).notes[0]


def test_one_system_asks_nothing() -> None:
    found = corrected(PValues("sign", np.ones((1, 1))))
    assert (found.family, found.p.tolist()) == ("0 pairs of 1 system", [[1.0]])


def test_what_is_refused() -> None:
    found = PValues("student", matrix(2, [0.1]))
    with pytest.raises(InputError, match="correction='sidak' is not known; take one of holm"):
        corrected(found, "sidak")
    for bad in ([], [2], [-1]):
        with pytest.raises(InputError, match="positions from 0 to 1"):
            corrected(found, baselines=bad)
    for p in ([0.1, np.nan], [1.1], [-0.1]):
        with pytest.raises(InputError, match="from 0 to 1"):
            holm(p)
