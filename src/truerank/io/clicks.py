"""Click logs: what was shown for a query, in which order, and what was clicked."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from truerank.data.errors import InputError, about
from truerank.data.printing import readable
from truerank.io.encoding import BOM
from truerank.io.json_text import read_json
from truerank.io.lines import text_lines, words
from truerank.io.source import Source, open_source

_NAMES = {
    "topic": ("topic", "query", "qid", "query_id", "topic_id"),
    "ranking": ("ranking", "shown", "results", "docs", "documents"),
    "clicked": ("clicked", "clicks", "click", "is_click"),
    "doc": ("doc", "docid", "doc_id", "docno", "document", "document_id", "url"),
    "rank": ("rank", "position"),
    "impression": ("impression", "impression_id", "session", "session_id"),
}
"""Names that fields and columns go by."""
_SEEN = ("1", "true", "yes")
_UNSEEN = ("0", "false", "no", "")


class Impression(NamedTuple):
    """A ranking that somebody was shown, and their clicks."""

    topic: str
    docs: tuple[str, ...]
    """As they were shown, from the top."""
    clicked: tuple[int, ...]
    """Places of clicked documents in ``docs``, in the order of the clicks where that is known; each once."""


def read_clicks(data: Any) -> list[Impression]:
    """Read a click log: a path, an open file, or rows of (topic, ranking, clicked documents), or mappings.

    >>> read_clicks([("q1", ["a", "b", "c"], ["c", "a"])])
    [Impression(topic='q1', docs=('a', 'b', 'c'), clicked=(2, 0))]
    """
    if isinstance(data, str | os.PathLike | Source) or hasattr(data, "read"):
        source = open_source(data)
        with about(source.name):
            found = list(_of_text(source))
        if not found:
            raise InputError("there are no rows; give a line for each ranking that was shown", source.name)
        return found
    if isinstance(data, Mapping) or not isinstance(data, Iterable):
        raise InputError("a click log is a file, or rows of (topic, ranking, clicked documents); give one of these")
    found = [_of_row(row, None) for row in data]
    if not found:
        raise InputError("there are no rows; give one for each ranking that was shown")
    return found


def _of_text(source: Source) -> Iterator[Impression]:
    text = source.text.tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    if text.lstrip()[:1] in ("{", "["):
        rows, line_of = read_json(source)
        rows = [rows] if isinstance(rows, Mapping) else rows
        yield from (_of_row(row, line_of(place) if line_of else None) for place, row in enumerate(rows))
        return
    lines = text_lines(text)
    first = next((line for line in lines if line.strip()), "")
    comma = "," if "\t" not in first else "\t"
    head = [name.strip().lower() for name in next(csv.reader([first], delimiter=comma), [])]
    if {_role(name) for name in head} >= {"topic", "doc", "clicked"}:
        yield from _of_columns(lines, head, comma)
        return
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.rstrip("\r").split("\t")
        if len(fields) not in (2, 3):
            raise InputError(
                f"{len(fields)} fields between tabs; write topic, ranking and clicked documents, with spaces or "
                "commas between documents, or JSON lines",
                None,
                number,
            )
        if number == 1 and _role(fields[0].lower()) == "topic" and _role(fields[1].lower()) == "ranking":
            continue
        yield _impression(fields[0], _listed(fields[1]), _listed("".join(fields[2:])), number)


def quoted(text: object) -> str:
    """What stands there, in quotes."""
    return repr(readable(str(text)))


def _role(name: str) -> str:
    return next((role for role, names in _NAMES.items() if name in names), "")


def _listed(text: str) -> list[str]:
    """Documents between spaces; between commas where there is no space."""
    found = words(text)
    return [doc for doc in found[0].split(",") if doc] if len(found) == 1 else [doc.rstrip(",") for doc in found]


def _of_row(row: Any, line: int | None) -> Impression:
    if isinstance(row, Mapping):
        by_role = {_role(str(name).lower()): value for name, value in row.items()}
        missing = [role for role in ("topic", "ranking", "clicked") if role not in by_role]
        if missing:
            raise InputError(
                f"no {' and no '.join(missing)}; name them topic, ranking and clicked, or as in "
                f"{', '.join(_NAMES[missing[0]])}",
                None,
                line,
            )
        row = [by_role[role] for role in ("topic", "ranking", "clicked")]
    if isinstance(row, str) or not isinstance(row, Sequence) or len(row) != 3:
        raise InputError(f"{quoted(row)} is no row; write topic, ranking and clicked documents", None, line)
    topic, ranking, clicked = row
    for what, given in (("ranking", ranking), ("clicked", clicked)):
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise InputError(f"{what} is {quoted(given)}; give a list of documents", None, line)
    return _impression(str(topic), [str(doc) for doc in ranking], [str(doc) for doc in clicked], line)


def _impression(topic: str, docs: Sequence[str], clicked: Sequence[str], line: int | None) -> Impression:
    place = {doc: number for number, doc in enumerate(docs)}
    if len(place) < len(docs):
        twice = next(doc for number, doc in enumerate(docs) if place[doc] != number)
        raise InputError(f"document {quoted(twice)} is shown twice; list each once", None, line)
    unknown = next((doc for doc in clicked if doc not in place), None)
    if unknown is not None:
        raise InputError(
            f"{quoted(unknown)} was clicked and is not in the ranking; list all that was shown, by the same ids",
            None,
            line,
        )
    return Impression(topic, tuple(docs), tuple(dict.fromkeys(place[doc] for doc in clicked)))


def _of_columns(lines: list[str], head: list[str], comma: str) -> Iterator[Impression]:
    """A row a document that was shown: those of one impression together, or where there is none, down to a new top."""
    at = {_role(name): number for number, name in enumerate(head)}
    held: list[tuple[str, str, float, bool]] = []
    begun = 0
    for number, row in enumerate(csv.reader(lines, delimiter=comma), 1):
        if not any(cell.strip() for cell in row) or [cell.strip().lower() for cell in row] == head:
            continue
        if len(row) != len(head):
            raise InputError(f"{len(row)} fields; the first line names {len(head)}", None, number)
        said = row[at["clicked"]].strip().lower()
        if said not in (*_SEEN, *_UNSEEN):
            raise InputError(f"clicked is {quoted(said)}; write 1 or 0", None, number)
        try:
            rank = float(row[at["rank"]]) if "rank" in at else float(len(held) + 1)
        except ValueError:
            raise InputError(f"rank is {quoted(row[at['rank']])}; write a number", None, number) from None
        key = f"{row[at['impression']]}\t{row[at['topic']]}" if "impression" in at else row[at["topic"]]
        again = "impression" not in at and "rank" in at and held and rank <= held[-1][2]
        if held and (key != held[0][0] or again):
            yield _together(held, begun)
            held = []
        if not held:
            begun = number
        held.append((key, row[at["doc"]], rank, said in _SEEN))
    if held:
        yield _together(held, begun)


def _together(held: Sequence[tuple[str, str, float, bool]], line: int) -> Impression:
    shown = sorted(held, key=lambda row: row[2])
    topic = held[0][0].rpartition("\t")[2]
    return _impression(topic, [row[1] for row in shown], [row[1] for row in shown if row[3]], line)
