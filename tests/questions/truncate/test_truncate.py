"""Best lengths are those that scoring every truncation by hand finds."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.conventions.axes import Conventions
from truerank.measures.grammar import parse_all
from truerank.questions.truncate.lengths import bins, prefix_scores, shares, shortest_best
from truerank.questions.truncate.question import USUAL
from truerank.track.lens import Lens
from truerank.track.pools import JudgmentPools

truncate = tr.truncate
ONCE = ("nDCGT(ending='terminal-once')", "ERRT(ending='terminal-once')", "RBPT(p=0.9,ending='terminal-once')")
Lists = dict[str, dict[str, float]]
EVERY = f"{USUAL} {' '.join(ONCE)} AP nDCG@3 RR P PrefLoss"


def collection(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, Lists]]:
    """Graded judgments, ties of two and three, unjudged documents, an empty list and a topic without relevant ones."""
    draw = random.Random(seed)
    qrels = {f"q{t}": {f"d{d}": draw.choice([0, 1, 2]) for d in range(7)} for t in range(3)}
    qrels |= {"q3": {"d0": 0, "d1": 0}, "q4": {"d0": 1}}
    scores = [5.0, 4.0, 4.0, 3.0, 2.0, 2.0, 2.0]
    runs = {
        name: {
            topic: dict(zip([f"d{d}" for d in draw.sample(range(10), length)], scores, strict=False))
            for topic, length in zip(qrels, (7, 6, draw.randint(1, 5), 3, 1), strict=True)
        }
        for name in "ab"
    }
    return qrels, runs


QRELS, RUNS = collection(5)
TOPICS = ["q0", "q1", "q2", "q3"]
"""Those to be cut by hand: a run needs a topic left that it answers."""


def kept(ranking: dict[str, float], length: int) -> dict[tuple[str, ...], float]:
    """The sets of documents that may stay when a list is cut, over all orders of its ties, with their chances."""
    groups = [[doc for doc in ranking if ranking[doc] == score] for score in sorted({*ranking.values()}, reverse=True)]
    orders = [[doc for group in order for doc in group] for order in product(*map(permutations, groups))]
    found = Counter(tuple(sorted(order[:length])) for order in orders)
    return {docs: count / len(orders) for docs, count in found.items()}


def by_hand(run: Lists, topic: str, measures: Any, **conventions: Any) -> dict[str, list[float]]:
    """Scores of one list at every length: each truncation is a run of its own."""
    ranking = run[topic]
    cuts = {length: kept(ranking, length) for length in range(len(ranking) + 1)}
    cut_runs = {
        f"{length} {' '.join(docs)}": {"q4": {"d0": 1.0}, topic: {doc: ranking[doc] for doc in docs}}
        for length, ways in cuts.items()
        for docs in ways
    }
    scores = tr.evaluate(QRELS, cut_runs, measures, **conventions)
    return {
        measure: [
            sum(
                chance * scores[f"{length} {' '.join(docs)}"][measure].per_topic[topic] for docs, chance in ways.items()
            )
            for length, ways in cuts.items()
        ]
        for measure in scores.measures
    }


@pytest.mark.parametrize(
    ("measures", "conventions"),
    [(EVERY, {}), ("AP nDCG RBP(p=0.9) ERR RR F", {"ending": "terminal"}), ("AP RBP ERR", {"ending": "terminal-once"})],
    ids=["none", "terminal", "terminal-once"],
)
def test_best_lengths_are_those_of_all_truncations(measures: str, conventions: dict[str, Any]) -> None:
    found = truncate(QRELS, RUNS, measures, **conventions)
    for (name, run), topic in product(RUNS.items(), TOPICS):
        scores = by_hand(run, topic, measures, **conventions)
        for measure, values in scores.items():
            cut = found[name][measure]
            place = cut.topics.index(topic)
            sign = 1 if cut.by.higher_is_better else -1
            if all(map(math.isnan, values)):
                assert math.isnan(cut.best[place]), (name, topic, measure)
                continue
            best = max(sign * value for value in values)
            shortest = next(length for length, value in enumerate(values) if sign * value >= best - 1e-12)
            case = (name, topic, measure, values)
            assert cut.length[place] == shortest, case
            assert cut.best[place] == pytest.approx(values[shortest], abs=1e-12), case
            assert cut.whole[place] == pytest.approx(values[-1], abs=1e-12), case
            assert cut.loss[place] == pytest.approx(best - sign * values[-1], abs=1e-12), case
            assert cut.listed[place] == len(run[topic]), case


@pytest.mark.parametrize("order", ["docid", "best", "worst", "input"])
def test_an_order_of_ties_is_cut_as_a_list_without_ties(order: str) -> None:
    found = truncate(QRELS, RUNS, "OIE(size=100) RBPU F RBPT", ties=order)
    for measure in found.measures:
        for name in RUNS:
            cut = found[name][measure]
            score = tr.evaluate(QRELS, {name: RUNS[name]}, measure, ties=order)[name][measure]
            np.testing.assert_allclose(cut.whole, score.values, atol=1e-12)
            assert (cut.loss >= 0).all()


def test_the_score_of_every_length_is_kept_for_other_uses() -> None:
    judgments, run = tr.read_qrels(QRELS), tr.read_run(RUNS["a"])
    [measure] = parse_all("RBPU")
    lens = Lens(judgments, run, JudgmentPools(judgments, [], (measure,)), Conventions())
    values = prefix_scores(lens, measure)
    assert values.shape == (5, 8)
    for row, topic in zip(values, TOPICS, strict=False):
        expected = by_hand(RUNS["a"], topic, "RBPU")["RBPU"]
        np.testing.assert_allclose(row[: len(expected)], expected, atol=1e-12)
        assert np.isnan(row[len(expected) :]).all()


@pytest.mark.parametrize(
    ("values", "length"),
    [
        ([0.5, 0.5, 0.5], 0),
        ([0.0, 0.3 - 1e-14, 0.3], 1),
        ([0.0, 0.3 - 1e-9, 0.3], 2),
        ([-1.0, -2.0, math.nan], 0),
        ([math.nan, 0.0, 0.0], 1),
        ([math.nan, math.nan, math.nan], -1),
    ],
)
def test_of_equal_scores_the_shortest_wins(values: list[float], length: int) -> None:
    assert shortest_best(np.array([values])).tolist() == [length]
    assert shortest_best(-np.array([values]), higher_is_better=False).tolist() == [length]


def test_a_list_without_relevant_documents_is_best_left_empty() -> None:
    cuts = truncate({"q": {"a": 1}}, {"x": {"q": ["u", "v", "w"]}}, USUAL)
    assert {measure: cut.length.tolist() for measure, cut in cuts["x"].items() if cut.length.any()} == {}
    assert all(cut.empty == 1.0 and cut.uncut == 0.0 for cut in cuts["x"].values())


def test_a_perfect_list_is_best_left_as_it_is() -> None:
    cuts = truncate({"q": {"a": 1, "b": 1}}, {"x": {"q": ["a", "b"]}}, "RBPU(p=0.9) F nDCGT OIE(size=100) DCGU FlatU")
    assert all(cut.uncut == 1.0 and cut.mean_loss == 0.0 for cut in cuts["x"].values())


def test_a_list_that_is_all_tied_is_worth_its_mean_at_every_length() -> None:
    run = {"q": dict.fromkeys("abcd", 1.0)}
    cut = truncate({"q": {"a": 1, "b": 1}}, {"x": run}, "FlatU(e=0.5) FlatU(e=0.4)")["x"]
    assert cut["FlatU(e=0.5)"].length.tolist() == [0], "each document is worth what it costs"
    assert cut["FlatU(e=0.4)"].length.tolist() == [4]
    assert cut["FlatU(e=0.4)"].mean_best == pytest.approx(0.4)


@pytest.mark.parametrize(
    ("no_relevant", "lengths", "mean"), [("zero", [1, 0], 0.5), ("skip", [1], 1.0), ("nan", [1, -1], math.nan)]
)
def test_topics_without_a_value_follow_the_conventions(no_relevant: str, lengths: list[int], mean: float) -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 0}}, {"q1": ["a", "x"], "q2": ["b", "y"]}
    cuts = truncate(qrels, {"x": run}, "nDCG RBPT", no_relevant=no_relevant)
    assert cuts["x"]["nDCG"].length.tolist() == lengths
    assert cuts["x"]["nDCG"].mean_best == pytest.approx(mean, nan_ok=True)
    assert "1 topic has no relevant document" in " ".join(cuts.notices)
    silence = cuts["x"]["RBPT"]
    if no_relevant == "skip":
        assert (silence.topics, silence.length.tolist()) == (("q1",), [1]), "left out for all measures"
    else:
        assert (silence.length.tolist(), silence.best[1]) == ([1, 0], 1.0), "nothing to find, and nothing said"
    assert cuts.summary("nDCG").lists == len([length for length in lengths if length >= 0])
    [row] = [row for row in json.loads(cuts.to_json())["summary"] if row["measure"] == "nDCG"]
    assert (row["best"] is None) == math.isnan(mean)


def test_topics_that_a_run_leaves_out_are_empty_lists() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}
    cut = truncate(qrels, {"x": run}, "RBPU")["x"]["RBPU"]
    assert (cut.length.tolist(), cut.listed.tolist(), cut.empty, cut.uncut) == ([1, 0], [1, 0], 0.5, 1.0)
    assert truncate(qrels, {"x": run}, "RBPU", missing="skip")["x"]["RBPU"].topics == ("q1",)
    with pytest.raises(tr.InputError, match="has no documents for topic q2"):
        truncate(qrels, {"x": run}, "RBPU", missing="error")


def test_bins_hold_every_list_once() -> None:
    cuts = truncate(QRELS, RUNS)
    assert cuts.measures == tuple(USUAL.split())
    records = cuts.to_records("bins")
    for measure, run in {(record["measure"], record["run"]) for record in records}:
        mine = [record for record in records if (record["measure"], record["run"]) == (measure, run)]
        assert [record["bin"] for record in mine] == ["empty", "1-4", "5-8"]
        assert sum(record["share"] for record in mine) == pytest.approx(1)
    assert {record["run"] for record in records} == {"all", "a", "b"}
    np.testing.assert_allclose(
        cuts.shares("F"), np.mean([cuts.shares("F", "a"), cuts.shares("F", "b")], axis=0), atol=1e-15
    )
    assert cuts.relevant.tolist() == [sum(grade > 0 for grade in topic.values()) for topic in QRELS.values()]


@pytest.mark.parametrize(
    ("longest", "last"), [(0, "1-4"), (4, "1-4"), (5, "5-8"), (256, "129-256"), (1000, "513-1024")]
)
def test_bins_go_as_far_as_the_longest_list(longest: int, last: str) -> None:
    assert str(bins(longest)[-1]) == last
    assert shares(np.array([longest]), bins(longest)).sum() == 1


def test_the_summary_counts_over_all_lists() -> None:
    cuts = truncate(QRELS, RUNS, "OIE(size=100) F")
    lists = cuts.to_records("topics")
    for record in cuts.to_records():
        mine = [one for one in lists if one["measure"] == record["measure"]]
        assert record["lists"] == len(mine) == 10
        assert record["empty"] == pytest.approx(np.mean([one["length"] == 0 for one in mine]))
        assert record["uncut"] == pytest.approx(np.mean([one["length"] == one["listed"] for one in mine]))
        assert record["mean_length"] == pytest.approx(np.mean([one["length"] for one in mine]))
        assert record["median_length"] == np.median([one["length"] for one in mine])
        assert record["loss"] == pytest.approx(np.mean([one["loss"] for one in mine]))
        stats = pytest.importorskip("scipy.stats")
        rho = stats.spearmanr([one["length"] for one in mine], [one["relevant"] for one in mine])[0]
        assert record["correlation"] == pytest.approx(rho)


def test_a_measure_where_less_is_better_is_cut_where_it_is_least() -> None:
    cuts = truncate({"q": {"a": 2, "b": 1}}, {"x": {"q": ["b", "a"]}}, "PrefLoss")
    [record] = cuts.to_records("topics")
    assert record["loss"] == record["whole"] - record["best"] >= 0


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"ties": "bounds"}, "bounds"),
        ({"unjudged": "bounds"}, "bounds"),
        ({"relevant": "run"}, "cannot be chosen"),
        ({"ending": "terminal"}, "no form with a terminal document"),
        ({"measures": "NumRel"}, "NumRel"),
        ({"measures": ""}, "no measure"),
        ({"runs": {"m": {"zz": ["a"]}}}, "no topic in common"),
        ({"runs": []}, "no run given"),
    ],
)
def test_what_has_no_best_length_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        truncate(**{"qrels": QRELS, "runs": RUNS, **given})


def test_results_say_what_they_mean() -> None:
    cuts = truncate(QRELS, {"a": RUNS["a"]}, "RBPU F")
    assert "RBPU: the best length is 0 in" in str(cuts)
    for show in cuts.sheets:
        assert cuts.to_markdown(show)
        assert cuts.to_csv(show=show)
    with pytest.raises(tr.InputError, match="is not one of"):
        cuts.to_records("nothing")
    assert repr(cuts) == "Cuts(1 runs, 2 measures)"


def test_runs_are_told_of_as_they_are_done() -> None:
    done: list[tuple[str, int, int]] = []
    truncate(QRELS, RUNS, "F", also=[(QRELS, RUNS)], progress=lambda *told: done.append(told))
    names = ("collection#1", "collection#2")
    assert done == [(f"{name}: {run}", at, 2) for name in names for at, run in enumerate("ab", 1)]


def test_a_measure_that_scores_every_length_on_its_own_is_named() -> None:
    qrels, docs = {"q": {"d0": 1, "d50": 0}}, [f"d{n}" for n in range(100)]
    said = truncate(qrels, {"short": {"q": docs[:3]}, "long": {"q": docs}}, "F AUC GM(measure=Utility)").notices
    assert [notice for notice in said if "lengths" in notice] == [
        "AUC and GM(measure=Utility) are no sums over ranks: each of up to 100 lengths was scored on its own, which "
        "takes seconds a run"
    ]
    for listed, measures in ((docs, "F nDCGT OIE(size=1000)"), (docs[:99], "AUC")):
        assert not any("lengths" in notice for notice in truncate(qrels, {"x": {"q": listed}}, measures).notices)


def test_relevant_is_what_has_gain_here_and_for_silence() -> None:
    qrels, run = {"q1": {"a": 0.5, "b": 2, "c": 0}, "q2": {"a": 0.5}, "q3": {"a": 0, "b": -1}}, {"q1": ["a"]}
    cuts = truncate(qrels, {"mine": run}, "nDCG")
    assert cuts.relevant.tolist() == [2, 1, 0]
    assert tr.nil(qrels, {"mine": run}, "nDCG").nil_topics == ("q3",)
    value = tr.evaluate(qrels, {"mine": {**run, "q2": ["a"]}}, "nDCG", no_relevant="nan")["mine"]["nDCG"].per_topic
    assert [topic for topic, one in value.items() if one == one] == ["q1", "q2"]


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("P", "0 in 100% of lists (an empty list scores 1, the most there is, by definition) and"),
        ("P@2", "0 in 50% of lists (in all of them no length scores more than 0) and"),
        ("AP", "0 in 50% of lists (in all of them no length scores more than 0) and"),
        ("FlatU", "0 in 50% of lists and"),
    ],
)
def test_why_silence_is_best(measure: str, words: str) -> None:
    cuts = truncate({"p": {"a": 1}, "q": {"b": 1}}, {"p": ["x", "a"], "q": ["x", "y"]}, measure)
    assert f"{measure}: the best length is {words}" in cuts.notes()[0]
