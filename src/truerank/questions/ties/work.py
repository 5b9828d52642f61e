"""What is looked at in each run, and what follows for the order of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from truerank.boards.rows import BoardRun
from truerank.boards.work import Boards
from truerank.conventions.axes import Conventions
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, Rows, distinct
from truerank.data.judge import every_document
from truerank.data.parts import part_field
from truerank.measures.core.base import Measure
from truerank.questions.ties.chance import RunOrders, overtakes
from truerank.questions.ties.question import EXPECTED, TiedPair, TiedRun, TiedTopic, TieOrder, Ties
from truerank.statistics.level import above, level
from truerank.statistics.pairs import every_pair, farthest, is_open, ordered
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.spread import TieSpread, spread_of
from truerank.track.track import Track
from truerank.track.values import Values, values

CUTOFF = 10
"""Where ties may straddle a cutoff, if no measure has one."""


@dataclass(frozen=True, eq=False, kw_only=True)
class TiesPart(RunPart):
    """A run: how much of it is tied, and what single orders of ties make of its scores."""

    orders: dict[str, dict[str, Values]]
    """By measure, the values in each of the usual orders that the run has."""
    documents: int = part_field(merge="sum")
    """Documents listed for the judged topics."""
    tied_documents: int = part_field(merge="sum")
    tied_topics: int = part_field(merge="sum")
    tied_judged: int = part_field(merge="sum")
    spreads: dict[str, TieSpread]
    """By measure, variances over the orders of ties."""
    straddling: dict[int, int] = part_field(merge="sum")
    """By cutoff, the topics with documents on both sides of it that share their score."""


def cutoffs(measures: Sequence[Measure]) -> tuple[int, ...]:
    """The depths at which a tie would make a difference."""
    return tuple(sorted({measure.cutoff for measure in measures if measure.cutoff})) or (CUTOFF,)


def score_run(lens: Lens, measures: Sequence[Measure], *, cutoffs: Sequence[int]) -> TiesPart:
    """What is kept of a run."""
    every = every_document(lens.judged)
    topic, tied, last = topics_of(every), every.size > 1, every.above + every.size
    found = {str(measure): values(lens, measure) for measure in measures}
    return observe(
        lens,
        found,
        kind=TiesPart,
        orders={name: dict(_orders(lens, one)) for name, one in found.items()},
        spreads={str(measure): spread_of(lens, measure) for measure in measures},
        documents=len(every.row),
        tied_documents=int(tied.sum()),
        tied_topics=len(distinct(topic[tied])),
        tied_judged=int((lens.judged.size > 1).sum()),
        straddling={k: len(distinct(topic[(every.above < k) & (k < last)])) for k in cutoffs},
    )


def _orders(lens: Lens, values: Values) -> Iterator[tuple[str, Values]]:
    # Where no judged document is tied, every order gives what all of them give.
    depends = lens.tied or values.measure.needs == "every document"
    for order in lens.orders:
        value = lens.estimate(values.measure, ties=order).value if depends else values.value
        yield order, values.instead(value)


def summarise(track: Track, parts: Sequence[TiesPart]) -> Ties:
    """What the order of ties does to each run, and to the order of runs."""
    by_measure = [TiedRuns(parts, measure, track.conventions) for measure in track.measures]
    return Ties(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        variants=tuple(dict.fromkeys(variant for runs in by_measure for variant in runs.boards.means)),
        board=tuple(row for runs in by_measure for row in runs.rows),
        by_topic=tuple(topic for measure in track.measures for topic in _topics(track, parts, measure)),
        orders=tuple(row for runs in by_measure for row in runs.orders()),
        pairs=tuple(pair for runs in by_measure for pair in runs.pairs()),
        notices=track.notes(parts),
    )


class TiedRuns:
    """The runs by one measure, under every order of ties."""

    def __init__(self, parts: Sequence[TiesPart], measure: Measure, choice: Conventions) -> None:
        self.measure, self.choice, name = measure, choice, str(measure)
        expected = measure.sign * np.array([part.values[name].summary(choice) for part in parts])
        parts = [parts[at] for at in np.argsort(-expected, kind="stable")]
        self.parts = {part.run: part for part in parts}
        self.spreads = {part.run: RunOrders.of(part.values[name], part.spreads[name], choice) for part in parts}
        orders = dict.fromkeys(order for part in parts for order in part.orders[name])
        means = {order: self._means(order) for order in (EXPECTED, *orders)}
        self.boards = Boards(measure, [*self.parts], means, EXPECTED)

    def _means(self, variant: str) -> Floats:
        """One mean per run; NaN for a run that does not have this order."""
        name = str(self.measure)
        values = [
            part.values[name] if variant == EXPECTED else part.orders[name].get(variant) for part in self.parts.values()
        ]
        return np.array([np.nan if one is None else one.summary(self.choice) for one in values])

    @cached_property
    def ends(self) -> tuple[Floats, Floats]:
        """One score per run in its worst and in its best order of ties."""
        values = [part.values[str(self.measure)] for part in self.parts.values()]
        low, high = (
            np.array([one.summary(self.choice, end) for one, end in ends])
            for ends in ([(one, one.low) for one in values], [(one, one.high) for one in values])
        )
        return (low, high) if self.measure.higher_is_better else (high, low)

    @cached_property
    def rows(self) -> list[TiedRun]:
        """Scores and ranks, the best by expectation first."""
        extremes = dict(zip(self.parts, zip(*self.ends, *self._extreme_ranks(), strict=True), strict=True))
        return [self._row(row, *extremes[row.run]) for row in self.boards.board()]

    def _extreme_ranks(self) -> tuple[Rows, Rows]:
        """One more than the runs that are better in all orders of ties, and than those that are in some."""
        worst, best = (self.measure.sign * end for end in self.ends)
        always, sometimes = above(worst[None, :], best[:, None]), above(best[None, :], worst[:, None])
        np.fill_diagonal(sometimes, False)
        return 1 + always.sum(axis=1), 1 + sometimes.sum(axis=1)

    def _row(self, row: BoardRun, worst: float, best: float, best_rank: int, worst_rank: int) -> TiedRun:
        part, spread = self.parts[row.run], self.spreads[row.run]
        name = str(self.measure)
        values, known = part.values[name], (EXPECTED, *part.orders[name])
        is_ranked = row.ranks[EXPECTED] is not None
        # Extremes are sorts for most measures; for others they are looked for, among all orders or a sample of them.
        sampled = values.searched is not None and bool(values.searched.any())
        return TiedRun(
            measure=row.measure,
            run=row.run,
            scores={order: row.scores[order] for order in known},
            ranks={order: row.ranks[order] for order in known},
            differences={order: row.differences[order] for order in part.orders[name]},
            best_rank=int(best_rank) if is_ranked else None,
            worst_rank=int(worst_rank) if is_ranked else None,
            documents=part.documents,
            tied_documents=part.tied_documents,
            topics=int(part.lists.sum()),
            tied_topics=part.tied_topics,
            judged=part.judged,
            tied_judged=part.tied_judged,
            straddling=part.straddling,
            worst=float(worst),
            best=float(best),
            deviation=spread.deviation,
            deviation_error=spread.error,
            std_error=values.std_error,
            extremes="sampled" if sampled else "exact",
        )

    def orders(self) -> Iterator[TieOrder]:
        """How far each order that tools take is from the expected scores, and what it reverses."""
        for row in self.boards.orders():
            moved = self.boards.means[row.other] - self.boards.means[EXPECTED]
            known = np.flatnonzero(~np.isnan(moved))
            if len(known):
                most = known[np.argmax(np.abs(moved[known]))]
                yield TieOrder(
                    **vars(row),
                    run=self.boards.runs[most],
                    difference=float(moved[most]),
                    mean_difference=float(moved[known].sum() / len(known)),
                )

    def pairs(self) -> Iterator[TiedPair]:
        """The pairs that ties can reverse, the farthest apart first; undefined scores are in none."""
        sign = self.measure.sign
        expected, worst, best = (
            sign * np.array([getattr(row, end) for row in self.rows]) for end in ("expected", "worst", "best")
        )
        one, other = every_pair(len(self.rows))
        merit = level(expected)
        difference = merit[one] - merit[other]
        kept = farthest((np.abs(difference) > 0) & is_open(worst, best, one, other), difference)
        for a, b in zip(*ordered(one[kept], other[kept], difference[kept]), strict=True):
            better, worse = self.rows[a], self.rows[b]
            chance, chance_by = overtakes(self.spreads[better.run], self.spreads[worse.run], sign)
            low, high = sorted((better.worst - worse.best, better.best - worse.worst))
            yield TiedPair(
                measure=str(self.measure),
                run=better.run,
                compared_with=worse.run,
                difference=better.expected - worse.expected,
                low=low,
                high=high,
                can_reverse=True,
                chance=chance,
                chance_by=chance_by,
                reversed_by=tuple(
                    order
                    for order, score in worse.scores.items()
                    if order != EXPECTED and above(sign * score, sign * better.scores.get(order, np.nan))
                ),
            )


def _topics(track: Track, parts: Sequence[TiesPart], measure: Measure) -> list[TiedTopic]:
    """The topics of runs that the order of ties moves, the most first."""
    name, choice = str(measure), track.conventions
    found = []
    for part in parts:
        values, spread = part.values[name], part.spreads[name]
        assert values.low is not None
        assert values.high is not None
        ends = (values.low, values.high) if measure.higher_is_better else (values.high, values.low)
        for at in values.kept(choice)[spread.variance[values.kept(choice)] > 0].tolist():
            deviation = math.sqrt(spread.variance[at])
            found.append(
                TiedTopic(
                    measure=name,
                    run=part.run,
                    topic=track.topics[values.topics[at]],
                    expected=float(values.value[at]),
                    worst=float(ends[0][at]),
                    best=float(ends[1][at]),
                    deviation=deviation,
                    deviation_error=float(spread.error[at]) / (2.0 * deviation),
                )
            )
    return sorted(found, key=lambda topic: -topic.deviation)
