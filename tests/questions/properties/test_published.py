"""Table 1 of the paper: what is confirmed, what is refuted, and that each refutation is explained."""

from __future__ import annotations

import math

import numpy as np
import pytest

from truerank.measures.grammar import parse
from truerank.questions.properties.answer import Verdicts
from truerank.questions.properties.axioms import SEVEN
from truerank.questions.properties.examples import Example
from truerank.questions.properties.published import ROWS, WHY, claim
from truerank.questions.properties.question import properties
from truerank.questions.properties.scoring import OnScale, blocks, score
from truerank.statistics.correlations import kendall_b, spearman

REFUTED = {
    "Spearman": {"Confidence"},
    "Kendall": {"Confidence"},
    "AUC-ROC": {"Confidence", "Recall"},
    "R@N": {"Recall"},
    "R-p": {"Recall"},
    "F-measure": {"Shallowness threshold", "Confidence", "Redundancy"},
    "AP": {"Top-weightedness"},
    "Q-measure": {"Priority", "Top-weightedness"},
    "NDCGT": {"Confidence"},
    "ERRT": {"Confidence", "Recall"},
    "RBPT": {"Confidence", "Recall"},
    "OIE": {"Priority", "Redundancy"},
}
OPEN = {
    "R-p": {"Deepness threshold", "Shallowness threshold"},
    "BPref": {"Deepness threshold"},
    "OIE": {"Deepness threshold"},
}


IMPATIENT = {"iRBU": {"Shallowness threshold"}, "RBU": {"Shallowness threshold"}}
"""What is refuted with p = 0.8, which is not the paper's."""


def claims(found: Verdicts, agrees: bool | None) -> dict[str, set[str]]:
    rows: dict[str, set[str]] = {}
    for verdict in found.verdicts:
        if verdict.claim is not None and verdict.claim.has is not None and verdict.agrees is agrees:
            rows.setdefault(verdict.claim.row, set()).add(verdict.property)
    return rows


def test_the_refuted_claims(published: Verdicts) -> None:
    assert claims(published, agrees=False) == REFUTED


def test_claims_are_held_against_the_parameters_of_the_paper() -> None:
    """The reader of p = 0.8 is too impatient for two measures."""
    found = properties("iRBU RBU RBP RBPU RBPT", property="shallowness", published=True)
    assert claims(found, agrees=False) == IMPATIENT
    assert all(measure.p == 0.98 for measure in ROWS.values() if hasattr(measure, "p"))


def test_the_claims_that_depend_on_the_reading(published: Verdicts) -> None:
    assert claims(published, agrees=None) == OPEN


def test_each_of_them_is_explained_and_nothing_else(published: Verdicts) -> None:
    stated = {(row, name) for table in (REFUTED, OPEN, IMPATIENT) for row, names in table.items() for name in names}
    assert {key for key in WHY if claim(ROWS[key[0]], key[1]).has is not None} == stated  # type: ignore[union-attr]
    for verdict in published.verdicts:
        if verdict.agrees is False:
            assert verdict.witness.more


def test_the_table_has_every_measure_and_property_of_the_paper(published: Verdicts) -> None:
    assert len(ROWS) == 24
    assert [*published.properties] == [each.name for each in SEVEN]
    assert all(verdict.claim is not None for verdict in published.verdicts)


def test_measures_have_the_claims_of_their_family() -> None:
    known = {"RBP(p=0.5)": "RBP", "P@20": "P@N", "OIE": "OIE", "RBPT(p=0.9)": "RBPT", "AUC": "AUC-ROC"}
    for text, row in known.items():
        found = claim(parse(text), "Priority")
        assert found is not None
        assert found.row == row
    for text in ("P", "AP@10", "SetF", "Success"):
        assert claim(parse(text), "Priority") is None
    assert claim(parse("AP"), "Boundedness") is None


@pytest.mark.parametrize("seed", range(3))
def test_collections_are_counted_as_if_they_were_listed(seed: int) -> None:
    """Closed forms over counts of documents, against coefficients over every document."""
    rng = np.random.default_rng(seed)
    examples = []
    for _ in range(60):
        collection = rng.integers(0, 3, int(rng.integers(2, 12)))
        listed = tuple(rng.permutation(collection)[: rng.integers(1, len(collection) + 1)].tolist())
        pool = tuple(sorted(collection[collection > 0].tolist(), reverse=True))
        examples.append(Example(listed, pool, int((collection == 0).sum()), top=2))
    for row, of in (("Spearman", spearman), ("Kendall", kendall_b), ("AUC-ROC", _area)):
        [scale] = [OnScale("", dict.fromkeys((1, 2), ROWS[row]), {2: (0.0, 1.0, 2.0)})]
        for example, value in zip(examples, score(blocks(examples), scale).tolist(), strict=True):
            grades = [*example.grades, *example.missing]
            grades += [0] * (example.documents - len(grades))
            order = [*range(len(example.grades), 0, -1), *[0] * (len(grades) - len(example.grades))]
            assert value == pytest.approx(of(order, grades), nan_ok=True)


def _area(order: list[int], grades: list[int]) -> float:
    pairs = [(a, b) for a, one in zip(order, grades, strict=True) if one > 0
             for b, other in zip(order, grades, strict=True) if other == 0]  # fmt: skip
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else math.nan


def test_a_correlation_below_0_rises_with_noise() -> None:
    """Six documents, one of them relevant: tau-b is -1 / sqrt(70), and then -1 / sqrt(75)."""
    short, long = (Example(grades, (1,), 5) for grades in ((0, 0, 0, 1), (0, 0, 0, 1, 0)))
    [scale] = [OnScale("", {1: ROWS["Kendall"]}, {1: (0.0, 1.0)})]
    assert score(blocks([short, long]), scale).tolist() == pytest.approx([-1 / math.sqrt(70), -1 / math.sqrt(75)])
    for row in ("Kendall", "Spearman"):
        [found] = properties([ROWS[row]], property="Confidence").verdicts
        assert found.verdict == "reversed"
        assert "0001, R = 1: -0.1" in str(found.witness)
        assert "(of 6 documents)" in str(found.witness)


@pytest.mark.parametrize("measure", ["RBP(p=0.98)", "iRBU(p=0.98)", "RBU(p=0.98)", "RBP(p=0.95)"])
def test_measures_without_r_do_not_depend_on_it(measure: str) -> None:
    for found in properties(measure, property="Deepness, Shallowness").verdicts:
        for scale in found.scales:
            by_reading = {one.reading: one.verdict for one in scale.readings}
            for kind in ("truncated", "padded"):
                assert by_reading[f"R = n {kind}"] == by_reading[f"R = 2000 {kind}"]
    assert properties(measure, property="Deepness").verdicts[0].verdict == "strict"
