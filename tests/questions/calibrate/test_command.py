from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest


def records(stdout: str) -> list[dict[str, str]]:
    head, *rows = (line.split("\t") for line in stdout.splitlines())
    return [dict(zip(head, row, strict=True)) for row in rows]


def test_what_parameters_mean(truerank: Any) -> None:
    done = truerank("calibrate", "-m", "FlatU RBPU(p=0.8)", "-m", "OIE(size=20000)")
    assert done.exit_code == 0
    flat, geometric, information = records(done.stdout)
    assert (flat["measure"], flat["pays_for"], flat["silence_at_equal"]) == ("FlatU", "20", "yes")
    assert (geometric["pays_for"], geometric["pays_for_any"], geometric["silence_at"]) == ("", "yes", "8")
    assert (information["parameter"], information["silence_at"]) == ("beta", "18")
    assert "note: RBPU(p=0.8): a hit at rank 1 pays for any number of documents; a lone hit is better" in done.stderr
    assert "worth 1 to FlatU, RBPU (grade / max)" in done.stderr


def test_what_parameters_are_wanted(truerank: Any) -> None:
    done = truerank("calibrate", "-m", "OIE", "--silence-at", "20", "--size", 1000, "--size", 20000, "--format", "json")
    found = json.loads(done.stdout)["measures"]
    assert [round(one["value"], 4) for one in found] == [1.0426, 1.0464]
    done = truerank("calibrate", "-m", "FlatU", "--pays-for", 20, "--grade", 1, "--max-grade", 2, "--format", "json")
    [one] = json.loads(done.stdout)["measures"]
    assert (one["value"], one["gain"]) == (0.025, 0.5)


def test_a_ranking(truerank: Any, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    args = ["calibrate", "-m", "RBU(p=0.98) F", "--ranking", "0^10 1^20", "--num-rel", 50]
    done = truerank(*args, "--plot", tmp_path / "lengths.svg")
    assert [(row["measure"], row["length"]) for row in records(done.stdout)[:2]] == [
        ("RBU(p=0.98)", "0"),
        ("RBU(p=0.98)", "1"),
    ]
    assert "note: RBU(p=0.98): best cut after 14 documents" in done.stderr
    assert (tmp_path / "lengths.svg").exists()
    table = truerank(*args, "--format", "table").stdout
    assert "0^10 1^20; 50 relevant documents" in table
    assert "pays for" in truerank(*args, "--format", "table", "--show", "measures").stdout


def test_a_topic_of_a_run(truerank: Any, files: Path) -> None:
    args = ["calibrate", "-m", "RBPU", "--qrels", files / "qrels.txt", "--run", files / "tied.run", "--topic", "q1"]
    document = json.loads(truerank(*args, "--format", "json").stdout)
    assert (document["ranking"], document["num_rel"]) == ("tied, topic q1", 2)
    [curve] = document["lengths"]
    assert (curve["measure"], curve["best"]) == ("RBPU", 3)
    assert curve["score"] == pytest.approx([0, 0.09, 0.162, 0.2196])
    [best] = json.loads(truerank(*args, "--ties", "best", "--format", "json").stdout)["lengths"]
    assert (best["best"], best["score"]) == (2, pytest.approx([0, 0.09, 0.242, 0.2356]))


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html", "json"])
@pytest.mark.parametrize("show", ["measures", "lengths"])
def test_other_formats(truerank: Any, form: str, show: str) -> None:
    done = truerank("calibrate", "--ranking", "0011", "--format", form, "--show", show)
    assert done.exit_code == 0
    assert "RBPU" in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--plot", "x.svg"], "scores by length need a list"),
        (["--show", "lengths"], "give a ranking"),
        (["--ranking", "0x"], "'0x' is no part of a ranking"),
        (["--topic", "q1"], "give qrels and run too"),
        (["--pays-for", "0"], "'--pays-for': 0"),
        (["-m", "RBPU@10"], "write it without @10"),
    ],
)
def test_errors_are_one_line(truerank: Any, args: list[str], message: str) -> None:
    done = truerank("calibrate", *args)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
