"""What must be equal: to the last bit where the arithmetic is the same, closely where only the mathematics is."""

from __future__ import annotations

import math
from dataclasses import fields
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from sklearn.metrics import ndcg_score, roc_auc_score

import truerank as tr
from truerank.io.load import as_run
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse
from truerank.measures.table import TABLE

from .collections import collections
from .oracle import Collection
from .table import MEASURES
from .test_against_oracle import measure, tried

EVERYTHING: list[Measure] = [
    measure(name, params, k)
    for name, row in MEASURES.items()
    for params in row.variants
    for k in ((None, 2) if row.cutoff else (None,))
    if params.get("max_rel", 4) > 3
]
"""All measures with all their parameters, with and without a cutoff."""

Topics = dict[str, dict[str, float]]


def bits(qrels: Any, run: Any, measures: Any = EVERYTHING, **conventions: str) -> dict[str, dict[str, str]]:
    """Values of each topic, written so that only equal bits are equal."""
    scores = tr.evaluate(qrels, {"run": run}, measures, no_relevant="nan", **conventions)["run"]
    return {m: {topic: float(v).hex() for topic, v in score.per_topic.items()} for m, score in scores.items()}


def track(seed: int, topics: int, *, tied: bool, depth: int = 30) -> tuple[Topics, Topics]:
    """Random judgments and a run; one topic has the top grade always, so that a part has the same scale."""
    rng = np.random.default_rng(seed)
    qrels, run = {}, {}
    for t in range(topics):
        docs = [f"d{i}" for i in range(depth)]
        judged = rng.choice(depth, size=depth // 2, replace=False)
        qrels[f"q{t}"] = {docs[i]: float(rng.choice([-1, 0, 0, 0.5, 1, 2])) for i in judged} | {"top": 3.0}
        scores = rng.integers(0, 8, depth) if tied else rng.permutation(depth)
        run[f"q{t}"] = {doc: float(s) for doc, s in zip(docs, scores, strict=True) if rng.random() < 0.9}
    return qrels, run


def test_untied_lists_score_the_same_beside_tied_ones() -> None:
    qrels, run = track(1, 4, tied=False)
    more_qrels, more_run = track(2, 4, tied=True, depth=50)
    beside = bits(
        qrels | {f"t{t}": judged for t, judged in more_qrels.items()},
        run | {f"t{t}": documents for t, documents in more_run.items()},
    )
    for text, values in bits(qrels, run).items():
        assert {topic: beside[text][topic] for topic in values} == values, text


@pytest.mark.parametrize("ties", ["best", "worst", "docid", "docid-asc", "input", "sample(3)"])
def test_untied_lists_score_the_same_whatever_ties_count_as(ties: str) -> None:
    qrels, run = track(3, 3, tied=False)
    assert bits(qrels, run, ties=ties) == bits(qrels, run)


@pytest.mark.parametrize("ties", ["expected", "best", "worst", "docid", "sample(5)"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
def test_the_order_of_rows_never_matters(ties: str, unjudged: str, tmp_path: Path) -> None:
    qrels, run = track(4, 3, tied=True)
    rng = np.random.default_rng(0)
    wanted = bits(qrels, run, ties=ties, unjudged=unjudged)

    def shuffled(rows: list[Any]) -> list[Any]:
        return [rows[i] for i in rng.permutation(len(rows))]

    def turned(topics: Topics) -> Topics:
        return {topic: dict(shuffled(list(topics[topic].items()))) for topic in shuffled(list(topics))}

    def rows(topics: Topics) -> list[tuple[str, str, float]]:
        return shuffled([(topic, doc, number) for topic, docs in topics.items() for doc, number in docs.items()])

    qrels_file, run_file = tmp_path / "qrels", tmp_path / "run"
    qrels_file.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in rows(qrels)))
    run_file.write_text("".join(f"{topic} Q0 {doc} 0 {score} tag\n" for topic, doc, score in rows(run)))
    assert bits(turned(qrels), turned(run), ties=ties, unjudged=unjudged) == wanted
    assert bits(rows(qrels), as_run(rows(run)), ties=ties, unjudged=unjudged) == wanted
    assert bits(qrels_file, run_file, ties=ties, unjudged=unjudged) == wanted


def test_a_topic_does_not_depend_on_the_others() -> None:
    qrels, run = track(5, 5, tied=True)
    deep_qrels, deep_run = track(6, 1, tied=True, depth=60)
    together = bits(qrels | {"deep": deep_qrels["q0"]}, run | {"deep": deep_run["q0"]})
    for topic in qrels:
        alone = bits({topic: qrels[topic]}, {topic: run[topic]})
        assert {text: values[topic] for text, values in together.items()} == {
            text: values[topic] for text, values in alone.items()
        }


def test_blocks_of_one_topic_score_the_same_as_one_block(monkeypatch: pytest.MonkeyPatch) -> None:
    qrels, run = track(7, 12, tied=True)
    run["q3"] = {}
    whole = bits(qrels, run)
    monkeypatch.setattr("truerank.data.block.ROOM", 0)
    monkeypatch.setattr("truerank.expectation.cascade.BATCH", 1)
    assert bits(qrels, run) == whole


@pytest.mark.parametrize("conventions", [{}, {"ties": "worst"}, {"unjudged": "bounds", "ties": "bounds"}])
def test_a_measure_does_not_depend_on_the_others(conventions: dict[str, str]) -> None:
    qrels, run = track(12, 2, tied=True, depth=8)
    together = tr.evaluate(qrels, {"run": run}, EVERYTHING, **conventions)["run"]
    for each in EVERYTHING[::3]:
        alone = tr.evaluate(qrels, {"run": run}, [each], **conventions)["run"][str(each)]
        beside = together[str(each)]
        assert alone.per_topic == beside.per_topic, each
        assert (alone.low, alone.high) == (beside.low, beside.high), each


def test_a_run_does_not_depend_on_the_others() -> None:
    qrels, one = track(13, 3, tied=True)
    _, two = track(14, 3, tied=False)
    measures = [each for each in EVERYTHING if not each.needs_pool]
    together = tr.evaluate(qrels, {"one": one, "two": two}, measures)
    for name, run in (("one", one), ("two", two)):
        alone = tr.evaluate(qrels, {name: run}, measures)
        assert {m: s.per_topic for m, s in alone[name].items()} == {m: s.per_topic for m, s in together[name].items()}


EQUALS = [
    ("AP", "Q(beta=0,rel=1)", "none"),
    ("AP@3", "Q(beta=0,rel=1)@3", "none"),
    ("AP(rel=2,norm='min')@3", "Q(beta=0,rel=2,norm='min')@3", "none"),
    ("AP", "Q(beta=0,rel=1)", "terminal"),
    ("AP", "gAP(rel=1)", "terminal"),
    ("AP(rel=2,norm='min')@3", "gAP(rel=2,norm='min')@3", "terminal-once"),
    ("APT", "gAPT(rel=1)", "none"),
    ("nDCG(rel=1)@3", "nDCG(gains={0.5:0,1:1,2:1,3:1})@3", "none"),
    ("RBP(rel=1)", "RBP(gains={0.5:0,1:1,2:1,3:1})", "terminal"),
    ("RBU(e=0)", "iRBU", "none"),
    ("ERRU(e=0)@4", "ERR@4", "terminal-once"),
    ("FlatU(e=0,rel=1)", "CG(rel=1)", "none"),
    ("DiscountU(discount='flat')@4", "FlatU@4", "none"),
    ("DiscountU(discount='log2',e=0.3)", "DCGU(e=0.3)", "terminal-once"),
    ("DiscountU(discount='geometric',p=0.9,e=0.1)", "RBPU(p=0.9,e=0.1)", "terminal"),
    ("DiscountU(discount='harmonic',stops=True)@5", "ERRU@5", "none"),
    ("DiscountU(discount='geometric',p=0.98,stops=True)", "RBU(p=0.98)", "terminal"),
    ("DiscountU(discount='inverse-square',T=2,e=0)", "INSQ(T=2)", "terminal"),
    ("DiscountU(discount={1:1,2:1,3:1},e=0,rel=1)", "CG(rel=1)@3", "none"),
    ("F(beta=0)@4", "P@4", "none"),
    ("SetF", "F", "none"),
    ("SetR", "R", "none"),
    ("c", "P@1", "none"),
]


@pytest.mark.parametrize(("one", "other", "ending"), EQUALS)
def test_two_names_for_one_thing(one: str, other: str, ending: str) -> None:
    qrels, run = track(8, 20, tied=True, depth=12)
    first, second = (tr.evaluate(qrels, run, m, ending=ending)["run"][str(parse(m))].values for m in (one, other))
    np.testing.assert_allclose(first, second, rtol=0, atol=1e-14)


def test_relations_between_measures() -> None:
    qrels, run = track(9, 20, tied=True, depth=12)
    p, e = 0.9, 0.1
    cutoffs = range(1, 16)
    texts = ["Rprec", "AP", "RBP(p=0.9)", f"RBPU(p={p},e={e})", "iRBU(p=0.9)", f"RBU(p={p},e={e})"]
    texts += [f"P@{k}" for k in cutoffs] + [f"IPrec@{i / 10}" for i in range(11)] + ["IPrecAvg"]
    scores = tr.evaluate(qrels, run, texts)["run"]
    for i, topic in enumerate(scores["AP"].topics):
        relevant = sum(grade >= 1 for grade in qrels[topic].values())
        at = {text: scores[text].values[i] for text in texts}
        assert at["Rprec"] == at[f"P@{relevant}"]
        charged = e * (1 - p ** len(run[topic]))
        assert at[f"RBPU(p={p},e={e})"] == pytest.approx(at["RBP(p=0.9)"] - charged, abs=1e-14)
        assert at[f"RBU(p={p},e={e})"] == pytest.approx(at["iRBU(p=0.9)"] - charged, abs=1e-14)
        eleven = [at[f"IPrec@{level / 10}"] for level in range(11)]
        assert at["IPrecAvg"] == pytest.approx(math.fsum(eleven) / 11, abs=1e-14)


@pytest.mark.parametrize("text", ["RBP", "ERR", "R", "CG", "DCG", "iRBU", "AP", "Q", "RR", "Success", "Bpref", "infAP"])
def test_looking_deeper_never_finds_less(text: str) -> None:
    qrels, run = track(10, 20, tied=True, depth=12)
    measures = [f"{text}@{k}" for k in range(1, 16)] + [text]
    scores = tr.evaluate(qrels, run, measures)["run"]
    curve = np.array([scores[m].values for m in measures])
    assert (np.diff(curve, axis=0) >= -1e-15).all()
    np.testing.assert_allclose(curve[-2], curve[-1], rtol=0, atol=1e-15)


def test_pool_depth() -> None:
    """Lu et al.: right of the depth of the pool, AP over the pool's relevant documents is AP over all of them."""
    qrels = {"q": {"a": 1, "b": 1, "c": 1, "d": 0}}
    runs = {"one": {"q": ["a", "x", "b", "d"]}, "two": {"q": ["d", "c", "a", "b"]}}
    texts = [f"AP(norm='{norm}')@{k}" for norm in ("R", "pool") for k in range(1, 7)]
    scores = tr.evaluate(qrels, runs, texts)
    at = {(run, m): scores[run][str(parse(m))].mean for run in runs for m in texts}
    for run in runs:
        for k in range(1, 7):
            pooled = {1: 1, 2: 2}.get(k, 3)
            expected = at[run, f"AP(norm='R')@{k}"] * 3 / pooled
            assert at[run, f"AP(norm='pool')@{k}"] == pytest.approx(expected, abs=1e-15)


@tried(
    "auc",
    100,
    st.lists(st.tuples(st.sampled_from([0, 1, None]), st.integers(0, 4)), min_size=1, max_size=12),
    st.integers(0, 9),
)
def test_auc_is_that_of_scikit_learn_over_all_documents(documents: list[tuple[int | None, int]], spare: int) -> None:
    """Of the judged documents, which is the rest of preference loss; or of a collection. Score 0: not retrieved."""
    qrels = {"q": {f"d{i}": label for i, (label, _) in enumerate(documents) if label is not None}, "r": {"d": 1}}
    run = {"q": {f"d{i}": score for i, (_, score) in enumerate(documents) if score}, "r": {"d": 1}}
    size = len(documents) + spare
    scores = tr.evaluate(qrels, run, f"AUC AUC(size={size}) PrefLoss", no_relevant="nan")["run"]
    for name, every in (
        ("AUC", [one for one in documents if one[0] is not None]),
        (f"AUC(size={size})", [*documents, *[(None, 0)] * spare]),
    ):
        labels = [label or 0 for label, _ in every]
        if len({*labels}) < 2:
            assert math.isnan(scores[name].per_topic["q"])
        else:
            expected = roc_auc_score(labels, [score for _, score in every])
            assert scores[name].per_topic["q"] == pytest.approx(expected, abs=1e-12)
    loss, area = (scores[name].per_topic["q"] for name in ("PrefLoss", "AUC"))
    assert loss == pytest.approx(1 - area, abs=1e-14, nan_ok=True)


@pytest.mark.parametrize("area", [tr.AUC, tr.AUC(size=5), tr.AUC(size=7), tr.AUC(rel=2)], ids=str)
def test_a_random_order_has_an_auc_of_a_half(area: Measure) -> None:
    """Over all orders of a collection, and however many of its documents a list has."""
    judged = [2.0, 1.0, 0.0, 0.0, 0.0]
    documents = [*judged, *[math.nan] * ((area.collection or 5) - 5)]
    for length in range(5):
        every = [area.of([*order], pool=judged) for order in permutations(documents, length)]
        assert np.mean(every) == pytest.approx(0.5, abs=1e-12)


UNJUDGED_ONLY = [("AUC", "size="), ("PrefLoss", "AUC(size=N)"), ("WPrefLoss", "AUC(size=N)")]


@pytest.mark.parametrize(("text", "remedy"), UNJUDGED_ONLY)
def test_without_a_document_judged_non_relevant_there_is_no_order_to_judge(text: str, remedy: str) -> None:
    """Undefined counts as no number, not even where undefined topics count as 0: the best run would have the worst."""
    found = tr.evaluate({"p": {"a": 1}, "q": {"a": 1, "b": 0}}, {"p": ["a", "x"], "q": ["a", "b"]}, text)
    score = found["run"][text]
    assert math.isnan(score.mean)
    assert math.isnan(score.per_topic["p"])
    [note] = [str(note) for note in found.notices if "undefined" in str(note)]
    assert remedy in note
    assert "the mean is undefined" in note
    assert "no_relevant=skip" in note
    skipped = tr.evaluate(
        {"p": {"a": 1}, "q": {"a": 1, "b": 0}}, {"p": ["a"], "q": ["a", "b"]}, text, no_relevant="skip"
    )
    assert skipped["run"][text].mean == float(parse(text).higher_is_better)


@pytest.mark.parametrize("k", [None, 1, 3, 7, 20, 40])
def test_tie_aware_ndcg_is_that_of_scikit_learn(k: int | None) -> None:
    rng = np.random.default_rng(11)
    grades, scores = rng.integers(0, 4, (8, 25)), rng.integers(0, 6, (8, 25))
    qrels = {f"q{t}": {f"d{i}": int(g) for i, g in enumerate(row)} for t, row in enumerate(grades)}
    run = {f"q{t}": {f"d{i}": int(s) for i, s in enumerate(row)} for t, row in enumerate(scores)}
    text = "nDCG" if k is None else f"nDCG@{k}"
    found = tr.evaluate(qrels, run, text)["run"][text]
    for t in range(8):
        theirs = ndcg_score(grades[t : t + 1], scores[t : t + 1], k=k, ignore_ties=False)
        assert found.per_topic[f"q{t}"] == pytest.approx(theirs, abs=1e-12)


def first_relevant(n: int, relevant: int) -> list[Fraction]:
    """Chance that the first of some relevant documents stands at each place of a tie group."""
    chances, none_yet = [], Fraction(1)
    for j in range(1, n + 1):
        hit = Fraction(relevant, n - j + 1) if n - j + 1 >= relevant else Fraction(1)
        chances.append(none_yet * min(hit, Fraction(1)))
        none_yet *= 1 - min(hit, Fraction(1))
    return chances


def hits_before(n: int, relevant: int, j: int) -> list[Fraction]:
    """Chances of h relevant documents among the first j - 1 places and one at place j."""
    return [
        Fraction(math.comb(j - 1, h) * math.comb(n - j, relevant - 1 - h), math.comb(n, relevant))
        if relevant - 1 - h <= n - j
        else Fraction(0)
        for h in range(relevant)
    ]


LARGE = [(30, 1, 0), (30, 3, 4), (30, 12, 2), (30, 30, 0), (1000, 10, 0), (1000, 500, 3), (1000, 1, 7)]


@pytest.mark.parametrize(("n", "relevant", "above"), LARGE)
def test_large_groups_against_fractions(n: int, relevant: int, above: int) -> None:
    """A group of tied documents below some that are not relevant."""
    grades = [0.0] * above + [1.0] * relevant + [0.0] * (n - relevant)
    groups = [*range(above), *[above] * n]

    def of(text: str) -> float:
        return parse(text).of(grades, groups=groups)

    depth = n // 3
    first = first_relevant(n, relevant)
    rr = sum((p / (above + j) for j, p in enumerate(first, 1)), Fraction(0))
    assert of("RR") == pytest.approx(float(rr), abs=1e-14)
    rr_cut = sum((p / (above + j) for j, p in enumerate(first[:depth], 1)), Fraction(0))
    assert of(f"RR@{above + depth}") == pytest.approx(float(rr_cut), abs=1e-14)
    assert of(f"Success@{above + depth}") == pytest.approx(float(sum(first[:depth], Fraction(0))), abs=1e-14)

    share = Fraction(relevant, n)
    assert of(f"P@{above + depth}") == pytest.approx(float(share * depth / (above + depth)), abs=1e-14)
    both = Fraction(relevant - 1, n - 1)
    ap = sum((share * (1 + (j - 1) * both) / (above + j) for j in range(1, n + 1)), Fraction(0)) / relevant
    assert of("AP") == pytest.approx(float(ap), abs=1e-13)
    if n <= 30:
        half = Fraction(1, 2)
        err = Fraction(0)
        for j in range(1, n + 1):
            err += sum(
                (half * p * half**h / (above + j) for h, p in enumerate(hits_before(n, relevant, j))), Fraction(0)
            )
        assert of("ERR") == pytest.approx(float(err), abs=1e-14)


NUMBERS = {
    "rel": st.floats(1e-6, 10) | st.integers(1, 4),
    "p": st.floats(0, 1, exclude_max=True) | st.just(0),
    "e": st.floats(0, 3),
    "beta": st.floats(0, 1e6) | st.integers(0, 9),
    "max_rel": st.floats(1e-3, 100) | st.integers(1, 9),
    "gains": st.dictionaries(st.integers(1, 5) | st.floats(0.25, 5), st.floats(0, 1) | st.integers(0, 1), min_size=1),
    "norm": st.sampled_from(["R", "min"]),
    "dcg": st.sampled_from(["log2", "exp-log2"]),
    "size": st.integers(1, 10**12),
    "want": st.integers(1, 10**6),
    "normalise": st.booleans(),
    "deepest": st.none() | st.integers(1, 10**6),
    "T": st.floats(0.5, 100) | st.integers(1, 9),
    "relative": st.booleans(),
    "points": st.integers(2, 101),
    "mult": st.floats(0.1, 5),
    "recall": st.floats(0, 1) | st.sampled_from([0, 1]),
    "floor": st.floats(1e-9, 1),
    "a": st.floats(-5, 5),
    "b": st.floats(-5, 5),
    "c": st.floats(-5, 5),
    "d": st.floats(-5, 5),
    "discount": st.sampled_from(["flat", "log2", "harmonic", {1: 1, 2: 0.5, 3: 0.5}, {1: 2}]),
    "stops": st.booleans(),
    "measure": st.sampled_from(["AP", "nDCG(gains={1:0.5})@10", "RBPT(p=0.5)@3", "IPrec@0.5"]).map(parse),
}


def parameters_of(found: Measure) -> list[str]:
    inner = getattr(found, "measure", found) if found.name != "GM" else found
    return [field.name for field in fields(inner) if field.name != "cutoff"]


@pytest.mark.parametrize("name", list(TABLE))
def test_text_parses_back(name: str) -> None:
    table = TABLE[name]
    given = {parameter: NUMBERS[parameter] for parameter in parameters_of(table)}
    if name == "Utility":
        given["size"] = st.integers(1, 10**6)
    takes = name == "GM" or not (MEASURES[name].cutoff)

    @tried(name, 30, st.fixed_dictionaries({}, optional=given), st.none() | st.integers(0, 10**6))
    def check(params: dict[str, Any], k: int | None) -> None:
        if "gains" in params:
            params.pop("rel", None)
        if "rel" in params and params.get("max_rel", 1) < 1:
            # Refused: with rel every relevant grade is 1.
            params.pop("max_rel")
        if name == "DiscountU":
            # p and T belong to one discount each.
            if "p" in params:
                params.pop("T", None)
                params["discount"] = "geometric"
            elif "T" in params:
                params["discount"] = "inverse-square"
        if name == "Utility" and params.get("d"):
            params.setdefault("size", 10)
        found = table(**params)
        found = found if k is None or takes else found @ k
        again = parse(str(found))
        assert again == found
        assert hash(again) == hash(found)
        assert str(again) == str(found)

    check()


@tried("rows", 40, collections())
def test_every_ordering_of_input_rows_of_small_collections(collection: Collection) -> None:
    turned = Collection(
        {topic: dict(reversed(docs.items())) for topic, docs in reversed(collection.qrels.items())},
        {topic: dict(reversed(docs.items())) for topic, docs in reversed(collection.run.items())},
    )
    some = "AP nDCG@3 RBP RR ERR Q Bpref infAP OIE(size=50) AP(norm='pool')@2 RBPT PrefLoss"
    assert bits(turned.qrels, turned.run, some) == bits(collection.qrels, collection.run, some)
