"""Ids come back in the type that they came in; what is written is the same whatever that was."""

from __future__ import annotations

import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.compat import ir_measures
from truerank.data.given_ids import ByTopic

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")

DRAW = random.Random(5)
QRELS = {topic: {doc: DRAW.choice([0, 0, 1, 2]) for doc in range(100, 110)} for topic in (3, 10, 200)}
RUNS = {
    name: {topic: {doc: float(DRAW.randint(1, 5)) for doc in DRAW.sample(range(100, 115), 9)} for topic in QRELS}
    for name in ("a", "b", "c")
}
HALF = {topic: dict(list(docs.items())[::2]) for topic, docs in QRELS.items()}
TURNED = {topic: {doc: 2 - grade for doc, grade in docs.items()} for topic, docs in QRELS.items()}
PREFERENCES = [(topic, 100, 101) for topic in QRELS] + [(3, 102, 100), (10, 101, 102), (3, 101, 102)]

Data = Callable[[Any], Any]


def as_is(given: Any) -> Any:
    return given


def as_text(given: Any) -> Any:
    """The same data, where ids are text."""
    if isinstance(given, dict):
        return {str(key): as_text(value) if isinstance(value, dict) else value for key, value in given.items()}
    return [tuple(map(str, row)) for row in given]


QUESTIONS: dict[str, tuple[Callable[[Data], Any], dict[str, str]]] = {
    "evaluate": (lambda of: tr.evaluate(of(QRELS), of(RUNS), "AP RR"), {"topics": "topic"}),
    "collections": (
        lambda of: tr.evaluate(of(QRELS), of(RUNS), "AP", also=[(of(HALF), of(RUNS))]),
        {"topics": "topic"},
    ),
    "ties": (lambda of: tr.ties(of(QRELS), of(RUNS), "AP"), {"topics": "topic"}),
    "compare": (lambda of: tr.compare(of(QRELS), of(RUNS), "AP"), {"topics": "topic"}),
    "nil": (lambda of: tr.nil(of(QRELS), of(RUNS), "RR AP", limit=8), {"topics": "topic"}),
    "agreement by topic": (lambda of: tr.agreement_by_topic(of(QRELS), of(RUNS), grades=True), {"topics": "topic"}),
    "truncate": (lambda of: tr.truncate(of(QRELS), of(RUNS), "F"), {"topics": "topic"}),
    "stop": (lambda of: tr.stop(of(QRELS), of(RUNS), "F", folds=3), {"topics": "topic"}),
    "unjudged": (lambda of: tr.unjudged(of(QRELS), of(RUNS), "RBP nDCG@3", next=5), {"next": "topic doc"}),
    "judges": (
        lambda of: tr.judges({"all": of(QRELS), "turned": of(TURNED)}, "AP", runs=of(RUNS)),
        {"topics": "topic"},
    ),
    "audit": (lambda of: tr.audit(of(QRELS), of(RUNS), "P@3", people=of(HALF), next=3), {"next": "topic doc"}),
    "diff": (
        lambda of: tr.diff(of(QRELS), of(RUNS)["a"], of(RUNS)["b"], "AP"),
        {"topics": "topic", "documents": "topic doc"},
    ),
    "explain": (
        lambda of: tr.explain(of(QRELS), of(RUNS)["a"], "AP", topic=3),
        {"steps": "doc", "changes": "doc other"},
    ),
    "preferences": (
        lambda of: tr.preferences(of(PREFERENCES), of(RUNS), of(QRELS)),
        {
            "topics": "topic",
            "lists": "topic",
            "triples": "topic a b c",
            "cycles": "topic",
            "grades": "topic document",
            "agreement": "topic",
        },
    ),
    "pools": (lambda of: tr.pools(of(QRELS), of(RUNS), depth=3), {"topics": "topic"}),
    "pool": (lambda of: tr.pool(of(RUNS), 3, qrels=of(HALF)), {"documents": "topic document"}),
    "lint": (lambda of: tr.lint(of(QRELS), of(RUNS)), {}),
}
"""Questions of data whose ids are whole numbers, or text; and which columns of which sheets are ids."""


def back(row: dict[str, Any], ids: list[str]) -> dict[str, Any]:
    """A record whose ids are text."""
    return {name: str(value) if name in ids and value is not None else value for name, value in row.items()}


@pytest.mark.parametrize("name", QUESTIONS)
def test_what_is_written_does_not_tell_whole_numbers_from_text(name: str) -> None:
    ask, _ = QUESTIONS[name]
    numbers, text = ask(as_is), ask(as_text)
    assert numbers.to_json() == text.to_json()
    assert numbers.to_html() == text.to_html()
    for show in numbers.sheets:
        for form in ("table", "csv", "markdown", "latex"):
            assert numbers.render(form, show) == text.render(form, show)


