"""The question: which formal properties do measures have?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.data.notes import Code, Note
from truerank.questions.signature import question
from truerank.report.answer import PLOT, Answer, ByMeasure, File, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Argument, Option, Theme, adjustable
from truerank.report.table import Column, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.measures.core.base import Measure
    from truerank.questions.properties.property import Property, Witness
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

LONGEST = 8
"""Rankings up to this length are all tried; the smallest counter-example to AP's top-weightedness has it."""
DEPENDS = Code(
    "TR563",
    "a verdict that depends on how the property is read",
    "{property}: {readings}",
    several="{measure}, {property}: {readings}",
    each={"readings": "{verdict} with {names:names} ({witness})"},
)
OTHER_SCALE = Code(
    "TR564",
    "a verdict that is another one with relevance on another scale",
    "{property}: {other_verdict} with {scale} ({witness})",
    several="{measure}, {property}: {other_verdict} with {scale} ({witness})",
)

SHORT = {
    "Priority": "Prio",
    "Top-weightedness": "TopW",
    "Deepness threshold": "Deep",
    "Shallowness threshold": "Shal",
    "Confidence": "Conf",
    "Recall": "Rec",
    "Redundancy": "Red",
    "Boundedness": "Bnd",
    "Monotonicity": "Mono",
    "Convergence": "Conv",
    "Localisation": "Loc",
    "Completeness": "Comp",
    "Realisability": "Real",
    "Interval scale": "Int",
}
"""Names of columns."""
_SIGNS = {
    "strict": "yes",
    "holds": "yes",
    "reversed": "no",
    "fails": "no",
    "equal": "=",
    "depends": "~",
    "undefined": "-",
}
_MEANING = (
    "yes: in every case; =: in some case no difference; no: in some case the other way round, or not so; "
    "~: depends on the reading; -: undefined"
)
_WORST = ("reversed", "fails", "equal", "strict", "holds", "undefined")


class ReadingVerdict(Row):
    """What one reading of a property found, with relevance on one scale."""

    measure: str = column("the measure")
    property: str = column("the property")
    scale: str = column("the scale of relevance", folds=True)
    reading: str = column("how the property was read", folds=True)
    verdict: str = column(
        '"strict", "equal" or "reversed" by the least of all comparisons; "holds" or "fails"; "undefined"'
    )
    witness: Witness = column("the smallest comparison that shows it, or why there is none", text=True, folds=True)
    tried: int = column("comparisons that were tried")
    counts: dict[str, int] = column("how many of them had each outcome", nested=True)

    @derived(for_people=False, nested=True)
    def rankings(self) -> dict[str, list[dict[str, Any]]]:
        """The rankings of the witness, with their scores: of what should score more, and of what less."""
        return self.witness.rankings()


@dataclass(frozen=True)
class ScaleVerdict:
    """What was found with relevance on one scale, reading by reading."""

    scale: str
    readings: tuple[ReadingVerdict, ...]
    satisfied: tuple[str, ...]
    """The outcomes with which a measure has the property."""

    @property
    def holds(self) -> bool | None:
        """Whether the measure has the property; None where that depends on the reading, or nothing is defined."""
        found = {each.verdict in self.satisfied for each in self.readings if each.verdict != "undefined"}
        return found.pop() if len(found) == 1 else None

    @property
    def outcome(self) -> str:
        least = self.decisive.verdict
        return "depends" if self.holds is None and least != "undefined" else least

    @property
    def decisive(self) -> ReadingVerdict:
        return min(self.readings, key=lambda each: _WORST.index(each.verdict))


