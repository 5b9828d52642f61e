"""The whole table of measures, under every convention and at every depth, against the oracle."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict
from typing import Any
from zlib import crc32

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE
from truerank.questions.evaluate.question import evaluate

from . import oracle
from .collections import collections
from .definitions import geometric_mean
from .oracle import Choice, Collection
from .table import MEASURES

TOLERANCE = 1e-12
TIES = ("expected", "best", "worst", "bounds", "docid", "docid-asc", "input")


def tried(name: str, examples: int, *strategies: st.SearchStrategy[Any]) -> Callable[[Callable[..., None]], Any]:
    """Examples that are the same in every run of the tests, and others for every name."""

    def decorate(check: Callable[..., None]) -> Any:
        chosen = settings(
            max_examples=examples,
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        return seed(crc32(name.encode()))(chosen(given(*strategies)(check)))

    return decorate


def measure(name: str, params: dict[str, Any], k: int | None) -> Measure:
    found = TABLE[name](**params)
    return found if k is None else found @ k


def depths(name: str, collection: Collection, ties: str = "expected") -> list[int | None]:
    if name == "OIE" and ties in ("best", "worst", "bounds"):
        # Where a depth cuts a group, OIE may prefer to keep another document than the one of highest gain.
        return [None]
    longest = max((len(collection.run.get(topic, ())) for topic in collection.qrels), default=0)
    return [None, *range(longest + 3)] if MEASURES[name].cutoff else [None]


def scored(collection: Collection, measures: list[Measure | str], choice: Choice, **more: str) -> Any:
    runs = {"run": collection.run}
    if "pool" in str(measures):
        runs |= {f"other{i}": run for i, run in enumerate(collection.others)}
    return evaluate(collection.qrels, runs, measures, **asdict(choice), **more)["run"]


def same(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    if math.isnan(expected) or math.isinf(expected):
        return found == expected or (math.isnan(found) and math.isnan(expected))
    return abs(found - expected) <= TOLERANCE


def choices(name: str, ties: str) -> st.SearchStrategy[Choice]:
    endings = ("none", "terminal", "terminal-once") if MEASURES[name].terminal else ("none",)
    return st.builds(
        Choice,
        ties=st.just(ties),
        unjudged=st.sampled_from(("nonrelevant", "condensed", "residual")),
        ending=st.sampled_from(endings),
        relevant=st.sampled_from(("judgments", "judgments", "run")),
        negative=st.sampled_from(("judged", "unjudged")),
    )


def test_every_measure_has_a_row() -> None:
    assert set(TABLE) == set(MEASURES) | {"GM"}


@pytest.mark.parametrize("ties", TIES)
@pytest.mark.parametrize("name", MEASURES)
def test_values_and_bounds(name: str, ties: str) -> None:
    @tried(name + ties, 18, collections(), choices(name, ties), st.sampled_from(MEASURES[name].variants))
    def check(collection: Collection, choice: Choice, params: dict[str, Any]) -> None:
        k_of = {str(measure(name, params, k)): k for k in depths(name, collection, ties)}
        scores = scored(collection, [measure(name, params, k) for k in k_of.values()], choice, no_relevant="nan")
        answered = [bool(collection.run.get(topic)) for topic in collection.qrels]
        for text, k in k_of.items():
            score = scores[text]
            expected = [oracle.evaluate(name, params, k, collection, topic, choice) for topic in collection.qrels]
            assert score.names == tuple(collection.qrels)
            for what, all_found, mean in (
                ("value", score.values, score.mean),
                ("low", score.low_values, score.low),
                ("high", score.high_values, score.high),
            ):
                wanted = [getattr(value, what) for value in expected]
                found = [None] * len(wanted) if all_found is None else all_found.tolist()
                report = f"{text} {what}: {found}, not {wanted}"
                assert all(map(same, found, wanted)), report
                assert mean is None or same(mean, MEASURES[name].aggregate(wanted, answered)), report

    check()


@pytest.mark.parametrize("name", MEASURES)
def test_sampled_order_is_one_of_the_orders(name: str) -> None:
    @tried(
        name, 8, collections(), st.integers(0, 99), st.sampled_from(MEASURES[name].variants), choices(name, "sample")
    )
    def check(collection: Collection, number: int, params: dict[str, Any], choice: Choice) -> None:
        choice = Choice(**{**asdict(choice), "ties": f"sample({number})"})
        k_of = {str(measure(name, params, k)): k for k in depths(name, collection)}
        measures = [measure(name, params, k) for k in k_of.values()]
        scores = scored(collection, measures, choice, no_relevant="nan")
        again = scored(collection, measures, choice, no_relevant="nan")
        for text, k in k_of.items():
            for topic, found in scores[text].per_topic.items():
                orders = oracle.evaluate(name, params, k, collection, topic, choice)
                assert isinstance(orders, list)
                assert any(same(found, value) for value in orders), f"{text}: {found} is none of {orders}"
            assert repr(again[text].per_topic) == repr(scores[text].per_topic)

    check()


@pytest.mark.parametrize("ending", ["terminal", "terminal-once"])
@pytest.mark.parametrize("name", [name for name, row in MEASURES.items() if not (row.terminal or row.ends)])
def test_measures_without_a_terminal_document_refuse_an_ending(name: str, ending: str) -> None:
    with pytest.raises(InputError, match="terminal document"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, [TABLE[name]], ending=ending)


GEOMETRIC = [
    ("GM", "AP", {}, None, 0.00001),
    ("GM(floor=0.1)", "AP", {}, None, 0.1),
    ("GM(measure=nDCG@3)", "nDCG", {}, 3, 0.00001),
    ("GM(measure=AP(norm='pool')@2)", "AP", {"norm": "pool"}, 2, 0.00001),
    ("GM(measure=Bpref)", "Bpref", {}, None, 0.00001),
    ("GM(measure=OIE(size=100))", "OIE", {"size": 100}, None, 0.00001),
    ("GM(measure=RRT)", "RRT", {}, None, 0.00001),
]


@pytest.mark.parametrize(("text", "name", "params", "k", "floor"), GEOMETRIC, ids=[row[0] for row in GEOMETRIC])
def test_geometric_mean(text: str, name: str, params: dict[str, Any], k: int | None, floor: float) -> None:
    @tried(text, 25, collections(), st.sampled_from(TIES[:4]).flatmap(lambda ties: choices(name, ties)))
    def check(collection: Collection, choice: Choice) -> None:
        score = scored(collection, [text], choice)[text]
        values = [oracle.evaluate(name, params, k, collection, topic, choice) for topic in collection.qrels]
        for what in ("value", "low", "high"):
            wanted = [getattr(value, what) for value in values]
            found = score.mean if what == "value" else getattr(score, what)
            if wanted[0] is None:
                assert found is None
                continue
            zeros = [0.0 if math.isnan(value) else value for value in wanted]
            assert same(found, geometric_mean(floor)(zeros, [])), (what, found, wanted)

    check()
