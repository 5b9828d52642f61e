"""truerank compare, and its gates as exit codes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.questions.compare.tracks import judged, run

from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.tests import TESTS

pytest.importorskip("scipy")

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "docs" / "how-to" / "gate.md", ROOT / "README.md"]
BASE = [1, 2, 1, 3, 1, 4, 2, 1, 5, 1, 2, 1]
NEW = {"near": [1, 2, 1, 3, 1, 5, 2, 1, 4, 1, 2, 1], "worse": [2, 2, 2, 3, 2, 4, 4, 2, 5, 2, 2, 1]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Judgments, a baseline and two runs."""
    judgments = judged(len(BASE))
    lines = [f"{topic} 0 {doc} {grade}\n" for topic, docs in judgments.items() for doc, grade in docs.items()]
    (tmp_path / "qrels.txt").write_text("".join(lines))
    for name, ranks in {"base": BASE, **NEW}.items():
        rows = [
            f"{topic} Q0 {doc} {at} {100 - at} {name}\n"
            for topic, docs in run(ranks).items()
            for at, doc in enumerate(docs, 1)
        ]
        (tmp_path / f"{name}.run").write_text("".join(rows))
    return tmp_path


def arguments(folder: Path, *names: str) -> list[object]:
    return ["compare", folder / "qrels.txt", *(folder / f"{name}.run" for name in names)]


def test_a_row_a_run_and_measure(truerank: Any, folder: Path) -> None:
    done = truerank(*arguments(folder, "base", "near", "worse"), "-m", "RR P@1")
    assert done.exit_code == 0
    head, *rows = (line.split("\t") for line in done.stdout.splitlines())
    assert head[:4] == ["measure", "run", "mean", "std_error"]
    assert [row[:2] for row in rows] == [
        [measure, name] for measure in ("RR", "P@1") for name in ("base", "near", "worse")
    ]
    assert "note: RR: the best, base, is significantly better than" in done.stderr
    assert "paired t-test, Holm over 3 pairs of 3 systems" in done.stderr


def test_pairs_and_topics(truerank: Any, folder: Path) -> None:
    given = [*arguments(folder, "base", "near", "worse"), "-m", "RR", "--baseline", folder / "base.run"]
    head, *rows = (line.split("\t") for line in truerank(*given, "--show", "pairs").stdout.splitlines())
    assert head[:5] == ["measure", "run", "compared_with", "verdict", "difference"]
    assert [row[1:4] for row in rows] == [["near", "base", "not significant"], ["worse", "base", "worse"]]
    assert float(rows[1][4]) < 0
    assert {"p", "p_corrected", "d_z", "wins", "needed_topics", "settled", "depends_on"} <= {*head}
    head, *rows = (line.split("\t") for line in truerank(*given, "--show", "topics").stdout.splitlines())
    assert head == ["measure", "run", "compared_with", "topic", "score", "compared_score", "difference"]
    assert rows[1] == ["RR", "worse", "base", "t00", "0.5", "1.0", "-0.5"]
    pair = json.loads(truerank(*given, "--format", "json").stdout)["pairs"][1]
    assert (pair["run"], pair["compared_with"], pair["verdict"]) == ("worse", "base", "worse")


def test_a_baseline_by_name_or_as_a_file_of_its_own(truerank: Any, folder: Path) -> None:
    by_name = truerank(*arguments(folder, "base", "near"), "-m", "RR", "--baseline", "base", "--show", "pairs")
    by_file = truerank(*arguments(folder, "near"), "-m", "RR", "--baseline", folder / "base.run", "--show", "pairs")
    assert by_name.exit_code == by_file.exit_code == 0
    assert by_name.stdout == by_file.stdout
    merged = truerank(*arguments(folder, "near"), "--baseline", folder / "base.run", "--chunks", "#", "-m", "RR")
    assert merged.exit_code == 0
    missing = truerank(*arguments(folder, "near", "worse"), "--baseline", "nothing")
    assert missing.exit_code == 2
    assert missing.stderr == "truerank: there is no run 'nothing' to be the baseline; there are near, worse\n"


