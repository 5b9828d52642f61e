"""pytrec_eval's names on this engine: change ``import pytrec_eval`` to ``from truerank.compat import pytrec_eval``.

>>> from truerank.compat import pytrec_eval
>>> evaluator = pytrec_eval.RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "ndcg_cut_10"})
>>> evaluator.evaluate({"q1": {"d1": 0.5, "d2": 2.0}})
{'q1': {'map': 0.5, 'ndcg_cut_10': 0.6309297535714575}}
"""

from __future__ import annotations

import operator
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain, compress, islice, repeat
from typing import Any, NamedTuple

import numpy as np

from truerank.compat.trec_eval.names import NICKNAMES, families, measures_of
from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats, Rows, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids, one_id, text
from truerank.data.judge import by_lookup
from truerank.data.printing import shown
from truerank.data.qrels import Qrels, collect
from truerank.data.run import JudgedPlaces, Late, Run, arrange
from truerank.measures.core.base import Measure
from truerank.questions.evaluate.work import topic_values

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_Lists = Mapping[str, Mapping[str, Any]]
_Index = Mapping[bytes, tuple[int, Callable[..., int]]]
_MOST = float(np.finfo(np.float32).max)

_FAMILIES = families(9)
_TEXT = ("runid", "relstring")
"""A name and a string of grades, which are 0 there."""

supported_nicknames: dict[str, set[str]] = {
    name: {each for each in members if each in _FAMILIES} for name, members in NICKNAMES.items()
}
supported_measures: set[str] = set(supported_nicknames["all_trec"])


class RelevanceEvaluator:
    """Scores runs against judgments, which are prepared once; topics that are in both count."""

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        named = _columns(measures, operator.index(relevance_level))
        self._columns = {name: None if measure is None else _Column(measure) for name, measure in named.items()}
        self._wanted = tuple(dict.fromkeys(each.measure for each in self._columns.values() if each is not None))
        judged = {topic: grades for topic, grades in query_relevance.items() if len(grades)}
        self._conventions = conventions("pytrec_eval", unjudged="condensed" if judged_docs_only_flag else None)
        self._qrels = _judgments(judged) if judged else None
        self._topics = {topic: one_id(topic, "topic") for topic in judged}
        self._index = None if self._qrels is None else _index(self._qrels, judged)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """Value of every measure for every topic that is judged, in the order of the run."""
        if not scores:
            return {}
        if not isinstance(scores, Mapping):
            raise TypeError(f"a run is a dict from topics to documents with scores, not a {type(scores).__name__}")
        _refuse_other_ids(scores, "topic")
        common = {self._topics[topic]: documents for topic, documents in scores.items() if topic in self._topics}
        names = tuple(self._columns)
        if self._qrels is None or not common or not names:
            return {topic: {} for topic in scores if topic in self._topics}
        runs = [_ranking(common)] if self._index is None else self._looked_up(common, self._qrels, self._index)
        rows: dict[bytes, dict[str, float]] = {}
        for run in runs:
            found = topic_values(self._qrels, run, self._wanted, self._conventions) if self._wanted else {}
            zeros = np.zeros(len(run.topics))
            values = np.array([zeros if each is None else each.values(found) for each in self._columns.values()])
            rows.update(zip(run.topics, map(dict, map(zip, repeat(names), values.T.tolist())), strict=True))
        return {topic: rows[self._topics[topic]] for topic in scores if topic in self._topics}

    def _looked_up(self, lists: Mapping[bytes, Mapping[str, Any]], qrels: Qrels, index: _Index) -> list[Run]:
        """The run, its documents looked up in the judgments at once; topics with ties apart, which are arranged."""
        if {*map(type, lists.values())} != {dict}:
            return [_ranking(lists)]
        topics, ordered = _in_order(lists)
        value = _clipped(_values(ordered, "score"), ordered)
        count = np.fromiter(map(len, ordered), np.intp, len(ordered))
        try:
            # Ids are to be text that has bytes: others are found, or refused, where they are packed.
            "".join(chain.from_iterable(ordered)).encode("utf-8", "surrogateescape")
        except (TypeError, UnicodeEncodeError):
            return [_ranking(lists)]
        places, finds = zip(*map(index.__getitem__, topics), strict=True)
        find = map(map, finds, ordered, repeat(repeat(-1)))
        judgment = np.fromiter(chain.from_iterable(find), np.intp, len(value))
        columns, tied = by_lookup(qrels, np.array(places), count, value, judgment, self._conventions.precision)
        if 2 * tied.sum() > len(topics):
            return [_ranking(lists)]
        some = {topic: lists[topic] for topic in compress(topics, tied.tolist())}
        rest = {topic: lists[topic] for topic in topics if topic not in some} if some else lists
        run = Late("run", tuple(sorted(rest)), lambda: _ranking(rest))
        run.placed.append(JudgedPlaces(qrels, self._conventions.precision, columns))
        return [run, _ranking(some)] if some else [run]


