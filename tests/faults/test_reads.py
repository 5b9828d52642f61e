"""A file that changes while it is read, and a reader that goes away: an answer or one line, never a crash."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

PROGRAM = [sys.executable, "-m", "truerank"]
TOPICS, LINES = 200, 1000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of some megabytes, and judgments; shared by tests that change a copy of it."""
    folder = tmp_path_factory.mktemp("large")
    rows = (f"q{topic} _ doc{rank} {rank} {LINES - rank} t\n" for topic in range(TOPICS) for rank in range(LINES))
    (folder / "whole.run").write_text("".join(rows))
    (folder / "qrels.txt").write_text("".join(f"q{topic} 0 doc1 1\n" for topic in range(TOPICS)))
    return folder


@pytest.mark.parametrize("times", [1, 9], ids=["small", "large"])
@pytest.mark.parametrize("change", ["shrinks", "grows", "is emptied", "is replaced"])
@pytest.mark.parametrize("seed", range(3))
def test_a_file_that_changes_while_it_is_read(large: Path, tmp_path: Path, change: str, times: int, seed: int) -> None:
    run = tmp_path / "some.run"
    text = (large / "whole.run").read_text()
    # Other topics, so that the file is long and without duplicates.
    run.write_text(text + "".join(text.replace("q", f"r{turn}-") for turn in range(1, times)))
    words = [*PROGRAM, "evaluate", str(large / "qrels.txt"), str(run), "-m", "RR", "--format", "tsv"]
    whole = subprocess.run(words, capture_output=True, text=True)
    assert whole.returncode == 0
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    began, random_ = time.monotonic(), random.Random(seed)
    while process.poll() is None and time.monotonic() - began < 20:
        time.sleep(random_.random() * 0.2)
        size = run.stat().st_size
        if change == "shrinks":
            os.truncate(run, size * 9 // 10)
        elif change == "is emptied":
            os.truncate(run, 0)
        elif change == "grows":
            with run.open("a") as file:
                file.write(f"q{TOPICS + size} Q0 late 1 1 t\n")
        else:
            (tmp_path / "next").write_text("q0 Q0 doc1 1 1 t\n")
            os.replace(tmp_path / "next", run)
    printed, said = process.communicate(timeout=60)
    # What was there at some moment, or a line that says what is wrong with it; no signal, and no traceback.
    assert process.returncode in (0, 2), (process.returncode, said)
    assert "Traceback" not in said
    assert "internal error" not in said
    if process.returncode == 2:
        assert printed == ""
        assert said.splitlines()[-1].startswith("truerank: ")
    if process.returncode == 0 and change == "grows":
        assert printed == whole.stdout


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "--per-topic", "--format", "tsv"],
        ["evaluate", "--per-topic", "--format", "json"],
        ["evaluate", "--per-topic", "--format", "table"],
        ["evaluate", "--per-topic", "--out", "-"],
    ],
    ids=" ".join,
)
def test_a_reader_that_goes_away(large: Path, words: list[str]) -> None:
    measures = ["-m", " ".join(f"P@{depth}" for depth in range(1, 80))]
    files = [str(large / "qrels.txt"), str(large / "whole.run")]
    with subprocess.Popen(
        [*PROGRAM, words[0], *files, *measures, *words[1:]], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.read(10)
        process.stdout.close()
        said = process.stderr.read().decode()
    assert process.returncode == 141
    assert not [line for line in said.splitlines() if not line.startswith("note: ")]


def test_a_writer_that_goes_away(large: Path) -> None:
    text = (large / "whole.run").read_bytes()
    done = subprocess.run(
        [*PROGRAM, "evaluate", str(large / "qrels.txt"), "-", "-m", "RR"],
        input=text[: text.index(b"c500 ")],
        capture_output=True,
        timeout=60,
    )
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"<stdin>:" in done.stderr
