from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import pytest
from tests.questions.choose.leaves import LEAVES

from truerank.data.errors import InputError
from truerank.questions.choose.guide import QUESTIONS, Guide, paths, tree
from truerank.questions.choose.question import Choice, choose

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "choose.md"
ANSWERS = {measure: answers for answers, measure, _ in LEAVES}


@cache
def found(measure: str) -> Choice:
    qrels = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1, "b": 0}}
    return choose(qrels, {"q1": ["a"], "q2": ["b", "a"]}, **ANSWERS[measure])


def test_for_people() -> None:
    text = str(found("AP"))
    assert text.startswith("take AP, since\n  length no: the length of a list does not count\n")
    assert '\nrun: truerank evaluate QRELS RUN... -m "AP"\n' in text
    rows = {line.split("  ")[0]: line for line in text.splitlines()}
    assert rows["Recall"].split()[1:3] == ["yes", "yes"]
    assert rows["Confidence"].split()[1:3] == ["no", "no"]
    assert "in 2,030 of 2,176" in rows["Top-weightedness"]
    assert "note: AP: Top-weightedness was asked for, and holds in 2,030 of 2,176 cases tried, but not here: 00" in text
    assert "note: warning: relevant documents have 2 grades, from 1 to 2: AP takes all of them to be alike" in text
    assert "note: alternative: nDCG, if" in text


def test_the_figure_is_corrected_openly() -> None:
    text = str(found("nDCGT"))
    assert text.startswith("take nDCGT, since")
    assert "the figure has DCGU here, which does not know what was missed" in text
    assert "Redundancy was asked for, and does not hold" in str(found("OIE(size=20000)"))


def test_what_parameters_mean_is_said() -> None:
    text = str(found("RBPU(p=0.9)"))
    assert "note: p = 0.9: 1 - 1/10, with which readers see 10 documents on average" in text
    assert "note: RBPU(p=0.9): a hit at rank 1 pays for any number of documents" in text
    assert "note: size = 20,000: documents of the collection" in str(found("OIE(size=20000)"))


def test_for_programs() -> None:
    document = json.loads(found("RBPU(p=0.9)").to_json())
    assert document["measure"] == "RBPU(p=0.9)"
    assert document["figure"] == "RBPU"
    assert document["answers"] == ANSWERS["RBPU(p=0.9)"]
    assert [each["question"] for each in document["path"]] == [*ANSWERS["RBPU(p=0.9)"]]
    assert [each["property"] for each in document["properties"]][:2] == ["Priority", "Top-weightedness"]
    assert document["calibration"][0]["silence_at"] == 11
    assert document["warnings"] == []
    assert json.loads(found("nDCGT").to_json())["figure"] == "DCGU"


def test_the_whole_guide_is_beside_it() -> None:
    assert ("nDCGT", "DCGU") in {(way.measure, way.figure) for way in found("nDCGT").guide.paths}


@pytest.mark.parametrize("form", ["to_markdown", "to_latex", "to_html", "to_csv", "to_tsv", "to_json"])
@pytest.mark.parametrize("measure", ["AP", "OIE(size=20000)"])
def test_every_format_names_the_measure(form: str, measure: str) -> None:
    assert measure in getattr(found(measure), form)()


@pytest.mark.parametrize(("show", "first"), [("path", "question"), ("alternatives", "measure")])
def test_other_tables(show: str, first: str) -> None:
    assert next(iter(found("AP").to_records(show)[0])) == first
    assert found("AP").to_markdown(show).startswith(f"| {first} |")


def test_there_are_no_other_tables() -> None:
    with pytest.raises(InputError, match="is not one of properties, path, alternatives"):
        found("AP").to_records("orders")


def test_the_page_has_the_whole_guide() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert "\n".join(tree()) in page, "paste what this prints: truerank choose --show guide --format table"
    assert Guide().to_markdown().split("\n\n")[0] in page, "paste: truerank choose --show guide --format markdown"
    for question in QUESTIONS.values():
        assert f"| `--{question.name.replace('_', '-')}" in page
        assert question.text in page
    for way in paths():
        assert way.measure in page
        assert way.leaf.figure in page
    assert "DCGU" in page
