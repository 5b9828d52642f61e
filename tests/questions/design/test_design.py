"""How many topics it takes: against R's power.t.test, by simulation, and from runs."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import track

import truerank as tr
from truerank.data.errors import InputError
from truerank.statistics.deviation import deviation_interval
from truerank.statistics.tests import TESTS

stats = pytest.importorskip("scipy.stats")


def test_a_given_deviation() -> None:
    """R: power.t.test(delta = .05, sd = .2, power = .8, type = "paired") has n = 127.5."""
    found = tr.design(deviation=0.2, difference=0.05)["given"]
    assert (found.topics, found.topics_pairs, found.topics_anova) == (128, 128, 128)
    assert found.topics_low is None
    several = tr.design(deviation=0.2, difference=0.05, systems=5)["given"]
    assert several.topics == 128 < several.topics_anova < several.topics_pairs


def test_the_topics_named_find_the_difference_as_often_as_said() -> None:
    topics, rng = tr.design(deviation=0.2, difference=0.1)["given"].topics, np.random.default_rng(1)
    tracks = [np.stack([rng.normal(0.1, 0.2, topics), np.zeros(topics)]) for _ in range(800)]
    assert np.mean([TESTS["student"](each).p[0, 1] < 0.05 for each in tracks]) == pytest.approx(0.8, abs=0.045)


def test_intervals_are_as_wide_as_asked_for() -> None:
    topics = tr.design(deviation=0.2, difference=0.05, width=0.08)["given"].topics_width

    def width(count: int) -> float:
        return float(2 * stats.t.ppf(0.975, count - 1) * 0.2 / np.sqrt(count))

    assert width(topics) <= 0.08 < width(topics - 1)


def test_the_deviation_of_runs() -> None:
    qrels, runs, scores = track(3, 4, 30)
    found = tr.design(qrels, runs, "RR", difference=0.05)["RR"]
    pairs = [(scores[a] - scores[b]).var(ddof=1) for a in range(4) for b in range(a)]
    assert found.deviation == pytest.approx(np.sqrt(np.mean(pairs)))
    assert found.low < found.deviation < found.high
    assert found.topics_low < found.topics < found.topics_high
    assert (found.low, found.high) == deviation_interval(scores)
    assert found.topics == tr.design(deviation=found.deviation, difference=0.05)["given"].topics


def test_four_topics_do_not_tell_how_well_a_deviation_is_known() -> None:
    qrels, runs, _ = track(3, 4, 4)
    found = tr.design(qrels, runs, "RR", difference=0.05)
    row = found["RR"]
    assert (row.low, row.high, row.topics_low, row.topics_high) == (None, None, None, None)
    assert row.topics > 2
    assert "by how well the deviation is known" not in " ".join(map(str, found.notes()))


def test_the_curve_goes_through_what_is_needed() -> None:
    found = tr.design(deviation=0.2, difference=0.05, systems=3)
    points = {point["topics"]: point for point in found.to_records("curve")}
    assert points[128]["power"] >= 0.8
    assert points[100]["power"] < 0.8
    assert points[128]["detectable"] == pytest.approx(found["given"].detectable)
    assert [*points] == sorted(points)
    assert all(point["power_pairs"] < point["power"] for point in points.values())


def test_groups_are_what_is_counted() -> None:
    qrels, runs, scores = track(4, 3, 40)
    group = {topic: at // 4 for at, topic in enumerate(sorted(qrels))}
    found = tr.design(qrels, runs, "RR", difference=0.05, group=group)["RR"]
    means = scores.reshape(3, 10, 4).mean(axis=2)
    pairs = [(means[a] - means[b]).var(ddof=1) for a in range(3) for b in range(a)]
    assert found.deviation == pytest.approx(np.sqrt(np.mean(pairs)))
    assert found.topics == 4 * found.groups


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"difference": 0.1}, "give judgments and runs"),
        ({"difference": 0.0, "deviation": 0.2}, "above 0"),
        ({"difference": 0.1, "deviation": -1.0}, "above 0"),
        ({"difference": 0.1, "deviation": 0.2, "power": 1.0}, "between 0 and 1"),
        ({"difference": 0.1, "deviation": 0.2, "power": 0.01}, "no more than alpha"),
        ({"difference": 0.1, "deviation": 0.2, "systems": 1}, "from 2 on"),
        ({"difference": 0.1, "deviation": 0.2, "width": 0.0}, "above 0"),
        ({"difference": 0.1, "deviation": 0.2, "qrels": {}}, "leave out files"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        tr.design(**given)


def test_one_run_shows_no_differences() -> None:
    qrels, runs, _ = track(3, 1, 5)
    with pytest.raises(InputError, match="two runs or more"):
        tr.design(qrels, runs, "RR", difference=0.1)


def test_the_command(truerank: Any) -> None:
    done = truerank("design", "--deviation", "0.2", "--difference", "0.05", "--format", "json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["measures"][0]["topics"] == 128
    assert (
        "128 topics find a true difference of 0.05"
        in truerank("design", "--deviation", "0.2", "--difference", "0.05").stderr
    )
    assert truerank("design", "--deviation", "0.2").exit_code == 2
