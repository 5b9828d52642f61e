from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def test_a_row_a_topic(truerank: Any, files: Path) -> None:
    done = truerank("diff", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "nDCG@2 RR")
    assert done.exit_code == 0
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head[:8] == ["measure", "topic", "better", "depends_on", "a", "b", "difference", "contribution"]
    assert [row[:3] for row in rows] == [
        ["nDCG@2", "q1", "b"],
        ["nDCG@2", "q2", ""],
        ["RR", "q1", ""],
        ["RR", "q2", ""],
    ]
    assert "note: nDCG@2: good beats tied on 1 of 2 topics, loses on 0, and is level on 1" in done.stderr


def test_documents(truerank: Any, files: Path) -> None:
    args = ["diff", files / "qrels.txt", files / "tied.run", files / "good.run"]
    head, *rows = (line.split("\t") for line in truerank(*args, "--show", "documents").stdout.splitlines())
    c = dict(zip(head, next(row for row in rows if row[2] == "c"), strict=True))
    assert (c["topic"], c["grade"], c["status"]) == ("q1", "2.0", "moved")
    assert [c[f"{end}_rank_{side}"] for side in "ab" for end in ("first", "last")] == ["2", "3", "1", "1"]
    assert truerank(*args, "--topic", "q1").stdout.splitlines()[0].split("\t") == head
    assert {row.split("\t")[1] for row in truerank(*args, "--topic", "q1").stdout.splitlines()[1:]} == {"q1"}


def test_json_and_top(truerank: Any, files: Path) -> None:
    args = ["diff", files / "qrels.txt", files / "tied.run", files / "good.run", "--format", "json", "--ties", "docid"]
    document = json.loads(truerank(*args).stdout)
    assert document["conventions"]["ties"] == "docid"
    assert len(document["topics"]) == 2
    limited = json.loads(truerank(*args, "--top", "1", "--depth", "1").stdout)
    assert ([one["topic"] for one in limited["topics"]], limited["measures"][0]["depth"]) == (["q1"], 1)
    assert {one["topic"] for one in limited["documents"]} == {"q1"}


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["topics", "documents", "measures"])
def test_other_formats(truerank: Any, files: Path, form: str, show: str) -> None:
    done = truerank(
        "diff", files / "qrels.txt", files / "tied.run", files / "good.run", "--format", form, "--show", show
    )
    assert done.exit_code == 0
    assert ("nDCG@10" if show == "measures" else "q1") in done.stdout


def test_a_figure_in_as_many_forms_as_are_asked_for(truerank: Any, files: Path) -> None:
    pytest.importorskip("vl_convert")
    begins = {"diff.svg": b"<svg", "diff.pdf": b"%PDF", "diff.png": b"\x89PNG"}
    plots = [word for name in begins for word in ("--plot", files / name)]
    done = truerank("diff", files / "qrels.txt", files / "tied.run", files / "good.run", *plots)
    assert done.exit_code == 0
    assert {name: (files / name).read_bytes()[:4] for name in begins} == begins


def test_options_say_how_runs_are_read(truerank: Any, files: Path) -> None:
    (files / "chunked.run").write_text("q1 Q0 c#1 1 3 t\nq1 Q0 a#1 2 2 t\n")
    (files / "same.run").write_text("q1 Q0 c#1 1 3 t\nq1 Q0 a#1 2 2 t\n")
    done = truerank("diff", files / "qrels.txt", files / "chunked.run", files / "same.run", "--chunks", "#")
    assert done.exit_code == 0
    assert "chunked and same are the same for this measure on all 2 topics" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--show", "runs"], "'runs' is not one of"),
        (["--topic", "q9"], "topic 'q9' is not judged"),
        (["--ties", "bounds"], "two numbers for a score"),
        (["--top", "0"], "--top"),
        (["--plot", "figure"], "does not say what figure"),
        (["-m", "nDGC"], "nDGC"),
    ],
)
def test_errors(truerank: Any, files: Path, args: list[str], said: str) -> None:
    done = truerank("diff", files / "qrels.txt", files / "tied.run", files / "good.run", *args)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_one_run_is_not_enough(truerank: Any, files: Path) -> None:
    done = truerank("diff", files / "qrels.txt", files / "tied.run")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "missing argument 'B'; see: truerank diff --help" in done.stderr
