"""A program that is told to end, or killed: no temporary files stay, and no workers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import truerank as tr

if not hasattr(os, "fork"):
    pytest.skip("signals are sent as POSIX has them", allow_module_level=True)

SORTS_SLOWLY = """
import time
import truerank.__main__ as program
from truerank.io import partition
from truerank.track import loop

def slow(form, chunks=partition._chunks):
    yield from chunks(form)
    print("sorting", flush=True)
    time.sleep(60)

partition._chunks, loop.in_use, loop.SMALLEST = slow, lambda: 0, 1
program.main()
"""
WORKS_SLOWLY = """
import os, sys, time
import truerank as tr
import slow_measure
qrels, run = {"q1": {"a": 1}}, {"q1": ["a", "b"]}
tr.evaluate(qrels, {"x": run, "y": run}, tr.measure(slow_measure.slow, name="Slow"), engine=tr.Engine(workers=2))
"""
SLOW = """
import os, time
def slow(ranking):
    open(f"worker-{os.getpid()}", "w").close()
    time.sleep(60)
    return 1.0
"""


def until(condition: Callable[[], bool]) -> bool:
    """Whether it comes about, given the time."""
    patience = time.monotonic() + 40
    while not condition() and time.monotonic() < patience:
        time.sleep(0.02)
    return condition()


def sorting(folder: Path, heard: Callable[[], None] | None = None) -> subprocess.Popen[bytes]:
    """A program that is sorting a run on disk."""
    (folder / "temporary").mkdir()
    (folder / "qrels").write_text("".join(f"q{n} 0 a 1\n" for n in range(9)))
    (folder / "a.run").write_text("".join(f"q{n % 9} Q0 d{n} 1 {n} t\n" for n in range(900)))
    process = subprocess.Popen(
        [sys.executable, "-c", SORTS_SLOWLY, "evaluate", "qrels", "a.run", "-m", "AP", "--memory", "2000"],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=heard,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"sorting\n"
    assert len([*(folder / "temporary").rglob("*.txt")]) > 1
    return process


def default() -> None:
    # Whoever runs the tests may ignore some of them.
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def in_the_background() -> None:
    default()
    # As a shell starts what is followed by "&".
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def without_a_terminal() -> None:
    default()
    # As nohup does.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)


@pytest.mark.parametrize(
    ("heard", "numbers", "code"),
    [
        (default, [signal.SIGTERM], -signal.SIGTERM),
        (default, [signal.SIGHUP], -signal.SIGHUP),
        (default, [signal.SIGINT], 130),
        (in_the_background, [signal.SIGINT, signal.SIGTERM], -signal.SIGTERM),
        (without_a_terminal, [signal.SIGHUP, signal.SIGTERM], -signal.SIGTERM),
    ],
)
def test_temporary_files_go(heard: Callable[[], None], numbers: list[int], code: int, tmp_path: Path) -> None:
    with sorting(tmp_path, heard) as process:
        for number in numbers:
            process.send_signal(number)
        printed, said = process.communicate(timeout=50)
    assert (process.returncode, printed, said) == (code, b"", b"")
    assert [*(tmp_path / "temporary").iterdir()] == []


def test_the_next_program_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    with sorting(tmp_path) as process:
        process.kill()
    left = [*(tmp_path / "temporary").iterdir()]
    assert len(left) == 1
    code = (
        "import os, sys, truerank as tr; from truerank.io import temporary\n"
        "class Owner: pass\n"
        "owner = Owner(); mine = temporary.folder_for(owner)\n"
        "temporary.folder_for(owner)\n"
        "print(os.path.isdir(mine), len(os.listdir(os.environ['TMPDIR'])))\n"
    )
    (tmp_path / "temporary" / "truerank-of-somebody").mkdir()
    (tmp_path / "temporary" / "truerank-link").symlink_to(tmp_path)
    known = {**os.environ, "TMPDIR": str(tmp_path / "temporary")}
    done = subprocess.run([sys.executable, "-c", code], env=known, capture_output=True, text=True, timeout=60)
    # Two of its own, and two that are none.
    assert (done.stdout, done.stderr) == ("True 4\n", "")
    names = {path.name for path in (tmp_path / "temporary").iterdir()}
    assert names == {"truerank-of-somebody", "truerank-link"}
    assert (tmp_path / "qrels").exists()


def gone(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return True
    # One that nobody has asked about yet.
    return Path(f"/proc/{number}/stat").exists() and " Z " in Path(f"/proc/{number}/stat").read_text()


def test_workers_end_with_whoever_started_them(tmp_path: Path) -> None:
    (tmp_path / "slow_measure.py").write_text(SLOW)
    (tmp_path / "script.py").write_text(WORKS_SLOWLY)
    with subprocess.Popen([sys.executable, "script.py"], cwd=tmp_path, stderr=subprocess.DEVNULL) as process:
        at_work = until(lambda: len([*tmp_path.glob("worker-*")]) == 2)
        process.kill()
    workers = [int(path.name.removeprefix("worker-")) for path in tmp_path.glob("worker-*")]
    assert at_work
    assert until(lambda: all(map(gone, workers)))


def test_a_program_that_calls_this_keeps_its_own_handlers(truerank: Any, files: Path) -> None:
    heard: list[int] = []
    numbers = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
    before = {number: signal.signal(number, lambda number, _: heard.append(number)) for number in numbers}
    try:
        given = (str(files / "qrels.txt"), str(files / "tied.run"))
        assert truerank("evaluate", *given, "-m", "AP").exit_code == 0
        tr.evaluate(*given, "AP", engine=tr.Engine(workers=2))
        for number in numbers:
            os.kill(os.getpid(), number)
        assert until(lambda: heard == [*numbers])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
