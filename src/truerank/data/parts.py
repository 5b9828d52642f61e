"""Parts: what is kept of a run, small enough to send from one process to another; parts of its topics make it up."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, replace
from typing import Any, Literal, TypeVar

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.notes import CountNote

P = TypeVar("P", bound="Part")


Merge = Literal["per topic", "sum", "min", "max", "union", "concat", "tally"]
"""How the fields of parts are merged: "per topic", an array, or a dict of arrays, whose first axis is the topics of the
part, or None; "sum", "min" and "max" of numbers, or of dicts of them; "union", a tuple of what any of the parts has,
each once; "concat", an array of things that have no place in a topic; "tally", counts of any length, place by place."""


def part_field(*, merge: Merge, **more: Any) -> Any:
    """A field of a part, with how those of a run's parts are merged."""
    return field(metadata={"merged": _MERGES[merge]}, **more)


@dataclass(frozen=True, eq=False, kw_only=True)
class Part:
    """What is kept of a run, or of some of its topics.

    Fields that are declared with ``part_field`` say how they are merged; parts inside a part are merged themselves, and
    all others are the same in every part of a run.
    """

    topics: Rows
    """Indexes in the judgments of the topics that it is about, ascending."""


def merged(parts: Sequence[P]) -> P:
    """The part of a run that some parts make up, each about topics of its own; in whatever order they come.

    >>> @dataclass(frozen=True, eq=False, kw_only=True)
    ... class Found(Part):
    ...     values: np.ndarray = part_field(merge="per topic")
    ...     documents: int = part_field(merge="sum")
    >>> one = Found(topics=np.array([0, 2]), values=np.array([0.5, 0.25]), documents=3)
    >>> other = Found(topics=np.array([1]), values=np.array([1.0]), documents=1)
    >>> both = merged([other, one])
    >>> both.topics.tolist(), both.values.tolist(), both.documents
    ([0, 1, 2], [0.5, 1.0, 0.25], 4)
    """
    first = parts[0]
    if len(parts) == 1:
        return first
    topics = np.concatenate([part.topics for part in parts])
    order = np.argsort(topics, kind="stable")
    found: dict[str, Any] = {"topics": topics[order]}
    for each in fields(first):
        if each.name != "topics":
            how: Callable[[list[Any], Rows], Any] = each.metadata.get("merged", _same)
            found[each.name] = how([getattr(part, each.name) for part in parts], order)
    return replace(first, **found)


def _by_topic(values: list[Any], order: Rows) -> Any:
    if isinstance(values[0], dict):
        return {key: _by_topic([each[key] for each in values], order) for key in values[0]}
    return None if values[0] is None else np.concatenate(values)[order]


def _sum(values: list[Any], order: Rows) -> Any:
    if isinstance(values[0], dict):
        return {key: sum(each[key] for each in values) for key in values[0]}
    return sum(values)


def _union(values: list[Any], order: Rows) -> Any:
    """Each once, in an order that every part has them in; counts of the same are added."""
    found: dict[object, Any] = {}
    for each in values:
        known = {item.subject if isinstance(item, CountNote) else item: item for item in each}
        for key, item in known.items():
            if key in found and isinstance(item, CountNote):
                found[key] = found[key].plus(item)
        # What is new stands before what follows it here.
        new = [key for key in known if key not in found]
        for key in new:
            behind = [*known][[*known].index(key) + 1 :]
            after = next((place for place, other in enumerate(found) if other in behind), len(found))
            items = [*found.items()]
            found = dict([*items[:after], (key, known[key]), *items[after:]])
    return tuple(found.values())


def _tally(values: list[Any], order: Rows) -> Any:
    total = np.zeros(max(map(len, values)), np.int64)
    for counts in values:
        total[: len(counts)] += counts
    return total


def _same(values: list[Any], order: Rows) -> Any:
    first = values[0]
    if isinstance(first, Part):
        return merged(values)
    if isinstance(first, Mapping):
        return {key: _same([each[key] for each in values], order) for key in first}
    return first


_MERGES: Mapping[Merge, Callable[[list[Any], Rows], Any]] = {
    "per topic": _by_topic,
    "sum": _sum,
    "min": lambda values, order: min(values),
    "max": lambda values, order: max(values),
    "union": _union,
    "concat": lambda values, order: np.concatenate(values),
    "tally": _tally,
}
