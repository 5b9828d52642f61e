from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def records(stdout: str) -> list[dict[str, str]]:
    head, *rows = (line.split("\t") for line in stdout.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_precision_against_recall(truerank: Any, files: Path) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", files / "good.run", "--points", 3)
    rows = records(done.stdout)
    assert [(row["run"], row["recall"]) for row in rows[:4]] == [
        ("tied", "0.0"), ("tied", "0.5"), ("tied", "1.0"), ("good", "0.0")
    ]  # fmt: skip
    depths = truerank("curves", files / "qrels.txt", files / "tied.run", "--topic", "q1", "--show", "depths")
    assert [row["depth"] for row in records(depths.stdout)] == ["1", "2", "3"]


def test_true_against_false_positives(truerank: Any, files: Path) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", "--kind", "roc", "--topic", "q1", "--rel", 2)
    assert [(row["fpr"], row["tpr"]) for row in records(done.stdout)] == [
        ("0.0", "0.0"),
        ("0.5", "0.0"),
        ("1.0", "1.0"),
    ]
    assert "with probability 0.2500" in done.stderr


def test_json_has_everything(truerank: Any, files: Path) -> None:
    args = ["curves", files / "qrels.txt", files / "tied.run", "--format", "json"]
    document = json.loads(truerank(*args, "--topic", "q1").stdout)
    assert [(row["recall"], row["precision"]) for row in document["every"]] == [(0.5, 1.0), (1.0, pytest.approx(5 / 6))]
    assert [row["depth"] for row in document["depths"]] == [1, 2, 3]
    assert (len(document["curve"]), document["runs"][0]["average"]) == (11, pytest.approx(11 / 12))
    mean = json.loads(truerank(*args).stdout)
    assert (mean["every"], mean["depths"], mean["topics"]) == ([], [], ["q1", "q2"])
    assert [row["auc"] for row in json.loads(truerank(*args, "--kind", "roc", "--topic", "q1").stdout)["runs"]] == [
        0.75
    ]


@pytest.mark.parametrize("kind", ["precision-recall", "roc"])
def test_a_figure(truerank: Any, files: Path, kind: str) -> None:
    pytest.importorskip("vl_convert")
    path = files / "figure.svg"
    done = truerank("curves", files / "qrels.txt", files / "tied.run", "--kind", kind, "--plot", path)
    assert done.exit_code == 0
    assert path.read_text().startswith("<svg")


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html"])
@pytest.mark.parametrize(
    ("kind", "show"), [("precision-recall", "depths"), ("precision-recall", "runs"), ("roc", "runs")]
)
def test_other_formats(truerank: Any, files: Path, form: str, kind: str, show: str) -> None:
    args = ["curves", files / "qrels.txt", files / "tied.run", "--topic", "q1", "--kind", kind, "--show", show]
    done = truerank(*args, "--format", form)
    assert done.exit_code == 0
    assert "tied" in done.stdout


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--show", "every"], "--show every is of one topic; choose --topic"),
        (["--kind", "roc", "--show", "depths"], "leave out --kind roc"),
        (["--ending", "terminal"], "no such option"),
        (["--ties", "bounds"], "gives two numbers"),
        (["--topic", "q7"], "no judged topic 'q7'"),
        (["--points", "1"], "1 is not in the range"),
        (["--rel", "0"], "rel is a number above 0"),
    ],
    ids=str,
)
def test_errors(truerank: Any, files: Path, args: list[str], said: str) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", *args)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr.lower() or said in done.stderr