class _Column:
    """A measure as results have it: where the mean is geometric, the logarithms of what is scored topic by topic."""

    def __init__(self, measure: Measure) -> None:
        self.measure = measure.core
        self._averaged = measure.averaged

    def values(self, found: Mapping[Measure, Floats]) -> Floats:
        """One value a topic."""
        return self._averaged(found[self.measure])


def _columns(measures: Iterable[str], level: int) -> dict[str, Measure | None]:
    """Measures by the names that they have in results, in trec_eval's order; None for what is text there.

    >>> _columns(["P_10", "set_F.2.0", "map", "P.5"], level=1)
    {'map': AP, 'P_5': P@5, 'P_10': P@10, 'set_F': SetFAsTrecEval(weight=2.0)}
    """
    if isinstance(measures, str):
        raise InputError(f"measures are a set of names such as {{'map'}}, not {measures!r}")
    given: dict[str, list[str]] = {}
    for measure in measures:
        for name in supported_nicknames.get(measure, {measure}):
            family, parameter = _family(name)
            parameters = given.setdefault(family, [])
            if parameter:
                parameters += parameter.split(",") if _several(family) else [parameter]
    found: dict[str, Measure | None] = {}
    for family in _FAMILIES:
        if family in _TEXT and family in given:
            found[family] = None
        elif family in given:
            found |= _measures(family, list(dict.fromkeys(given[family])), level)
    return found


def _measures(family: str, parameters: list[str], level: int) -> dict[str, Measure]:
    if len(parameters) > 1 and not _several(family):
        raise InputError(f"{family} is asked for with {' and with '.join(parameters)}; use an evaluator for each")
    text = f"{family}.{','.join(parameters)}" if parameters else family
    found = measures_of(text, version=9, level=level)
    return found if _several(family) else dict.fromkeys([family], *found.values())


def _several(family: str) -> bool:
    """Whether each parameter makes a measure, and is part of its name."""
    return _FAMILIES[family].kind in ("cutoffs", "levels")


def _family(name: str) -> tuple[str, str]:
    """The family of a measure's name and its parameters: those of P_5 and of P.5 are 5.

    >>> _family("ndcg_cut_10"), _family("P.5,10"), _family("ndcg.1=0.2,2=0.9"), _family("map")
    (('ndcg_cut', '10'), ('P', '5,10'), ('ndcg', '1=0.2,2=0.9'), ('map', ''))
    """
    if name in supported_measures:
        return name, ""
    for family in supported_measures if isinstance(name, str) else ():
        rest = name[len(family) + 1 :]
        if name.startswith((f"{family}.", f"{family}_")) and rest[:1] and rest[0] in "0123456789.-":
            return family, rest
    raise InputError(f"unsupported measure {name!r}; supported_measures has those that there are")


class _Rows(NamedTuple):
    """Dicts of dicts as arrays."""

    topics: list[bytes]
    """In order."""
    bounds: Rows
    docs: Ids
    value: Floats
    distinct: bool
    """Whether ids cannot be the same document: as text, and not in part as bytes."""


def _judgments(judged: _Lists) -> Qrels:
    """Judgments; grades may have decimals, as those of data frames do. TypeError for what is no number."""
    _refuse_other_ids(judged, "topic")
    rows = _rows({one_id(topic, "topic"): grades for topic, grades in judged.items()}, "grade")
    wrong = ~np.isfinite(rows.value)
    if wrong.any():
        document = shown(rows.docs[int(np.argmax(wrong))])
        raise InputError(f"document {document} has the grade {rows.value[wrong][0]}; give a finite number")
    return collect(rows.topics, rows.bounds, rows.docs, rows.value)


def _index(qrels: Qrels, judged: _Lists) -> _Index | None:
    """Where each topic stands in the judgments, and how to find its documents there; None where ids are not all text.

    Ids as text are the same where they are equal, which bytes and text need not be.
    """
    if not all(type(document) is str for grades in judged.values() for document in grades):
        return None
    place = {topic: number for number, topic in enumerate(qrels.topics)}
    found = {}
    for topic in judged:
        number = place[one_id(topic, "topic")]
        rows = np.arange(qrels.offsets[number], qrels.offsets[number + 1])
        documents = map(text, qrels.docs.take(rows).tolist())
        found[qrels.topics[number]] = number, dict(zip(documents, rows.tolist(), strict=True)).get
    return found


