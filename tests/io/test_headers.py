"""Columns are known by their names, or refused."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from truerank.data.errors import InputError
from truerank.io.headers import EVERY_NAME, KINDS, NAMES, recognise

KNOWN: list[tuple[str, str, str]] = [
    ("run", "query_id doc_id score", "query_id doc_id score"),
    ("run", "qid docno score", "qid docno score"),
    ("run", "q_id doc_id score", "q_id doc_id score"),
    ("run", "query-id corpus-id score", "query-id corpus-id score"),
    ("run", "user item score", "user item score"),
    ("run", "userID itemID prediction", "userID itemID prediction"),
    ("run", "qid docid docno rank score query", "qid docno score rank"),
    ("run", "rank qid docno", "qid docno rank"),
    ("run", "query query_id text doc_id score tag", "query_id doc_id score"),
    ("run", "Topic PID Similarity", "Topic PID Similarity"),
    ("run", "qid docno distance", "qid docno distance"),
    ("run", "qid docno distance score", "qid docno score"),
    ("run", "qid docno relevance score", "qid docno score"),
    ("run", "query document score", "query document score"),
    ("qrels", "query_id doc_id relevance iteration", "query_id doc_id relevance"),
    ("qrels", "qid docno label", "qid docno label"),
    ("qrels", "query_id doc_id relevance subtopic_id", "query_id doc_id relevance subtopic_id"),
    ("qrels", "qid docno label subtopic subtopic_id", "qid docno label"),
    ("qrels", "query-id corpus-id score", "query-id corpus-id score"),
    ("qrels", "qid docno label score", "qid docno label"),
    ("qrels", "user_id item_id rating", "user_id item_id rating"),
    ("preferences", "qid better worse", "qid better worse"),
    ("preferences", "topic winner loser", "topic winner loser"),
]


@pytest.mark.parametrize(("kind", "found", "expected"), KNOWN, ids=[f"{kind}: {found}" for kind, found, _ in KNOWN])
def test_columns_are_known_by_name(kind: str, found: str, expected: str) -> None:
    assert [*recognise(found.split(), kind).names.values()] == expected.split()


def test_blanks_case_and_byte_order_marks_do_not_matter() -> None:
    assert recognise(["\ufeffQuery ID", " doc-ID ", "SCORE"], "run").names == {
        "topic": "\ufeffQuery ID",
        "doc": " doc-ID ",
        "score": "SCORE",
    }


REFUSED: list[tuple[str, str, str]] = [
    ("run", "qid query_id docno score", "both 'qid' and 'query_id' could hold the topic; say which, as in read_run"),
    ("run", "qid docno pid score", "both 'docno' and 'pid' could hold the doc"),
    ("run", "qid docno docid doc_id score", "both 'docno' and 'docid' and 'doc_id' could hold the doc"),
    ("run", "qid docno score score", "there are several columns 'score'"),
    ("run", "qid docno sim similarity", "both 'sim' and 'similarity' could hold the score"),
    ("run", "a b c", "no column is known to hold the topic and doc and score among 'a', 'b', 'c'; say which"),
    ("run", "qid docno relevance", "no column is known to hold the score among"),
    (
        "qrels",
        "qid docno rank",
        r"the grade .* as in read_qrels\(..., columns={'grade': NAME}\) .--qrels-columns grade=NAME.",
    ),
    ("qrels", "qid docno label rel", "both 'label' and 'rel' could hold the grade"),
    ("preferences", "qid better score", "no column is known to hold the worse among"),
    ("run", "", "there are no columns; give a table of topic, doc, score"),
]


@pytest.mark.parametrize(("kind", "found", "message"), REFUSED, ids=[found for _, found, _ in REFUSED])
def test_unknown_and_ambiguous_columns_are_refused(kind: str, found: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        recognise(found.split(), kind)


def test_what_the_caller_says_comes_first() -> None:
    found = ["qid", "docno", "docid", "score", "distance"]
    assert recognise(found, "run", {"doc": "docid", "score": "distance"}).names == {
        "doc": "docid",
        "score": "distance",
        "topic": "qid",
    }
    # A column that holds one thing is not taken for another.
    assert recognise(["query", "qid", "score"], "run", {"topic": "query", "doc": "qid"})["topic"] == "query"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"grade": "label"}, "columns= says which column holds 'grade'; a run has topic, doc, score, rank"),
        ({"doc": "document"}, "there is no column 'document' for the doc; there are 'qid', 'docno', 'score'"),
    ],
)
def test_what_the_caller_says_must_be_so(given: dict[str, str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        recognise(["qid", "docno", "score"], "run", given)


@pytest.mark.parametrize("name", ["distance", "dist", "Distance"])
def test_distances_are_known_as_such(name: str) -> None:
    assert recognise(["qid", "docno", name], "run").is_distance
    assert not recognise(["qid", "docno", "score", name], "run").is_distance


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_stands_for_two_parts(kind: str) -> None:
    names = [name for part in KINDS[kind] for tier in EVERY_NAME[part] for name in tier]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("part", NAMES)
def test_every_name_is_documented(part: str) -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/data.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if re.match(rf"\| ({part}|{part} of .*|{part} one of .*) \|", line)]
    tiers = [cell.strip() for cell in row.split("|")[2:4]]
    assert tiers[0] == ", ".join(NAMES[part][0])
    assert tiers[1] == "; ".join(", ".join(tier) for tier in NAMES[part][1:])
