"""What documents without a judgment count as."""

from __future__ import annotations

import pytest

import truerank as tr

QRELS = {"q": {"a": 2, "b": 0, "c": 1, "n": -1}}
RUN = {"q": ["u", "a", "n", "v", "c"]}

CONDENSED = [("judged", ["a", "n", "c"]), ("unjudged", ["a", "c"])]


@pytest.mark.parametrize(("negative", "meant"), CONDENSED)
def test_condensed_lists_keep_judged_documents_only(negative: str, meant: list[str]) -> None:
    measures = "nDCG@3 AP P@2 RBP Judged@2 Bpref NumRet"
    one = tr.evaluate(QRELS, RUN, measures, unjudged="condensed", negative=negative)["run"]
    two = tr.evaluate(QRELS, {"q": meant}, measures, negative=negative)["run"]
    assert {m: s.mean for m, s in one.items()} == {m: s.mean for m, s in two.items()}


BOUNDS = [
    # measure, low, value, high
    ("P@5", 2 / 5, 2 / 5, 4 / 5),
    ("P@7", 2 / 7, 2 / 7, 6 / 7),
    ("P", 2 / 5, 2 / 5, 4 / 5),
    ("NumRet(rel=2)", 1.0, 1.0, 3.0),
    ("RR", 1 / 2, 1 / 2, 1.0),
    ("RBP(p=0.5,rel=1)", 1 / 4 + 1 / 32, 1 / 4 + 1 / 32, 1 - 1 / 8),
    ("RBP(p=0.5,rel=1)@5", 1 / 4 + 1 / 32, 1 / 4 + 1 / 32, 1 - 1 / 8 - 1 / 32),
    ("RBP(p=0.5,rel=1)@7", 1 / 4 + 1 / 32, 1 / 4 + 1 / 32, 1 - 1 / 8 - 1 / 128),
    ("FlatU(e=0.1,rel=1)@7", 1.5, 1.5, 5.5),
    ("R@1", 0.0, 0.0, 1 / 3),
    ("NumNonrelRet", 1.0, 1.0, 3.0),
]


@pytest.mark.parametrize(("text", "low", "value", "high"), BOUNDS)
def test_bounds(text: str, low: float, value: float, high: float) -> None:
    score = tr.evaluate(QRELS, RUN, [text], unjudged="bounds")["run"][text]
    assert (score.low, score.mean, score.high) == pytest.approx((low, value, high), abs=1e-15)


def test_the_residual_of_rbp_is_what_is_between_its_bounds() -> None:
    """Moffat & Zobel: the weight of unjudged documents and of all ranks past the end."""
    p = 0.9
    text = f"RBP(p={p},rel=1)"
    score = tr.evaluate(QRELS, RUN, [text], unjudged="bounds")["run"][text]
    residual = p**5 + (1 - p) * (p**0 + p**3)
    assert score.high - score.low == pytest.approx(residual, abs=1e-15)


def test_a_higher_grade_that_max_rel_allows_is_possible_for_unjudged_documents() -> None:
    low, high = (
        tr.evaluate({"q": {"a": 1}}, {"q": ["u"]}, [text], unjudged="bounds")["run"][text].high
        for text in ("ERR@1", "ERR(max_rel=3)@1")
    )
    assert (low, high) == (1 / 2, 7 / 8)


def test_other_measures_asked_for_do_not_move_bounds() -> None:
    texts = ["P@2", "FlatU@2", "nDCG@2", "Bpref@2", "infAP@2"]
    alone = [tr.evaluate(QRELS, RUN, [text], unjudged="bounds")["run"][text] for text in texts]
    beside = tr.evaluate(QRELS, RUN, [*texts, "P@50", "RBP"], unjudged="bounds")["run"]
    for score, text in zip(alone, texts, strict=True):
        assert (score.low, score.mean, score.high) == (beside[text].low, beside[text].mean, beside[text].high)


@pytest.mark.parametrize("text", ["AUC", "PrefLoss", "OIE(size=50)", "Judged@3"])
def test_measures_without_bounds_say_so(text: str) -> None:
    scores = tr.evaluate(QRELS, RUN, [text, "P@5"], unjudged="bounds")
    assert scores["run"][text].low is None
    assert any(text in notice and "no bounds" in notice for notice in scores.notices)


@pytest.mark.parametrize("negative", ["judged", "unjudged"])
def test_what_was_not_sampled_is_open_to_infap_whatever_a_negative_grade_is_to_others(negative: str) -> None:
    """Yilmaz and Aslam's -1 is a document that nobody judged, and the bounds read it as the score does."""
    grades, run = {"a": 1, "b": 0, "c": -1, "d": 1, "e": -1, "f": 0}, {"q": list("cabedz")}
    score = tr.evaluate({"q": grades}, run, "infAP", unjudged="bounds", negative=negative)["run"]["infAP"]
    assert (score.mean, score.low, score.high) == pytest.approx((0.675, 0.45, 41 / 45), abs=1e-5)
    for found in ({"c": 0}, {"e": 0}, {"c": 0, "e": 0}, {"c": 0, "e": 1}):
        judged = tr.evaluate({"q": {**grades, **found}}, run, "infAP", negative=negative)["run"]["infAP"].mean
        assert score.low - 1e-12 <= judged <= score.high
    condensed = tr.evaluate({"q": grades}, run, "infAP", unjudged="condensed", negative=negative)["run"]["infAP"]
    assert condensed.mean == tr.infAP.of([1, 0, 1])
    wanted = tr.unjudged({"q": grades}, run, "infAP", next=3, negative=negative)
    assert {one.doc for one in wanted.next} == {"c", "e", "z"}
