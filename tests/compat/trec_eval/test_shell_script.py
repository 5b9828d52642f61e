"""A shell script around trec_eval works after one changed line."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.parity.shared import need

SCRIPT = """
TREC_EVAL="{trec_eval}"
set -e
$TREC_EVAL -q -m map -m P.5,10 -m ndcg_cut.10 "$1" "$2" > all.txt
awk '$2 != "all" && $1 == "map" && $3 < 0.1 {{ print "hard topic", $2, $3 }}' all.txt
grep -w all all.txt | sort | tr -s ' \\t' ' '
$TREC_EVAL -n "$1" nowhere.run 2> /dev/null || echo "no such run: $?"
"""


def printed(trec_eval: str, folder: Path, *files: Path) -> str:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["sh", "-c", SCRIPT.format(trec_eval=trec_eval), "sh", *map(str, files)]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def files() -> tuple[Path, Path]:
    return need("trec_eval", "qrels.test"), need("trec_eval", "results.test")


def test_the_script_prints_what_trec_eval_publishes(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Its expected output of all measures has the lines that the script picks."""
    expected = [line.split() for line in need("trec_eval", "out.test.aq").read_text().splitlines()]
    wanted = ("map", "P_5", "P_10", "ndcg_cut_10")
    hard = [f"hard topic {q} {v}" for name, q, v in expected if name == "map" and q != "all" and float(v) < 0.1]
    summary = sorted(f"{name} {q} {v}" for name, q, v in expected if q == "all" and name in wanted)
    found = printed("truerank trec_eval", tmp_path, *files).splitlines()
    assert hard
    assert found[: len(hard)] == hard
    assert sorted(found[len(hard) : -1]) == summary
    assert found[-1] == "no such run: 2"


@pytest.mark.skipif(shutil.which("trec_eval") is None, reason="trec_eval is not installed")
def test_the_script_prints_the_same(files: tuple[Path, Path], tmp_path: Path) -> None:
    version = subprocess.run(["trec_eval", "-v"], capture_output=True, text=True)
    which = "9" if "version 9" in version.stdout + version.stderr else "10"
    ours = printed(f"truerank trec_eval --version {which}", tmp_path, *files)
    assert ours == printed("trec_eval", tmp_path, *files)
