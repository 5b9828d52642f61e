from __future__ import annotations

import io
import math
import os
import subprocess
import sys
from collections import OrderedDict, namedtuple
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.io.load import as_preferences, as_qrels, as_run

ScoredDoc = namedtuple("ScoredDoc", ["doc_id", "score", "query_id"])
Qrel = namedtuple("Qrel", ["query_id", "doc_id", "relevance", "iteration"])


@dataclass
class Scored:
    query_id: str
    doc_id: str
    score: float


EXPECTED = {b"q1": [(b"d2", 2.0), (b"d1", 0.5)], b"q2": [(b"d1", -1.0)]}
RUNS: list[Any] = [
    {"q1": {"d1": 0.5, "d2": 2}, "q2": {"d1": -1.0}},
    {"q2": {"d1": -1}, "q1": {"d2": np.float32(2), "d1": np.float64(0.5)}},
    {"q2": OrderedDict(d1=np.int64(-1)), "q1": {"d2": 2.0, "d1": Fraction(1, 2)}},
    {b"q1": {b"d1": 0.5, b"d2": 2}, b"q2": {b"d1": -1.0}},
    {"q1": {b"d1": 0.5, "d2": 2}, b"q2": {"d1": -1.0}},
    {"q1": [("d1", 0.5), ("d2", 2)], "q2": [("d1", -1)]},
    [("q1", "d1", 0.5), ("q2", "d1", -1), ("q1", "d2", 2)],
    (row for row in [("q1", "d1", 0.5), ("q2", "d1", -1), ("q1", "d2", 2)]),
    [["q1", "d1", 0.5], ["q2", "d1", -1], ["q1", "d2", 2]],
    [ScoredDoc("d1", 0.5, "q1"), ScoredDoc("d1", -1, "q2"), ScoredDoc("d2", 2, "q1")],
    [Scored("q1", "d1", 0.5), Scored("q2", "d1", -1), Scored("q1", "d2", 2)],
    [{"query_id": q, "doc_id": d, "score": s} for q, d, s in [("q1", "d1", 0.5), ("q2", "d1", -1), ("q1", "d2", 2)]],
    io.StringIO("q1 Q0 d1 1 0.5 t\nq2 Q0 d1 1 -1 t\nq1 Q0 d2 1 2 t"),
]


def contents(data: Run | Qrels) -> dict[bytes, list[tuple[bytes, float]]]:
    docs, value, offsets = (
        data.docs.tolist(),
        data.score if isinstance(data, Run) else data.grade,
        data.offsets.tolist(),
    )
    return {
        topic: [*zip(docs[begin:end], value.tolist()[begin:end], strict=True)]
        for topic, begin, end in zip(data.topics, offsets[:-1], offsets[1:], strict=True)
    }


@pytest.mark.parametrize("data", RUNS, ids=range(len(RUNS)))
def test_every_form_gives_the_same_run(data: Any) -> None:
    run = as_run(data)
    assert contents(run) == EXPECTED
    assert run.key.tolist() == run.docs.keys().tolist()


@pytest.mark.parametrize("documents", [["a", "b", "c"], ("a", "b", "c"), np.array(["a", "b", "c"])])
def test_lists_are_best_first(documents: Any) -> None:
    assert contents(as_run({"q": documents})) == {b"q": [(b"a", 3.0), (b"b", 2.0), (b"c", 1.0)]}


QRELS: list[Any] = [
    {"q1": {"d1": 1, "d2": 1}, "q2": {"d1": 1}},
    {"q1": ["d1", "d2"], "q2": ["d1"]},
    {"q1": ("d1", "d2"), "q2": {"d1"}},
    {"q1": [("d1", 1), ("d2", 1.0)], "q2": [("d1", np.int8(1))]},
    [("q1", "d1", 1), ("q2", "d1", 1), ("q1", "d2", 1)],
    iter([Qrel("q1", "d1", 1, "0"), Qrel("q2", "d1", 1, "0"), Qrel("q1", "d2", 1, "0")]),
]


@pytest.mark.parametrize("data", QRELS, ids=range(len(QRELS)))
def test_every_form_gives_the_same_qrels(data: Any) -> None:
    assert contents(as_qrels(data)) == {b"q1": [(b"d1", 1.0), (b"d2", 1.0)], b"q2": [(b"d1", 1.0)]}


def test_ids_may_be_integers() -> None:
    assert contents(as_run({7: {10: 1.0, np.int64(9): 2.0}})) == {b"7": [(b"9", 2.0), (b"10", 1.0)]}
    assert contents(as_run([(7, "a", 1), ("7", "b", 2), (b"7", "c", 3)]))[b"7"][0] == (b"c", 3.0)


def test_a_topic_without_documents_is_kept() -> None:
    assert contents(as_run({"q1": {}, "q2": {"a": 1}})) == {b"q1": [], b"q2": [(b"a", 1.0)]}
    assert contents(as_qrels({"q1": []})) == {b"q1": []}


def test_negative_zero_is_zero() -> None:
    assert math.copysign(1, as_run({"q": {"a": -0.0}}).score[0]) == 1


WRONG_SCORES = [True, np.True_, math.nan, math.inf, -math.inf, None, "1.5", 1j, 10**400, [1]]


