"""What a short command does not wait for."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SLOW = {"numpy", "rich", "scipy", "pandas", "polars"}
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
