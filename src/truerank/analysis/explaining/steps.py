"""The worked table: a step for each document, which adds to the score."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.explaining.lists import List
from truerank.data.arrays import Floats
from truerank.data.rankings import gain_of
from truerank.measures.core.parts import Parts


@dataclass(frozen=True, kw_only=True)
class Step:
    """A line of the worked table. Contributions add up to the score."""

    kind: str
    """A "document", the "terminal" one; or before all the "start", after all what is "missing" from the list."""
    doc: str | None = None
    first: int | None = None
    """First and last rank that it can have."""
    last: int | None = None
    run_score: float | None = None
    """Score in the run."""
    judged: bool | None = None
    grade: float | None = None
    """None where unjudged, and where judgments are preferences."""
    relevant: bool | None = None
    """Whether the grade is worth something to the measure."""
    gain: float | None = None
    weight: float | None = None
    seen: float | None = None
    reached: float | None = None
    factor: float | None = None
    """What gain is multiplied by: the weight, times what has been seen, or times the chance of coming this far."""
    cost: float | None = None
    contribution: float
    score: float
    """The score so far, down to this line."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


def steps(one: List, parts: Parts) -> tuple[Step, ...]:
    """The lines of the table; of tied documents those with gain first."""
    return tuple(_running(_lines(one, parts)))


def _lines(one: List, parts: Parts) -> Iterator[dict[str, Any]]:
    if parts.start and not np.isnan(parts.start):
        yield {"kind": "start", "contribution": parts.start}
    docs, run_scores, r = one.docs, one.scores, one.r
    columns = {name: _known(getattr(parts, name)) for name in ("gain", "weight", "seen", "reached", "factor", "cost")}
    contribution = parts.contribution.tolist()
    worth = gain_of(r.grade[0], one.measure.gain(r))
    slots = range(r.start.shape[1])
    for slot in sorted(slots, key=lambda slot: (r.start[0, slot], -parts.gain[slot], _unjudged(one, slot))):
        line: dict[str, Any] = {name: column[slot] for name, column in columns.items() if column is not None}
        line |= {"first": int(r.start[0, slot]), "last": int(r.stop[0, slot]), "contribution": contribution[slot]}
        if slot >= one.listed:
            yield {"kind": "terminal", **line}
            continue
        grade = float(one.grade[slot])
        known = r.pairs is not None or bool(r.is_judged[0, slot])
        line |= {"judged": known, "grade": None if np.isnan(grade) else grade}
        line["relevant"] = bool(worth[slot] > 0)
        yield {"kind": "document", "doc": docs[slot], "run_score": run_scores.get(docs[slot]), **line}
    if parts.rest:
        yield {"kind": "missing", "contribution": parts.rest}


def _unjudged(one: List, slot: int) -> bool:
    return slot < one.listed and bool(np.isnan(one.grade[slot]))


def _running(lines: Iterator[dict[str, Any]]) -> Iterator[Step]:
    total = 0.0
    for line in lines:
        total += line["contribution"]
        yield Step(**line, score=total)


def _known(values: Floats | None) -> list[float | None] | None:
    return None if values is None else [None if value != value else value for value in values.tolist()]
