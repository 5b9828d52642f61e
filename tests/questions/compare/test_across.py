"""Systems over several collections."""

from __future__ import annotations

from statistics import fmean
from typing import Any

import pytest

import truerank as tr
from truerank.statistics.randomization import Draws
from truerank.statistics.strata import Strata


def scored(*values: float) -> dict[str, Any]:
    """A run whose reciprocal ranks are these."""
    return {f"q{n}": [*(f"n{k}" for k in range(round(1 / value) - 1)), "r"] for n, value in enumerate(values)}


def judged(topics: int) -> dict[str, Any]:
    return {f"q{n}": {"r": 1} for n in range(topics)}


FIRST = (
    judged(6),
    {
        "good": scored(1, 1, 0.5, 1, 1, 0.5),
        "fair": scored(0.5, 1, 0.25, 0.5, 0.5, 0.5),
        "poor": scored(0.2, 0.25, 0.2, 0.25, 0.2, 0.25),
        "here": scored(1, 1, 1, 1, 1, 1),
    },
)
SECOND = (
    judged(4),
    {"fair": scored(1, 0.5, 0.5, 0.5), "poor": scored(0.1, 0.2, 0.1, 0.25), "good": scored(1, 1, 0.5, 1)},
)


def compared(**more: Any) -> tr.Comparison:
    given: dict[str, Any] = {"settled": False, "permutations": 999, "also": {"b": SECOND}, "name": "a"}
    return tr.compare(*FIRST, "RR", **(given | more))


def test_means_are_over_collections_of_means_over_topics() -> None:
    found = compared()
    rows = {row.run: row for row in found.every_across}
    assert [*rows] == ["good", "fair", "poor", "here"]
    for run in ("good", "fair", "poor"):
        each = [tr.evaluate(*one, "RR")[run]["RR"].mean for one in (FIRST, SECOND)]
        assert [*rows[run].means.values()] == each
        assert rows[run].mean == pytest.approx(fmean(each))
        low, mean, high = rows[run].low, rows[run].mean, rows[run].high
        assert low is not None
        assert mean is not None
        assert high is not None
        assert low <= mean <= high
    assert [rows[run].rank for run in ("good", "fair", "poor")] == [1, 2, 3]


def test_a_run_that_a_collection_lacks_is_listed_and_not_compared() -> None:
    found = compared()
    last = found.every_across[-1]
    assert (last.run, last.means, last.mean, last.rank, last.collections) == ("here", {"a": 1.0}, None, None, 1)
    assert not any("here" in (pair.run, pair.compared_with) for pair in found.every_across_pair)
    assert any(note.code == "TR352" and "here" in note for note in found.notes())
    [record] = [row for row in found.to_records() if row["run"] == "here"]
    assert (record["mean@a"], record["mean@b"], record["mean"]) == (1.0, None, None)


def test_pairs_are_those_of_strata() -> None:
    found = compared()
    names = ["good", "fair", "poor"]
    values = [
        [[1 / (1 + lists[q].index("r")) for q in lists] for lists in (runs[n] for n in names)]
        for _, runs in (FIRST, SECOND)
    ]
    strata = Strata(values)
    pairs, turned = strata.pairs(0.95, Draws(999, 0)), strata.randomization(Draws(999, 0))
    for pair in found.every_across_pair:
        b, a = names.index(pair.run), names.index(pair.compared_with)
        assert pair.difference == pytest.approx(pairs.difference[b, a])
        assert pair.p == pairs.p[b, a]
        assert pair.p_corrected == pairs.p_corrected[b, a]
        assert pair.p_strata == turned[b, a]
        assert (pair.low, pair.high) == pytest.approx((pairs.low[b, a], pairs.high[b, a]))
        assert (pair.verdict == "not significant") == (pair.p_corrected >= 0.05)
    assert len(found.every_across_pair) == 3


def test_places_follow_from_verdicts() -> None:
    for alpha, places in ((0.02, [(1, 2), (1, 2), (3, 3)]), (0.05, [(1, 1), (2, 2), (3, 3)])):
        rows = compared(alpha=alpha).every_across[:3]
        assert [(row.rank_low, row.rank_high) for row in rows] == places


def test_a_baseline_is_that_of_every_collection() -> None:
    found = compared(baseline="fair")
    assert {(pair.run, pair.compared_with) for pair in found.every_across_pair} == {("good", "fair"), ("poor", "fair")}


def test_it_is_what_is_shown_first_and_says_what_it_takes_for_granted() -> None:
    found = compared()
    assert found.usual() == "across"
    assert found.table().verdict == 'Over 2 collections, "good" is the best of these 3 runs by RR (95%).'
    assert [column.name for column in found.table().columns][:3] == ["measure", "rank", "run"]
    assert any(note.code == "TR351" for note in found.notes())
    table = found.table()
    run = [column.name for column in table.columns].index("run")
    best = {table.rows[row][run] for row, _ in table.best()}
    assert best == {"good"}
    assert found.table(top=1).hidden or len(found.table(top=1).rows) == 1
    alone = compared(also=())
    assert alone.usual() == "systems"
    assert (*alone.rows("across"), *alone.rows("across_pairs")) == ()
    stranger = compared(also={"b": (SECOND[0], {"other": SECOND[1]["good"], "one": SECOND[1]["poor"]})})
    assert any(note.code == "TR354" for note in stranger.notes())
