"""Folders and patterns as runs, a file that is given twice, and asking for help."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest

import truerank as tr


@pytest.fixture
def runs(files: Path) -> Path:
    folder = files / "runs"
    folder.mkdir()
    for name in ("good", "tied"):
        (files / f"{name}.run").rename(folder / f"{name}.run")
    (folder / ".hidden").write_text("no run")
    (folder / "more").mkdir()
    return folder


def names(text: str) -> list[str]:
    return [line.split("\t")[0] for line in text.splitlines()[1:]]


def test_a_folder_stands_for_its_files_and_a_pattern_for_those_it_matches(
    truerank: Any, files: Path, runs: Path
) -> None:
    def asked(given: object) -> list[str]:
        return names(truerank("evaluate", files / "qrels.txt", given, "-m", "AP", "--sort", "name").stdout)

    assert asked(runs) == ["good", "tied"]
    assert asked(f"{runs}/*d.run") == ["good", "tied"]
    assert asked(f"{runs}/t*") == ["tied"]
    assert list(tr.evaluate(files / "qrels.txt", runs, "AP")) == ["good", "tied"]


def test_a_file_may_have_the_name_of_a_pattern(truerank: Any, files: Path, runs: Path) -> None:
    (runs / "good.run").rename(runs / "[g]ood.run")
    done = truerank("evaluate", files / "qrels.txt", runs / "[g]ood.run", "-m", "AP")
    assert names(done.stdout) == ["[g]ood"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("runs/*.none", "runs/*.none: matches no file; give a folder or a pattern that has runs"),
        ("runs/more", "runs/more: has no file in it; give a folder or a pattern that has runs"),
    ],
)
def test_nothing_there(truerank: Any, files: Path, runs: Path, given: str, message: str) -> None:
    done = truerank("evaluate", files / "qrels.txt", files / given)
    assert message in done.stderr


def test_a_file_given_twice_is_refused(truerank: Any, files: Path, runs: Path) -> None:
    (files / "link.run").symlink_to(runs / "good.run")
    done = truerank("evaluate", files / "qrels.txt", runs, runs / "good.run")
    assert "good.run: this run is given twice; give each run once" in done.stderr
    done = truerank("evaluate", files / "qrels.txt", runs / "good.run", files / "link.run")
    assert f"link.run: this run is given twice, once as {runs / 'good.run'}; give each run once" in done.stderr


def test_one_run_is_no_folder(truerank: Any, files: Path, runs: Path) -> None:
    done = truerank("explain", files / "qrels.txt", runs, "--topic", "q1")
    assert "2 runs are given, and one list is explained at a time" in done.stderr


def test_an_output_is_none_of_the_files_of_a_folder(truerank: Any, files: Path, runs: Path) -> None:
    (runs / "good.run").rename(runs / "good.tsv")
    done = truerank("evaluate", files / "qrels.txt", runs, "--out", runs / "good.tsv")
    assert "is the input" in done.stderr


def test_runs_are_sorted_as_asked(truerank: Any, files: Path) -> None:
    given = ("evaluate", files / "qrels.txt", files / "tied.run", files / "good.run", "-m", "AP RR")
    assert names(truerank(*given, "--sort", "input").stdout) == ["tied", "good"]
    assert names(truerank(*given, "--sort", "name").stdout) == ["good", "tied"]
    means = tr.evaluate(files / "qrels.txt", [files / "tied.run", files / "good.run"], "AP RR").means()
    best = sorted(("tied", "good"), key=lambda run: -means[run]["AP"])
    assert names(truerank(*given).stdout) == names(truerank(*given, "--sort", "map").stdout) == best
    assert names(truerank(*given, "--top", "1").stdout) == best[:1]
    assert "runs cannot be sorted by 'P@5'" in truerank(*given, "--sort", "P@5").stderr


def test_digits(truerank: Any, files: Path) -> None:
    given = ("evaluate", files / "qrels.txt", files / "tied.run", "-m", "AP")
    mean = tr.evaluate(files / "qrels.txt", files / "tied.run", "AP")["tied"]["AP"].mean
    assert truerank(*given, "--digits", "3").stdout.splitlines()[1] == f"tied\t{mean:.3f}"
    assert f"{mean:.2f}\n" in truerank(*given, "--digits", "2", "--format", "table").stdout
    truerank(*given, "--out", files / "all.tsv")
    assert (files / "all.tsv").read_text().splitlines()[1] == f"tied\t{mean!r}"


def test_help(truerank: Any) -> None:
    told = truerank("compare", "--help").stdout
    assert truerank("compare", "-h").stdout == truerank("help", "compare").stdout == told
    assert truerank("help", "stop", "fit").stdout == truerank("stop", "fit", "--help").stdout
    assert truerank("help").stdout == truerank("--help").stdout
    assert "no such command 'comapre', did you mean compare?" in truerank("help", "comapre").stderr
    assert "has no commands of its own" in truerank("help", "compare", "x").stderr


@pytest.fixture
def beside(files: Path, runs: Path) -> Path:
    """Judgments, compressed, in the folder of the runs."""
    judgments = runs / "qrels.txt.gz"
    judgments.write_bytes(gzip.compress((files / "qrels.txt").read_bytes()))
    return judgments


@pytest.mark.parametrize("given", ["runs", "runs/*", "runs/[gqt]*"])
@pytest.mark.parametrize("called", ["runs/qrels.txt.gz", "link", "MED=link"])
def test_judgments_are_no_run_of_their_folder(
    truerank: Any, files: Path, beside: Path, given: str, called: str
) -> None:
    (files / "link").symlink_to(beside)
    judgments, equals, path = called.rpartition("=")
    done = truerank("evaluate", f"{judgments}{equals}{files / path}", files / given, "-m", "AP", "--sort", "name")
    assert names(done.stdout) == ["good", "tied"], done.stderr


@pytest.mark.parametrize("command", ["compare", "lint", "pool", "report", "reproduce lu", "ties", "judges"])
def test_no_question_takes_judgments_for_a_run(truerank: Any, runs: Path, beside: Path, command: str) -> None:
    more: dict[str, tuple[object, ...]] = {"judges": (f"again={beside}", "--runs", runs)}
    done = truerank(*command.split(), beside, *more.get(command, (runs,)), "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert "these look like qrels" not in done.stdout + done.stderr


def test_judgments_are_no_run_of_their_folder_in_python(files: Path, runs: Path, beside: Path) -> None:
    also = tr.evaluate(files / "qrels.txt", [runs / "good.run"], "AP", also=[(beside, str(runs))])
    assert [list(one) for one in also.collections.values()] == [["good"], ["good", "tied"]]
    assert list(tr.evaluate(beside, [runs], "AP", higher_is_better=True)) == ["good", "tied"]
    assert list(tr.lint(beside, str(runs)).inputs) == [str(beside), str(runs / "good.run"), str(runs / "tied.run")]
    judged = tr.judges([beside, f"again={files / 'qrels.txt'}"], "AP", runs=runs)
    assert {one.run for one in judged.board} == {"good", "tied"}


def test_judgments_that_are_named_as_a_run_are_refused(truerank: Any, runs: Path, beside: Path) -> None:
    done = truerank("evaluate", beside, beside)
    assert "these look like qrels: give a run here" in done.stderr
    done = truerank("evaluate", beside, f"{runs}/q*")
    assert "has no file in it but the judgments; give a folder or a pattern that has runs" in done.stderr
    other = runs / "other.qrels"
    other.write_bytes(gzip.decompress(beside.read_bytes()))
    done = truerank("evaluate", beside, runs)
    assert "other.qrels:1: 4 columns where a run has 6" in done.stderr
