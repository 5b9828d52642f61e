"""Gates tried on systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.comparing.compared import Compared
from truerank.analysis.comparing.gates import BETTER, EQUIVALENT, NO_WORSE, NOT_SIGNIFICANTLY_WORSE, Gate
from truerank.analysis.comparing.settings import POWER
from truerank.analysis.differences.topics import TopicDifference
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.statistics.equivalence import equivalent, no_worse
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.power import needed_topics


@dataclass(frozen=True)
class Outcome:
    """Whether a system passes a gate."""

    gate: Gate
    measure: str
    baseline: str
    run: str
    passed: bool
    difference: float
    """The system's mean less that of the baseline."""
    low: float
    """The difference is above, and below, with the confidence 1 - alpha each; by Student's t, NaN from one topic."""
    high: float
    margin: float
    """The difference of the gate, in units of the measure: of a share, that of the baseline's mean."""
    p: float
    """One-sided: for the gate's claim being false; for "not significantly worse", for the system not being worse."""
    test: str
    topics: int
    needed_topics: int | None
    """Topics on which a system just as good would pass four times of five; None where that does not apply."""
    worse: tuple[TopicDifference, ...]
    """The topics that got worse, the most changed first."""
    notes: tuple[str, ...]

    def as_record(self) -> dict[str, Any]:
        """Everything that is one value, by name."""
        found = {name: value for name, value in vars(self).items() if name not in ("worse", "notes")}
        return {**found, "gate": self.gate.text, "alpha": self.gate.alpha, "num_worse": len(self.worse)}

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        names = ("topic", "baseline", "run", "difference")
        worse = [dict(zip(names, one, strict=True)) for one in self.worse]
        return {**self.as_record(), "worse": worse, "notes": list(self.notes)}


def outcomes(wanted: Iterable[Gate], compared: Iterable[Compared]) -> Iterator[Outcome]:
    """Each gate tried on each measure that it is about, and every system that is compared with a baseline."""
    every = list(compared)
    for gate in wanted:
        for found in every:
            if gate.measure in (None, found.measure):
                yield from (_outcome(gate, found, a, b) for a, b in found.asked)


def _outcome(gate: Gate, found: Compared, a: int, b: int) -> Outcome:
    baseline, run = found.runs[a], found.runs[b]
    values = found.values[[a, b]]
    margin = gate.difference
    if gate.relative:
        mean = values[0].mean().item()
        if not mean > 0:
            raise InputError(
                f"gate {gate.text!r} is a share of the mean of {baseline}, which is {mean:g} by {found.measure}; "
                "name a difference in units of the measure, as in 0.005"
            )
        # Known from here on, so that it is the differences alone that the verdict and the interval are about.
        margin *= mean
    p, notes = _p(gate, found, values, margin)
    interval = difference_intervals(values, confidence=1.0 - 2.0 * gate.alpha)
    passed = p < gate.alpha
    return Outcome(
        gate=gate,
        measure=str(found.measure),
        baseline=baseline,
        run=run,
        passed=not passed if gate.form == NOT_SIGNIFICANTLY_WORSE else passed,
        difference=interval.estimate[1, 0].item(),
        low=interval.low[1, 0].item(),
        high=interval.high[1, 0].item(),
        margin=margin,
        p=p,
        test=found.settings.margin_title,
        topics=len(found.topics),
        needed_topics=_needed(gate, values, margin),
        worse=tuple(found.worse(baseline, run)),
        notes=notes,
    )


def _p(gate: Gate, found: Compared, values: Floats, margin: float) -> tuple[float, tuple[str, ...]]:
    """p of a gate, from scores of the baseline and of the system."""
    settings = found.settings
    base, new = found.sign * values

    def ahead(one: Floats, other: Floats, margin: float = 0.0) -> tuple[float, tuple[str, ...]]:
        """p for the first not being ahead, or behind by the margin or more."""
        held = no_worse(np.stack([one, other]), margin, test=settings.margin_test, **settings.drawing())
        return held.p[0, 1].item(), held.notes

    if gate.form == NOT_SIGNIFICANTLY_WORSE:
        return ahead(base, new)
    if gate.form == BETTER:
        return ahead(new - margin, base)
    if gate.form == NO_WORSE:
        return ahead(new, base, margin)
    held = equivalent(np.stack([new, base]), margin, test=settings.margin_test, **settings.drawing())
    return held.p[0, 1].item(), held.notes


def _needed(gate: Gate, values: Floats, margin: float) -> int | None:
    """Topics on which a system that is just as good would pass, from how much differences vary."""
    if gate.form not in (NO_WORSE, EQUIVALENT) or values.shape[1] < 2:
        return None
    # Of two one-sided tests both must find what they look for, each of which is left half of the chance to miss it.
    power = POWER if gate.form == NO_WORSE else (1.0 + POWER) / 2.0
    deviation = (values[1] - values[0]).std(ddof=1)
    needed = float(needed_topics(margin, deviation, alpha=gate.alpha, power=power, sides=1))
    return int(needed) if math.isfinite(needed) else None
