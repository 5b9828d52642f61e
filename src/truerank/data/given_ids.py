"""Ids in the type that they were given in: inside all are text, and whole numbers stay known as such.

An id that was given as a whole number is bytes or text of a class of its own, which goes wherever the id goes and
changes nothing that is written; ``as_given`` turns a column of them back into numbers for those who ask in Python.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

V = TypeVar("V")


class NumberId(bytes):
    """An id that was given as a whole number, as bytes."""

    __slots__ = ()


class NumberName(str):
    """The same as text."""

    __slots__ = ()


def text(identifier: bytes) -> str:
    """An identifier as text; bytes that are not UTF-8 survive.

    >>> text(b"q1"), as_given([text(NumberId(b"7"))])
    ('q1', [7])
    """
    found = identifier.decode("utf-8", "surrogateescape")
    return NumberName(found) if isinstance(identifier, NumberId) else found


def are_numbers(names: Iterable[Any], summary: str = "") -> bool:
    """Whether ids in words were all given as whole numbers; some may be missing, or be what a ``summary`` is called."""
    some = False
    for name in names:
        if isinstance(name, NumberName):
            some = True
        elif name is not None and (not summary or name != summary):
            return False
    return some


def as_given(names: Sequence[Any], summary: str = "") -> list[Any]:
    """Ids in words as they were given: as whole numbers, if all were; other things as they are.

    >>> as_given([NumberName("7"), None, "all"], summary="all"), as_given([NumberName("7"), "d8"])
    ([7, None, 'all'], ['7', 'd8'])
    """
    if are_numbers(names, summary):
        return [int(name) if isinstance(name, NumberName) else name for name in names]
    return [str(name) if isinstance(name, NumberName) else name for name in names]


class ByTopic(dict[Any, V]):
    """Something of each topic, by its id as that was given; an id is found as a whole number and as text.

    >>> values = ByTopic(zip([NumberName("7"), NumberName("8")], [0.5, 1.0]))
    >>> values, values[7], values["7"], "9" in values, values.get("8")
    ({7: 0.5, 8: 1.0}, 0.5, 0.5, False, 1.0)
    """

    def __init__(self, pairs: Iterable[tuple[str, V]] = ()) -> None:
        found = dict(pairs)
        super().__init__(zip(as_given([*found]), found.values(), strict=True))

    def __missing__(self, topic: Any) -> V:
        other = _otherwise(topic)
        if other is None or not super().__contains__(other):
            raise KeyError(topic)
        return self[other]

    def __contains__(self, topic: object) -> bool:
        return super().__contains__(topic) or super().__contains__(_otherwise(topic))

    def get(self, topic: Any, default: Any = None) -> Any:
        """The value of a topic, or another where there is none."""
        try:
            return self[topic]
        except KeyError:
            return default

    def __reduce__(self) -> Any:
        # Keys that are numbers by now come back as they are.
        return _restored, (dict(self),)


def _restored(found: dict[Any, V]) -> ByTopic[V]:
    values: ByTopic[V] = ByTopic()
    values.update(found)
    return values


def _otherwise(topic: object) -> object:
    """A whole number as text, and text that is one as a number; None for anything else."""
    if isinstance(topic, str):
        number = topic[1:] if topic.startswith("-") else topic
        # Only what a number is written as: 7 is not called 07.
        is_number = number.isascii() and number.isdigit() and (number == "0" or number[0] != "0") and topic != "-0"
        return int(topic) if is_number and len(topic) <= _LONGEST else None
    return str(topic) if hasattr(topic, "__index__") and not isinstance(topic, bool) else None


_LONGEST = 40
"""Digits past which no id is a number."""
