"""The number that was reported, what may have been done differently, and the search for what gives it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from truerank.conventions.axes import AXES, EXTREMES, Conventions, Given
from truerank.conventions.presets import PRESETS, conventions
from truerank.data.arrays import Floats, distinct
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import LARGEST
from truerank.measures.gm import GM
from truerank.measures.grammar import parse
from truerank.questions.evaluate.work import score
from truerank.questions.why.question import Reason, Why
from truerank.track.facts import READ_JUDGMENTS, READ_RUN
from truerank.track.track import Track

NEAREST = 3
"""How many near misses are named where nothing fits."""
CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100, 200, 1000)
PARAMETERS: dict[str, tuple[Any, ...]] = {
    "dcg": ("log2", "exp-log2"),
    "norm": ("R", "min", "pool"),
    "relative": (False, True),
    "p": (0.5, 0.8, 0.9, 0.95, 0.98),
    "beta": (0.5, 1.0, 2.0),
    "deepest": (1000, None),
    "normalise": (True, False),
}
"""Values of parameters that are in use."""
WORDS: dict[tuple[str, Any], str] = {
    ("deepest", None): "depths end with the longer of list and ideal ranking, as in ir_measures",
    ("deepest", 1000): "depths go down to 1000, as in the authors' script",
}
"""What a value of a parameter is in words, where that is more than its name."""


@dataclass(frozen=True)
class Reported:
    """A number with the digits it was given with.

    >>> number = Reported.of("0.4123")
    >>> number.fits(0.41234), number.fits(0.41236)
    (True, False)
    >>> Reported.of("41.23").scaled(0.0, 1.0).fits(0.41234)
    True
    """

    text: str
    value: Decimal
    decimals: int
    percent: bool = False

    @classmethod
    def of(cls, given: str | float) -> Reported:
        """Read a number; text keeps its trailing zeros."""
        text = (given if isinstance(given, str) else repr(float(given))).strip()
        plain = text.removesuffix("%").strip()
        try:
            value = Decimal(plain)
        except InvalidOperation:
            raise InputError(f"{given!r} is not a number; give the value as it was reported, such as 0.4123") from None
        exponent = value.as_tuple().exponent
        # copy_abs, for abs rounds, which overflows.
        if not isinstance(exponent, int) or value.copy_abs() > LARGEST:
            raise InputError(f"{given!r} is not a finite number; give the value as it was reported, such as 0.4123")
        number = cls(text, value, max(0, -exponent))
        return number._hundredth() if plain != text else number

    def scaled(self, least: float, most: float) -> Reported:
        """The number itself, or a hundredth of it where only that can be a value of the measure."""
        if self.percent or least <= float(self.value) <= most or float(self.value) > 100 * most:
            return self
        return self._hundredth()

    def _hundredth(self) -> Reported:
        return Reported(self.text, self.value / 100, self.decimals + 2, percent=True)

    def distance(self, value: float) -> float:
        """How far a value is from the number."""
        return abs(value - float(self.value))

    def fits(self, value: float) -> bool:
        """Whether a value may have been rounded to the number."""
        return self.distance(value) <= self._rounding_margin(value) * (1 + 1e-9)

    def _rounding_margin(self, value: float) -> float:
        """How far values lie from the number that they are rounded to, at most."""
        return max(0.5 * 10.0**-self.decimals, 1e-12 * max(1.0, abs(value)))

    def chance(self, reference: float, values: Iterable[float], least: float, most: float) -> float | None:
        """Of the numbers as near to the reference as this one, with as many digits, the share that values round to.

        Numbers are those that the measure can have. None where this one is the reference: there is no other as near.

        >>> Reported.of("0.43").chance(0.4, [0.4, 0.4101, 0.4102, 0.43, 0.7], 0.0, 1.0)  # 3 of 0.37, 0.38, ..., 0.43
        0.42857142857142855
        """
        here, width = float(self.value), 2 * self._rounding_margin(reference)

        def number(value: float) -> int:
            return round((value - here) / width)

        centre = number(reference)
        if not centre:
            return None
        low, high = sorted((0, 2 * centre))
        if math.isfinite(least):
            low = max(low, min(number(least), 0))
        if math.isfinite(most):
            high = min(high, max(number(most), 0))
        reached = {number(value) for value in values}
        return sum(low <= one <= high for one in reached) / (high - low + 1)


def conventions_changed(choice: Conventions) -> Iterator[Conventions]:
    """Conventions that differ in one axis; those that give an interval, or refuse, or draw lots, explain no number."""
    for axis in AXES.values():
        told: list[Any] = [value for value, meaning in axis.values.items() if meaning.because]
        # An extreme order of ties explains a number if nothing that tools do does.
        for value in sorted(told, key=EXTREMES.__contains__):
            if value != getattr(choice, axis.name):
                yield replace(choice, **{axis.name: value})


def differences(choice: Conventions, reference: Conventions) -> dict[str, str]:
    """The axes in which conventions differ, each with what is done instead, in words."""
    return {
        axis.name: axis.values[value].because
        for axis in AXES.values()
        if (value := getattr(choice, axis.name)) != getattr(reference, axis.name)
    }


def measures_changed(measure: Measure, grades: Floats) -> Iterator[tuple[Measure, str]]:
    """Measures that differ in one parameter, in the cutoff, or in how topics are averaged; each with its words."""
    for name, values in PARAMETERS.items():
        for value in values:
            yield from _with(measure, name, value, WORDS.get((name, value), f"{name} is {value}"))
    for level in grades[grades > 0].tolist():
        yield from _with(measure, "rel", _tidy(level), f"documents are relevant from grade {level:g} on")
    if measure.takes_gains:
        themselves = {_tidy(level): _tidy(level) for level in grades[grades > 0].tolist()}
        yield from _with(measure, "gains", themselves or None, "the gain of a document is its grade")
        yield from _with(measure, "rel", None, "grades are gains, not only relevant or not")
    for cutoff in CUTOFFS if measure.takes_cutoff else ():
        if cutoff != measure.cutoff:
            words = "there is no cutoff" if cutoff is None else f"the cutoff is {cutoff}"
            try:
                yield replace(measure, cutoff=cutoff), words
            except InputError:
                continue
    if measure.averages:
        yield GM(measure=measure), "topics are averaged by the geometric mean"


def _with(measure: Measure, name: str, value: object, words: str) -> Iterator[tuple[Measure, str]]:
    if name in {field.name for field in fields(measure)} and getattr(measure, name) != value:
        try:
            changed = measure(**{name: value})
            yield parse(str(changed)), words
        except InputError:
            return


def _tidy(level: float) -> float:
    return int(level) if level.is_integer() else level


@dataclass(frozen=True)
class Attempt:
    """A measure under conventions."""

    measure: Measure
    conventions: Conventions
    words: str = ""
    """What is different about the measure."""


def as_used(tool: str | None) -> Given:
    """Conventions of a tool; one that refuses runs with missing topics got its number from lists made empty before."""
    return {"like": tool, "missing": "empty"} if conventions(tool).refuses_missing else {"like": tool}


def habits(tool: str | None) -> Conventions:
    """What a tool does, as conventions."""
    return conventions(**as_used(tool))  # type: ignore[arg-type]  # None of them says how to read a run.


class Attempts:
    """Values of a run under conventions and by variants of a measure, each evaluated once."""

    def __init__(self, qrels: Qrels, run: Run, measure: Measure, start: Conventions) -> None:
        self._qrels, self._run = qrels, run
        self.start = Attempt(measure, start)
        grades = distinct(qrels.grade[~np.isnan(qrels.grade)])
        self._variants = [Attempt(changed, start, words) for changed, words in measures_changed(measure, grades)]
        self._values: dict[Attempt, float] = {}
        self._tried: list[Attempt] = []

    def value(self, attempt: Attempt) -> float:
        """The value of an attempt; NaN where the measure has none under these conventions."""
        if attempt not in self._values:
            self._evaluate(attempt.conventions, [attempt])
        return self._values[attempt]

    def _evaluate(self, choice: Conventions, attempts: list[Attempt]) -> None:
        """Score what differs in the measure only together: ranking the documents takes most of the time."""
        try:
            found = score(self._qrels, self._run, tuple(dict.fromkeys(attempt.measure for attempt in attempts)), choice)
            self._values.update((attempt, found[str(attempt.measure)].mean) for attempt in attempts)
        except InputError:
            # One of them has no form for these conventions; what the others give is asked for one by one.
            self._values.update((attempt, np.nan) for attempt in attempts[:1])
            for attempt in attempts if len(attempts) > 1 else ():
                self._evaluate(choice, [attempt])

    def steps(self) -> Iterator[tuple[list[Attempt], ...]]:
        """Attempts with more and more changes; the conventions of a tool are one change, whatever they are made of.

        In each step those come first that begin with a tool: there are fewer of them, and they are what people use.
        """
        start = self.start
        yield ([start],)
        tools = [replace(start, conventions=habits(name)) for name in PRESETS]
        others = [replace(start, conventions=choice) for choice in conventions_changed(start.conventions)]
        yield tools, [*others, *self._variants]
        # What moves nothing alone is left alone.
        usual = self.value(start)
        by_tools, by_others = (
            [
                attempt.conventions
                for attempt in some
                if not np.isnan(self.value(attempt)) and self.value(attempt) != usual
            ]
            for some in (tools, others)
        )
        yield tuple(
            [
                *(replace(variant, conventions=choice) for choice in choices for variant in self._variants),
                *(replace(start, conventions=two) for one in choices for two in conventions_changed(one)),
            ]
            for choices in (dict.fromkeys(by_tools), dict.fromkeys(by_others))
        )

    def fitting(self, reported: Reported) -> dict[Attempt, float | None]:
        """The attempts with the fewest changes that give a number, each reduced to the changes that matter.

        Each comes with the chance that a random number as near would be given by it or by what was tried before it.
        """
        self._tried = []
        for step in self.steps():
            self._evaluate_together([attempt for family in step for attempt in family])
            fits: list[tuple[Attempt, float | None]] = []
            for family in step:
                self._tried += family
                given = [attempt for attempt in family if reported.fits(self.value(attempt))]
                chance = self.chance(reported) if given else None
                fits += [(attempt, chance) for attempt in given]
            usual = [(attempt, chance) for attempt, chance in fits if not attempt.conventions.extreme]
            found: dict[Attempt, float | None] = {}
            for attempt, chance in usual or fits:
                found.setdefault(self._reduced(attempt, reported.fits), chance)
            if found:
                return found
        return {}

    def _evaluate_together(self, attempts: list[Attempt]) -> None:
        together: dict[Conventions, list[Attempt]] = {}
        for attempt in attempts:
            if attempt not in self._values:
                together.setdefault(attempt.conventions, []).append(attempt)
        for choice, some in together.items():
            self._evaluate(choice, some)

    @property
    def tried(self) -> int:
        """How many attempts the search for a number took."""
        return len(dict.fromkeys(self._tried))

    def chance(self, reported: Reported) -> float | None:
        """The chance that something tried gives a random number, of those as near to the start; see ``Reported``."""
        values = {value for attempt in self._tried if not np.isnan(value := self.value(attempt))}
        return reported.chance(self.value(self.start), values, *self.start.measure.range)

    def _reduced(self, attempt: Attempt, fits: Callable[[float], bool]) -> Attempt:
        """The attempt without the changes that its value does not need."""
        for axis in differences(attempt.conventions, self.start.conventions):
            back = replace(attempt.conventions, **{axis: getattr(self.start.conventions, axis)})
            if fits(self.value(replace(attempt, conventions=back))):
                attempt = replace(attempt, conventions=back)
        return attempt

    def nearest(self, reported: Reported, count: int) -> list[Attempt]:
        """Of the attempts that were tried those whose values come nearest."""
        near: dict[float, Attempt] = {}
        tried = [(attempt, value) for attempt, value in self._values.items() if not np.isnan(value)]
        for attempt, value in sorted(tried, key=lambda item: reported.distance(item[1])):
            if len(near) == count:
                break
            near.setdefault(value, self._reduced(attempt, value.__eq__))
        return list(near.values())

    def between_ties(self, reported: Reported) -> tuple[float, float] | None:
        """The extremes that orders of ties give, if the number lies between them."""
        ends = [
            self.value(replace(self.start, conventions=replace(self.start.conventions, ties=order)))
            for order in EXTREMES
        ]
        best, worst = max(ends), min(ends)
        return (worst, best) if worst < float(reported.value) < best else None

    def changes(self, attempt: Attempt) -> tuple[str, ...]:
        """What differs from the start, in words."""
        said = tuple(differences(attempt.conventions, self.start.conventions).values())
        return (*said, attempt.words) if attempt.words else said

    def tools(self, attempt: Attempt, reported: Reported) -> tuple[str, ...]:
        """The tools that give the number for a measure, for the reasons of this attempt."""
        if attempt.conventions == self.start.conventions:
            return ()  # It is the measure that differs, which is no habit of a tool.
        return tuple(
            name
            for name in PRESETS
            if reported.fits(self.value(whole := replace(attempt, conventions=habits(name))))
            and self._reduced(whole, reported.fits) == attempt
        )


def summarise(track: Track, reported: Reported, tool: str | None) -> Why:
    """What gives the number that was reported for the one run of a track."""
    if len(track.runs) != 1:
        raise InputError(f"a number is about one run, and there are {len(track.runs)}; give one")
    [measure], lens = track.measures, track.lens(0)
    track.refuse(lens.name, lens.run.topics, lens.judged.run_topic < 0)
    attempts = Attempts(track.judgments, lens.whole, measure, track.conventions)
    number = reported.scaled(*measure.range)
    if np.isnan(attempts.value(attempts.start)):
        by = f"under the conventions of {tool}" if tool else "here"
        raise InputError(f"{measure} has no value for this run {by}: evaluate it first to see why")

    def reason(attempt: Attempt, chance: float | None = None) -> Reason:
        value = attempts.value(attempt)
        return Reason(
            value=value,
            fits=number.fits(value),
            chance=chance,
            measure=str(attempt.measure),
            tools=attempts.tools(attempt, number),
            changes=attempts.changes(attempt),
            conventions=attempt.conventions,
            by=attempt.measure,
        )

    fitting = attempts.fitting(number)
    found = sorted(
        (reason(attempt, chance) for attempt, chance in fitting.items()),
        key=lambda one: (one.chance or 0.0, not one.tools, len(one.changes)),
    )
    return Why(
        reported=number.text,
        number=number,
        tool=tool,
        reference=reason(attempts.start),
        explanations=tuple(found),
        chance=found[0].chance if found else attempts.chance(number),
        tried=attempts.tried,
        nearest=() if found else tuple(map(reason, attempts.nearest(number, NEAREST))),
        ties=None if found else attempts.between_ties(number),
        notices=(
            *(READ_JUDGMENTS(read=one) for one in track.judgments.notes),
            *(READ_RUN(read=one) for one in lens.whole.notes),
        ),
    )
