"""The order of systems whose lists are cut by rules, against that by whole lists."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.stop.question import ORACLE, WHOLE


def track(seed: int, topics: int = 12, systems: int = 5) -> tuple[dict[str, dict[str, int]], dict[str, Any]]:
    rng = np.random.default_rng(seed)
    qrels = {f"q{t}": {f"d{i}": int(rng.random() < 0.3) for i in range(15)} | {"d0": 1} for t in range(topics)}
    runs = {
        f"s{s}": {
            topic: {doc: float((0.3 * s + 0.5) * grade + rng.random()) for doc, grade in docs.items()}
            for topic, docs in qrels.items()
        }
        for s in range(systems)
    }
    return qrels, runs


def tau(x: list[float], y: list[float]) -> float:
    pairs = list(combinations(range(len(x)), 2))
    return sum(float(np.sign(x[i] - x[j]) * np.sign(y[i] - y[j])) for i, j in pairs) / len(pairs)


def test_tau_is_between_means_of_whole_lists_and_of_lists_cut() -> None:
    qrels, runs = track(1)
    found = tr.stop(qrels, runs, "F RBPU", "fixed threshold", folds=3, against="AP nDCG@5")
    assert found.usual() == "orders"
    assert {(one.whole_measure, one.measure, one.rule) for one in found.orders} == {
        (whole, cut, rule)
        for whole in ("AP", "nDCG@5")
        for cut in ("F", "RBPU")
        for rule in (WHOLE, "fixed", "threshold", ORACLE)
    }
    for one in found.orders:
        whole = [tr.evaluate(qrels, run, one.whole_measure)["run"][one.whole_measure].mean for run in runs.values()]
        cut = [outcome.mean for run in runs for outcome in found[run][one.measure].outcomes if outcome.name == one.rule]
        assert one.tau_a == pytest.approx(tau(whole, cut))
        assert -1 <= one.low <= one.tau_a <= one.high <= 1
        same = {"whole_measure": one.whole_measure, "measure": one.measure, "rule": ORACLE}
        [best] = [other for other in found.orders if same.items() <= vars(other).items()]
        assert one.over_oracle == pytest.approx(one.tau_a - best.tau_a)
        assert one.over_low <= one.over_oracle <= one.over_high


def test_best_cuts_are_those_of_truncate() -> None:
    """Where no scores are tied, the oracle of a rule is the best cut."""
    qrels, runs = track(2)
    found = tr.stop(qrels, runs, "F", "fixed", folds=3, against="AP")
    [best] = [one for one in found.orders if one.rule == ORACLE]
    assert best.tau_a == pytest.approx(tr.against(tr.truncate(qrels, runs, "F", against="AP")).tau("AP", "F"))


def test_other_topics_would_give_a_tau_inside_of_the_interval_about_as_often_as_said() -> None:
    """Systems that differ clearly: tau over many topics is known, and intervals from twenty hold it."""
    qrels, runs = track(4, topics=400, systems=6)
    whole = {name: tr.evaluate(qrels, run, "AP F") for name, run in runs.items()}
    truth = tau(*[[whole[name]["run"][measure].mean for name in runs] for measure in ("AP", "F")])
    within = 0
    for part in range(20):
        some = [f"q{t}" for t in range(20 * part, 20 * part + 20)]
        found = tr.stop(
            {topic: qrels[topic] for topic in some},
            {name: {topic: run[topic] for topic in some} for name, run in runs.items()},
            "F",
            "fixed",
            folds=2,
            against="AP",
        )
        [one] = [each for each in found.orders if each.rule == WHOLE]
        within += one.low <= truth <= one.high
    assert within >= 17


def test_one_run_has_no_order() -> None:
    qrels, runs = track(5, topics=4)
    with pytest.raises(InputError, match="give two runs or more"):
        tr.stop(qrels, {"s0": runs["s0"]}, "F", "fixed", folds=2, against="AP")
    assert math.isfinite(tr.stop(qrels, {"s0": runs["s0"]}, "F", "fixed", folds=2)["s0"]["F"].mean_oracle)
