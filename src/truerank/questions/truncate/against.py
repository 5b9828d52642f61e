"""The answer: the order of systems by lists cut at their best length, compared with the order by whole lists."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING

from truerank.boards.rows import OrderAgreement
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Cell, Column, Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.measures.core.base import Measure
    from truerank.questions.truncate.question import Cuts
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

NOT_COMPARED = "there are no scores of whole lists; call truncate(..., against='AP nDCG')"
LONE = Code(
    "TR447",
    "a collection with one run",
    "{name} has one run, and an order needs two; tau is undefined",
    unnamed="the collection has one run, and an order needs two; tau is undefined",
)
NO_MEAN = Code(
    "TR448",
    "a collection with undefined means",
    "{name} has runs without a mean, which are left out of tau",
    unnamed="the collection has runs without a mean, which are left out of tau",
)
UNDEFINED = Code(
    "TR449",
    "how many taus are undefined",
    "{undefined} of {taus} taus are undefined, and left out of means and shares",
)
LEVEL = Code(
    "TR450",
    "taus without a p-value",
    "{level} of {taus} taus have no tau-b and no p-value, because all systems have equal scores by a measure; "
    "they are left out of both",
)
SIGNIFICANT = Code("TR451", "how many taus are significant", "{share:%} of the taus are significant at {level:g}")
TAU_B = Code(
    "TR452",
    "how far tau-b is from tau-a",
    "tau-b, which corrects for ties, differs from tau-a by {gap:.2g} at most",
)
LEVELS = (0.001, 0.01)
"""Levels of significance at which taus are counted."""


class CutAgreement(OrderAgreement):
    """How far two orders of the systems of one collection agree: by whole lists, the reference, and by lists cut."""

    collection: str = column("the collection")
    whole_measure: str = column("the measure of whole lists", head="whole")
    cut_measure: str = column("the measure that lists are cut by, and scored by", head="cut")
    p: float = column("p of tau-a, if the two orders had nothing to do with each other")

    leading = ("collection", "whole_measure", "cut_measure")


class MeanAgreement(Row):
    """How far two orders of systems agree on average over collections; those where tau is undefined are left out."""

    whole_measure: str = column("the measure of whole lists", head="whole")
    cut_measure: str = column("the measure that lists are cut by, and scored by", head="cut")
    collections: int = column("collections")
    undefined_taus: int = column("collections where tau-a is undefined")
    mean_tau_a: float = column("mean of Kendall's tau-a")
    mean_tau_b: float = column("mean of Kendall's tau-b")
    lowest_tau_a: float = column("the lowest tau-a")
    highest_tau_a: float = column("the highest tau-a")
    highest_p: float = column("the highest p of a tau-a")


class SystemByLists(Row):
    """A score that systems are ordered by."""

    collection: str = column("the collection")
    run: str = column("the run")
    which_lists: str = column('"cut" at their best lengths, or "whole"')
    measure: str = column("the measure")
    mean: float = column("the mean score")


class Against(Answer):
    """Kendall's tau between systems by whole lists and by lists cut, in each collection and on average."""

    question = "truncate against"
    sheets = {
        "mean": Sheet(MeanAgreement, "Kendall's tau, the mean over collections", of="pairs"),
        "collections": Sheet(CutAgreement, "Kendall's tau in each collection", of="taus"),
        "systems": Sheet(SystemByLists, "the scores that order systems"),
    }

    collections: Mapping[str, Cuts]
    taus: tuple[CutAgreement, ...]

    @cached_property
    def whole_measures(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.whole_measure for one in self.taus))

    @cached_property
    def cut_measures(self) -> tuple[str, ...]:
        """The measures that lists were cut by."""
        return tuple(dict.fromkeys(one.cut_measure for one in self.taus))

    @cached_property
    def _by_pair(self) -> dict[tuple[str, str], list[CutAgreement]]:
        by_pair: dict[tuple[str, str], list[CutAgreement]] = {}
        for one in self.taus:
            by_pair.setdefault((one.whole_measure, one.cut_measure), []).append(one)
        return by_pair

    def of(self, whole: str | Measure, cut: str | Measure) -> list[CutAgreement]:
        """The taus of two measures, one a collection."""
        from truerank.measures.grammar import parse

        return self._by_pair[str(parse(str(whole))), str(parse(str(cut)))]

    def tau(self, whole: str | Measure, cut: str | Measure) -> float:
        """The mean of tau-a over the collections where it is defined; NaN where it is in none."""
        return _mean([one.tau_a for one in self.of(whole, cut)])

    def significant(self, level: float) -> float:
        """Share of the taus of all pairs and collections whose p-value is below a level; those without are left out."""
        return _mean([float(p < level) for p in _known([one.p for one in self.taus])])

    @cached_property
    def pairs(self) -> list[MeanAgreement]:
        """A row a pair of measures."""
        return [_mean_agreement(whole, cut, taus) for (whole, cut), taus in self._by_pair.items()]

    @property
    def systems(self) -> list[SystemByLists]:
        """A row a system and measure: first those of lists cut, then those of whole lists."""
        return [
            SystemByLists(collection=name, run=run, which_lists=lists, measure=measure, mean=mean)
            for lists, measures in (("cut", self.cut_measures), ("whole", self.whole_measures))
            for name, cuts in self.collections.items()
            for measure in measures
            for run, mean in zip(cuts, means(cuts, measure, cut=lists == "cut"), strict=True)
        ]

    def own_notes(self, show: str) -> Iterator[Note]:
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


def agreeing(answer: Against) -> Iterator[Note]:
    """What makes a tau undefined, and how many are significant."""
    yield from _undefined(answer)
    if all(isnan(one.p) for one in answer.taus):
        return
    for level in LEVELS:
        yield SIGNIFICANT(level=level, share=answer.significant(level))
    yield TAU_B(gap=max((abs(one.tau_a - one.tau_b) for one in answer.taus if not isnan(one.tau_b)), default=0.0))


def _undefined(answer: Against) -> Iterator[Note]:
    lone = [name for name, cuts in answer.collections.items() if len(cuts) < 2]
    runs = {name: len(cuts) for name, cuts in answer.collections.items() if len(cuts) > 1}
    lacking = dict.fromkeys(one.collection for one in answer.taus if one.runs < runs.get(one.collection, 0))
    yield from (LONE("" if name else "unnamed", name=name) for name in lone)
    yield from (NO_MEAN("" if name else "unnamed", name=name) for name in lacking)
    undefined = sum(isnan(one.tau_a) for one in answer.taus)
    level = sum(isnan(one.p) for one in answer.taus) - undefined
    if 0 < undefined < len(answer.taus):
        yield UNDEFINED(undefined=undefined, taus=len(answer.taus))
    if level:
        yield LEVEL(level=level, taus=len(answer.taus))


def _mean_agreement(whole: str, cut: str, taus: Sequence[CutAgreement]) -> MeanAgreement:
    known, p = _known([one.tau_a for one in taus]), _known([one.p for one in taus])
    return MeanAgreement(
        whole_measure=whole,
        cut_measure=cut,
        collections=len(taus),
        undefined_taus=len(taus) - len(known),
        mean_tau_a=_mean(known),
        mean_tau_b=_mean([one.tau_b for one in taus]),
        lowest_tau_a=min(known, default=float("nan")),
        highest_tau_a=max(known, default=float("nan")),
        highest_p=max(p, default=float("nan")),
    )


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