class Verdict(Row):
    """Whether a measure has a property."""

    measure: str = column("the measure")
    property: str = column("the property")

    about: Property
    scales: tuple[ScaleVerdict, ...]
    """The measure's own scale first."""

    brief = ("measure", "property", "word", "witness")

    @cached_property
    def outcome(self) -> str:
        return self.scales[0].outcome

    @derived(for_people=False)
    def verdict(self) -> str:
        """ "strict", "equal" or "reversed"; "holds" or "fails"; "depends" on the reading; "undefined"."""
        return self.outcome

    @derived(for_people=False)
    def holds(self) -> bool | None:
        """Whether the measure has the property; None where that depends on the reading, or nothing is defined."""
        return self.scales[0].holds

    @derived(for_people=False)
    def scale(self) -> str:
        """The measure's own scale of relevance."""
        return self.scales[0].scale

    @derived(for_people=False)
    def reading(self) -> str:
        """The reading of the property with the least outcome."""
        return self.scales[0].decisive.reading

    @derived(for_people=False, text=True, folds=True)
    def witness(self) -> Witness:
        """The smallest comparison that shows the outcome; where it depends, the least outcome."""
        return self.scales[0].decisive.witness

    @derived(for_people=False)
    def tried(self) -> int:
        """Comparisons that were tried, in all readings."""
        return sum(each.tried for each in self.scales[0].readings)

    @derived(head="verdict")
    def word(self) -> str:
        """The verdict; of a property that asks for no more than "at least as good", whether it holds."""
        if self.about.satisfied != ("strict",) and self.holds is not None:
            return "holds" if self.holds else "fails"
        return self.outcome

    @cached_property
    def others(self) -> tuple[ScaleVerdict, ...]:
        """Other scales on which the outcome is another."""
        return tuple(scale for scale in self.scales[1:] if scale.outcome not in (self.outcome, "undefined"))

    @cached_property
    def sign(self) -> str:
        return _SIGNS[self.word]


class Region(Row):
    """Values of a parameter for which a property has one verdict."""

    measure: str = column("the measure")
    property: str = column("the property")
    parameter: str = column("the parameter; the others are as given")
    low: float = column("from this value on; the lowest that was tried, or a bound")
    high: float = column("up to this value; the highest that was tried, or a bound")
    verdict: str = column("the verdict there")
    holds: bool | None = column("whether the measure has the property there; None where that depends on the reading")
    how: str = column('"proved" where the bounds are, or "searched": found by bisection, to four digits')
    why: str = column("the proof in a line, where there is one", folds=True)
    witness: str = column("rankings that show the verdict, at a value next to a bound", folds=True)

    brief = ("measure", "property", "where", "verdict", "how", "said")

    @derived(head="where")
    def where(self) -> str:
        """The values, in words."""
        low, high = (
            f"{end:.6g}" if self.how == "proved" and end % 1 else f"{end:.4g}" for end in (self.low, self.high)
        )
        if low == high:
            return f"{self.parameter} = {low}"
        return f"{self.parameter} {low} to {high}"

    @derived(head="because", folds=True)
    def said(self) -> str:
        """The proof, or the witness."""
        return self.why or self.witness


