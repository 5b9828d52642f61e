"""What would change a score, against evaluating the changed list or the changed judgments."""

from __future__ import annotations

from itertools import combinations, groupby, pairwise, permutations
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.conventions.axes import Conventions
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.evaluate.work import score
from truerank.questions.explain.question import ScoreExplanation, explain

SORTING = parse_all(
    "AP AP@4 nDCG nDCG@3 RBP RBPU ERR OIE(size=50) P@3 RR Bpref Q AUC AUC(size=12) PrefLoss IPrec@0.5 nDCGT RBPT APT "
    "SetAP Rprec Success@2 Judged@4 GM"
)
MEASURES = (*SORTING, *parse_all("INST NERR8@5 Compat infAP G"))
DOCS = [f"d{number}" for number in range(9)]
List = dict[str, float]


def collection(seed: int, *, tied: bool = True) -> tuple[Any, List]:
    """Judgments of a topic, with grades up to 3 in another one; and a list of six documents."""
    draw = np.random.default_rng(seed)
    judged = {str(doc): int(draw.choice([0, 0, 1, 2, 3])) for doc in draw.choice(DOCS, 6, replace=False)}
    listed = map(str, draw.permutation(DOCS)[:6])
    scores = draw.integers(1, 4, 6).tolist() if tied else range(6, 0, -1)
    return {"q": judged, "r": {"x": 3, "y": 1}}, dict(zip(listed, map(float, scores), strict=True))


def scores(qrels: Any, scored: List, **conventions: Any) -> dict[str, float]:
    """The score of a list by every measure."""
    run = tr.read_run({"q": scored, "r": {"x": 1.0}})
    found = score(tr.read_qrels(qrels), run, MEASURES, Conventions(**conventions))
    return {name: one.per_topic["q"] for name, one in found.items()}


def explained(qrels: Any, scored: List, **conventions: Any) -> list[tuple[Measure, str, ScoreExplanation]]:
    run = {"q": scored, "r": {"x": 1.0}}
    found = explain(qrels, run, MEASURES, topic="q", **conventions)
    return [(one.by, name, one) for name, one in found.items()]


def swapped(scored: List, one: str, other: str) -> List:
    return {**scored, one: scored[other], other: scored[one]}


def in_order(docs: Any) -> List:
    return {doc: -float(place) for place, doc in enumerate(docs)}


def best(values: list[float], measure: Measure) -> float:
    return max(values) if measure.higher_is_better else min(values)