def _ranking(lists: Mapping[bytes, Mapping[str, Any]]) -> Run:
    """A run; scores are compared in single precision, where what is past it is infinite and ties."""
    rows = _rows(lists, "score")
    value = _clipped(rows.value, [lists[topic] for topic in rows.topics])
    return arrange("run", rows.topics, rows.bounds, rows.docs, value, reuse=True, distinct=rows.distinct)


def _clipped(value: Floats, lists: Iterable[Mapping[str, Any]]) -> Floats:
    """Scores within single precision, in place; refused where they are not numbers."""
    least, most = np.minimum.reduce(value, initial=0.0), np.maximum.reduce(value, initial=0.0)
    if least >= -_MOST and most <= _MOST:
        return value
    wrong = np.isnan(value)
    if wrong.any():
        document = next(islice(chain.from_iterable(lists), int(np.argmax(wrong)), None))
        raise InputError(
            f"document {shown(one_id(document, 'document'))} has the score nan, which has no place in an order; "
            "give a number"
        )
    return np.clip(value, -_MOST, _MOST, out=value)


def _refuse_other_ids(ids: Iterable[Any], what: str) -> None:
    """TypeError for ids that are not text."""
    if {*map(type, ids)} <= {str}:
        return
    for identifier in ids:
        if not isinstance(identifier, str | bytes):
            raise TypeError(f"{what} {identifier!r:.80} is a {type(identifier).__name__}; give ids as str")


def _rows(lists: Mapping[bytes, Mapping[str, Any]], name: str) -> _Rows:
    topics, ordered = _in_order(lists)
    ids = list(chain.from_iterable(ordered))
    try:
        docs = Ids.pack(ids)
    except (TypeError, AttributeError):
        _refuse_other_ids(ids, "document")
        raise
    except UnicodeEncodeError:
        docs = Ids.pack([one_id(identifier, "document") for identifier in ids])
    value = _values(ordered, name)
    bounds = offsets(np.fromiter(map(len, ordered), np.intp, len(ordered)))
    return _Rows(topics, bounds, docs, value, distinct=set(map(type, ids)) <= {str})


def _in_order(lists: Mapping[bytes, Mapping[str, Any]]) -> tuple[list[bytes], list[Mapping[str, Any]]]:
    """Topics in order, and their documents; TypeError where these are no dict."""
    for topic, documents in lists.items() if {*map(type, lists.values())} != {dict} else ():
        if not isinstance(documents, Mapping):
            raise TypeError(f"topic {text(topic)!r:.80} holds a {type(documents).__name__}; give a dict of documents")
    topics = sorted(lists)
    return topics, [lists[topic] for topic in topics]


def _values(lists: Iterable[Mapping[str, Any]], name: str) -> Floats:
    """The numbers of documents, list by list."""
    try:
        # Of a list whose length is known an array is made at once.
        return np.array(array("d", [*chain.from_iterable([documents.values() for documents in lists])]))
    except (TypeError, OverflowError) as error:
        raise TypeError(f"a {name} is not a number ({error}); give numbers") from None


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """One number for the values of all topics: the sum of counts, e to the mean of logarithms, or the mean.

    >>> compute_aggregated_measure("num_ret", [3, 4]), compute_aggregated_measure("map", [0.5, 1.0])
    (7.0, 0.75)
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if not len(values):
        raise InputError(f"there are no values of {measure} to take a mean of; evaluate at least one topic")
    mean = np.sum(values) / len(values)
    return float(np.exp(mean) if measure.startswith("gm_") else mean)


class RepeatedError(InputError, AssertionError):
    """A document stands twice in a topic; an AssertionError in pytrec_eval."""


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores in lines of topic, Q0, document, rank, score and name.

    >>> dict(parse_run(["q1 Q0 d1 1 2.5 bm25"]))
    {'q1': {'d1': 2.5}}
    """
    return _parsed(f_run, 6, 4, float)


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grades in lines of topic, iteration, document and grade.

    >>> dict(parse_qrel(["q1 0 d1 2"]))
    {'q1': {'d1': 2}}
    """
    return _parsed(f_qrel, 4, 3, int)


def _parsed(lines: Iterable[str], width: int, column: int, number: type[Any]) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = defaultdict(dict)
    for place, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != width:
            raise InputError(f"there are {len(fields)} fields: {line.strip()!r:.80}; give {width}", None, place)
        topic, doc = fields[0], fields[2]
        if doc in found[topic]:
            raise RepeatedError(f"document {doc!r} stands twice in topic {topic!r}; keep one of the two", None, place)
        try:
            found[topic][doc] = number(fields[column])
        except ValueError:
            kind = "a whole number" if number is int else "a number"
            raise InputError(f"{fields[column]!r} is not {kind}; correct column {column + 1}", None, place) from None
    return found
