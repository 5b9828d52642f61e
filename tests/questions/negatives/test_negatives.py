"""Sampled negatives: expected scores against all samples there are, corrections against what they minimise."""

from __future__ import annotations

import math
import random
from itertools import combinations, pairwise, permutations
from typing import Any

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.questions.negatives.question import negatives
from truerank.questions.negatives.sampled import among, by_rank, corrected_scores
from truerank.statistics.hypergeometric import above_in_sample, hypergeometric

MEASURES = "RR Success@2 nDCG@3 AP AUC RBP(p=0.5)"


def orders(run: dict[str, float]) -> list[list[str]]:
    every = [list(order) for order in permutations(run)]
    return [order for order in every if all(run[a] >= run[b] for a, b in pairwise(order))]


def score(measure: Measure, order: list[str], doc: str) -> float:
    documents = len({*order, doc})
    return among(measure, documents).of([float(one == doc) for one in order], pool=[1.0])


def by_hand(measure: Measure, run: dict[str, float], relevant: set[str], sample: int, unlisted: int) -> list[float]:
    """Full score, expected score and its variance over samples and orders, of the mean over relevant documents."""
    full, sampled, spread = [], [], []
    for doc in sorted(relevant):
        others = {one: value for one, value in run.items() if one not in relevant or one == doc}
        others |= {f"unlisted{n}": -99.0 for n in range(unlisted)}
        full.append(np.mean([score(measure, order, doc) for order in orders(others)]))
        # A document that is not listed may stand anywhere among the others that are not.
        others.setdefault(doc, -99.0)
        rest = [one for one in others if one != doc]
        drawn = [
            [score(measure, order, doc) for order in orders({doc: others[doc]} | {one: others[one] for one in some})]
            for some in combinations(rest, min(sample, len(rest)))
        ]
        sampled.append(np.mean([np.mean(each) for each in drawn]))
        spread.append(np.mean([np.mean(np.square(each)) for each in drawn]) - sampled[-1] ** 2)
    count = len(relevant)
    return [float(np.mean(full)), float(np.mean(sampled)), math.sqrt(max(float(np.sum(spread)), 0.0)) / count]


@pytest.mark.parametrize("seed", range(12))
def test_expected_scores_are_means_over_all_samples_and_orders_of_ties(seed: int) -> None:
    rng = random.Random(seed)
    docs = [*"abcdef"]
    relevant = {*rng.sample(docs, rng.randint(1, 3))}
    run = {doc: float(rng.randint(1, 3)) for doc in rng.sample(docs, 5)}
    sample, unlisted = rng.randint(1, 4), rng.choice([0, 2])
    listed = sum(doc not in relevant for doc in run)
    corpus = listed + unlisted + len(relevant)
    given: dict[str, Any] = {"qrels": {"q": dict.fromkeys(relevant, 1)}, "runs": {"q": run}, "negatives": sample}
    found = negatives(measures=MEASURES, corpus=corpus, **given)
    for name, row in found["run"].items():
        if name == "AUC" and listed + unlisted == 0:
            continue
        expected = by_hand(parse(name), run, relevant, sample, unlisted)
        assert [row.scores["full"], row.scores["sampled"], row.sampled_sd] == pytest.approx(expected, abs=1e-7), name
    whole = negatives(measures=MEASURES, **given)
    if listed >= sample and relevant <= {*run} and not unlisted:
        # Lists that have all documents need not be told how many there are.
        assert [row.scores for row in whole.board] == [row.scores for row in found.board]
    elif not relevant <= {*run}:
        assert whole.variants == ("full",)


