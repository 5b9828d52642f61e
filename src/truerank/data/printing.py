"""Identifiers and numbers as people read them."""

from __future__ import annotations

_LONGEST = 80


def shown(identifier: bytes) -> str:
    """Return an identifier in quotes, cut where it is very long.

    >>> shown(b"FT911-3")
    "'FT911-3'"
    """
    text = identifier.decode("utf-8", "replace")
    return repr(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number of things in words; ``plural`` where it is not the noun with an s.

    >>> counted(1, "topic"), counted(12000, "line"), counted(2, "query", "queries")
    ('1 topic', '12,000 lines', '2 queries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"
