"""Contributions add up to the score, and are those of the formula on paper."""

from __future__ import annotations

import math
from itertools import groupby, permutations, product
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse, parse_all
from truerank.measures.table import TABLE
from truerank.questions.explain.question import ScoreExplanation, explain

DOCS = [f"d{number}" for number in range(14)]
VARIED = parse_all(
    "AP@4 AP(norm='min')@5 nDCG@3 nDCG(dcg='exp-log2') P@5 P(relative=True)@4 ERR@3 OIE(size=50)@4 OIE(size=50) RBPU@3 "
    "Q(norm='min',beta=2) F(beta=2)@20 RBU(p=0.5) Bpref(norm='R')@5 R@3 nDCGT@4 APT@3 RBPT@3 Judged@4 AP(rel=2) "
    "RBP(p=0)"
)
MEASURES = [*TABLE.values(), *VARIED]
CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "docid", "negative": "unjudged"},
    {"ties": "best", "nil": "answer"},
    {"ties": "worst", "relevant": "run"},
    {"unjudged": "condensed"},
    {"ending": "terminal"},
    {"ending": "terminal-once", "limit": 9},
]


def collection(seed: int) -> tuple[Any, Any]:
    """Two topics; lists without ties, with some, and with little else; one with a NIL."""
    draw = np.random.default_rng(seed)
    scores, length = [(90, 9), (6, 10), (2, 7)][seed % 3]
    qrels = {
        f"q{topic}": {doc: int(draw.choice([-1, 0, 0, 1, 2, 3])) for doc in draw.choice(DOCS, 8, replace=False)}
        for topic in range(2)
    }
    run = {
        f"q{topic}": {doc: float(draw.integers(1, scores)) for doc in draw.choice(DOCS, length, replace=False)}
        for topic in range(2)
    }
    run["q0"]["NIL"] = 2.0
    return qrels, run


def added_up(one: ScoreExplanation) -> float:
    return sum(step.contribution for step in one.steps)


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
@pytest.mark.thorough
def test_contributions_add_up_for_every_measure(conventions: dict[str, Any]) -> None:
    explained = 0
    for seed in (1,) if conventions else range(3):
        qrels, run = collection(seed)
        for measure in MEASURES:
            try:
                scores = tr.evaluate(qrels, run, measure, **conventions)["run"][measure]
            except InputError:
                continue  # Not every measure has a form with a terminal document.
            one = explain(qrels, run, measure, topic="q0", **conventions)[measure]
            assert one.score == pytest.approx(scores.per_topic["q0"], rel=1e-12, abs=1e-12), (measure, seed)
            assert added_up(one) == pytest.approx(one.score, rel=1e-9, abs=1e-9), (measure, seed)
            last = one.steps[-1].score if one.steps else 0.0
            assert last == pytest.approx(one.score, rel=1e-9, abs=1e-9), (measure, seed)
            explained += 1
    assert explained >= 20


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_contributions_are_gain_times_factor(measure: Measure) -> None:
    one = explain(*collection(1), measure, topic="q0")[measure]
    below = 1.0 if one.divisor is None else one.divisor.value
    for step in one.steps:
        if one.how != "sum" or step.factor is None:
            continue
        worth = (step.gain or 0.0) * step.factor - (step.cost or 0.0)
        assert step.contribution == pytest.approx(worth / below, abs=1e-12)
        if step.seen is not None or step.reached is not None:
            seen = step.seen if step.seen is not None else step.reached
            assert step.factor == pytest.approx((step.weight or 0.0) * (seen or 0.0), abs=1e-12)


TIED = parse_all(
    "AP AP@3 nDCG nDCG@3 RBP RBPU ERR ERR@3 ERRU Q Q@2 RR Success@2 Bpref AUC PrefLoss P@3 R@2 F Rprec DCGU FlatU "
    "Judged@2 RBPT nDCGT APT ERRT iRBU"
)


@pytest.mark.parametrize("measure", TIED, ids=str)
def test_ties_take_the_mean_over_orders_document_by_document(measure: Measure) -> None:
    qrels = {"q": {"a": 2, "b": 0, "c": 1, "d": 1, "z": 1}, "other": {"x": 3}}
    run = {"a": 3.0, "b": 3.0, "c": 3.0, "d": 2.0, "e": 2.0, "f": 1.0}
    tied = explain(qrels, {"q": run}, measure, topic="q")[measure]
    ranked = sorted(run, key=lambda doc: -run[doc])
    groups = [list(group) for _, group in groupby(ranked, key=lambda doc: run[doc])]
    orders = [[doc for group in choice for doc in group] for choice in product(*map(permutations, groups))]
    total = dict.fromkeys([*run, None], 0.0)
    for order in orders:
        for step in explain(qrels, {"q": order}, measure, topic="q")[measure].steps:
            total[step.doc] += step.contribution / len(orders)
    for step in tied.steps:
        assert step.contribution == pytest.approx(total[step.doc], abs=1e-12), step


