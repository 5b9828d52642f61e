"""Bounds are bounds: no grades that unjudged documents may have take a measure past them."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import pytest

import truerank as tr
from truerank.measures.core.bound_kinds import kind_of_bounds
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


GRADES = {"two grades": (0.0, 1.0), "three": (0.0, 1.0, 2.0)}


def met_bounds(levels: tuple[float, ...], *, cut: bool) -> dict[str, bool]:
    """For each measure, whether some judgments come to its low and its high bound, in some small collections.

    Lists go on past a cutoff, so that bounds ask for nothing past their ends.
    """
    measures = {
        name: measure(name, row.variants[0], 3 if cut and row.cutoff else None)
        for name, row in MEASURES.items()
        if row.bounded
    }
    # Another topic has all grades, so that they mean the same throughout.
    others = {f"g{grade:g}": grade for grade in levels}
    met = dict.fromkeys(measures, True)
    for seed in range(14):
        rng = random.Random(seed)
        documents = [*"abcdefg"]
        run = {"q": rng.sample(documents, 5), "r": [*others]}
        judged = {doc: rng.choice(levels) for doc in rng.sample(documents, 4)}
        unjudged = [doc for doc in run["q"] if doc not in judged]
        if not any(judged.values()) or not unjudged:
            continue
        every = [
            tr.evaluate(
                {"q": judged | dict(zip(unjudged, grades, strict=True)), "r": others}, run, [*measures.values()]
            )
            for grades in product(levels, repeat=len(unjudged))
        ]
        bounded = tr.evaluate({"q": judged, "r": others}, run, [*measures.values()], unjudged="bounds")["run"]
        for name, one in measures.items():
            values = [found["run"][one].per_topic["q"] for found in every]
            at = bounded[one].names.index("q")
            low, high = float(bounded[one].low_values[at]), float(bounded[one].high_values[at])
            assert low - 1e-12 <= min(values), (name, judged, run)
            assert max(values) <= high + 1e-12, (name, judged, run)
            assert high <= MEASURES[name].range[1] or one.core.exceeds_ideal, (name, judged, run)
            met[name] &= (low, high) == pytest.approx((min(values), max(values)), abs=1e-9)
    return met


@pytest.mark.parametrize("grades", GRADES)
def test_measures_say_whether_bounds_are_met(grades: str) -> None:
    """Where judgments come to both ends in all of the collections, or do not in some of them."""
    cut, whole = (met_bounds(GRADES[grades], cut=cut) for cut in (True, False))
    for name in cut:
        kind = kind_of_bounds(TABLE[name])
        if kind in ("met", "past the end") or (kind, grades) == ("two grades", "two grades"):
            assert cut[name], (name, kind)
        else:
            assert not (cut[name] and whole[name]), (name, kind)


def test_a_pool_of_a_depth_has_bounds_that_need_not_be_met() -> None:
    assert kind_of_bounds(TABLE["AP"](norm="pool")) == "outer"
    assert kind_of_bounds(TABLE["nDCG"](rel=1)) == "met"


@pytest.mark.parametrize("name", [name for name, row in MEASURES.items() if not row.bounded])
def test_columns_for_ties_and_unjudged_documents_hold_both_or_nothing(name: str) -> None:
    collection = Collection({"q": {"a": 1.0, "b": 0.0}}, {"q": {"a": 2.0, "x": 2.0, "b": 1.0}})
    one = measure(name, {}, None)
    found = scored(collection, [one], Choice(ties="bounds", unjudged="bounds"))[str(one)]
    assert (found.low, found.high, found.low_values) == (None, None, None)
    assert scored(collection, [one], Choice(ties="bounds"))[str(one)].low is not None


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


@pytest.mark.parametrize("ties", ["expected", "bounds"])
@pytest.mark.parametrize("unjudged", ["residual", "bounds"])
def test_a_topic_alone_has_the_bits_that_it_has_among_others(unjudged: str, ties: str) -> None:
    """Lists of 3 to 40 documents, with up to 40 grades, most of them tied."""
    rng = random.Random(4)
    sizes = {"q1": (3, 2), "q2": (40, 40), "q3": (12, 4), "q4": (25, 9)}
    grades = {topic: [round(rng.uniform(0, 3), 2) for _ in range(most)] for topic, (_, most) in sizes.items()}
    qrels = {t: {f"d{n}": rng.choice([0, *grades[t], 3]) for n in range(0, size, 2)} for t, (size, _) in sizes.items()}
    run = {
        t: {f"d{n}": float(rng.randint(1, 3)) for n in rng.sample(range(size + 5), size)}
        for t, (size, _) in sizes.items()
    }
    names = [f"{name}@10" if MEASURES[name].cutoff else name for name in BOUNDED]
    # The highest grade of the judgments, which some measures ask for, is that of every topic.
    qrels = {topic: judged | {"top": 3} for topic, judged in qrels.items()}
    asked: Any = {"measures": names, "unjudged": unjudged, "ties": ties}
    among = tr.evaluate(qrels, {"x": run}, **asked)["x"]
    for topic in qrels:
        alone = tr.evaluate(qrels, {"x": run}, topics=[topic], **asked)["x"]
        for name, score in among.items():
            at = [*score.topics].index(topic)
            for ends in ("values", "low_values", "high_values"):
                one, other = getattr(alone[name], ends), getattr(score, ends)
                assert (one is None) == (other is None)
                assert one is None or one[0].hex() == other[at].hex(), (name, topic, ends, one[0], other[at])
