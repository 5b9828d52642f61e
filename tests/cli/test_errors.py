from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

PROGRAM = [sys.executable, "-m", "truerank"]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["evaluate", "none.txt", "good.run"], "truerank: none.txt: there is no such file"),
        (["evaluate", ".", "good.run"], "truerank: ./bad.run:1: 6 columns where qrels have 4"),
        (["evaluate", "qrels.txt"], "truerank: missing argument 'RUN...'; see: truerank evaluate --help"),
        (["evaluate", "qrels.txt", "bad.run"], "truerank: bad.run:2: "),
        (
            ["evaluate", "qrels.txt", "good.run", "-m", "nDGC"],
            "truerank: there is no measure 'nDGC'; did you mean",
        ),
        (["evaluate", "qrels.txt", "good.run", "-m", "RBP(p=2)"], "truerank: 'RBP(p=2)': p is a number from 0 to less"),
        (
            ["evaluate", "qrels.txt", "good.run", "--ties", "coin"],
            "truerank: invalid value for '--ties': 'coin' is not",
        ),
        (
            ["evaluate", "qrels.txt", "good.run", "--like", "x"],
            "truerank: invalid value for '--like': 'x' is not one of",
        ),
        (["evaluate", "qrels.txt", "good.run", "--tie", "best"], "truerank: no such option"),
        (["evaluate", "qrels.txt", "good.run", "--out", "."], "truerank: invalid value for '--out': . is a directory"),
        (
            ["evaluate", "qrels.txt", "good.run", "--out", "no/x"],
            "truerank: invalid value for '--out': there is no folder no; make it first",
        ),
        (
            ["evaluate", "qrels.txt", "good.run", "--out", "dangling"],
            "truerank: invalid value for '--out': dangling is a link to /no/such/file, and there is no such folder",
        ),
        (["evaluat"], "truerank: no such command 'evaluat', did you mean evaluate?; see: truerank --help"),
        (["measures", "Nothing"], "truerank: there is no measure 'Nothing'"),
        (["simulate"], "truerank: missing option '--out'; see: truerank simulate --help"),
        (["simulate", "--out", "d", "--systems", "0"], "truerank: --systems 0: give a whole number from 1 to 100000"),
    ],
)
def test_errors_are_one_line_and_exit_2(
    truerank: Any, files: Path, monkeypatch: pytest.MonkeyPatch, args: list[str], said: str
) -> None:
    monkeypatch.chdir(files)
    (files / "bad.run").write_text("q1 Q0 a 1 3 t\nq1 Q0 b 2\n")
    (files / "dangling").symlink_to("/no/such/file")
    done = truerank(*args)
    assert done.exit_code == 2
    assert done.stdout == ""
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("fault", [RuntimeError("two\nlines"), MemoryError()])
def test_a_fault_of_ours_is_one_line_too(truerank: Any, monkeypatch: pytest.MonkeyPatch, fault: Exception) -> None:
    def fail(*_: object) -> None:
        raise fault

    monkeypatch.setattr("truerank.measures.catalogue.measures", fail)
    done = truerank("measures")
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert "Traceback" in truerank("measures", "--debug").stderr
    assert "Traceback" in truerank("--debug", "measures").stderr


def test_debug_shows_where_an_error_came_from(truerank: Any) -> None:
    done = truerank("evaluate", "none.txt", "none.run", "--debug")
    assert done.exit_code == 2
    assert "Traceback" in done.stderr
    assert done.stderr.splitlines()[-1].startswith("truerank: none.txt: ")


def test_without_a_command_there_is_help(truerank: Any) -> None:
    assert truerank().stdout == truerank("--help").stdout
    assert truerank().exit_code == 0


def test_version(truerank: Any) -> None:
    from truerank import __version__

    assert truerank("--version").stdout == f"truerank {__version__}\n"


def test_every_command_has_help_with_an_example(truerank: Any) -> None:
    from truerank.cli.main import COMMANDS

    for command in COMMANDS:
        assert f"Example:\n    truerank {command}" in truerank(command, "--help").stdout


@pytest.mark.skipif(os.name == "nt", reason="pipes break otherwise there")
def test_a_reader_that_goes_away_is_no_error(files: Path) -> None:
    long = "q" * 500  # More than any pipe holds.
    answered = (files / "good.run").read_text().split()[0]
    topics = [answered, *(f"{long}{n}" for n in range(20_000))]
    (files / "qrels.txt").write_text("".join(f"{topic} 0 d 1\n" for topic in topics))
    args = ["evaluate", "qrels.txt", "good.run", "-m", "AP", "--per-topic"]
    process = subprocess.Popen([*PROGRAM, *args], cwd=files, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline() == b"run\ttopic\tAP\n"
    process.stdout.close()
    errors = process.stderr.read().decode()
    process.stderr.close()
    assert process.wait() == 141
    assert errors == ""


def test_an_interrupt_exits_130_without_a_word(truerank: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("truerank.measures.catalogue.measures", stopped)
    done = truerank("measures")
    assert (done.exit_code, done.output) == (130, "")


def test_names_that_are_not_utf8_pass_through(files: Path) -> None:
    (files / "qrels.txt").write_bytes(b"q\xff 0 a 1\n")
    (files / "x.run").write_bytes(b"q\xff Q0 a 1 1 t\n")
    args = [*PROGRAM, "evaluate", "qrels.txt", "x.run", "-m", "AP", "--per-topic"]
    done = subprocess.run(args, cwd=files, capture_output=True, env={**os.environ, "PYTHONUTF8": "1"}, check=True)
    assert done.stdout == b"run\ttopic\tAP\nx\tq\xff\t1.0\nx\tall\t1.0\n"
