"""What Lu, Moffat & Culpepper (2016) say of scores and depth, on the runs of TREC-8."""

from __future__ import annotations

import numpy as np
import pytest

import truerank as tr

from .shared import need

STEP = 6
"""Every how manyth run is looked at."""
SLACK = 1e-12


@pytest.fixture(scope="module")
def curves() -> tr.Curves:
    runs = sorted(need("trec8", "runs").glob("*.gz"))[::STEP]
    return tr.depth(need("trec8", "qrels.gz"), runs, "AP AP(norm='min') AP(norm='pool') nDCG Q RBP ERR", max_depth=1000)


@pytest.mark.parametrize("measure", ["RBP", "ERR", "AP"])
def test_curves_that_only_rise(curves: tr.Curves, measure: str) -> None:
    assert np.diff(curves.means(measure), axis=-1).min() >= -SLACK


@pytest.mark.parametrize("measure", ["AP(norm='min')", "nDCG"])
def test_curves_that_may_fall(curves: tr.Curves, measure: str) -> None:
    assert np.diff(curves.means(measure), axis=-1).min() < -0.001


def test_utility_is_stable_before_recall_is(curves: tr.Curves) -> None:
    settled = {one.measure: one.tau_stable_from for one in curves.stability()}
    assert max(settled["RBP"], settled["ERR"]) < min(settled["AP"], settled["nDCG"])


def test_the_pool_is_seen() -> None:
    """Of the runs that made the pool, AP' and AP'' coincide from its depth on: all that is relevant is in it."""
    qrels = need("trec8", "qrels.gz")
    every = sorted(need("trec8", "runs").glob("*.gz"))
    found = tr.depth(qrels, every[::3], "AP AP(norm='pool')", max_depth=300)
    assert found.pool_depth == 100
    by_all = tr.depth(qrels, every, "AP AP(norm='pool')", max_depth=150)
    gap = by_all.means("AP(norm='pool')") - by_all.means("AP")
    assert (gap >= -SLACK).all()
    assert np.median(gap[:, 20]) > 0.01
    assert gap[:, 98].max() > 0
    assert np.abs(gap[:, 99:]).max() == 0


def test_runs_that_did_not_make_the_pool_leave_it_alone() -> None:
    qrels, runs = need("trec8", "qrels.gz"), sorted(need("trec8", "runs").glob("*.gz"))
    found = tr.pools(qrels, runs)
    contributors = {*found.contributors, *found.possible}
    assert 0 < len(contributors) < len(runs)
    pooled = [path for path in runs if path.name.removesuffix(".gz") in contributors or path.stem in contributors]
    text = "AP(norm='pool')@20"
    alone, beside = tr.evaluate(qrels, pooled, text), tr.evaluate(qrels, runs, text)
    means = np.array([[found[path][text].mean for found in (alone, beside)] for path in sorted(contributors)])
    assert (means[:, 0] == means[:, 1]).all()
