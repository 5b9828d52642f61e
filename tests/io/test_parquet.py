"""Parquet files that would become more than a small file should: refused before they are read."""

from __future__ import annotations

import io
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
