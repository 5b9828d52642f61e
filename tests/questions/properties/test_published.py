"""Table 1 of the paper: what is confirmed, what is refuted, and that each refutation is explained."""

from __future__ import annotations

from truerank.measures.grammar import parse
from truerank.questions.properties.answer import Verdicts
from truerank.questions.properties.axioms import SEVEN
from truerank.questions.properties.published import ROWS, WHY, claim

REFUTED = {
    "Spearman": {"Confidence"},
    "Kendall": {"Confidence"},
    "AUC-ROC": {"Confidence", "Recall"},
    "R@N": {"Recall"},
    "R-p": {"Recall"},
    "F-measure": {"Shallowness threshold", "Confidence", "Redundancy"},
    "AP": {"Top-weightedness"},
    "Q-measure": {"Priority", "Top-weightedness"},
    "iRBU": {"Shallowness threshold"},
    "NDCGT": {"Confidence"},
    "ERRT": {"Confidence", "Recall"},
    "RBPT": {"Confidence", "Recall"},
    "RBU": {"Shallowness threshold"},
    "OIE": {"Priority", "Redundancy"},
}
OPEN = {
    "Spearman": {"Deepness threshold", "Shallowness threshold"},
    "Kendall": {"Deepness threshold", "Shallowness threshold"},
    "AUC-ROC": {"Deepness threshold", "Shallowness threshold"},
    "R-p": {"Deepness threshold", "Shallowness threshold"},
    "BPref": {"Deepness threshold"},
    "OIE": {"Deepness threshold"},
}


def claims(found: Verdicts, agrees: bool | None) -> dict[str, set[str]]:
    rows: dict[str, set[str]] = {}
    for verdict in found.verdicts:
        if verdict.claim is not None and verdict.claim.has is not None and verdict.agrees is agrees:
            rows.setdefault(verdict.claim.row, set()).add(verdict.property)
    return rows


def test_the_refuted_claims(published: Verdicts) -> None:
    assert claims(published, agrees=False) == REFUTED


def test_the_claims_that_depend_on_the_reading(published: Verdicts) -> None:
    assert claims(published, agrees=None) == OPEN


def test_each_of_them_is_explained_and_nothing_else(published: Verdicts) -> None:
    stated = {(row, name) for table in (REFUTED, OPEN) for row, names in table.items() for name in names}
    assert {key for key in WHY if claim(ROWS[key[0]], key[1]).has is not None} == stated  # type: ignore[union-attr]
    for verdict in published.verdicts:
        if verdict.agrees is False:
            assert verdict.witness.more


def test_the_table_has_every_measure_and_property_of_the_paper(published: Verdicts) -> None:
    assert len(ROWS) == 24
    assert [*published.properties] == [each.name for each in SEVEN]
    assert all(verdict.claim is not None for verdict in published.verdicts)


def test_measures_have_the_claims_of_their_family() -> None:
    for text, row in (("RBP(p=0.5)", "RBP"), ("P@20", "P@N"), ("OIE", "OIE"), ("RBPT(p=0.9)", "RBPT")):
        found = claim(parse(text), "Priority")
        assert found is not None
        assert found.row == row
    for text in ("P", "AP@10", "AUC", "SetF", "Success"):
        assert claim(parse(text), "Priority") is None
    assert claim(parse("AP"), "Boundedness") is None
