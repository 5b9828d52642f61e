"""Answers: all forms of a result from the description of its rows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.schema import schema

SAID = Code("TR991", "what was found", "{runs:run} found")
KNOWN = Code("TR992", "what was known", "all is well")


class Mean(Row):
    measure: str = column("the measure")
    run: str = column("the run")
    mean: float = column("the mean", best="high")


class Topic(Row):
    topic: str = column("the topic")


class Means(Answer):
    question = "means"
    sheets = {
        "runs": Sheet(Mean, "means of runs", of="means", meaning="means, that is", top=1),
        "topics": Sheet(Topic, "a row a topic", flag="--per-topic", json=False),
    }

    means: tuple[Mean, ...]
    topics: tuple[Topic, ...] = ()
    level: float = column("a level", default=0.05)

    def own_notes(self, show: str) -> Iterator[Note]:
        if show == "runs":
            yield SAID(runs=len(self.means))


ROWS = tuple(Mean(measure=m, run=r, mean=v) for m, r, v in (("AP", "a", 0.5), ("AP", "b", 0.25), ("RR", "a", 1.0)))
FOUND = Means(means=ROWS, topics=(Topic(topic="401"),), notices=(KNOWN(),))


def test_sheets_by_name_and_by_flag() -> None:
    assert FOUND.to_records() == FOUND.to_records("runs")
    assert FOUND.to_records("topics") == FOUND.to_records(per_topic=True) == [{"topic": "401"}]
    assert FOUND.to_csv(show="topics") == FOUND.to_csv(per_topic=True) == "topic\n401\n"
    with pytest.raises(InputError, match="show='x' is not one of runs, topics"):
        FOUND.to_records("x")
    with pytest.raises(TypeError, match="no keyword 'per_run'"):
        FOUND.to_records(per_run=True)


def test_people_see_some_rows_of_each_measure_and_programs_all() -> None:
    assert [row[:2] for row in FOUND.table().rows] == [("AP", "a"), ("RR", "a")]
    assert len(FOUND.table(top=2).rows) == len(FOUND.whole().rows) == 3
    assert FOUND.table().below == "means, that is; 2 of 3 runs shown: --top 2"
    assert FOUND.table(top=2).below == "means, that is"
    assert "(means, that is; 2 of 3 runs shown: --top 2)" in str(FOUND)


def test_json_has_version_facts_sheets_and_notes_with_codes() -> None:
    document = json.loads(FOUND.to_json())
    assert {key: document[key] for key in ("version", "question", "level")} == {
        "version": 2,
        "question": "means",
        "level": 0.05,
    }
    assert "topics" not in document
    assert document["runs"][1] == {"measure": "AP", "typed": "AP", "run": "b", "mean": 0.25}
    assert document["notes"] == [
        {"code": "TR991", "facts": {"runs": 3}, "text": "3 runs found"},
        {"code": "TR992", "facts": {}, "text": "all is well"},
    ]


def test_notes_belong_to_a_sheet_and_can_be_left_out() -> None:
    assert FOUND.notes() == ("3 runs found", "all is well")
    assert FOUND.notes("topics") == ("all is well",)
    assert FOUND.notes(quiet=["TR992"]) == ("3 runs found",)
    assert "all is well" not in FOUND.render("table", quiet=["TR992"])
    assert "3 runs found" not in FOUND.render("markdown", quiet=None)


def test_a_file_is_written_whole_or_refused(tmp_path: Path) -> None:
    assert FOUND.to_tsv(tmp_path / "a.tsv") is None
    assert (tmp_path / "a.tsv").read_text() == FOUND.to_tsv()
    with pytest.raises(InputError, match="not writable"):
        FOUND.to_csv(tmp_path / "no" / "a.csv")


def test_the_schema_fits_and_refuses_what_does_not() -> None:
    jsonschema = pytest.importorskip("jsonschema")
    told = schema(Means)
    document = FOUND.to_dict()
    jsonschema.validate(document, told)
    assert told["properties"]["runs"]["items"]["properties"]["mean"]["description"] == "the mean"
    for broken in ({**document, "more": 1}, {**document, "version": 1}, {**document, "runs": [{"run": "a"}]}):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate(broken, told)
