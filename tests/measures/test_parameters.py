"""What measures accept, and what they refuse."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.grammar import parse, parse_all

WRONG = [
    "AP@-1",
    "AP@1.5",
    "AP@True",
    "AP@'10'",
    "AP(rel=0)",
    "AP(rel=-1)",
    "AP(rel='x')",
    "AP(rel=True)",
    "AP(norm='k')",
    "AP(p=0.8)",
    "AP(0.8)",
    "AP(**{})",
    "RBP(p=1.5)",
    "RBP(p=-0.1)",
    "RBP(p=None)",
    "RBP(p=1e999)",
    "RBU(e=-1)",
    "F(beta=-1)",
    "F(beta=1e999)",
    "ERR(gains={1:2})",
    "iRBU(gains={1:1.5})",
    "nDCG(gains={1:-1})",
    "nDCG(gains={0:1})",
    "nDCG(gains={-1:0.5})",
    "nDCG(gains={'a':1})",
    "nDCG(dcg='ln')",
    "nDCG(max_rel=0)",
    "INST(max_rel=0.1, rel=1)",
    "Q(norm='pool')",
    "Bpref(norm='N')",
    "SetP@5",
    "Rprec@5",
    "NumRet@5",
    "GM@5",
    "GM(measure=3)",
    "GM(floor=0)",
    "GM(cutoff=5)",
    "c@2",
    "IPrec@1.5",
    "IPrec@-0.1",
    "IPrecAvg(points=1)",
    "IPrecAvg(recall=0.5)",
    "IPrecAvg@0.5",
    "OIE(size=0)",
    "OIE(beta=-1)",
    "Utility(d=1)",
    "XYZ",
    "AP@",
    "1+1",
    "",
]


@pytest.mark.parametrize("text", WRONG)
def test_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse(text)


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(InputError, match="did you mean nDCG"):
        parse("nDGC@10")
    with pytest.raises(InputError, match="has no parameter 'q'; it takes"):
        parse("RBP(q=1)")


SAME = [
    ("MAP", "AP"),
    ("NDCG@5", "nDCG@5"),
    ("RBP(p=0.8)", "RBP"),
    ("nDCG( dcg = 'log2' ) @ 10", "nDCG@10"),
    ("nDCG(gains={2: 1, 1: 3})", "nDCG(gains={1:3,2:1})"),
    ("GM(measure=AP)", "GM"),
    ("RBPT(p=0.8)@5", "RBPT@5"),
    ("SetRelP", "SetP(relative=True)"),
    ("IPrec", "IPrec@0.1"),
    ("c", "c@1"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_measure(one: str, other: str) -> None:
    assert parse(one) == parse(other)
    assert hash(parse(one)) == hash(parse(other))


def test_numbers_of_numpy_are_numbers() -> None:
    measure = tr.RBP(p=np.float64(0.5)) @ np.intp(3)
    assert str(measure) == "RBP(p=0.5)@3"
    assert parse(str(measure)) == measure


def test_a_gain_map_may_say_that_nothing_is_worth_nothing() -> None:
    assert parse("nDCG(gains={0: 0, 1: 1})").of([0.0, 1.0]) == parse("nDCG").of([0.0, 1.0])


def test_each_measure_is_taken_once() -> None:
    assert parse_all("AP MAP AP@10, AP") == parse_all(["AP", tr.AP @ 10])


def test_max_rel_below_the_judgments_is_refused() -> None:
    with pytest.raises(InputError, match="max_rel must be at least that"):
        tr.evaluate({"q": {"a": 3}}, {"q": ["a"]}, "ERR(max_rel=2)")


def test_the_top_grade_is_that_of_the_collection() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 3}}, {"q1": ["a"]}
    assert tr.evaluate(qrels, run, "ERR")["run"]["ERR"].per_topic["q1"] == 1 / 8
    assert tr.evaluate(qrels, run, "RBP(p=0.5)")["run"]["RBP(p=0.5)"].per_topic["q1"] == pytest.approx(1 / 6)


DEPTH_ZERO = [
    ("P@0", 1.0),
    ("R@0", 0.0),
    ("F@0", 0.0),
    ("RR@0", 0.0),
    ("DCG@0", 0.0),
    ("RBP@0", 0.0),
    ("ERR@0", 0.0),
    ("Success@0", 0.0),
    ("Bpref@0", 0.0),
    ("AP@0", math.nan),
    ("AP(norm='min')@0", math.nan),
    ("gAP@0", math.nan),
    ("Q@0", math.nan),
    ("infAP@0", math.nan),
    ("APT@0", math.nan),
    ("nDCG@0", math.nan),
    ("nERR@0", math.nan),
    ("nRBP@0", math.nan),
    ("niRBU@0", math.nan),
    ("SDCG@0", math.nan),
    ("P(relative=True)@0", math.nan),
    ("NERR8@0", math.nan),
]


@pytest.mark.parametrize("no_relevant", ["zero", "skip", "nan"])
@pytest.mark.parametrize(("text", "expected"), DEPTH_ZERO)
def test_depth_zero(text: str, expected: float, no_relevant: str) -> None:
    measure = parse(text)
    assert measure.of([1.0, 0.0]) == pytest.approx(expected, nan_ok=True)
    found = tr.evaluate({"q": {"a": 1, "b": 0}}, {"q": ["a", "b"]}, text, no_relevant=no_relevant)
    assert found["run"][text].mean == pytest.approx(expected, nan_ok=True)
    said = [str(note) for note in found.notices if "undefined" in str(note)]
    assert len(said) == math.isnan(expected)
    assert all("at depth 0" in note and "counted as" not in note for note in said)


def test_depth_zero_without_relevant_documents_is_what_the_conventions_say() -> None:
    """What is undefined for another reason than the depth counts as it does at any depth."""
    found = tr.evaluate({"q": {"a": 0}}, {"q": ["a"]}, "R@0 nDCG@0")
    assert (found["run"]["R@0"].mean, math.isnan(found["run"]["nDCG@0"].mean)) == (0.0, True)
    assert [*map(str, found.notices)][1:] == [
        "1 topic has no relevant document: no run can score above 0.00 by R@0 (topic q)",
        "nDCG@0 is undefined for 1 topic (q) at depth 0: the mean is undefined",
    ]


UNDEFINED = ("R@3", "AP", "AP(norm='min')@3", "nDCG@3", "Q", "Rprec", "Bpref", "IPrec@0.5", "IPrecAvg", "AUC", "infAP")
ZERO = ("P@3", "RR", "RBP", "ERR", "F@3", "DCG", "Success", "CG")
NOTHING_RELEVANT = [
    *[(text, math.nan) for text in (*UNDEFINED, "F@0", "P(relative=True)@3")],
    *[(text, 0.0) for text in ZERO],
    ("FlatU(e=0.5)", -1.0),
]


@pytest.mark.parametrize(("text", "expected"), NOTHING_RELEVANT)
def test_nothing_relevant(text: str, expected: float) -> None:
    assert parse(text).of([0.0, math.nan]) == pytest.approx(expected, nan_ok=True)


def test_wrapped_measures_are_read_as_the_one_inside() -> None:
    for name in ("cutoff", "range", "needs", "needs_pool", "takes_terminal", "skips_unjudged", "has_bounds", "ending"):
        for text in ("AP(norm='pool')@3", "OIE", "Bpref", "PrefLoss", "RBPT@4"):
            inner: Any = parse(text)
            assert getattr(tr.GM(measure=inner), name) == getattr(inner, name)
    with pytest.raises(InputError, match="terminal document"):
        tr.evaluate({"q": {"a": 1}}, {"q": ["a"]}, "GM(measure=Bpref)", ending="terminal")


def test_a_measure_of_its_own_documentation() -> None:
    """c@1 of Peñas & Rodrigo: silence earns the accuracy of what was answered."""
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    run = {"q0": ["a"], "q1": ["b"], "q2": ["a"]}
    assert tr.evaluate(qrels, run, "c@1")["run"]["c@1"].mean == 2 / 4 + 2 / 4 * 1 / 4


def test_a_function_is_told_how_to_become_a_measure() -> None:
    def mine(ranking: object) -> float:
        return 1.0

    for given in (mine, ["AP", mine]):
        with pytest.raises(InputError, match=r"mine is a function; make a measure of it with truerank.measure\(mine\)"):
            parse_all(given)  # type: ignore[arg-type]
