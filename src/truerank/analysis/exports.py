"""Scores as records and as columns, and the data frames and tables that other libraries make of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.data.errors import InputError
from truerank.io.writing import put

if TYPE_CHECKING:
    from truerank.analysis.scores import Score, Scores

TEXT = ("run", "measure", "topic")
NUMBERS = ("value", "low", "high")


def records(scores: Scores, *, per_topic: bool) -> list[dict[str, Any]]:
    """One record a run and measure, whose topic is "all"; before it one a topic, if asked for."""
    bounded = scores.bounded
    return [
        record
        for name, run in scores.runs.items()
        for measure, score in run.items()
        for record in _records(name, measure, score, per_topic=per_topic, bounded=bounded)
    ]


def columns(scores: Scores, *, per_topic: bool) -> dict[str, list[Any]]:
    """The records column by column; bounds have columns where there are any."""
    rows = records(scores, per_topic=per_topic)
    numbers = NUMBERS if scores.bounded else NUMBERS[:1]
    text = {name: [readable(row[name]) for row in rows] for name in TEXT}
    return {**text, **{name: [row[name] for row in rows] for name in numbers}}


def to_pandas(scores: Scores, *, per_topic: bool) -> Any:
    """The columns as a DataFrame of pandas; a bound that is not there is NaN."""
    pandas = library("pandas", "to_pandas")
    found = columns(scores, per_topic=per_topic)
    return pandas.DataFrame(
        {name: np.array(found[name], dtype=np.float64) if name in NUMBERS else found[name] for name in found}
    )


def to_polars(scores: Scores, *, per_topic: bool) -> Any:
    """The columns as a DataFrame of polars; a bound that is not there is null."""
    polars = library("polars", "to_polars")
    found = columns(scores, per_topic=per_topic)
    schema = {name: polars.Float64 if name in NUMBERS else polars.String for name in found}
    return polars.DataFrame(found, schema=schema)


def to_arrow(scores: Scores, *, per_topic: bool) -> Any:
    """The columns as a Table of pyarrow; a bound that is not there is null."""
    pyarrow = library("pyarrow", "to_arrow")
    found = columns(scores, per_topic=per_topic)
    schema = pyarrow.schema([(name, pyarrow.float64() if name in NUMBERS else pyarrow.string()) for name in found])
    return pyarrow.table(found, schema=schema)


def written(text: str, path: str | os.PathLike[str] | None) -> str | None:
    """Write text to a file and return None; without a path, return the text."""
    if path is None:
        return text
    try:
        put(text.encode("utf-8", "surrogateescape"), path)
    except OSError as error:
        raise InputError(f"not writable ({error.strerror}); give another path", os.fspath(path)) from None
    return None


def readable(text: str) -> str:
    """Text that any library takes; bytes of an id that are not UTF-8 are written in hexadecimal."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")


def library(name: str, wanted: str) -> Any:
    """A library that is not always there, or an ImportError that names it."""
    try:
        return import_module(name)
    except ImportError:
        raise ImportError(f"{wanted} needs {name}; install it with: pip install {name}") from None


def _records(run: str, measure: str, score: Score, *, per_topic: bool, bounded: bool) -> Iterator[dict[str, Any]]:
    rows: list[tuple[str, float, float | None, float | None]] = []
    if per_topic:
        low = [None] * len(score.topics) if score.low_values is None else score.low_values.tolist()
        high = [None] * len(score.topics) if score.high_values is None else score.high_values.tolist()
        rows.extend(zip(score.topics, score.values.tolist(), low, high, strict=True))
    rows.append(("all", score.mean, score.low, score.high))
    for topic, value, least, most in rows:
        record: dict[str, Any] = {"run": run, "measure": measure, "topic": topic, "value": value}
        yield {**record, "low": least, "high": most} if bounded else record
