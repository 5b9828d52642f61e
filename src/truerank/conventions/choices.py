"""The conventions of an evaluation, together."""

from __future__ import annotations

import operator
import re
from collections.abc import Collection
from dataclasses import asdict, dataclass, fields
from typing import TypedDict

from truerank.data.errors import InputError

CHOICES: dict[str, tuple[str, ...]] = {
    "ties": ("expected", "best", "worst", "bounds", "docid", "docid-asc", "input", "rank", "sample"),
    "unjudged": ("nonrelevant", "condensed", "bounds"),
    "ending": ("none", "terminal", "terminal-once"),
    "nil": ("end", "answer"),
    "missing": ("empty", "skip", "error"),
    "no_relevant": ("zero", "skip", "nan"),
    "relevant": ("judgments", "run"),
    "negative": ("judged", "unjudged"),
    "precision": ("float64", "float32"),
    "identical": ("keep", "drop"),
}
"""Every axis that is a choice of words, with its values; the first is the default."""


class Apart(TypedDict, total=False):
    """Conventions as keywords, but for ``unjudged``."""

    ties: str | None
    ending: str | None
    limit: int | None
    nil: str | None
    missing: str | None
    no_relevant: str | None
    relevant: str | None
    negative: str | None
    precision: str | None
    identical: str | None
    like: str | None


class Given(Apart, total=False):
    """Conventions as keywords: each axis, and the tool whose conventions the others are; None is not given."""

    unjudged: str | None


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How ties, unjudged documents, the end of the list, absent topics and scores are read.

    >>> Conventions(ties="sample(3)").seed
    3
    >>> Conventions(ties="random")
    Traceback (most recent call last):
    ...
    truerank.data.errors.InputError: ties='random' is not a choice; take one of expected, best, worst, bounds, docid, \
docid-asc, input, rank, sample
    """

    ties: str = "expected"
    """Order of documents with equal scores: the mean over all orders, the extremes, or one order."""
    unjudged: str = "nonrelevant"
    """What documents without a judgment count as."""
    ending: str = "none"
    """Whether the end of a list is an answer: a terminal document is added there."""
    limit: int | None = None
    """The most documents that a system could list: with an ending, a list of so many that has no NIL was not ended by
    the system. None where it was free."""
    nil: str = "end"
    """What a document named NIL is: the end of the list (Liu et al. 2016), or an answer that is right where there is
    nothing to find (TREC 2001)."""
    missing: str = "empty"
    """What a judged topic counts as that the run leaves out."""
    no_relevant: str = "zero"
    """What a topic counts as where the measure is undefined, as most are without relevant documents."""
    relevant: str = "judgments"
    """Where the relevant documents are counted: in the judgments, or in the run (McSherry & Najork)."""
    negative: str = "judged"
    """Whether a negative grade is a judgment of non-relevance, or none (trec_eval)."""
    precision: str = "float64"
    """How scores are compared."""
    identical: str = "keep"
    """What becomes of a document that has the id of its topic: BEIR's queries are taken from among the documents."""

    def __post_init__(self) -> None:
        for axis, values in CHOICES.items():
            given = getattr(self, axis)
            plain = "sample" if axis == "ties" and re.fullmatch(r"sample\(\d+\)", str(given)) else given
            if plain not in values:
                raise InputError(f"{axis}={given!r} is not a choice; take one of {', '.join(values)}")
        if self.limit is not None:
            object.__setattr__(self, "limit", _limit(self.limit))

    @property
    def seed(self) -> int:
        """Seed of ``ties="sample(seed)"``; 0 where none is given."""
        found = re.search(r"\d+", self.ties)
        return int(found.group()) if found else 0

    def as_dict(self) -> dict[str, str | int | None]:
        """Every axis and its value."""
        return asdict(self)

    def unusual(self, *always: str, apart: Collection[str] = ()) -> dict[str, str | int | None]:
        """The axes that are not as by default, with those to be named ``always`` and without those told ``apart``.

        >>> Conventions(missing="skip", nil="answer").unusual("ties", apart=["nil"])
        {'ties': 'expected', 'missing': 'skip'}
        """
        chosen = {axis: value for axis, value in self.as_dict().items() if axis not in apart}
        return {axis: value for axis, value in chosen.items() if axis in always or value != getattr(Conventions, axis)}


AXES = tuple(field.name for field in fields(Conventions))
"""Every axis, in words or a number."""


def _limit(given: object) -> int:
    try:
        limit = 0 if isinstance(given, bool) else operator.index(given)  # type: ignore[arg-type]
    except TypeError:
        limit = 0
    if limit < 1:
        raise InputError(f"limit={given!r} is no length of a list; give a whole number from 1 on")
    return limit
