"""Results: what systems lose by not having contributed to the pool."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions

if TYPE_CHECKING:
    from truerank.report.table import Table

SURE, NEAR = 0.95, 0.9
"""Kendall's tau from which on orderings count as the same, and as nearly the same."""
LITTLE = 0.05
"""Share of the scores, or of all places, that may be lost or won before it matters."""


@dataclass(frozen=True)
class Loss:
    """A system scored with all judgments, and without those that only it, or its group, contributed."""

    run: str
    group: str
    measure: str
    unjudged: str
    """What documents without a judgment count as."""
    score: float
    without: float
    loss: float
    """How much worse it is without them; negative where it is better."""
    relative: float
    """``loss`` as a share of the score; NaN of a score of 0."""
    rank: int
    """Place among all systems."""
    rank_without: int
    removed: int
    """Judgments taken away."""
    removed_relevant: int

    @property
    def drop(self) -> int:
        """Places lost; negative where some are won."""
        return self.rank_without - self.rank


@dataclass(frozen=True)
class Summary:
    """The losses of all systems left out, by one measure under one reading of unjudged documents."""

    measure: str
    unjudged: str
    left_out: int
    """Systems that were left out."""
    systems: int
    """All systems."""
    mean_loss: float
    mean_relative: float
    """``mean_loss`` as a share of the mean score."""
    largest: Loss
    """The greatest loss."""
    smallest: Loss
    """The smallest loss, or the greatest gain."""
    steepest: Loss
    """The greatest change of rank."""
    tau: float
    """Kendall's tau-b between all systems as scored and as scored when left out; NaN where one orders nothing."""

    @property
    def verdict(self) -> str:
        """How far the pool can be trusted for new systems: "fair", "nearly fair", "biased against", "biased for"."""
        if not self.tau >= NEAR:
            return "biased against" if self.mean_loss >= 0 else "biased for"
        little = abs(self.mean_relative) <= LITTLE and abs(self.steepest.drop) <= max(1.0, LITTLE * self.systems)
        return "fair" if self.tau >= SURE and little else "nearly fair"

    @property
    def sentence(self) -> str:
        """What was found, in words."""
        parts = [f"a system {_moved(self.mean_loss, self.mean_relative)} on average"]
        extremes = {one.run: one for one in (self.largest, self.smallest) if one.loss}
        if extremes:
            most = [f"{one.run} {_moved(one.loss, one.relative)}" for one in extremes.values()]
            parts.append(f"at the extremes {' and '.join(most)}")
        if moved := self.steepest.drop:
            way = "falls" if moved > 0 else "rises"
            parts.append(f"{self.steepest.run} {way} {abs(moved)} of {self.systems} places")
        parts.append("tau is undefined" if math.isnan(self.tau) else f"tau {self.tau:.3f}")
        said = "; ".join(parts)
        return f"{self.measure}, unjudged {self.unjudged}: left out, {said}. {_VERDICTS[self.verdict]}"


_EXTREMES = ("largest", "smallest", "steepest")


def _moved(loss: float, relative: float) -> str:
    """A loss or a gain in words.

    >>> _moved(0.0192, 0.041), _moved(-0.004, float("nan"))
    ('loses 0.0192 (4.1%)', 'gains 0.0040')
    """
    share = "" if math.isnan(relative) else f" ({abs(relative):.1%})"
    return f"{'gains' if loss < 0 else 'loses'} {abs(loss):.4f}{share}"


_VERDICTS = {
    "fair": "New systems can be compared with those of the pool.",
    "nearly fair": "New systems can be compared with those of the pool if their scores are some way apart.",
    "biased against": "New systems are at a disadvantage: judge their documents, or bound their scores.",
    "biased for": "New systems are at an advantage: judge their documents, or bound their scores.",
}


@dataclass(frozen=True, eq=False)
class LeaveOut(Tabular):
    """Every contributing system, or group of systems, left out of the pool; the largest losses first."""

    kinds = ("losses", "summaries")

    by: str
    """What was left out at a time: "run" or "group"."""
    losses: tuple[Loss, ...]
    summaries: tuple[Summary, ...]
    depth: int
    groups: dict[str, tuple[str, ...]]
    """The runs of each group that was left out."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    def of(self, measure: object, unjudged: str = "nonrelevant") -> tuple[Loss, ...]:
        """The losses by one measure, the largest first."""
        found = tuple(one for one in self.losses if (one.measure, one.unjudged) == (str(measure), unjudged))
        if not found:
            known = ", ".join(f"{one.measure} ({one.unjudged})" for one in self.summaries)
            raise KeyError(f"{measure} with unjudged {unjudged} was not evaluated; there are {known}")
        return found

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """What was found, in words, and how far the pool can be trusted."""
        return tuple(one.sentence for one in self.summaries)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a system, measure and reading of unjudged documents; or the "summaries" of these."""
        if self.kind(show) == "losses":
            return [asdict(one) for one in self.losses]
        return [
            {**asdict(one), **{name: getattr(one, name).run for name in _EXTREMES}, "verdict": one.verdict}
            for one in self.summaries
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "by": self.by,
            "depth": self.depth,
            "conventions": {axis: value for axis, value in self.conventions.as_dict().items() if axis != "unjudged"},
            "groups": {group: list(runs) for group, runs in self.groups.items()},
            "summaries": self.to_records("summaries"),
            "losses": self.to_records(),
            "notices": [*self.sentences, *self.notices],
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.pools import losses_table

        return losses_table(self)

    def __repr__(self) -> str:
        return f"LeaveOut({len(self.groups)} {self.by}s, {len(self.summaries)} readings, pool of depth {self.depth})"
