"""Pools of known runs and depths, made of real and simulated runs and then damaged: what is found of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.questions.pool.question import leave_out, pools

Judgments = dict[str, dict[str, float]]
Depth = Callable[[str, int], int]
"""How deep a run is pooled in a topic, by the number of the topic."""


def judged(
    runs: Mapping[str, tr.Run], depth: Depth, pooled: Sequence[str], relevant: Callable[[str, str], bool]
) -> Judgments:
    """The documents of some runs; lists are without ties, or were cut in the order in which they stand."""
    found: Judgments = {}
    topics = sorted({topic.decode() for run in runs.values() for topic in run.topics})
    for name in pooled:
        for number, topic in enumerate(topics):
            its = found.setdefault(topic, {})
            listed = runs[name].ranking(topic) if topic.encode() in runs[name].topics else []
            its |= {document: float(relevant(topic, document)) for document, _ in listed[: depth(name, number)]}
    return found


def lost(qrels: Judgments, share: float, seed: int) -> Judgments:
    """The judgments without a share of them, taken at random."""
    chance = np.random.default_rng(seed)
    return {t: {d: g for d, g in sorted(its.items()) if chance.random() >= share} for t, its in sorted(qrels.items())}


@pytest.fixture(scope="module")
def track() -> tuple[dict[str, tr.Run], Callable[[str, str], bool]]:
    """Systems whose lists have no ties, and what is relevant, judged or not."""
    simulated = tr.simulate(systems=16, topics=25, seed=3, pool_depth=100, depth=100, contributing=1.0)
    runs = {name: run for name, run in simulated.runs.items() if "boolean" not in name}
    qrels = simulated.qrels
    topics = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets)).tolist()
    rows = zip(topics, qrels.docs.tolist(), (qrels.grade > 0).tolist(), strict=True)
    relevant = {(qrels.topics[topic].decode(), document.decode()) for topic, document, good in rows if good}
    return runs, lambda topic, document: (topic, document) in relevant


CASES: dict[str, tuple[Depth, float]] = {
    "whole": (lambda run, topic: 20, 0.0),
    "1 % lost": (lambda run, topic: 20, 0.01),
    "5 % lost": (lambda run, topic: 20, 0.05),
    "half": (lambda run, topic: 20, 0.5),
    "by topic": (lambda run, topic: 10 if topic % 2 else 30, 0.0),
    "by topic, 5 % lost": (lambda run, topic: 10 if topic % 2 else 30, 0.05),
    "by run": (lambda run, topic: 40 if int(run[-1]) % 2 else 10, 0.02),
}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("depth", "gone"), CASES.values(), ids=CASES)
def test_damaged_pools_are_found(track: Any, depth: Depth, gone: float, seed: int) -> None:
    runs, relevant = track
    names = sorted(runs)
    pooled = [names[place] for place in np.random.default_rng(seed).permutation(len(names))[:8]]
    found = pools(lost(judged(runs, depth, pooled, relevant), gone, seed), runs)
    assert not {*found.contributors} - {*pooled}
    assert not {*pooled} - {*found.contributors} - {*found.possible}
    assert len(found.contributors) >= len(pooled) - 1
    topics = {one.topic: one.depth for one in found.topics}
    for name in found.contributors:
        due = [depth(name, number) for number in range(len(topics))]
        told = [min(found[name].pool_depth, one) for one in topics.values()]
        # A lost judgment at the edge of a topic may make it one less.
        assert sum(one != other for one, other in zip(due, told, strict=True)) <= (4 if gone and len({*due}) > 1 else 0)
    assert found.certainty == (
        "certain" if not gone and len({depth(n, t) for n in runs for t in (0, 1)}) == 1 else "likely"
    )
    assert found.inside == pytest.approx(1 - gone, abs=0.03)


@pytest.mark.parametrize("seed", range(3))
def test_judgments_of_relevant_documents_only(track: Any, seed: int) -> None:
    runs, relevant = track
    names = sorted(runs)
    pooled = [names[place] for place in np.random.default_rng(seed).permutation(len(names))[:8]]
    every = judged(runs, lambda run, topic: 20, pooled, relevant)
    found = pools({t: {d: g for d, g in its.items() if g} for t, its in every.items()}, runs)
    assert found.depth in (None, 20)
    # What is not listed may not be relevant: of most runs that did not contribute it cannot be told.
    assert not {*found.contributors} - {*pooled}


def test_one_lost_judgment_changes_nothing(track: Any) -> None:
    runs, relevant = track
    pooled = sorted(runs)[:7]
    qrels = judged(runs, lambda run, topic: 20, pooled, relevant)
    whole = pools(qrels, runs)
    topic = sorted(qrels)[4]
    del qrels[topic][runs[pooled[2]].ranking(topic)[3][0]]
    found = pools(qrels, runs)
    assert (found.depth, found.contributors, found.possible) == (20, whole.contributors, whole.possible)
    assert found.explained == whole.explained - 1
    assert found[pooled[2]].judged_to == 3


def test_documents_that_are_pooled_and_not_judged(track: Any) -> None:
    runs, relevant = track
    pooled = sorted(runs)[:7]
    qrels = judged(runs, lambda run, topic: 20, pooled, relevant)
    chance = np.random.default_rng(1)
    some = {t: {d: g if chance.random() < 0.3 else -1.0 for d, g in its.items()} for t, its in qrels.items()}
    found = pools(some, runs)
    count = sum(g >= 0 for its in some.values() for g in its.values())
    assert (found.depth, {*found.contributors, *found.possible}) == (20, {*pooled})
    assert (found.judgments, found.explained) == (count, count)
    assert found.not_judged == sum(map(len, qrels.values())) - count
    assert found[pooled[0]].judged_to < 20
    assert found[pooled[0]].judged_10 < 0.5
    assert "are in the pool and not judged" in found.notes()[1]


def test_judgments_without_a_pool_show_none(track: Any) -> None:
    runs, relevant = track
    chance = np.random.default_rng(2)
    qrels = judged(runs, lambda run, topic: 100, sorted(runs), relevant)
    found = pools({t: {d: g for d, g in its.items() if chance.random() < 0.2} for t, its in qrels.items()}, runs)
    assert (found.depth, found.contributors, found.possible, found.certainty) == (None, (), (), "unclear")


def test_a_part_of_the_runs_is_not_taken_for_all(track: Any) -> None:
    runs, relevant = track
    pooled = sorted(runs)[:10]
    qrels = judged(runs, lambda run, topic: 20, pooled, relevant)
    few = {name: runs[name] for name in pooled[:6]}
    found = leave_out(qrels, few, "AP", unjudged="nonrelevant")
    assert found.explained < 0.95
    assert found.summaries[0].verdict == "cannot be determined"
    assert "others are from runs that are not here" in found.notes()[0]
    every = leave_out(qrels, {name: runs[name] for name in pooled}, "AP", unjudged="nonrelevant")
    assert every.summaries[0].verdict != "cannot be determined"
    # What a run has alone of six runs, others have of ten.
    shared = {one.run: one.removed for one in every.losses}
    assert all(one.removed >= shared[one.run] for one in found.losses)
    assert sum(one.removed for one in found.losses) > sum(shared[one.run] for one in found.losses)
