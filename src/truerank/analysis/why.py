"""Why a number differs: find the conventions that give what somebody else reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerank.analysis.reasons.number import FEW, Reported
from truerank.analysis.reasons.search import Case, Search, habits
from truerank.analysis.seen import refuse_strangers
from truerank.conventions.choices import Conventions
from truerank.data.errors import InputError
from truerank.data.judge import judge
from truerank.io.load import as_qrels, as_run
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse

NEAREST = 3
"""How many near misses are named where nothing fits."""


@dataclass(frozen=True)
class Explanation:
    """A measure under conventions, and the value that they give."""

    measure: Measure
    conventions: Conventions
    value: float
    changes: tuple[str, ...]
    """What differs from the reference, in words; nothing for the reference itself."""
    tools: tuple[str, ...]
    """Tools that give the number for this reason."""

    @property
    def options(self) -> str:
        """The options of ``truerank evaluate`` that give the value."""
        usual = Conventions().as_dict()
        given = {axis: value for axis, value in self.conventions.as_dict().items() if value != usual[axis]}
        said = [f"--{axis.replace('_', '-')} {value}" for axis, value in given.items()]
        text = str(self.measure)
        return " ".join([f'-m "{text}"' if "(" in text else f"-m {text}", *said])

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "value": self.value,
            "measure": str(self.measure),
            "conventions": self.conventions.as_dict(),
            "tools": self.tools,
            "changes": self.changes,
            "options": self.options,
        }


@dataclass(frozen=True)
class Why:
    """What a reported number can be explained by."""

    reported: Reported
    tool: str | None
    reference: Explanation
    """The measure under the defaults here, or under the conventions of the tool that was named."""
    explanations: tuple[Explanation, ...]
    """Those with the fewest changes; several where several give the number."""
    nearest: tuple[Explanation, ...]
    """Where nothing gives the number: what comes nearest."""
    ties: tuple[float, float] | None
    """The worst and best order of ties, where nothing gives the number and it lies between them."""
    notices: tuple[str, ...] = ()
    """What was guessed or made up when run and judgments were read."""

    @property
    def found(self) -> bool:
        """Whether the number is explained."""
        return bool(self.explanations)

    @property
    def by_chance(self) -> bool:
        """Whether the number has so few digits that an agreement may be chance."""
        return self.found and self.reported.decimals < FEW

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "reported": self.reported.text,
            "tool": self.tool,
            "reference": self.reference.to_dict(),
            "explanations": [one.to_dict() for one in self.explanations],
            "nearest": [one.to_dict() for one in self.nearest],
            "ties": self.ties,
            "notices": self.notices,
        }

    def __str__(self) -> str:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.why import in_words

        return in_words(self)

    def __repr__(self) -> str:
        return f"Why({self.reference.measure}, {self.reported.text}: {len(self.explanations)} explanations)"


def why(qrels: Any, run: Any, measure: str | Measure, value: str | float, *, tool: str | None = None) -> Why:
    """Find which conventions give a number that somebody else reported for a run.

    Tried are the conventions of every tool that is known here, every change of one convention or of one parameter of
    the measure, and every two of them. ``value`` as text keeps the digits that were reported. ``tool`` starts from
    what a tool does, rather than from the defaults here.

    >>> qrels, run = {"q1": {"a": 1}}, {"q1": {"b": 1.0, "a": 1.0}}
    >>> found = why(qrels, run, "RR", "1.0")
    >>> found.reference.value, found.explanations[0].changes
    (0.75, ('tied documents stand in ascending order of their ids',))
    """
    wanted = parse(measure) if isinstance(measure, str) else measure
    judgments, listed = as_qrels(qrels), as_run(run)
    refuse_strangers(listed.name, judge(judgments, listed))
    search = Search(judgments, listed, wanted, habits(tool))
    reported = Reported.of(value).scaled(*wanted.range)
    if search.value(search.start) != search.value(search.start):
        by = f"under the conventions of {tool}" if tool else "here"
        raise InputError(f"{wanted} has no value for this run {by}: evaluate it first to see why")

    def explained(case: Case) -> Explanation:
        tools = search.tools(case, reported)
        return Explanation(case.measure, case.conventions, search.value(case), search.changes(case), tools)

    found = sorted(map(explained, search.fitting(reported)), key=lambda one: (not one.tools, len(one.changes)))
    return Why(
        reported=reported,
        tool=tool,
        reference=explained(search.start),
        explanations=tuple(found),
        nearest=() if found else tuple(explained(case) for case in search.nearest(reported, NEAREST)),
        ties=None if found else search.between_ties(reported),
        notices=(*judgments.notes, *listed.notes),
    )
