"""Every answer has the form in JSON that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

import truerank as tr
from truerank.report.answer import Answer
from truerank.report.schema import schema

QRELS = {"q1": {"a": 1, "b": 0, "c": 2, "d": 0}, "q2": {"a": 0, "d": 1}, "q3": {"b": 0}}
RUNS = {
    "one": {"q1": {"a": 3.0, "u": 2.0, "c": 2.0, "b": 1.0}, "q2": {"d": 2.0, "v": 1.0}},
    "two": {"q1": {"c": 3.0, "b": 2.0}, "q2": {"a": 2.0, "u": 2.0, "d": 2.0}, "q3": {"b": 1.0}},
}
ANSWERS: dict[str, Callable[[], Answer]] = {
    "evaluate": lambda: tr.evaluate(QRELS, RUNS, "AP nDCG@3", no_relevant="nan"),
    "evaluate, bounds": lambda: tr.evaluate(QRELS, RUNS, "AP AUC", unjudged="bounds"),
    "ties": lambda: tr.ties(QRELS, RUNS, "AP nDCG@3"),
    "depth": lambda: tr.depth(QRELS, RUNS, "AP P", condensed=True),
    "depth, one run": lambda: tr.depth(QRELS, RUNS["one"], "AP P"),
    "precision and recall": lambda: tr.precision_recall(QRELS, RUNS, no_relevant="nan"),
    "precision and recall, one topic": lambda: tr.precision_recall(QRELS, RUNS, topic="q1"),
    "roc": lambda: tr.roc(QRELS, RUNS),
    "roc, one topic": lambda: tr.roc(QRELS, RUNS, topic="q3"),
    "nil": lambda: tr.nil(QRELS, RUNS, "RR AP", limit=3, no_relevant="nan"),
    "unjudged": lambda: tr.unjudged(QRELS, RUNS, "RBP nDCG@3 AUC", next=3),
    "unjudged, nothing asked": lambda: tr.unjudged(QRELS, RUNS["one"], "AUC", no_relevant="nan"),
}


@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_json_is_as_its_schema_says(make: Callable[[], Answer]) -> None:
    answer = make()
    form = schema(type(answer))
    Draft202012Validator.check_schema(form)
    document = json.loads(answer.to_json())
    assert [error.message for error in Draft202012Validator(form).iter_errors(document)] == []
    assert all(note["code"] for note in document["notices"])
