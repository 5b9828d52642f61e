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
@pytest.mark.parametrize("unbuffered", ["", "1"], ids=["buffered", "unbuffered"])
def test_a_reader_that_goes_away(large: Path, words: list[str], unbuffered: str) -> None:
    measures = ["-m", " ".join(f"P@{depth}" for depth in range(1, 80))]
    files = [str(large / "qrels.txt"), str(large / "whole.run")]
    with subprocess.Popen(
        [*PROGRAM, words[0], *files, *measures, *words[1:]],
        # What is read here ahead of need would leave room in the pipe, and a table may be less than two pipes full.
        bufsize=0,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(10)
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


@pytest.mark.parametrize(
    "words",
    [
        ["evaluate", "qrels", "first", "second", "-m", "AP"],
        ["evaluate", "qrels", "first", "second", "-m", "AP", "--columns", "topic=topic"],
        ["diff", "qrels", "first", "second", "-m", "AP"],
        ["explain", "qrels", "first", "--topic", "q1", "-m", "AP"],
        ["compare", "qrels", "first", "second", "-m", "AP", "--permutations", "9"],
        ["pool", "qrels", "first", "second"],
        ["unjudged", "qrels", "first", "second"],
    ],
)
def test_one_program_may_write_judgments_and_runs_into_pipes(words: list[str], tmp_path: Path) -> None:
    """It writes them in the order in which they are named, and opens one when it is done with the one before."""
    content = {"qrels": "q1 0 a 1\nq2 0 b 1\n", "first": RUN.format("x"), "second": RUN.format("y")}
    pipes = [word for word in words if word in content]
    for name in pipes:
        os.mkfifo(tmp_path / name)
    started = subprocess.Popen(
        [sys.executable, "-m", "truerank", *words], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    writes = "import sys\nfor name, text in zip(sys.argv[1::2], sys.argv[2::2]):\n    open(name, 'w').write(text)"
    writer = subprocess.Popen(
        [sys.executable, "-c", writes, *(part for name in pipes for part in (name, content[name]))], cwd=tmp_path
    )
    try:
        _, err = started.communicate(timeout=60)
    finally:
        for process in (started, writer):
            process.kill()
            process.communicate()
    assert started.returncode == (0 if "--columns" not in words else 2), err


RUN = "q1 Q0 a 1 2 {0}\nq1 Q0 c 2 1 {0}\nq2 Q0 c 1 2 {0}\nq2 Q0 b 2 1 {0}\n"


@pytest.mark.parametrize("busy", [True, False])
def test_what_is_read_ahead_does_not_end_the_program_in_its_own_way(busy: bool) -> None:
    """A library that is stopped in the middle of a file may take the process down, so nothing is taken apart."""
    program = (
        "import atexit, sys, time\n"
        "import truerank.__main__ as program, truerank.cli.main as main\n"
        "from truerank.data.parallel import Ahead\n"
        "def fails():\n"
        f"    Ahead(lambda: time.sleep({60 if busy else 0})){'' if busy else '.result()'}\n"
        "    print('said')\n"
        "    sys.exit(3)\n"
        "main.main = fails\n"
        "atexit.register(lambda: print('taken apart'))\n"
        "program.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 3, done.stderr
    assert done.stdout.split("\n")[:-1] == (["said"] if busy else ["said", "taken apart"])
