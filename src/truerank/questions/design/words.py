"""How many topics it takes, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from truerank.data.printing import sentence
from truerank.report.verdicts import per_measure

if TYPE_CHECKING:
    from truerank.questions.design.question import Design, DesignRow

NEEDED = (
    "About {topics:topic} are needed to detect a difference of {difference:g}[ {measure}] {power:%} of the time"
    "[ ({low:,} to {high:,})][; you have {own:,}]."
)
ENOUGH = (
    "Your {own:,} topics are enough to detect a difference of {difference:g}[ {measure}] between two systems {power:%} "
    "of the time ({topics:,} needed)[, but not for all pairs of {systems} systems ({pairs:,} needed)]."
)


def verdict(design: Design) -> str:
    """How many topics it takes, and whether there are as many."""
    return per_measure({row.measure: _of(design, row) for row in design.found})


def _of(design: Design, row: DesignRow) -> str:
    known: dict[str, Any] = {
        "difference": design.difference,
        "power": design.power,
        "topics": row.topics,
        "own": row.num_topics,
    }
    known["measure"] = None if row.measure == "given" else row.measure
    if row.num_topics is not None and row.num_topics >= row.topics:
        short = design.systems > 2 and row.topics_pairs > row.num_topics
        systems = {"systems": design.systems, "pairs": row.topics_pairs if short else None}
        return sentence(ENOUGH, **known, **systems)
    return sentence(NEEDED, **known, low=row.topics_low, high=row.topics_high)
