"""Numbers in the text of a measure, or in judgments, that would take memory, time or a number beyond the largest."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.expectation.weights import harmonic, logarithms
from truerank.measures.core.parameters import LARGEST, MOST
from truerank.measures.grammar import DEEPEST, LONGEST, parse, parse_all

QRELS = {"q": {"a": 1, "b": 0}}
RUN = {"q": ["b", "a"]}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("AP@" + "-" * 1000 + "5", "nested too deeply"),
        ("AP@" + "-" * 100_000 + "5", "at most 4,000"),
        ("GM(measure=" * 150 + "AP" + ")" * 150, "nested too deeply"),
        ("GM(measure=" * 300 + "AP" + ")" * 300, "not a measure"),
        ("GM(measure=GM(measure=AP))", "GM takes a measure of topics"),
        ("AP" + "()" * 1000, "nested too deeply"),
        ("AP" + "()" * 10_000, "at most 4,000"),
        ("nDCG(gains=" + "[" * 150 + "]" * 150 + ")", "nested too deeply"),
        ("P@9223372036854775808", "a cutoff is at most"),
        (f"P@{MOST + 1}", "a cutoff is at most"),
        ("P@" + "9" * 3000, "about 3,000 digits"),
        ("RBP(p=1" + "0" * 400 + ")", "p is a number from 0 to less than 1, not a whole number of about 400 digits"),
        ("F(beta=1e308)@2", r"beta is a number from 0 to 1e\+100"),
        ("SetF(beta=1e308)", "beta is a number"),
        ("Q(beta=1e308)", "beta is a number"),
        ("INSQ(T=1e308)", "T is a number"),
        ("Utility(a=-1e308)", "a is a number"),
        ("nDCG(gains={1: 1e308})", "a gain of gains"),
        ("AP(rel=1e308)", "rel is a number"),
        ("Rprec(mult=1e30)", "mult is a number above 0 and at most"),
        ("IPrecAvg(points=1000000000)", "points is at most 10,001"),
        ("OIE(size=1" + "0" * 301 + ")", "size is at most"),
        ("AP(rel=1,rel=2)", "gives rel twice"),
        ("nDCG(gains={1: 3, 2: 4, 1.0: 5})", "gives 1 twice"),
        ("GM(measure=AP(rel=1,rel=2))", "gives rel twice"),
        ("AP#x", "not a measure"),
        *[(f"{name}(p=1)", "from 0 to less than 1") for name in ("RBP", "RBPT", "RBPU", "RBU", "iRBU")],
        ("x" * 3000, r"no measure 'x{77}\.\.\.'"),
    ],
)
def test_refused_in_one_short_line(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why) as error:
        parse(text)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("text", [f"P@{MOST}", "RBP(p=0.999999999)", "F(beta=1e100)@2", "IPrecAvg(points=10001)"])
def test_limits_are_within(text: str) -> None:
    assert 0 <= parse(text).of([1, 0, 1]) <= 1


def test_whole_numbers_of_any_size_in_python() -> None:
    for given in ({"p": 10**400}, {"p": 10**5000}, {"p": -(10**400)}, {"p": math.nan}, {"rel": 10**400}):
        with pytest.raises(InputError, match="is a number"):
            tr.RBP(**given)
    with pytest.raises(InputError, match="about 5,000 digits"):
        tr.P @ 10**5000


def test_a_cutoff_takes_no_memory() -> None:
    # Numbers of these sizes would take 8 GB and 8 PB if each rank had one.
    for cutoff in (10**9, MOST):
        for text in ("SDCG", "NERR8", "NERR9", "BPM", "P", "nDCG", "RBP", "ERR", "AP(norm='min')", "Judged", "DCGU"):
            measure = parse(text) @ cutoff
            assert np.isfinite(measure.of([1, 0, 1]))
        assert tr.evaluate(QRELS, RUN, f"SDCG@{cutoff}")["run"][f"SDCG@{cutoff}"].mean > 0
    with pytest.raises(InputError, match="choose a smaller cutoff"):
        tr.evaluate(QRELS, RUN, f"P@{MOST}", unjudged="bounds")


@pytest.mark.parametrize("last", [0, 1, 1000, 1 << 20, (1 << 20) + 1, (1 << 20) + 17, 3_000_000])
def test_sums_over_many_ranks(last: int) -> None:
    rank = np.arange(last, 0, -1.0)
    assert logarithms(np.array([[last]]))[0, 0] == pytest.approx((1 / np.log2(rank + 1)).sum(), rel=1e-13)
    assert harmonic(0, last) == pytest.approx((1 / rank).sum(), rel=1e-13)
    assert harmonic(last, 2 * last) == pytest.approx((1 / np.arange(2 * last, last, -1.0)).sum(), rel=1e-13)


def test_sums_to_the_limit() -> None:
    # Against the definition with another expansion: li(x) ~ x / log x sum n! / (log x)^n.
    log = math.log(MOST)
    series = MOST / log * sum(math.factorial(n) / log**n for n in range(int(log) + 1))
    # The expansion is as good as its smallest term.
    error = math.factorial(int(log)) / log ** int(log)
    assert logarithms(np.array([MOST]))[0] == pytest.approx(math.log(2) * series, rel=max(error, 1e-9))
    assert harmonic(0, MOST) == pytest.approx(math.log(MOST) + 0.5772156649015329 + 0.5 / MOST, rel=1e-13)


@pytest.mark.parametrize("text", ["nDCG(dcg='exp-log2')", "DCG(dcg='exp-log2')", "nDCG(dcg='exp-log2')@1"])
def test_gains_that_are_no_number_are_refused(text: str) -> None:
    qrels, run = {"q": {"a": 1024, "b": 1}}, {"q": ["a", "b"]}
    with pytest.raises(InputError, match=r"the gain of grade 1024 is more than 1e\+100"):
        tr.evaluate(qrels, run, text)
    with pytest.raises(InputError, match="the gain of grade 1024"):
        parse(text).of([1024, 1])
    # Grades are gains; and a level makes them 1.
    assert tr.evaluate(qrels, run, "nDCG")["run"]["nDCG"].mean == 1.0
    assert parse("nDCG(dcg='exp-log2',rel=1)").of([1024, 1]) == 1.0
    steep = parse(text).of([332, 331])
    assert steep == 1.0 or "nDCG" not in text


@pytest.mark.parametrize("text", ["CG", "DCG", "nDCG", "Q", "G", "nDCGRel", "RnDCG"])
def test_grades_whose_sum_is_no_number_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="too much to be added up"):
        parse(text).of([1e308, 1e308, 1e308])
    assert np.isfinite(parse(text).of([LARGEST, LARGEST, 1.0]))


@pytest.mark.parametrize("text", ["ERR", "RBP", "SDCG@5", "INST", "AP", "RBU"])
def test_relative_gains_take_any_grade(text: str) -> None:
    assert 0 < parse(text).of([1e308, 1e308]) <= 1


def test_the_time_for_many_measures_grows_with_their_number() -> None:
    class Costly(str):
        compared = 0

        def __eq__(self, other: object) -> bool:
            Costly.compared += 1
            return str.__eq__(self, other)

        __hash__ = str.__hash__

    many = [tr.measure(len, name=f"own{place}") for place in range(500)]
    for each in many:
        object.__setattr__(each, "given", Costly(each.given))
    assert len(parse_all(many)) == 500
    assert Costly.compared < 10_000


def test_two_measures_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="both called own"):
        parse_all([tr.measure(len, name="own"), tr.measure(sum, name="own"), "AP"])


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"ties": "sample(" + "1" * 5000 + ")"}, "a seed of up to 18 digits, not 5,000"),
        ({"ties": "sample(" + "1" * 19 + ")"}, "a seed of up to 18 digits"),
        ({"ties": "sample(\N{ARABIC-INDIC DIGIT ONE})"}, "is not a choice"),
        ({"ties": "x" * 5000}, "is not a choice"),
        ({"ending": "terminal", "limit": 10**400}, "no length of a list"),
    ],
)
def test_conventions_refused_in_one_short_line(given: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError, match=why) as error:
        tr.evaluate(QRELS, RUN, "AP", **given)
    assert len(str(error.value)) < 400


def test_the_largest_seed() -> None:
    assert tr.evaluate(QRELS, RUN, "AP", ties=f"sample({'9' * 18})")["run"]["AP"].mean == 0.5


def test_the_room_for_gains() -> None:
    gains = ",".join(f"{grade}:{grade * 2}" for grade in range(1, 200))
    assert len(f"nDCG(gains={{{gains}}})") < LONGEST
    assert parse(f"GM(measure=nDCGT(gains={{{gains}}}))").core.own_gains[-1] == (199, 398)
    assert DEEPEST > 10


def test_a_list_has_no_pool_of_each_depth() -> None:
    with pytest.raises(tr.InputError, match="the pool of a depth is made of runs"):
        parse("AP(norm='pool')").of([1, 0, 1])
