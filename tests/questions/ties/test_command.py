from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

COUNTS = ["documents", "tied_documents", "topics", "tied_topics", "judged", "tied_judged"]
ORDERS = ["docid", "docid-asc", "input", "rank"]
BOARD = [*(f"score.{order}" for order in ("expected", *ORDERS)), *(f"rank.{order}" for order in ("expected", *ORDERS))]
BOARD += [*(f"difference.{order}" for order in ORDERS), "best_rank", "worst_rank"]
EXTREMES = ["worst", "best", "deviation", "deviation_error", "std_error", "extremes"]


def test_a_row_a_run_and_measure(truerank: Any, files: Path) -> None:
    done = truerank("ties", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "RR@2 AP")
    assert done.exit_code == 0
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head == ["measure", "run", *BOARD, *COUNTS, "straddling@2", *EXTREMES]
    assert [row[:2] for row in rows] == [["RR@2", "tied"], ["RR@2", "good"], ["AP", "tied"], ["AP", "good"]]
    tied = dict(zip(head, rows[2], strict=True))
    assert (tied["tied_documents"], tied["tied_topics"], tied["straddling@2"]) == ("2", "1", "1")
    assert float(tied["worst"]) < float(tied["score.expected"]) < float(tied["best"])
    assert "note: 1 of 2 runs has ties, 0 in more than half of the documents; 1 of 4 lists have ties" in done.stderr


def test_pairs_and_orders(truerank: Any, files: Path) -> None:
    (files / "flat.run").write_text("q1 Q0 a 3 1 t\nq1 Q0 b 1 1 t\nq1 Q0 c 2 1 t\nq2 Q0 d 1 1 t\n")
    args = ["ties", files / "qrels.txt", files / "tied.run", files / "flat.run", "-m", "RR(rel=2)"]
    head, *rows = (line.split("\t") for line in truerank(*args, "--show", "pairs").stdout.splitlines())
    assert head == [
        *("measure", "run", "compared_with", "difference", "low", "high", "can_reverse"),
        *("chance", "chance_by", "reversed_by"),
    ]
    assert [row[:3] for row in rows] == [["RR(rel=2)", "flat", "tied"]]
    head, *rows = (line.split("\t") for line in truerank(*args, "--show", "orders").stdout.splitlines())
    assert [row[2] for row in rows] == ["docid", "docid-asc", "input", "rank"]


def test_json_has_everything(truerank: Any, files: Path) -> None:
    done = truerank("ties", files / "qrels.txt", files / "tied.run", "--format", "json", "--missing", "skip")
    document = json.loads(done.stdout)
    assert document["conventions"]["missing"] == "skip"
    assert [(row["run"], row["measure"], row["extremes"]) for row in document["runs"]] == [
        ("tied", "nDCG@10", "exact"),
        ("tied", "AP", "exact"),
    ]
    assert (document["pairs"], {row["ordered_pairs"] for row in document["orders"]}) == ([], {0})
    assert [note["code"] for note in document["notes"]] == ["TR201", "TR204", "TR204"]


def test_notes_can_be_left_out_by_code(truerank: Any, files: Path) -> None:
    args = ["ties", files / "qrels.txt", files / "tied.run"]
    assert "have ties" in truerank(*args).stderr
    quiet = ["--quiet", "TR201", "--quiet", "TR204"]
    assert truerank(*args, *quiet).stderr == ""
    assert json.loads(truerank(*args, *quiet, "--format", "json").stdout)["notes"] == []


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["runs", "topics", "orders", "pairs"])
def test_other_formats(truerank: Any, files: Path, form: str, show: str) -> None:
    done = truerank("ties", files / "qrels.txt", files / "tied.run", "--format", form, "--show", show)
    assert done.exit_code == 0
    assert "measure" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--show", "columns"], "'columns' is not one of"),
        (["--ties", "docid"], "no such option"),
        (["--unjudged", "bounds"], "mix two reasons"),
        (["-m", "nDGC"], "nDGC"),
    ],
)
def test_errors(truerank: Any, files: Path, args: list[str], said: str) -> None:
    done = truerank("ties", files / "qrels.txt", files / "tied.run", *args)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr.lower() or said in done.stderr
