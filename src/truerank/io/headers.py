"""Which column holds what: by what the caller says of data, and by the names that other tools give to columns."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import brief, named
from truerank.data.reading import refuse_no_names

NAMES: dict[str, tuple[tuple[str, ...], ...]] = {
    "topic": (
        ("query_id", "qid", "q_id", "queryid", "topic_id", "topic", "topicid", "user_id", "userid", "user"),
        ("query",),
        ("user_input",),
    ),
    "doc": (
        (
            *("doc_id", "docid", "docno", "document_id", "documentid", "did", "passage_id", "passageid", "pid"),
            *("corpus_id", "corpusid", "item_id", "itemid"),
        ),
        ("doc", "document", "passage", "item", "chunk_id", "id"),
    ),
    "score": (("score",), ("similarity", "sim", "relevance_score", "prediction"), ("distance", "dist")),
    "rank": (("rank",), ("position",)),
    "grade": (
        ("relevance", "rel", "label", "grade", "rating", "judgment", "judgement", "relevance_label"),
        ("score",),
    ),
    "subtopic": (("subtopic", "subtopic_id", "subtopicid"),),
    "better": (("better", "winner", "preferred"),),
    "worse": (("worse", "loser"),),
}
"""Names of columns, lower case and with underscores; names further back count where those before them are absent."""

_DOCS = (
    "doc",
    "doc_id",
    "docid",
    "docno",
    "document",
    "document_id",
    "passage",
    "passage_id",
    "pid",
    "item",
    "item_id",
)


def _side(alone: tuple[str, ...], before: tuple[str, ...], behind: tuple[str, ...]) -> tuple[str, ...]:
    named = [f"{mark}{doc}" for mark in before for doc in _DOCS] + [f"{doc}{mark}" for mark in behind for doc in _DOCS]
    return (*alone, *named)


COMPARED: dict[str, tuple[tuple[str, ...], ...]] = {
    "first": (_side(("a", "left", "first", "source"), ("left_", "first_", "source_"), ("_a", "_1", "1", "_left")),),
    "second": (
        _side(("b", "right", "second", "target"), ("right_", "second_", "target_"), ("_b", "_2", "2", "_right")),
    ),
    "relation": (
        ("relation", "preference", "pref", "preferred", "winner", "verdict", "sign"),
        ("label", "judgment", "judgement"),
    ),
}
"""Names of columns that compare two documents. Documents may well be called so, hence a line of such names alone is no
header line."""
EVERY_NAME = {**NAMES, **COMPARED}
_OF_PART = {part: frozenset(name for tier in tiers for name in tier) for part, tiers in EVERY_NAME.items()}
_OF_ANY = frozenset[str]().union(*_OF_PART.values())

KINDS: dict[str, tuple[str, ...]] = {
    "run": ("topic", "doc", "score", "rank"),
    "qrels": ("topic", "doc", "grade", "subtopic"),
    "preferences": ("topic", "better", "worse"),
    "comparisons": ("topic", "first", "second", "relation"),
}
"""What a table of each kind holds; comparisons are preferences, with the two documents in any order."""
_NEEDED = {**KINDS, "run": KINDS["run"][:3], "qrels": KINDS["qrels"][:3]}

PROBABILITY = re.compile(r"(?:p|prob|proba|probability)_?\(?(-?\d+(?:\.\d+)?)\)?")
"""A column with the probability of a grade, such as p2 or prob_2."""
_PAIRS = "--qrels-columns or --preferences-columns"
OPTIONS = {"run": "--columns", "qrels": "--qrels-columns", "preferences": _PAIRS, "comparisons": _PAIRS}
"""Options that name columns on the command line."""
READERS = {
    "run": "read_run",
    "qrels": "read_qrels",
    "preferences": "read_preferences",
    "comparisons": "read_preferences",
}
"""Functions of Python that are told columns; a question takes what they return."""

DISTANCES = NAMES["score"][-1]
_SETTLED = {frozenset(("docno", "docid")): "docno"}
"""Names that stand side by side in the frames of PyTerrier: docno is the document's id, docid its place in an index."""

