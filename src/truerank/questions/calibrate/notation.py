"""Rankings in short: 0^10 1^90 is ten documents of grade 0, then ninety of grade 1."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import groupby

from truerank.data.errors import InputError
from truerank.questions.calibrate.price import LONGEST

_REPEATED = re.compile(r"(-?\d+(?:\.\d+)?)\^(\d+)")


def grades_of(ranking: str | Iterable[float]) -> tuple[float, ...]:
    """The grades of a ranking, from rank 1 on.

    In text, ``g^n`` is n documents of grade g, and a word of digits has a document a digit; spaces part them.

    >>> grades_of("0^3 1 02^2")
    Traceback (most recent call last):
    ...
    truerank.data.errors.InputError: '02^2' is two grades or one; write 0 2^2, with a space between documents
    >>> grades_of("0^3 12 2.5^2")
    (0.0, 0.0, 0.0, 1.0, 2.0, 2.5, 2.5)
    """
    if isinstance(ranking, str):
        return _read(ranking)
    try:
        grades = tuple(float(grade) for grade in ranking)
    except (TypeError, ValueError):
        grades = (math.nan,)
    if not all(map(math.isfinite, grades)):
        raise InputError(f"a ranking is text such as '0^10 1^90', or a list of grades, not {ranking!r}")
    return grades


def in_short(grades: Iterable[float]) -> str:
    """A ranking as text that reads back.

    >>> in_short([0, 0, 0, 2, 1, 1, 0.5])
    '0^3 2 1^2 0.5^1'
    """
    runs = ((f"{grade:g}", len([*same])) for grade, same in groupby(grades))
    return " ".join(grade if count == 1 and len(grade) == 1 else f"{grade}^{count}" for grade, count in runs)


def _read(text: str) -> tuple[float, ...]:
    grades: list[float] = []
    for word in text.split():
        repeated = _REPEATED.fullmatch(word)
        if repeated is None and not re.fullmatch(r"[0-9]+", word):
            raise InputError(f"{word!r} is no part of a ranking; write grades like 0^10 1^90, 0010 or 0 0 1 0")
        if repeated is None:
            grades += map(float, word)
            continue
        grade, count = repeated.groups()
        if re.fullmatch(r"\d{2,}", grade):
            raise InputError(
                f"{word!r} is two grades or one; write {_apart(grade)}^{count}, with a space between documents"
            )
        if len(grades) + int(count) > LONGEST:
            raise InputError(f"a ranking of more than {LONGEST:,} documents is too long; repeat fewer of them")
        grades += [float(grade)] * int(count)
    return tuple(grades)


def _apart(digits: str) -> str:
    return f"{digits[:-1]} {digits[-1]}"
