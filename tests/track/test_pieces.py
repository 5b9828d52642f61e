"""Runs looked at in parts of their topics give the same answers, to the bit and to the word."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import truerank as tr
from truerank.report.answer import Answer
from truerank.track import track

DRAW = random.Random(11)
QRELS = {f"q{topic}": {f"d{n}": DRAW.choice([0, 0, 1, 2]) for n in range(12)} for topic in range(9)}
QRELS["q7"] = {"d1": 0}
RUNS = {
    name: {
        topic: {f"d{n}": float(DRAW.randint(1, 5)) for n in DRAW.sample(range(20), DRAW.randint(1, 15))}
        for topic in [*QRELS, "unjudged"]
        if topic != missing
    }
    for name, missing in (("a", "q3"), ("b", "q0"), ("c", ""))
}
JUDGED = {
    "d": {
        topic: {doc: -float(place) for place, doc in enumerate([*list(QRELS[topic])[:3], "unjudged"])}
        for topic in ("q1", "q2", "q3")
    }
}
"""A run that is judged to depth 3, with topics missing."""
QUESTIONS: dict[str, Callable[..., Answer]] = {
    "evaluate": lambda **given: tr.evaluate(QRELS, RUNS, "AP nDCG@3 ERR GM c@1 infAP Judged@5", **given),
    "bounds": lambda **given: tr.evaluate(QRELS, RUNS, "AP nDCG@3", ties="bounds", unjudged="bounds", **given),
    "ties": lambda **given: tr.ties(QRELS, RUNS, "AP nDCG@3 infAP", **given),
    "compare": lambda **given: tr.compare(QRELS, RUNS, "AP nDCG@3", settled=False, **given),
    "unjudged": lambda **given: tr.unjudged(QRELS, RUNS, "RBP nDCG@3", next=5, **given),
    "pools": lambda **given: tr.pools(QRELS, RUNS, depth=3) if given["missing"] == "empty" else tr.pools(QRELS, RUNS),
    "leave_out": lambda **given: tr.leave_out(QRELS, RUNS, "AP", depth=2, contributors="all", **given),
    "meta": lambda **given: tr.meta(QRELS, RUNS, "AP RR", splits=20, pairs=20, permutations=50, **given),
    "precision and recall": lambda **given: tr.precision_recall(QRELS, RUNS, **given),
    "roc": lambda **given: tr.roc(QRELS, RUNS, **given),
    "settled": lambda **given: tr.compare(QRELS, RUNS, "AP nDCG@3", settled=True, **given),
    "nil": lambda **given: tr.nil(QRELS, RUNS, "RR AP", limit=8),
    "truncate": lambda **given: tr.truncate(QRELS, RUNS, "F RBPU", against="AP", **given),
    "stop": lambda **given: tr.stop(QRELS, RUNS, "F RBPU", folds=3, **given),
    "diff": lambda **given: tr.diff(QRELS, RUNS["a"], RUNS["b"], "AP nDCG@3", **given),
    "depth": lambda **given: tr.depth(QRELS, RUNS, "AP nDCG", condensed=True, **given),
    "depth of a pool": lambda **given: tr.depth(QRELS, JUDGED, "AP", **given),
}


@pytest.mark.parametrize("missing", ["empty", "skip"])
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_parts_make_up_the_whole(ask: Callable[..., Answer], missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def answer() -> dict[str, Any]:
        return ask(missing=missing).to_dict()

    whole = answer()
    for pieces in (2, 4):
        monkeypatch.setattr(track, "PIECES", pieces)
        assert answer() == whole
