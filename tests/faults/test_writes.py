"""A write that is killed, refused or met by another one: the old file or the new one is there, and nothing else."""

from __future__ import annotations

import contextlib
import errno
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from truerank.cli.main import program
from truerank.io import writing
from truerank.questions.stop.thresholds import FixedRule

if not hasattr(os, "fork"):
    pytest.skip("processes are killed as POSIX has it", allow_module_level=True)

OLD = b"this was here before\n"
OUTPUTS = {
    "out": (["evaluate", "qrels.txt", "good.run", "--out", "new.tsv"], "new.tsv"),
    "apply": (["stop", "apply", "rule.json", "good.run", "--out", "cut.run"], "cut.run"),
    "save": (["stop", "fit", "qrels.txt", "good.run", "-m", "F", "--save", "saved.json"], "saved.json"),
    "fix": (["lint", "bad.run", "--fix", "--force", "--fail-on", "never"], "bad.fixed.run"),
    "restrict": (
        ["pool", "qrels.txt", "good.run", "--depth", "1", "--all-runs", "--restrict", "pool.qrels"],
        "pool.qrels",
    ),
    "to-judge": (["pool", "qrels.txt", "odd.run", "--depth", "9", "--to-judge", "pool.qrels"], "pool.qrels"),
    "to-qrels": (["preferences", "prefs.txt", "--to-qrels", "grades.qrels"], "grades.qrels"),
    "plot": (["compare", "qrels.txt", "good.run", "tied.run", "--plot", "figure.json"], "figure.json"),
    "summary": (["compare", "qrels.txt", "good.run", "tied.run", "--summary", "summary.md"], "summary.md"),
    "simulate": (
        ["simulate", "--out", ".", "--force", "--systems", "1", "--topics", "2", "--depth", "9"],
        "bm25-01.run",
    ),
}
"""A command line for each way to write a file, and the file."""


@pytest.fixture
def folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(files)
    FixedRule(k=1).save(files / "rule.json")
    (files / "prefs.txt").write_text("q1 c a\nq2 d a\n")
    (files / "odd.run").write_text("q1 Q0 never-judged 1 3 t\n")
    (files / "bad.run").write_text("q1 Q0 c 1 3 t\r\nq1 Q0 a 2 2 t\r\n")
    return files


