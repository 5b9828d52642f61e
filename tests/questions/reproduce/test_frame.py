"""What holds for all papers: marks, exhibits, several collections, the page, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.quick import first

import truerank as tr
from truerank.questions.reproduce.paper import (
    DEFINED,
    FAILS,
    HOLDS,
    MARKS,
    OPEN,
    Check,
    checked,
    clearly,
    in_each,
    of_those,
    untold,
)
from truerank.questions.reproduce.question import PAPERS

from .conftest import Collection, Reproduced


@pytest.fixture(scope="module")
def found(reproduced: Reproduced) -> dict[str, tr.Reproduction]:
    return {paper: reproduced(paper) for paper in PAPERS}


@pytest.mark.parametrize("paper", PAPERS)
def test_every_exhibit_is_made_of_simulated_runs(paper: str, found: dict[str, tr.Reproduction]) -> None:
    assert [(one.exhibit, one.reason) for one in found[paper].exhibits if not one.made] == []
    assert all(one.parts.tables or one.parts.figures for one in found[paper].exhibits)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_claim_has_a_mark_and_says_why(paper: str, found: dict[str, tr.Reproduction]) -> None:
    claims = found[paper].claims
    assert len({claim.claim for claim in claims}) == len(claims)
    assert all(claim.mark in MARKS and claim.numbers and claim.where for claim in claims)
    assert sum(found[paper].counts.values()) == len(claims)
    assert found[paper].counts[HOLDS] > 0


@pytest.mark.parametrize("paper", PAPERS)
def test_without_data_the_papers_own_examples_are_there(paper: str) -> None:
    alone = tr.reproduce(paper)
    told = [claim for claim in alone.claims if claim.mark != OPEN]
    assert told
    open_ = [claim.numbers for claim in alone.claims if claim.mark == OPEN]
    assert [why for why in open_ if why != "needs judgments and runs" and "the text does not say" not in why] == []


@pytest.mark.parametrize("paper", first(2, PAPERS))
def test_the_page_has_every_exhibit_and_claim(paper: str, found: dict[str, tr.Reproduction], tmp_path: Path) -> None:
    page = found[paper].save(tmp_path / "page.html").read_text()
    assert page.count("<tr") > len(found[paper].claims)
    for one in found[paper].exhibits:
        assert f"<h2>{one.exhibit}</h2>" in page
    assert page.count('<svg class="figure"') == sum(len(one.parts.figures) for one in found[paper].exhibits)
    assert "find run" not in page
    text = found[paper].save(tmp_path / "page.md").read_text()
    assert all(claim.claim[:20] in text for claim in found[paper].claims)


@pytest.mark.parametrize("paper", PAPERS)
def test_json_has_tables_and_marks(paper: str, found: dict[str, tr.Reproduction]) -> None:
    document = json.loads(found[paper].to_json())
    assert [one["exhibit"] for one in document["exhibits"]] == [one.exhibit for one in found[paper].exhibits]
    assert any(one["tables"] for one in document["exhibits"])
    assert {one["mark"] for one in document["claims"]} <= set(MARKS)


def test_one_exhibit_alone_has_no_claims(track: Collection) -> None:
    alone = tr.reproduce("lu", *track, exhibit="table 1")
    assert [one.exhibit for one in alone.exhibits] == ["Table 1"]
    assert alone.claims == ()
    assert "Robust04 (paper)" in str(alone)
    with pytest.raises(tr.InputError, match="Table 1 has 0 figures"):
        alone.plot()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"paper": "nobody"}, "no paper 'nobody' here; there are liu"),
        ({"paper": "lu", "exhibit": "Table 9"}, "lu has no exhibit 'Table 9'; it has Table 1"),
        ({"paper": "lu", "qrels": {"q": {"d": 1}}}, "name the runs after the judgments"),
        ({"paper": "lu", "runs": {"a": {"q": ["d"]}}}, "name the judgments before the runs"),
        ({"paper": "lu", "qrels": {"q": {"d": 1}}, "runs": {"q": ["d"]}, "ties": "bounds"}, "papers print one"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(tr.InputError, match=said):
        tr.reproduce(**given)


def test_a_claim_over_collections_holds_where_it_does_in_all_that_tell() -> None:
    class One:
        def __init__(self, name: str, value: float | None) -> None:
            self.name, self.value = name, value

    def check(one: Any) -> Check:
        return untold("no value") if one.value is None else checked(one.value > 0, f"{one.value:g}")

    each = in_each(check)
    assert each([One("a", 1.0), One("b", None)]) == Check(
        HOLDS, "a: 1; cannot be determined in b: no value", {"a": HOLDS, "b": OPEN}
    )
    both = each([One("a", 1.0), One("b", -1.0), One("c", None), One("d", None)])
    assert both.mark == FAILS
    assert both.said == "holds in 1 of 2 collections; a: 1; b: -1; cannot be determined in c, d: no value"
    assert each([One("a", None), One("b", None)]).mark == OPEN
    assert each([One("a", -1.0)]) == Check(FAILS, "-1")
    # That something can be is shown by one collection in which it is.
    some = in_each(check, enough=True)
    assert some([One("a", 1.0), One("b", -1.0), One("c", None)]).mark == HOLDS
    assert some([One("a", -1.0), One("b", None)]).mark == FAILS


def test_what_a_question_refuses_leaves_a_claim_open(track: Collection) -> None:
    qrels, runs = track
    name = next(iter(runs))
    alone = tr.reproduce("lu", qrels, {name: runs[name]})
    few = [claim for claim in alone.claims if claim.numbers == "1 run, and the order of 10 or more is needed"]
    assert len(few) > 5
    assert {claim.mark for claim in few} == {OPEN}


class Collected(NamedTuple):
    """What a claim asks a collection for."""

    name: str
    value: float
    is_able: bool = True


def needs_ability(one: Collected) -> str:
    return "" if one.is_able else "it is not able"


def test_a_claim_is_tested_where_it_can_be() -> None:
    """A collection that cannot bear a claim decides nothing, alone or beside others."""

    def check(one: Collected) -> Check:
        return checked(one.value > 0, f"{one.value:g}")

    def mean(many: Sequence[Collected]) -> Check:
        return checked(sum(one.value for one in many) > 0, f"{sum(one.value for one in many):g}")

    unable = Collected("b", -5, is_able=False)
    each, together = in_each(check, needs=[needs_ability]), of_those(mean, [needs_ability])
    for claim in (each, together):
        assert claim([unable]) == Check(OPEN, "it is not able")
        assert claim([Collected("a", 1), unable]).mark == HOLDS
        assert claim([Collected("a", 1), unable]).said.endswith("cannot be determined in b: it is not able")
        assert claim([unable, unable._replace(name="c")]).mark == OPEN
    assert together([Collected("a", 1), Collected("c", -2)]) == Check(FAILS, "-1")


@pytest.mark.parametrize(
    ("marks", "of_each", "of_some"),
    [
        ((DEFINED, DEFINED), DEFINED, DEFINED),
        ((DEFINED, HOLDS), HOLDS, HOLDS),
        ((DEFINED, OPEN), DEFINED, DEFINED),
        ((HOLDS, FAILS), FAILS, HOLDS),
        ((DEFINED, FAILS), FAILS, DEFINED),
        ((FAILS, OPEN), FAILS, FAILS),
    ],
)
def test_the_mark_of_several_collections(marks: tuple[str, str], of_each: str, of_some: str) -> None:
    collections = [Collected(mark, 0.0) for mark in marks]
    collections[1] = collections[1]._replace(name=f"{marks[1]} too")

    def check(one: Collected) -> Check:
        return Check(one.name.removesuffix(" too"), "said")

    assert in_each(check)(collections).mark == of_each
    assert in_each(check, enough=True)(collections).mark == of_some


@given(st.floats(-1, 1), st.floats(-1, 1), st.floats(0.001, 0.2), st.floats(-1, 1))
def test_no_bound_of_ours_turns_a_claim_around_by_less_than_its_margin(
    value: float, bound: float, margin: float, step: float
) -> None:
    """Whatever the number, one that is nearer than the margin never has the opposite mark."""
    near = value + 0.999 * margin * step
    for sides in ({"least": bound}, {"most": bound}):
        assert {clearly([each], **sides, margin=margin) for each in (value, near)} != {True, False}
    assert clearly([math.nan], least=bound, margin=margin) is None


@pytest.mark.parametrize("paper", first(2, PAPERS))
def test_several_collections_have_their_own_parts(paper: str, track: Collection, answers: Collection) -> None:
    both = tr.reproduce(paper, *track, also={"qa": answers}, name="sim")
    assert [one.collection for one in both.reproduced_on] == ["sim", "qa"]
    drawn = {figure.collection for one in both.exhibits for figure in one.parts.figures if figure.collection}
    assert drawn <= {"sim", "qa"}
    # One of the papers has means over its collections only.
    assert any(claim.marks for claim in both.claims) == (paper != "amigo")
    assert all(set(claim.marks) <= {"sim", "qa"} for claim in both.claims)


def test_numbers_are_those_of_the_questions(track: Collection, found: dict[str, tr.Reproduction]) -> None:
    qrels, runs = track
    asked = tr.nil(qrels, runs, "RR nDCG@150 RBP(p=0.5) AP", limit=150)
    here = {one.of: one.here for one in found["liu"]["Table 3"].parts.numbers}
    names = ("RR", "NDCG", "RBP", "AP")
    expected = {f"{name}/{name}'": row.tau_b for name, row in zip(names, asked.orders, strict=True)}
    assert here == expected


@pytest.mark.parametrize("paper", ["lu", "slides"])
def test_lists_of_two_documents_refute_nothing(paper: str) -> None:
    qrels, runs = {"q": {"a": 1, "b": 0}}, {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    assert tr.reproduce(paper, qrels, runs).counts[FAILS] == 0


def test_the_page_has_one_row_of_files_per_collection(tmp_path: Path) -> None:
    """The hash of runs is that of a list of theirs, as sha256sum makes and hashes it, whatever their folder."""
    pages = []
    for folder in ("one", "other"):
        track = tr.simulate(systems=3, topics=4, seed=3, documents=200, depth=20, pool_depth=10)
        qrels, *runs = track.write(tmp_path / folder)
        pages.append(tr.reproduce("slides", qrels, runs).paged())
    rows = [[list(row) for row in page.sections[-1].blocks[1].rows] for page in pages]  # type: ignore[union-attr]
    hashes = "".join(f"{sha256(run.read_bytes()).hexdigest()}\n" for run in sorted(runs))
    size = sum(run.stat().st_size for run in runs)
    judged = sha256(qrels.read_bytes()).hexdigest()[:16]
    assert rows[0] == [["qrels", "qrels.txt", judged, "3", f"{size:,}", sha256(hashes.encode()).hexdigest()[:16]]]
    assert rows[0] == rows[1]


@pytest.mark.parametrize(
    ("question", "fixed"),
    [
        ("nil", ("nil", "missing")),
        ("depth", ("ending", "relevant")),
        ("ties", ("ties",)),
        ("curves", ("ending",)),
        ("evaluate", ()),
        ("truncate", ("relevant",)),
        ("meta", ("relevant",)),
    ],
)
def test_papers_know_what_questions_have_fixed(question: str, fixed: tuple[str, ...]) -> None:
    """Papers leave these out of the conventions that they pass on; a limit they never do but to nil."""
    rules = import_module(f"truerank.questions.{question}.question").RULES
    assert {*rules.fixed} - {"limit"} == {*fixed}
