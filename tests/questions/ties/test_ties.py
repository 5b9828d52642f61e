"""What ties do, against every order of them."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Iterator
from itertools import combinations, groupby, permutations, product
from typing import Any

import pytest
from tests.quick import first

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE
from truerank.questions.ties.question import Ties, ties

from ...parity.shared import need

Run = dict[str, dict[str, float]]


def orders(scored: dict[str, float]) -> Iterator[list[str]]:
    """Every list that a topic's scores allow for."""
    ranked = sorted(scored, key=lambda doc: -scored[doc])
    groups = [list(group) for _, group in groupby(ranked, key=lambda doc: scored[doc])]
    for choice in product(*(permutations(group) for group in groups)):
        yield [doc for group in choice for doc in group]


def values(qrels: Any, run: Run, measure: Measure) -> list[float]:
    """The score of a run in every order of the ties of all its topics."""
    lists = [list(orders(run[topic])) for topic in run]
    return [
        tr.evaluate(qrels, dict(zip(run, choice, strict=True)), measure)["run"][str(measure)].mean
        for choice in product(*lists)
    ]


def collection(seed: int) -> tuple[Any, dict[str, Run]]:
    rng = random.Random(seed)
    docs = list("abcdef")
    qrels = {topic: {doc: rng.choice([0, 1, 2]) for doc in rng.sample(docs, 4)} for topic in ("q1", "q2")}
    runs = {
        name: {"q1": {d: float(rng.choice([1, 2, 3])) for d in rng.sample(docs, 4)}, "q2": {rng.choice(docs): 1.0}}
        for name in ("one", "two", "three")
    }
    return qrels, runs


MEASURES = [measure for name, measure in TABLE.items() if name not in ("OIE", "NumQ", "NumRel")]


@pytest.mark.parametrize("measure", MEASURES, ids=str)
@pytest.mark.thorough
def test_every_measure_against_every_order(measure: Measure) -> None:
    qrels, runs = collection(5)
    found = ties(qrels, runs, measure)
    every = {name: values(qrels, run, measure) for name, run in runs.items()}
    for name, some in every.items():
        score = found[name][str(measure)]
        low, high = (score.worst, score.best) if measure.higher_is_better else (score.best, score.worst)
        assert (low, high) == pytest.approx((min(some), max(some)), abs=1e-12)
        if measure.averages:
            assert score.expected == pytest.approx(sum(some) / len(some), rel=1e-14, abs=1e-12)
        assert (score.extremes, score.std_error) == ("exact", 0.0)
    assert {(pair.run, pair.compared_with) for pair in found.pairs} == possible(found, every, measure)


def possible(found: Ties, every: dict[str, list[float]], measure: Measure) -> set[tuple[str, str]]:
    """Pairs whose expected order some order of their ties turns around."""
    sign = 1 if measure.higher_is_better else -1
    pairs = set()
    for one, other in combinations(every, 2):
        difference = sign * (found[one][str(measure)].expected - found[other][str(measure)].expected)
        better, worse = (one, other) if difference > 0 else (other, one)
        turned = any(sign * (b - a) > 1e-12 for a, b in product(every[better], every[worse]))
        if abs(difference) > 1e-12 and turned:
            pairs.add((better, worse))
    return pairs


@pytest.mark.parametrize("seed", range(12))
def test_pairs_that_ties_can_reverse_are_found_and_none_is_made_up(seed: int) -> None:
    qrels, runs = collection(seed)
    for measure in (tr.AP, tr.nDCG @ 2, tr.RR):
        found = ties(qrels, runs, measure)
        every = {name: values(qrels, run, measure) for name, run in runs.items()}
        assert {(pair.run, pair.compared_with) for pair in found.pairs} == possible(found, every, measure)
        for pair in found.pairs:
            differences = [a - b for a, b in product(every[pair.run], every[pair.compared_with])]
            assert (pair.low, pair.high) == pytest.approx((min(differences), max(differences)))
            assert pair.low < 0 < pair.difference < pair.high


@pytest.mark.parametrize("name", ["AP", "RR", "PrefLoss"])
def test_best_and_worst_ranks_are_over_every_order(name: str) -> None:
    measure = tr.parse(name)
    sign = 1 if measure.higher_is_better else -1
    for seed in range(6):
        qrels, runs = collection(seed)
        every = {run: values(qrels, lists, measure) for run, lists in runs.items()}
        ranks: dict[str, set[int]] = {run: set() for run in runs}
        for scores in product(*every.values()):
            for run, score in zip(every, scores, strict=True):
                ranks[run].add(1 + sum(sign * (other - score) > 1e-12 for other in scores))
        found = ties(qrels, runs, measure)
        assert {row.run: (row.best_rank, row.worst_rank) for row in found.board} == {
            run: (min(own), max(own)) for run, own in ranks.items()
        }


