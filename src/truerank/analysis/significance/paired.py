"""What the tests share: scores of systems on the same topics, their differences, and p-values of every pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats
from truerank.data.errors import InputError

_NOISE = 8 * np.finfo(np.float64).eps
"""Sums in another order differ by a few units in the last place; that is no difference between systems."""


_ROOM = 1 << 19
"""Numbers worked on at once."""


@dataclass(frozen=True, eq=False)
class PValues:
    """p-values of every pair of systems: symmetric, with 1 on the diagonal, never NaN."""

    test: str
    p: Floats
    notes: tuple[str, ...] = ()
    """What to know where the scores leave a test little to work with."""


def paired(scores: npt.ArrayLike) -> Floats:
    """Scores as an array (systems x topics); refused where a system has no value for a topic.

    >>> paired([[0.5, 1], [0, 0]]).shape
    (2, 2)
    """
    try:
        values = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.ndim != 2 or not values.size:
        raise InputError("systems are compared on the same topics; give one row a system and one column a topic")
    if not np.isfinite(values).all():
        system, topic = np.argwhere(~np.isfinite(values))[0].tolist()
        raise InputError(
            f"system {system} has the score {values[system, topic]} for topic {topic}; give a finite number, "
            "or leave the topic out for all systems"
        )
    return values


def differences(values: Floats) -> Iterator[Floats]:
    """For each system its scores less those of each system after it (systems x topics), free of rounding noise.

    >>> [each.tolist() for each in differences(np.array([[0.1 + 0.2, 1.0], [0.3, 0.5]]))]
    [[[0.0, 0.5]], []]
    """
    for system, own in enumerate(values):
        others = values[system + 1 :]
        difference = own - others
        difference[np.abs(difference) <= _NOISE * np.maximum(np.abs(own), np.abs(others))] = 0.0
        yield difference


def in_blocks(values: Floats) -> Iterator[Floats]:
    """``differences`` of one system after the other, many pairs at a time."""
    held: list[Floats] = []
    room = _ROOM
    for difference in differences(values):
        held.append(difference)
        room -= difference.size
        if room < 0:
            yield np.concatenate(held)
            held, room = [], _ROOM
    if held:
        yield np.concatenate(held)


def constant(values: Floats) -> npt.NDArray[np.bool_]:
    """Tell for each row whether its values are all the same, but for rounding noise."""
    spread: Floats = values.max(axis=-1) - values.min(axis=-1)
    alike: npt.NDArray[np.bool_] = spread <= _NOISE * np.maximum(np.abs(values).max(axis=-1), 1.0)
    return alike


def matrix(systems: int, rows: list[Floats]) -> Floats:
    """The p-values of each system with those after it, as a symmetric matrix.

    >>> matrix(3, [np.array([0.1, 0.2]), np.array([0.3]), np.array([])]).tolist()
    [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]]
    """
    result = np.ones((systems, systems))
    for system, p in enumerate(rows):
        result[system, system + 1 :] = result[system + 1 :, system] = p
    return result


def pairs(count: int) -> str:
    """A number of pairs in words.

    >>> pairs(1), pairs(3)
    ('1 pair', '3 pairs')
    """
    return f"{count} pair{'s' * (count != 1)}"
