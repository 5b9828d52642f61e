"""A minute of fuzzing with fixed seeds, and the harness itself: that it finds, shrinks and repeats."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="timers and limits of a process are those of POSIX")


def fuzz(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "fuzz", *map(str, args)], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_nothing_is_found(tmp_path: Path) -> None:
    """Inputs that are the same every time, among them all that were kept."""
    done = fuzz("--inputs", 2000, "--seed", 1, "--jobs", 1, "--quick", "--findings", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "inputs tried" in done.stdout


def test_time_and_memory_grow_as_inputs_do(tmp_path: Path) -> None:
    done = fuzz("--inputs", 0, "--only", "growth", "--jobs", 1, "--findings", tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_same_seed_tries_the_same_inputs(tmp_path: Path) -> None:
    first, again = (
        fuzz(
            "--inputs", 300, "--only", "measures", "--seed", 7, "--jobs", 1, "--findings", tmp_path
        ).stdout.splitlines()
        for _ in range(2)
    )
    assert [line for line in first if "seconds" not in line] == [line for line in again if "seconds" not in line]


def test_a_finding_is_shrunk_and_can_be_repeated(tmp_path: Path) -> None:
    """A measure may not take longer than no time at all: everything is a finding."""
    done = fuzz("--inputs", 5, "--only", "measures", "--jobs", 1, "--cpu-seconds", 1e-5, "--findings", tmp_path)
    assert done.returncode == 1
    found = sorted(tmp_path.glob("*.json"))
    assert found
    assert json.loads(found[0].read_text())["target"] == "measures"
    assert fuzz("--replay", found[0], "--cpu-seconds", 1e-5).returncode == 1
    assert fuzz("--replay", found[0]).returncode == 0
