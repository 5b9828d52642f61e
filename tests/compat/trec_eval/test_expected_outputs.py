"""trec_eval's own expected outputs and its output for TREC-8, byte for byte; also in a shell script around it."""

from __future__ import annotations

import gzip
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.parity.shared import DATA, need

from truerank.compat.trec_eval.program import Outcome, trec_eval

PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 -m Rprec_mult.5.0,0.2,0.35 "
    "-mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20 "
)
COMMANDS = [
    ("out.test", "qrels.test results.test"),
    ("out.test", "qrels.test.with-comments results.test"),
    ("out.comment.test", "qrels.comment.test results.comment.test"),
    ("out.test.a", "-m all_trec qrels.test results.test"),
    ("out.test.aq", "-m all_trec -q qrels.test results.test"),
    ("out.test.aqc", "-m all_trec -q -c qrels.test results.trunc"),
    ("out.test.aqcM", "-m all_trec -q -c -M100 qrels.test results.trunc"),
    ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.test prefs.results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test"),
    ("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs qrels.test results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.123 results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test"),
    ("out.test.meas_params", PARAMETERS + "qrels.test results.test"),
    ("out.test.aqZ", "-q -m all_trec -Z zscores_file qrels.test results.test"),
]
SCRIPT = """
TREC_EVAL="{trec_eval}"
set -e
$TREC_EVAL -q -m map -m P.5,10 -m ndcg_cut.10 "$1" "$2" > all.txt
awk '$2 != "all" && $1 == "map" && $3 < 0.1 {{ print "hard topic", $2, $3 }}' all.txt
grep -w all all.txt | sort | tr -s ' \\t' ' '
$TREC_EVAL -n "$1" nowhere.run 2> /dev/null || echo "no such run: $?"
"""
"""A script around trec_eval, which works after its first line is changed."""
RUNS = sorted(path.name for path in (DATA / "trec8" / "runs").glob("*.gz"))


@pytest.mark.parametrize(("expected", "command"), COMMANDS)
def test_expected_output(expected: str, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = need("trec_eval")
    monkeypatch.chdir(folder)
    assert trec_eval(shlex.split(command)) == Outcome((folder / expected).read_text())


@pytest.mark.parametrize("part", range(8))
def test_every_byte_of_trec8(part: int) -> None:
    qrels = str(need("trec8", "qrels.gz"))
    for name in RUNS[part::8]:
        expected = gzip.decompress(need("trec8", "trec_eval10", name).read_bytes()).decode()
        got = trec_eval(["-q", "-c", "-m", "all_trec", qrels, str(need("trec8", "runs", name))])
        assert got == Outcome(expected), name


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