@pytest.mark.parametrize("tied", [False, True], ids=["untied", "tied"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_best_exchange(seed: int, tied: bool) -> None:
    qrels, scored = collection(seed, tied=tied)
    now = scores(qrels, scored)
    every = {pair: scores(qrels, swapped(scored, *pair)) for pair in combinations(scored, 2)}
    levels = sorted({*scored.values()})
    near = [{*pair} for pair in pairwise(levels)]
    for measure, name, one in explained(qrels, scored):
        for found, pairs in (
            (one.swap, [*every]),
            (one.neighbours, [pair for pair in every if {scored[doc] for doc in pair} in near]),
        ):
            top = best([now[name], *(every[pair][name] for pair in pairs)], measure)
            if abs(top - now[name]) < 1e-12:
                assert found is None, name
                continue
            assert found is not None, name
            assert (found.score, found.difference) == pytest.approx((top, top - now[name]), abs=1e-12), name
            [chosen] = [every[pair] for pair in pairs if {*pair} == {found.upper, found.lower}]
            assert chosen[name] == pytest.approx(top, abs=1e-12), name
            assert scored[found.upper] > scored[found.lower]


@pytest.mark.parametrize("conventions", [{}, {"unjudged": "condensed"}, {"ties": "docid"}, {"ties": "worst"}], ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_unjudged_documents_as_if_judged(seed: int, conventions: dict[str, Any]) -> None:
    qrels, scored = collection(seed)
    unjudged = {*scored} - {*qrels["q"]}
    assert unjudged
    judged = {
        (doc, name): scores({**qrels, "q": {**qrels["q"], doc: grade}}, scored, **conventions)
        for doc in unjudged
        for name, grade in (("least", 1), ("top", 3), ("nonrelevant", 0))
    }
    for measure, name, one in explained(qrels, scored, **conventions):
        assert {each.doc for each in one.unjudged} == unjudged or measure.cutoff or name == "Rprec"
        for each in one.unjudged:
            for how in ("least", "top", "nonrelevant"):
                assert getattr(each, how) == pytest.approx(judged[each.doc, how][name], abs=1e-12, nan_ok=True), (
                    name,
                    how,
                )


def test_unjudged_documents_past_the_cutoff_are_left_alone() -> None:
    one = explain({"q": {"a": 1}}, {"q": ["a", "x", "y"]}, "P@2")["P@2"]
    assert [each.doc for each in one.unjudged] == ["x"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_what_each_tie_group_could_do(seed: int) -> None:
    qrels, scored = collection(seed)
    found = {name: {group.first: group for group in one.ties} for _, name, one in explained(qrels, scored)}
    now = scores(qrels, scored)
    first = 1
    for level, group in groupby(sorted(scored, key=lambda doc: -scored[doc]), key=lambda doc: scored[doc]):
        mates = list(group)
        orders = [{doc: level + 0.01 * place for place, doc in enumerate(order)} for order in permutations(mates)]
        every = [scores(qrels, {**scored, **order}) for order in orders]
        for name, groups in found.items():
            ends = min(one[name] for one in every), max(one[name] for one in every)
            if max(now[name], *ends) - min(now[name], *ends) > 1e-12:
                assert (groups[first].low, groups[first].high) == pytest.approx(ends, abs=1e-12), name
                assert (groups[first].documents, groups[first].exact) == (len(mates), True)
            else:
                assert first not in groups, name
        first += len(mates)


@pytest.mark.parametrize("seed", range(2))
def test_missing_documents(seed: int) -> None:
    qrels, scored = collection(seed)
    absent = {doc for doc, grade in qrels["q"].items() if grade > 0} - {*scored}
    first = {doc: scores(qrels, {**scored, doc: 9.0}) for doc in absent}
    last = {doc: scores(qrels, {**scored, doc: 0.0}) for doc in absent}
    for _, name, one in explained(qrels, scored):
        assert {doc for each in one.missing for doc in each.docs} == absent
        for each in one.missing:
            for doc in each.docs:
                assert each.grade == qrels["q"][doc]
                ends = first[doc][name], last[doc][name]
                assert (each.at_first, each.appended) == pytest.approx(ends, abs=1e-12, nan_ok=True), name


@pytest.mark.parametrize("seed", [0])
def test_the_best_order_with_and_without_what_is_missing(seed: int) -> None:
    qrels, scored = collection(seed)
    absent = [doc for doc, grade in qrels["q"].items() if grade > 0 and doc not in scored]
    kind = {doc: str(qrels["q"].get(doc)) for doc in [*scored, *absent]}
    for docs, which in ((list(scored), "reordered"), ([*scored, *absent], "complete")):
        orders = {tuple(kind[doc] for doc in order): order for order in permutations(docs)}
        some = [scores(qrels, in_order(order)) for order in [*orders.values()][:: max(len(orders) // 40, 1)]]
        # Relevant documents by grade, then unjudged ones, then those known to be of no use.
        ideal = scores(qrels, in_order(sorted(docs, key=lambda doc: -(qrels["q"].get(doc, 0.5) or -1))))
        for measure, name, one in explained(qrels, scored):
            value = getattr(one, which)
            if measure not in SORTING:
                assert value is None
                continue
            top = best([value, *(each[name] for each in some)], measure)
            assert top == pytest.approx(value, abs=1e-12, nan_ok=True), name
            if measure.name != "Judged":
                assert value == pytest.approx(ideal[name], abs=1e-12, nan_ok=True), name


def test_changes_are_records() -> None:
    qrels = {"q": {"a": 1, "c": 2, "z": 1, "b": 0}}
    found = explain(qrels, {"q": {"b": 3.0, "a": 2.0, "u": 2.0, "c": 1.0}}, "AP nDCG")
    records = found.to_records("changes")
    kinds = [record["change"] for record in records if record["measure"] == "AP"]
    assert kinds == ["ties", "unjudged", "swap", "neighbours", "missing"]
    tie, unjudged, swap, *_ = records
    assert (tie["first"], tie["last"], tie["low"] < found["AP"].score < tie["high"]) == (2, 3, True)
    assert (unjudged["doc"], swap["doc"], swap["other"]) == ("u", "c", "b")
    assert len({tuple(record) for record in records}) == 1


def test_what_cannot_be_known_is_left_out() -> None:
    preferences = tr.read_preferences([("q", "a", "b"), ("q", "c", "a")])
    one = explain(preferences, {"q": ["b", "a", "x"]}, "PrefLoss")["PrefLoss"]
    assert (one.ties, one.unjudged, one.swap, one.missing, one.reordered) == ((), (), None, (), None)
    pooled = explain({"q": {"a": 1}}, {"q": ["b", "a"]}, "AP(norm='pool')")["AP(norm='pool')"]
    assert pooled.unjudged == ()
    assert pooled.swap is not None


def test_a_measure_with_its_own_answer_to_ties_is_no_end_of_their_orders() -> None:
    """OIE gives tied documents their last rank, so that its score with a tie may be one that no order gives."""
    qrels, run = {"q": {"d1": 0, "d2": 2, "m0": 2, "m1": 2}}, {"d2": 2.0, "d0": 1.0, "d1": 1.0}
    orders = [
        tr.evaluate(qrels, {"q": order}, "OIE(size=50)")["run"]["OIE(size=50)"].mean
        for order in (["d2", "d0", "d1"], ["d2", "d1", "d0"])
    ]
    found = explain(qrels, {"q": run}, "OIE(size=50)", topic="q")
    [group] = found["OIE(size=50)"].ties
    assert (group.low, group.high) == pytest.approx((min(orders), max(orders)), abs=1e-12)
    assert not group.low - 1e-6 < found["OIE(size=50)"].score < group.high + 1e-6
    told = " ".join(map(str, found.notes()))
    assert "an order of them would move it: those at ranks 2-3 (0 of 2 relevant) to 2.0349, whichever it is" in told


def test_documents_that_were_not_sampled_are_not_those_outside_the_pool() -> None:
    """To infAP a document with grade -1 is unjudged, and yet another thing than one without a row."""
    qrels, run = {"q": {"a": 1, "b": 0, "c": -1, "d": 1}}, ["z", "b", "c", "a", "d"]
    one = explain(qrels, {"q": run}, "infAP", topic="q")["infAP"]
    assert {each.doc for each in one.unjudged} == {"z", "c"}
    assert {step.doc: step.judged for step in one.steps if step.kind == "document"} == {
        "z": False, "b": True, "c": False, "a": True, "d": True
    }  # fmt: skip
    pairs = {
        pair: tr.evaluate(qrels, {"q": swapped(in_order(run), *pair)}, "infAP")["run"]["infAP"].mean
        for pair in combinations(run, 2)
    }
    assert one.swap is not None
    assert one.swap.score == pytest.approx(max(pairs.values()), abs=1e-12)
