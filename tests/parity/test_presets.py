"""``like=`` gives the numbers of the tools themselves, ties, missing topics and near scores included."""

from __future__ import annotations

import random

import numpy as np
import pytest

import truerank as tr

Judged = dict[str, dict[str, int]]
Listed = dict[str, dict[str, float]]


def drawn(seed: int, *, missing: bool = True) -> tuple[Judged, Listed]:
    """Ties, scores that tie in single precision, unjudged documents, and (if wanted) a topic left out."""
    draw = random.Random(seed)
    qrels = {f"q{t}": {f"d{d}": draw.choice([0, 0, 1, 2]) for d in range(20)} for t in range(9)}
    topics = list(qrels)[1:] if missing else list(qrels)
    scores = [1.0, 1.00000001, 2.0, 2.5, 3.0]
    return qrels, {t: {f"d{d}": draw.choice(scores) for d in draw.sample(range(25), 18)} for t in topics}


@pytest.mark.parametrize("seed", range(5))
def test_pytrec_eval(seed: int) -> None:
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = drawn(seed)
    found = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10", "recip_rank"}).evaluate(run)
    ours = tr.evaluate(qrels, run, "AP nDCG@10 RR", like="pytrec_eval")["run"]
    for theirs, name in (("map", "AP"), ("ndcg_cut_10", "nDCG@10"), ("recip_rank", "RR")):
        assert ours[name].per_topic == pytest.approx({topic: row[theirs] for topic, row in found.items()}, abs=1e-12)
        assert ours[name].mean == pytest.approx(np.mean([row[theirs] for row in found.values()]), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_ir_measures(seed: int) -> None:
    ir_measures = pytest.importorskip("ir_measures")
    qrels, run = drawn(seed)
    wanted = [ir_measures.parse_measure(text) for text in ("AP", "nDCG@10", "RR", "P@5", "Bpref", "SetF")]
    theirs = ir_measures.calc_aggregate(wanted, qrels, run)
    ours = tr.evaluate(qrels, run, " ".join(map(str, wanted)), like="ir_measures")["run"]
    assert {str(m): ours[str(m)].mean for m in wanted} == pytest.approx(
        {str(m): v for m, v in theirs.items()}, abs=1e-12
    )


@pytest.mark.parametrize("seed", range(5))
def test_sklearn(seed: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(seed)
    grades, scores = draw.integers(0, 3, (6, 15)), draw.integers(0, 5, (6, 15)) / 2
    grades[0] = 0
    qrels = {str(t): {str(d): int(g) for d, g in enumerate(row)} for t, row in enumerate(grades)}
    run = {str(t): {str(d): float(s) for d, s in enumerate(row)} for t, row in enumerate(scores)}
    ours = tr.evaluate(qrels, run, "nDCG nDCG@5", like="sklearn")["run"]
    assert ours["nDCG"].mean == pytest.approx(metrics.ndcg_score(grades, scores), abs=1e-12)
    assert ours["nDCG@5"].mean == pytest.approx(metrics.ndcg_score(grades, scores, k=5), abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_beir(seed: int) -> None:
    """BEIR drops documents that have the id of their query, then asks pytrec_eval."""
    pytrec_eval = pytest.importorskip("pytrec_eval")
    qrels, run = drawn(seed)
    run["q3"]["q3"] = run["q5"]["q5"] = 9.0
    kept = {topic: {doc: score for doc, score in row.items() if doc != topic} for topic, row in run.items()}
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut_10"}).evaluate(kept)
    scores = tr.evaluate(qrels, run, "nDCG@10", like="beir")
    assert scores["run"]["nDCG@10"].per_topic == pytest.approx({t: row["ndcg_cut_10"] for t, row in found.items()})
    assert "2 documents with the id of the topic dropped" in scores.notices
