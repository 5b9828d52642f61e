from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import truerank as tr


def test_a_simulated_track_can_be_evaluated(truerank: Any, tmp_path: Path) -> None:
    done = truerank("simulate", "--out", tmp_path / "track", "--systems", 3, "--topics", 4, "--depth", 50)
    paths = done.stdout.splitlines()
    assert [Path(path).name for path in paths] == ["qrels.txt", "bm25-01.run", "dense-01.run", "boolean-01.run"]
    means = truerank("evaluate", *paths, "-m", "nDCG@10", "--sort", "input", "--digits", 6).stdout.splitlines()
    track = tr.simulate(systems=3, topics=4, depth=50)
    expected = tr.evaluate(track.qrels, track.runs, "nDCG@10").means()
    assert means[1:] == [f"{run}\t{scores['nDCG@10']:.6f}" for run, scores in expected.items()]


def test_every_option_is_heard(truerank: Any, tmp_path: Path) -> None:
    chosen = {"systems": 2, "topics": 3, "seed": 4, "depth": 20, "pool_depth": 5, "grades": 1}
    chosen |= {"nil": 1, "nil_systems": 1}
    args = [word for name, value in chosen.items() for word in (f"--{name.replace('_', '-')}", value)]
    paths = truerank("simulate", "--out", tmp_path / "one", *args).stdout.splitlines()
    expected = tr.simulate(**chosen).write(tmp_path / "two")
    assert [Path(path).read_bytes() for path in paths] == [path.read_bytes() for path in expected]


def test_a_folder_with_files_is_refused_unless_forced(truerank: Any, tmp_path: Path) -> None:
    small = ["simulate", "--systems", 1, "--topics", 1, "--depth", 5, "--out", tmp_path]
    (tmp_path / ".hidden").touch()
    assert truerank(*small).exit_code == 0
    mine = tmp_path / "qrels.txt"
    mine.write_text("mine")
    done = truerank(*small)
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr == (
        f"truerank: {tmp_path}: the folder has files, such as bm25-01.run; "
        "give another, or write into it with --force (force=True)\n"
    )
    assert mine.read_text() == "mine"
    with pytest.raises(tr.InputError, match="the folder has files"):
        tr.simulate(1, 1).write(tmp_path)
    assert truerank(*small, "--force").exit_code == 0
    assert mine.read_text() != "mine"


def test_standard_output_is_no_folder(truerank: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = truerank("simulate", "--out", "-")
    assert (done.exit_code, done.stdout, [*tmp_path.iterdir()]) == (2, "", [])
    assert "a track is several files; name a folder" in done.stderr


def test_a_folder_may_be_deep(truerank: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deeper than Python calls itself."""
    monkeypatch.chdir(tmp_path)
    deep = "d/" * 1100
    done = truerank("simulate", "--out", deep, "--systems", "1", "--topics", "1", "--depth", "2")
    assert (done.exit_code, len(os.listdir(deep))) == (0, 2), done.stderr
    # Nobody else could remove it.
    for name in os.listdir(deep):
        os.unlink(os.path.join(deep, name))
    os.removedirs(deep)
