"""Small collections, and every form that they can be written in."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import lzma
import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

Judgments = dict[str, dict[str, float]]
Lists = dict[str, dict[str, float]]
Pairs = list[tuple[str, str, str]]

DOCUMENTS = ("a", "b", "ab", "B", "é", "doc-10", "doc-9", "d1", "d2", "d3", "NIL", "x/y:z")


def judgments(rng: random.Random, topics: int | None = None, *, whole: bool = False) -> Judgments:
    """Grades, most of them whole numbers; some topics without relevant documents."""
    grades: tuple[float, ...] = (0, 0, 0, 1, 1, 2, 3) if whole else (0, 0, 1, 1, 2, 3, 0.5, -1)
    return {
        f"q{topic}": {doc: rng.choice(grades) for doc in rng.sample(DOCUMENTS, rng.randint(1, 8))}
        for topic in range(1, (topics or rng.randint(1, 4)) + 1)
    }


def lists(rng: random.Random, qrels: Judgments) -> Lists:
    """Lists with ties, unjudged documents, topics that are missing and one that nobody judged."""
    names = [topic for topic in qrels if rng.random() < 0.9] or list(qrels)
    found = {
        topic: {
            doc: rng.choice((3.0, 2.0, 2.0, 1.5, 1.0, 0.0, -1.25)) for doc in rng.sample(DOCUMENTS, rng.randint(1, 9))
        }
        for topic in names
    }
    return {**found, "extra": {"a": 1.0}} if rng.random() < 0.3 else found


def pairs(rng: random.Random) -> Pairs:
    """Preferences, some of which contradict each other."""
    return [
        (f"q{rng.randint(1, 3)}", *rng.sample(DOCUMENTS[:7], 2))  # type: ignore[misc]
        for _ in range(rng.randint(1, 12))
    ]


def number(value: float) -> str:
    """A number as people write it."""
    return str(int(value)) if value == int(value) else repr(value)


def trec_run(run: Lists) -> bytes:
    """Six columns; ranks are those of the rows."""
    rows = (
        f"{topic} Q0 {doc} {rank} {score!r} tag\n"
        for topic, docs in run.items()
        for rank, (doc, score) in enumerate(docs.items(), 1)
    )
    return "".join(rows).encode()


def trec_qrels(qrels: Judgments) -> bytes:
    """Four columns."""
    return "".join(f"{t} 0 {doc} {number(g)}\n" for t, docs in qrels.items() for doc, g in docs.items()).encode()


def trec_preferences(preferences: Pairs) -> bytes:
    """Three columns."""
    return "".join(" ".join(row) + "\n" for row in preferences).encode()


def delimited(data: Lists, value: str, mark: str = ",") -> bytes:
    """Columns with a header line."""
    out = io.StringIO()
    writer = csv.writer(out, delimiter=mark, lineterminator="\n")
    writer.writerow(("topic", "doc", value))
    writer.writerows((topic, doc, number(v)) for topic, docs in data.items() for doc, v in docs.items())
    return out.getvalue().encode()


def json_object(data: Lists, value: str) -> bytes:
    """An object of topics."""
    return json.dumps(data).encode()


def json_lines(data: Lists, value: str) -> bytes:
    """An object a line."""
    rows = ({"topic": t, "doc": doc, value: v} for t, docs in data.items() for doc, v in docs.items())
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def elastic(run: Lists) -> bytes:
    """What Elasticsearch answers, a response a topic."""
    return json.dumps(
        {
            topic: {
                "took": 3,
                "timed_out": False,
                "_shards": {"total": 1, "successful": 1, "failed": 0},
                "hits": {
                    "total": {"value": len(docs), "relation": "eq"},
                    "hits": [{"_id": doc, "_score": score} for doc, score in docs.items()],
                },
            }
            for topic, docs in run.items()
        }
    ).encode()


def plain_lists(run: Lists) -> bytes:
    """Topic and document, best first, without scores."""
    return "".join(f"{topic} {doc}\n" for topic, docs in run.items() for doc in docs).encode()


def columns(data: Lists, value: str) -> dict[str, list[Any]]:
    """Columns of a data frame."""
    rows = [(topic, doc, v) for topic, docs in data.items() for doc, v in docs.items()]
    return {"topic": [r[0] for r in rows], "doc": [r[1] for r in rows], value: [float(r[2]) for r in rows]}


def table(form: str, columns: dict[str, list[Any]]) -> Any:
    """A data frame or an Arrow table."""
    if form == "pandas":
        return import_module("pandas").DataFrame(columns)
    if form == "polars":
        return import_module("polars").DataFrame(columns, strict=False)
    return import_module("pyarrow").table(columns)


TABLES = ("pandas", "polars", "arrow")


def parquet(data: Lists, value: str) -> bytes:
    """A parquet file."""
    out = io.BytesIO()
    import_module("pyarrow.parquet").write_table(table("arrow", columns(data, value)), out)
    return out.getvalue()


def zstandard(content: bytes) -> bytes:
    """Compressed by zstd."""
    packed: bytes = import_module("zstandard").ZstdCompressor().compress(content)
    return packed


COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda content: gzip.compress(content, mtime=0),
    "bz2": bz2.compress,
    # The least effort: a dictionary for the best compression takes longer to make than most inputs to read.
    "xz": lambda content: lzma.compress(content, preset=0),
    "zst": zstandard,
}
RUN_FORMS: dict[str, Callable[[Lists], bytes]] = {
    "trec": trec_run,
    "csv": lambda run: delimited(run, "score"),
    "tsv": lambda run: delimited(run, "score", "\t"),
    "json": lambda run: json_object(run, "score"),
    "jsonl": lambda run: json_lines(run, "score"),
    "elastic": elastic,
    "list": plain_lists,
    "parquet": lambda run: parquet(run, "score"),
}
QRELS_FORMS: dict[str, Callable[[Judgments], bytes]] = {
    "trec": trec_qrels,
    "csv": lambda qrels: delimited(qrels, "grade"),
    "tsv": lambda qrels: delimited(qrels, "grade", "\t"),
    "json": lambda qrels: json_object(qrels, "grade"),
    "jsonl": lambda qrels: json_lines(qrels, "grade"),
    "parquet": lambda qrels: parquet(qrels, "grade"),
}
PREFERENCE_FORMS: dict[str, Callable[[Pairs], bytes]] = {
    "trec": trec_preferences,
    "signs": lambda rows: "".join(f"{t} {a} > {b}\n" for t, a, b in rows).encode(),
    "relations": lambda rows: "".join(f"{t} {a} {b} -1\n" for t, a, b in rows).encode(),
    "csv": lambda rows: ("topic,better,worse\n" + "".join(",".join(row) + "\n" for row in rows)).encode(),
    "json": lambda rows: json.dumps([{"topic": t, "better": a, "worse": b} for t, a, b in rows]).encode(),
}
