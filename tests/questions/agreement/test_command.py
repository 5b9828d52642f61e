from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from truerank.questions.agreement.question import agreement

Command = Callable[..., Result]


@pytest.fixture
def scores(truerank: Command, files: Path) -> Path:
    """What truerank evaluate writes for two runs."""
    runs = (files / "tied.run", files / "good.run")
    assert (
        truerank("evaluate", files / "qrels.txt", *runs, "-m", "AP P@1", "--out", files / "scores.tsv").exit_code == 0
    )
    return files / "scores.tsv"


def test_two_columns_of_one_file(truerank: Command, scores: Path) -> None:
    done = truerank("agreement", scores, scores, "--column", "AP", "--column", "P@1", "-p", "0.8", "--format", "json")
    assert done.exit_code == 0
    document = json.loads(done.stdout)
    found = {row["coefficient"]: row["value"] for row in document["coefficients"]}
    assert found["tau_a"] == 0.0
    assert found["tau_b"] is None
    [note] = document["notes"]
    assert note["text"] == "b ties all items, so that tau_b, tau_ap_b, weighted_tau and spearman are undefined"
    assert (note["code"], note["facts"]) == ("TR503", {"rankings": ["b"]})
    assert document["p"] == 0.8


def test_scores_against_a_list(truerank: Command, scores: Path, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("good\ntied\nother\n")
    done = truerank("agreement", scores, tmp_path / "list", "--column", "AP")
    expected = agreement(["good", "tied"], ["good", "tied", "other"])
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    assert rows[0] == ["coefficient", "value", "value.low", "value.high", "interval_low", "interval_high", "meaning"]
    assert [row[1] for row in rows if row[0] == "rbo.a"] == [repr(expected.rbo.a.ext)]
    assert done.stderr == "note: b has 'other', which a lacks; correlations need the same items and are undefined\n"


def test_standard_input_is_a_file(truerank: Command, tmp_path: Path) -> None:
    (tmp_path / "list").write_text("a\nb\n")
    done = truerank("agreement", "-", tmp_path / "list", "--format", "json", input="a 2\nb 1\n")
    [spearman] = [row for row in json.loads(done.stdout)["coefficients"] if row["coefficient"] == "spearman"]
    assert spearman["value"] == 1.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "choose one with --column"),
        (["--column", "nDCG"], "there is no column 'nDCG'"),
        (["--column", "AP", "-p", "1"], "between 0 and 1"),
        (["--column", "AP", "--column", "AP", "--column", "AP"], "one for each file"),
    ],
)
def test_errors_are_one_line(truerank: Command, scores: Path, options: list[str], said: str) -> None:
    done = truerank("agreement", scores, scores, *options)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert said in done.stderr
