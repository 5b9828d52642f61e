"""Long lists with ties and unjudged documents."""

from __future__ import annotations

import pytest
from tests.parity.shared import need

import truerank as tr
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
