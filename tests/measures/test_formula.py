"""Formulas have the variants that are in use."""

from __future__ import annotations

import pytest

from truerank.measures.grammar import parse


@pytest.mark.parametrize(
    ("measure", "formula"),
    [
        ("AP(norm='pool')", "sum_{i<=k} rel_i P@i / R, norm='pool': / R_k"),
        ("P@5", "hits@k / k"),
        ("P(relative=True)@5", "hits@k / k, relative: hits@k / min(k, R)"),
        ("Rprec", "hits@R / R"),
        ("Rprec(mult=2)", "hits@R / R, mult: hits@c / c with c = floor(mult R + 0.9)"),
        ("NumRet", "n"),
        ("NumRet(rel=1)", "n, with rel: hits"),
        ("Bpref", "1/R sum_{relevant d} (1 - min(nonrel above d, R) / min(R, N))"),
        ("nDCG@5", "DCG@k / ideal DCG@k"),
        ("nDCG", "DCG / ideal DCG"),
        ("AUC", "1 - discordant pairs / (R x documents judged non-relevant)"),
        ("AUC(size=9)", "1 - discordant pairs / (R x documents judged non-relevant), size: / (R (size - R))"),
    ],
)
def test_variants(measure: str, formula: str) -> None:
    assert parse(measure).formula_in_use() == formula


@pytest.mark.parametrize("measure", ["RBP", "ERR", "OIE", "INST", "BPM", "c@1", "infAP", "Compat", "F"])
def test_formulas_without_variants_stay_as_they_are(measure: str) -> None:
    assert parse(measure).formula_in_use() == parse(measure).formula
