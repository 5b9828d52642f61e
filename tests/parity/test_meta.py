"""Measures compared on real data: what Amigó, Mizzaro & Spina (2022) conclude from their table 3."""

from __future__ import annotations

import pytest

from truerank.questions.meta.question import Meta, meta

from .shared import need

MEASURES = (
    *("OIE(size=20000)", "nDCG", "DCG", "RBP(p=0.98)", "AP", "F", "R@100", "FlatU", "RBP(p=0.9)", "P@10", "RBP"),
    *("iRBU(p=0.98)", "iRBU(p=0.9)", "iRBU", "ERR", "RR"),
)
SHORT = ("bm25_top10", "bm25_thresh50pct", "boolean_and")
"""Systems whose lists have other lengths."""


@pytest.fixture(scope="module")
def found() -> Meta:
    qrels, runs = need("classic", "med", "qrels.txt"), need("classic", "med", "runs")
    whole = [str(run) for run in sorted(runs.iterdir()) if not run.name.startswith(SHORT)]
    return meta(qrels, whole, MEASURES, depth=100, splits=200)


@pytest.mark.parametrize("deep", ["nDCG", "DCG", "RBP(p=0.98)", "AP", "OIE(size=20000)"])
@pytest.mark.parametrize("shallow", ["iRBU", "ERR", "RR"])
def test_deep_measures_cover_more_than_those_that_stop(found: Meta, deep: str, shallow: str) -> None:
    assert found[deep].coverage > found[shallow].coverage + 0.05


def test_more_patience_covers_more(found: Meta) -> None:
    for family in ("iRBU", "RBP"):
        assert found[f"{family}(p=0.9)"].coverage > found[family].coverage


def test_measures_that_look_deeper_are_surer(found: Meta) -> None:
    for name in ("discrimination", "sensitivity", "tau_halves"):
        assert found["nDCG"].criteria()[name] > found["P@10"].criteria()[name] > found["RR"].criteria()[name]


def test_a_thousand_pairs_of_topics_are_nearly_all(found: Meta) -> None:
    for each in found.values():
        assert each.sampled_coverage == pytest.approx(each.coverage, abs=0.02)
