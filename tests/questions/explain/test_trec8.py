"""Long lists with ties and unjudged documents."""

from __future__ import annotations

import pytest
from tests.parity.shared import need

import truerank as tr
from truerank.analysis.precision_recall import precision_recall
from truerank.analysis.roc import roc
from truerank.questions.explain.question import explain

MEASURES = "AP nDCG@10 nDCG RBP ERR OIE(size=528155) Bpref AUC Q RBPU RBPT P@10"


@pytest.mark.parametrize(("name", "topic"), [("CL99SD", "401"), ("uwmt8a0", "450")])
def test_contributions_add_up(name: str, topic: str) -> None:
    qrels, run = tr.read_qrels(need("trec8", "qrels.gz")), tr.read_run(need("trec8", "runs", f"{name}.gz"))
    scores = tr.evaluate(qrels, run, MEASURES)[name]
    for measure, one in explain(qrels, run, MEASURES, topic=topic).items():
        assert one.score == scores[measure].per_topic[topic]
        assert sum(step.contribution for step in one.steps) == pytest.approx(one.score, rel=1e-9, abs=1e-12), measure
        assert one.swap is None or one.swap.difference > 0
        if one.reordered is not None and one.complete is not None and measure != "OIE(size=528155)":
            assert one.score <= one.reordered + 1e-12
            assert one.complete >= one.reordered - 1e-12


def test_curves_are_what_trec_eval_prints() -> None:
    path, run = need("trec8", "qrels.gz"), need("trec8", "runs", "CL99SD.gz")
    one = precision_recall(path, run, topic="403", like="trec_eval-10")["CL99SD"]
    # Of its levels those that recall can have with 21 documents, or that it rounds up.
    assert [round(p, 4) for p in one.precision[[0, 3, 4, 5, 7, 8, 9, 10]]] == [
        1.0, 0.8667, 0.8667, 0.8667, 0.8, 0.7727, 0.3654, 0.105
    ]  # fmt: skip
    assert (round(one.break_even, 4), round(one.average, 4)) == (0.7619, 0.7275)
    assert roc(path, run)["CL99SD"].auc == pytest.approx(tr.evaluate(path, run, "AUC")["CL99SD"]["AUC"].mean)
