"""The lecture."""

from __future__ import annotations

import pytest

import truerank as tr

from .conftest import Collection, Reproduced


@pytest.fixture(scope="module")
def found(reproduced: Reproduced) -> tr.Reproduction:
    return reproduced("slides")


def test_models_by_hand(found: tr.Reproduction) -> None:
    rows = {row[0]: row for row in found["Slide: mean reciprocal rank"].parts.tables[0].rows}
    assert rows["untrained"][3] == pytest.approx((5 / 2 + 1 / 100) / 6)
    assert rows["model A"][3] == pytest.approx((5 + 1 / 100) / 6)
    assert rows["model B"][3] == pytest.approx((5 / 2 + 1 / 50) / 6)
    assert rows["model A"][4] == pytest.approx(5 / 6)


def test_the_list_of_twenty_by_hand(found: tr.Reproduction) -> None:
    rows = found["Slide: precision-recall trade-off"].parts.tables[0].rows
    assert len(rows) == 20
    assert rows[8][:2] == (9, "1")
    assert rows[8][2] == pytest.approx(5 / 6)
    assert rows[8][3] == pytest.approx(5 / 9)
    values = {row[0]: row[1] for row in found["Slide: a single number"].parts.tables[0].rows}
    assert values["AP"] == pytest.approx((1 + 2 / 3 + 3 / 4 + 4 / 6 + 5 / 9 + 6 / 15) / 6)
    assert values["AUC"] == pytest.approx(0.7976, abs=5e-5)


def test_five_documents_by_hand(found: tr.Reproduction) -> None:
    [row] = found["Slide: area under the curve"].parts.tables[0].rows
    assert row[1:3] == (6, 3)


def test_runs_are_those_of_evaluate(track: Collection, found: tr.Reproduction) -> None:
    table = found["Slide: a single number"].parts.tables[1]
    scores = tr.evaluate(*track, "AP nDCG@10")
    assert [row[0] for row in table.rows] == list(scores.ranked("AP"))
    assert {row[0]: row[-1] for row in table.rows} == {run: scores[run]["nDCG@10"].mean for run in scores}


def test_every_claim_of_the_lecture_holds_half_of_them_by_definition(found: tr.Reproduction) -> None:
    assert found.counts["does not hold"] == 0
    assert [claim.claim for claim in found.claims if claim.mark == "true by definition"] == [
        "Dropping from rank 1 to 2 is as bad as from 2 out of sight.",
        "At depth 0 precision is 1 by convention.",
        "At the end of the corpus recall is 1, and precision the share of relevant documents.",
        "Interpolated precision never rises.",
        "Exchanging ranks 1 and 11 costs as much as 18 and 19.",
    ]
