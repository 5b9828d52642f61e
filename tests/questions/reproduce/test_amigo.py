"""Amigó, Mizzaro & Spina (2022)."""

from __future__ import annotations

import pytest

import truerank as tr
from truerank.questions.truncate.published import TAU

from .conftest import Collection


@pytest.fixture(scope="module")
def found(track: Collection) -> tr.Reproduction:
    return tr.reproduce("amigo", *track)


def test_the_papers_taus_stand_beside_those_found(track: Collection, found: tr.Reproduction) -> None:
    asked = tr.against(tr.truncate(*track, "OIE(size=20000) RBU", against="AP ERR", tolerance=0))
    numbers = {(one.of, one.by): one for one in found["Table 2"].parts.numbers}
    one = numbers["AP, whole", "OIE(size=20000), cut"]
    assert one.paper == TAU["AP", "OIE(size=20000)"] == 0.87
    assert one.here == asked.tau("AP", "OIE(size=20000)")
    assert numbers["ERR, whole", "RBU, cut"].here == asked.tau("ERR", "RBU")


def test_table_3_is_that_of_meta(track: Collection, found: tr.Reproduction) -> None:
    asked = tr.meta(*track, published=True, splits=2)
    here = {one.of: one.here for one in found["Table 3"].parts.numbers}
    assert here == {row.measure: row.coverage for row in asked.covered}


def test_claims_without_data_are_told(found: tr.Reproduction) -> None:
    marks = {claim.claim: (claim.mark, claim.numbers) for claim in tr.reproduce("amigo").claims}
    assert marks["By AP, NDCG and RBP a useless end costs nothing, and a late hit always pays."][0] == "holds"
    mark, said = marks["With beta = 1.05, the only relevant document at rank 20 is as good as nothing."]
    assert (mark, "1.0464" in said) == ("does not hold", True)
    mark, said = marks["RBU with p = .98 falls again after rank 15."]
    assert (mark, "best length is 14" in said) == ("holds", True)
    mark, said = marks["The guide ends in measures that have what was asked for."]
    assert (mark, "DCGU, which lacks Recall" in said) == ("does not hold", True)


def test_a_mean_over_collections_is_one_over_both(track: Collection) -> None:
    other = tr.simulate(systems=4, topics=8, seed=9, documents=1_000, depth=60, pool_depth=30)
    both = tr.reproduce("amigo", *track, also={"other": (other.qrels, other.runs)}, name="sim", exhibit="Table 3")
    [table] = both["Table 3"].parts.tables
    assert [column.name for column in table.columns] == ["measure", "sim", "other", "mean", "paper"]
    for row in table.rows:
        measure, one, two, mean, _ = row
        assert mean == pytest.approx((one + two) / 2), measure  # type: ignore[operator]