def test_the_cases_above_have_such_pairs() -> None:
    assert sum(len(ties(*collection(seed), "AP nDCG@2").pairs) for seed in range(12)) > 10


ORDERS = ("docid", "docid-asc", "input")


def test_usual_orders_and_what_they_turn_around() -> None:
    for seed in range(6):
        qrels, runs = collection(seed)
        found = ties(qrels, runs, "AP")
        for order in ORDERS:
            scores = tr.evaluate(qrels, runs, "AP", ties=order).means()
            expected = tr.evaluate(qrels, runs, "AP").means()
            moved = {name: scores[name]["AP"] - expected[name]["AP"] for name in runs}
            differences = {name: found[name]["AP"].differences[order] for name in runs}
            assert differences == pytest.approx(moved)
            [row] = [row for row in found.orders if row.other == order]
            assert abs(row.difference) == pytest.approx(max(map(abs, moved.values())))
            assert row.difference == pytest.approx(moved[row.run])
            assert row.mean_difference == pytest.approx(sum(moved.values()) / 3)
            turned = {
                (a, b)
                for a, b in permutations(runs, 2)
                if expected[a]["AP"] - expected[b]["AP"] > 1e-12 and scores[b]["AP"] - scores[a]["AP"] > 1e-12
            }
            assert row.reversed == len(turned)
            assert {(pair.run, pair.compared_with) for pair in found.pairs if order in pair.reversed_by} == turned


def test_counts() -> None:
    run = {"q1": {"a": 2.0, "b": 2.0, "c": 2.0, "d": 1.0}, "q2": {"a": 2.0, "b": 1.0}, "unjudged": {"a": 1.0, "b": 1.0}}
    found = ties({"q1": {"a": 1, "d": 1}, "q2": {"b": 1}, "q3": {"a": 1}}, run, "P@1 P@2 P@3 P@4")["run"]["P@1"]
    assert (found.documents, found.topics, found.judged) == (6, 2, 3)
    assert (found.tied_documents, found.tied_topics, found.tied_judged) == (3, 1, 1)
    assert found.straddling == {1: 1, 2: 1, 3: 0, 4: 0}
    assert (found.tied, found.topic_share, found.judged_share) == (0.5, 0.5, 1 / 3)


def test_a_rank_column_is_an_order_of_its_own(tmp_path: Any) -> None:
    path = tmp_path / "a.run"
    path.write_text("q Q0 a 2 1.0 t\nq Q0 b 1 1.0 t\n")
    other = {"q": {"a": 1.0, "b": 1.0}}
    found = ties({"q": {"a": 1}}, {"file": str(path), "dict": other}, "RR")
    assert found["file"]["RR"].scores == {"expected": 0.75, "docid": 0.5, "docid-asc": 1.0, "input": 1.0, "rank": 0.5}
    assert "rank" not in found["dict"]["RR"].scores
    assert [record["score.rank"] for record in found.to_records()] == [0.5, None]
    assert [row.runs for row in found.orders] == [2, 2, 2, 1]


def test_extremes_of_a_sample_are_marked() -> None:
    qrels = {"q": {f"d{n}": n % 3 for n in range(30)}}
    run = {"q": {f"d{n}": 1.0 for n in range(30)}}
    found = ties(qrels, run, "G infAP AP")
    # The mean of infAP is exact, and its extremes are looked for.
    assert {r["measure"]: r["extremes"] for r in found.to_records()} == {
        "G": "sampled",
        "infAP": "sampled",
        "AP": "exact",
    }
    assert [found["run"][name].std_error > 0 for name in ("G", "infAP", "AP")] == [True, False, False]
    assert "G: worst and best are those of a sample of orders for 1 run" in str(found)


def test_lower_is_better() -> None:
    runs = {"flat": {"q": {"a": 1.0, "b": 1.0}}, "good": {"q": ["a", "b"]}}
    found = ties({"q": {"a": 1, "b": 0}}, runs, "PrefLoss")
    assert (found["flat"]["PrefLoss"].worst, found["flat"]["PrefLoss"].best) == (1.0, 0.0)
    assert [row.run for row in found.board] == ["good", "flat"]


def test_nothing_tied() -> None:
    found = ties({"q": {"a": 1, "b": 0}}, {"one": {"q": ["a", "b"]}, "two": {"q": ["b", "a"]}}, "AP")
    assert (found.pairs, [row.tied for row in found.board]) == ((), [0.0, 0.0])
    assert str(found).startswith("Ties cannot change the order of these 2 runs.")


