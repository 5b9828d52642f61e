"""Comparison of stopping rules by cross-validation."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank import stop
from truerank.data.errors import InputError
from truerank.questions.stop import question
from truerank.questions.stop.question import verdict
from truerank.questions.stop.rules import RULES
from truerank.questions.stop.thresholds import FixedRule
from truerank.questions.stop.work import TESTS, CrossValidation

MEASURES = "RBPU(p=0.9) OIE(size=200) F"
Judgments = dict[str, dict[str, int]]
Lists = dict[str, dict[str, float]]


def track(seed: int = 0, topics: int = 20, length: int = 25) -> tuple[Judgments, Lists]:
    """Topics with 1 to 12 relevant documents that score high, as far as scores tell."""
    rng = np.random.default_rng(seed)
    qrels: Judgments = {}
    run: Lists = {}
    for topic in range(topics):
        grade = np.zeros(length, int)
        grade[: rng.integers(1, 13)] = rng.integers(1, 3)
        score = np.round(rng.normal(0, 1, length) + 2.5 * (grade > 0), 1)
        qrels[f"q{topic:02}"] = {f"d{place}": int(one) for place, one in enumerate(grade)} | {"e": 2}
        run[f"q{topic:02}"] = {f"d{place}": float(one) for place, one in enumerate(score)}
    return qrels, run


@pytest.fixture(scope="module")
def found() -> Any:
    qrels, run = track()
    return stop(qrels, {"one": run, "other": track(seed=1)[1]}, MEASURES)


def test_every_rule_is_held_against_whole_lists_and_best_cuts(found: Any) -> None:
    qrels, run = track()
    best = tr.evaluate(qrels, run, MEASURES)["run"]
    for measure in found.measures:
        one = found["one"][measure]
        assert [*one] == [*RULES]
        assert one.mean_whole == pytest.approx(best[measure].mean, abs=1e-12)
        assert (one.at_best.values >= one.as_is.values - 1e-12).all()
        for rule, outcome in one.items():
            assert (one.at_best.values >= outcome.values - 1e-12).all()
            assert one.share(rule) == pytest.approx((outcome.mean - one.mean_whole) / one.room)
            assert 0.0 <= outcome.p_whole <= 1.0


def test_values_are_those_of_runs_cut_at_these_lengths(found: Any) -> None:
    qrels, run = track()
    for measure in found.measures:
        outcome = found["one"][measure]["threshold"]
        ranked = {topic: sorted(docs, key=lambda doc, docs=docs: -docs[doc]) for topic, docs in run.items()}
        cut = {
            topic: {doc: docs[doc] for doc in ranked[topic][:length]}
            for (topic, docs), length in zip(run.items(), outcome.lengths.tolist(), strict=True)
        }
        assert outcome.mean == pytest.approx(tr.evaluate(qrels, cut, measure)["run"][measure].mean, abs=1e-12)


@pytest.mark.parametrize("rule", RULES)
def test_cross_validation_never_sees_the_topics_it_tests(rule: str) -> None:
    qrels, run = track(3)
    names = sorted(qrels)
    fold = CrossValidation({}).fold(len(names))
    before = stop(qrels, run, MEASURES, rule)["run"]
    for number in range(5):
        inside = [name for name, one in zip(names, fold, strict=True) if one == number]
        other = {
            topic: {doc: (2 - grade if topic in inside else grade) for doc, grade in docs.items()}
            for topic, docs in qrels.items()
        }
        after = stop(other, run, MEASURES, rule)["run"]
        places = np.flatnonzero(fold == number)
        for measure in before:
            same = before[measure][rule].lengths[places] == after[measure][rule].lengths[places]
            assert same.all()
            assert before[measure][rule].folds[number] == after[measure][rule].folds[number]


def test_the_same_numbers_whatever_the_order_of_rows() -> None:
    qrels, run = track(4)
    rng = np.random.default_rng(0)
    shuffled = {
        topic: {doc: run[topic][doc] for doc in rng.permutation([*run[topic]]).tolist()}
        for topic in rng.permutation([*run]).tolist()
    }
    first, second = (json.dumps(stop(qrels, one, MEASURES).to_dict()) for one in (run, shuffled))
    assert first == second


def test_another_seed_makes_other_folds() -> None:
    assert (CrossValidation({}, seed=0).fold(20) != CrossValidation({}, seed=1).fold(20)).any()
    assert np.bincount(CrossValidation({}, folds=3, seed=1).fold(20)).tolist() == [7, 7, 6]


def test_rules_that_are_ready_are_used_as_they_are() -> None:
    qrels, run = track()
    found = stop(qrels, run, "F", ["fixed", FixedRule(k=3)])
    ready = found["run"]["F"]["fixed(k=3)"]
    assert (ready.rule, ready.folds) == (FixedRule(k=3), ())
    assert any("fixed(k=3): used as it is" in notice for notice in found.notices)


def test_one_rule_is_not_held_against_itself_and_none_against_a_fixed_length_that_is_not_there() -> None:
    qrels, run = track()
    both, lone = stop(qrels, run, "F", "fixed tail")["run"]["F"], stop(qrels, run, "F", "tail")["run"]["F"]
    assert (both["fixed"].p_fixed, lone["tail"].p_fixed) == (None, None)
    assert both["tail"].p_fixed is not None
    # Holm's correction for two rules, and for one.
    assert both["tail"].p_whole >= lone["tail"].p_whole


@pytest.mark.parametrize("test", ["randomization", "student"])
def test_tests_agree_on_what_is_clear(test: str) -> None:
    pytest.importorskip("scipy")
    qrels, run = track()
    one = stop(qrels, run, "F", "fixed", test=test)["run"]["F"]
    assert one.gain("fixed") > 0
    assert one["fixed"].p_whole < 0.01
    assert "fixed does most" in verdict(one)


def test_topics_that_the_run_lacks_are_empty_lists() -> None:
    qrels, run = track()
    some = {topic: docs for topic, docs in run.items() if topic not in ("q00", "q07")}
    one = stop(qrels, some, "F")["run"]["F"]
    assert [one.as_is.lengths[place] for place in (0, 7)] == [0, 0]
    assert all(outcome.lengths[7] == 0 for outcome in one.values())
    assert len(stop(qrels, some, "F", missing="skip")["run"]["F"].topics) == 18


def test_fewer_topics_than_folds() -> None:
    qrels, run = track(topics=3)
    found = stop(qrels, run, "F", "fixed threshold")
    assert found.folds == 3
    assert any("as many folds, not 5" in notice for notice in found.notices)


def test_best_cuts_divide_no_ties() -> None:
    # Any one of three tied documents would do, but which is for no score to say.
    qrels = {f"q{n}": {"a": 1, "b": 1, "c": 1} for n in range(2)}
    run = {f"q{n}": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0} for n in range(2)}
    one = stop(qrels, run, "ERRU(e=0.3)", "fixed")["run"]["ERRU(e=0.3)"]
    assert tr.truncate(qrels, run, one.measure)["run"][one.measure].length.tolist() == [1, 1]
    assert one.at_best.lengths.tolist() == [3, 3]


def test_where_less_is_better_a_rule_gains_by_lowering() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 0, "c": 1} for n in range(6)}
    run = {f"q{n}": {"a": 3.0, "b": 2.0, "c": 1.0} for n in range(6)}
    one = stop(qrels, run, "PrefLoss", "fixed")["run"]["PrefLoss"]
    assert one["fixed"].mean < one.mean_whole
    assert (one.share("fixed"), one.ranking) == (1.0, ["fixed"])


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"folds": 1}, "folds=1; give a whole number from 2 on"),
        ({"folds": 2.5}, "folds is a whole number from 2 on, not 2.5"),
        ({"seed": -1}, "seed=-1"),
        ({"test": "sign"}, "test='sign' is not a choice"),
        ({"rules": "fuzzy"}, "there is no rule 'fuzzy'"),
        ({"ties": "bounds"}, "ties='bounds' gives two numbers"),
        ({"unjudged": "condensed"}, "unjudged='condensed' cannot be chosen here"),
        ({"measures": "NumQ"}, "NumQ"),
    ],
)
def test_what_has_no_meaning_is_refused(given: Mapping[str, Any], said: str) -> None:
    qrels, run = track(topics=4)
    with pytest.raises(InputError, match=said):
        stop(qrels, run, **{"measures": "F", **given})


def test_the_command_names_the_rules_and_tests_there_are() -> None:
    assert tuple(RULES) == question.KINDS
    assert tuple(TESTS) == question.TESTS


def test_one_topic_is_refused() -> None:
    with pytest.raises(InputError, match="there is one topic"):
        stop({"q": {"a": 1}}, {"q": ["a"]}, "F")


def test_what_a_tool_would_do_otherwise_is_said() -> None:
    qrels, run = track(topics=4)
    found = stop(qrels, run, "F", "fixed", like="beir")
    assert any("unlike in beir: precision is float64; identical is keep" in one for one in found.notices)


@pytest.mark.parametrize(
    "lists", [{f"q{n}": {"a": 1.0} for n in range(4)}, {f"q{n}": {"a": 1.0, "b": 1.0} for n in range(4)}]
)
def test_lists_with_one_score(lists: Lists) -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(4)}
    one = stop(qrels, lists, "F")["run"]["F"]
    assert all(outcome.lengths.tolist() == one.as_is.lengths.tolist() for outcome in one.values())
    assert (
        verdict(one)
        == f"F, run: no list gains by being cut, {one.mean_whole:.4f} as it is: there is nothing for a rule to learn"
    )
    assert np.isnan(one.share("fixed"))


def test_a_rule_that_harms_is_said_to() -> None:
    # In three of four topics a short list is best, in the others a long one that scores far more.
    qrels = {f"q{n}": {f"d{d}": int(d == 0 or n % 4 == 0) for d in range(20)} for n in range(24)}
    run = {f"q{n}": {f"d{d}": 30.0 - d for d in range(20)} for n in range(24)}
    one = stop(qrels, run, "R", [FixedRule(k=1)])["run"]["R"]
    assert one.room == 0
    found = stop(qrels, run, "RBPU(p=0.98)", [FixedRule(k=1)])["run"]["RBPU(p=0.98)"]
    text = verdict(found, alpha=1.1)
    assert "no rule is better" in text
    assert text.endswith("fixed(k=1), fitted to other topics, is worse than not truncating")


def test_a_difference_that_is_sure_and_unimportant_is_none() -> None:
    # All is at rank 1 or far down, where 0.8^40 of a document is lost, in every topic.
    docs = [f"d{place:02}" for place in range(60)]
    qrels = {f"q{n}": {doc: int(place == 0 or place > 40) for place, doc in enumerate(docs)} for n in range(12)}
    run = {f"q{n}": {doc: 99.0 - place for place, doc in enumerate(docs)} for n in range(12)}
    qrels["q0"] = {"other": 1}
    one = stop(qrels, run, "RBPU", FixedRule(k=40))["run"]["RBPU"]
    assert one.gain("fixed(k=40)") < 0
    assert one["fixed(k=40)"].p_whole < 0.05
    assert one.effect("fixed(k=40)") == 0


def test_records_and_tables(found: Any) -> None:
    rows = found.to_records()
    assert len(rows) == 3 * 2 * (len(RULES) + 2)
    assert [row["rule"] for row in rows[:7]] == ["whole list", *RULES, "oracle"]
    assert len({tuple(row) for row in rows}) == 1
    lists = found.to_records("topics")
    assert len(lists) == 3 * 2 * 20 * 7
    assert {row["fitted"] for row in found.to_records("fitted") if row["rule"] == "fixed"} != {""}
    assert found.table().columns[1].name == "run"
    assert "whole list" in str(found)
    assert len([*found.own_notes("rules")]) == 6
    with pytest.raises(InputError, match="show='x'"):
        found.to_records("x")


def test_json_has_parameters_and_lists(found: Any) -> None:
    document = json.loads(found.to_json())

    def row(sheet: str, **wanted: str) -> dict[str, Any]:
        [one] = [one for one in document[sheet] if {"measure": "F", "run": "one", **wanted}.items() <= one.items()]
        return one

    one = found["one"]["F"]
    assert row("fitted", rule="fixed")["parameters"] == {"k": one["fixed"].rule.k}
    assert len(row("fitted", rule="threshold")["fold_parameters"]) == 5
    assert row("topics", topic="q03", rule="oracle")["length"] == int(one.at_best.lengths[3])


def test_many_runs_are_counted() -> None:
    qrels, run = track()
    found = stop(qrels, {f"r{n}": run for n in range(5)}, "F", "fixed threshold")
    [text] = found.own_notes("rules")
    assert text.startswith("F: in 5 of 5 runs a rule is better than not truncating, in ")
