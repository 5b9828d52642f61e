"""Every answer has the form in JSON that its schema says."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from jsonschema import Draft202012Validator

import truerank as tr
from truerank.questions.stop.question import fit
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
    "truncate": lambda: tr.truncate(QRELS, RUNS, "F RBPU AP", no_relevant="nan"),
    "truncate, against": lambda: tr.truncate(QRELS, RUNS, "F RBPU", against="AP", also=[(QRELS, RUNS)], published=True),
    "against": lambda: tr.against(tr.truncate(QRELS, RUNS, "F RBPU", against="AP")),
    "stop": lambda: tr.stop(QRELS, RUNS, "F RBPU", folds=2),
    "stop fit": lambda: fit(QRELS, RUNS["one"], "F", "learned"),
    "calibrate": lambda: tr.calibrate("FlatU RBPU ERRU OIE AP", silence_at=2),
    "calibrate, a list": lambda: tr.calibrate("RBPU AP", ranking="0010"),
    "calibrate, no score": lambda: tr.calibrate("AP", qrels=QRELS, run=RUNS["two"], topic="q3"),
}


@pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)
def test_json_is_as_its_schema_says(make: Callable[[], Answer]) -> None:
    answer = make()
    form = schema(type(answer))
    Draft202012Validator.check_schema(form)
    document = json.loads(answer.to_json())
    assert [error.message for error in Draft202012Validator(form).iter_errors(document)] == []
    assert all(note["code"] for note in document["notices"])
