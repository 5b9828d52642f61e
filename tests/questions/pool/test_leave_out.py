"""Leaving systems out of the pool, against judgments rebuilt for each of them."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.questions.pool import leave_out as leaving
from truerank.questions.pool.leave_out import grouped
from truerank.questions.pool.question import leave_out
from truerank.statistics.correlations import kendall_b

MEASURES = "AP nDCG@5 RR RBP(p=0.8)"
DEPTH = 4


def some_lists(seed: int) -> dict[str, dict[str, dict[str, float]]]:
    """Lists without ties."""
    chance = random.Random(seed)
    documents = [f"d{number}" for number in range(30)]
    return {
        f"{team}{number}": {
            f"q{topic}": {document: -float(rank) for rank, document in enumerate(chance.sample(documents, 12))}
            for topic in range(5)
        }
        for team in ("a", "b", "c")
        for number in (1, 2, 3)
    }


def held(lists: Any, names: Any) -> set[tuple[str, str]]:
    return {(topic, one) for name in names for topic, some in lists[name].items() for one in [*some][:DEPTH]}


POOLED = ("a1", "a2", "b1", "c1", "c2")


def judgments(lists: Any, seed: int) -> dict[str, dict[str, int]]:
    chance = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    for topic, document in sorted(held(lists, POOLED)):
        qrels.setdefault(topic, {})[document] = chance.choice([0, 1, 2])
    return qrels


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
@pytest.mark.parametrize("by", ["run", "group"])
def test_scores_without(by: str, unjudged: str, seed: int) -> None:
    lists = some_lists(seed)
    qrels = judgments(lists, seed)
    found = leave_out(qrels, lists, MEASURES, by=by, depth=DEPTH, contributors=POOLED)
    team = grouped(lists) if by == "group" else {name: name for name in lists}
    teams = {team[name] for name in POOLED}
    whole = tr.evaluate(qrels, lists, MEASURES, unjudged=unjudged)
    without: dict[str, dict[str, float]] = {measure: {} for measure in whole.measures}
    gone: dict[str, list[tuple[str, str]]] = {}
    for one in teams:
        mine = held(lists, [name for name in POOLED if team[name] == one])
        others = held(lists, [name for name in POOLED if team[name] != one])
        gone[one] = sorted(mine - others)
        rest = {
            topic: {d: g for d, g in some.items() if (topic, d) not in mine - others} for topic, some in qrels.items()
        }
        members = {name: lists[name] for name in lists if team[name] == one}
        scores = tr.evaluate(
            {topic: some for topic, some in rest.items() if some}, members, MEASURES, unjudged=unjudged
        )
        assert all(rest.values()), "a topic without judgments would be left out here"
        for name in members:
            for measure in whole.measures:
                without[measure][name] = scores[name][measure].mean
    for measure in whole.measures:
        losses = found.of(measure, unjudged)
        assert {loss.run for loss in losses} == {name for name in lists if team[name] in teams}
        assert [loss.loss for loss in losses] == sorted((loss.loss for loss in losses), reverse=True)
        full = {name: whole[name][measure].mean for name in lists}
        for loss in losses:
            assert loss.score == pytest.approx(full[loss.run], abs=1e-12)
            assert loss.without == pytest.approx(without[measure][loss.run], abs=1e-12)
            assert loss.loss == pytest.approx(loss.score - loss.without, abs=1e-11)
            assert loss.removed == len(gone[loss.group])
            assert loss.removed_relevant == sum(qrels[topic][document] > 0 for topic, document in gone[loss.group])
            mates = {name: value for name, value in without[measure].items() if team[name] == loss.group}
            others = {**full, **mates}
            assert loss.rank == 1 + sum(value > full[loss.run] + 1e-12 for value in full.values())
            assert loss.rank_without == 1 + sum(value > others[loss.run] + 1e-12 for value in others.values())
        [summary] = [one for one in found.summaries if (one.measure, one.unjudged) == (measure, unjudged)]
        after = {**full, **without[measure]}
        # What is equal but for rounding is tied.
        before_after = [[round(value, 10) for value in values.values()] for values in (full, after)]
        assert summary.tau_b == pytest.approx(kendall_b(*before_after))
        assert summary.mean_loss == pytest.approx(sum(loss.loss for loss in losses) / len(losses))
        assert summary.largest_loss.loss == max(loss.loss for loss in losses)
        assert abs(summary.steepest_drop.drop) == max(abs(loss.drop) for loss in losses)


def test_a_topic_that_loses_all_judgments_still_counts() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1, "c": 1}}
    runs = {"one": {"q1": ["a"], "q2": ["b"]}, "two": {"q2": ["c"]}}
    found = leave_out(qrels, runs, "P@1", depth=1, contributors="all", unjudged="nonrelevant")
    [first, second] = found.of("P@1")
    assert (first.run, first.score, first.without, first.removed) == ("one", 1.0, 0.0, 2)
    assert (second.run, second.score, second.without, second.rank_without) == ("two", 0.5, 0.0, 2)


def test_what_is_bad_when_high_is_lost_when_it_rises() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    runs = {"one": {"q1": ["a", "b"]}, "two": {"q1": ["b", "c"]}}
    lower = next(one.name for one in tr.measures() if not tr.parse(one.written.replace("[@k]", "")).higher_is_better)
    found = leave_out(qrels, runs, lower, depth=2, contributors="all")
    for loss in found.losses:
        assert loss.loss == pytest.approx(loss.without - loss.score)


def test_runs_that_do_not_fit_in_memory_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    track = tr.simulate(systems=6, topics=5, seed=2, pool_depth=10, depth=50)
    paths = [str(path) for path in track.write(tmp_path)]
    kept = leave_out(paths[0], paths[1:], "AP P@5")
    monkeypatch.setattr(leaving, "KEPT", 60)
    read = leave_out(paths[0], paths[1:], "AP P@5")
    assert read.to_dict() == kept.to_dict()
    assert any(loss.loss for loss in read.losses)


def test_the_input_stays_as_it_is() -> None:
    track = tr.simulate(systems=6, topics=5, seed=2, pool_depth=10, depth=50)
    before = tr.evaluate(track.qrels, track.runs, "AP").to_dict()
    joins = {name: run.joined[0][0] for name, run in track.runs.items()}
    leave_out(track.qrels, track.runs, "AP", identical="drop")
    leave_out(track.qrels, track.runs, "AP")
    assert tr.evaluate(track.qrels, track.runs, "AP").to_dict() == before
    assert all(run.joined[0][0] is joins[name] for name, run in track.runs.items())


def test_words() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "b", "y"]}, "three": {"q1": ["d", "a", "z"]}}
    found = leave_out(qrels, runs, "P@1", unjudged="nonrelevant")
    assert found.notes() == (
        "3 runs left out in turn; the runs of the pool hold 100% of the judged documents: what 3 lose says little of "
        "others; 5 are the least",
        "P@1, unjudged nonrelevant: left out, a system loses 0.3333 (50.0%) on average; at the extremes two loses "
        "1.0000 (100.0%); two falls 1 of 3 ranks; tau 0.500. What new systems would lose cannot be determined from "
        "this",
    )
    assert found.summaries[0].verdict == "cannot be determined"
    alone = leave_out({"q1": {"a": 1, "b": 1}}, {"one": {"q1": ["a"]}, "two": {"q1": ["b"]}}, "P@1")
    assert "tau is undefined" in alone.notes()[1]
    assert "left out in turn" in str(found)
    groups = leave_out(qrels, runs, "P@1", by="group", groups="o|t", unjudged="nonrelevant")
    assert groups.notes()[0].startswith("2 groups left out in turn")
    assert found.to_dict()["summaries"][0]["largest"] == "two"
    assert len(found.to_pandas()) == 3
    assert found.to_csv(show="summaries").startswith("measure,unjudged,left_out,groups,explained,systems,mean_loss")  # type: ignore[union-attr]


def test_words_of_gains_and_of_nothing_lost() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "b", "y"]}, "three": {"q1": ["d", "a", "z"]}}
    [summary] = leave_out(qrels, runs, "P@1", unjudged="nonrelevant").summaries
    drop = replace(summary.steepest_drop, rank=3, rank_without=1)
    gain = replace(summary.largest_loss, run="new", loss=-0.25, relative=math.nan)
    gains = replace(summary, mean_loss=-0.1, mean_relative=-0.2, smallest_loss=gain, steepest_drop=drop, groups=9)
    assert gains.note() == (
        "P@1, unjudged nonrelevant: left out, a system gains 0.1000 (20.0%) on average; at the extremes two loses "
        "1.0000 (100.0%); new gains 0.2500; two rises 2 of 3 ranks; tau 0.500. New systems are at an advantage: judge "
        "their documents, or bound their scores"
    )
    none = replace(summary.largest_loss, loss=0.0)
    same = replace(summary, mean_loss=0.0, mean_relative=0.0, largest_loss=none, smallest_loss=none, tau_b=1.0)
    assert same.note() == (
        "P@1, unjudged nonrelevant: left out, no system loses or gains anything. What new systems would lose cannot "
        "be determined from this"
    )


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (None, {"ok8a": "ok", "ok8b": "ok", "INQ601": "INQ", "1": "1"}),
        (r"(\w{3})\w*", {"ok8a": "ok8", "ok8b": "ok8", "INQ601": "INQ", "1": "1"}),
        ("ok", {"ok8a": "ok", "ok8b": "ok", "INQ601": "INQ601", "1": "1"}),
        ({"ok8a": "x", "1": "x"}, {"ok8a": "x", "ok8b": "ok8b", "INQ601": "INQ601", "1": "x"}),
        (len, {"ok8a": "4", "ok8b": "4", "INQ601": "6", "1": "1"}),
    ],
)
def test_groups(rule: Any, expected: dict[str, str]) -> None:
    assert grouped(["ok8a", "ok8b", "INQ601", "1"], rule) == expected


QRELS = {"q1": {"a": 1, "b": 0}}
RUNS = {"one": {"q1": ["a", "x"]}, "two": {"q1": ["b", "y"]}}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"by": "team"}, "by='team'"),
        ({"groups": "a"}, "choose by='group'"),
        ({"by": "group", "groups": "("}, "no regular expression"),
        ({"by": "group", "groups": {"three": "x"}}, "no run 'three'"),
        ({"by": "group", "groups": {"one": "x", "two": "x"}}, "only one group contributed, x"),
        ({"unjudged": "bounds"}, "unjudged='bounds' has no one score"),
        ({"measures": "AP(norm='pool')"}, "depends on the pool"),
        ({"measures": "nonsense"}, "nonsense"),
        ({"contributors": ["one"], "depth": 1}, "only one run contributed, one"),
        ({"depth": 2}, "no run is judged down"),
        ({"pool_ties": "sample"}, "ties='sample' is none"),
        ({"depth": 1, "no_relevant": "nan", "qrels": {"q1": {"a": 0, "b": 0}}}, "has no rank"),
    ],
)
def test_what_cannot_be_done_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(tr.InputError, match=said):
        leave_out(**{"qrels": QRELS, "runs": RUNS, **options})
