"""Identifiers as people read them."""

from __future__ import annotations

_LONGEST = 80


def shown(identifier: bytes) -> str:
    """Return an identifier in quotes, cut where it is very long.

    >>> shown(b"FT911-3")
    "'FT911-3'"
    """
    text = identifier.decode("utf-8", "replace")
    return repr(text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}...")
