"""Gates: what a system must be shown to be, as it is written; how that comes out, and the sentence that says so."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import LARGEST
from truerank.measures.grammar import parse
from truerank.questions.compare.answer import FAILED, PASSED, UNDECIDED, GateOutcome, MeasureComparison
from truerank.questions.compare.guarded import Gains, gains
from truerank.questions.compare.words import interval_kind, method
from truerank.report.digits import APART, LARGE, decimals, probability, rounded
from truerank.statistics.level import above
from truerank.statistics.power import detectable, needed_topics
from truerank.statistics.unseen import safe_loss

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
    known: dict[tuple[object, ...], Gains] = {}
    for gate in all_gates:
        for found in every:
            pairs = [(a, b) for a, b in found.asked if found.runs[a] in gate.references and found.runs[b] not in fixed]
            if gate.measure not in (None, found.by) or not pairs:
                continue
            # Gates of the same level share their intervals.
            key = (found.measure, gate.references, gate.level, gate.losses)
            if key not in known:
                known[key] = gains(found, pairs, gate.level, gate.losses or 0.0)
            yield from (_outcome(gate, found, known[key], at, *pair) for at, pair in enumerate(pairs))


@dataclass(frozen=True)
class GainInterval:
    """How much better a system may be: the interval of its gain, and what the test shows of it (1, -1 or 0)."""

    low: float
    high: float
    shown: float

    def decides(self, form: str, margin: float = 0.0) -> str:
        """How a gate of a form comes out: one interval for all of them, so that no two can contradict each other.

        >>> found = GainInterval(-0.011, 0.019, 0)
        >>> found.decides(NO_WORSE, 0.02), found.decides(NO_WORSE, 0.01), found.decides(BETTER, 0.02)
        ('PASSED', 'UNDECIDED', 'FAILED')
        """
        # An end at 0 is outside of the interval where the test shows something, as Holm's correction may leave it.
        gain = above(self.low, 0.0) or (self.shown > 0 and self.low == 0)
        loss = above(0.0, self.high) or (self.shown < 0 and self.high == 0)
        if form == NOT_SIGNIFICANTLY_WORSE:
            # A test that is of no mean may show a loss that the mean does not.
            return FAILED if loss else UNDECIDED if self.shown < 0 else PASSED
        if form == BETTER:
            passed, failed = (above(self.low, margin), above(margin, self.high)) if margin else (gain, loss)
        elif form == NO_WORSE:
            passed, failed = above(self.low, -margin), above(-margin, self.high)
        else:
            passed = above(self.low, -margin) and above(margin, self.high)
            failed = above(-margin, self.high) or above(self.low, margin)
        return PASSED if passed else FAILED if failed else UNDECIDED


def _outcome(gate: Gate, found: MeasureComparison, by: Gains, at: int, a: int, b: int) -> GateOutcome:
    baseline, run = found.runs[a], found.runs[b]
    margin = gate.difference * _unit(gate, found, a)
    interval = GainInterval(by.low[at].item(), by.high[at].item(), by.shown[at].item())
    result = interval.decides(gate.form, margin)
    ends = [end[at].item() for end in by.ends(found.sign)]
    worse = tuple(found.losses(baseline, run))
    return GateOutcome(
        gate=gate.text,
        asked=gate,
        width=found.by.range[1] - found.by.range[0],
        sign=found.sign,
        measure=found.measure,
        baseline=baseline,
        run=run,
        outcome=result,
        passed=result == PASSED,
        difference=found.effects.difference[b, a].item(),
        low=ends[0] if math.isfinite(ends[0]) else math.nan,
        high=ends[1] if math.isfinite(ends[1]) else math.nan,
        margin=margin,
        guarded=_is_guarded(gate.form, result, *(bool(end[at]) for end in by.guarded)),
        shown=interval.shown,
        test=method(found),
        interval=interval_kind(found),
        topics=len(found.topics),
        num_groups=found.num_groups,
        num_changed=int((found.topic_differences(baseline, run).differences != 0).sum()),
        needed_topics=_needed(gate, found, by.rows[at], by.levels[at].item(), margin),
        would_pass=() if result == PASSED else tuple(_would_pass(gate, found, interval, a)),
        missed=_missed(gate, found, a, b) if gate.form == NOT_SIGNIFICANTLY_WORSE else None,
        safe_loss=_safe_loss(gate, found, by.rows[at], by.levels[at].item(), margin) if result == PASSED else None,
        alpha=gate.level,
        looks=gate.looks,
        num_worse=len(worse),
        worse=worse,
    )


def _unit(gate: Gate, found: MeasureComparison, a: int) -> float:
    """What the difference of a gate is in units of: 1, or for a share the mean of the baseline."""
    if not gate.relative:
        return 1.0
    mean = found.means.estimate[a].item()
    if not mean > 0:
        raise InputError(
            f"gate {gate.text!r} is a share of the mean of {found.runs[a]}, which is {mean:g} by {found.measure}; "
            "name a difference in units of the measure, as in 0.005"
        )
    return float(mean)


def _is_guarded(form: str, result: str, low: bool, high: bool) -> bool:
    """Whether the end of the interval that decides allows for topics that were not seen."""
    if form == EQUIVALENT:
        return (low or high) and result != FAILED
    if result == FAILED:
        return high
    return low or (result == UNDECIDED and high)


def _would_pass(gate: Gate, found: MeasureComparison, interval: GainInterval, a: int) -> Iterator[str]:
    """Other gates that the run passes, of one that it does not: the rules that ask for less, and the least margin."""
    if gate.form != NOT_SIGNIFICANTLY_WORSE and interval.decides(NOT_SIGNIFICANTLY_WORSE) == PASSED:
        yield NOT_SIGNIFICANTLY_WORSE
    form = gate.form if gate.form in (NO_WORSE, EQUIVALENT) else NO_WORSE
    widest = found.by.range[1] - found.by.range[0]
    most = max(-interval.low, interval.high) if form == EQUIVALENT else -interval.low
    if not math.isfinite(most) or most >= widest:
        return
    unit, smallest = _unit(gate, found, a), SMALLEST * widest if math.isfinite(widest) else 0.0
    least = _next(most / unit) if most > smallest else smallest / unit
    if least > 0 and not (gate.relative and least >= 1):
        yield f"{form} {100 * least:.6g}%" if gate.relative else f"{form} {least:.6g}"


def _next(size: float) -> float:
    """The least number of two digits above one.

    >>> _next(0.04213), _next(0.04), _next(0.0996)
    (0.043, 0.041, 0.1)
    """
    unit = 10.0 ** (math.floor(math.log10(size)) - 1)
    steps = math.floor(size / unit) + 1
    found = float(f"{steps * unit:.6g}")
    return found if found > size else float(f"{(steps + 1) * unit:.6g}")


def _missed(gate: Gate, found: MeasureComparison, a: int, b: int) -> float | None:
    """The true loss that is missed one time of five: smaller ones are missed more often."""
    if found.sample.drawn < 2:
        return None
    deviation = found.effects.deviation[b, a].item()
    size = float(detectable(found.sample.drawn, deviation, alpha=gate.level / found.corrected.size, power=POWER))
    return size if deviation > 0 else None


def _safe_loss(gate: Gate, found: MeasureComparison, row: Floats, level: float, margin: float) -> float | None:
    """How much a topic that was not seen may lose, or change, for the claim to hold; None where none is made.

    Nor where a topic that was seen loses more: what is significant does not allow for others.
    """
    if gate.form == NOT_SIGNIFICANTLY_WORSE or (gate.form == BETTER and not margin):
        return None
    size = -margin if gate.form == BETTER else margin
    ways = (row, -row) if gate.form == EQUIVALENT else (row,)
    drawing = found.settings.drawing()
    safe = [(safe_loss(one, size, level=level, **drawing), -one.min().item()) for one in ways]
    return None if any(loss <= worst for loss, worst in safe) else min(loss for loss, _ in safe)


def _needed(gate: Gate, found: MeasureComparison, row: Floats, level: float, margin: float) -> int | None:
    """Topics on which a system that is just as good would pass, from how much differences vary."""
    if gate.form not in (NO_WORSE, EQUIVALENT) or len(row) < 2 or found.sample.replicates is not None:
        return None
    # Of two ends both must be within, each of which is left half of the chance to miss it.
    power = POWER if gate.form == NO_WORSE else (1.0 + POWER) / 2.0
    deviation = float(row.std(ddof=1))
    # What is allowed for topics that were not seen takes one of so many off, as large as the worst.
    worst = max(float((row.mean() - row).max()), gate.losses or 0.0)

    def needed(topics: float) -> float:
        left = margin - worst / (topics + 1)
        if not left > 0:
            return math.inf
        return float(needed_topics(left, deviation, alpha=level / 2.0, power=power, sides=1))

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
    """How a gate came out, by which difference, and what that rests on.

    'PASSED: "new" is no worse than "base" by 0.020: +0.004 nDCG@10 (95% CI -0.011 to +0.019, unseen topics allowed
    for); holds if no topic loses more than 0.34.'
    """
    found = f"{rounded(outcome.difference, outcome.digits, sign=True)} {outcome.measure}"
    if not outcome.num_changed and outcome.topics > 1:
        found = f"no topic differs by {outcome.measure}"
    form, result, sized = outcome.asked.form, outcome.outcome, bool(outcome.margin)
    claim = _CLAIMS.get((form, result, sized)) or _UNDECIDED[form, sized]
    if math.isnan(outcome.low):
        claim = (claim if result == PASSED else '"{run}" against "{baseline}": {found}') + _TOO_FEW
    said = claim.format(
        run=outcome.run,
        baseline=outcome.baseline,
        by=_by(outcome),
        found=f"{found}{_interval(outcome)}",
        test=outcome.test,
        topics=counted(outcome.topics, "topic"),
        groups="" if outcome.num_groups is None else f" in {counted(outcome.num_groups, 'group')}",
    )
    return f"{'; '.join((f'{result}: {said}', *_further(outcome)))}."


_CLAIMS = {
    (NO_WORSE, PASSED, True): '"{run}" is no worse than "{baseline}" by {by}: {found}',
    (NO_WORSE, FAILED, True): '"{run}" loses more than {by} against "{baseline}": {found}',
    (BETTER, PASSED, False): '"{run}" is better than "{baseline}": {found}',
    (BETTER, PASSED, True): '"{run}" is better than "{baseline}" by {by}: {found}',
    (BETTER, FAILED, False): '"{run}" is worse than "{baseline}": {found}',
    (BETTER, FAILED, True): '"{run}" is not better than "{baseline}" by {by}: {found}',
    (EQUIVALENT, PASSED, True): '"{run}" is equivalent to "{baseline}" within {by}: {found}',
    (EQUIVALENT, FAILED, True): '"{run}" differs from "{baseline}" by more than {by}: {found}',
    (NOT_SIGNIFICANTLY_WORSE, PASSED, False): '"{run}" is not significantly worse than "{baseline}": {found}',
    (NOT_SIGNIFICANTLY_WORSE, FAILED, False): '"{run}" is worse than "{baseline}": {found}',
}
"""What is said, by form, outcome, and whether there is a margin."""
_UNDECIDED = {
    (NO_WORSE, True): '"{run}" against "{baseline}": {found} leaves room for a loss of {by}',
    (BETTER, False): '"{run}" against "{baseline}": {found} does not show a gain',
    (BETTER, True): '"{run}" against "{baseline}": {found} leaves room for a gain of less than {by}',
    (EQUIVALENT, True): '"{run}" against "{baseline}": {found} leaves room for a difference of {by}',
    (NOT_SIGNIFICANTLY_WORSE, False): '"{run}" against "{baseline}": {found}; the mean does not show the loss that '
    "the {test} shows",
}
_TOO_FEW = "; {topics}{groups} cannot show anything at this level"


def _interval(outcome: GateOutcome) -> str:
    """The interval that decided, how it was found, and at which level; why there is none."""
    if math.isnan(outcome.low):
        return ""
    low, high = outcome.ends
    parts = [f"{100 * (1 - outcome.alpha):.12g}% CI {low} to {high}", outcome.interval]
    if outcome.looks > 1:
        parts.append(f"{probability(outcome.asked.alpha)} over {outcome.looks} looks")
    if outcome.guarded:
        parts.append("unseen topics allowed for")
    return f" ({', '.join(filter(None, parts))})"


def end_digits(low: float, high: float, edges: Iterable[float]) -> int:
    """Decimals of the ends of an interval: down to a tenth of its error, and more where an end would look like an edge.

    >>> end_digits(-0.052, 0.019, [0.02]), end_digits(-0.01996, 0.019, [-0.02])
    (3, 5)
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return decimals(math.nan)
    digits, borders = decimals((high - low) / 4), list(edges)

    def stays(end: float) -> bool:
        text = float(f"{end:.{digits}f}")
        return all((above(text, edge), above(edge, text)) == (above(end, edge), above(edge, end)) for edge in borders)

    while digits < APART and not (stays(low) and stays(high)):
        digits += 1
    return digits


