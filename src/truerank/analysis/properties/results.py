"""Results: verdicts on measures, each with its witnesses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from truerank.analysis.keyed import ByMeasure
from truerank.analysis.properties.base import Found, Property
from truerank.analysis.properties.published import Claim
from truerank.analysis.properties.search import Search
from truerank.analysis.properties.witness import Witness
from truerank.analysis.tabular import Tabular
from truerank.measures.core.base import Measure

if TYPE_CHECKING:
    from truerank.report.table import Table

_WORST = ("reversed", "fails", "equal", "strict", "holds", "undefined")


@dataclass(frozen=True)
class ScaleFound:
    """What was found with relevance on one scale, reading by reading."""

    scale: str
    found: tuple[Found, ...]
    satisfied: tuple[str, ...]
    """The outcomes with which a measure has the property."""

    @property
    def holds(self) -> bool | None:
        """Whether the measure has the property; None where that depends on the reading, or nothing is defined."""
        found = {each.outcome in self.satisfied for each in self.found if each.outcome != "undefined"}
        return found.pop() if len(found) == 1 else None

    @property
    def outcome(self) -> str:
        """The least outcome of all readings; "depends" where the measure has the property by some of them only."""
        least = self.decisive.outcome
        return "depends" if self.holds is None and least != "undefined" else least

    @property
    def decisive(self) -> Found:
        """The reading with the least outcome, the first of them."""
        return min(self.found, key=lambda each: _WORST.index(each.outcome))


@dataclass(frozen=True)
class Verdict:
    """Whether a measure has a property."""

    measure: str
    about: Property
    scales: tuple[ScaleFound, ...]
    """The measure's own scale first."""
    claim: Claim | None = None
    """What the paper says."""

    @property
    def outcome(self) -> str:
        """ "strict", "equal" or "reversed"; "holds" or "fails"; "depends" on the reading; "undefined"."""
        return self.scales[0].outcome

    @property
    def holds(self) -> bool | None:
        """Whether the measure has the property; None where that depends on the reading, or nothing is defined."""
        return self.scales[0].holds

    @property
    def witness(self) -> Witness | None:
        """The smallest comparison that shows the outcome; where it depends, the least outcome."""
        return self.scales[0].decisive.witness

    @property
    def agrees(self) -> bool | None:
        """Whether the paper's claim is what was found; None where either is open."""
        if self.claim is None or self.claim.has is None or self.holds is None:
            return None
        return self.claim.has == self.holds

    @property
    def others(self) -> tuple[ScaleFound, ...]:
        """Other scales on which the outcome is another."""
        return tuple(scale for scale in self.scales[1:] if scale.outcome not in (self.outcome, "undefined"))

    def as_record(self) -> dict[str, Any]:
        """The verdict as one record."""
        found = self.scales[0].decisive
        return {
            "measure": self.measure,
            "property": self.about.name,
            "verdict": self.outcome,
            "holds": self.holds,
            "paper": None if self.claim is None else self.claim.text,
            "agrees": self.agrees,
            "scale": self.scales[0].scale,
            "reading": found.reading,
            "witness": found.said,
            "tried": sum(each.tried for each in self.scales[0].found),
        }


@dataclass(frozen=True, eq=False)
class Verdicts(ByMeasure[dict[str, Verdict]], Tabular):
    """Which measures have which properties: ``found["AP"]["Recall"]`` is a verdict."""

    wanted: tuple[Measure, ...]
    scores: dict[str, dict[str, Verdict]]
    properties: tuple[Property, ...]
    search: Search
    published: bool = False
    """Whether the measures are those of the paper's table."""

    kinds = ("verdicts", "witnesses", "readings")

    @property
    def verdicts(self) -> Iterator[Verdict]:
        """All of them."""
        return (verdict for found in self.scores.values() for verdict in found.values())

    @property
    def disagreements(self) -> tuple[Verdict, ...]:
        """Verdicts other than the paper's claims."""
        return tuple(verdict for verdict in self.verdicts if verdict.agrees is False)

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a measure and property; or ``show="readings"``, one for each scale and reading."""
        if self.kind(show) != "readings":
            return [verdict.as_record() for verdict in self.verdicts]
        return [
            {
                "measure": verdict.measure,
                "property": verdict.about.name,
                "scale": on.scale,
                "reading": found.reading,
                "verdict": found.outcome,
                "witness": found.said,
                "tried": found.tried,
            }
            for verdict in self.verdicts
            for on in verdict.scales
            for found in on.found
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "search": {"longest": self.search.longest, "seed": self.search.seed},
            "properties": {
                each.name: {"statement": each.statement, "formula": each.formula, "citation": each.citation}
                for each in self.properties
            },
            "measures": {
                measure: {name: self._document(verdict) for name, verdict in found.items()}
                for measure, found in self.scores.items()
            },
        }

    def _document(self, verdict: Verdict) -> dict[str, Any]:
        record = verdict.as_record()
        return {
            **{key: record[key] for key in ("verdict", "holds", "paper", "agrees")},
            "readings": [
                {
                    "scale": on.scale,
                    "reading": found.reading,
                    "verdict": found.outcome,
                    "tried": found.tried,
                    "counts": dict(found.counts),
                    "said": found.said,
                    "witness": None if found.witness is None else found.witness.as_dict(),
                }
                for on in verdict.scales
                for found in on.found
            ],
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.properties import properties_table

        return properties_table(self, show)

    def __repr__(self) -> str:
        return f"Verdicts({len(self.wanted)} measures, {len(self.properties)} properties)"
