from __future__ import annotations

import gzip
import io
import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.load import as_preferences, as_qrels, as_run
from truerank.io.runs import named_runs

EXPECTED = {"q1": [("d2", 2.0), ("d1", 0.5)], "q2": [("d1", -1.0)]}
FLAT = [("q1", "d1", 0.5), ("q2", "d1", -1), ("q1", "d2", 2)]
LISTS = {"q1": [("d1", 0.5), ("d2", 2)], "q2": [("d1", -1)]}

Hit = namedtuple("Hit", ["docid", "score"])
ScoredDoc = namedtuple("ScoredDoc", ["doc_id", "score", "query_id"])


def contents(run: Run) -> dict[str, list[tuple[str, float]]]:
    return {topic.decode(): run.ranking(topic) for topic in run.topics}


def records(names: str) -> list[dict[str, Any]]:
    return [dict(zip(names.split(), row, strict=True)) for row in FLAT]


def nested(name: str, as_item: Callable[[str, float], Any]) -> list[dict[str, Any]]:
    return [{"query_id": topic, name: [as_item(*pair) for pair in pairs]} for topic, pairs in LISTS.items()]


WHOLE: dict[str, Any] = {
    "dicts": {topic: dict(pairs) for topic, pairs in LISTS.items()},
    "pairs": LISTS,
    "records by topic": {t: [{"doc_id": d, "score": s, "text": "x"} for d, s in pairs] for t, pairs in LISTS.items()},
    "hits by topic": {t: [{"_id": d, "_score": s, "_source": {}} for d, s in pairs] for t, pairs in LISTS.items()},
    "records": records("query_id doc_id score"),
    "pyterrier": records("qid docno score"),
    "beir": records("query-id corpus-id score"),
    "rows": FLAT,
    "results": nested("results", lambda d, s: {"id": d, "score": s}),
    "hits": nested("hits", lambda d, s: {"docid": d, "score": s, "query_id": "ignored"}),
    "docs": nested("docs", lambda d, s: [d, s]),
    "a dict a topic": [{"qid": topic, "results": dict(pairs)} for topic, pairs in LISTS.items()],
    "search responses": [
        {"qid": t, "hits": {"total": 1, "hits": [{"_id": d, "_score": s} for d, s in pairs]}}
        for t, pairs in LISTS.items()
    ],
}


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE)
def test_every_form_gives_the_same_run(data: Any, tmp_path: Path) -> None:
    assert contents(as_run(data)) == EXPECTED
    for indent in (None, 2):
        assert contents(as_run(io.StringIO(json.dumps(data, indent=indent)))) == EXPECTED
    path = tmp_path / "dense.json.gz"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(data).encode()))
    assert contents(as_run(path)) == EXPECTED
    assert [run.name for run in named_runs(str(path))] == ["dense"]
    assert [contents(run.read()) for run in named_runs(data)] == [EXPECTED]


@pytest.mark.parametrize("data", [data for data in WHOLE.values() if isinstance(data, list)])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n"])
def test_a_record_a_line(data: list[Any], end: str) -> None:
    lines = end.join(map(json.dumps, data))
    assert contents(as_run(io.StringIO(lines))) == contents(as_run(io.StringIO(lines + end))) == EXPECTED


OBJECTS: dict[str, Any] = {
    "hits": {topic: [Hit(*pair) for pair in pairs] for topic, pairs in LISTS.items()},
    "attributes": {t: [SimpleNamespace(docid=d, score=s, contents="") for d, s in pairs] for t, pairs in LISTS.items()},
    "rows": [SimpleNamespace(qid=q, docno=d, score=s) for q, d, s in FLAT],
    "named": [ScoredDoc(d, s, q) for q, d, s in FLAT],
    "generator": lambda: (ScoredDoc(d, s, q) for q, d, s in FLAT),
    "structured": np.array(FLAT, dtype=[("qid", "U2"), ("docno", "U2"), ("score", "f8")]),
    "arrays": {
        np.str_("q1"): {np.str_("d1"): np.float32(0.5), np.bytes_(b"d2"): np.int8(2)},
        "q2": {"d1": np.array(-1.0)},
    },
    "object array": np.array(FLAT, dtype=object),
}


@pytest.mark.parametrize("data", OBJECTS.values(), ids=OBJECTS)
def test_objects_are_taken_apart_by_the_same_names(data: Any) -> None:
    assert contents(as_run(data() if callable(data) else data)) == EXPECTED


