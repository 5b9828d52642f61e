"""The conventions of an evaluation, together."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from typing import TypedDict

from truerank.data.errors import InputError

CHOICES: dict[str, tuple[str, ...]] = {
    "ties": ("expected", "best", "worst", "bounds", "docid", "docid-asc", "input", "rank", "sample"),
    "unjudged": ("nonrelevant", "condensed", "bounds"),
    "ending": ("none", "terminal", "terminal-once"),
    "missing": ("empty", "skip", "error"),
    "no_relevant": ("zero", "skip", "nan"),
    "relevant": ("judgments", "run"),
    "negative": ("judged", "unjudged"),
    "precision": ("float64", "float32"),
    "identical": ("keep", "drop"),
}
"""Every axis with its values; the first is the default."""


class Apart(TypedDict, total=False):
    """Conventions as keywords, but for ``unjudged``."""

    ties: str | None
    ending: str | None
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

    @property
    def seed(self) -> int:
        """Seed of ``ties="sample(seed)"``; 0 where none is given."""
        found = re.search(r"\d+", self.ties)
        return int(found.group()) if found else 0

    def as_dict(self) -> dict[str, str]:
        """Every axis and its value."""
        return asdict(self)