_DOC = {"preferences": "better", "comparisons": "first"}
_VALUE = {"qrels": "grade", "preferences": "worse", "comparisons": "second"}
_PAIR = ("better", "worse")
_OUTSIDE = ""
"""Stands for a column that need not be there, since what it holds is known from elsewhere."""
_BEIR = "corpus_id"
_SPOKEN = {"doc": "document"}


@dataclass(frozen=True, eq=False)
class Names:
    """Names of a table's columns, by what they hold; a run may have ranks instead of scores."""

    names: dict[str, str]

    def __getitem__(self, part: str) -> str:
        return self.names[part]

    def get(self, part: str) -> str | None:
        """The name of a column that need not be there."""
        return self.names.get(part)

    @property
    def is_distance(self) -> bool:
        """Whether the score is called a distance, so that its direction has to be declared."""
        return plain(self.names.get("score", "")) in DISTANCES


def plain(name: str) -> str:
    """A column's name as it is compared.

    >>> plain("Query-ID")
    'query_id'
    """
    return name.strip().lower().replace("-", "_").replace(" ", "_").removeprefix("\ufeff")


def names_of(part: str, found: Sequence[str]) -> list[str]:
    """Those of the names that a part of a row may have.

    >>> names_of("topic", ["qid", "docno"])
    ['qid']
    """
    return [name for name in found if plain(name) in _OF_PART[part]]


def likely(found: Sequence[str]) -> list[str]:
    """Those of the names that any part of a row may have, of what may be a million columns.

    >>> likely(["qid", "text", "docno"])
    ['qid', 'docno']
    """
    # All names at once as ``plain`` makes them one by one, which would take a hundred times as long.
    every = "\n".join([name.strip() for name in found]).lower().replace("-", "_").replace(" ", "_").split("\n")
    if len(every) != len(found):
        return [name for name in found if plain(name) in _OF_ANY]
    return [name for name, one in zip(found, every, strict=True) if one.removeprefix("\ufeff") in _OF_ANY]


def is_comparison(found: Sequence[str], given: Mapping[str, str] | None = None) -> bool:
    """Whether names are those of two documents and of what was found when they were compared.

    >>> is_comparison(["qid", "doc_a", "doc_b", "winner"]), is_comparison(["qid", "winner", "loser"])
    (True, False)
    """
    return all(part in (given or {}) or names_of(part, found) for part in COMPARED)


def recognise(found: Sequence[str], kind: str, given: Mapping[str, str] | None = None) -> Names:
    """Tell which column holds what; ``given`` names columns by what they hold, and comes first.

    >>> recognise(["query-id", "corpus-id", "score"], "qrels").names
    {'topic': 'query-id', 'doc': 'corpus-id', 'grade': 'score'}
    >>> recognise(["qid", "docno", "score", "rank", "name"], "run")["doc"]
    'docno'
    """
    if not found:
        raise InputError(f"there are no columns; give a table of {', '.join(_NEEDED[kind])}")
    parts = KINDS[kind]
    names: dict[str, str] = {}
    for part, name in (given or {}).items():
        if part not in parts:
            raise InputError(f"columns= says which column holds {part!r}; {_a(kind)} has {', '.join(parts)}")
        if name not in found:
            raise InputError(f"there is no column {name!r} for the {part}; there are {_listed(found)}")
        _refuse_repeated(name, found)
        names[part] = name
    few = likely(found)
    for part in parts:
        match = names.get(part) or _named(part, few, [*names.values()], kind, sure=part != "subtopic")
        if match is not None:
            names[part] = match
    needed = [part for part in parts if part not in names and not (part in ("score", "rank") and _ordered(names))]
    needed = [part for part in needed if part != "subtopic"]
    if needed:
        missing = " and ".join(part for part in needed if part != "rank")
        chances = [*islice((name for name in found if PROBABILITY.fullmatch(plain(name))), 2)]
        if needed == ["grade"] and len(chances) > 1:
            raise InputError(
                f"no column holds the grade; {chances[0]!r} and {chances[1]!r} look like probabilities of grades: "
                "choose judges='expected', or majority, median or mean"
            )
        raise InputError(
            f"no column is known to hold the {missing} among {_listed(found)}; say which, "
            f"as in {_told(kind, needed[0], 'NAME')}"
        )
    return Names(names)


