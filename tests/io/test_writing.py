"""A file is there when it is complete, and otherwise as it was before."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

import truerank as tr
from truerank.compat.ranx import Run
from truerank.io.writing import put
from truerank.questions.lint.fix import write_copy
from truerank.questions.simulate.question import simulate

SCORES = tr.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "AP")


def broken() -> Iterator[bytes]:
    yield b"half"
    raise ValueError("no more")


@pytest.mark.parametrize("form", [b"".join, list, iter])
@pytest.mark.parametrize("name", ["new", "a" * 255], ids=["short", "long"])
def test_bytes_and_pieces(form: Callable[[list[bytes]], bytes | Iterable[bytes]], name: str, tmp_path: Path) -> None:
    put(form([b"one\n", b"two\n"]), tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"one\ntwo\n"
    assert os.listdir(tmp_path) == [name]


@pytest.mark.parametrize("there", [True, False])
def test_failure_leaves_everything_as_it_was(there: bool, tmp_path: Path) -> None:
    path = tmp_path / "file"
    if there:
        path.write_bytes(b"old")
    with pytest.raises(ValueError, match="no more"):
        put(broken(), path)
    assert [(file.name, file.read_bytes()) for file in tmp_path.iterdir()] == [("file", b"old")] * there


def test_links_and_permissions_stay(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    real, link = tmp_path / "folder" / "real", tmp_path / "link"
    link.symlink_to(real)
    for data in (b"first", b"second"):
        put(data, link)
        assert link.is_symlink()
        assert real.read_bytes() == data
        real.chmod(0o600)
    assert real.stat().st_mode & 0o777 == 0o600


def test_pipes_are_written_as_they_are(tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = threading.Thread(target=put, args=([b"a", b"b"], fifo))
    writer.start()
    assert fifo.read_bytes() == b"ab"
    writer.join()
    assert fifo.is_fifo()
    read, write = os.pipe()
    put(b"nameless", f"/dev/fd/{write}")
    os.close(write)
    with open(read, "rb") as file:
        assert file.read() == b"nameless"


@pytest.mark.parametrize(("name", "error"), [("no/file", FileNotFoundError), ("", IsADirectoryError)])
def test_errors_name_the_path_that_was_given(name: str, error: type[OSError], tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path, target_is_directory=True)
    given = os.path.join(tmp_path, "link", name)
    with pytest.raises(error) as raised:
        put(b"", given)
    assert raised.value.filename == given
    assert os.listdir(tmp_path) == ["link"]


def _csv(path: Path) -> None:
    SCORES.to_csv(path)


def _ranx(path: Path) -> None:
    Run({"q1": {"a": 1.0}}, "x").save(path, kind="trec")


def _copy(path: Path) -> None:
    write_copy(str(path).replace(".fixed", ""), b"q1 0 a 1\n", force=True)


def _track(path: Path) -> None:
    simulate(2, 2, documents=1000, depth=10).write(path.parent, force=True)


@pytest.mark.parametrize(
    ("write", "name"), [(_csv, "scores.csv"), (_ranx, "x.run"), (_copy, "x.fixed.run"), (_track, "qrels.txt")]
)
def test_every_writer_leaves_the_old_file_to_whoever_has_it_open(
    write: Callable[[Path], None], name: str, tmp_path: Path
) -> None:
    (tmp_path / name.replace(".fixed", "")).write_text("original")
    path = tmp_path / name
    path.write_text("old")
    with path.open() as before:
        write(path)
        assert before.read() == "old"
    assert path.read_text() != "old"
    assert [file for file in os.listdir(tmp_path) if "part" in file] == []
