"""Comparisons by groups of topics, and of systems of several runs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run, track, values

import truerank as tr
from truerank.data.errors import InputError
from truerank.statistics.replicates import Replicates
from truerank.statistics.unseen import unseen_means

stats = pytest.importorskip("scipy.stats")

TOPICS = 20
GROUPS = {f"t{at:02}": f"g{at // 4}" for at in range(TOPICS)}
A = [1, 2, 1, 3, 1, 4, 2, 1, 5, 1, 2, 1, 2, 2, 3, 1, 1, 4, 2, 1]
B = [2, 2, 3, 3, 1, 4, 4, 2, 5, 2, 2, 1, 2, 4, 3, 2, 1, 5, 2, 3]


def compared(**given: Any) -> Any:
    return tr.compare(judged(TOPICS), {"a": run(A), "b": run(B)}, "RR", **{"settled": False, **given})


def means(ranks: list[int]) -> list[float]:
    return [values(ranks)[4 * at : 4 * at + 4].mean() for at in range(5)]


def test_tests_and_intervals_go_by_groups() -> None:
    # Five groups of the same sign have p = .0625 by their signs alone, which is below .1.
    found = compared(group=GROUPS, alpha=0.1)["RR"]
    pair, expected = found.pair("a", "b"), stats.ttest_rel(means(B), means(A))
    assert pair.p == pytest.approx(expected.pvalue, abs=1e-12)
    assert compared(group=GROUPS)["RR"].pair("a", "b").p == 0.0625
    low, high = expected.confidence_interval(0.9)
    assert (pair.low, pair.high) == pytest.approx((low, high), abs=1e-12)
    assert (found.num_topics, found.num_groups) == (20, 5)
    assert pair.wins + pair.ties + pair.losses == 20
    assert "paired t-test by group" in compared(group=GROUPS).verdicts[0]
    assert "on 20 topics in 5 groups" in compared(group=GROUPS).verdicts[0]


def test_means_are_those_of_topics_whatever_the_groups() -> None:
    uneven = {topic: "g0" if topic < "t10" else topic for topic in GROUPS}
    plain, grouped = compared()["RR"], compared(group=uneven)["RR"]
    assert grouped.systems["a"].mean == pytest.approx(plain.systems["a"].mean, abs=1e-14)
    assert grouped.pair("a", "b").difference == pytest.approx(plain.pair("a", "b").difference, abs=1e-14)
    assert grouped.systems["a"].std_error != pytest.approx(plain.systems["a"].std_error, rel=0.01)


def test_groups_of_one_topic_are_topics() -> None:
    plain, grouped = (
        compared()["RR"].pair("a", "b"),
        compared(group={topic: topic for topic in GROUPS})["RR"].pair("a", "b"),
    )
    assert (grouped.p, grouped.low, grouped.needed_topics) == pytest.approx((plain.p, plain.low, plain.needed_topics))


def test_without_clusters_only_the_sheets_are_by_group() -> None:
    plain, found = compared(), compared(group=GROUPS, cluster=False)
    assert found["RR"].pair("a", "b").p == plain["RR"].pair("a", "b").p
    rows = found.to_records("groups")
    assert [(row["group"], row["run"], row["num_topics"]) for row in rows[:2]] == [("g0", "a", 4), ("g0", "b", 4)]
    assert [row["mean"] for row in rows if row["run"] == "a"] == pytest.approx(means(A))
    pairs = found.to_records("grouped")
    assert [row["difference"] for row in pairs] == pytest.approx(np.subtract(means(B), means(A)).tolist())
    first = stats.ttest_rel(values(B)[:4], values(A)[:4]).pvalue
    differ = np.count_nonzero(values(B)[:4] - values(A)[:4])
    assert pairs[0]["p"] == pytest.approx(max(first, 2.0 ** (1 - differ)))
    assert pairs[0]["p_corrected"] >= pairs[0]["p"]


@pytest.mark.parametrize("test", ["dunnett", "randomized-dunnett"])
def test_in_a_group_too_runs_are_held_against_the_baseline_wherever_it_stands(test: str) -> None:
    runs = {"a": run(A), "b": run(B), "c": run([1] * TOPICS)}
    group = dict.fromkeys(GROUPS, "all")
    found = tr.compare(judged(TOPICS), runs, "RR", baseline="c", test=test, group=group, cluster=False, settled=False)
    assert [row.p for row in found.every_group_pair] == [pair.p for pair in found["RR"].pairs]
    assert max(row.p for row in found.every_group_pair) < 0.05


def test_margins_and_gates_go_by_groups() -> None:
    found = compared(group=GROUPS, margin=0.3, gate="no worse than 0.3 at 0.1", baseline="a", alpha=0.1)
    [gate], apart = found.gates, np.subtract(means(B), means(A))
    low = apart.mean() - stats.t.ppf(0.95, 4) * stats.sem(apart)
    rare, _ = unseen_means(apart[None], np.full(1, 0.1))
    assert gate.low == pytest.approx(min(low, rare[0]), abs=1e-12)
    assert gate.num_groups == 5
    assert found["RR"].pair("a", "b").guarded_low == gate.low
    assert "by group, unseen topics allowed for)" in gate.sentence
    few = compared(group=GROUPS, gate="no worse than 0.3", baseline="a").gates[0]
    assert few.outcome == "UNDECIDED"
    assert "20 topics in 5 groups cannot show anything at this level" in few.sentence


def test_other_readings_go_by_groups_too() -> None:
    found = compared(group=GROUPS, settled=True, depths=[2], alpha=0.1)["RR"].pair("a", "b")
    assert found.checks
    cut = [[0.0 if rank > 2 else 1 / rank for rank in ranks] for ranks in (A, B)]
    by_group = [np.array(each).reshape(5, 4).mean(axis=1) for each in cut]
    depth = next(check for check in found.checks if check.convention == "depth")
    assert depth.p == pytest.approx(stats.ttest_rel(by_group[1], by_group[0]).pvalue, abs=1e-12)


def test_how_alike_topics_of_a_group_are_is_said() -> None:
    notes = [note for note in compared(group=GROUPS).notes() if note.code == "TR331"]
    assert len(notes) == 1
    assert "intraclass correlation" in str(notes[0])


def test_another_order_in_a_group_is_said_where_groups_are_not_drawn() -> None:
    topics = 40
    group = {f"t{at:02}": "big" if at < 30 else "small" for at in range(topics)}
    one, other = [1] * 30 + [2, 3] * 5, [2, 3] * 15 + [1] * 10
    found = tr.compare(
        judged(topics), {"a": run(one), "b": run(other)}, "RR", group=group, cluster=False, settled=False
    )
    assert any(note.code == "TR332" and "small" in note for note in found.notes())


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="topic t19 of 20 has no group"):
        compared(group={topic: group for topic, group in GROUPS.items() if topic != "t19"})
    with pytest.raises(InputError, match="give group"):
        compared(cluster=True)


def seeds() -> tuple[Any, dict[str, Any], np.ndarray]:
    qrels, runs, scores = track(5, 6, TOPICS)
    return qrels, dict(zip(("x-s1", "x-s2", "x-s3", "y-s1", "y-s2", "z"), runs.values(), strict=True)), scores


def test_a_system_of_several_runs_is_their_mean() -> None:
    qrels, runs, scores = seeds()
    found = tr.compare(qrels, runs, "RR", system="{}-s*", interval="t")["RR"]
    assert found.runs == ("x", "y", "z")
    assert found.systems["x"].mean == pytest.approx(scores[:3].mean())
    expected = Replicates(scores, np.array([0, 0, 0, 1, 1, 2]))
    assert found.pair("x", "y").p == pytest.approx(expected.student().p[0, 1], abs=1e-12)
    ends = expected.difference_intervals(0.95)
    assert (found.pair("x", "y").low, found.pair("x", "y").high) == pytest.approx((ends.low[1, 0], ends.high[1, 0]))
    assert "over topics and runs" in tr.compare(qrels, runs, "RR", system="{}-s*").verdicts[0]


@pytest.mark.parametrize(
    "system",
    [["x=x-s*", "y=y-s?"], {"x": "x-*", "y": ["y-s1", "y-s2"]}, "{}-s[0-9]"],
)
def test_systems_are_told_by_names_or_patterns(system: Any) -> None:
    qrels, runs, _ = seeds()
    assert tr.compare(qrels, runs, "RR", system=system).runs == ("x", "y", "z")


def test_baselines_and_gates_are_systems() -> None:
    qrels, runs, scores = seeds()
    found = tr.compare(qrels, runs, "RR", system="{}-s*", baseline="y", gate="no worse than 0.1", margin=0.1)
    assert {(one.baseline, one.run) for one in found.gates} == {("y", "x"), ("y", "z")}
    one = Replicates(scores, np.array([0, 0, 0, 1, 1, 2])).contrast(0, 1)
    assert found["RR"].corrected.significant == 0
    rare, _ = unseen_means(found["RR"].values[[0]] - found["RR"].values[[1]], np.full(1, 0.025))
    assert found.gates[0].low == pytest.approx(min(one.mean - one.reach(0.975) * one.error, rare[0]))
    assert "over topics and runs, Holm over 2, unseen topics allowed for)" in found.gates[0].sentence


def test_groups_and_several_runs_together() -> None:
    qrels, runs, scores = seeds()
    found = tr.compare(qrels, runs, "RR", system="{}-s*", group=GROUPS, alpha=0.1)["RR"]
    by_group = scores.reshape(6, 5, 4).mean(axis=2)
    expected = Replicates(by_group, np.array([0, 0, 0, 1, 1, 2])).student().p
    assert found.pair("x", "y").p == pytest.approx(expected[0, 1], abs=1e-12)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"system": "w=w*"}, "system 'w=w\\*' has no run"),
        ({"system": "x-s*"}, "is not understood"),
        ({"system": ["x=x-*", "w=x-s1"]}, "is of two systems"),
        ({"system": "z=x-*"}, "is a run and a system"),
        ({"system": "{}-s*", "test": "wilcoxon"}, "takes a system for one run"),
        ({"system": "{}-s*", "settled": True}, "single runs"),
        ({"system": "all=*"}, "two systems or more"),
    ],
)
def test_systems_that_are_refused(given: dict[str, Any], said: str) -> None:
    qrels, runs, _ = seeds()
    with pytest.raises(InputError, match=said):
        tr.compare(qrels, runs, "RR", **given)


def test_the_analysis_of_variance() -> None:
    qrels, runs, scores = seeds()
    rows = {row["source"]: row for row in tr.compare(qrels, runs, "RR", settled=False).to_records("anova")}
    assert [*rows] == ["systems", "topics", "error"]
    table = stats.f_oneway(*scores)  # of systems alone: the sum of squares of systems is the same
    between = 20 * ((scores.mean(axis=1) - scores.mean()) ** 2).sum()
    assert table.statistic == pytest.approx(
        (between / 5) / ((rows["topics"]["squares"] + rows["error"]["squares"]) / 114), rel=1e-9
    )
    assert rows["systems"]["squares"] == pytest.approx(between)
    assert sum(row["share"] for row in rows.values()) == pytest.approx(1.0)
    several = tr.compare(qrels, runs, "RR", system="{}-s*").to_records("anova")
    assert [row["source"] for row in several] == ["systems", "topics", "systems x topics", "runs", "error"]


def test_evaluate_has_each_group_too() -> None:
    found = tr.evaluate(judged(TOPICS), {"a": run(A), "b": run(B)}, "RR P@1", group=GROUPS)
    rows = [row for row in found.to_records("groups") if row["run"] == "b" and row["measure"] == "RR"]
    assert [row["group"] for row in rows] == ["g0", "g1", "g2", "g3", "g4", "all"]
    assert [row["mean"] for row in rows] == pytest.approx([*means(B), values(B).mean()])
    assert [row["num_topics"] for row in rows] == [4] * 5 + [20]
    assert found["b"]["RR"].mean == pytest.approx(values(B).mean())
    assert tr.evaluate(judged(TOPICS), {"a": run(A)}, "RR").to_records("groups") == []
