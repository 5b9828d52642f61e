"""The answer: systems by lists cut at their best length, held against systems by whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Cell, Column, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.measures.core.base import Measure
    from truerank.questions.truncate.answer import Cuts
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

NOT_HELD = "there are no scores of whole lists; call truncate(..., against='AP nDCG')"


class Tau(Row):
    """How far two orderings of the systems of one collection agree: by whole lists, and by lists cut."""

    collection: str = column("the collection")
    whole: str = column("the measure of whole lists")
    cut: str = column("the measure that lists are cut by, and scored by")
    systems: int = column("systems that are ordered")
    tau: float = column("Kendall's tau-a; pairs that are tied count as half agreed")
    tau_b: float = column("Kendall's tau-b, corrected for ties")
    p: float = column("chance of a tau so far from 0 between orderings that have nothing to do with each other")


class PairTau(Row):
    """How far two orderings of systems agree on average over collections; where tau is undefined, it is left out."""

    whole: str = column("the measure of whole lists")
    cut: str = column("the measure that lists are cut by, and scored by")
    collections: int = column("collections")
    undefined: int = column("those where tau is undefined")
    tau: float = column("mean of Kendall's tau-a")
    tau_b: float = column("mean of Kendall's tau-b, corrected for ties")
    least: float = column("the smallest tau-a")
    most: float = column("the largest tau-a")
    largest_p: float = column("the largest p-value of a tau")


class SystemByLists(Row):
    """A score that systems are ordered by."""

    collection: str = column("the collection")
    run: str = column("the run")
    lists: str = column('"cut" at their best lengths, or "whole"')
    measure: str = column("the measure")
    mean: float = column("the mean score")


class Against(Answer):
    """Kendall's tau between systems by whole lists and by lists cut, in each collection and on average."""

    question = "truncate against"
    sheets = {
        "mean": Sheet(PairTau, "Kendall's tau, the mean over collections", of="pairs"),
        "collections": Sheet(Tau, "Kendall's tau in each collection", of="taus"),
        "systems": Sheet(SystemByLists, "scores that tau is between"),
    }

    collections: Mapping[str, Cuts]
    taus: tuple[Tau, ...]

    @cached_property
    def whole_measures(self) -> tuple[str, ...]:
        """The measures of whole lists."""
        return tuple(dict.fromkeys(one.whole for one in self.taus))

    @cached_property
    def cut_measures(self) -> tuple[str, ...]:
        """The measures that lists were cut by."""
        return tuple(dict.fromkeys(one.cut for one in self.taus))

    @cached_property
    def _found(self) -> dict[tuple[str, str], list[Tau]]:
        found: dict[tuple[str, str], list[Tau]] = {}
        for one in self.taus:
            found.setdefault((one.whole, one.cut), []).append(one)
        return found

    def of(self, whole: str | Measure, cut: str | Measure) -> list[Tau]:
        """The taus of two measures, one a collection."""
        from truerank.measures.grammar import parse

        return self._found[str(parse(str(whole))), str(parse(str(cut)))]

    def tau(self, whole: str | Measure, cut: str | Measure) -> float:
        """The mean of tau-a over the collections where it is defined; NaN where it is in none."""
        return _mean([one.tau for one in self.of(whole, cut)])

    def significant(self, level: float) -> float:
        """Share of the taus of all pairs and collections whose p-value is below a level; those without are left out."""
        return _mean([float(p < level) for p in _known([one.p for one in self.taus])])

    @cached_property
    def pairs(self) -> list[PairTau]:
        """A row a pair of measures."""
        return [
            PairTau(
                whole=whole,
                cut=cut,
                collections=len(found),
                undefined=len(found) - len(_known([one.tau for one in found])),
                tau=_mean([one.tau for one in found]),
                tau_b=_mean([one.tau_b for one in found]),
                least=min(_known([one.tau for one in found]), default=float("nan")),
                most=max(_known([one.tau for one in found]), default=float("nan")),
                largest_p=max(_known([one.p for one in found]), default=float("nan")),
            )
            for (whole, cut), found in self._found.items()
        ]

    @property
    def systems(self) -> list[SystemByLists]:
        """A row a system and measure: first those of lists cut, then those of whole lists."""
        return [
            SystemByLists(collection=name, run=run, lists=lists, measure=measure, mean=mean)
            for lists, measures in (("cut", self.cut_measures), ("whole", self.whole_measures))
            for name, cuts in self.collections.items()
            for measure in measures
            for run, mean in zip(cuts, means(cuts, measure, cut=lists == "cut"), strict=True)
        ]

    def says(self, show: str) -> Iterator[Note]:
        """What makes a tau undefined, and how many are significant."""
        from truerank.questions.truncate.words import agreeing

        return agreeing(self)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a measure that lists are cut by, a column a measure of whole lists."""
        if show != "mean":
            return super().layout(show)
        columns = (Column("cut by", whole=True), *(Column(full, number=True) for full in self.whole_measures))
        rows = ((cut, *(_cell(self.tau(full, cut)) for full in self.whole_measures)) for cut in self.cut_measures)
        return Table(columns, tuple(rows))

    def caption(self, show: str) -> str:
        """How many systems there are, and what stands in the cells."""
        sizes = [counted(len(cuts), "system") for cuts in self.collections.values()]
        said = "Kendall's tau-a between systems by whole lists (columns) and by lists at their best length (rows)"
        if len(sizes) > 1:
            sizes = [f"{name}: {size}" for name, size in zip(self.collections, sizes, strict=True)]
            said = f"mean over {len(sizes)} collections of {said}"
        return f"{', '.join(sizes)}; {said}"

    @adjustable
    def scatter(
        self,
        pairs: Sequence[tuple[str, str]] | None = None,
        *,
        theme: Theme = "light",
        **look: Unpack[Adjustments],
    ) -> Plot:
        """Draw systems by whole lists against systems by lists cut: a panel a pair (whole, cut), a colour a collection.

        Without ``pairs`` it is all of them, where they are few.
        """
        from truerank.questions.truncate.figure import plot_scatter

        return plot_scatter(self, pairs, theme=theme)

    def __repr__(self) -> str:
        measures = f"{len(self.whole_measures)} x {len(self.cut_measures)} measures"
        return f"Against({measures}, {len(self.collections)} collections)"


def means(cuts: Cuts, measure: str, *, cut: bool) -> list[float]:
    """Mean scores of the runs by a measure: cut at their best lengths, or whole."""
    if cut:
        return [one.mean_best for one in cuts.cuts(measure).values()]
    return [cuts.whole_means[measure][run] for run in cuts]


def _cell(tau: float) -> Cell:
    return f"{tau:.2f}" if tau == tau else "undefined"


def _known(values: Sequence[float]) -> list[float]:
    """Those that are defined: what is not is neither large nor small."""
    return [value for value in values if value == value]


def _mean(values: Sequence[float]) -> float:
    known = _known(values)
    return sum(known) / len(known) if known else float("nan")