@pytest.mark.parametrize("cut", first(2, [4, 2, 1, 0]))
@pytest.mark.parametrize("sample", [1, 3])
def test_bounds_are_what_lists_that_go_on_come_to(cut: int, sample: int) -> None:
    docs, relevant = [*"abcde"], {"b", "e"}
    qrels = {"q": dict.fromkeys(relevant, 1)}
    listed = docs[:cut]
    known = negatives(qrels, {"q": listed}, MEASURES, negatives=sample, corpus=len(docs))["run"]
    unknown = negatives(qrels, {"q": listed}, MEASURES, negatives=sample)["run"]
    every: dict[str, list[float]] = {}
    for rest in permutations(docs[cut:]):
        for more in (0, 9):
            lists = {"q": [*listed, *rest, *(f"more{n}" for n in range(more))]}
            truth = negatives(qrels, lists, MEASURES, negatives=sample, corpus=len(docs) + more)["run"]
            for name, row in truth.items():
                assert row.sampled_low is None
                low, high = unknown[name].sampled_low, unknown[name].sampled_high
                assert low - 1e-12 <= row.scores["sampled"] <= high + 1e-12, name
                if not more:
                    every.setdefault(name, []).append(row.scores["sampled"])
    for name, values in every.items():
        if cut <= docs.index("b"):
            # Both relevant documents are below the cut, and each bound is that of each alone.
            assert known[name].sampled_low <= min(values) + 1e-12
            assert known[name].sampled_high >= max(values) - 1e-12
        else:
            assert known[name].sampled_low == pytest.approx(min(values)), name
            assert known[name].sampled_high == pytest.approx(max(values)), name


@pytest.mark.parametrize("corpus", [None, 60])
def test_full_is_what_evaluate_says_of_the_same_lists(corpus: int | None) -> None:
    rng = random.Random(5)
    items = [f"i{n}" for n in range(50)]
    qrels = {f"u{n}": {rng.choice(items): 1} for n in range(200)} | {"none": {"i1": 0}, "missing": {"i2": 1}}
    users = [user for user in qrels if user != "missing"]
    run = {user: {doc: float(rng.randint(1, 9)) for doc in rng.sample(items, 10)} for user in users}
    measures = "RR Success@3 Success@10 nDCG@10 nDCG AP RBP(p=0.8) ERR R@5 P@5"
    found = negatives(qrels, run, measures, corpus=corpus)["run"]
    scores = tr.evaluate(qrels, run, measures, no_relevant="skip")["run"]
    assert len(scores["RR"].per_topic) == 201
    for name, score in scores.items():
        assert found[name].scores["full"] == pytest.approx(score.mean, abs=1e-15), name


def test_a_document_that_is_not_listed_is_never_a_hit() -> None:
    qrels, run = {"u1": {"x": 1}, "u2": {"y": 1}}, {"u1": ["a", "b"], "u2": ["y", "c"]}
    found = negatives(qrels, run, "Success@10 RR", negatives=99)
    assert [(row.scores, row.ranks) for row in found.board] == [({"full": 0.5}, {"full": 1})] * 2
    assert (found.orders, found.dependent) == ((), ())
    assert (found["run"]["RR"].sampled_low, found["run"]["RR"].sampled_high) == ((1 + 1 / 100) / 2, 1.0)
    said = [note for note in found.own_notes("runs") if note.code == "TR714"]
    assert len(said) == 1
    assert "1 relevant document is not listed, which is a miss; 2 lists have fewer than 99 negatives" in said[0]
    assert "give --corpus N" in said[0]
    assert "99 negatives" not in str(negatives(qrels, run, corpus=500))


