"""Collections: their runs by folder or pattern, and their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from truerank.data.errors import InputError
from truerank.track.collections import collections, matching


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "runs [1]").mkdir()
    (tmp_path / "runs [1]" / "inside").mkdir()
    for name in ("b.run", "a.run", "c.txt"):
        (tmp_path / "runs [1]" / name).write_text("")
    return tmp_path


def test_runs_of_a_folder_or_a_pattern(folder: Path) -> None:
    """Files only, in order; the name of a folder is no pattern."""
    assert [Path(path).name for path in matching(str(folder / "runs [1]"))] == ["a.run", "b.run", "c.txt"]
    assert [Path(path).name for path in matching(str(folder / "runs*" / "*.run"))] == ["a.run", "b.run"]
    with pytest.raises(InputError, match=r"nowhere: matches no file; give a folder or a pattern"):
        matching(str(folder / "nowhere"))


def test_names_are_given_or_those_of_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = {"q": ["d"]}
    monkeypatch.chdir(tmp_path)
    Path("trec8.txt").write_text("q 0 d 1\n")
    assert [one.name for one in collections("trec8.txt", run, {"MED": ({}, run)}, "TREC-8")] == ["TREC-8", "MED"]
    assert [one.name for one in collections("trec8.txt", run, {"MED": ({}, run)})] == ["trec8", "MED"]
    assert [one.name for one in collections({}, run, [({}, run)])] == ["collection#1", "collection#2"]
    with pytest.raises(InputError, match="two collections are called 'MED'"):
        collections({}, run, {"MED": ({}, run)}, "MED")


def test_runs_that_are_no_text_are_taken_as_they_are(folder: Path) -> None:
    run = {"q": ["d"]}
    first, other, third = collections({}, run, [({}, run), ({}, str(folder / "runs*" / "*.txt"))])
    assert first.runs == other.runs == run
    assert [Path(path).name for path in third.runs] == ["c.txt"]
