from __future__ import annotations

import csv
import io
import json
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Command = Callable[..., Result]


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_several_runs_are_told_how_stable_measures_are(truerank: Command, files: Path) -> None:
    done = truerank("depth", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "AP RBP")
    assert done.exit_code == 0
    found = rows(done.stdout)
    assert {row["measure"] for row in found} == {"AP", "RBP"}
    assert {"stable_from", "stable_tau_a", "tau_stable_from", "mean_tau_a", "discrimination@3", "crossings"} <= found[
        0
    ].keys()
    assert "no two runs differ significantly at depth 3" in done.stderr


def test_one_run_has_its_curves(truerank: Command, files: Path) -> None:
    done = truerank("depth", files / "qrels.txt", files / "tied.run", "-m", "AP", "--max-depth", "4", "--condensed")
    found = rows(done.stdout)
    assert [row["depth"] for row in found] == [*"123", *"123"], "no list is longer than 3"
    assert [row["unjudged"] for row in found[::3]] == ["nonrelevant", "condensed"]


def test_json_has_curves_and_stability(truerank: Command, files: Path) -> None:
    args = ("depth", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "AP", "--format", "json")
    document = json.loads(truerank(*args, "--max-depth", "5").stdout)
    assert [(row["run"], len(row["value"])) for row in document["curves"]] == [("tied", 3), ("good", 3)]
    assert [(row["measure"], row["unjudged"], row["tau_stable_from"]) for row in document["stability"]] == [
        ("AP", "nonrelevant", 2)
    ]


def test_a_figure(truerank: Command, files: Path) -> None:
    pytest.importorskip("altair")
    out = files / "depth.svg"
    done = truerank("depth", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "AP", "--plot", out)
    assert done.exit_code == 0
    assert ElementTree.parse(out).getroot().tag.endswith("svg")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--plot", "figure.doc"), "figure.doc"),
        (("-m", "Rprec"), "whole list"),
        (("--unjudged", "bounds"), "bounds"),
        (("--max-depth", "0"), "max-depth"),
    ],
)
def test_errors_are_one_line(truerank: Command, files: Path, args: tuple[str, ...], message: str) -> None:
    done = truerank("depth", files / "qrels.txt", files / "tied.run", *args)
    assert done.exit_code == 2
    assert done.stderr.count("\n") == 1
    assert message in done.stderr
