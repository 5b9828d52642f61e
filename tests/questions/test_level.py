"""Two systems whose means differ by rounding alone are level, whichever question orders them.

The scores of "a" and "b" by RR are the same four numbers on other topics, which are added up in another order.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import truerank as tr

RANKS = {"a": (6, 2, 4, 7), "b": (2, 7, 6, 4), "c": (9, 9, 9, 9)}
QRELS = {f"q{topic}": {"r": 1} for topic in range(4)}


def listed(rank: int) -> list[str]:
    return [*(f"x{place}" for place in range(1, rank)), "r", *(f"x{place}" for place in range(rank, 9))]


RUNS = {run: {f"q{topic}": listed(rank) for topic, rank in enumerate(ranks)} for run, ranks in RANKS.items()}


def test_rounding_sets_them_apart() -> None:
    found = tr.evaluate(QRELS, RUNS, "RR")
    assert 0 < abs(found["a"]["RR"].mean - found["b"]["RR"].mean) < 1e-15


def _truncate() -> Any:
    held = tr.against(tr.truncate(QRELS, RUNS, "RR", against="RR"))
    [found] = held.of("RR", "RR")
    return round(found.tau_a, 9), found.tau_b


def _scatter() -> Any:
    plot = tr.against(tr.truncate(QRELS, RUNS, "RR", against="RR")).scatter()
    return "tau 0.67" in str(plot.spec)


def _depth() -> Any:
    [found] = tr.depth(QRELS, RUNS, "RR", max_depth=9).stability()
    return round(float(found.tau_a[-1]), 9)


def _nil() -> Any:
    found = tr.nil(QRELS, RUNS, "RR", limit=9)
    return found["a"]["RR"].ranks["original"], found["b"]["RR"].ranks["original"], found.orders[0].ordered_pairs


def _ties() -> Any:
    return tr.ties(QRELS, RUNS, "RR").ordered_pairs["RR"]


def _unjudged() -> Any:
    found = tr.unjudged(QRELS, RUNS, "RR")
    return found["a"]["RR"].rank, found["b"]["RR"].rank, found["c"]["RR"].rank


def _compare() -> Any:
    """Level runs stay in the order in which they were given."""
    turned = {run: RUNS[run] for run in ("b", "a", "c")}
    return tr.compare(QRELS, RUNS, "RR")["RR"].order, tr.compare(QRELS, turned, "RR")["RR"].order


def _leave_out() -> Any:
    found = tr.leave_out(QRELS, RUNS, "RR", contributors="all", depth=9)
    return {loss.run: loss.rank for loss in found.losses if loss.unjudged == "nonrelevant"}


def _meta() -> Any:
    found = tr.meta(QRELS, RUNS, "RR Success@8", permutations=10, splits=10)
    return round(float(found.correlations.tau_a[0, 0]), 9)


@pytest.mark.parametrize(
    ("ask", "wanted"),
    [
        (_truncate, (round(2 / 3, 9), 1.0)),
        (_scatter, True),
        (_depth, round(2 / 3, 9)),
        (_nil, (1, 1, 2)),
        (_ties, 2),
        (_unjudged, (1, 1, 3)),
        (_compare, ((0, 1, 2), (0, 1, 2))),
        (_leave_out, {"a": 1, "b": 1, "c": 3}),
        (_meta, round(2 / 3, 9)),
    ],
)
def test_systems_that_are_level_are_tied(ask: Callable[[], Any], wanted: Any) -> None:
    assert ask() == wanted


def test_lower_may_be_better_in_the_figure_too() -> None:
    """The tau above a panel is the one of the table."""
    runs = {"x": {"q0": listed(1)}, "y": {"q0": listed(3)}}
    held = tr.against(tr.truncate({"q0": {"r": 1, "x1": 0}}, runs, "RR", against="PrefLoss"))
    assert held.tau("PrefLoss", "RR") == 1.0
    assert "tau 1.00" in str(held.scatter().spec)