@pytest.mark.parametrize("score", WRONG_SCORES)
def test_wrong_scores_are_refused_by_topic_and_document(score: Any) -> None:
    for data in ({"p": {"x": 1}, "q": {"a": 1.0, "b": score}}, [("p", "x", 1), ("q", "a", 1.0), ("q", "b", score)]):
        with pytest.raises(InputError, match=r"document 'b' of topic 'q' has the score .*; give a finite number"):
            as_run(data)
        if isinstance(score, bool | np.bool_):
            assert as_qrels(data).grade.tolist() == [1.0, 1.0, 1.0]
            continue
        with pytest.raises(InputError, match=r"document 'b' of topic 'q' has the grade .*; give a finite number"):
            as_qrels(data)


REFUSED: list[tuple[Any, str]] = [
    ({}, "there are no rows; give a run with at least one topic"),
    ([], "there are no rows"),
    ({"q": {1.5: 1}}, "topic 'q': document 1.5 is a float; give ids as str, bytes or int"),
    ({"q": {True: 1}}, "document True is a bool"),
    ({None: {"a": 1}}, "topic None is a NoneType"),
    ({"q": 5}, "topic 'q' holds a int; give a dict of documents with numbers, or a list"),
    ({"q": "abc"}, "topic 'q' holds a str"),
    ({"q": {"a", "b"}}, "topic 'q' holds a set, which has no order"),
    ({"q": {"a": 1}, "r": ["b"]}, "some topics hold a dict and some a list"),
    ({"q": ["a", ("b", 1)]}, "a list mixes documents with other things"),
    ({"q": [("a", 1, 2)]}, "a list mixes documents with other things"),
    ({"q": ["a", "b", "a"]}, "document 'a' is listed twice for topic 'q'; keep one"),
    ({"q": {1: 1.0, "1": 2.0}}, "document '1' is listed twice"),
    ([("q", "a")], r"a row has 2 fields: \('q', 'a'\); give rows of \(query_id, doc_id, score\)"),
    ([("q", "a", 1, 2)], "a row has 4 fields"),
    ([("q", "a", 1), 5], "a row is not a tuple"),
    ([([], "a", 1)], "a topic is not a str, bytes or int"),
    ([Scored("q", "a", 1), ("q", "b", 1)], "rows differ in their fields"),
]


@pytest.mark.parametrize(("data", "message"), REFUSED, ids=range(len(REFUSED)))
def test_other_data_are_refused(data: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        as_run(data)


def test_judgments_that_differ_are_refused() -> None:
    with pytest.raises(InputError, match="document 'a' of topic 'q' is judged 2 and 1; keep one of the two"):
        as_qrels([("q", "a", 1), ("q", "a", 2)])
    assert len(as_qrels([("q", "a", 1), ("q", "a", 1)])) == 1


def test_preferences() -> None:
    for data in ([("q", "a", "b"), ("q", "c", "a")], {"q": [("a", "b"), ("c", "a")]}, io.StringIO("q a b\nq c a")):
        preferences = as_preferences(data)
        assert preferences.docs.tolist() == [b"a", b"b", b"c"]
        assert preferences.pairs.tolist() == [[0, 1], [2, 0]]
        assert as_qrels(preferences) is preferences


def test_what_is_read_already_is_kept(tmp_path: Path) -> None:
    run, qrels = as_run({"q": {"a": 1}}, "bm25"), as_qrels({"q": ["a"]})
    assert as_run(run) is run
    assert as_run(run, "other").name == "other"
    assert run.name == "bm25"
    assert as_qrels(qrels) is qrels
    (tmp_path / "x.run").write_text("q Q0 a 1 1 t")
    assert as_run(tmp_path / "x.run").name == as_run(str(tmp_path / "x.run")).name == "x"


@pytest.mark.parametrize("data", [5, None, b"bytes", 1.5])
def test_other_types_are_refused_in_one_line(data: Any) -> None:
    for convert in (as_run, as_qrels, as_preferences):
        with pytest.raises(TypeError, match='give a path, "-", an open file, a dict, a data frame, or rows of'):
            convert(data)


def test_input_is_not_changed() -> None:
    data = {"q": {"a": 1, "b": 3.0}, "p": {"a": 2}}
    copy = {topic: dict(documents) for topic, documents in data.items()}
    as_run(data), as_qrels(data)
    assert data == copy
    assert list(data) == list(copy)


SETS = """
from truerank.io.load import as_qrels
docs = {f"d{n}" for n in range(40)} | {"\u00e9", "\uff5e", "\U0001f600"}
for data in ({"q": docs}, {"q": frozenset(docs)}, {"q": {(doc, 2) for doc in docs}}, {("q", doc, 1) for doc in docs}):
    found = as_qrels(data).docs.tolist()
    assert found == sorted(doc.encode() for doc in docs) or isinstance(data, set)
    print(found)
print(as_qrels({"q": {"b", 7, b"a", 10}}).docs.tolist())
"""


def test_sets_are_laid_out_alike_whatever_the_seed_of_hashes() -> None:
    said = [
        subprocess.run(
            [sys.executable, "-c", SETS],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert said[0] == said[1]
    assert said[0].splitlines()[-1] == "[b'10', b'7', b'a', b'b']"


def test_half_a_character_in_a_set_is_refused() -> None:
    with pytest.raises(InputError, match="has half a character in it"):
        as_qrels({"q": {"\ud800", "a"}})
