"""A ranking with ties, from scores of items or from a list of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from truerank.analysis.agreement.places import Places
from truerank.data.arrays import Array, Rows
from truerank.data.errors import InputError

Rankable: TypeAlias = "Mapping[Any, Any] | Iterable[Any] | WeakOrder"
"""{item: score}, the higher the better, or items from the best on, with tied ones in a list or tuple of their own."""


@dataclass(frozen=True, eq=False)
class WeakOrder:
    """Items from the best on, with how many stand above each and how many are tied with it, itself included.

    >>> WeakOrder.of({"a": 0.2, "b": 0.9, "c": 0.2}).items
    ('b', 'a', 'c')
    >>> WeakOrder.of(["b", ("a", "c")]).above.tolist()
    [0, 1, 1]
    """

    items: tuple[Hashable, ...]
    above: Rows
    tied: Rows

    @classmethod
    def of(cls, given: Rankable, name: str = "the ranking") -> WeakOrder:
        """Take scores or a list; refused where an item stands in it twice, or a score is no number."""
        if isinstance(given, WeakOrder):
            return given
        if isinstance(given, Mapping) or (hasattr(given, "items") and hasattr(given, "keys")):
            return cls._of_scores(dict(given.items()), name)
        if isinstance(given, str | bytes) or not isinstance(given, Iterable):
            raise InputError(f"{name} is {type(given).__name__}; give {{item: score}}, or a list of items, best first")
        return cls._of_groups([_group(entry) for entry in given], name)

    @classmethod
    def _of_scores(cls, scores: dict[Hashable, Any], name: str) -> WeakOrder:
        values = _values(scores, name)
        places = Places.of(values[None, :])
        order = np.argsort(places.above[0], kind="stable")
        items = [*scores]
        return cls(tuple(items[place] for place in order), places.above[0, order], places.tied[0, order])

    @classmethod
    def _of_groups(cls, groups: list[list[Any]], name: str) -> WeakOrder:
        items = [item for group in groups for item in group]
        for item in items:
            if isinstance(item, float | np.floating):
                raise InputError(f"{name} lists the number {item}, which looks like a score; give {{item: score}}")
            if not isinstance(item, Hashable):
                raise InputError(f"{name} lists {item!r:.80}, which is no item; give text or whole numbers")
        size = np.array([len(group) for group in groups], np.int64)
        order = cls(tuple(items), np.repeat(np.cumsum(size) - size, size), np.repeat(size, size))
        if len(order.place) < len(items):
            twice = next(item for place, item in enumerate(items) if order.place[item] != place)
            raise InputError(f"{name} lists {twice!r:.80} twice; list it once")
        return order

    @cached_property
    def place(self) -> dict[Hashable, int]:
        """Where each item stands in ``items``."""
        return {item: place for place, item in enumerate(self.items)}

    def places_in(self, other: WeakOrder) -> Rows:
        """Where the items of this ranking stand in another; -1 where they do not."""
        return np.array([other.place.get(item, -1) for item in self.items], np.int64)

    def __len__(self) -> int:
        return len(self.items)


def _group(entry: Any) -> list[Any]:
    return [*entry] if isinstance(entry, list | tuple | set | frozenset) else [entry]


def _values(scores: dict[Hashable, Any], name: str) -> Array:
    """Scores as an array; whole numbers stay what they are."""
    values = np.asarray([*scores.values()] if all(map(_is_plain, scores.values())) else [])
    if len(values) == len(scores) and values.dtype.kind in "biuf" and not np.isnan(values).any():
        return values
    return np.array([_number(item, score, name) for item, score in scores.items()], np.float64)


def _is_plain(score: Any) -> bool:
    return isinstance(score, int | float | np.number | np.bool_)


def _number(item: Hashable, score: Any, name: str) -> float:
    try:
        value = np.nan if isinstance(score, str | bytes) else float(score)
    except (TypeError, ValueError, OverflowError):
        value = np.nan
    if np.isnan(value):
        raise InputError(f"the score of {item!r:.80} in {name} is {score!r:.80}; give a number, or leave the item out")
    return value