def forked(work: Callable[[], Any]) -> int:
    """What a process that does this ends with, below 0 where it is a signal; its output goes nowhere."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            nothing = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nothing, 1)
            os.dup2(nothing, 2)
            work()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def dies(at: int) -> None:
    """Have this process killed at a call that is made where files are written: just before it, or just after it."""
    made = 0

    def watch(frame: FrameType, event: str, _: Any) -> None:
        nonlocal made
        if event.startswith("c_") and frame.f_code.co_filename == writing.__file__:
            made += 1
            if made == at:
                os.kill(os.getpid(), signal.SIGKILL)

    def watched(write: Callable[..., None]) -> Callable[..., None]:
        def work(*given: Any) -> None:
            # Only there: all else would take much longer.
            sys.setprofile(watch)
            try:
                write(*given)
            finally:
                sys.setprofile(None)

        return work

    writing._replace, writing.add = watched(writing._replace), watched(writing.add)


def parts(folder: Path) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".part")]


@pytest.mark.parametrize("output", OUTPUTS)
@pytest.mark.parametrize("there", [True, False], ids=["replaced", "new"])
def test_killed_at_every_call_of_a_write(truerank: Any, folder: Path, output: str, there: bool) -> None:
    words, name = OUTPUTS[output]
    if output == "plot":
        pytest.importorskip("altair")
    before = {**{path.name: path.read_bytes() for path in folder.iterdir()}, **({name: OLD} if there else {})}

    def command() -> None:
        program.main(words, prog_name="truerank")

    def restore() -> None:
        for path in folder.iterdir():
            if path.name not in before:
                path.unlink()
        for each, data in before.items():
            (folder / each).write_bytes(data)

    restore()
    # In this process, so that all others have their libraries from it.
    assert truerank(*words).exit_code == 0
    new = (folder / name).read_bytes()
    assert new != OLD
    expected = {new, OLD if there else None, *({b""} if output == "summary" and not there else set())}
    killed, left = 0, 0
    for at in range(1, 500):
        restore()
        code = forked(lambda at=at: (dies(at), command()))  # type: ignore[misc]
        found = (folder / name).read_bytes() if (folder / name).exists() else None
        assert found in expected, at
        if code == 0:
            break
        assert code == -signal.SIGKILL
        killed += 1
        left += len(parts(folder))
        # The next write in the folder is all it takes.
        writing.put(b"next", folder / "next")
        assert parts(folder) == []
    assert code == 0
    assert killed > (6 if output == "summary" else 20)
    assert left > 0 or output == "summary"


CALLS = ("openat", "flock", "write", "fchmodat,chmod", "fsync", "rename,renameat,renameat2", "unlink,unlinkat", "close")
WRITER = """
import os, sys
from truerank.io.writing import put
os.getppid()
put([b"new" * 9000, b"new" * 9000, b"!"], sys.argv[1])
"""


@pytest.mark.parametrize("calls", CALLS)
def test_killed_at_every_system_call(tmp_path: Path, calls: str) -> None:
    strace = shutil.which("strace")
    words = [sys.executable, "-c", WRITER, str(tmp_path / "file")]
    if strace is None or subprocess.run([strace, "-qq", "-e", "trace=getppid", "true"], capture_output=True).returncode:
        pytest.skip("strace is not there, or may not trace")
    (tmp_path / "file").write_bytes(OLD)
    (tmp_path / ".truerank-0123456789abcdef.part").write_bytes(b"abandoned")
    log = tmp_path / "log"
    trace = [strace, "-qq", "-f", "-o", str(log), "-e"]
    # How many there are until the write begins, so that only those of the write are hit.
    subprocess.run([*trace, f"trace={calls},getppid", *words], check=True)
    lines = [line for line in log.read_text().splitlines() if not line.endswith("+++")]
    begin = next(place for place, line in enumerate(lines) if "getppid" in line)
    count = len(lines) - 1
    assert count >= begin
    hit = 0
    for at in range(begin + 1, count + 1):
        (tmp_path / "file").write_bytes(OLD)
        done = subprocess.run([*trace, f"inject={calls}:signal=KILL:when={at}", *words], capture_output=True)
        assert (tmp_path / "file").read_bytes() in (OLD, b"new" * 18000 + b"!")
        hit += done.returncode != 0
        writing.put(b"", tmp_path / "next")
        assert parts(tmp_path) == []
    assert hit > 0


@pytest.mark.parametrize("error", ["EIO", "ENOSPC", "EDQUOT"])
@pytest.mark.parametrize("call", ["write", "fsync", "flock", "rename"])
def test_an_error_of_the_system_at_every_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, error: str
) -> None:
    (tmp_path / "file").write_bytes(OLD)

    def fail(*_: object) -> None:
        raise OSError(getattr(errno, error), "no")

    def pieces() -> Iterator[bytes]:
        yield b"half"
        if call == "write":
            fail()

    if call != "write":
        owner, name = {"fsync": (os, "fsync"), "flock": (writing.fcntl, "flock"), "rename": (os, "replace")}[call]
        monkeypatch.setattr(owner, name, fail)
    with pytest.raises(OSError, match="no") as raised:
        writing.put(pieces(), tmp_path / "file")
    assert raised.value.filename == str(tmp_path / "file")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": OLD}


@pytest.mark.parametrize("code", ["EINVAL", "ENOTSUP", "ENOSYS"])
def test_a_file_system_without_locks_or_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    def lacks(*_: object) -> None:
        raise OSError(getattr(errno, code), "not here")

    monkeypatch.setattr(os, "fsync", lacks)
    monkeypatch.setattr(writing.fcntl, "flock", lacks)
    (tmp_path / ".truerank-0123456789abcdef.part").write_bytes(b"perhaps somebody's")
    for data in (b"one", b"two"):
        writing.put(data, tmp_path / "file")
        assert (tmp_path / "file").read_bytes() == data
    # Whose it is cannot be known here.
    assert len(parts(tmp_path)) == 1


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_full_disk(folder: Path, output: str) -> None:
    words, name = OUTPUTS[output]
    if output == "plot":
        pytest.importorskip("altair")
    (folder / name).write_bytes(OLD)
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def command() -> None:
        # No file may grow past some bytes: what a full disk looks like from inside.
        most = 3 + (len(OLD) if output == "summary" else 0)
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
        program.main(words, prog_name="truerank")

    assert forked(command) == 2
    for path in folder.iterdir():
        assert path.read_bytes() == before[path.name], path.name


def test_a_full_device(truerank: Any, folder: Path) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("there is no full device here")
    for words in (
        ["evaluate", "qrels.txt", "good.run", "--out", "/dev/full"],
        ["compare", "qrels.txt", "good.run", "tied.run", "--summary", "/dev/full"],
    ):
        done = truerank(*words)
        assert done.exit_code == 2
        assert done.stderr.splitlines()[-1].startswith("truerank: /dev/full: No space left on device; ")


OPEN = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "/dev/fd/3", "link", "log.txt"]
"""Names of the file that standard output goes to."""
TABLE = b"run\tAP\ngood\t1.0\n"


@pytest.mark.parametrize("name", OPEN)
@pytest.mark.parametrize("mode", ["wb", "ab"])
def test_a_file_that_is_open_is_written_where_it_was_written_last(folder: Path, name: str, mode: str) -> None:
    if name.startswith("/") and not os.path.exists(os.path.dirname(name)):
        pytest.skip("it has another name here")
    (folder / "link").symlink_to("/dev/stdout")
    with open("log.txt", mode) as log:
        log.write(b"before\n")
        log.flush()
        words = ["evaluate", "qrels.txt", "good.run", "-m", "AP", "--out", name, "--format", "tsv"]

        def command() -> None:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 3)
            program.main(words, prog_name="truerank")

        assert forked(command) == 0
        log.write(b"after\n")
    assert (folder / "log.txt").read_bytes() == b"before\n" + TABLE + b"after\n"


def test_a_summary_goes_where_standard_output_is_written(folder: Path) -> None:
    words = ["compare", "qrels.txt", "good.run", "tied.run", "-m", "AP", "--summary", "/dev/stdout", "--format", "tsv"]
    with open("log.txt", "wb") as log:
        log.write(b"before\n")
        log.flush()

        def command() -> None:
            os.dup2(log.fileno(), 1)
            program.main(words, prog_name="truerank")

        assert forked(command) == 0
        log.write(b"after\n")
    lines = (folder / "log.txt").read_text().splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert any(line.startswith("###") for line in lines)


def test_a_pipe_with_a_name_is_written_and_stays(truerank: Any, folder: Path) -> None:
    os.mkfifo("pipe")
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(Path("pipe").read_bytes()))
    reader.start()
    assert truerank("evaluate", "qrels.txt", "good.run", "-m", "AP", "--out", "pipe").exit_code == 0
    reader.join()
    assert read == [TABLE]
    assert (folder / "pipe").is_fifo()


def test_a_file_that_is_open_in_another_process_is_added_to(tmp_path: Path) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("files of other processes have no names here")
    with open(tmp_path / "file", "wb", buffering=0) as file:
        file.write(OLD)
        name = f"/proc/{os.getpid()}/fd/{file.fileno()}"
        assert forked(lambda: writing.put(b"new", name)) == 0
    assert (tmp_path / "file").read_bytes() == OLD + b"new"


@pytest.mark.parametrize(("mode", "first"), [(0o600, 0o600), (0o640, 0o600), (None, 0o644)])
def test_what_replaces_a_private_file_is_private_from_its_first_byte(
    tmp_path: Path, mode: int | None, first: int
) -> None:
    path = tmp_path / "file"
    if mode is not None:
        path.touch()
        path.chmod(mode)
    seen: list[int] = []

    def pieces() -> Iterator[bytes]:
        [part] = parts(tmp_path)
        seen.append((tmp_path / part).stat().st_mode & 0o777)
        yield b"secret"

    before = os.umask(0o022)
    try:
        writing.put(pieces(), path)
    finally:
        os.umask(before)
    assert seen == [first]
    assert path.stat().st_mode & 0o777 == (0o644 if mode is None else mode)


def test_a_folder_that_may_not_be_written(truerank: Any, folder: Path, tmp_path: Path) -> None:
    # Also for a superuser, whom permissions do not bind.
    place = Path("/sys") if os.path.isdir("/sys/kernel") else tmp_path / "closed"
    if place.name == "closed":
        place.mkdir(mode=0o555)
    done = truerank("evaluate", "qrels.txt", "good.run", "--out", place / "scores.tsv")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1].startswith(f"truerank: {place / 'scores.tsv'}: ")


def test_a_file_that_may_not_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(OLD)

    def refuse(path: Any, mode: str = "r", *more: Any, **options: Any) -> Any:
        if mode == "ab":
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return open(path, mode, *more, **options)

    monkeypatch.setattr(writing, "open", refuse, raising=False)
    with pytest.raises(PermissionError):
        writing.put(b"new", tmp_path / "file")
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == OLD


def test_writers_at_the_same_time(tmp_path: Path) -> None:
    path = tmp_path / "file"
    whole = {bytes([65 + one]) * 50_000 for one in range(4)}

    def pieces(data: bytes, random_: random.Random) -> Iterator[bytes]:
        for begin in range(0, len(data), 10_000):
            yield data[begin : begin + 10_000]
            time.sleep(random_.random() / 500)

    def writer(data: bytes) -> Callable[[], None]:
        def work() -> None:
            for turn in range(25):
                writing.put(pieces(data, random.Random(turn)), path)

        return work

    seen: set[bytes] = set()
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            with contextlib.suppress(FileNotFoundError):
                seen.add(path.read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    children = []
    for data in sorted(whole):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                writer(data)()
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    # One that is killed among them, again and again, is cleaned up after; nobody else's file is.
    for turn in range(10):
        victim = os.fork()
        if victim == 0:
            writer(b"A" * 50_000)()
            os._exit(0)
        time.sleep(random.Random(turn).random() / 20)
        os.kill(victim, signal.SIGKILL)
        os.waitpid(victim, 0)
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    done.set()
    reader.join()
    assert codes == [0] * 4
    assert seen <= whole
    writing.put(b"last", path)
    assert os.listdir(tmp_path) == ["file"]


def test_somebody_elses_part_stays(tmp_path: Path) -> None:
    for name in (".mine.part", "x.part", ".truerank-xyz.part", ".truerank-0123456789abcdef.part.txt"):
        (tmp_path / name).write_bytes(b"mine")
    before = {*os.listdir(tmp_path)}
    writing.put(b"new", tmp_path / "file")
    assert {*os.listdir(tmp_path)} == {*before, "file"}


def test_one_that_is_cleaned_up_before_it_is_locked_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, taken = writing._locked, []

    def late(file: Any) -> None:
        if not taken:
            taken.append(file.name)
            writing._remove_abandoned(str(tmp_path))
            assert not os.path.exists(file.name)
        real(file)

    monkeypatch.setattr(writing, "_locked", late)
    writing.put(b"new", tmp_path / "file")
    assert taken
    assert os.listdir(tmp_path) == ["file"]
    assert (tmp_path / "file").read_bytes() == b"new"


def test_several_add_to_one_file(tmp_path: Path) -> None:
    path = tmp_path / "summary.md"
    texts = [bytes([65 + one]) * 20_000 + b"\n" for one in range(6)]
    children = []
    for text in texts:
        child = os.fork()
        if child == 0:
            code = 1
            try:
                for _ in range(5):
                    writing.add(text, path)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 6
    assert sorted(path.read_bytes().splitlines(keepends=True)) == sorted(texts * 5)
