"""What stands behind the dot of ``-m name.parameters``, read as leniently as C reads numbers."""

from __future__ import annotations

import re

from truerank.data.errors import InputError

Pairs = tuple[tuple[str, float], ...]
GainPairs = tuple[tuple[float, float], ...]

_WHOLE = re.compile(r"\s*([+-]?\d+)")
_DECIMAL = re.compile(r"\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)")
_PAIRS = re.compile(r"[^=,]*=[^=,]*(?:,[^=,]*=[^=,]*)*")


def whole(text: str) -> int:
    """The whole number that a text begins with, 0 where it begins with none.

    >>> whole("23.4"), whole("-2"), whole("ten")
    (23, -2, 0)
    """
    found = _WHOLE.match(text)
    return int(found.group(1)) if found else 0


def decimal(text: str) -> float:
    """The number that a text begins with, 0 where it begins with none.

    >>> decimal(".25"), decimal("1e-3x"), decimal("p")
    (0.25, 0.001, 0.0)
    """
    found = _DECIMAL.match(text)
    return float(found.group(1)) if found else 0.0


def cutoffs(text: str) -> tuple[int, ...]:
    """Depths in increasing order.

    >>> cutoffs("10,5")
    (5, 10)
    """
    found = sorted(whole(part) for part in text.split(","))
    if found[0] <= 0:
        raise InputError(f"cutoffs are whole numbers above 0, not {text!r}")
    return _once(found, text)


def levels(text: str) -> tuple[float, ...]:
    """Numbers in increasing order, each once."""
    return _once(sorted(decimal(part) for part in text.split(",")), text)


def weights(text: str) -> tuple[float, ...]:
    """Numbers in the order given.

    >>> weights("2,-1,0,0")
    (2.0, -1.0, 0.0, 0.0)
    """
    return tuple(decimal(part) for part in text.split(","))


def pairs(text: str) -> Pairs:
    """Named numbers.

    >>> pairs("1=3,p=0.8")
    (('1', 3.0), ('p', 0.8))
    """
    if not _PAIRS.fullmatch(text):
        raise InputError(f"parameters are pairs such as 1=3,2=9, not {text!r}")
    return tuple((name, decimal(value)) for name, _, value in (part.partition("=") for part in text.split(",")))


def gains_of(pairs: Pairs) -> GainPairs | None:
    """Gains by grade; of a grade named twice the first gain counts, and what is no grade is passed over.

    >>> gains_of((("1", 3.0), ("p", 0.8), ("1", 4.0)))
    ((1, 3.0),)
    """
    gains = {int(name): value for name, value in reversed(pairs) if re.fullmatch(r"[+-]?\d+", name)}
    for grade, value in gains.items():
        if value < 0 or (grade < 0 and value):
            raise InputError(f"grade {grade} has gain {value:g}; give grades from 0 on gains from 0 on")
    return tuple(sorted(gains.items())) or None


def _once(numbers: list[float] | list[int], text: str) -> tuple[int, ...]:
    if len(set(numbers)) < len(numbers):
        raise InputError(f"a cutoff is given twice in {text!r}; give each once")
    return tuple(numbers)  # type: ignore[arg-type]
