"""Liu, Moffat, Baldwin & Zhang (2016)."""

from __future__ import annotations

import pytest

import truerank as tr
from truerank.questions.reproduce.liu import RANKINGS, TAUS

from .conftest import Collection


def test_table_1_is_the_papers_to_the_last_digit() -> None:
    numbers = tr.reproduce("liu", exhibit="Table 1").numbers
    assert len(numbers) == 4 * len(RANKINGS) == 40
    assert [one for one in numbers if one.paper is None or abs(one.here - one.paper) > 0.0005001] == []


def test_the_order_of_lists_depends_on_what_there_is_to_find() -> None:
    """By hand, RBP' with p = 1/2: a "1" ends with R = 3 at 1/2 + 1/2 * 1/3, and with R = 5 at 1/2 + 1/2 * 1/5."""
    alone = tr.reproduce("liu", exhibit="Section 2, lists")
    rows = {str(row[0]): row[1:] for row in alone["Section 2, lists"].parts.tables[0].rows}
    assert rows["RBP'"][0] == "“101”, “1”, “10100”, “011”, “01001”"
    assert rows["RBP'"][1] == "“101”, “10100”, “1”, “011”, “01001”"
    assert [row[-1] for row in rows.values()] == ["no", "yes", "yes", "no"]
    # A table that the paper prints no numbers for is not written as a list of none.
    assert alone.usual() == "exhibits"
    assert "“01001”" in str(alone)


@pytest.fixture(scope="module")
def found(answers: Collection) -> tr.Reproduction:
    return tr.reproduce("liu", *answers, limit=5)


def test_lists_are_told_apart_by_the_rules_of_table_2(found: tr.Reproduction) -> None:
    [table] = found["Table 2"].parts.tables
    # Nine lists each: those with a NIL, none that is short otherwise, and those of full length.
    assert [row[-1] for row in table.rows] == [17, 0, 10]


def test_claims_about_nil_can_be_told_where_there_is_one(found: tr.Reproduction) -> None:
    marks = {claim.claim: claim.mark for claim in found.claims}
    fewer = "Ending lists at their NIL leaves fewer of full length, and brings out those without a document."
    lose = "Systems that say NIL before relevant documents lose when lists end there."
    assert (marks[fewer], marks[lose]) == ("holds", "holds")


def test_the_papers_taus_stand_beside(found: tr.Reproduction) -> None:
    assert [one.paper for one in found["Table 3"].parts.numbers] == [*TAUS.values()]


def test_a_useless_end_costs_by_all_but_reciprocal_rank_which_the_paper_leaves_as_it_is(found: tr.Reproduction) -> None:
    [claim] = [one for one in found.claims if "“110”" in one.claim]
    assert (claim.mark, "RR' 1.000 and 1.000" in claim.numbers) == ("holds", True)


def test_with_simulated_answers_every_claim_can_be_determined() -> None:
    track = tr.simulate(systems=12, topics=40, depth=5, nil=0.25, nil_systems=0.5)
    assert tr.reproduce("liu", track.qrels, track.runs).counts["cannot be determined"] == 0


def test_claims_about_reciprocal_rank_need_topics_without_an_answer() -> None:
    """RR' is RR by definition where there is an answer, so that they always agree."""
    track = tr.simulate(systems=12, topics=20, depth=5, nil=0, nil_systems=0.5)
    claims = [one for one in tr.reproduce("liu", track.qrels, track.runs).claims if "RR' is RR" in one.numbers]
    assert {one.mark for one in claims} == {"cannot be determined"}
    assert {"RR and RR' agree strongly.", "Some systems end many lists and gain little."} < {
        one.claim for one in claims
    }
    assert "There are pairs of systems that RR and RR' put in opposite orders." in {one.claim for one in claims}


def test_tau_is_1_where_no_pair_changes_its_order() -> None:
    """Two runs are tied by both measures: tau-a would be 2 / 3."""
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    best, worse = {"q1": ["a"], "q2": ["b"]}, {"q1": ["x", "a"], "q2": ["x", "b"]}
    found = tr.reproduce("liu", qrels, {"best": best, "one": worse, "other": worse}, limit=2)
    assert [one.here for one in found["Table 3"].parts.numbers if one.of == "RR/RR'"] == [1.0]