def _listed(found: Sequence[str]) -> str:
    """Names of columns; what is no table at all may have thousands, of any length."""
    return named([brief(name) for name in found[:13]], most=12)


def _named(part: str, found: Sequence[str], taken: list[str], kind: str, *, sure: bool) -> str | None:
    """The name of the column that holds a part; of several, none where it need not be ``sure``."""
    for tier in EVERY_NAME[part]:
        matches = [name for name in found if plain(name) in tier and name not in taken]
        settled = _SETTLED.get(frozenset(map(plain, matches)))
        if settled is not None and len(matches) == 2:
            return next(name for name in matches if plain(name) == settled)
        if len(matches) > 1 and not sure:
            return None
        if len(matches) > 1:
            _refuse_repeated(matches[0], found)
            raise InputError(
                f"both {' and '.join(map(repr, matches))} could hold the {part}; say which, "
                f"as in {_told(kind, part, matches[0])}"
            )
        if matches:
            return matches[0]
    return None


def _told(kind: str, part: str, name: str) -> str:
    """How to say which column holds a part: in Python, and on the command line."""
    quoted = name if name == "NAME" else repr(name)
    return f"{READERS[kind]}(..., columns={{{part!r}: {quoted}}}) ({OPTIONS[kind]} {part}={name})"


def _refuse_repeated(name: str, found: Sequence[str]) -> None:
    if found.count(name) > 1:
        raise InputError(f"there are several columns {name!r}; give each a name of its own")


def _ordered(names: Mapping[str, str]) -> bool:
    return "score" in names or "rank" in names


def _a(kind: str) -> str:
    return "a run" if kind == "run" else kind


@dataclass(frozen=True, eq=False)
class ColumnRoles:
    """Names of the fields that hold the parts of a row."""

    topic: str | None
    """None where the topic stands outside of the row."""
    doc: str
    value: str | None
    """A score, a rank, a grade or the worse document; None where documents are listed best first."""
    holds: str
    """What the value is: "score", "rank", "grade", or "worse" or "second", a document."""
    notes: tuple[str, ...]
    relation: str | None = None
    """Which of two documents is better, where they stand in any order."""
    rank: str | None = None
    """Ranks beside scores, which may order ties."""
    subtopic: str | None = None
    """What of its topic a judgment is about."""

    @property
    def names(self) -> list[str]:
        """All of them: that of topics first, those that few tables have last."""
        every = (self.topic, self.doc, self.value, self.relation, self.rank, self.subtopic)
        return [name for name in every if name is not None]


