from __future__ import annotations

import bz2
import errno
import gzip
import io
import lzma
import os
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io import compression as compression_module
from truerank.io import source as source_module
from truerank.io.compression import compressed, compression
from truerank.io.drafts import draft_run
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import named_runs
from truerank.io.source import open_source
from truerank.questions.evaluate.question import evaluate

TEXT = b"401 0 FT911-3 1\n" * 500


def zstd(data: bytes) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd as library

        return library.compress(data)
    return pytest.importorskip("zstandard").ZstdCompressor().compress(data)  # type: ignore[no-any-return]


COMPRESSIONS = [gzip.compress, bz2.compress, lzma.compress, zstd]


@pytest.mark.parametrize("compress", COMPRESSIONS)
@pytest.mark.parametrize("name", ["qrels.txt", "qrels.gz"])
def test_compression_is_seen_whatever_the_name(compress: Callable[[bytes], bytes], name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(compress(TEXT))
    assert open_source(path).text.tobytes() == TEXT
    assert open_source(str(path)).text.tobytes() == TEXT
    assert open_source(io.BytesIO(compress(TEXT))).text.tobytes() == TEXT


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_concatenated_streams_are_one_text(compress: Callable[[bytes], bytes]) -> None:
    assert open_source(io.BytesIO(compress(TEXT) + compress(b"end\n"))).text.tobytes() == TEXT + b"end\n"


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_truncated_streams_are_refused(compress: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "cut"
    path.write_bytes(compress(TEXT)[:-20])
    with pytest.raises(InputError, match=r"cut: the \w+ data are damaged or cut short .*; fetch the file again"):
        open_source(path)


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz", "zstd"])
def test_what_is_compressed_is_recognised_and_read(name: str) -> None:
    if name == "zstd" and sys.version_info < (3, 14):
        pytest.importorskip("zstandard")
    packed = compressed(TEXT, name)
    assert compression(packed) == name
    assert open_source(io.BytesIO(packed)).text.tobytes() == TEXT
    assert compressed(TEXT, None) == TEXT


def test_a_topic_may_look_like_compression() -> None:
    for text in (b"BZh9 0 d 1\n", b"BZh91AY 0 d 1\n", b"\x1f\x8b 0 d 1\n"):
        assert open_source(io.BytesIO(text)).text.tobytes() == text
    assert open_source(io.BytesIO(bz2.compress(b""))).text.size == 0


def test_damaged_streams_are_refused() -> None:
    data = bytearray(gzip.compress(TEXT))
    data[-5] ^= 255
    with pytest.raises(InputError, match="the gzip data are damaged"):
        open_source(io.BytesIO(bytes(data)))


def test_what_was_read_does_not_depend_on_the_file(tmp_path: Path) -> None:
    """Large files too, which are tempting to map: overwritten they would change, cut short kill the process."""
    path = tmp_path / "large.run"
    path.write_bytes(b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n" + (b"#" * 65535 + b"\n") * 600)
    run, text = as_run(path), open_source(path).text
    with path.open("r+b") as file:
        file.write(b"q1 Q0 x1")
        file.truncate(10)
    assert run.ranking("q1") == [("d1", 2.5), ("d2", 1.5)]
    assert (text.size, text[:8].tobytes(), text.flags.writeable) == (34 + 600 * 65536, b"q1 Q0 d1", False)


@pytest.mark.parametrize("now", [TEXT[:-16], TEXT + b"401 0 d 1\n", TEXT.replace(b"1\n", b"0\n")])
def test_a_file_that_changes_while_it_is_read_is_refused(
    now: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(TEXT)
    os.utime(path, (0, 0))
    filled = source_module._filled

    def meanwhile(*given: Any) -> bool:
        with path.open("r+b") as file:
            file.write(now)
            file.truncate()
        return filled(*given)

    monkeypatch.setattr(source_module, "_filled", meanwhile)
    with pytest.raises(InputError, match=r"qrels\.txt: the file changed while it was read; read it again when"):
        open_source(path)


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_decompression_has_a_limit(compress: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compression_module, "LIMIT", 1 << 20)
    bomb = compress(b"\n" * (1 << 25))
    tracemalloc.start()
    try:
        with pytest.raises(InputError, match=r"GiB when decompressed; if that is right, decompress the file first"):
            open_source(io.BytesIO(bomb))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 1 << 25
    assert open_source(io.BytesIO(compress(b"\n" * (1 << 20)))).text.size == 1 << 20


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_many_members_are_read(compress: Callable[[bytes], bytes]) -> None:
    """Each left over what followed it to be copied: so many took minutes."""
    assert open_source(io.BytesIO(compress(TEXT[:32]) * 100_000)).text.size == 3_200_000


def test_padding_behind_a_member_is_skipped() -> None:
    for zeros in (1, 512, 100_000):
        assert open_source(io.BytesIO(gzip.compress(TEXT) + b"\0" * zeros)).text.tobytes() == TEXT


@pytest.mark.parametrize("compress", COMPRESSIONS)
def test_something_else_behind_a_member_is_refused(compress: Callable[[bytes], bytes]) -> None:
    with pytest.raises(InputError, match="damaged or cut short"):
        open_source(io.BytesIO(compress(TEXT) + b"401 0 FT911-4 1\n"))


@pytest.mark.parametrize("name", ["gzip", "bzip2", "xz"])
def test_out_of_memory_is_not_taken_for_damage(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        eof = False

        def decompress(self, *given: Any) -> bytes:
            raise MemoryError

    method = compression_module._Method(Full, compression_module._asked)
    monkeypatch.setitem(compression_module._METHODS, name, lambda: method)
    with pytest.raises(MemoryError):
        open_source(io.BytesIO(compressed(TEXT, name)))


class Pipe:
    """A named pipe that somebody writes to: the first bytes, and the others a little later."""

    def __init__(self, path: Path, data: bytes) -> None:
        os.mkfifo(path)
        self.path, self.data = path, data
        self.thread = threading.Thread(target=self._write, daemon=True)
        self.thread.start()

    def _write(self) -> None:
        with self.path.open("wb", buffering=0) as file:
            file.write(self.data[:34])
            time.sleep(0.05)
            file.write(self.data[34:])


RUN = b"".join(b"q1 Q0 document-%02d %d %d.5 bm25\n" % (place, place, 50 - place) for place in range(1, 31))
CSV = b"query_id,doc_id,score\n" + b"".join(b"q1,document-%02d,%d\n" % (place, 50 - place) for place in range(1, 31))
FIFOS = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")


@FIFOS
@pytest.mark.parametrize("data", [RUN, CSV, gzip.compress(RUN)], ids=["trec", "csv", "gzip"])
@pytest.mark.parametrize("read", [as_run, draft_run, lambda path: named_runs([path])[0].read()])
def test_a_pipe_is_read_once_and_whole(read: Callable[[str], Any], data: bytes, tmp_path: Path) -> None:
    pipe = Pipe(tmp_path / "bm25.run", data)
    found = read(str(pipe.path))
    assert (len(found), found.name) == (30, "bm25")


@FIFOS
def test_parquet_comes_through_a_pipe_too(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(
        pyarrow.table({"query_id": ["q1"] * 9, "doc_id": [*"abcdefghi"], "score": [*range(9)]}), tmp_path / "x"
    )
    data = (tmp_path / "x").read_bytes()
    for name, form in (("a.run", None), ("b.parquet", None), ("c.run", "parquet")):
        assert len(as_run(str(Pipe(tmp_path / name, data).path), form=form)) == 9


@FIFOS
def test_a_run_from_a_pipe_may_be_asked_for_twice(tmp_path: Path) -> None:
    pipe = Pipe(tmp_path / "bm25.run", RUN)
    for named in (named_runs({"mine": str(pipe.path)}), named_runs([Pipe(tmp_path / "mine.run", RUN).path])):
        assert [(named[0].name, len(run)) for run in (named[0].read(), named[0].read())] == [("mine", 30)] * 2


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="this system has no /dev/fd")
@pytest.mark.parametrize("path", ["<(cat run)", "/dev/stdin"])
def test_the_shell_gives_pipes(path: str, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(RUN)
    (tmp_path / "qrels").write_text("q1 0 document-01 1\nq1 0 document-30 1\n")
    command = [sys.executable, "-m", "truerank", "evaluate", "qrels", "PATH", "-m", "AP", "--format", "tsv"]
    script = " ".join(command).replace("PATH", path)
    found = {
        subprocess.run(
            ["bash", "-c", f"cat run | {line}"], cwd=tmp_path, capture_output=True, text=True, check=True
        ).stdout.split()[-1]
        for line in (script, script.replace(path, "run"))
    }
    assert found == {f"{(1 + 2 / 30) / 2:.10g}"}


def test_an_endless_stream_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "LIMIT", 1 << 22)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n" * (1 << 23))))
    with pytest.raises(InputError, match=r"<stdin>: there is no end to it within .* GiB; write it to a file"):
        open_source("-")
    if os.path.exists("/dev/zero"):
        with pytest.raises(InputError, match="/dev/zero: there is no end to it"):
            as_run("/dev/zero")


def test_standard_input_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match="<stdin>: standard input is closed; give a file"):
        open_source("-")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(TEXT))))
    assert open_source("-").text.tobytes() == TEXT


def test_open_files(tmp_path: Path) -> None:
    path = tmp_path / "qrels.txt"
    path.write_bytes(TEXT)
    with path.open("rb") as binary, path.open() as text:
        assert open_source(binary).text.tobytes() == open_source(text).text.tobytes() == TEXT
    with path.open("rb") as binary:
        assert open_source(binary).name == str(path)


def test_a_missing_file_and_a_directory_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.txt: there is no such file; check the path"):
        open_source(tmp_path / "none.txt")
    with pytest.raises(InputError, match="this is a directory; give a file in it"):
        open_source(tmp_path)


def test_an_empty_file_is_read_as_no_text(tmp_path: Path) -> None:
    (tmp_path / "empty").write_bytes(b"")
    assert open_source(tmp_path / "empty").text.size == 0
    assert open_source(tmp_path / "empty").text.dtype == np.uint8


def test_whatever_the_system_says_of_a_path_is_an_input_error(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").write_bytes(TEXT)
    cases = {
        f"{tmp_path}/loop": r"loop: not readable \(.*symbolic links.*\); check the path",
        f"{tmp_path}/{'x' * 5000}": r"x: not readable \(file name too long\); check the path",
        f"{tmp_path}/file/x": r"file/x: not readable \(not a directory\); check the path",
        "a\0b": r"^a\\0b: no file can be called this; check the path",
        "a\ud800b": r"^a\\ud800b: no file can be called this; check the path",
    }
    for path, message in cases.items():
        for read in (as_run, as_qrels, open_source, lambda path: evaluate({"q": {"d": 1}}, path, "AP")):
            with pytest.raises(InputError, match=message):
                read(path)  # type: ignore[operator]


def test_a_disk_that_fails_is_an_input_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*given: Any) -> bool:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    (tmp_path / "file").write_bytes(TEXT)
    monkeypatch.setattr(source_module, "_filled", fails)
    with pytest.raises(InputError, match=r"file: not readable \(.*/output error\); check the path, and the disk"):
        as_qrels(tmp_path / "file")
