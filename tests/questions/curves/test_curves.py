"""Curves against the measures that are points of them, against scikit-learn, and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.curves.question import curves, precision_recall, roc
from truerank.questions.curves.recall import crossing

from ...parity.shared import need

RELEVANT = (1, 3, 4, 6, 9, 15)
"""Ranks of the relevant documents in a list of 20, all that there are: the example of the lecture."""
LECTURE = ({"q": {f"d{rank}": 1 for rank in RELEVANT}}, {"q": [f"d{rank}" for rank in range(1, 21)]})


def collection(seed: int, scores: int = 5) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    docs = [f"d{number}" for number in range(16)]
    qrels = {
        topic: {str(doc): int(draw.choice([-1, 0, 1, 2])) for doc in draw.choice(docs, 9, replace=False)}
        for topic in ("q0", "q1", "q2")
    }
    qrels["none"] = {"d1": 0}
    run = {
        topic: {str(doc): float(draw.integers(scores)) for doc in draw.choice(docs, 11, replace=False)}
        for topic in ("q0", "q1", "none")
    }
    return qrels, run


CONVENTIONS: list[dict[str, Any]] = [
    {},
    {"ties": "docid", "no_relevant": "skip"},
    {"ties": "best", "missing": "skip"},
    {"ties": "worst", "unjudged": "condensed"},
    {"relevant": "run", "no_relevant": "nan"},
    {"like": "trec_eval-9"},
]


@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
@pytest.mark.parametrize("rel", [1, 2])
def test_points_are_measures(conventions: dict[str, Any], rel: int) -> None:
    for seed in range(3):
        qrels, run = collection(seed)
        one = precision_recall(qrels, run, rel=rel, **conventions)["run"]
        names = [f"IPrec(rel={rel})@{level / 10}" for level in range(11)]
        scores = tr.evaluate(qrels, run, [*names, f"Rprec(rel={rel})", f"AP(rel={rel})"], **conventions)["run"]
        *levels, break_even, average = (score.mean for score in scores.values())
        assert one.precision == pytest.approx(levels, abs=1e-12, nan_ok=True)
        assert (one.break_even, one.average) == pytest.approx((break_even, average), nan_ok=True)
        assert one.every == one.depths == ()


@pytest.mark.parametrize("conventions", CONVENTIONS[:4], ids=str)
def test_one_topic_at_every_level_and_depth(conventions: dict[str, Any]) -> None:
    for seed in range(3):
        qrels, run = collection(seed)
        one = precision_recall(qrels, run, topic="q0", **conventions)["run"]
        every = [f"IPrec@{level!r}" for level, _ in one.every]
        assert len(every) == sum(grade > 0 for grade in qrels["q0"].values())
        scores = tr.evaluate(qrels, run, every, **conventions)["run"]
        assert [precision for _, precision in one.every] == pytest.approx([s.per_topic["q0"] for s in scores.values()])
        for at in one.depths:
            names = (f"R@{at.depth}", f"P@{at.depth}", f"F@{at.depth}")
            values = tr.evaluate(qrels, run, names, **conventions)["run"]
            assert (at.recall, at.precision, at.f1) == pytest.approx([s.per_topic["q0"] for s in values.values()])
        assert one.best is not None
        assert one.best.f1 == max(at.f1 for at in one.depths)


def test_the_lecture_by_hand() -> None:
    one = precision_recall(*LECTURE)["run"]
    raw = [(hits / 6, hits / rank) for hits, rank in enumerate(RELEVANT, 1)]
    assert one.every == tuple(
        (pytest.approx(recall), pytest.approx(max(p for r, p in raw if r >= recall))) for recall, _ in raw
    )
    assert one.break_even == pytest.approx(4 / 6)
    assert one.crossing == pytest.approx(4 / 6)
    assert one.average == pytest.approx(sum(precision for _, precision in raw) / 6)
    assert one.best is not None
    assert (one.best.depth, one.best.f1) == (6, pytest.approx(2 * 4 / (6 + 6)))


@pytest.mark.parametrize("seed", range(6))
def test_where_precision_meets_recall(seed: int) -> None:
    qrels, run = collection(seed, scores=1000)
    one = precision_recall(qrels, run, topic="q0")["run"]
    recall, precision = np.array(one.every).T
    grid = np.linspace(0, 1, 20001)
    height = precision[np.minimum(np.searchsorted(recall, grid - 1e-12), len(recall) - 1)]
    assert one.crossing == pytest.approx(grid[height >= grid][-1], abs=1e-4)
    assert one.crossing >= one.break_even - 1e-12


@pytest.mark.parametrize(
    ("precision", "expected"), [([1.0, 1.0, 1.0], 1.0), ([0.0, 0.0, 0.0], 0.0), ([1.0, 0.5, 0.0], 0.5)]
)
def test_crossings_at_the_ends(precision: list[float], expected: float) -> None:
    assert crossing(np.array([0.0, 0.5, 1.0]), np.array(precision)) == pytest.approx(expected)


@pytest.mark.parametrize("size", [None, 30])
@pytest.mark.parametrize("conventions", CONVENTIONS, ids=str)
def test_the_area_is_auc(conventions: dict[str, Any], size: int | None) -> None:
    area_of = tr.AUC(size=size)
    for seed in range(4):
        qrels, run = collection(seed)
        measure = tr.evaluate(qrels, run, area_of, **conventions)["run"][area_of]
        found = roc(qrels, run, size=size, **conventions)["run"]
        # Of the topic without relevant documents there is no curve, and no mean with it.
        assert np.isnan(measure.mean) == (conventions.get("no_relevant") != "skip")
        assert found.auc == pytest.approx(measure.mean, nan_ok=True)
        # The mean curve is drawn through a hundred points.
        assert area(found) == pytest.approx(measure.mean, abs=0.02, nan_ok=True)
        for topic in ("q0", "q1"):
            one = roc(qrels, run, size=size, topic=topic, **conventions)["run"]
            if np.isnan(measure.per_topic[topic]):
                assert (np.isnan(one.auc), len(one.fpr)) == (True, 0)
                continue
            assert (one.auc, area(one)) == pytest.approx((measure.per_topic[topic], measure.per_topic[topic]))
            assert (one.fpr[0], one.tpr[0], one.fpr[-1], one.tpr[-1]) == pytest.approx((0, 0, 1, 1))
            assert (np.diff(one.fpr) >= 0).all()
            assert (np.diff(one.tpr) >= 0).all()


def area(one: Any) -> float:
    return float(np.sum(np.diff(one.fpr) * (one.tpr[1:] + one.tpr[:-1]) / 2))


def test_two_of_five_documents_by_hand() -> None:
    one = roc({"q": {"b": 1, "d": 1}}, {"q": list("abcde")}, size=5)["run"]
    assert list(zip((one.fpr * 3).round().tolist(), (one.tpr * 2).tolist(), strict=True)) == [
        (0, 0), (1, 0), (1, 1), (2, 1), (2, 2), (3, 2)
    ]  # fmt: skip
    # Three of the six pairs are in the wrong order.
    assert (one.auc, one.mean_relevant, one.mean_others) == (0.5, 2, 3)
    assert (one.at(0.0), one.at(1 / 3), one.at(0.5), one.at(1.0)) == (0.0, 0.5, 0.5, 1.0)


@pytest.mark.parametrize(
    ("judged", "size", "fpr"),
    [
        ({"b": 0, "c": 0}, None, [0.0, 0.5, 1.0, 1.0]),
        ({"b": 0, "c": 0, "y": 0, "x": 0}, None, [0.0, 0.25, 0.5, 1.0]),
        ({}, 6, [0.0, 0.25, 0.5, 1.0]),
    ],
    ids=str,
)
def test_ties_slope_and_what_was_not_retrieved_is_tied_at_the_end(
    judged: dict[str, int], size: int | None, fpr: list[float]
) -> None:
    one = roc({"q": {"a": 1, "z": 1, **judged}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}, size=size)["run"]
    assert one.fpr.tolist() == fpr
    assert one.tpr.tolist() == [0.0, 0.5, 0.5, 1.0]
    assert one.at(fpr[1] / 2) == 0.25


@pytest.mark.parametrize("listed", [20, 0], ids=["all tied", "none retrieved"])
@pytest.mark.parametrize("size", [None, 20])
def test_documents_in_no_order_make_the_diagonal(size: int | None, listed: int) -> None:
    docs = [f"d{number}" for number in range(20)]
    qrels = {"q": {doc: int(number % 4 == 0) for number, doc in enumerate(docs)}}
    one = roc(qrels, {"q": dict.fromkeys(docs[:listed], 1.0), "other": {"x": 1.0}}, size=size)["run"]
    assert (one.auc, one.at(0.3)) == (pytest.approx(0.5), pytest.approx(0.3))


def test_undefined_without_relevant_documents() -> None:
    one = roc({"q": {"a": 0}}, {"q": ["a", "b"]})["run"]
    assert (np.isnan(one.auc), len(one.fpr)) == (True, 0)
    flat = precision_recall({"q": {"a": 0}}, {"q": ["a"]})["run"]
    assert flat.precision.tolist() == [0.0] * 11
    assert flat.every == ()
    assert str(roc({"q": {"a": 0}}, {"q": ["a", "b"]})).count("the mean is undefined") == 1


@pytest.mark.parametrize("levels", [4, 100], ids=["tied", "untied"])
def test_scikit_learn(levels: int) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    draw = np.random.default_rng(7)
    relevant = draw.integers(0, 2, 40)
    scores = draw.integers(0, levels, 40) if levels < 40 else draw.permutation(40)
    qrels = {"q": {f"d{number}": int(grade) for number, grade in enumerate(relevant)}}
    run = {"q": {f"d{number}": float(score) for number, score in enumerate(scores)}}
    one = roc(qrels, run)["run"]
    fpr, tpr, _ = metrics.roc_curve(relevant, scores)
    assert one.auc == pytest.approx(metrics.roc_auc_score(relevant, scores))
    corners = {(round(x, 9), round(y, 9)) for x, y in zip(one.fpr, one.tpr, strict=True)}
    assert {(round(x, 9), round(y, 9)) for x, y in zip(fpr, tpr, strict=True)} <= corners
    # At the end of a tie group all orders agree, and so do both.
    precision, recall, _ = metrics.precision_recall_curve(relevant, scores)
    pairs = {(round(at.recall, 9), round(at.precision, 9)) for at in precision_recall(qrels, run)["run"].depths}
    assert {(round(r, 9), round(p, 9)) for r, p in zip(recall[:-1], precision[:-1], strict=True)} <= pairs
    if levels > 40:
        average = metrics.average_precision_score(relevant, scores)
        assert precision_recall(qrels, run)["run"].average == pytest.approx(average)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"ending": "terminal"}, "ending='terminal' cannot be chosen here"),
        ({"ties": "bounds"}, "choose another value, such as 'expected'"),
        ({"topic": "q7"}, "no judged topic 'q7'"),
        ({"points": 1}, "points is a whole number from 2 on"),
        ({"rel": 0}, "rel is a number above 0"),
        ({"topic": "q2", "missing": "skip"}, "has no documents for topic 'q2'"),
    ],
    ids=str,
)
def test_refusals(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        precision_recall(*collection(0), **given)


def test_precision_and_recall_have_no_size() -> None:
    with pytest.raises(InputError, match="add kind='roc'"):
        curves(*collection(0), size=20)


def test_records() -> None:
    qrels, run = collection(0)
    found = precision_recall(qrels, {"one": run, "two": run}, points=3)
    assert [tuple(record.values())[:2] for record in found.to_records()][:4] == [
        ("one", 0.0), ("one", 0.5), ("one", 1.0), ("two", 0.0)
    ]  # fmt: skip
    assert found.to_records("every") == found.to_records("depths") == []
    assert [(one.run, one.every) for one in found.curves] == [("one", ()), ("two", ())]
    alone = precision_recall(qrels, run, topic="q0")
    assert len(alone.to_records("depths")) == len(run["q0"])
    assert {*roc(qrels, run).to_records()[0]} == {"run", "fpr", "tpr"}
    assert alone.to_dict()["depths"][0]["depth"] == 1
    with pytest.raises(KeyError, match="no run 'x'; there are one, two"):
        found["x"]


def test_curves_are_what_trec_eval_prints() -> None:
    path, run = need("trec8", "qrels.gz"), need("trec8", "runs", "CL99SD.gz")
    one = precision_recall(path, run, topic="403", like="trec_eval-10")["CL99SD"]
    # Of its levels those that recall can have with 21 documents, or that it rounds up.
    assert [round(p, 4) for p in one.precision[[0, 3, 4, 5, 7, 8, 9, 10]]] == [
        1.0, 0.8667, 0.8667, 0.8667, 0.8, 0.7727, 0.3654, 0.105
    ]  # fmt: skip
    assert (round(one.break_even, 4), round(one.average, 4)) == (0.7619, 0.7275)
    assert roc(path, run)["CL99SD"].auc == pytest.approx(tr.evaluate(path, run, "AUC")["CL99SD"]["AUC"].mean)
