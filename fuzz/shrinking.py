"""Smaller inputs that show the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from fuzz.case import Case


def shrunk(case: Case, shows: Callable[[Case], bool], seconds: float = 15.0) -> Case:
    """The smallest case within reach that still shows it, leaving out one thing after the other."""
    end = time.monotonic() + seconds
    found = True
    while found:
        found = False
        for candidate in smaller(case):
            if time.monotonic() > end:
                return case
            if candidate.size < case.size and shows(candidate):
                case, found = candidate, True
                break
    return case


def smaller(case: Case) -> Iterator[Case]:
    """Cases with something left out, large pieces first."""
    for name, content in case.files.items():
        for mark in (b"\n", b" ", b""):
            for shorter in _less(content, mark):
                yield replace(case, files={**case.files, name: shorter})
    for given in _without(case.given):
        yield replace(case, given=given)


def _less(content: bytes, mark: bytes) -> Iterator[bytes]:
    parts = content.split(mark) if mark else [content[i : i + 1] for i in range(len(content))]
    size = len(parts) // 2
    while size:
        for begin in range(0, len(parts), size):
            yield mark.join(parts[:begin] + parts[begin + size :])
        size = size // 2 if len(parts) < 2000 or size > 50 else 0


def _without(value: Any, top: bool = True) -> Iterator[Any]:
    """A value with an entry left out, however deep; names at the top are what a target asks for and stay."""
    if isinstance(value, dict):
        if not top:
            yield from ({k: v for k, v in value.items() if k != key} for key in value)
        for key, inside in value.items():
            yield from ({**value, key: less} for less in _without(inside, False))
    elif isinstance(value, list):
        for at, inside in enumerate(value):
            yield [*value[:at], *value[at + 1 :]]
            yield from ([*value[:at], less, *value[at + 1 :]] for less in _without(inside, False))
    elif isinstance(value, str) and len(value) > 1:
        half = len(value) // 2
        yield from (value[half:], value[:half], value[1:], value[:-1])
