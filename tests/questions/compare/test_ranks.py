"""Ranks with their intervals: what they follow from, and how often the true ones are inside."""

from __future__ import annotations

import numpy as np
import pytest
from tests.questions.compare.tracks import track

from truerank.data.errors import InputError
from truerank.questions.compare.question import compare
from truerank.statistics.corrections import corrected, holm
from truerank.statistics.possible_ranks import by_own_comparisons, rank_intervals
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


@pytest.mark.parametrize("test", ["student", "sign"])
def test_by_their_own_comparisons_no_two_ranks_contradict_each_other(test: str) -> None:
    judgments, runs, _ = track(5, 9, 40)
    found = compare(judgments, runs, "RR", test=test, ranks="each", settled=False)["RR"]
    assert found.possible_ranks == "each run"
    slow, p = np.zeros((9, 9), bool), found.tested.p
    for one in range(9):
        for other in range(9):
            if one != other:
                own, theirs = (
                    dict(zip([at for at in range(9) if at != end], holm(np.delete(p[end], end)), strict=True))
                    for end in (one, other)
                )
                both = max(own[other], theirs[one])
                slow[one, other] = both < 0.05 and found.ways[one, other] > 0
    assert slow.any()
    assert (found.decided == (slow & (found.levels[:, None] > found.levels))).all()
    # For all at once fewer pairs are decided, and ranks are at least as wide.
    every = compare(judgments, runs, "RR", test=test, ranks="all", settled=False)["RR"]
    assert every.possible_ranks == "all runs at once"
    assert (found.decided >= every.decided).all()


def test_many_runs_have_ranks_of_their_own_unless_all_are_asked_for() -> None:
    judgments, runs, _ = track(5, 14, 40)
    found = compare(judgments, runs, "RR")
    assert found["RR"].possible_ranks == "each run"
    marked = [row.could_be_best for row in found["RR"].systems.values()]
    assert marked[0]
    assert str(found).count("could be best") == sum(map(bool, marked))
    assert "possible ranks: 95%, each run against 13 others, Holm" in " ".join(str(found).split())
    every = compare(judgments, runs, "RR", ranks="all")
    assert every["RR"].possible_ranks == "all runs at once"
    assert "95% for all runs at once" in " ".join(str(every).split())
    assert compare(judgments, runs, "RR", test="tukey")["RR"].possible_ranks == "all runs at once"


def test_few_runs_have_a_table_of_ranks_where_it_is_asked_for() -> None:
    judgments, runs, _ = track(5, 5, 40)
    assert "possible ranks" not in str(compare(judgments, runs, "RR", settled=False))
    assert "possible ranks" in str(compare(judgments, runs, "RR", ranks="all", settled=False))
    both = " ".join(str(compare(judgments, runs, "RR P@3", ranks="each", settled=False)).split())
    assert "+: could be the best run by this measure (95%)" in both


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ranks": "some"}, "ranks='some'"),
        ({"ranks": "all", "correction": "none"}, "hold at once"),
        ({"ranks": "each", "baseline": "s00"}, "leave baseline out"),
    ],
)
def test_ranks_that_cannot_be_are_refused(given: dict[str, str], said: str) -> None:
    judgments, runs, _ = track(5, 3, 20)
    with pytest.raises(InputError, match=said):
        compare(judgments, runs, "RR", **given)  # type: ignore[arg-type]


MEANS = {
    "graded": lambda systems: 0.01 * np.arange(systems),
    "close": lambda systems: np.random.default_rng(1).normal(0, 0.01, systems),
    "two blocks": lambda systems: (
        np.repeat([0.0, 0.1], [systems // 2, systems - systems // 2]) + 1e-3 * np.arange(systems) / systems
    ),
}
NOISE = {
    "normal": lambda rng, shape: rng.normal(0, 0.1, shape),
    "t3": lambda rng, shape: 0.06 * rng.standard_t(3, shape),
    "exponential": lambda rng, shape: rng.exponential(0.1, shape),
}


@pytest.mark.thorough
@pytest.mark.parametrize("means", MEANS)
@pytest.mark.parametrize("noise", NOISE)
@pytest.mark.parametrize("systems", [9, 40])
def test_the_true_rank_of_each_run_is_inside_as_often_as_said(systems: int, noise: str, means: str) -> None:
    tracks, topics = 200, 50
    true = MEANS[means](systems)
    rank = 1 + (true[:, None] < true).sum(axis=1)
    rng = np.random.default_rng(5)
    inside, first, leads = np.zeros(systems), 0, 0
    for _ in range(tracks):
        values = rng.normal(0.4, 0.2, topics) + NOISE[noise](rng, (systems, topics)) + true[:, None]
        mean = values.mean(axis=1)
        p = by_own_comparisons(student(values).p)
        low, high = rank_intervals((p < 0.05) & (mean[:, None] > mean))
        inside += (low <= rank) & (rank <= high)
        first += bool(low[true.argmax()] == 1)
        leader = mean.argmax()
        leads += bool(rank[leader] <= high[leader])
    least = 0.95 - 3 * np.sqrt(0.05 * 0.95 / tracks)
    assert (inside / tracks > least).all()
    assert min(first, leads) / tracks > least
