"""Reading a run from tables, against reading it from a TREC file: the first read of a fresh process."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.workloads import FOLDER, WORKLOADS

_COLUMNS = ("query_id", "q0", "doc_id", "rank", "score", "tag")
WANTED = ("query_id", "doc_id", "score")


def tables(name: str, repeat: int) -> dict[str, float]:
    """Seconds of each way to give a run, the best of several processes."""
    WORKLOADS[name].make()
    for library in ("pyarrow", "polars"):
        if not _parquet(name, library).exists():
            subprocess.run([sys.executable, "-m", "benchmarks.tables", name, f"write {library}"], check=True)
    # Round by round, so that a slow moment of the machine falls on all.
    rounds = [{way: _timed(name, way) for way in WAYS} for _ in range(repeat)]
    return {way: min(one[way] for one in rounds) for way in WAYS}


def _timed(name: str, way: str) -> float:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.tables", name, way], check=True, capture_output=True, text=True
    )
    return float(done.stdout)


def _parquet(name: str, library: str) -> Path:
    return FOLDER / f"{name}.{library}.parquet"


def _arrow(name: str) -> Any:
    import pyarrow.csv as text  # type: ignore[import-untyped]

    return text.read_csv(
        WORKLOADS[name].runs[0],
        read_options=text.ReadOptions(column_names=_COLUMNS),
        parse_options=text.ParseOptions(delimiter=" "),
        convert_options=text.ConvertOptions(
            column_types={"query_id": "string", "doc_id": "string", "score": "float64"}, include_columns=WANTED
        ),
    )


def _polars(name: str) -> Any:
    import polars

    return polars.from_arrow(_arrow(name))


def _coded(name: str) -> Any:
    table = _arrow(name)
    return table.set_column(0, "query_id", table.column("query_id").dictionary_encode())


def _integers(name: str) -> Any:
    table = _arrow(name)
    for place, column in enumerate(WANTED[:2]):
        table = table.set_column(place, column, table.column(column).cast("int64"))
    return table


def _reader(library: str) -> Callable[[str], Any]:
    def prepared(name: str) -> Any:
        # Importing the library is its own matter, as importing numpy is ours.
        __import__("pyarrow.parquet" if library == "pyarrow" else library)
        return _Opened(str(_parquet(name, library)), library)

    return prepared


class _Opened:
    """A parquet file and the library to read it with."""

    def __init__(self, path: str, library: str) -> None:
        self.path, self.library = path, library


WAYS: dict[str, Callable[[str], Any]] = {
    "TREC file": lambda name: WORKLOADS[name].runs[0],
    "parquet, pyarrow": _reader("pyarrow"),
    "parquet, polars": _reader("polars"),
    "polars DataFrame": _polars,
    "polars, one piece": lambda name: _polars(name).rechunk(),
    "pyarrow Table": _arrow,
    "pyarrow, coded topics": _coded,
    "pyarrow, integers": _integers,
    "pandas": lambda name: _arrow(name).to_pandas(),
    "pandas, objects": lambda name: _arrow(name).to_pandas().astype({"query_id": object, "doc_id": object}),
}
"""What a run may be given as; making it is not timed."""


def _once(name: str, way: str) -> None:
    """Do one thing, in a process of its own."""
    if way == "write pyarrow":
        import pyarrow.parquet  # type: ignore[import-untyped]

        pyarrow.parquet.write_table(_arrow(name), _parquet(name, "pyarrow"))
        return
    if way == "write polars":
        _polars(name).write_parquet(_parquet(name, "polars"))
        return
    from truerank.io.load import as_run
    from truerank.io.parquet import open_parquet

    data = WAYS[way](name)
    as_run([("q1", "d1", 1.0)])
    begin = time.perf_counter()
    run = as_run(open_parquet(data.path, data.library) if isinstance(data, _Opened) else data)
    seconds = time.perf_counter() - begin
    if len(run) != WORKLOADS[name].topics * WORKLOADS[name].depth:
        raise RuntimeError(f"{way} gave {len(run)} rows")
    print(seconds)


if __name__ == "__main__":
    _once(*sys.argv[1:])
