"""Lu, Moffat & Culpepper (2016)."""

from __future__ import annotations

import numpy as np
import pytest

import truerank as tr

from .conftest import Collection


@pytest.fixture(scope="module")
def found(track: Collection) -> tr.Reproduction:
    return tr.reproduce("lu", *track)


def marks(found: tr.Reproduction) -> dict[str, str]:
    return {claim.claim: claim.mark for claim in found.claims}


def test_what_must_hold_holds(found: tr.Reproduction) -> None:
    held = marks(found)
    assert held["Scores by the utility-based RBP and ERR can only rise with depth."] == "holds"
    assert held["Scores by AP' never fall with depth."] == "holds"
    assert held["A perfect list has an AP of 1 at every depth, and an AP' of 1 from depth R on."] == "holds"


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
    assert mine[2:] == (str(pools.depth), len(pools) - sum(part.contributes is False for part in pools.parts), 6)
    assert len(papers) == 4


def test_topics_are_in_the_order_of_their_numbers() -> None:
    qrels = {str(topic): {"a": 1, "b": 0} for topic in range(1, 12)}
    runs = {name: {topic: ["a", "b"] for topic in qrels} for name in ("x", "y")}
    [mine, *_] = tr.reproduce("lu", qrels, runs, exhibit="Table 1")["Table 1"].parts.tables[0].rows
    assert mine[1] == "1-11"


def test_pools_of_both_kinds_can_be_compared(track: Collection) -> None:
    deep = tr.simulate(systems=5, topics=12, seed=5, documents=2_000, depth=150, pool_depth=100)
    shallow = tr.simulate(systems=5, topics=12, seed=5, documents=2_000, depth=150, pool_depth=10)
    both = tr.reproduce("lu", deep.qrels, deep.runs, also={"shallow": (shallow.qrels, shallow.runs)}, name="deep")
    [claim] = [one for one in both.claims if "shallow pools" in one.claim]
    assert claim.mark in ("holds", "does not hold")
    assert "shallow (pool 10)" in claim.numbers
