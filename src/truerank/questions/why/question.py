"""The question: why does a number differ?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.axes import Conventions
from truerank.conventions.presets import PRESETS
from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.questions.signature import Engines, Judgments, OneRun, question
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.why.work import Reported

FEW = 3
"""Decimals below which many conventions agree by chance."""
LIKELY = 0.05
"""Chance from which on an explanation may well be none."""
SHOWN = 6
"""How many explanations a person reads."""
CHANCE = Code(
    "TR401",
    "a reported number that conventions may give by chance",
    "{chance:%} of nearby numbers would be explained by an equally simple change: the reason may be none; give more "
    "digits, or another number of the same run",
    digits="{reported} has few digits, which different conventions may share by chance",
    sure=True,
    consequence=1.0,
)
BETWEEN = Code(
    "TR402",
    "a reported number that lies between the worst and the best order of ties",
    "orders of tied documents give anything from {worst:.{digits}f} to {best:.{digits}f}, so that it may be one of "
    "those",
)
CHECK = Code(
    "TR403",
    "that run, judgments and topics may be others than those of the number",
    "Check that run, judgments and topics are the ones that the number is about",
    consequence=1.0,
)


class Reason(Row):
    """A measure under conventions, and the value that they give."""

    value: float = column("the value")
    fits: bool = column("whether it may have been rounded to the reported number")
    chance: float | None = column(
        "the chance that it is none: the share of the numbers as near to the reference as the reported one that an "
        "equally simple change would also explain; nothing if it gives another number, or nothing is changed"
    )
    measure: str = column("the measure")

    @derived(for_people=False)
    def because(self) -> str:
        """What differs from the reference."""
        return "; ".join(self.changes)

    tools: tuple[str, ...] = column("tools that give the number for this reason")

    @derived(for_people=False)
    def options(self) -> str:
        """The options of truerank evaluate that give the value."""
        name = f'"{self.measure}"' if "(" in self.measure else self.measure
        return " ".join([f"-m {name}", *self.conventions.options()])

    changes: Sequence[str] = column(
        "what differs from the reference, one by one; nothing for the reference itself", nested=True
    )
    conventions: Conventions = column("the conventions", nested=True)
    by: Measure


class Why(Answer):
    """What a reported number can be explained by."""

    question = "why"
    sheets = {"explanations": Sheet(Reason, "what gives the number, or comes nearest to it", of="reasons")}

    reported: str = column("the number as it was reported")
    tool: str | None = column("the tool whose conventions are the reference; null for the usual ones")
    reference: Reason = column("the measure under the usual conventions, or under those of the tool")
    ties: tuple[float, float] | None = column(
        "the worst and the best order of ties, where nothing gives the number and it lies between them"
    )
    chance: float | None = column(
        "the chance of the first explanation or, where there is none, the share of the numbers as near that something "
        "tried gives; null where the reported number is the reference"
    )
    tried: int = column("how many measures under conventions were tried")
    number: Reported
    explanations: tuple[Reason, ...]
    """Those with the fewest changes; several where several give the number."""
    nearest: tuple[Reason, ...]
    """Where nothing gives the number: what comes nearest."""

    @property
    def form(self) -> str:
        """It reads as a page, in a pipe, too."""
        return "table"

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """What gives the number, or comes nearest where nothing does."""
        return self.explanations or self.nearest

    @property
    def found(self) -> bool:
        """Whether the number is explained."""
        return bool(self.explanations)

    @property
    def by_chance(self) -> bool:
        """Whether the number would be explained, were it a random one, so often that it may be chance."""
        return self.found and (self.number.decimals < FEW if self.chance is None else self.chance >= LIKELY)

    @property
    def exit_code(self) -> int:
        """1 where nothing gives the number."""
        return 0 if self.found else 1

    def own_notes(self, show: str) -> Iterator[Note]:
        """What makes an explanation weak, or another one likely."""
        if not self.found:
            yield CHECK()
        if self.by_chance:
            yield CHANCE("digits" if self.chance is None else "", reported=self.reported, chance=self.chance)
        if self.ties is not None:
            worst, best = self.ties
            yield BETWEEN(worst=worst, best=best, digits=self._shown_digits)

    def verdict(self, show: str) -> str:
        """What gives the number, or that nothing does; the value here beside it."""
        here = f"under the conventions of {self.tool}" if self.tool else "here"
        value = f"{self.reference.measure} is {self._digits(self.reference.value)} {here}"
        reported = f"{self.reported} (read as a percentage)" if self.number.percent else self.reported
        if not self.found:
            return f"Nothing that was tried gives {reported}: {value}."
        first, *others = self.explanations
        if not first.changes:
            return f"They agree: {value}, and {reported} was reported."
        more = ""
        if others:
            more = f" {counted(len(others), 'other reason')} {'fits' if len(others) == 1 else 'fit'} as well."
        because = ", and ".join(first.changes)
        return f"{reported} comes out if {because}; {value}.{more}"

    def caption(self, show: str) -> str:
        """How much was tried, and what a chance is."""
        tried = f"{counted(self.tried, 'way')} to score the run {'was' if self.tried == 1 else 'were'} tried"
        if not self.found and self.chance is not None:
            return f"{tried}; {percent(self.chance)} of nearby numbers would have been explained"
        if any(one.chance is not None for one in self.explanations):
            near = self._digits(self.reference.value)
            return f"{tried}; by chance: share of numbers as near to {near} that an equally simple change also explains"
        return tried

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """The rows, and in plain text what gives the number, one by one."""
        words = tuple(self._words())
        return replace(super().layout(show), words=words, spoken=not words)

    def _words(self) -> Iterator[str]:
        if not self.found:
            yield "Nearest come"
            for one in self.nearest:
                yield from self._explained(one)
        elif self.explanations[0].changes:
            for one in self.explanations[:SHOWN]:
                yield from self._explained(one)
            more = len(self.explanations) - SHOWN
            if more > 0:
                yield f"  ... and {counted(more, 'more reason')}: --format json"

    def _explained(self, one: Reason) -> Iterator[str]:
        tools = f" (as in {', '.join(one.tools)})" if one.tools else ""
        because = ", and ".join(one.changes) or "nothing is changed"
        chance = "" if one.chance is None else f", by chance {percent(one.chance)}"
        yield f"  - {because}{tools}: {self._digits(one.value)}{chance}"
        yield f"    truerank evaluate QRELS RUN {one.options}"

    @property
    def _shown_digits(self) -> int:
        return min(max(4, self.number.decimals + 1), 15)

    def _digits(self, value: float) -> str:
        return f"{value:.{self._shown_digits}f}"

    def __repr__(self) -> str:
        return f"Why({self.reference.measure}, {self.reported}: {len(self.explanations)} explanations)"


@question()
def why(
    qrels: Judgments,
    run: OneRun,
    measure: Annotated[
        Any,
        Option("The measure that the number is said to be.", flags="-m/--measure", metavar="MEASURE", required=True),
    ],
    value: Annotated[
        str | float, Option("The number as it was reported, with all its digits.", metavar="NUMBER", required=True)
    ],
    *,
    tool: Annotated[str | None, Option("Start from what this tool does.", choices=tuple(PRESETS))] = None,
    engine: Engines = None,
) -> Why:
    """Find out why somebody else reports a different number.

    Tried are the conventions of every tool that is known here, every change of one convention or of one parameter of
    the measure, and every two of them. The exit code is 1 if nothing gives the number.

    Example:
      truerank why qrels.txt bm25.run -m AP --value 0.4123 --tool ranx

    In Python, ``value`` as text keeps the digits that were reported. ``tool`` starts from what a tool does, rather than
    from the defaults here.

    >>> qrels, run = {"q1": {"a": 1}}, {"q1": {"b": 1.0, "a": 1.0}}
    >>> found = why(qrels, run, "RR", "1.0")
    >>> found.reference.value, found.explanations[0].changes
    (0.75, ('tied documents stand in ascending order of their ids',))
    """
    from truerank.measures.grammar import parse
    from truerank.questions.why.work import Reported, as_used, summarise
    from truerank.track.track import Track

    reported, given = Reported.of(value), as_used(tool)
    wanted = [parse(measure) if isinstance(measure, str) else measure]
    track = Track.of(qrels, run, wanted, given, engine=engine)
    return summarise(track, reported, tool)
