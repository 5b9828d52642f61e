"""The question: where are lists best cut?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import isnan
from typing import TYPE_CHECKING, Annotated, Any

from truerank.conventions.presets import AxisRules, one_number
from truerank.data.errors import InputError
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.questions.signature import Also, ByGroup, Engines, Judgments, Measures, Runs, question
from truerank.questions.truncate.against import NOT_COMPARED, Against, CutAgreement, MeanAgreement, SystemByLists
from truerank.report.answer import PLOT, Answer, ByMeasure, Sheet, TrackAnswer
from truerank.report.rows import ColumnarRows, Row, column, derived
from truerank.report.signature import Option, Theme, adjustable
from truerank.report.table import DIGITS, Column, Table, caption

if TYPE_CHECKING:
    from collections.abc import Mapping

    from typing_extensions import Unpack

    from truerank.conventions.axes import Given
    from truerank.data.arrays import Floats, Rows
    from truerank.measures.core.base import Measure
    from truerank.questions.truncate.lengths import Bin
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments
    from truerank.track.track import Progress

RELEVANT = "relevant documents"
"""What stands in the place of a measure where relevant documents of topics are counted."""
ALL = "all"
"""What stands in the place of a run where the lists of all runs are counted."""
OF_SYSTEMS = ("against", "taus", "systems")
"""Sheets about the order of systems."""
_SCORES = "mean score of lists as they are (whole) and at their best lengths (best), shares of lists best left empty "
_MEANING = {
    "summary": f"{_SCORES}(empty) and as they are (uncut); rho of length with relevant documents",
    "runs": f"{_SCORES}(empty) and as they are (uncut)",
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
    def empty(self) -> float:
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
        *("mean_length", "median_length", "empty", "uncut"),
    )

    @property
    def loss(self) -> Floats:
        """How much worse than at its best length each list scores as it is; 0 or more."""
        return self.best - self.whole if self.by.higher_is_better else self.whole - self.best

    @property
    def lengths(self) -> Rows:
        """The best lengths that there are."""
        return self.length[self.length >= 0]

    def emptied(self, name: str) -> Floats:
        """Scores of lists that are best left empty: what they score then ("best"), or as they are ("whole")."""
        scores: Floats = getattr(self, name)[self.length == 0]
        return scores

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
    empty: float = column("share of lists that are best left empty", over="mean")
    uncut: float = column("share of lists that are best left as they are", over="mean")
    correlation: float = column(
        "Spearman's rho of the best length with the relevant documents of the topic", over="mean"
    )

    brief = (
        *("measure", "lists", "whole", "best"),
        *("mean_length", "median_length", "empty", "uncut", "correlation"),
    )


class BinShare(Row):
    """Lists whose best length is in a bin, or topics whose relevant documents are so many."""

    measure: str = column(f'the measure; "{RELEVANT}" for topics by how many they have')
    run: str = column(f'the run; "{ALL}" for all of them')
    bin: str = column("the lengths")
    shortest: int = column("the shortest of them", over="key")
    longest: int = column("the longest of them", over="key")
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
    """The best length of every list, by run and measure; those of further collections are beside it, in ``also``."""

    question = "truncate"
    by_collection = True
    sheets = {
        "summary": Sheet(CutSummary, "each measure over all runs", of="summaries"),
        "runs": Sheet(Cut, "each run", of="every_cut"),
        "bins": Sheet(BinShare, "best lengths in bins", of="bin_shares"),
        "topics": Sheet(ListCut, "each list", of="list_cuts"),
        "against": Sheet(
            MeanAgreement,
            "how far cut lists order systems as whole lists do (default with --against)",
            of="pairs",
            needs="against",
            spans=True,
        ),
        "taus": Sheet(CutAgreement, "the same in each collection", needs="against", spans=True),
        "systems": Sheet(SystemByLists, "the scores that order systems", needs="against", spans=True),
    }
    files = {"plot": PLOT}

    best_cuts: tuple[Cut, ...]
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
        return self.best_cuts

    @property
    def families(self) -> dict[str, tuple[str, ...]]:
        """The measures by what makes them notice where a list ends."""
        families: dict[str, tuple[str, ...]] = {}
        for measure in self.wanted:
            terminal = "Terminal document" if measure.ending != "none" else "Other measures"
            family = "Effort of reading" if measure.ends_by == "effort" else terminal
            families[family] = (*families.get(family, ()), str(measure))
        return families

    def cuts(self, measure: str | Measure) -> dict[str, Cut]:
        """The cuts by a measure, run by run."""
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
        """The order of systems by lists cut and by whole lists, if there are measures of whole lists."""
        if not self.compared:
            return None
        from truerank.questions.truncate.work import compare_orders

        return compare_orders(self)

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
                    shortest=one.low,
                    longest=one.high,
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
    def pairs(self) -> Sequence[MeanAgreement]:
        """A row a pair of measures, of whole lists and of cut ones."""
        return () if self.against is None else self.against.pairs

    @property
    def taus(self) -> Sequence[CutAgreement]:
        """A row a pair of measures and collection."""
        return () if self.against is None else self.against.taus

    @property
    def systems(self) -> Sequence[SystemByLists]:
        """A row a system and measure."""
        return () if self.against is None else self.against.systems

    def usual(self) -> str:
        return "against" if self.compared else "summary"

    def verdict(self, show: str) -> str:
        """What cutting lists at their best lengths would gain."""
        from truerank.questions.truncate.words import verdict

        return verdict(self, show)

    def own_notes(self, show: str) -> Iterator[Note]:

        if show in OF_SYSTEMS:
            if self.against is not None:
                yield from self.against.own_notes(show)
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
    def plot(
        self,
        show: str | None = None,
        *,
        pairs: Sequence[tuple[str, str]] | None = None,
        theme: Theme = "light",
        **look: Unpack[Adjustments],
    ) -> Plot:
        """Draw the share of lists by their best length, a line a measure, with the relevant documents of topics.

        With ``show="against"`` it is systems by whole lists and by lists cut, see ``Against.scatter``.
        """
        if show in OF_SYSTEMS:
            if self.against is None:
                raise InputError(NOT_COMPARED)
            return self.against.scatter(pairs, theme=theme)
        from truerank.questions.truncate.figure import plot_lengths

        return plot_lengths((self,), theme=theme)

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


_LENGTHS = (
    "{measure}: the best length is 0 in {empty:%} of lists[ (an empty list scores {at_zero:g}, the most there is, by "
    "definition)][ (in all of them no length scores more than {most:g})] and the whole list in {uncut:%}; "
)
_EACH = _LENGTHS + "cutting each list at its best length would "
CUTTING = Code(
    "TR441",
    "how many lists are best left empty or whole, and what cutting each at its best would do",
    _EACH + "raise the mean[, over {runs:run},] from {whole:.4f} to {best:.4f}",
    lower=_EACH + "lower the mean[, over {runs:run},] from {whole:.4f} to {best:.4f}",
    unchanged=_EACH + "leave the mean[, over {runs:run},] at {whole:.4f}",
    undefined=_LENGTHS + "the mean is undefined",
)
NO_LENGTH = Code("TR442", "a measure without a value in any list", "{measure} has no value in any list")
NO_CORRELATION = Code(
    "TR443",
    "lengths, or numbers of relevant documents, that are all the same",
    "{names:names}: lengths, or relevant documents, are all the same, so that there is no correlation",
)
SLOW = Code(
    "TR444",
    "measures that score every length of a list on its own, which takes its time",
    "{measures:names} {count:is no sum|are no sums} over ranks: each of up to {lengths:,} lengths was scored on its "
    "own, which takes seconds a run",
)
TOLERANCE = Code(
    "TR455",
    "lists whose best length the tolerance decides",
    "{measure}: in {lists} of {of:list} another length scores higher, by no more than the tolerance of {tolerance:g}; "
    "with --tolerance 0 the median best length is {exact:g}, not {median:g}",
)


def cutting(cuts: Cuts) -> Iterator[Note]:
    """What there is to know of each measure."""
    for measure in cuts.measures:
        yield _cutting(cuts, measure)
    yield from tolerated(cuts)
    flat = [measure for measure in cuts.measures if isnan(cuts.correlation(measure))]
    if flat:
        yield NO_CORRELATION(names=flat)


def tolerated(cuts: Cuts) -> Iterator[Note]:
    """By which measures other lengths would be best without the tolerance."""
    for measure in cuts.measures:
        lengths, exact = cuts.lengths(measure), cuts.exact_lengths(measure)
        decided = int((lengths != exact).sum())
        if decided:
            yield TOLERANCE(
                measure=measure,
                lists=decided,
                of=len(lengths),
                tolerance=cuts.tolerance,
                median=median(lengths),
                exact=median(exact),
            )


def _cutting(cuts: Cuts, measure: str) -> Note:
    row = cuts.summary(measure)
    if not row.lists:
        return NO_LENGTH(measure=measure)
    if isnan(row.loss):
        form = "undefined"
    elif row.loss < 0.5 * 10**-DIGITS:
        form = "unchanged"
    else:
        form = "" if row.best > row.whole else "lower"
    at_zero = _best_by_definition(cuts, measure)
    return CUTTING(
        form,
        measure=measure,
        empty=row.empty,
        at_zero=at_zero,
        most=_nothing_better(cuts, measure) if at_zero is None else None,
        uncut=row.uncut,
        runs=len(cuts) if len(cuts) > 1 else None,
        whole=row.whole,
        best=row.best,
    )


def _best_by_definition(cuts: Cuts, measure: str) -> float | None:
    """The score of an empty list, if it is the best that there is and all lists are best left empty."""
    rows = [*cuts.cuts(measure).values()]
    by = rows[0].by
    if by.at_zero != by.range[1] or not by.higher_is_better:
        return None
    are_best = all((row.lengths == 0).all() and (row.emptied("best") == by.at_zero).all() for row in rows)
    return by.at_zero if are_best else None


def _nothing_better(cuts: Cuts, measure: str) -> float | None:
    """0 if lists that are best left empty score no more at any length; None if some do, or there are none."""
    rows = [*cuts.cuts(measure).values()]
    if not rows[0].by.higher_is_better or not any(len(row.emptied("best")) for row in rows):
        return None
    return None if any(row.emptied(name).any() for row in rows for name in ("best", "whole")) else 0.0


def slow(measures: Sequence[str], longest: int) -> Iterator[Note]:
    """What took its time."""
    if measures:
        yield SLOW(measures=[*measures], count=len(measures), lengths=longest)


RULES = AxisRules(
    # A list that is cut was ended by its cut, however many documents there could have been.
    fixed={"limit": None, "relevant": "judgments"},
    refused=one_number("the best length is that of one"),
)
USUAL = " ".join(
    (
        *("FlatU", "RBU", "RBU(p=0.9)", "RBU(p=0.98)", "DCGU", "ERRU", "RBPU", "RBPU(p=0.9)", "RBPU(p=0.98)"),
        *("nDCGT", "ERRT", "RBPT", "RBPT(p=0.9)", "RBPT(p=0.98)", "OIE(size=20000)", "F"),
    )
)
"""Measures that know where a list ends: with an effort, with a terminal document, and OIE and F."""


@question(RULES)
def truncate(
    qrels: Judgments,
    runs: Runs,
    measures: Measures = USUAL,
    *,
    against: Annotated[
        Any,
        Option("Measures of whole lists to compare the cut ones with; repeatable.", metavar="MEASURE", many=True),
    ] = (),
    group: ByGroup = None,
    also: Also = (),
    name: str = "",
    tolerance: Annotated[float, Option("Scores that differ by no more are equal.", least=0, most=1)] = 1e-12,
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Given],
) -> Cuts:
    """Find the length at which each list scores best.

    The judgments say where that is, so this is what a system could gain by knowing where to stop. Of lengths that score
    equally the shortest is taken; 0 is an empty list. Scores are equal if they differ by no more than --tolerance (a
    share of the score above 1). With --tolerance 0 every difference counts that is not rounding, however small.
    Without -m the measures are those of Amigó, Mizzaro & Spina (2022). With --show against, the figure is about the
    order of systems.

    Example:
      truerank truncate qrels.txt *.run -m "OIE(size=20000) RBPU(p=0.98)"
      truerank truncate qrels.txt *.run --show bins --plot lengths.svg
      truerank truncate qrels.txt *.run --against "AP nDCG" --also other.qrels "other/*.run"
      truerank truncate qrels.txt *.run -m F --against AP --show against --plot systems.svg

    In Python it takes what ``evaluate`` takes. Measures given as ``against`` score the whole lists, for ``tr.against``.
    ``also`` are pairs of judgments and runs, or such pairs by name; the first collection has a ``name``, too.

    >>> qrels = {"q1": {"a": 1, "b": 1}, "q2": {"c": 1}}
    >>> run = {"q1": ["a", "x", "b", "y", "z"], "q2": ["u", "v", "w"]}
    >>> cut = truncate(qrels, {"mine": run}, "RBPU(p=0.9)")["mine"]["RBPU(p=0.9)"]
    >>> cut.length.tolist(), round(cut.mean_whole, 4), round(cut.mean_best, 4)
    ([3, 0], 0.0735, 0.0837)
    """
    from truerank.measures.grammar import parse_all
    from truerank.questions.truncate.work import CutMeasures, score_run, summarise, whole_measures
    from truerank.track.track import Track

    if isinstance(tolerance, bool) or not 0 <= tolerance <= 1:
        raise InputError(f"tolerance={tolerance!r}; give a number from 0 to 1, such as 1e-12")
    wanted = CutMeasures(parse_all(measures), whole_measures(against), float(tolerance))
    track = Track.of(qrels, runs, (*wanted.cut, *wanted.whole), given, RULES, engine=engine)
    return summarise(track, track.each(score_run, progress=progress, wanted=wanted), wanted)


def against(cuts: Cuts | Mapping[str, Cuts]) -> Against:
    """Compare the order of systems by lists cut at their best length with the order by whole lists.

    Takes the answer of ``truncate(..., against=...)`` for a collection, or for several by name: then tau is given for
    each and on average. Every system is at its best length on every topic, so this is what a system could reach
    that knew where to stop.

    >>> qrels = {"q1": {"a": 1, "b": 1}}
    >>> runs = {"x": {"q1": ["a", "u", "v", "b"]}, "y": {"q1": ["u", "a", "b"]}, "z": {"q1": ["u", "v", "a"]}}
    >>> against(truncate(qrels, runs, "F", against="RR")).tau("RR", "F")
    0.3333333333333333
    """
    from truerank.questions.truncate.work import compare_orders

    return compare_orders(cuts)
