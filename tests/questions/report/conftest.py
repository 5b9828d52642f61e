"""Reports of two runs and of many."""

from __future__ import annotations

import pytest

import truerank as tr


@pytest.fixture(scope="session")
def two() -> tr.Report:
    """Two runs, one of which has ties and unjudged documents."""
    track = tr.simulate(systems=2, topics=12, seed=3, documents=2_000, depth=40, pool_depth=15)
    return tr.report(track.qrels, track.runs, "nDCG@10 AP")


@pytest.fixture(scope="session")
def many() -> tr.Report:
    """As many runs as a large track has: 129 on 50 topics."""
    track = tr.simulate(systems=129, topics=50, seed=7, documents=2_000, depth=30, pool_depth=10)
    return tr.report(track.qrels, track.runs, "nDCG@10 AP RBP")
