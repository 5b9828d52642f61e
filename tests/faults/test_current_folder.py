"""Modules in the current folder, from anybody: no program that is started here imports them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import truerank as tr

NAMES = {*sys.stdlib_module_names, "numpy", "scipy", "pyarrow", "click", "rich", "truerank", "pyspark"}
NAMES |= {"sitecustomize", "usercustomize"}
PLANTED = "import sys\nwith open({!r}, 'a') as file:\n    file.write(__name__ + ' ')\n"
QRELS, RUNS = {"q1": {"a": 1}}, {"x": {"q1": ["a", "b"]}, "y": {"q1": ["b", "a"]}}
ASKS = f"""
import sys
import truerank as tr
found = tr.evaluate({QRELS}, {RUNS}, "AP", engine=tr.Engine(**eval(sys.argv[1])))
print(found.means())
"""


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is written when one of them is imported; they are in the current folder."""
    folder = tmp_path / "submitted"
    folder.mkdir()
    for name in NAMES:
        (folder / f"{name}.py").write_text(PLANTED.format(str(tmp_path / "imported")))
    (folder / "qrels").write_text("q1 0 a 1\n")
    for run in RUNS:
        (folder / f"{run}.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\n")
    monkeypatch.chdir(folder)
    return tmp_path / "imported"


def run(tmp_path: Path, code: str, *words: str) -> str:
    """What a script prints that is in another folder."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "script").write_text(code)
    done = subprocess.run([sys.executable, tmp_path / "bin" / "script", *words], capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def test_the_installed_program_and_its_workers(mark: Path, tmp_path: Path) -> None:
    # As an installer writes it.
    script = "from truerank.__main__ import main\nmain()\n"
    found = run(tmp_path, script, "evaluate", "qrels", "x.run", "y.run", "-m", "AP", "--workers", "2")
    assert found == "run\tAP\nx\t1.0\ny\t1.0\n"
    assert not mark.exists(), mark.read_text()


def test_workers_of_a_script(mark: Path, tmp_path: Path) -> None:
    assert run(tmp_path, ASKS, "{'workers': 2}") == "{'x': {'AP': 1.0}, 'y': {'AP': 0.5}}\n"
    assert not mark.exists(), mark.read_text()


def test_workers_where_the_caller_imports_from_the_current_folder(mark: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a notebook and a prompt do: that is the caller's choice, and no reason for others to do so."""
    engine, plain = tr.Engine(workers=2), tr.Engine("here")
    # What this process needs is imported before.
    expected = tr.evaluate(QRELS, RUNS, "AP", engine=plain).means()
    tr.evaluate(QRELS, RUNS, "AP", engine=tr.Engine(workers=2))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    assert tr.evaluate(QRELS, RUNS, "AP", engine=engine).means() == expected
    assert not mark.exists(), mark.read_text()


@pytest.mark.skipif(sys.version_info < (3, 11), reason="Python 3.10 has no way to tell Spark's workers")
@pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java")
def test_workers_of_spark(mark: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyspark")
    assert run(tmp_path, ASKS, "{'engine': 'local[1]'}") == "{'x': {'AP': 1.0}, 'y': {'AP': 0.5}}\n"
    assert not mark.exists(), mark.read_text()


def test_a_module_beside_the_script_is_known_to_workers(mark: Path, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "mine.py").write_text("def first(ranking): return float(ranking.grades[0])\n")
    (tmp_path / "bin" / "script.py").write_text(
        "import mine, truerank as tr\n"
        "own = tr.measure(mine.first, name='First')\n"
        f"print(tr.evaluate({QRELS}, {RUNS}, own, engine=tr.Engine(workers=2)).means())\n"
    )
    words = [sys.executable, os.path.join("..", "bin", "script.py")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("{'x': {'First': 1.0}, 'y': {'First': 0.0}}\n", "")
    assert not mark.exists(), mark.read_text()
