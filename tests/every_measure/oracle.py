"""The table of measures under conventions, slowly, against which the whole of truerank is held.

Nothing here imports truerank. Conventions are taken literally: ties by going through every order, unjudged documents by
dropping or grading them, an ending by appending its document.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

from .definitions import Gain, Grade, Listing, binary, graded, information
from .table import MEASURES

Groups = list[list[tuple[str, Grade]]]
"""Tie groups, best first, each of documents with grades."""


@dataclass(frozen=True)
class Choice:
    ties: str = "expected"
    unjudged: str = "nonrelevant"
    ending: str = "none"
    relevant: str = "judgments"
    negative: str = "judged"


@dataclass(frozen=True)
class Collection:
    qrels: dict[str, dict[str, float]]
    run: dict[str, dict[str, float]]
    others: tuple[dict[str, dict[str, float]], ...] = ()
    """Further runs that contributed to the pool."""

    @property
    def top(self) -> float:
        return max([0.0, *(g for topic in self.qrels.values() for g in topic.values())])

    @property
    def levels(self) -> set[float]:
        return {g for topic in self.qrels.values() for g in topic.values()}


@dataclass(frozen=True)
class Value:
    value: float
    low: float | None = None
    high: float | None = None


def tie_groups(qrels: Mapping[str, float], run: Mapping[str, float]) -> Groups:
    scores = sorted(set(run.values()), reverse=True)
    return [[(doc, qrels.get(doc)) for doc, s in run.items() if s == score] for score in scores]


def arranged(groups: Groups, ties: str) -> Groups:
    """Singletons in the order that a policy picks; as they are where it goes by what orders are worth."""
    if ties in ("docid", "docid-asc"):
        flip = ties == "docid"
        return [[d] for g in groups for d in sorted(g, key=lambda d: d[0].encode(), reverse=flip)]
    return [[d] for g in groups for d in g] if ties == "input" else groups


def orders(groups: Groups) -> Iterator[tuple[Grade, ...]]:
    """Every order that differs in grades; each stands for as many orders of documents."""
    each = [sorted(set(permutations(g for _, g in group)), key=str) for group in groups]
    for choice in product(*each):
        yield tuple(g for part in choice for g in part)


def gain_map(name: str, params: Mapping[str, Any], top: float) -> Gain:
    scale = MEASURES[name].scale
    if scale is None:
        return binary(params.get("rel") or 1)
    return graded(scale, top, **{p: v for p, v in params.items() if p in ("rel", "gains", "max_rel", "dcg")})


def best_grade(name: str, params: Mapping[str, Any], collection: Collection) -> float:
    """The grade that an unjudged document might have: the top one, or what an own gain map values most up to it.

    It is 1 where nothing is relevant.
    """
    top = collection.top
    if params.get("rel") is None and params.get("max_rel") is not None:
        top = params["max_rel"]
    gain, named = gain_map(name, params, collection.top), params.get("gains") or {}
    possible = {g for g in collection.levels | set(named) | {top} if 0 < g <= top}
    return max(possible, key=lambda g: (gain(g), g), default=1.0)


def evaluate(
    name: str,
    params: Mapping[str, Any],
    k: int | None,
    collection: Collection,
    topic: str,
    choice: Choice,
    cut: int | None = None,
) -> Value | list[float]:
    """A topic's value and bounds; under "sample" the values of all orders. ``cut`` ends its list after so many."""
    row = MEASURES[name]
    k = k if row.fixed is None else row.fixed
    least, most = row.range
    if row.raised:
        most = max([1.0, *params.get("gains", {}).values()])
    ending = row.ending if row.ending != "none" else choice.ending
    qrels, run = collection.qrels[topic], collection.run.get(topic, {})
    counted = {d: g for d, g in qrels.items() if g >= 0 or (choice.negative == "judged" and not row.unsampled)}
    judged = {d: g for d, g in counted.items() if choice.relevant == "judgments" or d in run}
    groups = tie_groups(qrels, run)
    assumed = best_grade(name, params, collection)

    def pooled(depth: int) -> list[float]:
        runs = [collection.run, *collection.others] if choice.relevant == "judgments" else [collection.run]
        return pool_grades(runs, topic, judged, depth)

    def listing(grades: tuple[Grade, ...], listed: int, endless: Grade) -> Listing:
        return Listing(
            grades, tuple(judged.values()), collection.top, listed, ending, endless, choice.negative == "judged", pooled
        )

    def read(reading: str) -> Groups:
        if reading == "condensed":
            return [kept for group in groups if (kept := [d for d in group if d[0] in counted])]
        if reading == "nonrelevant":
            return groups
        grade = assumed if reading == "high" else 0.0
        return [[(d, g if d in counted else grade) for d, g in group] for group in groups]

    def lists_of(reading: str, ties: str) -> tuple[Groups, int, Grade]:
        """Tie groups as a policy leaves them, how many documents the system listed, and the grade of those after."""
        lists = arranged(read(reading), ties)
        listed = sum(map(len, lists))
        if reading != "high" or ending != "none" or row.ends:
            return lists, listed, None
        unseen = [[("", assumed)]] * max((k or 0) - listed, 0)
        return lists + unseen, listed, assumed if k is None else None

    def values(reading: str, ties: str) -> list[float]:
        lists, listed, endless = lists_of(reading, ties)
        if name == "OIE" and ties == "expected":
            down_to = min((depth for depth in (k, cut) if depth is not None), default=None)
            return [information_of_ties(lists, down_to, listing, params)]
        listed = listed if cut is None else min(listed, cut)
        return [row.value(listing(order[:cut], listed, endless), k, **params) for order in orders(lists)]

    def one(reading: str, ties: str) -> float:
        found = values(reading, ties)
        if ties in ("best", "worst"):
            value = (max if (ties == "best") != row.lower_is_better else min)(found)
        else:
            value = math.fsum(found) / len(found)
        worth = gain_map(name, params, collection.top)
        if reading == "high" and math.isnan(value) and assumed > 0 and worth(assumed) > 0:
            # It would have a value, were a document relevant that has no judgment and is looked at.
            marked = [[(d, float(d not in counted)) for d, _ in group] for group in lists_of(reading, ties)[0]]
            looked_at = [any(order[:k]) for order in orders(marked)]
            if (all if ties == "worst" and row.sorts else any)(looked_at):
                value = most
        return min(max(value, least), most) if reading in ("low", "high") else value

    if choice.ties.startswith("sample"):
        return values("nonrelevant" if choice.unjudged == "residual" else choice.unjudged, "expected all")
    tie_bounds, unjudged_bounds = choice.ties == "bounds", choice.unjudged == "residual"
    ties = "expected" if tie_bounds else choice.ties
    reading = "nonrelevant" if unjudged_bounds else choice.unjudged
    value = one(reading, ties)
    if not (tie_bounds or unjudged_bounds) or (unjudged_bounds and not row.bounded):
        return Value(value)
    ends = [value]
    for order, assumption in (("worst", "low"), ("best", "high")):
        ends.append(one(assumption if unjudged_bounds else reading, order if tie_bounds else ties))
    known = [v for v in ends if not math.isnan(v)]
    # A topic without a value may get one if unjudged documents are relevant: that raises its high end only.
    low = ends[1] if math.isnan(value) else min(known)
    return Value(value, low, max(known, default=math.nan))


