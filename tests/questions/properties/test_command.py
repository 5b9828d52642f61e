"""What people and programs see."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.questions.properties.question import Verdicts, properties
from truerank.report.schema import schema

ROOT = Path(__file__).parents[3]


def test_one_measure_has_its_witnesses() -> None:
    text = str(properties("AP", property=["Top", "Recall"]))
    assert "Top-weightedness  reversed  00000101, R = 2: the swap at rank 5 gives 0.2250, " in text
    assert "Recall            strict    1: 1.0000 with R = 1, 0.5000 with R = 2" in text
    assert "relevance: Rel = 1" in text


def test_readings_and_scales_that_differ_are_told() -> None:
    text = str(properties("P", property="Deepness"))
    assert (
        "note: Deepness threshold: strict with R = n truncated and R = 2000 truncated (1, R = 1: 1.0000; 01: 0.5000 "
        in text
    )
    assert "reversed with R = n padded and R = 2000 padded (1000, R = 2: 0.2500; 0011: 0.5000 (so from n = 2 on" in text
    text = str(properties("nDCG", property="Realisability"))
    assert "note: Realisability: fails with lists of length k (1, R = 2: 0.6131 (the best of all lists" in text
    assert "; holds with lists read to depth k (1@1, R = 1: 1.0000)" in text
    text = str(properties("ERR", property="Priority"))
    assert "note: Priority: equal with Rel = grade / max (101, R = 2: 1.0000; swapped to 110: 1.0000)" in text


def test_several_measures_have_a_table() -> None:
    head, _, *rows = str(properties("AP RBP nDCG", property=["Top", "Monotonicity", "Realis", "Recall"])).splitlines()[
        :5
    ]
    assert head.split() == ["measure", "TopW", "Mono", "Real", "Rec"]
    assert [row.split() for row in rows] == [
        ["AP", "no", "yes", "no", "yes"],
        ["RBP", "yes", "yes", "no", "="],
        ["nDCG", "yes", "~", "~", "yes"],
    ]


def test_records_have_everything_that_a_program_needs() -> None:
    found = properties("RBP ERR", property="Priority")
    assert found.to_records()[0] == {
        "measure": "RBP",
        "property": "Priority",
        "verdict": "strict",
        "holds": True,
        "scale": "Rel = grade / max",
        "reading": "the same R on both sides, also more than are retrieved",
        "witness": "01, R = 1: 0.1600; swapped to 10: 0.2000",
        "tried": found.to_records()[0]["tried"],
    }
    readings = found.to_records("readings")
    assert [(each["measure"], each["verdict"]) for each in readings] == [
        ("RBP", "strict"),
        ("RBP", "strict"),
        ("ERR", "strict"),
        ("ERR", "equal"),
    ]
    with pytest.raises(tr.InputError, match="show='all' is not one of verdicts, witnesses, readings"):
        found.to_records("all")
    assert repr(found) == "Verdicts(2 measures, 1 properties)"
    assert found["RBP(p=0.8)"]["Priority"].holds


def test_json_has_the_rankings(truerank: Any) -> None:
    done = truerank("properties", "AP", "--property", "top", "--format", "json")
    document = json.loads(done.stdout)
    [found], [reading] = document["verdicts"], document["readings"]
    assert found["witness"] == reading["witness"]
    assert reading["witness"] == "00000101, R = 2: the swap at rank 5 gives 0.2250, the swap at rank 7 gives 0.2262"
    assert (found["verdict"], found["holds"]) == ("reversed", False)
    witness = reading["rankings"]
    assert witness["more"][0]["ranking"] == [0, 0, 0, 0, 1, 0, 0, 1]
    assert witness["more"][0]["score"] == pytest.approx(0.225)
    assert witness["less"][0]["pool"] == [1, 1]
    assert reading["counts"]["reversed"] > 0
    assert document["properties"]["Top-weightedness"]["citation"] == "Amigó, Mizzaro & Spina 2022"
    assert document["notes"] == []


def test_the_document_fits_its_schema(truerank: Any) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for given in (["AP", "DCG", "--longest", "3"], ["P", "--property", "deepness", "--longest", "2"]):
        done = truerank("properties", *given, "--format", "json")
        jsonschema.validate(json.loads(done.stdout), schema(Verdicts))


def test_a_seed(truerank: Any) -> None:
    for given, seed in (((), 0), (("--seed", "3"), 3)):
        done = truerank("properties", "AP", "--property", "top", *given, "--format", "json")
        assert json.loads(done.stdout)["seed"] == seed
    assert truerank("properties", "AP", "--seed", "-1").exit_code == 2


def test_in_a_pipe_every_verdict_is_a_line(truerank: Any) -> None:
    done = truerank("properties", "AP", "RBP", "--property", "recall", "--property", "boundedness")
    head, *lines = done.stdout.splitlines()
    assert head.split("\t") == [
        "measure", "property", "verdict", "holds", "scale", "reading", "witness", "tried"
    ]  # fmt: skip
    assert [line.split("\t")[:4] for line in lines] == [
        ["AP", "Recall", "strict", "yes"],
        ["AP", "Boundedness", "holds", "yes"],
        ["RBP", "Recall", "equal", "no"],
        ["RBP", "Boundedness", "holds", "yes"],
    ]


@pytest.mark.parametrize(("show", "columns"), [("verdicts", 2), ("witnesses", 4), ("readings", 7)])
def test_what_to_show(truerank: Any, show: str, columns: int) -> None:
    done = truerank(
        "properties", "AP", "RR", "--property", "recall", "--longest", "3", "--format", "csv", "--show", show
    )
    assert done.exit_code == 0
    table = truerank(
        "properties", "AP", "RR", "--property", "recall", "--longest", "3", "--format", "markdown", "--show", show
    )
    assert table.stdout.splitlines()[0].count("|") == columns + 1


def test_what_is_undefined_says_why() -> None:
    [record] = properties("DCG", property="Realisability").to_records()
    assert (record["verdict"], record["witness"]) == ("undefined", "no highest score is declared")
    [record] = properties(tr.measure(lambda ranking: math.nan, name="none"), property="Recall").to_records()
    assert record["witness"] == "there is no case in which the scores are defined"
    assert "undefined" in str(properties("DCG", property="Realisability"))


def test_the_reference_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("generate_properties", ROOT / "docs/generate_properties.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    wanted = module.page()
    assert module.PAGE.read_text(encoding="utf-8") == wanted, "run: python docs/generate_properties.py"