def test_undefined_scores_are_in_no_pair() -> None:
    qrels, runs = collection(1)
    found = ties({**qrels, "q3": {"z": 0}}, runs, "AP", no_relevant="nan")
    assert found.pairs == ()
    assert all(score.expected != score.expected for score in found.board)


def test_exports() -> None:
    pytest.importorskip("pandas")
    found = ties(*collection(5), "AP nDCG@2")
    assert len(found.to_records()) == 6
    assert found.to_pandas().shape[0] == found.to_polars().shape[0] == found.to_arrow().num_rows == 6
    assert (
        found.to_csv()
        .splitlines()[0]
        .startswith("measure,run,score.expected,score.docid,score.docid-asc,score.input,rank.expected")
    )
    assert len(found.to_pandas("orders")) == len(found.orders) == 6
    assert len(found.to_records("pairs")) == len(found.pairs)
    assert "<table" in found._repr_html_()
    document = json.loads(found.to_json())
    assert {"version", "question", "conventions", "num_topics", "runs", "orders", "pairs", "notes"} < {*document}
    [one] = [row for row in document["runs"] if (row["run"], row["measure"]) == ("one", "AP")]
    assert one["best"] == found["one"]["MAP"].best
    with pytest.raises(InputError, match="runs, topics, orders, pairs"):
        found.to_records("columns")
    with pytest.raises(KeyError, match="no run 'x'"):
        found["x"]
    with pytest.raises(KeyError, match="was not evaluated"):
        found["one"]["RR"]


def test_two_reasons_for_bounds_are_refused() -> None:
    with pytest.raises(InputError, match="mix two reasons"):
        ties({"q": {"a": 1}}, {"q": ["a"]}, unjudged="bounds")


def test_condensed_lists_have_their_own_ties() -> None:
    qrels, runs = collection(2)
    found = ties(qrels, runs, "AP", unjudged="condensed")
    scores = tr.evaluate(qrels, runs, "AP", ties="bounds", unjudged="condensed")
    for name in runs:
        one, other = found[name]["AP"], scores[name]["AP"]
        assert (one.worst, one.expected, one.best) == (other.low, other.mean, other.high)
        docid = tr.evaluate(qrels, runs, "AP", ties="docid", unjudged="condensed")[name]["AP"].mean
        assert one.scores["docid"] == docid


@pytest.mark.thorough
def test_trec8() -> None:
    """121 of the 129 systems have ties, 11 more than half of their documents; some can pair."""
    qrels = tr.read_qrels(need("trec8", "qrels.gz"))
    paths = sorted(need("trec8", "runs").glob("*.gz"))
    found = ties(qrels, [str(path) for path in paths], "AP nDCG@10")
    runs = [row for row in found.board if row.measure == "AP"]
    assert (len(runs), sum(row.tied > 0 for row in runs), sum(row.tied > 0.5 for row in runs)) == (129, 121, 11)
    assert sum(row.tied_topics for row in runs) == 5919
    count = {m: sum(s.measure == m for s in found.pairs) for m in found.measures}
    assert count == {"AP": 28, "nDCG@10": 20}
    first = next(pair for pair in found.pairs if pair.measure == "AP")
    assert (first.run, first.compared_with) == ("plt8ah2", "Scai8Adhoc")
    theirs = {(s.measure, s.other): s for s in found.orders}
    assert theirs["AP", "docid"].reversed == 1
    assert (theirs["nDCG@10", "docid"].run, round(theirs["nDCG@10", "docid"].difference, 4)) == ("disco1", -0.0062)


@pytest.mark.parametrize(
    "name", first(3, ["AP", "nDCG@3", "RR", "ERR", "Bpref", "IPrec@0.5", "PrefLoss", "ESL@5", "NumRet(rel=1)"])
)
def test_deviations_and_chances_against_every_order(name: str) -> None:
    measure = tr.parse(name)
    sign, turned = (1 if measure.higher_is_better else -1), 0
    for seed in range(6):
        qrels, runs = collection(seed)
        found = ties(qrels, runs, measure)
        every = {run: values(qrels, lists, measure) for run, lists in runs.items()}
        for run, some in every.items():
            mean = sum(some) / len(some)
            expected = (sum((value - mean) ** 2 for value in some) / len(some)) ** 0.5
            assert found[run][name].deviation == pytest.approx(expected, abs=1e-9)
            assert found[run][name].deviation_error == 0
        for pair in found.pairs:
            pairs = [sign * (b - a) for a, b in product(every[pair.run], every[pair.compared_with])]
            ahead = sum(1.0 if gap > 1e-12 else 0.5 if gap >= -1e-12 else 0.0 for gap in pairs) / len(pairs)
            apart = [a - b for a, b in product(every[pair.run], every[pair.compared_with])]
            assert (pair.low, pair.high) == pytest.approx((min(apart), max(apart)), abs=1e-9)
            assert sign * pair.difference > 0
            assert pair.chance_by == "exact"
            assert pair.chance == pytest.approx(ahead, abs=1e-9)
            turned += 1
    assert turned or name.startswith("NumRet")


