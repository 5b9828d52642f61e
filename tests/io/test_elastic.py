from __future__ import annotations

import io
import json
from types import SimpleNamespace
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.io.elastic import RATED
from truerank.io.load import as_qrels, as_run
from truerank.io.runs import named_runs


def hit(doc: str, score: float | None, rating: int | None) -> dict[str, Any]:
    return {"hit": {"_index": "docs", "_id": doc, "_score": score}, "rating": rating}


EVALUATED: dict[str, Any] = {
    "metric_score": 0.4,
    "details": {
        "q1": {
            "metric_score": 0.6,
            "unrated_docs": [{"_index": "docs", "_id": "d3"}],
            "hits": [hit("d1", 3.5, 2), hit("d2", 2.5, 0), hit("d3", 1.5, None)],
            "metric_details": {"precision": {"relevant_docs_retrieved": 1, "docs_retrieved": 2}},
        },
        "q2": {"metric_score": 0.0, "unrated_docs": [], "hits": []},
    },
    "failures": {},
}
SEARCHED: dict[str, Any] = {
    "q1": {
        "took": 3,
        "hits": {"total": {"value": 2}, "hits": [{"_id": "d1", "_score": 3.5}, {"_id": "d2", "_score": 2.5}]},
    },
    "q2": {"took": 1, "hits": {"total": {"value": 0}, "hits": []}},
}


def forms(response: Any) -> list[Any]:
    """As Python data, as a file, and as the object that a client returns."""
    return [response, io.StringIO(json.dumps(response)), SimpleNamespace(body=response, meta={})]


def test_evaluated_hits_are_a_run_and_judgments() -> None:
    for response in forms(EVALUATED):
        run = as_run(response)
        assert run.topics == (b"q1", b"q2")
        assert run.ranking("q1") == [("d1", 3.5), ("d2", 2.5), ("d3", 1.5)]
        assert run.notes == ()
    for response in forms(EVALUATED):
        qrels = as_qrels(response)
        assert (qrels.topics, qrels.docs.tolist(), qrels.grade.tolist()) == ((b"q1", b"q2"), [b"d1", b"d2"], [2, 0])
        assert qrels.notes == (RATED,)


def test_results_repeat_that_only_retrieved_documents_are_rated() -> None:
    scores = tr.evaluate(EVALUATED, EVALUATED, "P@1")
    assert scores["run"]["P@1"].per_topic == {"q1": 1.0, "q2": 0.0}
    assert RATED in scores.notices


def test_search_responses_by_topic_are_a_run() -> None:
    for response in forms(SEARCHED):
        assert as_run(response).ranking("q1") == [("d1", 3.5), ("d2", 2.5)]
    assert [run.name for run in named_runs(SEARCHED)] == ["run"]
    assert [run.name for run in named_runs({"bm25": SEARCHED, "dense": EVALUATED})] == ["bm25", "dense"]


def test_hits_in_another_order_than_by_score_have_none() -> None:
    response = {"q": {"hits": {"hits": [{"_id": "b", "_score": None, "sort": [1]}, {"_id": "a", "_score": None}]}}}
    run = as_run(response)
    assert run.ranking("q") == [("b", 2.0), ("a", 1.0)]
    assert run.notes == ("documents have no scores: taken to be listed best first",)


def test_failures_are_noted() -> None:
    failed = {**EVALUATED, "failures": {"q3": {"error": "no such index"}}}
    assert as_run(failed).notes == ("1 request failed and is missing (q3)",)


@pytest.mark.parametrize("failed", [5, 2.5, True, "q3", ["q3"]])
@pytest.mark.parametrize("read", [as_run, as_qrels])
def test_failures_of_another_kind_are_refused(read: Any, failed: Any) -> None:
    with pytest.raises(InputError, match=r'"failures" holds .*; give the response as the search engine returns it'):
        read({**EVALUATED, "failures": failed})


@pytest.mark.parametrize(
    ("read", "response", "message"),
    [
        (as_qrels, SEARCHED, "search responses hold no ratings; give judgments, or a response of ranking evaluation"),
        (as_run, SEARCHED["q1"], "a search response names no topic; give a dict from topics to their responses"),
        (as_run, {"took": 1, "responses": [SEARCHED["q1"]]}, "a search response names no topic"),
        (as_run, {"q": {"hits": {"hits": [{"_score": 1.0}]}}}, "a hit has no _id: {'_score': 1.0}; give hits as"),
        (as_run, {"details": {}}, "there are no rows; give a run with at least one topic"),
        (
            as_run,
            {"q": {"hits": {"hits": [{"_id": "a", "_score": 1.0}, {"_id": "b", "_score": None}]}}},
            "document 'b' of topic 'q' has the score None; give a finite number",
        ),
        (as_run, {"details": {"q": {"hits": [hit("a", 2.0, 1), hit("a", 1.0, 1)]}}}, "document 'a' is listed twice"),
        (as_qrels, {"details": {"q": {"hits": [hit("a", 2.0, "high")]}}}, "document 'a' of topic 'q' has the grade"),  # type: ignore[arg-type]
        (tr.read_preferences, EVALUATED, "ratings are no preferences"),
    ],
)
def test_other_responses_are_refused(read: Any, response: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        read(response)
    assert str(error.value).startswith(message)


def test_topics_may_have_the_names_of_fields() -> None:
    assert as_run({"details": {"hits": 0.5}, "responses": {"a": 1.0}}).ranking("details") == [("hits", 0.5)]
    assert as_run({"responses": ["a", "b"]}).ranking("responses")[0] == ("a", 2.0)
    assert as_run({"hits": {"hits": 1.0}, "took": {"a": 2.0}}).ranking("hits") == [("hits", 1.0)]


@pytest.mark.parametrize("other", ["q1", "failures", "metric_score"])
def test_other_topics_are_kept_beside_one_called_details(other: str) -> None:
    run = as_run({"details": {}, other: {"d1": 0.5}})
    assert (run.topics, run.ranking(other)) == ((b"details", other.encode()), [("d1", 0.5)])
    assert as_qrels({"details": [], other: ["d1"]}).docs.tolist() == [b"d1"]
    with pytest.raises(InputError, match="document 'x' of topic 'details' has the score"):
        as_run({"details": {"x": {"hits": []}}, other: {"d1": 0.5}})


def test_parts_of_a_response_may_be_left_out() -> None:
    for left_out in (["metric_score"], ["failures"], ["metric_score", "failures"]):
        response = {name: value for name, value in EVALUATED.items() if name not in left_out}
        assert as_run(response).ranking("q1") == as_run(EVALUATED).ranking("q1")
