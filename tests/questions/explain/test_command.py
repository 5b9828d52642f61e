from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from truerank.questions.explain.question import Explanation
from truerank.report.schema import schema


def records(stdout: str) -> list[dict[str, str]]:
    head, *rows = (line.split("\t") for line in stdout.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_a_row_a_document(truerank: Any, files: Path) -> None:
    done = truerank("explain", files / "qrels.txt", files / "tied.run", "--topic", "q1", "-m", "AP nDCG@2")
    assert done.exit_code == 0
    rows = records(done.stdout)
    assert [(row["measure"], row["doc"], row["first"], row["last"]) for row in rows[:3]] == [
        ("AP", "a", "1", "1"), ("AP", "c", "2", "3"), ("AP", "b", "2", "3")
    ]  # fmt: skip
    assert sum(float(row["contribution"]) for row in rows[:3]) == pytest.approx(11 / 12)
    assert "note: AP is 0.9167: 2 of 2 relevant documents were found, at ranks 1 and 2-3" in done.stderr


def test_what_would_change_it(truerank: Any, files: Path) -> None:
    done = truerank("explain", files / "qrels.txt", files / "tied.run", "--topic", "q1", "--show", "changes")
    [tie] = records(done.stdout)
    assert (tie["change"], tie["first"], tie["last"]) == ("ties", "2", "3")
    assert [float(tie[end]) for end in ("low", "high")] == pytest.approx([5 / 6, 1.0])


def test_json_has_everything(truerank: Any, files: Path) -> None:
    args = ["explain", files / "qrels.txt", files / "good.run", "--topic", "q1", "--format", "json", "--ties", "docid"]
    document = json.loads(truerank(*args).stdout)
    assert (document["run"], document["topic"], document["conventions"]["ties"]) == ("good", "q1", "docid")
    [measure] = document["measures"]
    assert {"measure", "formula", "parameters", "divisor", "ties", "unjudged", "swap", "missing"} <= {*measure}
    assert [(step["measure"], step["doc"], step["judged"]) for step in document["steps"]] == [
        ("AP", "c", True),
        ("AP", "a", True),
    ]
    assert [note["code"] for note in document["notes"]] == ["TR361", "TR366"]


@pytest.mark.parametrize("measures", ["AP", "nDCG@2 ERR", "OIE(size=9) infAP NumRel", "RBPT PrefLoss"])
def test_documents_fit_their_schema(truerank: Any, files: Path, measures: str) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    for run, topic in (("tied.run", "q1"), ("good.run", "q2")):
        args = ["--topic", topic, "-m", measures, "--format", "json"]
        done = truerank("explain", files / "qrels.txt", files / run, *args)
        jsonschema.validate(json.loads(done.stdout), schema(Explanation))


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["steps", "changes", "measures"])
def test_other_formats(truerank: Any, files: Path, form: str, show: str) -> None:
    args = ["--topic", "q1", "--format", form, "--show", show]
    done = truerank("explain", files / "qrels.txt", files / "tied.run", *args)
    assert done.exit_code == 0
    assert {"steps": "contribution", "changes": "change", "measures": "reordered"}[show] in done.stdout


def test_a_figure(truerank: Any, files: Path) -> None:
    pytest.importorskip("vl_convert")
    data = [files / "qrels.txt", files / "tied.run"]
    assert truerank("explain", *data, "--topic", "q1", "--plot", files / "score.svg").exit_code == 0
    assert (files / "score.svg").read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["tied.run"], "2 topics are judged; say which"),
        (["tied.run", "--topic", "q7"], "no judged topic 'q7'"),
        (["tied.run", "good.run", "--topic", "q1"], "unexpected extra argument"),
        (["tied.run", "--topic", "q1", "--ties", "bounds"], "'bounds' gives two numbers for a score, and one is"),
        (["tied.run", "--topic", "q1", "--plot", "x.gif"], "does not say what figure"),
    ],
    ids=str,
)
def test_errors(truerank: Any, files: Path, args: list[str], said: str) -> None:
    done = truerank("explain", files / "qrels.txt", *(files / arg if arg.endswith(".run") else arg for arg in args))
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr.lower() or said in done.stderr