def test_means_over_topics_and_places() -> None:
    qrels = {"p": {"a": 1}, "q": {"a": 1}, "none": {"a": 0}}
    runs = {
        # Half of the time at the top, or always in the middle: RR and its sample disagree.
        "bold": {"p": ["a", *"bcdefghij"], "q": [*"bcdefghij", "a"], "none": ["a"]},
        "even": {"p": ["b", "c", "a", *"defghij"], "q": ["b", "c", "a", *"defghij"], "none": ["a"]},
    }
    found = negatives(qrels, runs, "RR", negatives=2)
    assert found["bold"]["RR"].scores["full"] == pytest.approx((1 + 1 / 10) / 2)
    assert found["even"]["RR"].scores["full"] == pytest.approx(1 / 3)
    # Of nine negatives two are above: of two drawn none is with 21/36, one with 14/36, both with 1/36.
    assert found["even"]["RR"].scores["sampled"] == pytest.approx((21 + 14 / 2 + 1 / 3) / 36)
    assert found["bold"]["RR"].scores["sampled"] == pytest.approx((1 + 1 / 3) / 2)
    assert {row.other: row.reversed for row in found.orders} == {"sampled": 1, "corrected": 0}
    assert [[*row.ranks.values()] for row in found.board] == [[1, 2, 1], [2, 1, 2]]
    assert (found["even"]["RR"].differences["sampled"], found.relevant) == (pytest.approx(85 / 108 - 1 / 3), 2)
    assert "RR: 1 of 1 pair of runs changes order among a sample, as expected; 0 after the correction" in found.notes()


def test_a_sample_of_all_is_the_whole() -> None:
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"x": 3.0, "a": 2.0, "y": 2.0, "b": 1.0}}
    found = negatives(qrels, run, MEASURES, negatives=50, corpus=4)
    for row in found.board:
        assert [*row.scores.values()] == pytest.approx([row.scores["full"]] * 3)
    # Without the number of documents, a list shorter than the sample is not known to have all of them.
    assert "sampled" in negatives(qrels, run, negatives=2).variants
    assert "sampled" not in negatives(qrels, run, negatives=3).variants


def test_grades_below_those_of_measures_may_be_relevant() -> None:
    found = negatives({"q": {"a": 0.5}}, {"q": ["x", "a", "y"]}, "RR", negatives=1, rel=0.5)["run"]["RR"]
    assert (found.scores["full"], found.scores["sampled"]) == (0.5, 0.75)


@pytest.mark.parametrize("name", ["RR", "Success@10", "nDCG@10"])
@pytest.mark.parametrize("variance", [0.01, 0.1, 1.0])
def test_a_correction_is_the_least_of_bias_and_variance(name: str, variance: float) -> None:
    measure, total, drawn = parse(name), 200, 9
    found = corrected_scores(measure, total, drawn, variance, "uniform")
    chance = hypergeometric(np.full(total + 1, total), np.arange(total + 1), drawn)
    wanted = np.array([measure.of([0.0] * above + [1.0] + [0.0] * (total - above)) for above in range(total + 1)])

    def loss(scores: Any) -> float:
        mean = chance @ scores
        return float(
            np.mean((1 - variance) * (mean - wanted) ** 2 + variance * (chance @ scores**2 - 2 * mean * wanted))
        )

    rng = np.random.default_rng(1)
    for _ in range(50):
        assert loss(found) <= loss(found + rng.normal(size=drawn + 1) * 10.0 ** rng.uniform(-4, 0)) + 1e-12


def test_a_correction_has_less_bias_than_none_over_all_ranks() -> None:
    for name in ("RR", "Success@10", "nDCG@10"):
        measure, total, drawn = parse(name), 1000, 99
        chance = hypergeometric(np.full(total + 1, total), np.arange(total + 1), drawn)
        wanted, plain = (
            np.array([measure.of([0.0] * above + [1.0]) for above in range(count + 1)]) for count in (total, drawn)
        )
        mended = corrected_scores(measure, total, drawn, 0.1, "uniform")
        assert np.mean((chance @ mended - wanted) ** 2) < 0.5 * np.mean((chance @ plain - wanted) ** 2)


