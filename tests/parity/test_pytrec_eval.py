"""Every measure of pytrec_eval, on random runs with ties, unjudged and graded documents."""

from __future__ import annotations

import random

import pytest

import truerank as tr

from . import known_differences as known
from .names import MEANS, NAMES

pytrec_eval = pytest.importorskip("pytrec_eval")


Qrels, Run = dict[str, dict[str, int]], dict[str, dict[str, float]]


def collection(seed: int, *, top: int, topics: int = 12) -> tuple[Qrels, Run]:
    """Judgments and a run with ties, unretrieved relevant documents, unjudged documents, negative grades."""
    rng = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(topics):
        docs = [f"d{rng.randrange(10**6):06d}" for _ in range(120)]
        judged = rng.sample(docs, rng.randrange(1, 60))
        qrels[f"q{topic}"] = {d: rng.choice([0, 0, 0, *range(top + 1), -1]) for d in judged}
        qrels[f"q{topic}"][judged[0]] = top
        listed = rng.sample(docs, rng.randrange(1, 110))
        run[f"q{topic}"] = {d: float(rng.randrange(30)) / rng.choice([1, 7]) for d in listed}
    return qrels, run


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("top", [1, 3])
def test_every_measure_of_a_topic(seed: int, top: int) -> None:
    qrels, run = collection(seed, top=top)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    names = next(iter(theirs.values()))
    compared = [name for name in names if name in NAMES and not known.differs("pytrec_eval", name)]
    ours = tr.evaluate(qrels, run, [NAMES[name] for name in compared], like="trec_eval-9")["run"]
    for name in compared:
        values = ours[NAMES[name]].per_topic
        for topic, expected in theirs.items():
            assert values[topic] == pytest.approx(expected[name], abs=1e-12), (name, topic)


def test_nothing_is_left_out() -> None:
    qrels, run = collection(1, top=2)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    for name in next(iter(theirs.values())):
        assert name in NAMES or name in MEANS or known.differs("pytrec_eval", name), name


@pytest.mark.parametrize("name", ["map", "ndcg", "ndcg_cut_10", "recip_rank", "P_10", "bpref"])
def test_the_same_bits(name: str) -> None:
    qrels, run = collection(3, top=3, topics=40)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, pytrec_eval.supported_measures).evaluate(run)
    ours = tr.evaluate(qrels, run, [NAMES[name]], like="trec_eval-9")["run"][NAMES[name]].per_topic
    assert {topic: ours[topic] for topic in theirs} == {topic: values[name] for topic, values in theirs.items()}


def test_geometric_means() -> None:
    qrels, run = collection(4, top=2)
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"gm_map", "gm_bpref"})
    theirs = evaluator.evaluate(run)
    ours = tr.evaluate(qrels, run, list(MEANS.values()), like="trec_eval-9")["run"]
    for name in ("gm_map", "gm_bpref"):
        logs = [values[name] for values in theirs.values()]
        expected = pytrec_eval.compute_aggregated_measure(name, logs)
        assert ours[MEANS[name]].mean == pytest.approx(expected, abs=1e-12)
    assert ours["NumQ"].mean == len(theirs)


def test_known_differences_are_real() -> None:
    qrels, run = collection(5, top=1, topics=60)
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"11pt_avg", "iprec_at_recall"}).evaluate(run)
    levels = {f"iprec_at_recall_{level / 10:.2f}": f"IPrec@{level / 10}" for level in range(11)}
    ours = tr.evaluate(qrels, run, ["IPrecAvg", *levels.values()], like="trec_eval-9")["run"]

    def differ(theirs_name: str, our_name: str) -> bool:
        values = ours[our_name].per_topic
        return any(abs(values[topic] - found[theirs_name]) > 1e-6 for topic, found in theirs.items())

    assert differ("11pt_avg", "IPrecAvg")
    assert any(differ(*names) for names in levels.items())
    assert not differ("iprec_at_recall_0.50", "IPrec@0.5")


def test_scores_that_tie_in_single_precision() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"a": 1.0, "b": 1.00000001}}
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(run)
    assert theirs["q"]["recip_rank"] == 0.5
    assert tr.evaluate(qrels, run, "RR", like="trec_eval-9")["run"]["RR"].mean == 0.5
    assert tr.evaluate(qrels, {"q": {"b": 1.0, "a": 1.00000001}}, "RR", like="trec_eval-9")["run"]["RR"].mean == 0.5
    assert tr.evaluate(qrels, {"q": {"b": 1.0, "a": 1.00000001}}, "RR")["run"]["RR"].mean == 1.0