def information_of_ties(
    groups: Groups, k: int | None, listing: Callable[..., Listing], params: Mapping[str, Any]
) -> float:
    """OIE's own answer: a tied document takes its group's last place; the mean is over who is kept at the depth."""
    grades: list[Grade] = []
    places: list[int] = []
    for group in groups:
        room = len(group) if k is None else min(len(group), k - len(grades))
        if room < len(group):
            values = [
                information(
                    listing((*grades, *(g for _, g in kept)), k, None),
                    None,
                    places=[*places, *[k] * room],  # type: ignore[list-item]
                    **params,
                )
                for kept in combinations(group, room)
            ]
            return math.fsum(values) / len(values)
        grades += [g for _, g in group]
        places += [len(grades)] * len(group)
    return information(listing(tuple(grades), len(grades), None), None, places=places, **params)


def pool_grades(
    runs: Sequence[Mapping[str, dict[str, float]]], topic: str, judged: dict[str, float], depth: int
) -> list[float]:
    """Grades of the judged documents that some run has among its first, ties broken by id."""
    first = set()
    for run in runs:
        ranked = arranged(tie_groups(judged, run.get(topic, {})), "docid")
        first |= {d for group in ranked[:depth] for d, _ in group}
    return [g for d, g in judged.items() if d in first]
