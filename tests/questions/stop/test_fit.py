"""Fitting, against re-evaluating the runs that each choice of parameters would make."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank import fit_rule, stop
from truerank.io.load import as_qrels, as_run
from truerank.questions.stop import learned as learning
from truerank.questions.stop.learned import LearnedRule, features
from truerank.questions.stop.rule import Rule, ScoreLists
from truerank.questions.stop.rules import RULES
from truerank.questions.stop.thresholds import (
    FIRST,
    SCALES,
    SHAPES,
    WEIGHT,
    WITHIN,
    FixedRule,
    GapRule,
    TailRule,
    ThresholdRule,
    drops,
)

MEASURES = ("RBPU(p=0.8)", "F", "OIE(size=60)", "RBPT", "nDCG")


def collection(seed: int, *, levels: int = 14, topics: int = 6, longest: int = 13) -> tuple[tr.Qrels, tr.Run]:
    """A few topics whose scores are more or less about relevance, with ties; one has nothing relevant, one no list."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(topics):
        docs = [f"d{place}" for place in range(longest + 2)]
        grades = rng.integers(0, 3, len(docs)) * (rng.random(len(docs)) < 0.4) * (topic > 0)
        qrels[f"q{topic}"] = dict(zip(docs, grades.tolist(), strict=True))
        listed = rng.permutation(len(docs))[: rng.integers(1, longest + 1)].tolist()
        scores = rng.integers(0, levels, len(docs)) + 3 * grades
        if topic != 1:
            run[f"q{topic}"] = {docs[place]: float(scores[place]) for place in listed}
    return as_qrels(qrels), as_run(run)


def fixed(lists: ScoreLists) -> Iterator[Rule]:
    yield from (FixedRule(k=k) for k in (*range(15), None))


def thresholds(lists: ScoreLists) -> Iterator[Rule]:
    for scale in SCALES:
        keys = {float(key) for scores in lists.scores for key in SCALES[scale](scores)}
        yield from (ThresholdRule(at=at, scale=scale) for at in (*keys, np.inf))


def tails(lists: ScoreLists) -> Iterator[Rule]:
    for shape in SHAPES:
        keys = {float(key) for scores in lists.scores for key in SHAPES[shape](scores)}
        # Just below a key, since a logarithm of a power is not quite what it was.
        yield from (TailRule(alpha=float(np.exp(-max(at - 1e-9, 0.0))), shape=shape) for at in (*keys, 800.0))


def gaps(lists: ScoreLists) -> Iterator[Rule]:
    yield GapRule(least=np.inf)
    for head, within, weight in product(FIRST, WITHIN[:3], WEIGHT):
        if head > within:
            continue
        sizes = {float(drops(one, weight=weight, first=head, within=(within,))[0, 0]) for one in lists.scores}
        for least in sizes - {-1.0}:
            yield GapRule(first=head, within=within, weight=weight, least=least)


@pytest.mark.parametrize("measure", first(2, MEASURES))
@pytest.mark.parametrize(
    ("name", "choices"), [("fixed", fixed), ("threshold", thresholds), ("tail", tails), ("gap", gaps)]
)
def test_a_fit_is_the_best_of_all_runs_that_the_rule_can_make(name: str, choices: object, measure: str) -> None:
    qrels, run = collection(seed=MEASURES.index(measure))
    every = [*choices(ScoreLists.of(run))]  # type: ignore[operator]
    # Many parameters make the same run.
    made = {tuple(rule.lengths(run).tolist()): rule for rule in every}
    means = [tr.evaluate(qrels, rule.apply(run), measure)["run"][measure].mean for rule in made.values()]
    found = fit_rule(qrels, run, measure, name)
    assert found.fitted is not None
    assert found.fitted.mean == pytest.approx(max(means), abs=1e-12)
    assert tr.evaluate(qrels, found.apply(run), measure)["run"][measure].mean == pytest.approx(max(means), abs=1e-12)


@pytest.mark.parametrize("ties", ["expected", "docid", "worst", "input"])
@pytest.mark.parametrize("measure", ["RBPU(p=0.8)", "OIE(size=60)", "RBPT"])
@pytest.mark.parametrize("name", RULES)
def test_a_cut_is_worth_what_evaluating_the_cut_run_says(name: str, measure: str, ties: str) -> None:
    qrels, run = collection(seed=7, levels=4)
    found = fit_rule(qrels, run, measure, name, ties=ties)
    assert found.fitted is not None
    scores = tr.evaluate(qrels, {"whole": run, "cut": found.apply(run)}, measure, ties=ties)
    assert found.fitted.mean == pytest.approx(scores["cut"][measure].mean, abs=1e-12)
    assert found.fitted.whole == pytest.approx(scores["whole"][measure].mean, abs=1e-12)
    assert found.fitted.oracle >= found.fitted.mean - 1e-12


@pytest.mark.parametrize("k", range(5))
def test_a_list_that_ends_at_a_nil_is_worth_the_same_however_late_it_is_cut(k: int) -> None:
    qrels = as_qrels({"q1": {"a": 1, "b": 1}, "q2": {"c": 0}})
    run = as_run({"q1": {"a": 5.0, "NIL": 4.0, "b": 3.0}, "q2": {"NIL": 2.0, "x": 2.0, "y": 1.0}})
    rule = FixedRule(k=k)
    found = tr.evaluate(qrels, rule.apply(run), "RBP(p=0.5)", ending="terminal")["run"]["RBP(p=0.5)"].mean
    outcome = stop(qrels, run, "RBP(p=0.5)", rule, ending="terminal")["run"]["RBP(p=0.5)"][f"fixed(k={k})"]
    assert outcome.mean == pytest.approx(found, abs=1e-12)


