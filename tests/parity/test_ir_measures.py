"""ir_measures' numbers, where its measures are ours too."""

from __future__ import annotations

import pytest

import truerank as tr

from .test_pytrec_eval import collection

ir_measures = pytest.importorskip("ir_measures")

SAME = """
    P@5 P(rel=2)@10 R@10 R(rel=2)@20 AP AP@20 AP(rel=2) nDCG nDCG@10 RR RR(rel=2) Rprec Bpref infAP SetP SetR SetF SetAP
    Success@5 NumRet NumRet(rel=1) NumRel NumQ
"""
MORE = ("nDCG(dcg='exp-log2')@10", "RBP(p=0.5)", "ERR@20", "nDCG(gains={1:3,2:9})@5")
ALIASES = "MAP MRR Recall@10 Precision@5 NDCG@10 BPref RPrec SetRelP NumRelRet"


@pytest.mark.parametrize("measure", SAME.split())
def test_same_value(measure: str) -> None:
    qrels, run = collection(11, top=3)
    parsed = ir_measures.parse_measure(measure)
    theirs = {m.query_id: m.value for m in ir_measures.iter_calc([parsed], qrels, run)}
    score = tr.evaluate(qrels, run, measure, ties="docid", precision="float32", negative="unjudged")["run"][measure]
    assert {topic: score.per_topic[topic] for topic in theirs} == pytest.approx(theirs, abs=1e-12)
    assert score.mean == pytest.approx(ir_measures.calc_aggregate([parsed], qrels, run)[parsed], abs=1e-12)


def test_judged_share_without_ties() -> None:
    qrels, run = collection(12, top=1)
    run = {topic: {doc: float(place) for place, doc in enumerate(docs)} for topic, docs in run.items()}
    parsed = ir_measures.parse_measure("Judged@10")
    theirs = {m.query_id: m.value for m in ir_measures.iter_calc([parsed], qrels, run)}
    assert tr.evaluate(qrels, run, "Judged@10")["run"]["Judged@10"].per_topic == pytest.approx(theirs, abs=1e-12)


@pytest.mark.parametrize("text", [*SAME.split(), *MORE])
def test_same_grammar(text: str) -> None:
    assert str(tr.parse(text)) == text
    assert str(ir_measures.parse_measure(text)) == text


@pytest.mark.parametrize(
    "alias", ["MAP", "MRR", "Recall@10", "Precision@5", "NDCG@10", "BPref", "RPrec", "SetRelP", "NumRelRet"]
)
def test_same_aliases(alias: str) -> None:
    assert str(tr.parse(alias)) == str(ir_measures.parse_measure(alias))


def test_reciprocal_rank_with_and_without_cutoff_agree_on_ties() -> None:
    qrels, run = {"q": {"b": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    scores = tr.evaluate(qrels, run, "RR RR@10")["run"]
    assert scores["RR"].mean == scores["RR@10"].mean == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
