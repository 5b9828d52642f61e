"""Data that contradict the answers, each made by hand; and the same data where nothing is wrong."""

from __future__ import annotations

from typing import Any

import pytest
from tests.parity.shared import need
from tests.questions.choose.leaves import LEAVES

from truerank.data.errors import InputError
from truerank.questions.choose.question import choose

ANSWERS = {measure: answers for answers, measure, _ in LEAVES}
TOPICS = [f"q{number}" for number in range(4)]
BINARY = {topic: {"a": 1, "b": 1, "c": 0, "d": 0} for topic in TOPICS}
GRADED = {topic: {"a": 1, "b": 3, "c": 0, "d": 0} for topic in TOPICS}
ONE = {topic: {"a": 1, "b": 0, "c": 0, "d": 0} for topic in TOPICS}
EMPTY = {**BINARY, "q9": {"a": 0}}
EVEN = {topic: ["c", "a", "d", "b"] for topic in TOPICS}
OTHER = {topic: ["a", "b", "c", "d"] for topic in TOPICS}
UNEVEN = {**EVEN, "q0": ["a"]}
TIED = {topic: {"a": 1.0, "b": 1.0, "c": 1.0, "d": 0.0} for topic in TOPICS}
UNJUDGED = {topic: ["a", "x", "y", "z"] for topic in TOPICS}
WITHOUT = {topic: ["a", "b", "c"] for topic in TOPICS}


def checks(measure: str, qrels: Any, runs: Any = None, **more: Any) -> list[str]:
    return [finding.check for finding in choose(qrels, runs, **{**ANSWERS[measure], **more}).warnings]


@pytest.mark.parametrize(
    ("check", "measure", "wrong", "right"),
    [
        ("several-grades", "nDCG", (BINARY,), (GRADED,)),
        ("several-grades", "PrefLoss", (BINARY,), (GRADED,)),
        ("several-grades", "AP", (GRADED,), (BINARY,)),
        ("several-grades", "P@10", (GRADED,), (BINARY,)),
        ("no-relevant", "AP", (EMPTY,), (BINARY,)),
        ("no-relevant", "R@20", (EMPTY,), (BINARY,)),
        ("one-relevant", "AP", (ONE,), (BINARY,)),
        ("one-relevant", "nDCGT", (ONE,), (BINARY,)),
        ("lengths", "AP", (BINARY, UNEVEN), (BINARY, EVEN)),
        ("lengths", "RBPU(p=0.9)", (BINARY, EVEN), (BINARY, UNEVEN)),
        ("other-documents", "AUC", (BINARY, {"x": EVEN, "y": WITHOUT}), (BINARY, {"x": EVEN, "y": OTHER})),
        ("many-ties", "AP", (BINARY, TIED), (BINARY, EVEN)),
        ("many-unjudged", "AP", (BINARY, UNJUDGED), (BINARY, EVEN)),
        ("many-unjudged", "F", (BINARY, UNJUDGED), (BINARY, EVEN)),
    ],
)
def test_each_is_found_where_it_is(check: str, measure: str, wrong: tuple[Any, ...], right: tuple[Any, ...]) -> None:
    assert check in checks(measure, *wrong)
    assert check not in checks(measure, *right)


@pytest.mark.parametrize(
    ("check", "measure", "data"),
    [
        ("several-grades", "RBP(p=0.95)", (GRADED,)),  # It uses grades, whether asked for or not.
        ("no-relevant", "RBPU(p=0.9)", (EMPTY,)),  # Defined without relevant documents.
        ("no-relevant", "nDCGT", (EMPTY,)),
        ("one-relevant", "RR", (ONE,)),
        ("lengths", "nDCGT", (BINARY, UNEVEN)),
        ("other-documents", "AP", (BINARY, {"x": EVEN, "y": WITHOUT})),
        ("many-ties", "F", (BINARY, TIED)),  # A set has no order.
        ("many-unjudged", "PrefLoss", (GRADED, UNJUDGED)),  # It asks for judged documents only.
    ],
)
def test_what_makes_no_difference_is_not_said(check: str, measure: str, data: tuple[Any, ...]) -> None:
    assert check not in checks(measure, *data)


def test_lists_shorter_than_the_cutoff() -> None:
    [finding] = [f for f in choose(BINARY, UNEVEN, **{**ANSWERS["P@10"], "depth": 3}).warnings if f.check == "lengths"]
    assert finding.message == "run: 1 list shorter than 3, down to 1"
    assert finding.count == 1
    assert "lengths" not in checks("P@10", BINARY, UNEVEN, depth=1)


