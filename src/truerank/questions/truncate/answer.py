"""The answer: where the lists of runs are best cut, by run and measure, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.printing import counted
from truerank.questions.truncate.against import NOT_HELD, Against, PairTau, SystemByLists, Tau
from truerank.report.answer import PLOT, Answer, ByMeasure, File, Sheet, TrackAnswer
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Column, Table, caption

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.truncate.lengths import Bin
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments

RELEVANT = "relevant documents"
"""What stands in the place of a measure where relevant documents of topics are counted."""
ALL = "all"
"""What stands in the place of a run where the lists of all runs are counted."""
_SCORES = "mean score of lists as they are (whole) and at their best lengths (best), shares of lists best left empty "
_MEANING = {
    "summary": f"{_SCORES}(silent) and as they are (uncut); rho of length with relevant documents",
    "runs": f"{_SCORES}(silent) and as they are (uncut)",
    "bins": "lists by their best length, in per cent; topics by their relevant documents",
    "topics": "each list: its length, its best length, and the score as it is (whole) and there (best)",
}


class Cut(Row, eq=False):
    """The best length of every list of a run by one measure, and what cutting there is worth."""

    measure: str = column("the measure")
    run: str = column("the run")

    @derived(for_people=False)
    def lists(self) -> int:
        """Lists that have a best length."""
        return len(self.lengths)

    mean_whole: float = column("mean score of the lists as they are", called="whole", over="mean")
    mean_best: float = column("mean score of the lists at their best lengths", called="best", over="mean")

    @derived(for_people=False, called="loss", over="mean")
    def mean_loss(self) -> float:
        """How much worse than with every list at its best length the run scores as it is."""
        return abs(self.mean_best - self.mean_whole)

    @derived(for_people=False, form="short", over="mean")
    def mean_length(self) -> float:
        """Mean of the best lengths."""
        return mean(self.lengths)

    @derived(for_people=False, form="short")
    def median_length(self) -> float:
        """Median of the best lengths."""
        return median(self.lengths)

    @derived(for_people=False, over="mean")
    def silent(self) -> float:
        """Share of lists that are best left empty."""
        return mean(self.lengths == 0)

    @derived(for_people=False, over="mean")
    def uncut(self) -> float:
        """Share of lists that are best left as they are."""
        return mean(self.lengths == self.listed[self.length >= 0])

    by: Measure
    topics: tuple[str, ...]
    length: Rows
    """Best lengths, the shortest of those that score best up to the tolerance; -1 where the measure has no value."""
    exact: Rows
    """The same by scores to their last bit, without a tolerance."""
    best: Floats
    """The scores there."""
    whole: Floats
    """The scores of the lists as they are."""
    listed: Rows
    """The lengths of the lists as they are."""

    brief = (
        *("measure", "run", "lists", "mean_whole", "mean_best"),
        *("mean_length", "median_length", "silent", "uncut"),
    )

    @property
    def loss(self) -> Floats:
        """How much worse than at its best length each list scores as it is; 0 or more."""
        return self.best - self.whole if self.by.higher_is_better else self.whole - self.best

    @property
    def lengths(self) -> Rows:
        """The best lengths that there are."""
        return self.length[self.length >= 0]

    def __repr__(self) -> str:
        return f"Cut({self.measure}: {self.mean_whole:.4f} as it is, {self.mean_best:.4f} at best lengths)"


class CutSummary(Row):
    """A measure over all lists of all runs of a collection; scores are means over runs."""

    measure: str = column("the measure")
    lists: int = column("lists that have a best length", minor=2)
    whole: float = column("mean score of the lists as they are", over="mean")
    best: float = column("mean score of the lists at their best lengths", over="mean")
    loss: float = column("how much worse the lists score as they are", over="mean")
    mean_length: float = column("mean of the best lengths", form="short", over="mean")
    median_length: float = column("median of the best lengths", form="short", minor=1)
    silent: float = column("share of lists that are best left empty", over="mean")
    uncut: float = column("share of lists that are best left as they are", over="mean")
    correlation: float = column(
        "Spearman's rho of the best length with the relevant documents of the topic", over="mean"
    )

    brief = (
        *("measure", "lists", "whole", "best"),
        *("mean_length", "median_length", "silent", "uncut", "correlation"),
    )


class BinShare(Row):
    """Lists whose best length is in a bin, or topics whose relevant documents are so many."""

    measure: str = column(f'the measure; "{RELEVANT}" for topics by how many they have')
    run: str = column(f'the run; "{ALL}" for all of them')
    bin: str = column("the lengths")
    low: int = column("the shortest of them", over="key")
    high: int = column("the longest of them", over="key")
    share: float = column("share of lists, or of topics", over="mean")


class ListCut(Row):
    """One list and its best length."""

    measure: str = column("the measure")
    run: str = column("the run")
    topic: str = column("the topic")
    relevant: int = column("relevant documents of the topic")
    listed: int = column("documents in the list as it is")
    length: int | None = column("the best length; none where the measure has no value")
    whole: float = column("the score of the list as it is")
    best: float = column("the score at the best length")
    loss: float = column("how much worse the list scores as it is")


class Cuts(TrackAnswer[Cut]):
    """The best length of every list, by run and measure; see ``SeveralCuts`` for several collections."""

    question = "truncate"
    by_collection = True
    sheets = {
        "summary": Sheet(CutSummary, "each measure over all runs", of="summaries"),
        "runs": Sheet(Cut, "each run", of="every_cut"),
        "bins": Sheet(BinShare, "best lengths in bins", of="bin_shares"),
        "topics": Sheet(ListCut, "each list", of="list_cuts"),
        "against": Sheet(
            PairTau, "tau with whole lists (default with --against)", of="pairs", needs="against", spans=True
        ),
        "taus": Sheet(Tau, "the same in each collection", needs="against", spans=True),
        "systems": Sheet(SystemByLists, "scores that tau is between", needs="against", spans=True),
    }
    files = {
        "plot": PLOT,
        "scatter": File("A figure of whole lists against cut ones.", figure=True, needs="against"),
    }

    found: tuple[Cut, ...]
    relevant: Rows
    """How many relevant documents each topic has."""
    longest: int = column("documents in the longest list")
    longest_bin: int = 0
    """The length that bins go to at least, as they do in other collections."""
    whole_means: dict[str, dict[str, float]]
    """Mean scores of whole lists by the measures that the cut ones are held against, and by run."""
    tolerance: float = column("lengths whose scores differ by no more score alike, and the shortest is taken")
    compared: tuple[Measure, ...] = ()
    """Those measures."""

    @classmethod
    def of_several(cls, answers: Sequence[Cuts], apart: str) -> Answer:
        """With the bins that all collections have."""
        from truerank.questions.truncate.several import SeveralCuts

        longest = max(one.bins[-1].high for one in answers)
        return SeveralCuts(answers=tuple(replace(one, longest_bin=longest) for one in answers), apart=apart)

    def scored(self) -> tuple[Cut, ...]:
        """Cuts, which have a run and a measure each."""
        return self.found

    @property
    def families(self) -> dict[str, tuple[str, ...]]:
        """The measures by what makes them notice where a list ends."""

        found: dict[str, tuple[str, ...]] = {}
        for measure in self.wanted:
            terminal = "Terminal document" if measure.ending != "none" else "Other measures"
            family = "Effort of reading" if measure.ends_by == "effort" else terminal
            found[family] = (*found.get(family, ()), str(measure))
        return found

    def cuts(self, measure: str | Measure) -> dict[str, Cut]:
        """What was found by a measure, run by run."""
        return {name: cuts[measure] for name, cuts in self.items()}

    def lengths(self, measure: str | Measure) -> Rows:
        """The best lengths of all lists of all runs."""
        import numpy as np

        return np.concatenate([cut.lengths for cut in self.cuts(measure).values()])

    def exact_lengths(self, measure: str | Measure) -> Rows:
        """The same without a tolerance."""
        import numpy as np

        return np.concatenate([cut.exact[cut.length >= 0] for cut in self.cuts(measure).values()])

    @cached_property
    def bins(self) -> tuple[Bin, ...]:
        """The bins of lengths."""
        from truerank.questions.truncate.lengths import bins

        return bins(max(self.longest, self.longest_bin, int(self.relevant.max(initial=0))))

    def shares(self, measure: str | Measure, run: str | None = None) -> Floats:
        """Share of lists whose best length is in each of the ``bins``, of one run or of all."""
        from truerank.questions.truncate.lengths import shares

        return shares(self.lengths(measure) if run is None else self[run][measure].lengths, self.bins)

    @property
    def relevant_shares(self) -> Floats:
        """Share of topics whose number of relevant documents is in each of the ``bins``."""
        from truerank.questions.truncate.lengths import shares

        return shares(self.relevant, self.bins)

    def correlation(self, measure: str | Measure) -> float:
        """Spearman's rho, over all lists, of the best length with the number of relevant documents of the topic."""
        return self.summary(measure).correlation

    def summary(self, measure: str | Measure) -> CutSummary:
        """One measure over all lists of all runs; scores are means over runs."""
        return self._summaries[measure]

    @cached_property
    def _summaries(self) -> ByMeasure[CutSummary]:
        from truerank.questions.truncate.work import summary

        return ByMeasure({measure: summary(self, measure) for measure in self.measures})

    @cached_property
    def against(self) -> Against | None:
        """Systems by lists cut against systems by whole lists, where there are measures of these."""
        if not self.compared:
            return None
        from truerank.questions.truncate.work import against

        return against(self.collections)

    # The rows of sheets.

    @property
    def summaries(self) -> list[CutSummary]:
        """A row a measure."""
        return [self.summary(measure) for measure in self.measures]

    @property
    def every_cut(self) -> list[Cut]:
        """A row a measure and run."""
        return [cut for measure in self.measures for cut in self.cuts(measure).values()]

    @property
    def bin_shares(self) -> list[BinShare]:
        """A row a bin: of relevant documents, and by measure of all runs and of each."""
        return [*self._bin_shares()]

    def _bin_shares(self) -> Iterator[BinShare]:
        spreads = [(RELEVANT, ALL, self.relevant_shares)]
        for measure in self.measures:
            spreads.append((measure, ALL, self.shares(measure)))
            spreads += [(measure, run, self.shares(measure, run)) for run in self]
        for measure, run, spread in spreads:
            for one, share in zip(self.bins, spread.tolist(), strict=True):
                yield BinShare(
                    measure=measure,
                    run=run,
                    bin=str(one),
                    low=one.low,
                    high=one.high,
                    share=share,
                )

    @property
    def list_cuts(self) -> ColumnarRows[ListCut]:
        """A row a list."""
        columns: dict[str, list[Any]] = {name: [] for name in ListCut.described}
        relevant = dict(zip(self.topics, self.relevant.tolist(), strict=True))
        for measure in self.measures:
            for cut in self.cuts(measure).values():
                count = len(cut.topics)
                columns["measure"] += [measure] * count
                columns["run"] += [cut.run] * count
                columns["topic"] += cut.topics
                columns["relevant"] += [relevant[topic] for topic in cut.topics]
                columns["length"] += [length if length >= 0 else None for length in cut.length.tolist()]
                for name in ("listed", "whole", "best", "loss"):
                    columns[name] += getattr(cut, name).tolist()
        return ColumnarRows(ListCut, **columns)

    @property
    def pairs(self) -> Sequence[PairTau]:
        """A row a pair of measures, of whole lists and of cut ones."""
        return () if self.against is None else self.against.pairs

    @property
    def taus(self) -> Sequence[Tau]:
        """A row a pair of measures and collection."""
        return () if self.against is None else self.against.taus

    @property
    def systems(self) -> Sequence[SystemByLists]:
        """A row a system and measure."""
        return () if self.against is None else self.against.systems

    # How people see it.

    def usual(self) -> str:
        """Tau, where whole lists were scored, too."""
        return "against" if self.compared else "summary"

    def says(self, show: str) -> Iterator[Note]:
        """What cutting would do, and how far orders of systems agree."""
        from truerank.questions.truncate.words import cutting, tolerated

        if show in ("against", "taus", "systems"):
            if self.against is not None:
                yield from self.against.says(show)
            return
        for sheet, of in (("summary", cutting), ("bins", tolerated)):
            if sheet == show:
                yield from of(self)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Bins have a column each, and so have measures of whole lists."""
        if show == "against" and self.against is not None:
            return self.against.layout("mean")
        return self._binned() if show == "bins" else super().layout(show)

    def _binned(self) -> Table:
        """A row a measure, a column a bin, in per cent; the last row has the relevant documents of topics."""
        numbers = (Column(str(one), number=True, form="short", over="mean") for one in self.bins)
        spreads = [(measure, self.shares(measure)) for measure in self.measures]
        rows = [
            (name, *(100 * share for share in spread.tolist()))
            for name, spread in (*spreads, (RELEVANT, self.relevant_shares))
        ]
        return Table((Column("measure", whole=True), *numbers), tuple(rows))

    def caption(self, show: str) -> str:
        """How many runs and topics there are, conventions that are not the usual ones, and what columns mean."""
        if show not in _MEANING:
            return "" if self.against is None else self.against.caption(show)
        sizes = (counted(len(self), "run"), counted(len(self.topics), "topic"))
        return caption(*sizes, conventions=self.conventions.unusual(), meaning=_MEANING[show])

    @adjustable
    def plot(self, *, theme: Theme = "light", **look: Unpack[Adjustments]) -> Plot:
        """Draw the share of lists by their best length, a line a measure, and relevant documents a topic beside it."""
        from truerank.questions.truncate.figure import plot_lengths

        return plot_lengths((self,), theme=theme)

    @adjustable
    def scatter(
        self, pairs: Sequence[tuple[str, str]] | None = None, *, theme: Theme = "light", **look: Unpack[Adjustments]
    ) -> Plot:
        """Draw systems by whole lists against systems by lists cut, see ``Against.scatter``."""
        if self.against is None:
            raise InputError(NOT_HELD)
        return self.against.scatter(pairs, theme=theme)

    def __repr__(self) -> str:
        return f"Cuts({len(self)} runs, {len(self.wanted)} measures)"


def median(lengths: Rows) -> float:
    """The one in the middle, or the mean of the two there; NaN of none."""
    ordered, half = sorted(lengths.tolist()), len(lengths) // 2
    middle = ordered[half - (len(lengths) % 2 == 0) : half + 1]
    return sum(middle) / len(middle) if middle else float("nan")


def mean(values: Any) -> float:
    """Their mean; NaN of none."""
    return float(values.mean()) if len(values) else float("nan")
