"""Amigó, Mizzaro & Spina (2022)."""

from __future__ import annotations

import json

import pytest

import truerank as tr
from truerank.questions.reproduce.amigo_printed import COVERAGE, TAU

from .conftest import Collection, Reproduced


@pytest.fixture(scope="module")
def found(reproduced: Reproduced) -> tr.Reproduction:
    return reproduced("amigo")


def test_the_papers_taus_stand_beside_those_found(track: Collection, found: tr.Reproduction) -> None:
    asked = tr.against(tr.truncate(*track, "OIE(size=20000) RBU", against="AP ERR", tolerance=0))
    numbers = {(one.of, one.by): one for one in found["Table 2"].parts.numbers}
    one = numbers["AP, whole", "OIE(size=20000), cut"]
    assert one.paper == TAU["AP", "OIE(size=20000)"] == 0.87
    assert one.here == asked.tau("AP", "OIE(size=20000)")
    assert numbers["ERR, whole", "RBU, cut"].here == asked.tau("ERR", "RBU")


def test_table_3_is_that_of_meta(track: Collection, found: tr.Reproduction) -> None:
    asked = tr.meta(*track, depth=100, splits=2)
    here = {one.of: one.here for one in found["Table 3"].parts.numbers}
    assert here == {row.measure: row.coverage for row in asked.compared}
    assert {one.of: one.paper for one in found["Table 3"].parts.numbers} == COVERAGE
    assert [*COVERAGE.values()] == sorted(COVERAGE.values(), reverse=True)
    assert [str(tr.parse(name)) for name in COVERAGE] == [*COVERAGE]


def test_claims_without_data_are_told(found: tr.Reproduction) -> None:
    marks = {claim.claim: (claim.mark, claim.numbers) for claim in tr.reproduce("amigo").claims}
    assert marks["By AP, NDCG and RBP a useless end costs nothing, and a late hit always pays."][0] == "holds"
    mark, said = marks["With beta = 1.05, the only relevant document at rank 20 is as good as nothing."]
    assert (mark, "1.0464" in said) == ("does not hold", True)
    mark, said = marks["RBU with p = .98 falls again after rank 15."]
    assert (mark, "best length is 14" in said) == ("holds", True)
    mark, said = marks["The guide ends in measures that have what was asked for."]
    assert (mark, "DCGU, which lacks Recall" in said) == ("does not hold", True)


def test_figure_2_and_its_claims_have_one_terminal_document(track: Collection, found: tr.Reproduction) -> None:
    """As the paper's table 2 shows: with the whole tail instead, nDCGT cuts most lists after a few documents."""
    asked = tr.truncate(*track, "nDCGT(ending='terminal-once')", tolerance=0)
    [table] = found["Figure 2"].parts.tables
    [row] = [row for row in table.rows if row[0] == "NDCGT"]
    assert list(row[1:]) == pytest.approx([100 * share for share in asked.shares("nDCGT(ending='terminal-once')")])
    drawn = json.dumps(found["Figure 2"].plot().spec)
    assert "NDCGT" in drawn
    assert "ending=" not in drawn


@pytest.mark.thorough
def test_collections_with_short_lists_decide_nothing_about_lengths(track: Collection, found: tr.Reproduction) -> None:
    long = tr.simulate(systems=12, topics=6, seed=5, depth=600, pool_depth=60)
    both = tr.reproduce("amigo", long.qrels, long.runs, also={"short": track}, name="long")
    alone = tr.reproduce("amigo", long.qrels, long.runs, name="long")
    some = [place for place, claim in enumerate(both.claims) if claim.where.startswith("4.2")]
    assert len(some) > 10
    for place in some:
        assert found.claims[place].mark == "cannot be determined"
        assert both.claims[place].mark == alone.claims[place].mark
        assert "cannot be determined in short: the median list has 150" in both.claims[place].numbers


def test_refutations_are_at_the_parameters_of_the_paper() -> None:
    """With p = 0.8 iRBU and RBU lack the shallowness threshold, and RBPU pays for any number of documents."""
    alone = tr.reproduce("amigo")
    claims = {claim.claim: claim.numbers for claim in alone.claims}
    assert claims["Which of the seven properties the measures have."].startswith("140 of 163 confirmed, 19 refuted")
    pays = claims["With e = 1/20, a relevant document at rank 1 is worth the effort of 20 documents."]
    assert "RBPU(0.98) 25, RBPU(0.99) 22" in pays
    cells = {row[0]: row[1:] for row in alone["Table 1"].parts.tables[0].rows}
    assert (cells["iRBU"][3], cells["RBU"][3]) == ("yes", "yes")
    assert cells["F-measure"] == (
        *("equal", "equal", "no", "yes (paper: no)"),
        *("equal (paper: yes)", "yes", "equal (paper: yes)"),
    )


def test_a_mean_over_collections_is_one_over_both(track: Collection) -> None:
    other = tr.simulate(systems=4, topics=8, seed=9, documents=1_000, depth=60, pool_depth=30)
    both = tr.reproduce("amigo", *track, also={"other": (other.qrels, other.runs)}, name="sim", exhibit="Table 3")
    [table] = both["Table 3"].parts.tables
    assert [column.name for column in table.columns] == ["measure", "sim", "other", "mean", "paper"]
    for row in table.rows:
        measure, one, two, mean, _ = row
        assert mean == pytest.approx((one + two) / 2), measure  # type: ignore[operator]
