"""What a short command does not wait for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {"numpy", "numpy.ma", "rich", "scipy", "pandas", "polars"}
PROBE = """
import sys
from truerank.cli.main import program
try:
    program.main({args!r}, prog_name="truerank")
finally:
    print(*sorted({slow!r} & set(sys.modules)), file=sys.stderr)
"""


def loaded(*args: str) -> set[str]:
    """The slow libraries that a command loads, in an interpreter of its own and without a terminal."""
    code = PROBE.format(args=list(args), slow=SLOW)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize("args", [["--help"], ["--version"], [], ["evaluate", "--help"], ["simulate", "--help"]])
def test_help_needs_no_numpy(args: list[str]) -> None:
    assert loaded(*args) == set()


def test_evaluation_in_a_pipe_needs_numpy_only(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 t\n")
    assert loaded("evaluate", str(tmp_path / "qrels"), str(tmp_path / "run")) == {"numpy"}


@pytest.mark.parametrize("module", ["truerank", "truerank.io", "truerank.io.writing", "truerank.io.headers"])
def test_what_needs_no_numpy_loads_none(module: str) -> None:
    code = f"import sys, {module}; print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


UNUSED = (
    *("truerank.io.frames", "truerank.io.groups", "truerank.pooling.survey", "truerank.report.several"),
    *("truerank.track.outcomes", "truerank.expectation.variance", "shutil", "pathlib", "json"),
)


def test_evaluation_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("q1 0 a 1\n")
    (tmp_path / "run").write_text("q1 Q0 a 1 2.0 t\n")
    code = PROBE.format(args=["evaluate", str(tmp_path / "qrels"), str(tmp_path / "run")], slow={*UNUSED})
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.splitlines()[-1] == ""


@pytest.mark.parametrize(
    ("said", "threads"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3"), ({"OMP_NUM_THREADS": "2"}, None)]
)
def test_the_program_alone_starts_no_threads_of_numpy(said: dict[str, str], threads: str | None) -> None:
    code = """
import os, sys, truerank.__main__ as program
sys.argv[1:] = ["--version"]
try:
    program.main()
finally:
    print(os.environ.get("OPENBLAS_NUM_THREADS"))
"""
    known = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
    environ = {name: value for name, value in os.environ.items() if name not in known} | said
    for program, found in ((code, threads), (code.replace("program.main()", "pass"), said.get(known[0]))):
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environ)
        assert done.stdout.splitlines()[-1] == str(found)