@pytest.mark.parametrize(
    ("new", "gate", "code", "outcome"),
    [
        ("near", "no worse than 0.05 at 0.05", 0, "PASSED"),
        ("near", "no worse than 0.000001 at 0.05", 1, "UNDECIDED"),
        ("worse", "no worse than 0.05 at 0.05", 1, "FAILED"),
        ("worse", "not significantly worse at 0.05", 1, "FAILED"),
        ("near", "not significantly worse at 0.05", 0, "PASSED"),
        ("near", "equivalent within 10%", 0, "PASSED"),
        ("near", "better", 1, "UNDECIDED"),
        ("near", "much better", 2, "truerank"),
        ("near", "AP: better", 2, "truerank"),
    ],
)
def test_gates_are_exit_codes(truerank: Any, folder: Path, new: str, gate: str, code: int, outcome: str) -> None:
    done = truerank(*arguments(folder, "base", new), "-m", "RR", "--gate", gate)
    assert done.exit_code == code
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"{outcome}: ")
    if code < 2:
        head, row = (line.split("\t") for line in done.stdout.splitlines())
        found = dict(zip(head, row, strict=True))
        assert (found["outcome"], found["passed"]) == (outcome, "no" if code else "yes")
        assert (found["gate"], found["baseline"], found["run"]) == (gate, "base", new)


def test_the_outcome_of_a_gate_is_said_once(truerank: Any, folder: Path) -> None:
    given = [*arguments(folder, "base", "worse"), "-m", "RR", "--gate", "no worse than 0.05"]
    for form in ("table", "markdown"):
        done = truerank(*given, "--format", form)
        assert (done.stdout.count("FAILED: "), done.stderr.count("FAILED")) == (1, 0)
    done = truerank(*given, "--format", "table")
    assert done.stdout.startswith("FAILED: ")
    assert "topics got worse, most of all " in done.stdout
    other = truerank(*given, "--format", "table", "--show", "pairs")
    assert (other.stdout.count("FAILED"), other.stderr.count("FAILED: ")) == (0, 1)
    assert truerank(*given, "--out", str(folder / "gate.md")).stderr.count("FAILED: ") == 1


@pytest.mark.parametrize(("gate", "needed"), [("no worse than 0.01", r"\d+"), ("better", "")])
def test_counts_are_whole_and_what_does_not_apply_is_empty(truerank: Any, folder: Path, gate: str, needed: str) -> None:
    done = truerank(*arguments(folder, "base", "near"), "-m", "RR", "--gate", gate)
    head, row = (line.split("\t") for line in done.stdout.splitlines())
    found = dict(zip(head, row, strict=True))
    assert re.fullmatch(needed, found["needed_topics"])
    assert found["topics"] == "12"
    assert "nan" not in row


def test_several_gates_all_have_to_be_passed(truerank: Any, folder: Path) -> None:
    given = [*arguments(folder, "base", "near"), "-m", "RR P@1", "--gate", "no worse than 0.1"]
    assert truerank(*given, "--gate", "RR: not significantly worse").exit_code == 0
    both = truerank(*given, "--gate", "RR: better")
    assert both.exit_code == 1
    assert [line.split(":")[0] for line in both.stderr.splitlines()[-3:]] == ["PASSED", "PASSED", "UNDECIDED"]


def test_a_gate_in_json(truerank: Any, folder: Path) -> None:
    given = [*arguments(folder, "base", "worse"), "-m", "RR", "--gate", "no worse than 0.05"]
    done = truerank(*given, "--format", "json")
    assert done.exit_code == 1
    document = json.loads(done.stdout)
    assert (document["passed"], document["outcome"]) == (False, "FAILED")
    [gate] = document["gates"]
    assert gate["outcome"] == "FAILED"
    assert gate["sentence"].startswith('FAILED: "worse" loses more than 0.050 against "base": -0.229 RR (95% CI ')
    loss = {"topic": "t00", "compared_score": 1.0, "score": 0.5, "difference": -0.5}
    assert loss.items() <= gate["worse"][0].items()
    assert truerank(*given, "--format", "json").stdout == done.stdout