@dataclass(frozen=True, eq=False)
class Declared:
    """The kind of data ("run", "qrels", "preferences", "comparisons"), and what the caller declares of them.

    >>> parts = Declared("qrels").parts(["query-id", "corpus-id", "score"])
    >>> parts.topic, parts.doc, parts.value
    ('query-id', 'corpus-id', 'score')
    >>> Declared("run", {"rank": "place"}).parts(["qid", "docno", "score", "place"]).value
    'place'
    """

    kind: str
    columns: Mapping[str, str] | None = None
    higher_is_better: bool | None = None
    topic_ids: Sequence[Any] | None = None
    """Topics of data that have them by place: of rows, or of lists one after the other."""
    doc_ids: Sequence[Any] | None = None
    """Documents of data that have them by number."""

    def __post_init__(self) -> None:
        refuse_no_names(self.columns)

    @classmethod
    def of_run(cls, options: Mapping[str, Any]) -> Declared:
        """What the keywords of ``read_run`` declare of a run.

        >>> Declared.of_run({"higher_is_better": False, "chunks": "#"}).higher_is_better
        False
        """
        return cls("run", **{each.name: options[each.name] for each in fields(cls) if each.name in options})

    @property
    def prefers(self) -> bool:
        """Whether rows compare two documents, which are then both ids."""
        return self.kind in _DOC

    def refuse_places(self) -> None:
        """Refuse ids for what has no place to be given one by."""
        if self.topic_ids is not None or self.doc_ids is not None:
            option = "topic_ids" if self.topic_ids is not None else "doc_ids"
            raise InputError(f"{option}= is for data that have no ids of their own, and these have; leave it out")

    def fitting(self, found: Sequence[str]) -> Declared:
        """Judgments of a better document and a worse one are preferences, and so are those of two and a relation.

        >>> Declared("qrels").fitting(["query_id", "better", "worse"]).kind
        'preferences'
        >>> Declared("preferences").fitting(["query_id", "doc_a", "doc_b", "preference"]).kind
        'comparisons'
        """
        if self.kind not in ("qrels", "preferences"):
            return self
        found = likely(found)
        if all(part in (self.columns or {}) or names_of(part, found) for part in _PAIR):
            return replace(self, kind="preferences")
        graded = self.kind == "qrels" and names_of("doc", found)
        return replace(self, kind="comparisons") if is_comparison(found, self.columns) and not graded else self

    def parts(self, found: Sequence[str], *, listed: bool = False) -> ColumnRoles:
        """Tell which fields hold what; rows that are ``listed`` under their topic need neither topic nor value."""
        given = dict(self.columns or {})
        names = [*found]
        if listed:
            names.append(_OUTSIDE)
            given["topic"] = _OUTSIDE
            if not self.prefers and not self._has_value(found):
                given["grade" if self.kind == "qrels" else "rank"] = _OUTSIDE
        columns = recognise(names, self.kind, given)
        value = self._value(columns, given)
        if value == "score" and columns.is_distance and self.higher_is_better is None:
            raise InputError(
                f"the score is called {columns['score']!r}; if a small one is good, read it with "
                "read_run(..., higher_is_better=False) (--lower-is-better), otherwise with True"
            )
        return ColumnRoles(
            None if listed else columns["topic"],
            columns[_DOC.get(self.kind, "doc")],
            columns[value] or None,
            value,
            self._guessed(columns, given, value),
            columns.get("relation"),
            columns.get("rank") if value == "score" else None,
            columns.get("subtopic"),
        )

    def _has_value(self, found: Sequence[str]) -> bool:
        wanted = ("grade",) if self.kind == "qrels" else ("score", "rank")
        few = likely(found)
        return any(part in (self.columns or {}) or names_of(part, few) for part in wanted)

    def _value(self, columns: Names, given: Mapping[str, str]) -> str:
        if self.kind != "run":
            return _VALUE[self.kind]
        by_rank = columns.get("score") is None or ("rank" in given and "score" not in given)
        return "rank" if by_rank else "score"

    def _guessed(self, columns: Names, given: Mapping[str, str], value: str) -> tuple[str, ...]:
        """Say which names are no more than likely to hold what they are taken for."""
        guessed = [
            part
            for part in ("topic", "doc", value)
            if part in NAMES and part not in given and columns.get(part) and plain(columns[part]) not in NAMES[part][0]
        ]
        # The direction of a distance is declared, and so is that it is the score.
        if columns.is_distance:
            guessed = [part for part in guessed if part != "score"]
        # BEIR's judgments call a grade a score; that is their format and no guess.
        if value == "grade" and plain(columns["doc"]) == _BEIR:
            guessed = [part for part in guessed if part != "grade"]
        said = " and ".join(f"{columns[part]!r} for the {_SPOKEN.get(part, part)}" for part in guessed)
        return (f"read {said}, going by the name",) if said else ()


def known(found: Sequence[str]) -> list[str]:
    """Those of the names that some kind of data has for a column.

    >>> known(["qid", "docno", "text"])
    ['qid', 'docno']
    """
    few = likely(found)
    compares = topic_name(few) is not None and is_comparison(few)
    wanted = _OF_ANY if compares else frozenset[str]().union(*(_OF_PART[part] for part in NAMES))
    return [name for name in few if plain(name) in wanted]


def topic_name(found: Sequence[str], columns: Mapping[str, str] | None = None) -> str | None:
    """The one name that holds the topic, None where there is none or are several."""
    given = (columns or {}).get("topic")
    if given is not None:
        return given if given in found else None
    few = likely(found)
    for tier in NAMES["topic"]:
        matches = [name for name in few if plain(name) in tier]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None