@pytest.mark.thorough
def test_many_topics_have_a_normal_chance_that_random_orders_agree_with() -> None:
    rng = random.Random(3)
    topics, docs = [f"q{t}" for t in range(40)], [f"d{d}" for d in range(12)]
    qrels = {topic: {doc: int(rng.random() < 0.3) for doc in docs} for topic in topics}
    runs = {name: {t: {d: float(rng.randint(1, 3)) for d in docs} for t in topics} for name in ("one", "two")}
    found = ties(qrels, runs, "AP")
    [pair] = found.pairs
    assert pair.chance_by == "normal"
    means = {
        run: [tr.evaluate(qrels, {run: runs[run]}, "AP", ties=f"sample({seed})")[run]["AP"].mean for seed in range(200)]
        for run in runs
    }
    for run, drawn in means.items():
        spread = (sum((value - found[run]["AP"].expected) ** 2 for value in drawn) / len(drawn)) ** 0.5
        assert found[run]["AP"].deviation == pytest.approx(spread, rel=0.2)
    pairs = [b > a for a, b in product(means[pair.run], means[pair.compared_with])]
    assert pair.chance == pytest.approx(sum(pairs) / len(pairs), abs=0.08)


def test_the_figure_has_a_row_a_run_that_ties_move() -> None:
    pytest.importorskip("altair")
    qrels, runs = collection(5)
    found = ties(qrels, runs, "AP")
    drawn = found.plot().spec
    names = {row["name"] for rows in drawn["datasets"].values() for row in rows}
    assert names == {row.run for row in found.board if row.best > row.worst}
    assert "two standard deviations" in drawn["title"]["subtitle"]


def test_topics_that_the_order_moves() -> None:
    qrels, runs = collection(5)
    found = ties(qrels, runs, "AP RR")
    for topic in found.by_topic:
        lists = {topic.topic: runs[topic.run][topic.topic]}
        some = values({topic.topic: qrels[topic.topic]}, lists, tr.parse(topic.measure))
        mean = sum(some) / len(some)
        assert (topic.worst, topic.best) == pytest.approx((min(some), max(some)), abs=1e-12)
        assert topic.expected == pytest.approx(mean, abs=1e-12)
        assert topic.deviation == pytest.approx((sum((v - mean) ** 2 for v in some) / len(some)) ** 0.5, abs=1e-9)
    for name, run in runs.items():
        still = {(name, topic) for topic in run} - {(t.run, t.topic) for t in found.by_topic if t.measure == "AP"}
        for _, topic in still:
            assert len(set(values({topic: qrels[topic]}, {topic: run[topic]}, tr.AP))) == 1
    assert [t.deviation for t in found.by_topic if t.measure == "AP"] == sorted(
        (t.deviation for t in found.by_topic if t.measure == "AP"), reverse=True
    )


def test_deviations_of_preferences_between_documents() -> None:
    rng = random.Random(8)
    docs = list("abcde")
    for _ in range(12):
        pairs = [("q", *rng.sample(docs, 2)) for _ in range(rng.randint(1, 9))]
        run = {"q": {doc: float(rng.randint(1, 2)) for doc in rng.sample(docs, 4)}}
        preferences = tr.read_preferences(pairs)
        found = ties(preferences, {"run": run}, "PrefLoss")["run"]["PrefLoss"]
        some = values(preferences, run, tr.PrefLoss)
        mean = sum(some) / len(some)
        assert found.expected == pytest.approx(mean, abs=1e-12)
        assert found.deviation == pytest.approx((sum((v - mean) ** 2 for v in some) / len(some)) ** 0.5, abs=1e-9)
        assert found.deviation_error == 0


def test_a_deviation_that_is_not_known_is_none_of_zero() -> None:
    runs = {"flat": {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}, "other": {"q": {"b": 2.0, "a": 1.0, "c": 0.0}}}
    found = ties(tr.read_preferences([("q", "a", "b"), ("q", "a", "c")]), runs, "WPrefLoss")
    assert math.isnan(found["flat"]["WPrefLoss"].deviation)
    assert [(math.isnan(pair.chance), pair.chance_by) for pair in found.pairs] == [(True, "")]