def test_the_summary_is_appended(truerank: Any, folder: Path) -> None:
    given = [*arguments(folder, "base", "worse"), "-m", "RR", "--gate", "no worse than 0.05", "--top", 2]
    target = folder / "summary.md"
    target.write_text("before\n")
    assert truerank(*given, "--summary", target).exit_code == 1
    once = target.read_text()
    assert once.startswith("before\n\n### Gate failed: base and worse by RR\n")
    assert "| t00 | 1.0000 | 0.5000 | -0.5000 |" in once
    truerank(*given, "--summary", target)
    assert target.read_text() == once + once.removeprefix("before\n")
    text = once.removeprefix("before\n\n")
    for before, between in (("", ""), ("\n", ""), ("before", "\n\n"), ("before\n\n", ""), ("x", "\n\n")):
        target.write_text(before)
        truerank(*given, "--summary", target)
        assert target.read_text() == before + between + text
    truerank(*given, "--summary", folder / "new.md")
    assert (folder / "new.md").read_text() == text
    printed = truerank(*given, "--format", "markdown")
    assert (printed.exit_code, printed.stdout) == (1, text)
    truerank(*given, "--out", folder / "comment.md")
    assert (folder / "comment.md").read_text() == printed.stdout
    assert truerank(*given, "--summary", "").exit_code == 1
    nowhere = truerank(*arguments(folder, "missing"), "--summary", folder / "no" / "where.md")
    assert nowhere.exit_code == 2
    assert "there is no folder" in nowhere.stderr, "before any file is read"


@pytest.mark.parametrize("form", ["table", "csv", "markdown", "latex", "html", "json"])
@pytest.mark.parametrize("show", ["systems", "pairs", "topics", "gates", "measures"])
def test_formats(truerank: Any, folder: Path, form: str, show: str) -> None:
    gate = ["--gate", "not significantly worse at 0.0001"] * (show == "gates")
    done = truerank(*arguments(folder, "base", "worse"), "-m", "RR", "--format", form, "--show", show, *gate)
    assert done.exit_code == 0
    assert done.stdout


def test_a_figure(truerank: Any, folder: Path) -> None:
    pytest.importorskip("vl_convert")
    target = folder / "compare.svg"
    assert truerank(*arguments(folder, "base", "worse"), "-m", "RR", "--plot", target).exit_code == 0
    assert target.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--test", "z"], "--test z is not known"),
        (["--correction", "z"], "--correction z is not known"),
        (["--alpha", "2"], "--alpha 2.0"),
        (["--margin", "-1"], "margin=-1.0"),
        (["--ties", "bounds"], "two numbers"),
        (["--plot", "a.doc"], "does not say what figure to write"),
        (["-m", "nDGC"], "nDGC"),
        (["--show", "gates"], "--show gates needs --gate"),
        (["-m", "OIE", "--gate", "no worse than 5%"], "OIE may be below 0"),
    ],
)
def test_errors(truerank: Any, folder: Path, given: list[str], said: str) -> None:
    done = truerank(*arguments(folder, "base", "near"), *given)
    assert done.exit_code == 2
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_help_names_every_test_correction_and_gate(truerank: Any) -> None:
    # Lines are broken at spaces and hyphens.
    text = "".join(truerank("compare", "--help-all").stdout.split())
    for name in (*TESTS, *CORRECTIONS, "no worse than D", "better [by D]", "equivalent within D", "not significantly"):
        assert "".join(name.split()) in text


def test_the_step_of_a_workflow_runs_as_it_stands(folder: Path) -> None:
    steps = [re.findall(r"^```yaml\n(.*?)^```$", page.read_text(), re.DOTALL | re.MULTILINE) for page in PAGES]
    command, *others = re.findall(r"run: \|\n((?: {4,}.*\n)+)", "".join(step for page in steps for step in page))
    assert {*others} <= {command}
    (folder / "truerank").write_text(f'#!/bin/sh\nexec {sys.executable} -m truerank "$@"\n')
    (folder / "truerank").chmod(0o755)
    summary = folder / "step_summary.md"
    for new, code in (("worse", 1), ("near", 0)):
        (folder / "new.run").write_text((folder / f"{new}.run").read_text())
        environment = {"PATH": f"{folder}:/usr/bin:/bin", "GITHUB_STEP_SUMMARY": str(summary)}
        # As the runner of the workflow does.
        done = subprocess.run(
            ["bash", "-e", "-c", command], cwd=folder, env=environment, capture_output=True, text=True
        )
        assert done.returncode == code, done.stderr
        assert summary.read_text().startswith("### Gate failed: base and new by nDCG@10")
    assert "### Gate passed: base and new by nDCG@10" in summary.read_text()
