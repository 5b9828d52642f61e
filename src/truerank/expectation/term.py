"""Terms: the sums over documents that measures are made of."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import fields
from typing import ClassVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.data.rankings import Rankings
from truerank.expectation.ranks import running


@dataclass(frozen=True, eq=False, kw_only=True)
class Factors:
    """What slots add, taken apart: gain times factor, less cost. Arrays have the shape (rows, slots)."""

    gain: Floats | None = None
    factor: Floats | None = None
    """What gain is multiplied by."""
    named: str = ""
    """What the factor is called."""
    weight: Floats | None = None
    """Of the rank, or the mean over the ranks that a tied document may have."""
    seen: Floats | None = None
    """What has been seen down to the document, so that the factor is weight x seen."""
    reached: Floats | None = None
    """The chance that the reader comes as far as the document, so that the factor is weight x reached."""
    cost: Floats | None = None


FACTORS = tuple(each.name for each in fields(Factors) if each.name != "named")
"""Those of them that have a value for each slot."""


class Term(ABC):
    """A sum over the documents of lists, which knows all there is to know of it.

    It holds a weight and gain maps, which it lays over rankings itself. Everything is an expectation over the orders of
    ties. A ``depth`` has the shape (rows, 1) and may be ``ENDLESS``.
    """

    how: ClassVar[str] = "sum"
    """What slots add to: a "sum" that is 0 without them, or the "information" of silence."""
    alone: ClassVar[bool] = False
    """Whether a document adds the same whatever the others are."""
    takes_terminal: ClassVar[bool] = True
    """Whether it knows what a terminal document adds wherever the list is cut."""
    weighs_gains: ClassVar[bool] = False
    """Whether a document adds its gain times the weight of its rank, and nothing else."""
    reader_stops: ClassVar[bool] = False
    """Whether a reader may stop at what is found, so that each hit leaves less for the next one to bring."""
    shares_last_rank: ClassVar[bool] = False
    """Whether all tied documents take the last rank of theirs: an answer of its own to ties."""
    has_steps: ClassVar[bool] = True
    """Whether its steps are known more exactly than its sums."""

    @property
    def ends_by(self) -> str:
        """Why the sum depends on where a list ends: "effort" of reading, or "information"; "" if it does not."""
        return ""

    @property
    def factorises(self) -> bool:
        """Whether, with independent random grades, the mean of the sum is the same sum of mean gains."""
        return False

    @property
    def pairs_alike(self) -> bool:
        """Whether it counts pairs of documents, both by one and the same gain."""
        return False

    def worth(self, grade: float) -> float | None:
        """Gain of a document of a grade, if it ``weighs_gains`` that depend on the grade alone; otherwise None."""
        return None

    @abstractmethod
    def total(self, r: Rankings, depth: Rows) -> Floats:
        """The sum down to ``depth``, one value a row."""

    def variance(self, r: Rankings, depth: Rows) -> Floats:
        """Variance of the sum over the orders of ties, one value a row; NaN where no closed form is known."""
        return np.full(len(r.length), np.nan) if r.tied else np.zeros(len(r.length))

    @abstractmethod
    def steps(self, r: Rankings, deepest: int) -> Floats:
        """What each rank of the list adds, no terminal document, down to a depth, shape (rows, deepest).

        Each is as exact as itself, however small it is beside the sum.
        """

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Sums over the list, no terminal document, down to every depth from 0 on, shape (rows, deepest + 1)."""
        return running(self.steps(r, deepest))

    def terminal(self, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """Worth of the document that ends lists cut at ``length``, which are read down to ``depth``."""
        raise NotImplementedError(f"{type(self).__name__} has no terminal document")

    @abstractmethod
    def adds(self, r: Rankings, depth: Rows) -> Floats:
        """What each slot adds down to ``depth``, shape (rows, slots)."""

    @abstractmethod
    def factors(self, r: Rankings, depth: Rows) -> Factors:
        """What these additions are made of."""

    def adds_if_found(self, r: Rankings, depth: Rows, relevant: Floats, may: Floats, *, best: bool) -> Floats:
        """What each slot that ``may`` be relevant adds to a term of ``pairs_alike``, if it is.

        All of those above it are then relevant as well (``best``), or all below it. Arrays have 1 for what is so.
        """
        raise NotImplementedError(f"{type(self).__name__} counts no pairs that are alike")

    def credit(self, r: Rankings, depth: Rows) -> Floats | None:
        """What each document is to be credited with, shape (rows, slots); None where that is not known.

        What two documents add together, each of them has half of: that is the value of Shapley (1953) for sums of
        documents and of pairs.
        """
        return self.adds(r, depth)

    def start(self, r: Rankings) -> Floats:
        """Its value where nothing is listed, one a row."""
        return np.zeros(len(r.length))

    def made_of(self, r: Rankings, depth: Rows) -> tuple[tuple[str, float, Floats], ...]:
        """Name, coefficient and value of what its formula adds up, where that is no sum over documents on paper."""
        return ()

    def beyond(self, r: Rankings, depth: Rows) -> Floats | float:
        """What documents past the end of a list add, where they are taken to have a grade."""
        return 0.0
