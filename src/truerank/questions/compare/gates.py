"""Gates: what a system must be shown to be, as it is written; whether it is, and the sentence that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import LARGEST
from truerank.measures.grammar import parse
from truerank.questions.compare.answer import GateOutcome, MeasureComparison
from truerank.questions.compare.words import LITTLE, interval
from truerank.report.digits import decimals, p_value, probability, rounded
from truerank.statistics.equivalence import equivalent, no_worse
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.power import needed_topics

NO_WORSE, BETTER, EQUIVALENT, NOT_SIGNIFICANTLY_WORSE = (
    "no worse than",
    "better",
    "equivalent within",
    "not significantly worse",
)
FORMS = (
    "no worse than 0.005 at 0.05",
    "better by 1% at 0.05",
    "equivalent within 0.01 at 0.05",
    "not significantly worse at 0.05",
)
"""One of each kind."""
LONGEST = 500
"""Characters of a gate: room for a measure with many parameters."""
POWER = 0.8
"""Chance of finding a difference that topics are counted for."""
_CLAIMS = {
    NO_WORSE: "no worse than that of {baseline} by {margin}",
    BETTER: "better than that of {baseline}{by}",
    EQUIVALENT: "equivalent to that of {baseline} within {margin}",
}
_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?"
_GATE = re.compile(
    rf"(?:(?P<measure>\S.*?)\s*:\s*)?"
    rf"(?:(?P<form>{NO_WORSE}|{EQUIVALENT})\s+(?P<margin>{_NUMBER})\s*(?P<percent>%?)"
    rf"|(?P<better>{BETTER})(?:\s+by\s+(?P<by>{_NUMBER})\s*(?P<by_percent>%?))?"
    rf"|(?P<not>{NOT_SIGNIFICANTLY_WORSE}))"
    rf"(?:\s+at\s+(?P<alpha>{_NUMBER})\s*(?P<alpha_percent>%?))?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Gate:
    """What every system must be, compared with the baseline."""

    text: str
    form: str
    difference: float
    """In units of the measure, or a share of the baseline's mean, which is taken as known; 0 where none was given."""
    relative: bool
    """Whether it is a share."""
    alpha: float
    measure: Measure | None
    """The one it is about; None for all that are compared."""


def gate(text: str, alpha: float = 0.05) -> Gate:
    """Read a gate; ``alpha`` is its level where it names none.

    >>> found = gate("no worse than 1% at 0.01")
    >>> found.form, found.difference, found.relative, found.alpha
    ('no worse than', 0.01, True, 0.01)
    >>> str(gate("P@10: better").measure)
    'P@10'
    """
    if len(text) > LONGEST:
        raise InputError(f"a gate of {len(text):,} characters is none; write one like {FORMS[0]!r}")
    found = _GATE.fullmatch(" ".join(str(text).split()))
    if found is None:
        forms = ", ".join(repr(form) for form in FORMS)
        raise InputError(
            f"gate {text!r} is not understood; write one like {forms}, after 'nDCG@10:' if it is about that only"
        )
    form = (found["form"] or found["better"] or found["not"]).lower()
    margin, percent = (found["by"], found["by_percent"]) if form == BETTER else (found["margin"], found["percent"])
    level = alpha if found["alpha"] is None else float(found["alpha"]) / (100 if found["alpha_percent"] else 1)
    if not 0 < level < 0.5:
        raise InputError(f"gate {text!r} has the level {level:g}; give one between 0 and 0.5, such as 0.05")
    size = float(margin or 0.0) / (100 if percent else 1)
    if form in (NO_WORSE, EQUIVALENT) and not size:
        raise InputError(
            f"gate {text!r} allows for no difference, which no number of topics can show; name one that does not "
            f"matter, or write {BETTER!r} or {NOT_SIGNIFICANTLY_WORSE!r}"
        )
    if size > LARGEST:
        raise InputError(f"gate {text!r} names a difference past all scores; name one such as 0.005")
    about = None if found["measure"] is None else parse(found["measure"])
    return Gate(" ".join(str(text).split()), form, size, bool(percent), level, about)


def gates(given: str | Iterable[str] | None, alpha: float, wanted: Iterable[Measure]) -> tuple[Gate, ...]:
    """Read gates, and refuse one about a measure that is not compared, or a share of what has no zero to start from."""
    texts = [] if given is None else [given] if isinstance(given, str) else list(given)
    found = tuple(gate(text, alpha) for text in texts)
    every = list(wanted)
    for one in found:
        if one.measure is not None and one.measure not in every:
            names = ", ".join(map(str, every))
            raise InputError(f"gate {one.text!r} is about {one.measure}, and compared are {names}; add the measure")
        below = [each for each in every if one.measure in (None, each) and each.range[0] < 0]
        if one.relative and below:
            raise InputError(
                f"gate {one.text!r} is a share of a mean, and {below[0]} may be below 0, where a share says nothing; "
                "name a difference in units of the measure, as in 0.005"
            )
    return found


def outcomes(wanted: Iterable[Gate], compared: Iterable[MeasureComparison]) -> Iterator[GateOutcome]:
    """Each gate tried on each measure that it is about, and every system that is compared with a baseline."""
    every = list(compared)
    for gate in wanted:
        for found in every:
            if gate.measure in (None, found.by):
                yield from (_outcome(gate, found, a, b) for a, b in found.asked)


def _outcome(gate: Gate, found: MeasureComparison, a: int, b: int) -> GateOutcome:
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
    passed, worse = p < gate.alpha, tuple(found.losses(baseline, run))
    return GateOutcome(
        gate=gate.text,
        asked=gate,
        measure=found.measure,
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
        alpha=gate.alpha,
        num_worse=len(worse),
        worse=worse,
        notes=tuple(map(LITTLE, notes)),
    )


def _p(gate: Gate, found: MeasureComparison, values: Floats, margin: float) -> tuple[float, tuple[str, ...]]:
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


def gate_sentence(outcome: GateOutcome) -> str:
    """Whether a system passed, what was to be shown, and what was found."""
    gate = outcome.asked
    digits = decimals((outcome.high - outcome.low) / 4)
    margin = f"{gate.difference:.6g}"
    if gate.relative:
        margin = f"{100 * gate.difference:.6g}% ({rounded(outcome.margin, digits)})"
    subject = f"{outcome.measure} of {outcome.run}"
    if gate.form in _CLAIMS:
        shown = "is" if outcome.passed else "is not shown to be"
        by = f" by {margin}" if gate.difference else ""
        claim = f"{subject} {shown} {_CLAIMS[gate.form].format(baseline=outcome.baseline, margin=margin, by=by)}"
    else:
        shown = "is not" if outcome.passed else "is"
        claim = f"{subject} {shown} significantly worse than that of {outcome.baseline}"
    found = rounded(outcome.difference, digits, sign=True)
    how = [f"{outcome.test} at {probability(gate.alpha)}", counted(outcome.topics, "topic")]
    # The interval is by t whatever the test and the intervals of pairs are, and needs two topics.
    if not math.isnan(outcome.low):
        found += f" {interval(outcome.low, outcome.high, digits)}"
        how.insert(1, f"{100 - 200 * gate.alpha:g}% interval by t")
    result = "passed" if outcome.passed else "failed"
    parts = [f"gate {result}: {claim}: {found}, {p_value(outcome.p, gate.alpha)} ({', '.join(how)})"]
    if not outcome.passed and outcome.needed_topics is not None and outcome.needed_topics > outcome.topics:
        parts.append(f"a run just as good would pass four times of five on {outcome.needed_topics:,} topics")
    return "; ".join((*parts, *outcome.notes))
