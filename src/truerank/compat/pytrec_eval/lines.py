"""pytrec_eval's readers of lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from truerank.data.errors import InputError


class RepeatedError(InputError, AssertionError):
    """A document stands twice in a topic; an AssertionError in pytrec_eval."""


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores in lines of topic, Q0, document, rank, score and name.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parsed(f_run, 6, 4, float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grades in lines of topic, iteration, document and grade.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    return _parsed(f_qrel, 4, 3, int)


def _parsed(lines: Iterable[str], width: int, column: int, number: type[Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for place, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != width:
            raise InputError(f"there are {len(fields)} fields: {line.strip()!r:.80}; give {width}", None, place)
        topic, doc = fields[0], fields[2]
        if doc in found[topic]:
            raise RepeatedError(f"document {doc!r} stands twice in topic {topic!r}; keep one of the two", None, place)
        try:
            found[topic][doc] = number(fields[column])
        except ValueError:
            kind = "a whole number" if number is int else "a number"
            raise InputError(f"{fields[column]!r} is not {kind}; correct column {column + 1}", None, place) from None
    return found
