"""Lu, Moffat & Culpepper (2016)."""

from __future__ import annotations

import json

import numpy as np
import pytest

import truerank as tr
from truerank.questions.reproduce.lu import stable_from

from .conftest import Collection, Reproduced


@pytest.fixture(scope="module")
def found(reproduced: Reproduced) -> tr.Reproduction:
    return reproduced("lu")


def marks(found: tr.Reproduction) -> dict[str, str]:
    return {claim.claim: claim.mark for claim in found.claims}


def test_what_must_hold_holds(found: tr.Reproduction) -> None:
    held = marks(found)
    assert held["Scores by the utility-based RBP and ERR can only rise with depth."] == "true by definition"
    assert held["Scores by AP' never fall with depth."] == "true by definition"
    assert (
        held["A perfect list has an AP of 1 at every depth, and an AP' of 1 from depth R on."] == "true by definition"
    )


def test_falls_are_counted_as_they_are(track: Collection, found: tr.Reproduction) -> None:
    qrels, runs = track
    pools = tr.pools(qrels, runs)
    kept = {name: run for name, run in runs.items() if pools[name].contributes is not False}
    means = tr.depth(qrels, kept, "nDCG").means("nDCG")
    falls = int((np.diff(means, axis=1) < -1e-12).sum())
    [claim] = [one for one in found.claims if "rise and fall" in one.claim]
    assert f"NDCG {falls:,}," in claim.numbers


def test_only_runs_of_the_pool_are_drawn(track: Collection, found: tr.Reproduction) -> None:
    [mine, *papers] = found["Table 1"].parts.tables[0].rows
    pools = tr.pools(*track)
    assert mine[2:] == (str(pools.depth), len(pools) - sum(part.contributes is False for part in pools.parts), 14)
    assert len(papers) == 4


def test_topics_are_in_the_order_of_their_numbers() -> None:
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(1, 12)}
    runs = {name: {topic: ["a", "b"] for topic in qrels} for name in ("x", "y")}
    [mine, *_] = tr.reproduce("lu", qrels, runs, exhibit="Table 1")["Table 1"].parts.tables[0].rows
    assert mine[1] == "1-11"


@pytest.mark.thorough
def test_pools_of_both_kinds_can_be_compared(track: Collection) -> None:
    deep = tr.simulate(systems=14, topics=12, seed=5, documents=2_000, depth=150, pool_depth=100)
    shallow = tr.simulate(systems=14, topics=12, seed=5, documents=2_000, depth=150, pool_depth=10)
    both = tr.reproduce("lu", deep.qrels, deep.runs, also={"shallow": (shallow.qrels, shallow.runs)}, name="deep")
    [claim] = [one for one in both.claims if "shallow pools" in one.claim]
    assert claim.mark in ("holds", "does not hold")
    assert "shallow (pool 10)" in claim.numbers


def test_scores_become_stable_where_they_stay_near_their_last_value() -> None:
    rng = np.random.default_rng(1)
    means = rng.random((20, 30)).cumsum(axis=1)
    for row, depth in zip(means, stable_from(means, 0.1).tolist(), strict=True):
        near = [abs(score - row[-1]) <= 0.1 * row[-1] for score in row]
        assert all(near[depth - 1 :])
        assert depth == 1 or not near[depth - 2]


@pytest.mark.thorough
def test_without_unjudged_documents_claims_need_documents_that_are_judged_useless() -> None:
    """Where all judged documents are relevant, a list without the others is nothing but relevant documents."""
    track = tr.simulate(systems=12, topics=6, seed=3, documents=600, depth=60, pool_depth=20, grades=1, contributing=1)
    only: dict[str, dict[str, float]] = {}
    for topic, document, grade in zip(track.judged_topic, track.judged_document, track.judged_grade, strict=True):
        if grade > 0:
            only.setdefault(track.topics[topic], {})[f"D{document:08d}"] = float(grade)
    claim = "Taking unjudged documents out changes none of this."
    [mine] = [one for one in tr.reproduce("lu", track.qrels, track.runs).claims if one.claim == claim]
    [other] = [one for one in tr.reproduce("lu", only, track.runs).claims if one.claim == claim]
    assert mine.mark != "cannot be determined"
    assert (other.mark, "judged documents are not relevant" in other.numbers) == ("cannot be determined", True)


def test_figures_call_measures_as_the_paper_does(found: tr.Reproduction) -> None:
    drawn = found["Figures 1-4"].plot().spec
    titles = [layer["encoding"]["y"]["axis"]["title"] for panel in drawn["concat"] for layer in panel["layer"][:1]]
    assert titles[::2] == ["AP", "NDCG", "QM(1)", "RBP(0.8)", "ERR"]
    assert "norm=" not in json.dumps(drawn) + json.dumps(found["Figure 5"].plot().spec)
    assert "AP''" in json.dumps(found["Figure 5"].plot().spec)
