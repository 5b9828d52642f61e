"""Table 1 of Amigó, Mizzaro & Spina (2022): what is confirmed, what is refuted, and why."""

from __future__ import annotations

import truerank as tr
from truerank.questions.properties.axioms import SEVEN as STATED
from truerank.questions.reproduce.amigo import agrees, verdict
from truerank.questions.reproduce.amigo_printed import CLAIMS, ROWS, SEVEN, WHY

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


def claims(so: bool | None) -> dict[str, set[str]]:
    rows: dict[str, set[str]] = {}
    for one in CLAIMS:
        if one.has is not None and agrees(one) is so:
            rows.setdefault(one.row, set()).add(one.about)
    return rows


def test_the_refuted_claims() -> None:
    assert claims(False) == REFUTED
    assert all(verdict(one).witness.more for one in CLAIMS if agrees(one) is False)


def test_the_claims_that_depend_on_the_reading() -> None:
    assert claims(None) == OPEN


def test_each_of_them_is_explained_and_nothing_else() -> None:
    stated = {(row, name) for table in (REFUTED, OPEN) for row, names in table.items() for name in names}
    assert {(one.row, one.about) for one in CLAIMS if one.has is not None and (one.row, one.about) in WHY} == stated
    told = tr.reproduce("amigo", exhibit="Table 1")["Table 1"].parts.words
    assert len(told) == len(stated)
    assert any(
        each.startswith("OIE, Redundancy: claimed yes (text and table), here reversed: R = 2: ") for each in told
    )


def test_the_table_has_every_measure_and_property_of_the_paper() -> None:
    assert len(ROWS) == 24
    assert [each.name for each in STATED] == [*SEVEN]
    assert len(CLAIMS) == 24 * 7
    assert sum(one.has is not None for one in CLAIMS) == 163
    assert all(tr.parse(measure).p == 0.98 for measure in ROWS.values() if hasattr(tr.parse(measure), "p"))
    assert [str(tr.parse(measure)) for measure in ROWS.values()] == [*ROWS.values()]