def test_of_parameters_that_do_equally_well_those_that_keep_least_are_taken() -> None:
    qrels, run = {"q1": {"a": 1}}, {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}}
    # Reciprocal rank does not mind what follows.
    assert fit_rule(qrels, run, "RR", "fixed") == FixedRule(k=1)
    assert fit_rule(qrels, run, "RR", "threshold") == ThresholdRule(at=0.75, scale="range")
    assert fit_rule(qrels, {"q1": {"b": 2.0, "c": 1.0}}, "RR", "fixed") == FixedRule(k=0)


def test_of_drops_that_do_equally_well_the_smallest_is_taken() -> None:
    lists = ScoreLists((np.array([9.0, 2.0, 1.0]), np.array([9.0, 5.0, 2.0]), np.array([3.0, 2.5, 2.0])))
    values = np.array([[0.0, 1.0, 0.0, 0.0], [0.0, 1.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]])
    rule = GapRule.fit(lists, values, np.arange(3))
    # Cutting the second list as well changes nothing, and keeps less.
    assert rule.cut(lists).tolist() == [1, 1, 3]


def test_a_group_of_equal_scores_adds_what_it_is_worth_in_equal_parts() -> None:
    lists = ScoreLists((np.array([3.0, 3.0, 1.0]),) * 2)
    # What is inside the group is no cut, and does not count.
    values = np.array([[0.0, 99.0, 1.0, 0.5], [0.0, -99.0, 3.0, 1.5]])
    assert LearnedRule.fit(lists, values, np.arange(2)).mean == (1.0, 1.0, -1.0)


def test_a_measure_that_is_better_when_low_is_fitted_for_low_values() -> None:
    qrels = as_qrels({"q1": {"a": 1, "b": 0, "c": 1}})
    run = as_run({"q1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    every = [tr.evaluate(qrels, FixedRule(k=k).apply(run), "PrefLoss")["run"]["PrefLoss"].mean for k in range(4)]
    found = fit_rule(qrels, run, "PrefLoss", "fixed").fitted
    assert found is not None
    assert min(every) < max(every)
    assert (found.mean, found.whole, found.oracle) == (min(every), every[-1], min(every))


def test_the_ridge_regression_is_that_of_scikit_learn() -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    rng = np.random.default_rng(5)
    lists = ScoreLists(tuple(-np.sort(-rng.gamma(1.0, 2.0, size)) for size in (9, 10, 7, 10, 8)))
    values = np.cumsum(rng.normal(size=(5, 11)), axis=-1)
    rule = LearnedRule.fit(lists, values, np.arange(5))
    place = np.concatenate([np.arange(len(one)) for one in lists.scores])
    x = np.concatenate([features(one) for one in lists.scores])
    y = np.concatenate([np.diff(row[: len(one) + 1]) for row, one in zip(values, lists.scores, strict=True)])
    for rank in range(10):
        here = place == rank
        assert rule.mean[rank] == pytest.approx(y[here].mean())
        for data in (x, y[:, None]):
            spread = data[here].std(axis=0)
            flat = spread <= 1e-9 * np.abs(data[here].mean(axis=0))
            data[here] = np.where(flat, 0.0, (data[here] - data[here].mean(axis=0)) / np.where(flat, 1.0, spread))
    weight = np.array(rule.spread)[place]
    ridge = linear.Ridge(alpha=learning.PENALTY * weight.sum(), fit_intercept=False)
    expected = ridge.fit(x, y, sample_weight=weight).coef_
    assert np.allclose(rule.weights, expected, atol=1e-10)


def test_where_scores_tell_nothing_the_learned_rule_is_a_fixed_length() -> None:
    rng = np.random.default_rng(2)
    lists = ScoreLists((np.arange(10.0, 0.0, -1.0),) * 30)
    values = np.cumsum(rng.normal(0.2, 1.0, (30, 11)) - np.arange(11) * 0.1, axis=-1)
    every = np.arange(30)
    assert (LearnedRule.fit(lists, values, every).cut(lists) == FixedRule.fit(lists, values, every).cut(lists)).all()


def test_the_learned_rule_finds_what_scores_tell() -> None:
    rng = np.random.default_rng(1)
    lengths = rng.integers(1, 9, 80)
    scores = [np.concatenate([np.linspace(9, 8, n), np.linspace(2, 1, 12 - n)]) for n in lengths]
    values = np.array([[-abs(length - n) for length in range(13)] for n in lengths], float)
    lists = ScoreLists(tuple(scores))
    fit, other = np.arange(40), np.arange(40, 80)
    found = LearnedRule.fit(lists, values, fit).cut(lists)[other]
    constant = FixedRule.fit(lists, values, fit).cut(lists)[other]
    assert np.abs(found - lengths[other]).mean() < 0.5 * np.abs(constant - lengths[other]).mean()


@pytest.mark.parametrize("kind", RULES.values(), ids=RULES)
def test_a_fit_looks_at_its_topics_only(kind: type[Rule]) -> None:
    rng = np.random.default_rng(4)
    scores = tuple(-np.sort(-rng.gamma(1.0, 2.0, 12)) for _ in range(9))
    values = rng.normal(size=(9, 13))
    topics = np.array([0, 2, 3, 5, 8])
    spoilt = values.copy()
    spoilt[[1, 4, 6, 7]] = rng.normal(9.0, 5.0, (4, 13))
    rule = kind.fit(ScoreLists(scores), values, topics)
    assert kind.fit(ScoreLists(scores), spoilt, topics) == rule
    some = ScoreLists(tuple(scores[topic] for topic in topics))
    assert kind.fit(some, values[topics], np.arange(5)) == rule
