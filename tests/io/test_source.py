from __future__ import annotations

import bz2
import gzip
import io
import lzma
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io import source as source_module
from truerank.io.compression import compressed, compression
from truerank.io.source import open_source

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


def test_large_files_are_mapped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "_MAP_FROM", 100)
    path = tmp_path / "qrels.txt"
    path.write_bytes(TEXT)
    text = open_source(path).text
    assert text.tobytes() == TEXT
    assert not text.flags.writeable


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