def test_names_of_parts_may_be_given() -> None:
    data = [{"a": "q", "b": "x", "c": 1.0, "score": 5.0}]
    given = {"topic": "a", "doc": "b", "score": "c"}
    for form in (data, io.StringIO(json.dumps(data[0])), [SimpleNamespace(**data[0])]):
        assert as_run(form, columns=given).ranking("q") == [("x", 1.0)]


@pytest.mark.parametrize("data", [{"q": ["a", "b"]}, {"q": [{"id": "a"}, {"id": "b", "text": ""}]}])
def test_lists_without_scores_are_noted(data: Any) -> None:
    for given in (data, io.StringIO(json.dumps(data)), [{"qid": "q", "ctxs": data["q"]}]):
        run = as_run(given)
        assert run.ranking("q") == [("a", 2.0), ("b", 1.0)]
        assert "documents have no scores: taken to be listed best first" in run.notes


def test_a_list_in_two_pieces_goes_on_where_it_ended() -> None:
    run = as_run([{"qid": "q", "docs": ["a", "b"]}, {"qid": "p", "docs": []}, {"qid": "q", "docs": ["c"]}])
    assert contents(run) == {"p": [], "q": [("a", 3.0), ("b", 2.0), ("c", 1.0)]}


JUDGMENTS: list[Any] = [
    {"q": {"a": 2, "b": True}},
    {"q": [["a", 2], ["b", 1]]},
    {"q": [{"doc_id": "a", "relevance": 2}, {"doc_id": "b", "relevance": True}]},
    [{"qid": "q", "docno": "a", "label": 2}, {"qid": "q", "docno": "b", "label": 1}],
    [{"query_id": "q", "qrels": {"a": 2, "b": 1}}],
    [{"query_id": "q", "judgments": [{"doc_id": "a", "grade": 2}, {"doc_id": "b", "grade": 1}]}],
]


@pytest.mark.parametrize("data", JUDGMENTS)
def test_judgments(data: Any) -> None:
    for given in (data, io.StringIO(json.dumps(data))):
        qrels = as_qrels(given)
        assert (qrels.topics, qrels.docs.tolist(), qrels.grade.tolist()) == ((b"q",), [b"a", b"b"], [2, 1])


def test_relevant_documents_and_preferences() -> None:
    assert as_qrels(io.StringIO('{"query_id": "q", "relevant": ["a", "b"]}')).grade.tolist() == [1, 1]
    for data in ({"q": [["a", "b"]]}, [{"query_id": "q", "better": "a", "worse": "b"}], [["q", "a", "b"]]):
        assert as_preferences(io.StringIO(json.dumps(data))).docs.tolist() == [b"a", b"b"]
    assert repr(as_qrels([{"query_id": "q", "better": "a", "worse": "b"}])) == "Preferences(1 topics, 1 preferences)"


def test_several_runs_are_told_from_one() -> None:
    run = {"q1": [{"doc_id": "d1", "score": 1.0}]}
    assert [each.name for each in named_runs({"a": run, "b": run})] == ["a", "b"]
    assert [each.name for each in named_runs([run, run])] == ["run#1", "run#2"]
    rows = [{"qid": "q1", "docno": "d1", "score": 1.0}]
    assert [each.name for each in named_runs({"a": rows, "b": rows})] == ["a", "b"]
    assert [each.name for each in named_runs({"a": iter(rows), "b": [["q1", "d1", 1.0]]})] == ["a", "b"]
    assert [each.name for each in named_runs([iter(rows), iter(rows)])] == ["run#1", "run#2"]
    assert len(named_runs({"q1": np.array(["d1", "d2"])})) == 1
    assert len(named_runs({"qid": "q1", "docs": ["d1"]})) == 1


def test_generators_are_read_once() -> None:
    import truerank as tr

    rows = (row for row in FLAT)
    # The second measure looks at runs twice, since it asks which documents were pooled.
    scores = tr.evaluate({"q1": {"d1": 1}}, rows, "AP AP(norm='pool')")
    assert scores["run"]["AP"].mean == 0.5


