"""The order of systems by lists cut, against that by whole lists."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.statistics.correlations import kendall_p

against, truncate = tr.against, tr.truncate
MEASURES = "OIE(size=1000) RBPU(p=0.9) F nDCGT"
FULL = "AP nDCG RBP(p=0.9)"


def track(seed: int, systems: int = 7) -> tuple[Any, Any]:
    made = tr.simulate(systems=systems, topics=6, seed=seed, depth=25, documents=1000, relevant=12)
    return made.qrels, made.runs


def test_it_is_the_agreement_of_evaluated_scores() -> None:
    """Runs that are cut at their best lengths and evaluated, whole runs evaluated, and tr.agreement between them."""
    qrels, runs = track(3)
    cuts = truncate(qrels, runs, MEASURES, against=FULL, ties="docid")
    found = against(cuts)
    whole = tr.evaluate(qrels, runs, FULL, ties="docid")
    for cut in cuts.measures:
        lengths = {run: dict(zip(its[cut].topics, its[cut].length.tolist(), strict=True)) for run, its in cuts.items()}
        means = {}
        for run, lists in _lists(runs).items():
            shorter = {topic: docs[: lengths[run].get(topic, 0)] for topic, docs in lists.items()}
            means[run] = tr.evaluate(qrels, {run: shorter}, cut)[run][cut].mean
            assert means[run] == pytest.approx(cuts[run][cut].mean_best, abs=1e-9)
        for full in whole.measures:
            # Scores that are alike may differ in their last digit.
            rounded = [{run: round(score, 10) for run, score in one.items()} for one in (
                {run: whole[run][full].mean for run in runs}, means)]  # fmt: skip
            expected = tr.agreement(*rounded)
            [one] = found.of(full, cut)
            assert one.tau_a == pytest.approx(expected.tau_a)
            assert one.tau_b == pytest.approx(expected.tau_b)
            assert one.runs == 7


def _lists(runs: Any) -> dict[str, dict[str, list[str]]]:
    """The documents of every list, best first, ties by document, the highest first."""
    found = {}
    for name, run in runs.items():
        data = tr.read_run(run)
        docs = [bytes(doc).decode() for doc in data.docs.tolist()]
        lists = {}
        for place, topic in enumerate(data.topics):
            rows = range(int(data.offsets[place]), int(data.offsets[place + 1]))
            order = sorted(sorted(rows, key=lambda row: docs[row], reverse=True), key=lambda row: -data.score[row])
            lists[topic.decode()] = [docs[row] for row in order]
        found[name] = lists
    return found


def test_means_that_differ_by_rounding_are_level() -> None:
    """Two systems with the same reciprocal ranks, in other topics: added up, they differ in the last digit."""
    ranks = {"one": [3, 7, 1, 11, 13, 6], "same": [3, 7, 11, 6, 1, 13], "last": [20] * 6}
    runs = {
        name: {f"t{topic}": [*(f"x{n}" for n in range(rank - 1)), "a"] for topic, rank in enumerate(every)}
        for name, every in ranks.items()
    }
    qrels = {f"t{topic}": {"a": 1} for topic in range(6)}
    means = [tr.evaluate(qrels, runs, "RR")[name]["RR"].mean for name in ranks]
    assert 0 < abs(means[0] - means[1]) < 1e-15
    [found] = against(truncate(qrels, runs, "F", against="RR")).taus
    assert (found.tau_a, found.tau_b) == pytest.approx((2 / 3, 1.0))


def test_several_collections_are_averaged() -> None:
    one, other = (truncate(*track(seed), "F OIE(size=1000)", against="AP RR") for seed in (1, 2))
    both = against({"one": one, "other": other})
    assert both.tau("AP", "F") == pytest.approx((against(one).tau("AP", "F") + against(other).tau("AP", "F")) / 2)
    assert [tau.collection for tau in both.of("MAP", "F")] == ["one", "other"]
    [record] = [r for r in both.to_records() if (r["whole_measure"], r["cut_measure"]) == ("AP", "F")]
    assert record["collections"] == 2
    assert record["lowest_tau_a"] <= record["mean_tau_a"] <= record["highest_tau_a"]
    assert len(both.to_records("collections")) == 8
    assert len(both.to_records("systems")) == 2 * 7 * 4
    assert json.loads(both.to_json())["mean"][0]["whole_measure"] == "AP"
    assert "mean over 2 collections" in str(both)


def test_where_less_is_better_the_order_is_turned_around() -> None:
    qrels, runs = track(4)
    cuts = truncate(qrels, runs, "F", against="PrefLoss AP", no_relevant="skip")
    loss = [cuts.whole_means["PrefLoss"][run] for run in cuts]
    best = [cut.mean_best for cut in cuts.cuts("F").values()]
    assert (
        against(cuts).tau("PrefLoss", "F")
        == tr.agreement(dict(zip(runs, [-one for one in loss], strict=True)), dict(zip(runs, best, strict=True))).tau_a
    )


def test_one_run_has_no_order() -> None:
    qrels, runs = track(1, systems=2)
    name = next(iter(runs))
    found = against(truncate(qrels, {name: runs[name]}, "F", against="AP"))
    assert math.isnan(found.tau("AP", "F"))
    assert "an order needs two" in found.notes()[0]
    assert "undefined" in str(found)


def test_means_that_are_undefined_have_no_order() -> None:
    qrels, runs = {"q1": {"a": 1}, "q2": {"b": 0}}, {"x": {"q1": ["a"]}, "y": {"q1": ["b", "a"]}}
    found = against(truncate(qrels, runs, "F", against="AP", no_relevant="nan"))
    assert math.isnan(found.tau("AP", "F"))
    assert "without a mean" in found.notes()[0]


@pytest.mark.parametrize("given", [{}, {"x": 1}, "cuts"])
def test_what_is_no_result_of_truncate_is_refused(given: Any) -> None:
    if given == "cuts":
        given = truncate(*track(1), "F")
    with pytest.raises(tr.InputError, match="truncate"):
        against(given)


def test_collections_with_other_measures_are_refused() -> None:
    one, other = (truncate(*track(1), measure, against="AP") for measure in ("F", "RBPU"))
    with pytest.raises(tr.InputError, match="other measures"):
        against({"one": one, "other": other})


@pytest.mark.parametrize("systems", [2, 3, 8, 27, 60, 129, 200])
@pytest.mark.parametrize("levels", [0, 4, 30])
def test_p_values_are_those_of_scipy(systems: int, levels: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    draw = np.random.default_rng(systems + levels)
    for noise in (0.2, 2.0, 50.0):
        x = draw.normal(size=systems)
        y = x + noise * draw.normal(size=systems)
        if levels:
            x, y = (np.floor(levels * stats.norm.cdf(one)) for one in (x, y))
        tied = len({*x}) < systems or len({*y}) < systems
        if len({*x}) == 1 or len({*y}) == 1:
            assert math.isnan(kendall_p(x, y))
            continue
        method = "asymptotic" if tied or systems > 170 else "exact"
        assert kendall_p(x, y) == pytest.approx(stats.kendalltau(x, y, method=method).pvalue, rel=1e-9)


def test_taus_that_are_undefined_are_left_out_and_counted() -> None:
    qrels, runs = track(1)
    fine, lone = (truncate(qrels, some, "F", against="AP") for some in (runs, {"one": next(iter(runs.values()))}))
    # By AP both runs score 0, so that it has no order; the cut lists have the same score as well.
    level = truncate({"q": {"a": 1, "b": 0}}, {"x": {"q": ["b", "c"]}, "y": {"q": ["c"]}}, "F", against="AP")
    alone = against(fine).of("AP", "F")[0]
    for names in (("fine", "lone", "level"), ("level", "lone", "fine"), ("lone", "fine", "level")):
        every = {"fine": fine, "lone": lone, "level": level}
        found = against({name: every[name] for name in names})
        [record] = found.to_records()
        assert (record["collections"], record["undefined_taus"]) == (3, 1)
        assert (record["lowest_tau_a"], record["highest_tau_a"]) == (0.0, alone.tau_a)
        assert record["mean_tau_a"] == found.tau("AP", "F") == pytest.approx(alone.tau_a / 2)
        assert (record["mean_tau_b"], record["highest_p"]) == pytest.approx((alone.tau_b, alone.p))
        assert (found.significant(alone.p), found.significant(2 * alone.p)) == (0.0, 1.0)
        assert "1 of 3 taus are undefined, and left out of means and shares" in found.notes()
        assert any(notice.startswith("1 of 3 taus have no tau-b and no p-value") for notice in found.notes())
        assert "differs from tau-a by nan" not in str(found)


def test_runs_without_a_mean_are_left_out_and_noted() -> None:
    qrels = {"q1": {"a": 1, "b": 1}, "q2": {"b": 0}}
    runs = {"x": {"q1": ["a", "b"]}, "y": {"q1": ["u", "a"]}, "z": {"q2": ["b"]}}
    cuts = truncate(qrels, runs, "F", against="AP", missing="skip", no_relevant="skip")
    found = against({"here": cuts})
    [row] = found.taus
    assert (row.runs, row.tau_a, row.pairs, row.reversed) == (2, 1.0, 1, 0)
    assert "here has runs without a mean, which are left out of tau" in found.notes()


def test_the_figure_of_the_order_of_systems_needs_whole_lists() -> None:
    with pytest.raises(tr.InputError, match="there are no scores of whole lists"):
        truncate(*track(1), "F").plot("against")