def _by(outcome: GateOutcome) -> str:
    """The margin, with as many digits as the interval has; of a share, both."""
    gate, digits = outcome.asked, outcome.digits
    size = f"{outcome.margin:.{digits}f}" if outcome.margin < LARGE else f"{outcome.margin:g}"
    if gate.relative:
        return f"{100 * gate.difference:.6g}% ({size})"
    return size if float(size) == gate.difference else f"{gate.difference:.6g}"


def _further(outcome: GateOutcome) -> Iterator[str]:
    """What a claim rests on; of a gate that is not passed, what would be, and with how many topics."""
    digits = outcome.digits
    if outcome.passed:
        if outcome.missed is not None and outcome.missed < outcome.width:
            yield f"true losses below {rounded(outcome.missed, digits)} are missed more than 20% of the time"
        safe = outcome.safe_loss
        if safe is not None and safe < outcome.width:
            what = "topic" if outcome.num_groups is None else "group"
            does = "changes by" if outcome.asked.form == EQUIVALENT else "loses"
            yield f"holds if no {what} {does} more than {safe:.2g}"
        return
    if outcome.would_pass:
        rules = " and ".join(f'"{rule}"' for rule in outcome.would_pass)
        yield f"{rules} would pass"
    if outcome.outcome == UNDECIDED and outcome.needed_topics is not None and outcome.needed_topics > outcome.topics:
        yield f"with about {outcome.needed_topics:,} topics, an equally good run would pass 80% of the time"


def lost_topics(outcome: GateOutcome) -> str:
    """How many topics got worse, those that lost most, and the command that has the documents."""
    most = ", ".join(f"{one.topic} {one.difference:+.2f}" for one in outcome.worse[:WORST])
    more = ", ..." if len(outcome.worse) > WORST else ""
    some = f"{outcome.num_worse:,} of {counted(outcome.topics, 'topic')} got worse: {most}{more}"
    return f"{some}; see truerank diff QRELS {outcome.baseline} {outcome.run}"
