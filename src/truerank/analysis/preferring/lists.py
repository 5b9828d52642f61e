"""Preferences against rankings: those that a run keeps, violates, ties, or says nothing about."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.scores import Score
from truerank.analysis.views import Views
from truerank.conventions.ties import EXTREMES
from truerank.data.arrays import Mask, Rows
from truerank.measures.pref_loss import ABSENT, Placed, PrefLoss

OUTCOMES = ("kept", "violated", "tied", "neither")


@dataclass(frozen=True, eq=False)
class Counts:
    """How many preferences of each topic a run deals with in which way."""

    kept: Rows
    """The better document stands above the worse, or is retrieved alone."""
    violated: Rows
    """The worse document stands above the better, or is retrieved alone."""
    tied: Rows
    """Both have the same score."""
    neither: Rows
    """Neither was retrieved, so that the run does not tell."""
    kept_alone: Rows
    """Of those kept, the ones whose worse document was not retrieved."""
    violated_alone: Rows
    """Of those violated, the ones whose better document was not retrieved."""

    @classmethod
    def of(cls, views: Views) -> Counts:
        """Look at every preference of the topics that count."""
        counts = np.zeros((len(cls.__dataclass_fields__), len(views.judged.length)), np.int64)
        # How good or bad an order of ties is does not matter here, where ties are told apart.
        ties = "expected" if views.choice.ties in ("bounds", *EXTREMES) else views.choice.ties
        for block in views.rankings(PrefLoss(), ties=ties, unjudged="nonrelevant"):
            if block.pairs is not None:
                row, better, worse = Placed.of(block, block.pairs)
                for place, mask in enumerate(_told(better, worse)):
                    counts[place, block.topic] = np.bincount(row[mask], minlength=len(block.topic))
        return cls(*counts[:, views.topics])

    @property
    def preferences(self) -> Rows:
        """All preferences of each topic."""
        return self.kept + self.violated + self.tied + self.neither

    def total(self) -> dict[str, int]:
        """Counts over all topics."""
        return {name: int(getattr(self, name).sum()) for name in ("preferences", *self.__dataclass_fields__)}

    def at(self, place: int) -> dict[str, int]:
        """Counts of one topic."""
        return {name: int(getattr(self, name)[place]) for name in ("preferences", *self.__dataclass_fields__)}


def _told(better: Rows, worse: Rows) -> list[Mask]:
    neither = (better == ABSENT) & (worse == ABSENT)
    kept, violated = better < worse, worse < better
    tied = (better == worse) & ~neither
    return [kept, violated, tied, neither, kept & (worse == ABSENT), violated & (better == ABSENT)]


@dataclass(frozen=True, eq=False)
class RunPreferences:
    """A run against preferences."""

    loss: Score
    """Preference loss, with its value for each topic."""
    topics: tuple[str, ...]
    counts: Counts
    """By topic, in the order of ``topics``."""
    least: float
    """The least mean loss that rankings of the same topics can have, or a lower bound of it."""
    auc: float
    """Mean share of the pairs of documents with different induced grades that stand in the right order."""

    @property
    def excess(self) -> float:
        """What the loss is above the least possible."""
        return self.loss.mean - self.least

    @property
    def violated(self) -> float:
        """Share of all preferences that the run violates; NaN where there are none."""
        total = self.counts.total()
        return total["violated"] / total["preferences"] if total["preferences"] else np.nan

    def as_dict(self) -> dict[str, Any]:
        """The numbers by name."""
        bounds = {} if self.loss.low is None else {"loss_low": self.loss.low, "loss_high": self.loss.high}
        rest = {"least": self.least, "excess": self.excess, "auc": self.auc}
        return {**self.counts.total(), "loss": self.loss.mean, **bounds, **rest}
