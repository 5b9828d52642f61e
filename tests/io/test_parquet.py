"""Parquet files that would become more than a small file should: refused before they are read."""

from __future__ import annotations

import base64
import io
import subprocess
import sys
from pathlib import Path

import pytest

from truerank.data.errors import InputError
from truerank.io import compression, parquet
from truerank.io.load import as_run

ROWS = 3000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file whose rows are all alike, and take next to no room."""
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / "run.parquet"
    columns = {
        "topic": pyarrow.array(["q"] * ROWS),
        "doc": pyarrow.array([f"d{place}" for place in range(ROWS)]),
        "score": pyarrow.array([1.0] * ROWS),
    }
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow.table(columns), path)
    return path


@pytest.mark.parametrize("library", ["pyarrow", "polars"])
def test_more_rows_than_are_read_are_refused(library: str, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(library)
    monkeypatch.setattr(parquet, "LIMIT", parquet.ROW * (ROWS - 1))
    monkeypatch.setattr(compression, "LIMIT", parquet.ROW * (ROWS - 1))
    with pytest.raises(InputError, match=r"there are 3,000 rows, and up to 2,999 are read; divide the file") as error:
        parquet.open_parquet(file, library).read([0, 1, 2])
    assert str(error.value).startswith(str(file))


def test_columns_of_more_bytes_than_are_read_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROW", 1)
    monkeypatch.setattr(parquet, "LIMIT", ROWS)
    opened = parquet.open_parquet(file, "pyarrow")
    with pytest.raises(InputError, match=r"its columns have more than .* GiB; divide the file"):
        opened.read([0, 1, 2])
    assert len(opened.read([0])) == 1


def test_what_is_below_the_limits_is_read(file: Path) -> None:
    assert len(as_run(file).score) == ROWS
    assert len(as_run(io.BytesIO(file.read_bytes())).score) == ROWS


DAMAGED = base64.b64decode(
    b"UEFSMRUEFR4VIkwVBBUAEgAADzgCAAAAcTEFAAAAZXh0cmEVABUWFRosFRIVEBUGFQYcNgAoAnExGAVleHRyYRERAAAACygCAAAA"
    b"EgEBEAACARUEFWwVYkwVEBUAEgAANhABAAAAYQEFGEICAAAAZDEBBghhYgUBDBBvYy05Bg0JODEwAgAAAGQzAwAAAE5JTBUAFRwV"
    b"ICwVEhUQFQYVBhw2ACgFZG9jLTkYAUIREQAAAA40AgAAABIBAwWIxvoAAAAVBBVgFUJMFQwVABIAADAAAAUBBPS/BQcVAQQIQAkL"
    b"BPg/CQgkAEAAAAAAAADwPxUAFRwVICwVEhUQFQYVBhwYCAAAAAAAAAhAGAgAAAAAAAD0vxYAKAgAAAAAAAAIQBgIAAAAAAAA9L8R"
    b"EQAAAA40AgAAABIBAwWIJjEFAAAVBBlMNQAYBnNjaGVtYRUGABUMJQIYBXRvcGljJQBMHAAAABUMJSIYA2RvYyUATBwAAAAVCiUC"
    b"GAVzY29yZQAWEhkcGTwmABwVDBk1AAYQGRgFdG9waWMVAhYSFpQBFpwBJkYmCBw2ACgCcTEYBWV4dHJhEREAGSwVBBUAFQIAFQAV"
    b"EBUCADwWKhkGGSYAEgAAACYAHBUMGTUABhAZGANkb2MVAhYSFuYBFuABJqICJqQBHDYAKAVkb2MtORgBQhERABksFQQVABUCABUA"
    b"FRAVAgA8Fi4ZBhkmABIAAAAmABwVChk1AAYQGRgFc2NvcmUVAhYSFpYCFvwBJuIDJoQDHBgIAAAAAAAACEAYCAAAAAAAAPS/FgAo"
    b"CAAAAAAAAAhAGAgAAAAAAAD0vxERABksFQQVABUCABUAFRAVAgA8KQYZJgASAAAAFpAFFhImCBb4BAAZHBgMQVJST1c6c2NoZW1h"
    b"GKACLy8vLy85QUFBQUFRQUFBQUFBQUtBQXdBQmdBRkFBZ0FDZ0FBQUFBQkJBQU1BQUFBQ0FBSUFBQUFCQUFJQUFBQUJBQUFBQU1B"
    b"QUFCd0FBQUFPQUFBQUFRQUFBQ3MvLy8vQUFBQkF4QUFBQUFjQUFBQUJBQUFBQUFBQUFBRkFBQUFjMk52Y21VQUJnQUlBQVlBQmdB"
    b"QUFBQUFBZ0RjLy8vL0FBQUJCUkFBQUFBVUFBQUFCQUFBQUFBQUFBQURBQUFBWkc5akFNai8vLzhRQUJRQUNBQUdBQWNBREFBQUFC"
    b"QUFFQUFBQUFBQUFRVVFBQUFBSEFBQUFBUUFBQUFBQUFBQUJRQUFBSFJ2Y0dsakFBQUFCQUFFQUFRQUFBQUFBQUFBABggcGFycXVl"
    b"dC1jcHAtYXJyb3cgdmVyc2lvbiAyNi4wLjEZPBwAABwAABwAAAC1AgAAUEFSMQ=="
)
"""A file whose statistics of levels have another size than its columns."""


def test_damaged_statistics_do_not_end_the_process(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    (tmp_path / "run.parquet").write_bytes(DAMAGED)
    done = subprocess.run(
        [sys.executable, "-m", "truerank", "lint", str(tmp_path / "run.parquet")], capture_output=True, text=True
    )
    assert done.returncode in (1, 2), done.stderr
    assert "damaged or cut short" in done.stdout + done.stderr


def test_a_page_that_asks_for_more_than_memory_is_refused_in_a_line(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = pytest.importorskip("pyarrow").lib.ArrowMemoryError

    def out_of_memory(*_: object, **__: object) -> None:
        raise failed("malloc of size 1365427648 failed")

    monkeypatch.setattr(pytest.importorskip("pyarrow.parquet").ParquetFile, "read_row_group", out_of_memory)
    with pytest.raises(InputError, match=r"run.parquet: the parquet data are damaged or larger than memory \(malloc"):
        as_run(file)
