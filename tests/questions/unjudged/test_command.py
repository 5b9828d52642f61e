from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SCORES = ["score", "condensed", "low", "high", "residual", "rank", "best_rank", "worst_rank", "undecided"]
LIKELY = ["likely_low", "likely_high"]


@pytest.fixture
def args(files: Path) -> list[object]:
    (files / "open.run").write_text("q1 Q0 u 1 3 t\nq1 Q0 c 2 2 t\nq2 Q0 v 1 2 t\nq2 Q0 d 2 1 t\n")
    return ["unjudged", files / "qrels.txt", files / "open.run", files / "good.run"]


def test_a_row_a_run_and_measure(truerank: Any, args: list[object]) -> None:
    done = truerank(*args, "-m", "P@1 AUC", "--cutoff", "1", "--cutoff", "2")
    assert done.exit_code == 0
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head == ["measure", "run", "judged@1", "judged@2", "judged", *SCORES, *LIKELY]
    assert rows[0] == ["P@1", "good", *["1.0"] * 7, "0.0", "1", "1", "1", "0", "", ""]
    assert rows[1] == [
        "P@1",
        "open",
        "0.0",
        "0.5",
        "0.5",
        "0.0",
        "1.0",
        "0.0",
        "1.0",
        "1.0",
        "2",
        "1",
        "2",
        "0",
        "",
        "",
    ]
    assert rows[2][0] == "AUC"
    assert rows[2][7:] == [""] * 9
    assert "note: P@1: judging the unjudged documents that these runs list cannot reverse any two runs" in done.stderr
    assert "AUC: unjudged documents give no bounds" in done.stderr


def test_pairs(truerank: Any, args: list[object]) -> None:
    head, *rows = (line.split("\t") for line in truerank(*args, "--show", "pairs", "-m", "RBP").stdout.splitlines())
    assert head == [
        *("measure", "run", "compared_with", "difference", "low", "high", "can_reverse"),
        *("chance", "reversal"),
    ]
    assert [row[:3] + row[6:] for row in rows] == [["RBP", "good", "open", "yes", "", ""]]


def test_a_list_to_judge(truerank: Any, args: list[object], files: Path) -> None:
    done = truerank(*args, "-m", "P@1", "--next", "5", "--out", files / "next.tsv")
    assert (done.exit_code, done.stdout) == (0, "")
    head, *rows = (files / "next.tsv").read_text().splitlines()
    assert head.split("\t") == ["topic", "doc", "chance", "apart", "gain", "if_nonrelevant", "if_relevant", "ranks"]
    assert rows == ["q1\tu\t\t0.0\t1.0\t1.0\t1.0\topen:1", "q2\tv\t\t0.0\t1.0\t1.0\t1.0\topen:1"]
    assert len(truerank(*args, "-m", "P@1", "--next", "1").stdout.splitlines()) == 2


def test_json_has_everything(truerank: Any, args: list[object]) -> None:
    document = json.loads(truerank(*args, "--next", "1", "--format", "json").stdout)
    undecided = {(row["run"], row["measure"]): row["undecided"] for row in document["runs"]}
    assert undecided["open", "RBP"] == 1
    assert [pair["can_reverse"] for pair in document["pairs"]] == [True, True]
    assert document["next"][0]["ranks"] == {"open": 1}


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize("show", ["runs", "pairs", "next"])
def test_other_formats(truerank: Any, args: list[object], form: str, show: str) -> None:
    done = truerank(*args, "--next", "2", "--show", show, "--format", form)
    assert done.exit_code == 0
    assert ("measure" if show != "next" else "topic") in done.stdout


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--show", "next"], "needs --next"),
        (["--next", "0"], "0 is not in the range"),
        (["--cutoff", "0"], "0 is not in the range"),
        (["--next", "1", "-m", "AUC"], "no bounds to narrow"),
        (["--unjudged", "bounds"], "no such option"),
    ],
)
def test_errors(truerank: Any, args: list[object], given: list[str], said: str) -> None:
    done = truerank(*args, *given)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert said in done.stderr


def test_without_a_model_of_relevance_a_line_says_why(truerank: Any, args: list[object]) -> None:
    said = "no chances of reversal, likely scores or estimates: "
    needs = f"{said}the model needs 10 relevant and 10 non-relevant judged documents that these runs list"
    done = truerank(*args, "-m", "P@1", "--show", "relevant")
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr.count(needs) == 1
    assert truerank(*args, "-m", "P@1").stderr.count(needs) == 1
    assert said not in truerank(*args, "-m", "P@1", "--draws", "0").stderr
    assert f"{said}--draws is 0" in truerank(*args, "-m", "P@1", "--draws", "0", "--show", "relevant").stderr
