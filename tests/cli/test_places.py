"""No output may be one of the inputs, whatever the command, the option, and the name that the file goes by."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from truerank.cli.command import QuestionCommand
from truerank.cli.main import COMMANDS, program
from truerank.questions.stop.thresholds import FixedRule

LINES = {
    "evaluate": ["qrels.txt", "good.run"],
    "compare": ["qrels.txt", "good.run", "tied.run"],
    "diff": ["qrels.txt", "good.run", "tied.run"],
    "explain": ["qrels.txt", "good.run", "--topic", "q1"],
    "curves": ["qrels.txt", "good.run"],
    "why": ["qrels.txt", "good.run", "--value", "0.5", "-m", "AP"],
    "lint": ["qrels.txt", "good.run"],
    "depth": ["qrels.txt", "good.run", "tied.run", "--grid"],
    "ties": ["qrels.txt", "good.run"],
    "unjudged": ["qrels.txt", "good.run"],
    "pool": ["qrels.txt", "good.run", "--depth", "1"],
    "nil": ["qrels.txt", "good.run"],
    "truncate": ["qrels.txt", "good.run", "--against", "AP", "--also", "qrels.txt", "*.run"],
    "stop compare": ["qrels.txt", "good.run", "--rule", "rule.json"],
    "stop fit": ["qrels.txt", "good.run", "-m", "F"],
    "stop apply": ["rule.json", "good.run"],
    "calibrate": ["--qrels", "qrels.txt", "--run", "good.run", "-m", "RBPU"],
    "agreement": ["good.run", "tied.run"],
    "preferences": ["prefs.txt", "good.run", "--qrels", "qrels.txt"],
    "choose": ["qrels.txt", "good.run"],
    "meta": ["qrels.txt", "good.run", "tied.run"],
    "judges": ["qrels.txt", "prefs.txt", "--runs", "good.run", "-m", "P@2"],
    "audit": ["qrels.txt", "good.run", "tied.run", "-m", "P@2", "--people", "qrels.txt"],
    "design": ["qrels.txt", "good.run", "tied.run", "--difference", "0.1"],
    "report": ["qrels.txt", "good.run", "tied.run"],
    "negatives": ["qrels.txt", "good.run", "--negatives", "1"],
    "reproduce": ["lu", "qrels.txt", "good.run", "tied.run", "--exhibit", "Figure 1"],
}
"""A command line of everything that reads files."""
WITHOUT_FILES = {"properties", "measures", "demo", "trec_eval", "simulate", "help"}
"""Those that read none, or write none: trec_eval has no output but standard output."""


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(program)
    for name in COMMANDS:
        found = program.get_command(context, name)
        if isinstance(found, click.Group):
            yield from ((f"{name} {inner}", one) for inner, one in found.commands.items())
        elif found is not None:
            yield name, found


def outputs(command: click.Command) -> list[str]:
    """The options of a command that name a file to write."""
    return [max(each.opts, key=len) for each in command.params if isinstance(each.type, click.Path)]


CASES = [
    (name, option, source)
    for name, command in commands()
    if name not in WITHOUT_FILES
    for option in outputs(command)
    for source in LINES[name]
    if source.endswith((".txt", ".run", ".json")) and "*" not in source
]


def test_every_command_is_in_the_table() -> None:
    assert {name for name, _ in commands()} == {*LINES, *WITHOUT_FILES}
    found = {option for _, command in commands() if isinstance(command, QuestionCommand) for option in outputs(command)}
    figures, texts = (
        "--plot --plot-bias",
        "--out --summary --save --restrict --to-judge --page",
    )
    assert found == {*f"{figures} {texts} --to-qrels --to-preferences".split()}


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(files)
    FixedRule(k=1).save(files / "rule.json")
    (files / "prefs.txt").write_text("q1 c a\nq2 d a\n")
    (files / "reading.txt").write_text("q1 good 2 u1\nq2 good 1 u2\n")
    (files / "letor.txt").write_text("1 qid:1 1:2\n0 qid:1 2:1\n")
    return files


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def refused(done: Any, folder: Path, before: dict[str, bytes]) -> None:
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert contents(folder) == before


@pytest.mark.parametrize(("name", "option", "source"), CASES)
def test_no_output_is_an_input(truerank: Any, folder: Path, name: str, option: str, source: str) -> None:
    ending = ".svg" if option in ("--plot", "--plot-bias") else ".tsv"
    # The ending is one that the option takes, so that nothing else is wrong.
    read = source.replace(source[source.rindex(".") :], ending)
    (folder / source).rename(folder / read)
    words = [read if word == source else word for word in LINES[name]]
    before = contents(folder)
    done = truerank(*name.split(), *words, option, read)
    refused(done, folder, before)
    assert f"'{option}': {read} is the input {read}, which would be lost; name another file" in done.stderr


@pytest.mark.parametrize("link", ["symlink", "hard link", "path", "folder"])
def test_by_whatever_name(truerank: Any, folder: Path, link: str) -> None:
    (folder / "good.run").rename(folder / "good.tsv")
    other = folder / "other.tsv"
    if link == "symlink":
        other.symlink_to("good.tsv")
    elif link == "hard link":
        other.hardlink_to("good.tsv")
    elif link == "path":
        other = Path(os.path.join(folder, "..", folder.name, "good.tsv"))
    else:
        (folder / "linked").symlink_to(folder, target_is_directory=True)
        other = folder / "linked" / "good.tsv"
    before = contents(folder)
    refused(truerank("evaluate", "qrels.txt", "good.tsv", "--out", other), folder, before)
    refused(truerank("evaluate", "qrels.txt", other, "--out", "good.tsv"), folder, before)


def test_copies_that_are_inputs_or_lead_to_one(truerank: Any, folder: Path) -> None:
    (folder / "good.fixed.run").write_text("q1 Q0 c 1 3 t\n")
    before = contents(folder)
    refused(truerank("lint", "qrels.txt", "good.run", "good.fixed.run", "--fix", "--force"), folder, before)
    (folder / "tied.fixed.run").symlink_to("tied.run")
    before = contents(folder)
    refused(truerank("lint", "tied.run", "--fix", "--force"), folder, before)


def test_runs_that_a_pattern_finds_are_inputs(truerank: Any, folder: Path) -> None:
    (folder / "inside").mkdir()
    (folder / "inside" / "one.tsv").write_text("q1 Q0 a 1 3 t\n")
    before = contents(folder / "inside")
    for runs in ("inside", "inside/*.tsv"):
        words = ["qrels.txt", "good.run", "--against", "AP", "--also", "qrels.txt", runs]
        refused(truerank("truncate", *words, "--out", "inside/one.tsv"), folder / "inside", before)


@pytest.mark.parametrize(
    "words",
    [
        ["compare", "qrels.txt", "good.run", "tied.run", "--out", "new.html", "--plot", "new.html"],
        ["compare", "qrels.txt", "good.run", "tied.run", "--plot", "new.svg", "--plot", "./new.svg"],
        ["compare", "qrels.txt", "good.run", "tied.run", "--out", "new.md", "--summary", "./new.md"],
        ["pool", "qrels.txt", "good.run", "--depth", "1", "--restrict", "-", "--to-judge", "-"],
        ["preferences", "prefs.txt", "--to-qrels", "x", "--to-preferences", "x"],
    ],
)
def test_two_outputs_do_not_share_a_place(truerank: Any, folder: Path, words: list[str]) -> None:
    before = contents(folder)
    done = truerank(*words)
    refused(done, folder, before)
    assert " goes, too; name another file" in done.stderr


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    line = line.replace("truerank", f"{sys.executable} -m truerank")
    return subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True)


def test_streams_are_files_too(folder: Path) -> None:
    (folder / "good.run").rename(folder / "good.tsv")
    before = contents(folder)
    done = shell("truerank evaluate qrels.txt - --out good.tsv < good.tsv", folder)
    assert (done.returncode, contents(folder)) == (2, before)
    assert "good.tsv is the input standard input" in done.stderr
    done = shell("truerank evaluate qrels.txt good.tsv >> good.tsv", folder)
    assert (done.returncode, contents(folder)) == (2, before)
    assert "standard output goes to the input good.tsv" in done.stderr


def test_devices_are_no_inputs_that_get_lost(truerank: Any, folder: Path) -> None:
    done = truerank("evaluate", "qrels.txt", "good.run", "--out", os.devnull)
    assert done.exit_code == 0, done.stderr


@pytest.mark.parametrize(("name", "ok"), [("x.xyz", False), ("x.txt", False), ("x", True), ("x.TSV", True)])
def test_an_ending_that_stands_for_no_format_is_refused(truerank: Any, folder: Path, name: str, ok: bool) -> None:
    done = truerank("evaluate", "qrels.txt", "good.run", "--out", name)
    assert (done.exit_code == 0, (folder / name).exists()) == (ok, ok)
    if not ok:
        assert "stands for no format; end x" in done.stderr
        assert ".tsv, .csv, .json, .md, .tex, .html, or give --format" in done.stderr
    assert truerank("evaluate", "qrels.txt", "good.run", "--out", name, "--format", "csv").exit_code == 0


@pytest.mark.parametrize(
    ("words", "begins"),
    [
        (["evaluate", "qrels.txt", "good.run", "--out", "-"], "run\tnDCG@10"),
        (["compare", "qrels.txt", "good.run", "tied.run", "--summary", "-"], "### Comparison"),
        (["stop", "apply", "rule.json", "good.run", "--out", "-"], "q1 Q0 c"),
        (["stop", "fit", "qrels.txt", "good.run", "-m", "F", "--save", "-"], "{"),
        (["pool", "qrels.txt", "good.run", "--depth", "1", "--restrict", "-", "--all-runs"], "q1 0 "),
        (["pool", "qrels.txt", "good.run", "--depth", "1", "--to-judge", "-"], ""),
        (["preferences", "prefs.txt", "--to-qrels", "-"], "q1 0 "),
    ],
)
def test_a_hyphen_is_standard_output(truerank: Any, folder: Path, words: list[str], begins: str) -> None:
    before = contents(folder)
    done = truerank(*words)
    assert done.exit_code == 0, done.stderr
    assert done.stdout.startswith(begins)
    assert contents(folder) == before
