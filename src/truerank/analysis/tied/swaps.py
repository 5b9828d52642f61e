"""Systems that the order of ties alone can put in the other order, and how far each usual order strays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.tied.scores import TiedScore
from truerank.statistics.pairs import EQUAL, every_pair, farthest, is_open, ordered


@dataclass(frozen=True)
class Swap:
    """Two systems that can change places by the order of ties alone."""

    measure: str
    better: str
    """The system that is better by expectation."""
    worse: str
    difference: float
    """By how much it is better."""
    ahead: float
    """By how much the other one is better, with its ties in the best order and those of the first in the worst."""
    reversed_by: tuple[str, ...]
    """Usual orders of ties under which it is better."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        names = ("measure", "better", "worse", "difference", "ahead")
        return {**{name: getattr(self, name) for name in names}, "reversed_by": " ".join(self.reversed_by)}


@dataclass(frozen=True)
class Stray:
    """How far a usual order of ties is from the mean over all orders."""

    measure: str
    order: str
    run: str
    """The run that it moves most."""
    difference: float
    """Its score in that order, less its expected score."""
    mean: float
    """The same difference, as a mean over the runs."""
    runs: int
    """Runs that have this order; not every run has a rank column."""
    pairs: int
    """Pairs of these runs of which one is better by expectation."""
    reversed: int
    """Those of which the other one is better in that order."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def swaps(scores: Mapping[str, TiedScore]) -> list[Swap]:
    """The pairs of systems that can swap by a measure, the farthest apart first.

    A system whose score is undefined swaps with no other.
    """
    names, all_ = list(scores), list(scores.values())
    if len(all_) < 2:
        return []
    measure = all_[0].measure
    sign = measure.sign
    expected, worst, best = (
        sign * np.array([getattr(score, end) for score in all_]) for end in ("expected", "worst", "best")
    )
    one, other = every_pair(len(all_))
    difference = expected[one] - expected[other]
    kept = farthest((np.abs(difference) > EQUAL) & is_open(worst, best, one, other), difference)
    better, worse = ordered(one[kept], other[kept], difference[kept])
    in_order = {order: sign * _values(all_, order) for order in orders_of(all_)}
    return [
        Swap(
            measure=str(measure),
            better=names[a],
            worse=names[b],
            difference=float(expected[a] - expected[b]),
            ahead=float(best[b] - worst[a]),
            reversed_by=tuple(order for order, value in in_order.items() if value[b] - value[a] > EQUAL),
        )
        for a, b in zip(better.tolist(), worse.tolist(), strict=True)
    ]


def strays(scores: Mapping[str, TiedScore]) -> list[Stray]:
    """How far each usual order of ties strays from the expected scores by a measure, and what it turns around."""
    names, all_ = list(scores), list(scores.values())
    found = []
    for order in orders_of(all_):
        value, expected = _values(all_, order), np.array([score.expected for score in all_])
        moved = value - expected
        known = np.flatnonzero(~np.isnan(moved))
        if not len(known):
            continue
        most = int(known[np.argmax(np.abs(moved[known]))])
        one, other = every_pair(len(known))
        before = expected[known][one] - expected[known][other]
        after = value[known][one] - value[known][other]
        strict = np.abs(before) > EQUAL
        found.append(
            Stray(
                measure=str(all_[0].measure),
                order=order,
                run=names[most],
                difference=float(moved[most]),
                mean=float(moved[known].sum() / len(known)),
                runs=len(known),
                pairs=int(strict.sum()),
                reversed=int((strict & (np.abs(after) > EQUAL) & (before * after < 0)).sum()),
            )
        )
    return found


def strict_pairs(scores: Mapping[str, TiedScore]) -> int:
    """Pairs of systems of which one is better by expectation."""
    expected = np.array([score.expected for score in scores.values()])
    one, other = every_pair(len(expected))
    return int((np.abs(expected[one] - expected[other]) > EQUAL).sum())


def orders_of(scores: Sequence[TiedScore]) -> list[str]:
    """The usual orders that some run has."""
    return list(dict.fromkeys(order for score in scores for order in score.orders))


def _values(scores: Sequence[TiedScore], order: str) -> Any:
    return np.array([score.orders.get(order, np.nan) for score in scores])