def test_other_bytes_and_halves_of_characters() -> None:
    assert as_run(io.BytesIO(b'{"q\xff": {"d\xfe": 1}}')).docs.tolist() == [b"d\xfe"]
    with pytest.raises(InputError, match=r"topic .q.: document ..ud800. has half a character in it; mend the id"):
        as_run(io.BytesIO(b'{"q": {"\\ud800": 1}}'))


REFUSED: list[tuple[str, int | None, str]] = [
    ("{}", None, "there are no rows; give a run with at least one topic"),
    ("[]", None, "there are no rows"),
    ('{"q": {"a": 1}', 1, "this is not JSON (Expecting ',' delimiter); mend it, or give a file that is complete"),
    ('{"q":\n {"a": 1,}}', 2, "this is not JSON ("),
    ('{"q": {"a": 1}} x', 1, "this is not JSON (something follows on the same line)"),
    ('{"q": {"a": 1, "b": 2, "a": 3}}', None, "the name 'a' comes twice in one object; keep one of the two"),
    ('{"q": {"a": NaN}}', None, "document 'a' of topic 'q' has the score nan; give a finite number"),
    ('{"q": {"a": "1.5"}}', None, "document 'a' of topic 'q' has the score '1.5'"),
    ('{"q": {"a": null}}', None, "document 'a' of topic 'q' has the score None"),
    ('{"q": {"a": true}}', None, "document 'a' of topic 'q' has the score True"),
    ('{"q": {"a": {"b": 1}}}', None, "document 'a' of topic 'q' has the score {'b': 1}"),
    ('{"q": 5}', None, "topic 'q' holds a int; give a dict of documents with numbers, or a list"),
    ('{"q": ["a", "a"]}', None, "document 'a' is listed twice for topic 'q'; keep one of the two"),
    ('{"q": [{"doc_id": "a", "score": 1}, {"doc_id": "b"}]}', None, "rows differ in their fields: one has no 'score'"),
    ('{"q": [{"name": "a", "score": 1}]}', None, "no column is known to hold the doc among 'name', 'score'"),
    ('{"qid": "q", "docs": ["a"], "hits": ["a"]}', None, "both 'docs' and 'hits' could be the topic's documents"),
    ('["q", "a", 1]\n["q", "b"]\n', 2, "a row has 2 fields: ['q', 'b']; give rows of (query_id, doc_id, score)"),
    ('["q", "a", 1]\n\n["q", "a", 2]\n', 3, "document 'a' is listed twice for topic 'q' (first on line 1)"),
    ('{"qid": "q", "docno": "a", "score": 1}\n\n{"qid": "q", "docno": "b"}', 3, "rows differ in their fields: one has"),
    (
        '{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q", "docno": "b", "score": "x"}',
        2,
        "document 'b' of topic 'q'",
    ),
    ('{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q", "docno": 1.5, "score": 2}', 2, "topic 'q': document 1.5 is"),
    ('{"qid": "q", "docno": "a", "score": 1}\n["q", "b", 1]', 2, "rows differ in their fields: one has no 'qid'"),
    ('{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q", "docno": "b", "score": 1', 2, "this is not JSON ("),
    ('{"qid": "q", "docs": ["a"]}\n{"qid": "q", "docs": ["b", "a"]}', 2, "document 'a' is listed twice for topic 'q'"),
    ('{"qid": "q", "docno": "a", "score": 1}\n{"qid": "q", "qid": "r", "score": 1}', 2, "the name 'qid' comes twice"),
    ('{"qid": "q", "docno": "a", "distance": 1}', None, "the score is called 'distance'; if a small one is good"),
    ("[" * 100_000, 1, "this is not JSON (it is nested too deeply)"),
]


@pytest.mark.parametrize(("written", "line", "message"), REFUSED, ids=range(len(REFUSED)))
def test_bad_files_are_refused(written: str, line: int | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "dense.json"
    path.write_text(written)
    with pytest.raises(InputError) as error:
        as_run(path)
    assert str(error.value).startswith(f"{path}:{line}: {message}" if line else f"{path}: {message}")


@pytest.mark.parametrize("before", ["", '{"q1": {"d1": 1}}\n'])
def test_a_number_of_thousands_of_digits_is_refused(before: str) -> None:
    text = f'{before}{{"q2": {{"d1": {"1" * 5000}}}}}'
    message = rf":{1 + bool(before)}: this is not JSON \(a whole number has thousands of digits\); mend it"
    with pytest.raises(InputError, match=message):
        as_run(io.StringIO(text))
