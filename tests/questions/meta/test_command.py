from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Command = Callable[..., Result]


@pytest.fixture
def compare(truerank: Command, files: Path) -> Command:
    """Compares measures on the two runs."""

    def run(*args: object) -> Result:
        return truerank("meta", files / "qrels.txt", files / "tied.run", files / "good.run", "--splits", 9, *args)

    return run


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text), delimiter="\t"))


def test_a_row_a_measure_and_words_below(compare: Command) -> None:
    done = compare("-m", "AP nDCG RR", "--reference", "P@1 RR")
    assert {row["measure"] for row in rows(done.stdout)} == {"AP", "nDCG", "RR"}
    assert {"discrimination", "sensitivity", "coverage", "rank.coverage", "mean_rank"} <= rows(done.stdout)[0].keys()
    assert "AP and nDCG have the best mean rank, 1.6 of 3; RR comes next with 2.8" in done.stderr
    assert "of 1 pair of runs to differ" in done.stderr


@pytest.mark.parametrize(("show", "count"), [("tau", 1), ("discrimination", 2), ("swap", 2), ("asl", 202), ("uir", 2)])
def test_what_is_shown(compare: Command, show: str, count: int) -> None:
    assert len(rows(compare("-m", "AP nDCG", "--show", show).stdout)) == count


def test_there_are_sixteen_usual_measures_of_whole_lists(compare: Command) -> None:
    assert len(rows(compare("--show", "coverage").stdout)) == 16
    assert json.loads(compare("-m", "AP", "--format", "json").stdout)["settings"]["depth"] is None
    assert json.loads(compare("-m", "AP", "--depth", 3, "--format", "json").stdout)["settings"]["depth"] == 3


def test_options_are_the_keywords(compare: Command) -> None:
    done = compare(
        *("-m", "AP RR", "--reference", "RR", "--test", "randomization", "--permutations", 99, "--alpha", 0.5),
        *("--fuzziness", 0.1, "--pairs", 7, "--seed", 3, "--ties", "docid", "--format", "json"),
    )
    document = json.loads(done.stdout)
    assert document["settings"] == {
        "depth": None,
        "test": "randomization",
        "alpha": 0.5,
        "permutations": 99,
        "splits": 9,
        "fuzziness": 0.1,
        "pairs": 7,
        "seed": 3,
    }
    assert document["reference"] == ["RR"]
    assert document["conventions"]["ties"] == "docid"


def test_a_figure_of_what_is_shown(compare: Command, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    for show, panels in (("summary", 2), ("tau", 1)):
        done = compare("-m", "AP RR", "--show", show, "--plot", tmp_path / "figure.json")
        assert done.exit_code == 0, done.output
        assert len(json.loads((tmp_path / "figure.json").read_text())["concat"]) == panels
    refused = compare("-m", "AP", "--plot", tmp_path / "figure.txt")
    assert (refused.exit_code, "figure.txt" in refused.stderr) == (2, True)


def test_one_run_is_refused(truerank: Command, files: Path) -> None:
    assert "give several" in truerank("meta", files / "qrels.txt", files / "good.run").stderr


def test_help_has_examples(truerank: Command) -> None:
    done = truerank("meta", "--help")
    assert "truerank meta qrels.txt *.run --show tau --plot tau.svg" in done.stdout
