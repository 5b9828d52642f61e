"""The end of a list as an answer, and NIL that says where it is."""

from __future__ import annotations

import pytest

import truerank as tr

QRELS = {"q": {"a": 1, "b": 1, "c": 0}, "nil": {"a": 0}}

NILS = [
    # list, the list that it stands for
    (["a", "NIL", "b"], ["a"]),
    (["NIL", "a", "b"], []),
    (["a", "b", "NIL"], ["a", "b"]),
    (["a", "b"], ["a", "b"]),
    (["NIL"], []),
    (["a", "NIL2", "nil", "b"], ["a", "NIL2", "nil", "b"]),
]
MEASURES = "RR RBP nDCG AP ERR P@5 R CG FlatU"


@pytest.mark.parametrize("ending", ["terminal", "terminal-once"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed", "bounds"])
@pytest.mark.parametrize(("given", "meant"), NILS)
def test_a_list_stops_before_its_nil(given: list[str], meant: list[str], ending: str, unjudged: str) -> None:
    one, two = (
        tr.evaluate(QRELS, {"q": docs, "nil": docs}, MEASURES, ending=ending, unjudged=unjudged)["run"]
        for docs in (given, meant)
    )
    for text, score in one.items():
        assert (score.per_topic, score.low, score.high) == (two[text].per_topic, two[text].low, two[text].high)


def test_without_an_ending_nil_is_a_document_like_others() -> None:
    assert tr.evaluate(QRELS, {"q": ["NIL", "a"]}, "RR")["run"]["RR"].per_topic["q"] == 0.5


@pytest.mark.parametrize("ties", ["expected", "best", "worst", "docid", "docid-asc", "input", "sample(2)"])
def test_documents_tied_with_nil_are_kept(ties: str) -> None:
    tied = {"c": 2.0, "NIL": 1.0, "a": 1.0, "x": 1.0, "b": 0.0}
    meant = {"c": 2.0, "a": 1.0, "x": 1.0}
    one, two = (
        tr.evaluate(QRELS, {"q": run, "nil": run}, MEASURES, ties=ties, ending="terminal")["run"]
        for run in (tied, meant)
    )
    assert {m: s.per_topic for m, s in one.items()} == {m: s.per_topic for m, s in two.items()}


def test_the_named_measures_bring_their_ending_with_them() -> None:
    scores = tr.evaluate(QRELS, {"q": ["a", "c"], "nil": []}, "RBP RBPT APT AP")["run"]
    terminal = tr.evaluate(QRELS, {"q": ["a", "c"], "nil": []}, "RBP AP", ending="terminal")["run"]
    assert scores["RBPT"].per_topic == terminal["RBP"].per_topic != scores["RBP"].per_topic
    assert scores["APT"].per_topic == terminal["AP"].per_topic


def test_effort_is_not_charged_for_the_terminal_document() -> None:
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": ["a", "c"]}
    for charged, plain, effort in [("FlatU(e=0.1)", "CG", 0.2), ("RBPU(p=0.5,e=0.1)", "RBP(p=0.5)", 0.1 * 0.75)]:
        for ending in ("none", "terminal", "terminal-once"):
            scores = tr.evaluate(qrels, run, [charged, plain], ending=ending)["run"]
            assert scores[charged].mean == pytest.approx(scores[plain].mean - effort, abs=1e-15)
