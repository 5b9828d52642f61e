"""JSON, as one document or with a document a line, into Python data."""

from __future__ import annotations

import gc
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from truerank.data.errors import InputError
from truerank.io.encoding import BOM
from truerank.io.rows import Line
from truerank.io.source import Source

_BETWEEN = re.compile(r"[ \t\r\n]*")


def read_json(source: Source) -> tuple[Any, Line | None]:
    """Return what a file holds, and what tells the line of each of its rows; None where it is one document.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> data, line = read_json(open_source(io.StringIO('["q1", "d1", 0.5]\\n\\n["q1", "d2", 0.4]')))
    >>> data[1], line(1)
    (['q1', 'd2', 0.4], 3)
    """
    text = source.text.tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    with _garbage_collection_paused():
        return _by_line(text) or _one_by_one(text)


def _by_line(text: str) -> tuple[Any, Line | None] | None:
    """Read documents that stand a line each all at once; None where they do not, or something is wrong."""
    first, _, more = text.lstrip().partition("\n")
    if not more.strip() or not first.rstrip().endswith(("}", "]")):
        return None
    lines = text.split("\n")
    filled = [place for place, line in enumerate(lines, 1) if line and not line.isspace()]
    try:
        documents = _DECODER.decode(f"[{','.join([lines[place - 1] for place in filled])}]")
    except (ValueError, RecursionError):
        return None
    return (documents, filled.__getitem__) if len(documents) == len(filled) > 1 else None


def _one_by_one(text: str) -> tuple[Any, Line | None]:
    """Read one document after the other, and say where one is wrong."""
    decode = _DECODER.raw_decode
    documents, begins = [], []
    place = _after(text, 0)
    while place < len(text):
        begins.append(place)
        try:
            document, end = decode(text, place)
        except json.JSONDecodeError as error:
            raise _refused(error.msg, error.lineno) from None
        except InputError as error:
            raise InputError(error.message, None, _line(text, place) if place else None) from None
        except RecursionError:
            raise _refused("it is nested too deeply", _line(text, place)) from None
        except ValueError:
            raise _refused("a whole number has thousands of digits", _line(text, place)) from None
        documents.append(document)
        place = _after(text, end)
        if place < len(text) and text.find("\n", end, place) < 0:
            raise _refused("something follows on the same line", _line(text, place))
    if not documents:
        raise InputError("the file holds nothing; give JSON with at least one topic")
    if len(documents) == 1:
        return documents[0], None
    return documents, lambda row: _line(text, begins[row])


def _after(text: str, place: int) -> int:
    found = _BETWEEN.match(text, place)
    return found.end() if found else place


def _line(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def _distinct(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make a dict; a name that comes twice would lose the first of its values without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        raise InputError(f"the name {twice!r:.80} comes twice in one object; keep one of the two")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_distinct)


@contextmanager
def _garbage_collection_paused() -> Iterator[None]:
    """No garbage collection: parsing makes millions of objects, none of them garbage, and each run looks at all."""
    watched = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if watched:
            gc.enable()


def _refused(what: str, line: int) -> InputError:
    return InputError(f"this is not JSON ({what}); mend it, or give a file that is complete", None, line)
