"""Gates: what a system must be shown to be, as it is written; whether it is, and the sentence that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import LARGEST
from truerank.measures.grammar import parse
from truerank.questions.compare.answer import GateOutcome, MeasureComparison
from truerank.questions.compare.words import LITTLE, interval, method
from truerank.report.digits import decimals, p_value, probability, rounded
from truerank.statistics.equivalence import Guard, equivalent, no_worse, safe_loss, unseen_share
from truerank.statistics.intervals import difference_intervals
from truerank.statistics.power import detectable, needed_topics

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
USUAL = NOT_SIGNIFICANTLY_WORSE
"""The rule that "no worse" is short for: one that a run which is as good passes on thirty topics, too."""
LONGEST = 500
"""Characters of a gate: room for a measure with many parameters."""
MOST = 1 << 40
"""Topics that nobody has."""
SMALLEST = 0.001
"""Of the range of a measure, the least margin that is worth naming."""
WORST = 3
"""Topics that a line names."""
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
    rf"|(?P<not>{NOT_SIGNIFICANTLY_WORSE}|no worse|not worse))"
    rf"(?:\s+against\s+(?P<against>\S.*?))?"
    rf"(?:\s+with\s+losses\s+up\s+to\s+(?P<losses>{_NUMBER}))?"
    rf"(?:\s+at\s+(?P<alpha>{_NUMBER})\s*(?P<alpha_percent>%?))?"
    rf"(?:\s+over\s+(?P<looks>\d+)\s+looks?)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Gate:
    """What every system must be, compared with the baseline."""

    text: str
    form: str
    difference: float
    """In units of the measure, or a share of what the baseline scores; 0 where none was given."""
    relative: bool
    """Whether it is a share."""
    alpha: float
    measure: Measure | None
    """The one it is about; None for all that are compared."""
    references: tuple[str, ...] = ()
    """The runs that others are held against; none where these are the baselines of the comparison."""
    losses: float | None = None
    """How much a topic that was not seen may lose; None for as much as the worst of those seen."""
    looks: int = 1
    """How many such gates there will be, of which none may go wrong: each has its part of alpha."""

    @property
    def level(self) -> float:
        """What p has to be below, at this look."""
        return self.alpha / self.looks

    @property
    def two_sided(self) -> bool:
        """Whether p is two-sided: that of the comparison itself, whose verdict a gate may not contradict."""
        return self.form in (BETTER, NOT_SIGNIFICANTLY_WORSE)


def gate(text: str, alpha: float = 0.05) -> Gate:
    """Read a gate; ``alpha`` is its level where it names none.

    >>> found = gate("no worse than 1% at 0.01")
    >>> found.form, found.difference, found.relative, found.alpha
    ('no worse than', 0.01, True, 0.01)
    >>> str(gate("P@10: better").measure)
    'P@10'
    >>> gate("no worse").form
    'not significantly worse'
    """
    if len(text) > LONGEST:
        raise InputError(f"a gate of {len(text):,} characters is none; write one like {FORMS[0]!r}")
    found = _GATE.fullmatch(" ".join(str(text).split()))
    if found is None:
        forms = ", ".join(repr(form) for form in FORMS)
        raise InputError(
            f"gate {text!r} is not understood; write one like {forms}, after 'nDCG@10:' if it is about that only"
        )
    form = USUAL if found["not"] else (found["form"] or found["better"]).lower()
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
    looks = int(found["looks"] or 1)
    if not looks:
        raise InputError(f"gate {text!r} is over 0 looks; give how many such gates there will be")
    if found["losses"] is not None and not (form in (NO_WORSE, EQUIVALENT) or size):
        raise InputError(f"gate {text!r} names no difference that losses could add up to; leave them out, or name one")
    return Gate(
        " ".join(str(text).split()),
        form,
        size,
        bool(percent),
        level,
        None if found["measure"] is None else parse(found["measure"]),
        () if found["against"] is None else (found["against"],),
        None if found["losses"] is None else float(found["losses"]),
        looks,
    )


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
    """Each gate tried on each measure that it is about, and every system that is held against another."""
    every, all_gates = list(compared), list(wanted)
    fixed = {name for gate in all_gates for name in gate.references}
    for gate in all_gates:
        for found in every:
            if gate.measure in (None, found.by):
                yield from (
                    _outcome(gate, found, a, b)
                    for a, b in found.asked
                    if found.runs[a] in gate.references and found.runs[b] not in fixed
                )


def _outcome(gate: Gate, found: MeasureComparison, a: int, b: int) -> GateOutcome:
    baseline, run = found.runs[a], found.runs[b]
    values = found.sample.units[[a, b]]
    margin: float | Floats = found.sample.margin(gate.difference)
    if gate.relative:
        mean = values[0].mean().item()
        if not mean > 0:
            raise InputError(
                f"gate {gate.text!r} is a share of the mean of {baseline}, which is {mean:g} by {found.measure}; "
                "name a difference in units of the measure, as in 0.005"
            )
        # Of each topic, for the mean is no better known than the difference is: what is tested is new - (1 - S) base.
        margin = gate.difference * values[0]
    tested = _tested(gate, found, a, b, margin)
    low, high = _interval(gate, found.sign, values, margin)
    if found.sample.replicates is not None:
        low, high = _over_runs(gate, found, a, b)
    worse = tuple(found.losses(baseline, run))
    return GateOutcome(
        gate=gate.text,
        asked=gate,
        width=found.by.range[1] - found.by.range[0],
        measure=found.measure,
        baseline=baseline,
        run=run,
        passed=tested.passed,
        difference=found.effects.difference[b, a].item(),
        low=low,
        high=high,
        margin=float(np.mean(margin)),
        p=tested.p,
        p_test=tested.alone,
        test=tested.test,
        topics=len(found.topics),
        num_groups=found.num_groups,
        num_changed=int((found.topic_differences(baseline, run).differences != 0).sum()),
        needed_topics=_needed(gate, found, values, margin),
        would_pass=() if tested.passed else tuple(_would_pass(gate, found, a, b)),
        missed=_missed(gate, found, a, b) if gate.form == NOT_SIGNIFICANTLY_WORSE else None,
        safe_loss=_safe_loss(gate, found, values, margin) if tested.passed else None,
        alpha=gate.level,
        looks=gate.looks,
        num_worse=len(worse),
        worse=worse,
        notes=tuple(map(LITTLE, tested.notes)),
    )


@dataclass(frozen=True)
class _GateTest:
    passed: bool
    p: float
    alone: float
    """p without what is allowed for topics that were not seen."""
    test: str
    notes: tuple[str, ...] = ()


def _tested(gate: Gate, found: MeasureComparison, a: int, b: int, margin: float | Floats) -> _GateTest:
    """What the test of a gate says."""
    settings = found.settings
    p, way = found.corrected.p[b, a].item(), found.sign * found.ways[b, a].item()
    if gate.two_sided and not gate.difference:
        # The verdict of the comparison, at the level of the gate.
        shown = p < gate.level and (way > 0 if gate.form == BETTER else way < 0)
        return _GateTest(shown == (gate.form == BETTER), p, p, method(found))
    base, new = found.sign * found.sample.units[[a, b]]
    scores, question, size = np.stack([new, base]), no_worse, margin
    if gate.form == EQUIVALENT:
        question = equivalent
    elif gate.form == BETTER:
        size = -margin
    drawing = settings.drawing()
    plain = question(scores, size, test=settings.margin_test, **drawing)
    safe = question(scores, size, test=settings.margin_test, guard=Guard(gate.losses or 0.0), **drawing)
    alone, guarded = plain.p[0, 1].item(), safe.p[0, 1].item()
    if found.sample.replicates is not None:
        by_runs = _beyond(gate, found, a, b)
        alone, guarded = max(alone, by_runs), max(guarded, by_runs)
    if gate.form == BETTER:
        alone, guarded = min(1.0, 2.0 * alone), min(1.0, 2.0 * guarded)
        guarded = max(guarded, p if way > 0 else 1.0)
    title = settings.margin_title
    if gate.form == BETTER:
        title = title.replace("one-sided", "two-sided")
    return _GateTest(guarded < gate.level, guarded, alone, title, plain.notes)


def _would_pass(gate: Gate, found: MeasureComparison, a: int, b: int) -> Iterator[str]:
    """Other gates that the run passes, of one that it does not: the rules that ask for less, and the least margin."""
    usual = replace(gate, form=NOT_SIGNIFICANTLY_WORSE, difference=0.0, relative=False)
    if gate.form != NOT_SIGNIFICANTLY_WORSE and _tested(usual, found, a, b, 0.0).passed:
        yield NOT_SIGNIFICANTLY_WORSE
    form = gate.form if gate.form in (NO_WORSE, EQUIVALENT) else NO_WORSE
    share = found.sample.units[a] if gate.relative else None
    tried = replace(gate, form=form)

    def passes(size: float) -> bool:
        margin = found.sample.margin(size) if share is None else size * share
        return _tested(replace(tried, difference=size), found, a, b, margin).passed

    widest = 1.0 if gate.relative else found.by.range[1] - found.by.range[0]
    if math.isfinite(widest) and passes(widest):
        least = max(_least(passes, widest), SMALLEST * widest)
        yield f"{form} {100 * least:.6g}%" if gate.relative else f"{form} {least:.6g}"


def _least(passes: Callable[[float], bool], widest: float) -> float:
    """The least size that passes, up to two digits, of which larger ones pass too.

    >>> _least(lambda size: size > 0.04213, 1.0)
    0.043
    """
    low, high = 0.0, widest
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if passes(middle) else (middle, high)
    unit = 10.0 ** (math.floor(math.log10(high)) - 1)
    steps = max(math.floor(low / unit), 1)
    while not passes(steps * unit):
        steps += 1
    return float(f"{steps * unit:.6g}")


def _missed(gate: Gate, found: MeasureComparison, a: int, b: int) -> float | None:
    """The true loss that is missed one time of five: smaller ones are missed more often."""
    if found.sample.drawn < 2:
        return None
    deviation = found.effects.deviation[b, a].item()
    size = float(detectable(found.sample.drawn, deviation, alpha=gate.level / found.corrected.size, power=POWER))
    return size if deviation > 0 else None


def _beyond(gate: Gate, found: MeasureComparison, a: int, b: int) -> float:
    """p of what a gate asks, one-sided, where systems have several runs."""
    weight, margin = (1.0 - gate.difference, 0.0) if gate.relative else (1.0, gate.difference)
    if gate.form == BETTER:
        weight, margin = 2.0 - weight, -margin
    one = found.sample.contrast(found.sign, a, b, weight)
    if gate.form != EQUIVALENT:
        return one.beyond(margin)
    other = found.sample.contrast(found.sign, a, b, 2.0 - weight)
    return max(one.beyond(margin), replace(other, mean=-other.mean).beyond(margin))


def _over_runs(gate: Gate, found: MeasureComparison, a: int, b: int) -> tuple[float, float]:
    """An interval of the difference, where systems have several runs."""
    one = found.sample.contrast(1.0, a, b)
    reach = one.reach(1.0 - gate.level * (1.0 if gate.two_sided else 2.0)) if one.error > 0 else math.nan
    return one.mean - reach * one.error, one.mean + reach * one.error


def _interval(gate: Gate, sign: float, values: Floats, margin: float | Floats) -> tuple[float, float]:
    """An interval of the difference by t, whose end is beyond the margin just where the t-test says so.

    For a share, its ends are those of what is tested, new - (1 - S) base, less the margin.
    """
    base, new = values
    confidence = 1.0 - gate.level * (1.0 if gate.two_sided else 2.0)
    down, up = (-sign, sign) if gate.form == BETTER else (sign, -sign)
    ends = []
    for end, shift in ((0, down * np.asarray(margin)), (1, up * np.asarray(margin))):
        found = difference_intervals(np.stack([new + shift, base]), confidence=confidence)
        ends.append((found.low, found.high)[end][0, 1].item() - float(shift.mean()))
    low, high = ends
    return (low, high) if (new != base).any() else (math.nan, math.nan)


def _safe_loss(gate: Gate, found: MeasureComparison, values: Floats, margin: float | Floats) -> float | None:
    """How much a topic may lose, or change, for the claim to hold; None where none is made."""
    if gate.two_sided and not gate.difference:
        return None
    difference = found.sign * (values[1] - values[0])
    size = -np.asarray(margin) if gate.form == BETTER else margin
    level = gate.level / 2.0 if gate.form == BETTER else gate.level
    ways = (difference, -difference) if gate.form == EQUIVALENT else (difference,)
    drawing = found.settings.drawing()
    return min(safe_loss(one, size, alpha=level, **drawing) for one in ways)


def _needed(gate: Gate, found: MeasureComparison, values: Floats, margin: float | Floats) -> int | None:
    """Topics on which a system that is just as good would pass, from how much differences vary."""
    if gate.form not in (NO_WORSE, EQUIVALENT) or values.shape[1] < 2 or found.sample.replicates is not None:
        return None
    # Of two one-sided tests both must find what they look for, each of which is left half of the chance to miss it.
    power = POWER if gate.form == NO_WORSE else (1.0 + POWER) / 2.0
    difference = found.sign * (values[1] - values[0])
    deviation = float((difference + margin).std(ddof=1))
    size = float(np.mean(margin))
    # What is allowed for topics that were not seen takes one of so many off, as large as the worst.
    worst = max(float((difference.mean() - difference).max()), gate.losses or 0.0)

    def needed(topics: float) -> float:
        left = size - worst / (topics + 1)
        return float(needed_topics(left, deviation, alpha=gate.level, power=power, sides=1)) if left > 0 else math.inf

    low, high = 1, 2
    while needed(high) > high:
        low, high = high, 2 * high
        if high > MOST:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if needed(middle) > middle else (low, middle)
    # Of groups it takes so many, of as many topics as these have.
    return math.ceil(high * len(found.topics) / found.sample.drawn)


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
    at = ", at" if "," in outcome.test else " at"
    topics = counted(outcome.topics, "topic")
    if outcome.num_groups is not None:
        topics += f" in {counted(outcome.num_groups, 'group')}"
    how = [f"{outcome.test}{at} {_level(gate)}", topics]
    # The interval is by t whatever the test and the intervals of pairs are, and needs two topics.
    if not math.isnan(outcome.low):
        found += f" {interval(outcome.low, outcome.high, digits)}"
        confidence = 100 * (1 - gate.level * (1 if gate.two_sided else 2))
        how.insert(1, f"{confidence:.6g}% interval by t")
    found, notes = f"{found}, {p_value(outcome.p, gate.level)}", outcome.notes
    if not outcome.num_changed and outcome.topics > 1:
        # Nothing varies: what p and interval would say of other topics is in what they may lose.
        found, notes = "no topic differs", ()
    result = "passed" if outcome.passed else "failed"
    parts = [f"gate {result}: {claim}: {found} ({', '.join(how)})", *_unseen(outcome), *_otherwise(outcome, digits)]
    if not outcome.passed and outcome.needed_topics is not None and outcome.needed_topics > outcome.topics:
        parts.append(f"a run just as good would pass four times of five on {outcome.needed_topics:,} topics")
    return "; ".join((*parts, *notes))


def lost_topics(outcome: GateOutcome) -> str:
    """How many topics got worse, those that lost most, and the command that has the documents."""
    most = ", ".join(f"{one.topic} {one.difference:+.2f}" for one in outcome.worse[:WORST])
    more = ", ..." if len(outcome.worse) > WORST else ""
    some = f"{outcome.num_worse:,} of {counted(outcome.topics, 'topic')} got worse: {most}{more}"
    return f"{some}; see truerank diff QRELS {outcome.baseline} {outcome.run}"


def _otherwise(outcome: GateOutcome, digits: int) -> Iterator[str]:
    """Of a gate that is not passed, which rules are, and why; of one that asks for little, what it lets through."""
    if outcome.passed:
        if outcome.missed is not None and outcome.missed < outcome.width:
            yield f"a true loss below {rounded(outcome.missed, digits)} is missed more than one time of five"
        return
    reasons = {
        NOT_SIGNIFICANTLY_WORSE: "no loss is shown",
        NO_WORSE: "a larger loss is ruled out",
        EQUIVALENT: "a larger difference is ruled out",
    }
    for rule in outcome.would_pass:
        why = next(reason for form, reason in reasons.items() if rule.startswith(form))
        yield f'"{rule}" would pass: {why}'


def _level(gate: Gate) -> str:
    """The level, and whose part it is."""
    looks = f", {probability(gate.alpha)} over {gate.looks} looks" if gate.looks > 1 else ""
    return f"{probability(gate.level)}{looks}"


def _unseen(outcome: GateOutcome) -> Iterator[str]:
    """What topics that were not seen may do to what is claimed; nothing where they cannot."""
    gate = outcome.asked
    if not outcome.passed and outcome.p_test < gate.level <= outcome.p and gate.form != NOT_SIGNIFICANTLY_WORSE:
        worst = max((abs(one.difference) for one in outcome.worse), default=0.0)
        may = f"lose {gate.losses:g}" if worst < (gate.losses or 0.0) else "lose as much as the worst of these"
        if gate.form == EQUIVALENT:
            may = may.replace("lose", "change by")
        yield f"the test alone has {p_value(outcome.p_test, gate.level)}, but topics not seen may {may}"
    safe = outcome.safe_loss
    if safe is None or safe >= outcome.width:
        return
    does = "changes by" if gate.form == EQUIVALENT else "loses"
    share = 100 * unseen_share(outcome.num_groups or outcome.topics, gate.level)
    what = "topic" if outcome.num_groups is None else "group"
    yield f"holds if no {what} {does} more than {safe:.2g}: up to {share:.2g}% of all may be of a kind not seen here"
