"""What a caller says about data: what they are, which columns hold what, and which scores are better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from truerank.data.errors import InputError
from truerank.io.headers import COMPARED, NAMES, Columns, is_comparison, names_of, plain, recognise

_DOC = {"preferences": "better", "comparisons": "first"}
_VALUE = {"qrels": "grade", "preferences": "worse", "comparisons": "second"}
_PAIR = ("better", "worse")
_OUTSIDE = ""
"""Stands for a column that need not be there, since what it holds is known from elsewhere."""
_BEIR = "corpus_id"


@dataclass(frozen=True)
class Parts:
    """Names of the fields that hold the parts of a row."""

    topic: str | None
    """None where the topic stands outside of the row."""
    doc: str
    value: str | None
    """A score, a rank, a grade or the worse document; None where documents are listed best first."""
    is_rank: bool
    notes: tuple[str, ...]
    relation: str | None = None
    """Which of two documents is better, where they stand in any order."""


@dataclass(frozen=True)
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

    @property
    def prefers(self) -> bool:
        """Whether rows compare two documents, which are then both ids."""
        return self.kind in _DOC

    def fitting(self, found: Sequence[str]) -> Declared:
        """Judgments of a better document and a worse one are preferences, and so are those of two and a relation.

        >>> Declared("qrels").fitting(["query_id", "better", "worse"]).kind
        'preferences'
        >>> Declared("preferences").fitting(["query_id", "doc_a", "doc_b", "preference"]).kind
        'comparisons'
        """
        if self.kind not in ("qrels", "preferences"):
            return self
        if all(part in (self.columns or {}) or names_of(part, found) for part in _PAIR):
            return replace(self, kind="preferences")
        graded = self.kind == "qrels" and names_of("doc", found)
        return replace(self, kind="comparisons") if is_comparison(found, self.columns) and not graded else self

    def parts(self, found: Sequence[str], *, listed: bool = False) -> Parts:
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
        return Parts(
            None if listed else columns["topic"],
            columns[_DOC.get(self.kind, "doc")],
            columns[value] or None,
            value == "rank",
            self._guessed(columns, given, value),
            columns.get("relation"),
        )

    def _has_value(self, found: Sequence[str]) -> bool:
        wanted = ("grade",) if self.kind == "qrels" else ("score", "rank")
        return any(part in (self.columns or {}) or names_of(part, found) for part in wanted)

    def _value(self, columns: Columns, given: Mapping[str, str]) -> str:
        if self.kind != "run":
            return _VALUE[self.kind]
        by_rank = columns.get("score") is None or ("rank" in given and "score" not in given)
        return "rank" if by_rank else "score"

    def _guessed(self, columns: Columns, given: Mapping[str, str], value: str) -> tuple[str, ...]:
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
    compares = topic_name(found) is not None and is_comparison(found)
    parts = (*NAMES, *COMPARED) if compares else tuple(NAMES)
    return [name for name in found if any(names_of(part, [name]) for part in parts)]


def topic_name(found: Sequence[str], columns: Mapping[str, str] | None = None) -> str | None:
    """The one name that holds the topic, None where there is none or are several."""
    given = (columns or {}).get("topic")
    if given is not None:
        return given if given in found else None
    for tier in NAMES["topic"]:
        matches = [name for name in found if plain(name) in tier]
        if matches:
            return matches[0] if len(matches) == 1 else None
    return None


_SPOKEN = {"doc": "document"}