def test_a_collection_smaller_than_its_judgments() -> None:
    assert "small-size" in checks("OIE(size=20000)", BINARY, size=3)
    assert "small-size" not in checks("OIE(size=20000)", BINARY, size=4)


def test_preferences_can_be_read_by_one_measure_only() -> None:
    from truerank.io.load import as_preferences

    preferences = as_preferences([("q1", "a", "b"), ("q1", "a", "c")])
    assert checks("AP", preferences, {"q1": ["b", "a", "c"]}) == ["unreadable"]
    assert checks("PrefLoss", preferences, {"q1": ["b", "a", "c"]}) == []


def test_few_topics() -> None:
    pytest.importorskip("scipy")
    runs = {"x": {t: OTHER[t] if t in "q0q1" else EVEN[t] for t in TOPICS}, "y": EVEN}
    [finding] = [f for f in choose(BINARY, runs, **ANSWERS["AP"]).warnings if f.check == "few-topics"]
    assert finding.severity == "info"
    assert finding.message.startswith("with 4 topics, 1 of 1 pair of runs differ by less")
    assert "few-topics" not in checks("AP", BINARY, {"x": OTHER, "y": EVEN})  # The difference does not vary.
    assert "few-topics" not in checks("AP", BINARY, EVEN)


def test_an_answer_that_is_contradicted_weighs_more() -> None:
    def severity(measure: str) -> str:
        [finding] = [f for f in choose(GRADED, **ANSWERS[measure]).warnings if f.check == "several-grades"]
        return finding.severity

    assert (severity("AP"), severity("P@10")) == ("warning", "info")
    found = choose(GRADED, TIED, **ANSWERS["P@10"]).warnings
    assert [finding.severity for finding in found] == sorted((f.severity for f in found), reverse=True)


def test_a_higher_grade_is_suggested() -> None:
    [finding] = choose(GRADED, **ANSWERS["AP"]).warnings
    assert finding.message == "relevant documents have 2 grades, from 1 to 3"
    assert "AP(rel=3)" in finding.remedy


def test_notices_are_those_of_evaluate_and_nothing_is_said_twice() -> None:
    some = {topic: TIED[topic] for topic in TOPICS[1:]}
    found = choose(EMPTY, some, **ANSWERS["AP"])
    assert "no-relevant" in [finding.check for finding in found.warnings]
    assert not any("undefined" in notice for notice in found.notices)
    assert any("2 topics (q0 and q9) of 5 missing" in notice for notice in found.notices)
    assert any(notice.startswith("the order of ties can move AP") for notice in found.notices)


def test_runs_of_other_topics_are_refused() -> None:
    with pytest.raises(InputError, match="no topic in common"):
        choose(BINARY, {"z": ["a"]}, **ANSWERS["AP"])


def test_cranfield() -> None:
    qrels = need("classic", "cranfield", "qrels.txt")
    names = ("boolean_and", "coord_match", "bm25_lucene_1.2_0.75_stem_stop")
    runs = [need("classic", "cranfield", "runs", f"{name}.run.gz") for name in names]
    found = {f.check: f for f in choose(qrels, runs, **ANSWERS["AP"]).warnings}
    assert found["several-grades"].message == "relevant documents have 4 grades, from 1 to 4"
    assert found["lengths"].message == "boolean_and: lists differ in length, from 1 to 100"
    assert found["many-ties"].message == "2 of 3 runs: half of the documents or more are tied, 99% in coord_match"
    assert "many-unjudged" in found


def test_trec_8() -> None:
    qrels, run = need("trec8", "qrels.gz"), need("trec8", "runs", "UB99SW.gz")
    found = {f.check: f.message for f in choose(qrels, run, **ANSWERS["OIE(size=20000)"], silence_at=20).warnings}
    assert found["small-size"].endswith("documents are judged, more than the 20,000 of the collection")
    assert found["many-ties"] == "UB99SW: half of the documents or more are tied, 100%"
    assert "several-grades" not in found
    graded = choose(qrels, **ANSWERS["nDCG"])
    assert [finding.check for finding in graded.warnings] == ["several-grades"]
    assert graded.command == f'truerank evaluate {qrels} RUN... -m "nDCG"'