QRELS = {"q": {"a": 1, "b": 0, "c": 3, "x": 2}}
RUN = {"q": ["a", "b", "c", "u"]}
"""Grades 1, 0, 3 and an unjudged document; one of grade 2 is missing."""


def table(measure: str, **conventions: Any) -> ScoreExplanation:
    return explain(QRELS, RUN, measure, **conventions)[measure]


def column(one: ScoreExplanation, name: str) -> list[float]:
    return [getattr(step, name) for step in one.steps]


def test_average_precision_by_hand() -> None:
    one = table("AP")
    assert column(one, "seen") == pytest.approx([1, 1, 2, 2])
    assert column(one, "factor") == pytest.approx([1, 1 / 2, 2 / 3, 2 / 4])
    assert one.divisor is not None
    assert (one.divisor.name, one.divisor.value, one.named) == ("R", 3.0, "precision")
    assert column(one, "contribution") == pytest.approx([1 / 3, 0, 2 / 9, 0])
    assert column(one, "score") == pytest.approx([1 / 3, 1 / 3, 5 / 9, 5 / 9])


def test_normalised_dcg_by_hand() -> None:
    one = table("nDCG")
    ideal = 3 + 2 / math.log2(3) + 1 / 2
    assert one.divisor is not None
    assert one.divisor.value == pytest.approx(ideal)
    assert [(place.rank, place.gain) for place in one.divisor.ideal] == [(1, 3.0), (2, 2.0), (3, 1.0)]
    assert sum(place.gain * place.weight for place in one.divisor.ideal) == pytest.approx(ideal)
    assert column(one, "weight") == pytest.approx([1, 1 / math.log2(3), 1 / 2, 1 / math.log2(5)])
    assert column(one, "contribution") == pytest.approx([1 / ideal, 0, 1.5 / ideal, 0])


def test_rank_biased_precision_by_hand() -> None:
    one = table("RBP")
    assert (one.parameters["p"], one.parameters["max_rel"], one.divisor) == (0.8, 3.0, None)
    assert column(one, "gain") == pytest.approx([1 / 3, 0, 1, 0])
    assert column(one, "contribution") == pytest.approx([0.2 / 3, 0, 0.2 * 0.64, 0])


def test_effort_by_hand() -> None:
    one = table("RBPU")
    assert column(one, "cost") == pytest.approx([0.05 * 0.2 * 0.8**rank for rank in range(4)])
    assert column(one, "contribution")[1] == pytest.approx(-0.05 * 0.16)


def test_expected_reciprocal_rank_by_hand() -> None:
    one = table("ERR")
    assert column(one, "gain") == pytest.approx([1 / 8, 0, 7 / 8, 0])
    assert column(one, "reached") == pytest.approx([1, 7 / 8, 7 / 8, 7 / 64])
    assert column(one, "contribution") == pytest.approx([1 / 8, 0, 7 / 8 * 7 / 8 / 3, 0])


def test_information_by_hand() -> None:
    one = table("OIE(size=100)")
    beta, size = 1.05, 100
    silence = (1 - beta) * (math.log(size) + math.log(size / 2) + math.log(size / 3))
    # By rank alone; at that rank or above and of at least that grade; and by the grade alone.
    a = math.log(size / 1) - beta * (math.log(size / 1) - math.log(size / 3))
    c = math.log(size / 3) - beta * (math.log(size / 1) - math.log(size / 1))
    others = [(1 - beta) * math.log(size / rank) for rank in (2, 4)]
    assert [step.kind for step in one.steps][:2] == ["start", "document"]
    assert column(one, "contribution") == pytest.approx([silence, a, others[0], c, others[1]])
    assert sum(times * value for _, times, value in one.terms) == pytest.approx(one.score)
    assert [name for name, _, _ in one.terms] == ["H(S)", "H(G)", "H(S, G)"]


def test_the_terminal_document_is_the_last_line() -> None:
    one = table("RBP", ending="terminal")
    last = one.steps[-1]
    assert (last.kind, last.doc, last.first) == ("terminal", None, 5)
    # It has the share of all gain that was found, and the weight of all ranks past the list.
    assert (last.gain, last.weight) == (pytest.approx(4 / 6), pytest.approx(0.8**4))
    once = table("AP", ending="terminal-once")
    assert once.divisor is not None
    assert (once.divisor.name, once.divisor.value) == ("R + 1", 4.0)
    assert once.steps[-1].factor == pytest.approx((2 + 2 / 3) / 5)


