"""Measures compared, from runs to results."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.questions.meta.question import CRITERIA, Meta, meta
from truerank.questions.meta.work import ranks

MEASURES = "AP nDCG P@5 RR"
REFERENCE = "P@5 R@10 RR"


def track(seed: int = 3, systems: int = 6, topics: int = 8) -> tuple[Any, dict[str, Any]]:
    made = tr.simulate(systems=systems, topics=topics, seed=seed, depth=25, documents=1000, relevant=12)
    return made.qrels, dict(made.runs)


@pytest.fixture(scope="module")
def found() -> Meta:
    return meta(*track(), MEASURES, reference=REFERENCE, splits=50)


def comparable(result: Meta) -> dict[str, Any]:
    """Everything that does not depend on the order of runs."""
    document = result.to_dict()
    for one in document["coverage"]:
        # Sampled over ordered pairs of topics: see test_unanimity.
        del one["sampled"]
    for name in ("uir", "runs"):
        document[name] = sorted(document[name], key=lambda row: (row["run"], row.get("other", "")))
    del document["tau"]
    return document


def test_means_are_those_of_evaluate(found: Meta) -> None:
    scores = tr.evaluate(*track(), MEASURES)
    for run, means in found.systems.items():
        assert means == pytest.approx([scores[run][measure].mean for measure in found.measures])


def test_tau_is_the_agreement_of_their_orders(found: Meta) -> None:
    scores = tr.evaluate(*track(), MEASURES)
    means = {m: {run: round(scores[run][m].mean, 10) for run in scores} for m in found.measures}
    for record in found.to_records("tau"):
        expected = tr.agreement(means[record["measure"]], means[record["other"]])
        got = [record[name] for name in ("tau_a", "tau_b", "tau_ap")]
        assert got == pytest.approx([expected.tau_a, expected.tau_b, expected.tau_ap])
    assert found.tau_a("MAP", "nDCG") == found.tau_a("nDCG", "AP")
    others = [found.tau_a("AP", other) for other in found.measures[1:]]
    assert found["AP"].mean_tau_a == pytest.approx(np.mean(others))


def test_runs_may_be_renamed_and_listed_in_any_order(found: Meta) -> None:
    qrels, runs = track()
    turned = meta(qrels, dict(reversed(runs.items())), MEASURES, reference=REFERENCE, splits=50)
    assert comparable(turned) == comparable(found)
    for one, other in zip(turned.to_records("tau"), found.to_records("tau"), strict=True):
        assert one == pytest.approx(other), "sums of tau_ap follow the order of runs"
    renamed = meta(qrels, {f"new {name}": run for name, run in runs.items()}, MEASURES, reference=REFERENCE, splits=50)
    assert renamed.to_records() == found.to_records()


def test_the_same_seed_gives_the_same_numbers_and_another_gives_others(found: Meta) -> None:
    qrels, runs = track()
    assert meta(qrels, runs, MEASURES, reference=REFERENCE, splits=50).to_json() == found.to_json()
    other = meta(qrels, runs, MEASURES, reference=REFERENCE, splits=50, seed=1)
    assert other["AP"].swaps.tau_halves != found["AP"].swaps.tau_halves
    assert other["AP"].coverage == found["AP"].coverage
    assert other["AP"].sampled_coverage != found["AP"].sampled_coverage


def test_measures_may_be_given_in_any_order(found: Meta) -> None:
    qrels, runs = track()
    turned = meta(qrels, runs, MEASURES.split()[::-1], reference=REFERENCE, splits=50)
    for measure in found.measures:
        assert turned[measure].criteria() == found[measure].criteria()
        assert turned[measure].ranks == found[measure].ranks
        assert turned[measure].mean_rank == found[measure].mean_rank


@pytest.mark.parametrize("depth", [1, 7])
def test_lists_cut_at_a_depth_are_shorter_lists(depth: int) -> None:
    qrels, runs = track()
    lists = {
        name: {topic: [doc for doc, _ in run.ranking(topic)] for topic in (t.decode() for t in run.topics)}
        for name, run in ((name, tr.read_run(run)) for name, run in runs.items())
    }
    short = {name: {topic: docs[:depth] for topic, docs in run.items()} for name, run in lists.items()}
    measures = "AP nDCG F P@5 RR Bpref"
    one = meta(qrels, lists, measures, reference=REFERENCE, depth=depth, splits=20)
    other = meta(qrels, short, measures, reference=REFERENCE, splits=20)
    for name, means in one.systems.items():
        assert means == pytest.approx(other.systems[name])
    assert [each.coverage for each in one.values()] == pytest.approx([each.coverage for each in other.values()])


def test_where_less_is_better_the_order_is_turned_around() -> None:
    qrels, runs = track()
    found = meta(qrels, runs, "PrefLoss AUC", reference="PrefLoss AUC", splits=20)
    loss, area = found["PrefLoss"], found["AUC"]
    assert found.tau_a("PrefLoss", "AUC") > 0
    assert loss.coverage > 0
    assert area.coverage > 0
    means = tr.evaluate(qrels, runs, "PrefLoss")
    assert [row[0] for row in found.systems.values()] == pytest.approx([means[run]["PrefLoss"].mean for run in means])


def test_topics_without_a_value_are_left_out_for_all() -> None:
    judged = {"none": {"x": 0}, **{f"q{n}": {"a": 1, "b": 0} for n in range(4)}}
    lists = {"one": {f"q{n}": ["a", "b"] for n in range(4)}, "other": {f"q{n}": ["b", "a"] for n in range(3)}}
    skipped = meta(judged, lists, "AP P@5", reference="RR", no_relevant="skip", splits=5)
    assert skipped.topics == ("q0", "q1", "q2", "q3")
    assert any("1 topic without a value" in notice for notice in skipped.notices)
    missing = meta(judged, lists, "AP P@5", reference="RR", no_relevant="skip", missing="skip", splits=5)
    assert missing.topics == ("q0", "q1", "q2")
    assert len(meta(judged, lists, "AP P@5", reference="RR", splits=5).topics) == 5


def test_ranks_are_places_by_each_criterion() -> None:
    found = ranks(
        [
            {"discrimination": 0.5, "minority": 0.1, "coverage": math.nan},
            {"discrimination": 0.7, "minority": 0.1, "coverage": math.nan},
            {"discrimination": math.nan, "minority": 0.3, "coverage": math.nan},
        ]
    )
    assert [row["discrimination"] for row in found] == [2, 1, 3]
    assert [row["minority"] for row in found] == [1.5, 1.5, 3]
    assert [row["mean_rank"] for row in found] == [1.75, 1.25, 3]
    assert all(math.isnan(row["coverage"]) for row in found)


def test_measures_are_listed_by_their_mean_rank(found: Meta) -> None:
    records = found.to_records()
    assert [record["mean_rank"] for record in records] == sorted(record["mean_rank"] for record in records)
    for record in records:
        assert record["mean_rank"] == pytest.approx(np.mean([record[f"rank.{name}"] for name in CRITERIA]))


def test_a_measure_that_says_nothing_is_last() -> None:
    half = tr.measure(lambda ranking: 0.5, name="half")
    found = meta(*track(), ["AP", half], reference=REFERENCE, splits=20)
    assert found.ranked == ("AP", "half")
    assert "half has the same mean for all runs" in " ".join(found.notices)


@pytest.mark.parametrize(
    ("qrels", "runs", "said"),
    [
        ({"q1": {"a": 1}}, {"one": {"q1": ["a"]}, "other": {"q1": ["b", "a"]}}, "there is one topic"),
        ({"q1": {"a": 1}, "q2": {"a": 1}}, {n: {"q1": ["a"], "q2": ["b"]} for n in "xyz"}, "the same mean for all"),
        ({"q1": {"a": 1}, "q2": {"a": 1}}, {n: {"q1": ["a"], "q2": ["b"]} for n in "xy"}, "no run improves on another"),
    ],
)
def test_what_is_undefined_has_a_reason(qrels: Any, runs: Any, said: str) -> None:
    found = meta(qrels, runs, "AP RR", reference="P@1", splits=10)
    assert said in " ".join(found.notices)
    assert json.loads(found.to_json())["swap"][0]["tau_halves"] is None
    assert "undefined" in str(found)
    for show in found.sheets:
        found.to_records(show)
        found.to_markdown(show)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ties": "bounds"}, "ties='bounds'"),
        ({"unjudged": "bounds"}, "unjudged='bounds'"),
        ({"measures": "GM(measure=AP)"}, "not a mean over topics"),
        ({"reference": "NumRet"}, "not a mean over topics"),
        ({"test": "chi"}, "test='chi'"),
        ({"alpha": 1.0}, "alpha=1.0"),
        ({"depth": 0}, "depth=0"),
        ({"splits": 2.5}, "splits is a whole number from 1 on, not 2.5"),
        ({"seed": -1}, "seed=-1"),
        ({"pairs": True}, "pairs is a whole number from 1 on, not True"),
        ({"fuzziness": 1.0}, "fuzziness=1.0"),
        ({"limit": 5}, "limit=5"),
    ],
)
def test_what_has_no_meaning_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(tr.InputError, match=said.replace("(", r"\(")):
        meta(*track(), **{"measures": "AP", **given})


def test_one_run_is_refused() -> None:
    qrels, runs = track()
    with pytest.raises(tr.InputError, match="give several"):
        meta(qrels, dict([next(iter(runs.items()))]), "AP")
    with pytest.raises(tr.InputError, match="no topic has a value"):
        meta({"q": {"a": 0}}, {"x": {"q": ["a"]}, "y": {"q": ["b"]}}, "AP", no_relevant="nan")


def test_everything_can_be_looked_up(found: Meta) -> None:
    pairs = len(found.systems) * (len(found.systems) - 1)
    counts = {
        "summary": 4,
        "tau": 6,
        "discrimination": 4,
        "asl": 404,
        "swap": 4,
        "coverage": 4,
        "uir": pairs,
        "runs": 6,
    }
    for show, count in counts.items():
        assert len(found.to_records(show)) == count
        assert len(found.to_pandas(show)) == count
    one, other = [*found.systems][:2]
    assert found.uir(one, other) == -found.uir(other, one) == found.to_records("uir")[0]["uir"]
    with pytest.raises(KeyError, match="there is no run 'x'"):
        found.uir("x", one)
    with pytest.raises(tr.InputError, match="show='x'"):
        found.to_records("x")
    assert repr(found) == "Meta(4 measures, 6 runs, 8 topics)"


def test_similar_measures_stand_near_each_other() -> None:
    found = meta(*track(systems=9), "P@1 nDCG RR R@25 AP Success@1", reference=REFERENCE, splits=5)
    order = [found.measures[place] for place in found.correlations.order]
    near, given = ([found.tau_a(*pair) for pair in pairwise(names)] for names in (order, found.measures))
    assert sum(near) > sum(given)
    assert abs(order.index("P@1") - order.index("Success@1")) == 1
