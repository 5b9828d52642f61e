"""A function of one's own as a measure: every order of ties where they are few, an honest sample where not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import truerank as tr
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.expectation.opaque import SAMPLED

from . import oracle
from .collections import collections
from .definitions import Listing
from .oracle import Choice, Collection
from .table import Row
from .test_against_oracle import choices, depths, same, scored, tried


def crooked(grades: list[float], judged: list[bool], pool: list[float]) -> float:
    """No sum of terms, and higher gains higher up may lower it."""
    value = 0.0
    for rank, (grade, known) in enumerate(zip(grades, judged, strict=True), 1):
        value = math.sin(3 * value + grade * rank) + known / rank
    return value + sum(pool)


def own(ranking: tr.Ranking) -> float:
    return crooked(ranking.grades.tolist(), ranking.judged.tolist(), ranking.pool.tolist())


def in_the_oracle(r: Listing, k: int | None) -> float:
    grades = [g if g is not None and g > 0 else 0.0 for g in r.grades[:k]]
    return crooked(grades, [r.is_judged(g) for g in r.grades[:k]], sorted((g for g in r.judged if g > 0), reverse=True))


@pytest.mark.parametrize("ties", ["expected", "best", "worst", "bounds", "docid", "input"])
def test_own_measure_against_every_order(ties: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(oracle.MEASURES, "P", Row(in_the_oracle, [{}], bounded=False, terminal=False))

    @tried("own" + ties, 25, collections(), choices("P", ties))
    def check(collection: Collection, choice: Choice) -> None:
        measure = tr.measure(own)
        for k in depths("P", collection):
            at = measure if k is None else measure @ k
            score = scored(collection, [at], choice)[str(at)]
            for i, topic in enumerate(collection.qrels):
                expected: Any = oracle.evaluate("P", {}, k, collection, topic, choice)
                assert same(score.values[i], expected.value)
                assert same(None if score.low_values is None else score.low_values[i], expected.low)
                assert same(None if score.high_values is None else score.high_values[i], expected.high)

    check()


def tied_list(relevant: int, others: int, above: int = 0) -> Rankings:
    grades = [0.0] * above + [1.0] * relevant + [0.0] * others
    return Rankings.single(grades, groups=[*range(above), *[above] * (relevant + others)])


@pytest.mark.parametrize(("relevant", "others", "above", "k"), [(20, 20, 0, 10), (15, 60, 3, 20), (40, 5, 1, 30)])
def test_a_sampled_mean_and_its_standard_error_are_honest(relevant: int, others: int, above: int, k: int) -> None:
    """The share of relevant documents in a part of a tie group has a known mean and variance."""
    n, drawn = relevant + others, k - above
    mean = drawn * relevant / n
    variance = drawn * (relevant / n) * (others / n) * (n - drawn) / (n - 1)
    measure = tr.measure(lambda ranking: ranking.grades.sum(), name="Hits") @ k
    found = measure.estimate(tied_list(relevant, others, above))
    assert found.error is not None
    assert found.error[0] == pytest.approx(math.sqrt(variance / SAMPLED), rel=0.2)
    assert abs(found.value[0] - mean) < 5 * found.error[0]
    assert found.value[0] != mean


def test_an_exact_mean_has_no_standard_error() -> None:
    measure = tr.measure(lambda ranking: ranking.grades[0], name="First")
    found = measure.estimate(tied_list(3, 4))
    assert found.value[0] == pytest.approx(3 / 7, abs=1e-15)
    assert found.error is not None
    assert found.error[0] == 0.0


def test_sampling_is_said_and_repeats() -> None:
    qrels = {"q": {f"d{i}": i % 2 for i in range(40)}}
    run = {"q": dict.fromkeys(qrels["q"], 1.0)}
    measure = tr.measure(lambda ranking: ranking.grades[:9].prod() + ranking.grades[:5].sum(), name="Odd")
    one, two = (tr.evaluate(qrels, run, [measure]) for _ in range(2))
    assert one["run"]["Odd"].mean == two["run"]["Odd"].mean
    assert any("sampled" in notice for notice in one.notices)


def test_topics_are_sampled_apart() -> None:
    """Their errors would not average out otherwise; and a topic keeps its sample whatever topics are beside it."""
    judged = {f"d{i}": i % 2 for i in range(40)}
    qrels = {f"q{t}": judged for t in range(30)}
    run = {topic: dict.fromkeys(judged, 1.0) for topic in qrels}
    measure = tr.measure(lambda ranking: ranking.grades[:10].sum(), name="Hits")
    values = tr.evaluate(qrels, run, [measure])["run"]["Hits"].per_topic
    assert len(set(values.values())) > 15
    assert abs(sum(values.values()) / 30 - 5) < 5 * 0.0625 / math.sqrt(30)
    alone = tr.evaluate({"q7": judged}, {"q7": run["q7"]}, [measure])["run"]["Hits"].per_topic
    assert alone["q7"] == values["q7"]


def test_extremes_of_many_orders_reach_the_sorted_ones() -> None:
    qrels = {"q": {f"d{i}": i % 2 for i in range(60)}}
    run = {"q": dict.fromkeys(qrels["q"], 1.0)}
    measure = tr.measure(lambda ranking: ranking.grades[:30].sum(), name="Half")
    score = tr.evaluate(qrels, run, [measure], ties="bounds")["run"]["Half"]
    assert (score.low, score.high) == (0.0, 30.0)


@pytest.mark.parametrize("wrong", [3, "AP", None])
def test_what_is_no_function_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        tr.measure(wrong)


def test_what_returns_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="returned None"):
        tr.measure(lambda ranking: None, name="Nothing").of([1.0])  # type: ignore[arg-type, return-value]


def test_undefined_is_undefined() -> None:
    measure = tr.measure(lambda ranking: np.nan if not len(ranking.pool) else 1.0, name="Some")
    score = tr.evaluate({"a": {"x": 0}, "b": {"x": 1}}, {"a": ["x"]}, [measure], no_relevant="skip")["run"]["Some"]
    assert score.per_topic == {"b": 1.0}


@tried("names", 20, st.text("abc_1 ", min_size=1, max_size=4))
def test_names_are_words(name: str) -> None:
    if name.isidentifier():
        assert str(tr.measure(lambda ranking: 0.0, name=name) @ 5) == f"{name}@5"
    else:
        with pytest.raises(InputError, match="a word"):
            tr.measure(lambda ranking: 0.0, name=name)
