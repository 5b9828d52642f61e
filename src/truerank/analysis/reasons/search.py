"""The search for conventions that give a number: nothing changed, one thing, two things."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from truerank.analysis.evaluate import score
from truerank.analysis.reasons.changes import WORDS, conventions_changed, differences, measures_changed
from truerank.analysis.reasons.number import Reported
from truerank.conventions.choices import Conventions
from truerank.conventions.presets import PRESETS, conventions
from truerank.conventions.ties import EXTREMES
from truerank.data.arrays import distinct
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels
from truerank.data.run import Run
from truerank.measures.core.base import Measure


@dataclass(frozen=True)
class Case:
    """A measure under conventions."""

    measure: Measure
    conventions: Conventions
    words: str = ""
    """What is different about the measure."""


def habits(tool: str | None) -> Conventions:
    """Conventions of a tool; one that refuses runs with missing topics got its number from lists made empty before."""
    known = conventions(tool)
    return replace(known, missing="empty") if known.missing == "error" else known


class Search:
    """Values of a run under conventions, each evaluated once."""

    def __init__(self, qrels: Qrels, run: Run, measure: Measure, start: Conventions) -> None:
        self._qrels, self._run = qrels, run
        self.start = Case(measure, start)
        grades = distinct(qrels.grade[~np.isnan(qrels.grade)])
        self._variants = [Case(changed, start, words) for changed, words in measures_changed(measure, grades)]
        self._values: dict[Case, float] = {}

    def value(self, case: Case) -> float:
        """The value of a case; NaN where the measure has none under these conventions."""
        if case not in self._values:
            self._evaluate(case.conventions, [case])
        return self._values[case]

    def _evaluate(self, choice: Conventions, cases: list[Case]) -> None:
        """Score what differs in the measure only together: ranking the documents takes most of the time."""
        try:
            found = score(self._qrels, self._run, tuple(dict.fromkeys(case.measure for case in cases)), choice)
            self._values.update((case, found[str(case.measure)].mean) for case in cases)
        except InputError:
            # One of them has no form for these conventions; what the others give is asked for one by one.
            self._values.update((case, np.nan) for case in cases[:1])
            for case in cases if len(cases) > 1 else ():
                self._evaluate(choice, [case])

    def steps(self) -> Iterator[list[Case]]:
        """Cases with more and more changes; the conventions of a tool are one change, whatever they are made of."""
        start = self.start
        yield [start]
        tools = [replace(start, conventions=habits(name)) for name in PRESETS]
        others = [replace(start, conventions=choice) for choice in conventions_changed(start.conventions)]
        yield [*tools, *others, *self._variants]
        # What moves nothing alone is left alone.
        usual = self.value(start)
        moving = [case for case in [*tools, *others] if not np.isnan(self.value(case)) and self.value(case) != usual]
        choices = list(dict.fromkeys(case.conventions for case in moving))
        yield [
            *(replace(variant, conventions=choice) for choice in choices for variant in self._variants),
            *(replace(start, conventions=two) for one in choices for two in conventions_changed(one)),
        ]

    def fitting(self, reported: Reported) -> list[Case]:
        """The cases with the fewest changes that give a number, each reduced to the changes that matter."""
        for step in self.steps():
            together: dict[Conventions, list[Case]] = {}
            for case in step:
                if case not in self._values:
                    together.setdefault(case.conventions, []).append(case)
            for choice, cases in together.items():
                self._evaluate(choice, cases)
            fits = [case for case in step if reported.fits(self.value(case))]
            usual = [case for case in fits if case.conventions.ties not in EXTREMES]
            if fits:
                return list(dict.fromkeys(self._reduced(case, reported.fits) for case in usual or fits))
        return []

    def _reduced(self, case: Case, fits: Callable[[float], bool]) -> Case:
        """The case without the changes that its value does not need."""
        for axis in differences(case.conventions, self.start.conventions):
            back = replace(case.conventions, **{axis: getattr(self.start.conventions, axis)})
            if fits(self.value(replace(case, conventions=back))):
                case = replace(case, conventions=back)
        return case

    def nearest(self, reported: Reported, count: int) -> list[Case]:
        """Of the cases that were tried those whose values come nearest."""
        near: dict[float, Case] = {}
        tried = [(case, value) for case, value in self._values.items() if not np.isnan(value)]
        for case, value in sorted(tried, key=lambda item: reported.distance(item[1])):
            if len(near) == count:
                break
            near.setdefault(value, self._reduced(case, value.__eq__))
        return list(near.values())

    def between_ties(self, reported: Reported) -> tuple[float, float] | None:
        """The extremes that orders of ties give, if the number lies between them."""
        ends = [
            self.value(replace(self.start, conventions=replace(self.start.conventions, ties=order)))
            for order in EXTREMES
        ]
        best, worst = max(ends), min(ends)
        return (worst, best) if worst < float(reported.value) < best else None

    def changes(self, case: Case) -> tuple[str, ...]:
        """What differs from the start, in words."""
        axes = differences(case.conventions, self.start.conventions)
        said = [WORDS[axis].get(getattr(case.conventions, axis), axis) for axis in axes]
        return (*said, *([case.words] if case.words else []))

    def tools(self, case: Case, reported: Reported) -> tuple[str, ...]:
        """The tools that give the number for a measure, for the reasons of this case."""
        if case.conventions == self.start.conventions:
            return ()  # It is the measure that differs, which is no habit of a tool.
        return tuple(
            name
            for name in PRESETS
            if reported.fits(self.value(whole := replace(case, conventions=habits(name))))
            and self._reduced(whole, reported.fits) == case
        )