@pytest.mark.parametrize("name", QUESTIONS)
def test_records_and_data_frames_have_ids_as_they_came(name: str) -> None:
    ask, ids = QUESTIONS[name]
    numbers, text = ask(as_is), ask(as_text)
    for show in numbers.sheets:
        ours, theirs, columns = numbers.to_records(show), text.to_records(show), ids.get(show, "").split()
        # NaN is not equal to itself, but is written as it is.
        assert repr([back(row, columns) for row in ours]) == repr(theirs)
        pandas, polars, arrow = numbers.to_pandas(show), numbers.to_polars(show), numbers.to_arrow(show)
        for column in columns:
            assert {type(row[column]) for row in ours if row[column] not in (None, "all")} == {int}
            known = [row[column] if isinstance(row[column], int) else None for row in ours]
            assert polars[column].to_list() == arrow[column].to_pylist() == known
            assert [None if value is pd.NA else value for value in pandas[column]] == known
            assert (str(polars[column].dtype), str(arrow[column].type)) == ("Int64", "int64")
            assert str(pandas[column].dtype) == ("Int64" if None in known else "int64")
        assert [*text.to_polars(show).schema.items()] == [
            (column, pl.String if column in columns else kind) for column, kind in polars.schema.items()
        ]


ROWS = [(topic, doc, grade) for topic, docs in QRELS.items() for doc, grade in docs.items()]
NAMES = ("query_id", "doc_id", "relevance")
COLUMNS = dict(zip(NAMES, map(list, zip(*ROWS, strict=True)), strict=True))
FORMS: dict[str, Callable[[], Any]] = {
    "dict": lambda: QRELS,
    "dict of numpy's integers": lambda: {
        np.int32(topic): {np.uint16(doc): grade for doc, grade in docs.items()} for topic, docs in QRELS.items()
    },
    "rows": lambda: ROWS,
    "records": lambda: [dict(zip(NAMES, row, strict=True)) for row in ROWS],
    "array": lambda: np.array(ROWS),
    "pandas": lambda: pd.DataFrame(COLUMNS),
    "pandas, unsigned": lambda: pd.DataFrame(COLUMNS).astype({"query_id": "uint8", "doc_id": "UInt64"}),
    "pandas, objects": lambda: pd.DataFrame(COLUMNS, dtype=object),
    "pandas, categories": lambda: pd.DataFrame(COLUMNS).astype({"query_id": "category", "doc_id": "category"}),
    "pandas, in Arrow's memory": lambda: pd.DataFrame(COLUMNS).astype("int64[pyarrow]"),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars, lazy": lambda: pl.LazyFrame(COLUMNS),
    "arrow": lambda: pa.table(COLUMNS),
    "what was read": lambda: tr.read_qrels(QRELS),
}


@pytest.mark.parametrize("make", FORMS.values(), ids=FORMS)
def test_integers_are_known_in_every_form_of_data(make: Callable[[], Any]) -> None:
    found = tr.evaluate(make(), RUNS["a"], "AP")
    assert {(type(topic), topic) for topic in found["run"]["AP"].per_topic} == {(int, topic) for topic in QRELS}
    # Documents that only judgments have.
    lost = tr.explain(make(), {3: {}}, "AP", topic=3).to_records("changes")
    assert {type(row["doc"]) for row in lost if row["doc"] is not None} == {int}


def written(kind: str, path: Path) -> str:
    if kind == "json":
        path.write_text(json.dumps([dict(zip(NAMES, row, strict=True)) for row in ROWS]))
    elif kind == "parquet":
        pl.DataFrame(COLUMNS).write_parquet(path)
    elif kind == "csv":
        pl.DataFrame(COLUMNS).write_csv(path)
    else:
        path.write_text("".join(f"{topic} 0 {doc} {grade}\n" for topic, doc, grade in ROWS))
    return str(path)


@pytest.mark.parametrize("kind", ["json", "parquet", "csv", "txt"])
def test_what_a_file_has_is_text(kind: str, tmp_path: Path) -> None:
    found = tr.evaluate(written(kind, tmp_path / f"qrels.{kind}"), RUNS["a"], "AP")
    assert {*found["run"]["AP"].per_topic} == {"3", "10", "200"}
    assert found.to_polars("topics").schema["topic"] == pl.String


def test_ids_of_both_types_are_text() -> None:
    topics = {3: {"d1": 1}, "q4": {"d1": 1}}
    assert [*tr.evaluate(topics, {3: {"d1": 1.0}}, "AP")["run"]["AP"].per_topic] == ["3", "q4"]
    assert [*tr.evaluate({3: {1: 1}, "3": {2: 1}}, {3: {1: 1.0}}, "AP")["run"]["AP"].per_topic] == ["3"]
    found = tr.diff(QRELS, {3: {"100": 1.0}}, RUNS["b"], "AP")
    assert {type(row["doc"]) for row in found.to_records("documents")} == {str}
    assert {type(row["topic"]) for row in found.to_records("documents")} == {int}


