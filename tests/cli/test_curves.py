from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def records(stdout: str) -> list[dict[str, str]]:
    head, *rows = (line.split("\t") for line in stdout.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_figures(truerank: Any, files: Path) -> None:
    pytest.importorskip("vl_convert")
    data = [files / "qrels.txt", files / "tied.run"]
    assert truerank("curves", *data, "--plot", files / "pr.svg").exit_code == 0
    assert truerank("curves", *data, "--kind", "roc", "--plot", files / "roc.svg").exit_code == 0
    for name in ("pr", "roc"):
        assert (files / f"{name}.svg").read_text().startswith("<svg")


def test_precision_against_recall(truerank: Any, files: Path) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", files / "good.run", "--points", 3)
    rows = records(done.stdout)
    assert [(row["run"], row["recall"]) for row in rows[:4]] == [
        ("tied", "0.0"), ("tied", "0.5"), ("tied", "1.0"), ("good", "0.0")
    ]  # fmt: skip
    depths = truerank("curves", files / "qrels.txt", files / "tied.run", "--topic", "q1", "--show", "depths")
    assert [row["depth"] for row in records(depths.stdout)] == ["1", "2", "3"]


def test_hits_against_false_alarms(truerank: Any, files: Path) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", "--kind", "roc", "--topic", "q1", "--rel", 2)
    assert [(row["fpr"], row["tpr"]) for row in records(done.stdout)] == [
        ("0.0", "0.0"),
        ("0.5", "0.0"),
        ("1.0", "1.0"),
    ]
    assert "with a chance of 0.2500" in done.stderr


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["--show", "every"], "is of one topic"),
        (["--kind", "roc", "--show", "depths"], "leave out --kind roc"),
        (["--ending", "terminal"], "no such option"),
    ],
    ids=str,
)
def test_errors(truerank: Any, files: Path, args: list[str], said: str) -> None:
    done = truerank("curves", files / "qrels.txt", files / "tied.run", *args)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1), done.stderr
    assert said in done.stderr.lower() or said in done.stderr
