"""Intervals of means in groups of topics, and of all topics where groups were drawn."""

from __future__ import annotations

import random

import pytest

import truerank as tr

DRAW = random.Random(6)
QRELS = {f"q{n:02}": {"r": 1} for n in range(36)}
GROUPS = {topic: f"s{n // 3}" for n, topic in enumerate(QRELS)}


def run(seed: int) -> dict[str, list[str]]:
    draw = random.Random(seed)
    depth = {group: draw.randrange(4) for group in GROUPS.values()}
    return {topic: [*(f"n{k}" for k in range(depth[GROUPS[topic]] + draw.randrange(2))), "r"] for topic in QRELS}


RUNS = {"x": run(1), "y": run(2)}


def test_they_are_those_of_compare() -> None:
    """A bootstrap that draws groups, and Student's t within each."""
    rows = {(row.run, row.group): row for row in tr.evaluate(QRELS, RUNS, "RR", group=GROUPS).groups}
    compared = tr.compare(QRELS, RUNS, "RR", group=GROUPS, settled=False)
    for run_, system in compared["RR"].systems.items():
        row = rows[run_, "all"]
        assert row.num_topics == 36
        assert (row.mean, row.low, row.high) == pytest.approx(
            (system.mean, system.bootstrap_low, system.bootstrap_high)
        )
    for one in compared.every_group:
        row = rows[one.run, one.group]
        if row.low is not None:
            assert (row.mean, row.low, row.high) == pytest.approx((one.mean, one.low, one.high))


def test_they_are_wider_than_those_of_topics_drawn_alone() -> None:
    [row] = [row for row in tr.evaluate(QRELS, RUNS["x"], "RR", group=GROUPS).groups if row.group == "all"]
    low, high = tr.evaluate(QRELS, RUNS["x"], "RR")["run"]["RR"].interval()
    assert row.high is not None
    assert row.low is not None
    assert row.high - row.low > 1.2 * (high - low)


def test_there_is_none_of_few_groups_or_of_what_is_no_mean() -> None:
    few = {topic: "a" if n < 18 else "b" for n, topic in enumerate(QRELS)}
    for measure, groups in (("RR", few), ("GM", GROUPS)):
        [row] = [row for row in tr.evaluate(QRELS, RUNS["x"], measure, group=groups).groups if row.group == "all"]
        assert row.low is None
    [*inside, _] = tr.evaluate(QRELS, RUNS["x"], "RR", group=few).groups
    assert all(row.low is not None for row in inside)