class Verdicts(Answer, Mapping[str, dict[str, Verdict]]):
    """Which measures have which properties: ``found["AP"]["Recall"]`` is a verdict."""

    question = "properties"
    sheets = {
        "verdicts": Sheet(Verdict, "a table of verdicts"),
        "witnesses": Sheet(Verdict, "the rankings that show each", of="verdicts", json=False),
        "readings": Sheet(ReadingVerdict, "every scale and reading apart"),
        "regions": Sheet(
            Region,
            "for which values of a parameter each property holds",
            of="by_value",
            needs="regions",
            meaning="the other parameters are as given; bounds that are searched are near to 1e-4",
        ),
    }
    files = {"plot": File(PLOT.help, figure=True, needs="regions")}

    verdicts: tuple[Verdict, ...]
    wanted: tuple[Measure, ...]
    """The measures."""
    longest: int = column("the length up to which all rankings were tried")
    seed: int = column("of what was drawn at random")
    properties: dict[str, Property] = column("what each property states")
    by_value: tuple[Region, ...] = ()
    """For which values of parameters each property holds, where that was asked for."""

    @property
    def readings(self) -> list[ReadingVerdict]:
        return [reading for verdict in self.verdicts for scale in verdict.scales for reading in scale.readings]

    @cached_property
    def by_measure(self) -> ByMeasure[dict[str, Verdict]]:
        found: dict[str, dict[str, Verdict]] = {str(measure): {} for measure in self.wanted}
        for verdict in self.verdicts:
            found[verdict.measure][verdict.property] = verdict
        return ByMeasure(found)

    def __getitem__(self, measure: str | Measure) -> dict[str, Verdict]:
        return self.by_measure[measure]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_measure)

    def __len__(self) -> int:
        return len(self.by_measure)

    @property
    def several(self) -> bool:
        return len(self) > 1

    def usual(self) -> str:
        """Of a single measure, the rankings that show what is said of it; regions, where they were asked for."""
        if self.by_value:
            return "regions"
        return "verdicts" if self.several else "witnesses"

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a measure and a column a property; of witnesses, a row each."""
        if show == "verdicts":
            columns = (Column("measure", whole=True), *(Column(SHORT[name], whole=True) for name in self.properties))
            rows = tuple((measure, *(found[name].sign for name in self.properties)) for measure, found in self.items())
            return Table(columns, rows)
        table = super().layout(show)
        if show == "witnesses" and len(self) == 1:
            return Table(table.columns[1:], tuple(row[1:] for row in table.rows))
        return table

    def caption(self, show: str) -> str:
        tried = f"all binary rankings up to length {self.longest} were tried, shorter graded ones, "
        tried += "and longer ones at random"
        if show == "witnesses":
            return f"relevance: {', '.join(dict.fromkeys(verdict.scale for verdict in self.verdicts))}; {tried}"
        if show in ("readings", "regions"):
            return tried
        return f"{_MEANING}; {tried}"

    def own_notes(self, show: str) -> Iterator[Note]:
        """Beside witnesses, what there is to say beyond them."""
        if show == "witnesses":
            for verdict in self.verdicts:
                yield from _beyond(verdict, several=self.several)

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """A figure of the regions: a bar a property, over the values of each parameter."""
        from truerank.questions.properties.figure import plot_regions

        return plot_regions(self, theme=theme)

    def __repr__(self) -> str:
        return f"Verdicts({len(self.wanted)} measures, {len(self.properties)} properties)"


def _beyond(verdict: Verdict, *, several: bool) -> Iterator[Note]:
    """What there is to say beyond the witness: each outcome with the readings that have it, and other scales."""
    facts = {"measure": verdict.measure, "property": verdict.property, "verdict": verdict.outcome}
    form = "several" if several else ""
    if verdict.outcome == "depends":
        by_outcome: dict[str, list[ReadingVerdict]] = {}
        for each in verdict.scales[0].readings:
            by_outcome.setdefault(each.verdict, []).append(each)
        readings = [
            {"verdict": outcome, "names": [each.reading for each in same], "witness": str(same[0].witness)}
            for outcome, same in by_outcome.items()
            if outcome != "undefined"
        ]
        yield DEPENDS(form, **facts, readings=readings)
    for other in verdict.others:
        decisive = other.decisive
        yield OTHER_SCALE(
            form, **facts, scale=other.scale, other_verdict=decisive.verdict, witness=str(decisive.witness)
        )


Named = Annotated[Any, Argument("[MEASURE]...", many=True, required=False)]


@question()
def properties(
    measures: Named = None,
    *,
    property: Annotated[  # noqa: A002 - what it is called on screen
        Any, Option("A property, or how its name begins; repeatable.", metavar="PROPERTY", many=True)
    ] = None,
    longest: Annotated[int, Option("Length up to which all rankings are tried.", metavar="N")] = LONGEST,
    seed: Annotated[int, Option("Of what is drawn at random.", least=0, most=inf)] = 0,
    regions: Annotated[
        bool, Option("Find for which p, e, beta, T and cutoff each property holds; of a measure that has them.")
    ] = False,
    progress: Progress | None = None,
) -> Verdicts:
    """Show which formal properties measures have, with examples.

    Looks for counter-examples among all short rankings and some longer ones. Without a measure it goes through the
    whole catalogue.

    Example:
      truerank properties AP
      truerank properties "RBP(p=0.75)" "RBP(p=0.76)" --property shallowness --show witnesses
      truerank properties RBPU --regions --plot regions.svg

    In Python, ``measures`` is a measure, several in a string, or a list; a measure of one's own works too, see
    ``measure``. All rankings of two levels of relevance up to the length ``longest`` are tried, and shorter ones of
    three; then longer ones, some of them drawn at random by ``seed``. Each verdict is "strict", "equal" on some ranking
    or "reversed" on some, with the smallest rankings that show it, their scores, the scale of relevance and the reading
    of the property; "depends" where readings differ. ``regions`` has for each parameter, the others being as given, the
    values for which each property holds, as ``by_value``: bounds that are proved, and others by bisection between
    verdicts of the same search.

    >>> found = properties("AP RBP(p=0.75)", property=["Top-weightedness", "Shallowness threshold"])
    >>> print(found["AP"]["Top-weightedness"].outcome, "|", found["AP"]["Top-weightedness"].witness)
    reversed | 00000101, R = 2: the swap at rank 5 gives 0.2250, the swap at rank 7 gives 0.2262
    >>> found["RBP(p=0.75)"]["Shallowness threshold"].holds
    False
    """
    from truerank.questions.properties.work import verdicts

    return verdicts(measures, property, longest=longest, seed=seed, progress=progress, along=regions)