def test_what_is_not_in_the_list_can_have_a_part() -> None:
    preferences = tr.read_preferences([("q", "a", "b"), ("q", "c", "a"), ("q", "z", "b"), ("q", "c", "z")])
    one = explain(preferences, {"q": {"a": 3.0, "b": 2.0, "c": 2.0}}, "PrefLoss")["PrefLoss"]
    assert {step.doc: step.contribution for step in one.steps} == {"a": 0.0, "c": 0.25, "b": 0.0, None: 0.25}
    assert one.steps[-1].kind == "missing"
    graded = table("PrefLoss")
    assert (graded.steps[-1].kind, graded.score) == ("missing", pytest.approx(added_up(graded)))


def test_measures_of_ones_own() -> None:
    judged = tr.measure(lambda ranking: float(ranking.judged[:3].sum()), name="JudgedAtThree")
    one = explain(QRELS, RUN, judged)["JudgedAtThree"]
    assert (one.how, column(one, "contribution")) == ("revealed", [1.0, 1.0, 1.0, 0.0])


def test_a_function_that_is_undefined_at_first() -> None:
    late = tr.measure(lambda ranking: ranking.grades[2] or float("nan"), name="Third")
    one = explain(QRELS, RUN, late)["Third"]
    assert column(one, "contribution") == [0.0, 0.0, 3.0, 0.0]
    never = explain(QRELS, {"q": ["b", "b2", "b3"]}, late)["Third"]
    assert (never.undefined, never.score, added_up(never)) == ("where the function has no value", 0.0, 0.0)


def test_a_measure_that_does_not_look_at_the_list() -> None:
    one = explain(QRELS, RUN, "NumRel")["NumRel"]
    assert (one.how, one.steps[0].kind, one.steps[0].contribution, one.score) == ("listless", "start", 3.0, 3.0)


@pytest.mark.parametrize("measure", ["AP", "nDCG@5", "ERR", "OIE(size=9)", "IPrec@0.5", "AUC", "PrefLoss", "P", "RBPT"])
@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {"a": 1}}, {"q": [], "r": ["a"]}),
        ({"q": {"a": 0}}, {"q": ["a", "b"]}),
        ({"q": {"a": 1}}, {"q": ["a"]}),
        ({"q": {"a": 1}}, {"q": {"b": 1.0, "c": 1.0}}),
        ({"q": {"a": -1}}, {"q": ["a"]}),
    ],
    ids=str,
)
def test_little_to_go_by(measure: str, qrels: Any, run: Any) -> None:
    found = explain(qrels, run, measure)
    one = found[measure]
    assert str(found)
    assert found.to_html()
    if one.undefined:
        assert one.score == pytest.approx(parse(measure).counts_as, nan_ok=True)
    else:
        assert added_up(one) == pytest.approx(one.score, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"topic": "q9"}, "no judged topic 'q9'"),
        ({}, "2 topics are judged"),
        ({"topic": "q0", "ties": "bounds"}, "gives two numbers for a score, and one is explained"),
        ({"topic": "q0", "unjudged": "bounds"}, "choose 'nonrelevant' or 'condensed'"),
        ({"topic": "q0", "ending": "terminal", "measures": "AUC"}, "no form with a terminal document"),
        ({"topic": "q2", "missing": "skip"}, "no judged topic"),
    ],
    ids=str,
)
def test_refusals(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        explain(*collection(0), **given)


def test_more_refusals() -> None:
    more = {**QRELS, "r": {"a": 1}}
    for missing in ("skip", "error"):
        with pytest.raises(InputError, match="has no documents for topic 'r'"):
            explain(more, RUN, topic="r", missing=missing)
    assert explain(more, RUN, topic="r")["AP"].length == 0
    assert explain(more, RUN, topic=next(iter(QRELS)), missing="error")["AP"].score > 0
    with pytest.raises(InputError, match="2 runs are given"):
        explain(QRELS, {"one": RUN, "two": RUN})
    with pytest.raises(InputError, match="is not one of steps, changes"):
        explain(QRELS, RUN).to_records("swaps")


FOR_LONG_LISTS = "AP nDCG@10 nDCG RBP ERR OIE(size=528155) Bpref AUC Q RBPU RBPT P@10"
"""Of lists with ties and unjudged documents."""


@pytest.mark.parametrize(("name", "topic"), [("CL99SD", "401"), ("uwmt8a0", "450")])
def test_contributions_add_up_in_long_lists(name: str, topic: str) -> None:
    qrels, run = tr.read_qrels(need("trec8", "qrels.gz")), tr.read_run(need("trec8", "runs", f"{name}.gz"))
    scores = tr.evaluate(qrels, run, FOR_LONG_LISTS)[name]
    for measure, one in explain(qrels, run, FOR_LONG_LISTS, topic=topic).items():
        assert one.score == scores[measure].per_topic[topic]
        assert sum(step.contribution for step in one.steps) == pytest.approx(one.score, rel=1e-9, abs=1e-12), measure
        assert one.swap is None or one.swap.difference > 0
        if one.reordered is not None and one.complete is not None and measure != "OIE(size=528155)":
            assert one.score <= one.reordered + 1e-12
            assert one.complete >= one.reordered - 1e-12
