"""Responses of Elasticsearch and OpenSearch: ranking evaluation, and searches by topic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

import numpy as np

from truerank.data.arrays import offsets
from truerank.data.errors import InputError
from truerank.data.printing import brief, sentence
from truerank.io.headers import Declared, topic_name
from truerank.io.records import unnamed
from truerank.io.rows import Rows

RATED = (
    "ratings are those of retrieved documents only: recall, AP, nDCG and whatever else counts relevant documents know "
    "no others"
)
NAMELESS = (
    "a search response names no topic; give a dict from topics to their responses, or the topics in the order of the "
    "responses: topic_ids=[...]"
)
_FAILED = "{failed:request} failed and {failed:is|are} missing ({names:names})"


def body(data: Any) -> Any:
    """What a client's response or a data set of ragas holds; other data as they are."""
    for name in ("body", "samples"):
        inside = getattr(data, name, None)
        if isinstance(inside, (dict, list)):
            return inside
    return data


def is_response(data: Mapping[Any, Any]) -> bool:
    """Whether a dict is a response of ranking evaluation, or responses to searches by topic.

    >>> is_response({"q1": {"took": 3, "hits": {"hits": [{"_id": "d1", "_score": 0.5}]}}})
    True
    >>> is_response({"q1": {"hits": 0.5}})
    False
    """
    return _evaluated(data) or _single(data) or (bool(data) and all(map(_searched, data.values())))


def from_response(data: Mapping[Any, Any], declared: Declared) -> Rows:
    """Lay out the hits of a response as a run, or the ratings of one as judgments.

    >>> hit = {"hit": {"_index": "docs", "_id": "d1", "_score": 0.5}, "rating": 2}
    >>> from_response({"details": {"q1": {"hits": [hit]}}}, Declared("qrels")).value
    [2]
    """
    unnamed(declared)
    if _single(data):
        raise InputError(NAMELESS)
    if not _evaluated(data):
        return from_search([*data], [*data.values()], declared)
    details = data["details"]
    if declared.kind == "preferences":
        raise InputError("ratings are no preferences; give rows of (topic, better, worse)")
    notes = _failures(data)
    if declared.kind == "run":
        return _run({topic: [rated["hit"] for rated in found["hits"]] for topic, found in details.items()}, notes)
    rated = [[hit for hit in found["hits"] if hit.get("rating") is not None] for found in details.values()]
    flat = [hit for hits in rated for hit in hits]
    docs, grades = [hit["hit"]["_id"] for hit in flat], [hit["rating"] for hit in flat]
    return Rows([*details], _bounds(rated), docs, grades, notes=(*notes, RATED))


def responses_of(data: Any) -> list[Any]:
    """The responses to searches that a response to several holds (``_msearch``), a list of them, or one; else none.

    >>> hits = {"hits": {"hits": [{"_id": "d1", "_score": 0.5}]}}
    >>> len(responses_of({"took": 3, "responses": [hits, {"error": {}, "status": 404}]})), responses_of([["d1"]])
    (2, [])
    """
    if isinstance(data, Mapping):
        if _searched(data) and _nameless(data) and "took" in data:
            return [data]
        data = data.get("responses")
    data = [body(each) for each in data] if isinstance(data, list) else []
    return data if any(map(_searched, data)) and all(map(_nameless, data)) else []


def is_recorded(row: Any) -> bool:
    """Whether a record has a response to the search of its topic: ``{"query_id": "q1", "response": {...}}``."""
    return isinstance(row, Mapping) and (_searched(body(row.get("response"))) or _failed(row.get("response")))


def from_search(topics: Sequence[Any], responses: Sequence[Any], declared: Declared) -> Rows:
    """Lay out the hits of responses, one a topic; failed searches leave their topics out, and are told of.

    >>> hits = {"hits": {"hits": [{"_id": "d1", "_score": 0.5}]}}
    >>> from_search(["q1", "q2"], [hits, {"error": {"reason": "no such index"}}], Declared("run")).notes
    ('1 request failed and is missing (q2)',)
    """
    if declared.kind != "run":
        raise InputError("search responses hold no ratings; give judgments, or a response of ranking evaluation")
    responses = [body(each) for each in responses]
    wrong = next((each for each in responses if not _searched(each) and not _failed(each)), None)
    if wrong is not None:
        raise InputError(f"{brief(wrong)} is no search response; give responses as the search engine returns them")
    answered = [(topic, each["hits"]["hits"]) for topic, each in zip(topics, responses, strict=True) if _searched(each)]
    failed = [str(topic) for topic, each in zip(topics, responses, strict=True) if not _searched(each)]
    hits = dict(answered)
    if len(hits) < len(answered):
        raise InputError("a topic has several responses; give one a topic")
    return _run(hits, (sentence(_FAILED, failed=len(failed), names=failed),) if failed else ())


def _failed(response: Any) -> bool:
    return isinstance(response, Mapping) and "error" in response and "hits" not in response


def _run(hits: Mapping[Any, list[Any]], notes: tuple[str, ...]) -> Rows:
    flat = [hit for found in hits.values() for hit in found]
    wrong = next((hit for hit in flat if not isinstance(hit, Mapping) or "_id" not in hit), None)
    if wrong is not None:
        raise InputError(f"a hit has no _id: {brief(wrong)}; give hits as the search engine returns them")
    scores = [hit.get("_score") for hit in flat]
    # A search that is sorted by a field leaves scores out.
    given = None if scores and all(score is None for score in scores) else scores
    return Rows([*hits], _bounds([*hits.values()]), [hit["_id"] for hit in flat], given, notes=notes)


def _bounds(hits: list[list[Any]]) -> Any:
    return offsets(np.fromiter(map(len, hits), np.intp, len(hits)))


def _evaluated(data: Mapping[Any, Any]) -> bool:
    details = data.get("details")
    if not isinstance(details, Mapping) or not all(map(_rated, details.values())):
        return False
    # A topic may be called details, and then the others hold documents.
    return isinstance(data.get("metric_score"), Real) or not any(
        _holds_documents(name, value) for name, value in data.items() if name != "details"
    )


def _holds_documents(name: Any, value: Any) -> bool:
    if name == "failures" and isinstance(value, Mapping):
        return any(isinstance(failure, Real) for failure in value.values())
    return value is not None and not isinstance(value, str | Real)


def _rated(found: Any) -> bool:
    hits = found.get("hits") if isinstance(found, Mapping) else None
    return isinstance(hits, list) and all(
        isinstance(hit, Mapping) and isinstance(hit.get("hit"), Mapping) and "_id" in hit["hit"] for hit in hits
    )


def _nameless(response: Any) -> bool:
    """Whether a response to a search, or what it failed of, stands without its topic."""
    return (_searched(response) or _failed(response)) and topic_name([*response]) is None


def _searched(response: Any) -> bool:
    hits = response.get("hits") if isinstance(response, Mapping) else None
    return isinstance(hits, Mapping) and isinstance(hits.get("hits"), list)


def _single(data: Mapping[Any, Any]) -> bool:
    several = data.get("responses")
    return (_searched(data) and "took" in data) or (isinstance(several, list) and any(map(_searched, several)))


def _failures(data: Mapping[Any, Any]) -> tuple[str, ...]:
    failed = data.get("failures")
    if not failed:
        return ()
    if not isinstance(failed, Mapping):
        raise InputError(f'"failures" holds {brief(failed)}; give the response as the search engine returns it')
    return (sentence(_FAILED, failed=len(failed), names=[*map(str, failed)]),)