def test_a_value_is_found_by_number_and_by_text() -> None:
    values = tr.evaluate(QRELS, RUNS["a"], "AP")["run"]["AP"].per_topic
    assert values == dict(values) == pickle.loads(pickle.dumps(values))
    assert [*values] == [10, 200, 3]
    for topic in QRELS:
        assert values[topic] == values[str(topic)] == values[np.int64(topic)] == values.get(str(topic))
        assert topic in values
        assert str(topic) in values
    for wrong in (4, "4", "03", "+3", "-0", "٣", "", None, True, 3.5, b"3", ("3",)):
        assert wrong not in values
        assert values.get(wrong) is None
        with pytest.raises(KeyError):
            values[wrong]


def test_a_number_finds_what_was_text() -> None:
    values = ByTopic([("3", 0.5), ("03", 0.25), ("-7", 1.0)])
    assert (values[3], values["03"], values[-7], 4 in values) == (0.5, 0.25, 1.0, False)


@pytest.mark.parametrize(
    ("ids", "kind"),
    [([-5, 2**63 - 1], "Int64"), ([0, 2**64 - 1], "UInt64"), ([-1, 2**63], "String"), ([1, 2**64], "String")],
)
def test_ids_of_any_size_have_a_type_of_their_own(ids: list[int], kind: str) -> None:
    found = tr.evaluate({topic: {1: 1} for topic in ids}, {ids[0]: {1: 1.0}}, "AP")
    assert {*found["run"]["AP"].per_topic} == {*ids}
    topics = [row["topic"] for row in found.to_records("topics")]
    assert {*topics} == {*ids, "all"}
    wanted = [*map(str, topics)] if kind == "String" else [None if topic == "all" else topic for topic in topics]
    assert (str(found.to_polars("topics").schema["topic"]), found.to_polars("topics")["topic"].to_list()) == (
        kind,
        wanted,
    )
    assert found.to_arrow("topics")["topic"].to_pylist() == wanted
    pandas = found.to_pandas("topics")["topic"]
    assert [None if value is pd.NA else value for value in pandas] == wanted


def test_the_row_that_sums_up_others_is_left_out_in_pandas_as_before() -> None:
    frame = tr.evaluate(QRELS, RUNS["a"], "AP").to_pandas("topics")
    assert frame[frame.topic != "all"].topic.to_list() == [10, 200, 3]
    judged = pd.DataFrame(COLUMNS).drop_duplicates("query_id")
    assert len(frame.merge(judged, left_on="topic", right_on="query_id")) == 3
    wide = tr.evaluate(QRELS, RUNS["a"], "AP").to_pandas("topics", wide=True)
    assert wide.topic.dropna().to_list() == [10, 200, 3]


def test_what_is_found_by_topic_is_found_by_its_id() -> None:
    assert tr.compare(QRELS, RUNS, "AP")["AP"].systems["a"].topics.keys() == QRELS.keys()
    preferences = tr.preferences(PREFERENCES, RUNS)
    assert preferences.topics.keys() == preferences.orders.keys() == QRELS.keys()
    pool = tr.pool({"a": {3: [7, 8]}, "b": {3: [8]}}, 2).by_topic()
    assert pool == {3: [8, 7]}
    assert tr.pool({"a": {"q": ["x"]}}, 2).by_topic() == {"q": ["x"]}
    found = tr.diff(QRELS, RUNS["a"], RUNS["b"], "AP")["AP"]
    assert found.documents(3) == found.documents("3") == found.documents([3])
    assert found.rest(10) == found.rest("10")
    with pytest.raises(KeyError, match="topic 4 was not compared"):
        found.documents(4)


def test_a_ranking_has_documents_as_they_came() -> None:
    run = tr.read_run({3: {7: 0.5, 8: 1.0}})
    assert run.ranking(3) == run.ranking("3") == run.ranking(b"3") == [(8, 1.0), (7, 0.5)]
    near = np.array([[0.1, 0.2]]), np.array([[7, 8]])
    assert tr.read_run(near, topic_ids=[3]).ranking(3) == [(7, -0.1), (8, -0.2)]
    assert tr.read_run([[0.5, 1.0]], topic_ids=["q"], doc_ids=[7, 8]).ranking("q") == [(8, 1.0), (7, 0.5)]
    assert tr.read_run([[0.5, 1.0]], topic_ids=["q"], doc_ids=["7", 8]).ranking("q") == [("8", 1.0), ("7", 0.5)]
    assert tr.read_run({3: {"c1": 0.5}}, chunks={"c1": 7}).ranking(3) == [(7, 0.5)]
    with pytest.raises(KeyError):
        run.ranking(4)


def test_a_stand_in_has_text_as_the_tool_has() -> None:
    found = [*ir_measures.iter_calc([ir_measures.AP], as_text(QRELS), as_text(RUNS["a"]))]
    numbers = [*ir_measures.iter_calc([ir_measures.AP], QRELS, RUNS["a"])]
    assert numbers == found
    assert {type(one.query_id) for one in numbers} == {str}