@pytest.mark.thorough
def test_where_ranks_are_mostly_high_the_harmonic_prior_corrects_better() -> None:
    total, drawn = 20_000, 99
    above = np.unique(np.concatenate([np.arange(50), np.geomspace(50, total, 300).astype(np.int64)]))
    likely = np.diff(np.log(np.append(above, total + 1) + 1.0))
    likely /= likely.sum()
    chance = hypergeometric(np.full(len(above), total), above, drawn)
    for name in ("RR", "Success@10", "nDCG@10"):
        measure = parse(name)
        wanted = likely @ by_rank(measure, above + 1, total + 1)
        plain = likely @ (chance @ by_rank(measure, np.arange(1, drawn + 2), drawn + 1)) - wanted
        harmonic, uniform = (
            likely @ (chance @ corrected_scores(measure, total, drawn, 0.1, prior)) - wanted
            for prior in ("harmonic", "uniform")
        )
        assert abs(harmonic) < 0.2 * abs(uniform)
        assert abs(harmonic) < 0.05 * plain


def test_chances_against_counting() -> None:
    for total, above, tied, drawn in (
        (6, 2, 0, 3),
        (6, 2, 3, 3),
        (5, 0, 5, 2),
        (7, 7, 0, 4),
        (4, 1, 1, 4),
        (3, 1, 2, 0),
    ):
        count = np.zeros(drawn + 1)
        some = [*combinations(range(total), drawn)]
        for sample in some:
            higher = sum(one < above for one in sample)
            mates = sum(above <= one < above + tied for one in sample)
            for place in range(mates + 1):
                count[higher + place] += 1 / (mates + 1) / len(some)
        assert above_in_sample(total, above, tied, drawn) == pytest.approx(count)
    large = hypergeometric(np.array([10**7]), np.array([10**6]), 99)[0]
    binomial = [math.comb(99, i) * 0.1**i * 0.9 ** (99 - i) for i in range(100)]
    assert large == pytest.approx(binomial, rel=1e-2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"measures": "Bpref"}, "more than the rank of one relevant document"),
        ({"measures": "PrefLoss"}, "more than the rank of one relevant document"),
        ({"measures": "GM"}, "more than the rank of one relevant document"),
        ({"negatives": 0}, "negatives"),
        ({"corpus": 3}, "corpus is 3; give the number of all documents"),
        ({"variance": 2.0}, "variance"),
        ({"prior": "flat"}, "prior"),
        ({"rel": 0}, "rel"),
        ({"ties": "worst"}, "ties='worst' cannot be chosen here"),
    ],
)
def test_what_has_no_meaning_is_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError) as refused:
        negatives({"q": {"a": 1}}, {"q": ["x", "y", "a", "z"]}, **given)
    assert said in str(refused.value)


def test_on_the_command_line(truerank: Any, tmp_path: Any) -> None:
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    (tmp_path / "a.run").write_text("q Q0 x 1 3 t\nq Q0 a 2 2 t\nq Q0 y 3 1 t\n")
    done = truerank("negatives", tmp_path / "qrels", tmp_path / "a.run", "-m", "RR", "--negatives", 1)
    assert done.exit_code == 0
    head, row = (line.split("\t") for line in done.stdout.splitlines())
    found = dict(zip(head, row, strict=True))
    assert (found["score.full"], found["score.sampled"], found["difference.sampled"]) == ("0.5", "0.75", "0.25")
    assert "is ranked alone" in done.stderr


def test_nothing_relevant_has_no_score() -> None:
    found = tr.negatives({"q": {"a": 0}}, {"q": ["a", "b"]}, "RR")
    assert math.isnan(found["run"]["RR"].scores["full"])
    assert found["run"]["RR"].ranks["full"] is None


def test_a_run_with_cut_lists_has_no_score_among_a_sample() -> None:
    found = tr.negatives(
        {"q": {"a": 1}}, {"whole": {"q": ["x", "a", "y"]}, "cut": {"q": ["x", "y"]}}, "RR", negatives=1
    )
    scores = {row.run: row.scores["sampled"] for row in found.board}
    assert scores["whole"] == 0.75
    assert math.isnan(scores["cut"])
    assert (found["cut"]["RR"].sampled_low, found["whole"]["RR"].sampled_low) == (0.5, None)
    assert [row.runs for row in found.orders] == [1, 1]
