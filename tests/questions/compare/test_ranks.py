"""Ranks with their intervals: what they follow from, and how often the true ones are inside."""

from __future__ import annotations

import numpy as np
import pytest
from tests.questions.compare.tracks import track

from truerank.questions.compare.question import compare
from truerank.questions.compare.work import rank_intervals
from truerank.statistics.corrections import corrected
from truerank.statistics.student import student

pytest.importorskip("scipy")


@pytest.mark.parametrize("test", ["student", "tukey"])
def test_ranks_are_what_verdicts_leave(test: str) -> None:
    judgments, runs, _ = track(5, 7, 40)
    systems = compare(judgments, runs, "RR", test=test, settled=False)["RR"].systems
    for at, one in enumerate(systems.values(), 1):
        above = sum(one.run in other.better_than for other in systems.values())
        assert (one.rank, one.rank_low, one.rank_high) == (at, 1 + above, len(runs) - len(one.better_than))
        assert one.rank_low <= one.rank <= one.rank_high
    assert any(one.rank_low > 1 for one in systems.values())


@pytest.mark.parametrize("correction", ["none", "benjamini-hochberg"])
def test_where_verdicts_do_not_hold_at_once_there_are_none(correction: str) -> None:
    judgments, runs, _ = track(5, 4, 20)
    found = compare(judgments, runs, "RR", correction=correction, settled=False)
    assert {one.rank_low for one in found["RR"].systems.values()} == {None}
    assert "ranks" not in str(found)


def test_systems_that_are_equal_share_a_rank() -> None:
    judgments, runs, _ = track(5, 2, 20)
    found = compare(judgments, {**runs, "again": runs["s00"]}, "RR", settled=False)
    ranks = {one.run: one.rank for one in found["RR"].systems.values()}
    assert ranks["again"] == ranks["s00"]


@pytest.mark.parametrize("step", [0.0, 0.001, 0.05])
def test_the_true_ranks_of_all_are_inside_as_often_as_said(step: float) -> None:
    tracks, systems = 200, 8
    true = step * np.arange(systems)
    best, worst = 1 + (true[:, None] < true).sum(axis=1), systems - (true[:, None] > true).sum(axis=1)
    rng, held = np.random.default_rng(3), 0
    for _ in range(tracks):
        values = rng.normal(0.4, 0.2, 30) + rng.normal(0, 0.1, (systems, 30)) + true[:, None]
        mean = values.mean(axis=1)
        low, high = rank_intervals((corrected(student(values)).p < 0.05) & (mean[:, None] > mean))
        held += bool(((low <= best) & (worst <= high)).all())
    assert held / tracks > 0.95 - 3 * np.sqrt(0.05 * 0.95 / tracks)
