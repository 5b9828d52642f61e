"""Five judges of TREC Deep Learning 2021: how far the order of runs depends on who judged."""

from __future__ import annotations

import pytest

import truerank as tr
from truerank.statistics.correlations import kendall

from .shared import DATA, need

RUNS = sorted((DATA / "dl21" / "runs").glob("*.xz"))
TAU = {"umbrela-gpt4": 0.92, "binary-gpt4": 0.92, "exam-mean-gpt4": 0.86, "binary-llama3.2": 0.79}
"""Between nDCG@10 by people and by each machine."""


@pytest.fixture(scope="module")
def scores() -> tr.Scores:
    judges = tr.read_judges(need("dl21", "judges"))
    assert len(judges.pairs) == 10_828
    return tr.evaluate(judges, [*map(str, RUNS)], "nDCG@10", judges="each")


def test_the_order_of_runs_by_each_judge(scores: tr.Scores) -> None:
    means = {name: [found[run]["nDCG@10"].mean for run in found.runs] for name, found in scores.by_judge.items()}
    assert {name: round(kendall(means["nist"], means[name]), 2) for name in TAU} == TAU


def test_how_high_judges_score(scores: tr.Scores) -> None:
    means = [
        sum(score["nDCG@10"].mean for score in found.runs.values()) / len(found.runs)
        for found in scores.by_judge.values()
    ]
    assert (round(min(means), 3), round(max(means), 3)) == (0.557, 0.856)
