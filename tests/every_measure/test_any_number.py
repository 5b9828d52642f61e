"""Parameters of measures: whatever number is given, there is a value, or a line that refuses it."""

from __future__ import annotations

import contextlib
import math
import warnings
from dataclasses import fields

import pytest

import truerank as tr
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE

QRELS = {"q1": {"a": 1, "b": 0, "c": 2, "d": -1}, "q2": {"a": 0, "d": 1}, "q3": {"b": 0}}
RUN = {"q1": {"a": 2.0, "b": 2.0, "x": 1.0}, "q2": {"d": 1.0, "x": 0.5}}
VALUES = (
    5e-324,
    1e-300,
    1e-99,
    3,
    10**9,
    10**15,
    2**63,
    2**64,
    10**20,
    10**99,
    10**101,
    10**400,
    -(10**20),
    1e99,
    1e308,
)
CHOICES = ({}, {"ties": "bounds", "unjudged": "bounds"}, {"ending": "terminal"})


@pytest.mark.parametrize("name", TABLE)
def test_any_number_has_a_value_or_is_refused(name: str) -> None:
    """Arrays hold whole numbers up to 2^63, and no number is to be a 0 or an infinity that nobody asked for."""
    tried = 0
    for each in fields(TABLE[name]):
        for value in VALUES:
            if each.name in ("cutoff", "measure", "gains"):
                continue
            try:
                measure = TABLE[name](**{each.name: value})
            except tr.InputError:
                continue
            tried += 1
            for choice in CHOICES:
                _evaluated(measure, choice)
    assert tried or not {each.name for each in fields(TABLE[name])} & {"beta", "p", "e", "T", "a", "max_rel"}


def _evaluated(measure: Measure, choice: dict[str, str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            score = tr.evaluate(QRELS, RUN, [measure], **choice)["run"][str(measure)]
        except tr.InputError:
            return
    undefined = math.isnan(measure.counts_as) and any(map(math.isnan, score.values))
    assert math.isnan(score.mean) == undefined


def test_a_large_whole_number_is_the_float_next_to_it() -> None:
    assert str(TABLE["F"](beta=10**20)) == "F(beta=1e+20)"
    assert TABLE["F"](beta=10**20) == TABLE["F"](beta=1e20)
    assert str(TABLE["F"](beta=3)) == "F(beta=3)"
    assert TABLE["nDCG"](gains={1: 10**20}) == TABLE["nDCG"](gains={1: 1e20})


def test_a_reader_who_wants_next_to_nothing_looks_at_the_first_document() -> None:
    assert TABLE["INSQ"](T=1e-99).of([1, 1, 1]) == pytest.approx(1.0, abs=1e-15)
    assert TABLE["INSQ"](T=1e-99).of([0, 1, 1]) == pytest.approx(0.0, abs=1e-15)


@pytest.mark.parametrize("name", TABLE)
def test_any_grades_have_values_and_bounds(name: str) -> None:
    """Unjudged documents may have the highest grade, which is any number of times that of all that is judged."""
    run = {"q1": {"a": 1.0, "b": 1.0, "x": 0.5}, "q2": {"c": 1.0, "x": 1.0, "y": 0.5}}
    for grades in ((0.5, 5e-324), (5e-324, 5e-324), (1e-310, 1e99), (1e308, 1e-308), (-1e308, 1)):
        qrels = {"q1": {"a": grades[0], "b": 0}, "q2": {"c": grades[1]}}
        for choice in (
            *CHOICES,
            {"unjudged": "bounds"},
            {"relevant": "run"},
            {"unjudged": "bounds", "ending": "terminal"},
        ):
            with warnings.catch_warnings(), contextlib.suppress(tr.InputError):
                warnings.simplefilter("error")
                score = tr.evaluate(qrels, run, [TABLE[name]], **choice)["run"][name]
                assert score.low is None or not score.low > score.high


@pytest.mark.parametrize("nil", ["end", "answer"])
@pytest.mark.parametrize("ties", ["expected", "bounds"])
def test_a_nil_of_any_grade_is_taken_or_refused(ties: str, nil: str) -> None:
    """Where it is no document, the gain of its grade is past all numbers, and counts for nothing."""
    qrels, run = {"q": {"a": 1, "NIL": 1024, "b": 0.5, "c": 1}}, {"q": {"a": 2.0, "b": 2.0, "NIL": 2.0}}
    for measure in ("nDCG(dcg='exp-log2')", "nDCGT(dcg='exp-log2')", "DCG(dcg='exp-log2')"):
        with warnings.catch_warnings(), contextlib.suppress(tr.InputError):
            warnings.simplefilter("error")
            assert not math.isnan(tr.evaluate(qrels, run, measure, ties=ties, nil=nil)["run"][measure].mean)
