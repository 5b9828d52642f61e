"""Bounds are bounds: no grades that unjudged documents may have take a measure past them."""

from __future__ import annotations

import math
from itertools import product
from typing import Any

import pytest

from truerank.measures.table import TABLE

from . import oracle
from .collections import collections
from .oracle import Choice, Collection
from .table import MEASURES
from .test_against_oracle import choices, measure, scored, tried

BOUNDED = [name for name, row in MEASURES.items() if row.bounded]


@pytest.mark.parametrize("name", BOUNDED)
def test_no_grades_of_unjudged_documents_leave_the_bounds(name: str) -> None:
    """The normaliser is that of the judgments as they are, and unseen documents stay unseen."""

    @tried(name, 12, collections(), choices(name, "docid"))
    def check(collection: Collection, choice: Choice) -> None:
        params = MEASURES[name].variants[-1]
        choice = Choice(ties="docid", unjudged="residual", ending=choice.ending)
        k = 3 if MEASURES[name].cutoff else None
        score = scored(collection, [measure(name, params, k)], choice, no_relevant="nan")[str(measure(name, params, k))]
        for topic, low, high in zip(score.topics, score.low_values, score.high_values, strict=True):
            for graded in graded_in_every_way(collection, topic, params):
                value = graded_value(name, params, k, collection, graded, topic, choice)
                if not math.isnan(value) and not math.isnan(low):
                    assert low - 1e-12 <= value <= high + 1e-12, (topic, graded.run, graded.qrels, value, low, high)

    check()


def graded_in_every_way(collection: Collection, topic: str, params: dict[str, Any]) -> list[Collection]:
    """The collection with its unjudged documents left so, or judged at the lowest and the highest grades there are."""
    unjudged = [doc for doc in collection.run.get(topic, ()) if doc not in collection.qrels[topic]][:3]
    highest = collection.top if "rel" in params else params.get("max_rel", collection.top)
    grades = {None, 0.0, highest or 1.0, *(g for g in collection.levels if g > 0)}
    return [
        Collection({topic: collection.qrels[topic] | judged}, {topic: collection.run.get(topic, {})}, collection.others)
        for choice in product(grades, repeat=len(unjudged))
        if (judged := {doc: g for doc, g in zip(unjudged, choice, strict=True) if g is not None}) is not None
    ]


def graded_value(
    name: str,
    params: dict[str, Any],
    k: int | None,
    collection: Collection,
    graded: Collection,
    topic: str,
    choice: Choice,
) -> float:
    """Value of a list with some more grades, against the judgments without them, within the measure's range."""
    row = MEASURES[name]
    groups = oracle.arranged(oracle.tie_groups(graded.qrels[topic], graded.run[topic]), "docid")
    order = tuple(g for group in groups for _, g in group)
    ending = row.ending if row.ending != "none" else choice.ending
    judged = collection.qrels[topic]

    def pooled(depth: int) -> list[float]:
        return oracle.pool_grades([collection.run, *collection.others], topic, judged, depth)

    listing = oracle.Listing(order, tuple(judged.values()), collection.top, len(order), ending, pooled=pooled)
    value = row.value(listing, row.fixed if k is None else k, **params)
    if math.isnan(value):
        return value
    most = max([row.range[1], *params.get("gains", {}).values()])
    return min(max(value, row.range[0]), most)


def test_measures_say_whether_they_have_bounds() -> None:
    assert {name for name in MEASURES if TABLE[name].has_bounds} == set(BOUNDED)


def test_bpref_stays_in_its_bounds_where_nothing_is_judged_non_relevant() -> None:
    """An unjudged document that turns out relevant, below two that do not, is worth nothing, and no less than that."""
    qrels = {"q": {"a": 2.0, "b": 0.5}}
    run = {"q": {"a": 4.0, "x": 3.0, "y": 2.0, "z": 1.0}}
    collection = Collection(qrels, run)
    score = scored(collection, [measure("Bpref", {"rel": 0.5}, None)], Choice(ties="docid", unjudged="residual"))
    found = score[str(measure("Bpref", {"rel": 0.5}, None))]
    assert (found.low, found.high) == (0.5, 1.0)
    graded = Collection({"q": qrels["q"] | {"x": 0.0, "y": 0.0, "z": 0.5}}, run)
    assert graded_value("Bpref", {"rel": 0.5}, None, collection, graded, "q", Choice(ties="docid")) == 0.5
