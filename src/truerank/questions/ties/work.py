"""What is looked at in each run, and what follows for the order of systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, distinct
from truerank.data.judge import every_document
from truerank.data.parts import added
from truerank.measures.core.base import Measure
from truerank.questions.ties.answer import Stray, Swap, TiedRow, TiedTopic, Ties
from truerank.questions.ties.chance import RunOrders, overtakes
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
    documents: int = added()
    """Documents listed for the judged topics."""
    tied_documents: int = added()
    tied_topics: int = added()
    tied_judged: int = added()
    spreads: dict[str, TieSpread]
    """By measure, variances over the orders of ties."""
    straddling: dict[int, int] = added()
    """By cutoff, the topics with documents on both sides of it that share their score."""


def cutoffs(measures: Sequence[Measure]) -> tuple[int, ...]:
    """The depths at which a tie would make a difference."""
    return tuple(sorted({measure.cutoff for measure in measures if measure.cutoff})) or (CUTOFF,)


def look(lens: Lens, measures: Sequence[Measure], *, cutoffs: Sequence[int]) -> TiesPart:
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


def _orders(lens: Lens, found: Values) -> Iterator[tuple[str, Values]]:
    # Where no judged document is tied, every order gives what all of them give.
    depends = lens.tied or found.measure.needs == "every document"
    for order in lens.orders:
        value = lens.estimate(found.measure, ties=order).value if depends else found.value
        yield order, found.instead(value)


def conclude(track: Track, parts: Sequence[TiesPart]) -> Ties:
    """What the order of ties does to each run, and to the order of runs."""
    tied: list[TiedRow] = []
    orders: dict[str, dict[str, RunOrders]] = {}
    for measure in track.measures:
        name = str(measure)
        known = orders[name] = {
            part.run: RunOrders.of(part.values[name], part.spreads[name], track.conventions) for part in parts
        }
        rows = [_row(part, measure, known[part.run], track.conventions) for part in parts]
        tied += sorted(rows, key=lambda row: (row.expected != row.expected, -measure.sign * row.expected))
    by_measure = {measure: [row for row in tied if row.measure == str(measure)] for measure in track.measures}
    return Ties(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        tied=tuple(tied),
        moved=tuple(topic for measure in track.measures for topic in _moved(track, parts, measure)),
        strays=tuple(stray for rows in by_measure.values() for stray in _strays(rows)),
        swaps=tuple(
            swap for measure, rows in by_measure.items() for swap in _swaps(rows, orders[str(measure)], measure.sign)
        ),
        ordered_pairs={str(measure): _ordered_pairs(rows) for measure, rows in by_measure.items()},
        notices=track.notes(parts),
    )


def _row(part: TiesPart, measure: Measure, known: RunOrders, choice: Conventions) -> TiedRow:
    found = part.values[str(measure)]
    ends = [found.summary(choice, end) for end in (found.low, found.high)]
    worst, best = ends if measure.higher_is_better else reversed(ends)
    # Extremes are sorts for most measures; for others they are looked for, among all orders or a sample of them.
    sampled = found.searched is not None and bool(found.searched.any())
    return TiedRow(
        measure=str(measure),
        run=part.run,
        documents=part.documents,
        tied_documents=part.tied_documents,
        topics=int(part.lists.sum()),
        tied_topics=part.tied_topics,
        judged=part.judged,
        tied_judged=part.tied_judged,
        straddling=part.straddling,
        expected=found.summary(choice),
        worst=worst,
        best=best,
        deviation=known.deviation,
        deviation_error=known.error,
        orders={order: one.summary(choice) for order, one in part.orders[str(measure)].items()},
        std_error=found.std_error,
        extremes="sampled" if sampled else "exact",
    )


def _moved(track: Track, parts: Sequence[TiesPart], measure: Measure) -> list[TiedTopic]:
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


def _swaps(rows: Sequence[TiedRow], orders: Mapping[str, RunOrders], sign: float) -> Iterator[Swap]:
    """The pairs of runs that can swap by a measure, the farthest apart first; undefined scores swap with no other."""
    expected, worst, best = (
        sign * np.array([getattr(row, end) for row in rows]) for end in ("expected", "worst", "best")
    )
    one, other = every_pair(len(rows))
    merit = level(expected)
    difference = merit[one] - merit[other]
    kept = farthest((np.abs(difference) > 0) & is_open(worst, best, one, other), difference)
    in_order = {order: sign * _in_order(rows, order) for order in _orders_of(rows)}
    for a, b in zip(*ordered(one[kept], other[kept], difference[kept]), strict=True):
        chance, chance_by = overtakes(orders[rows[a].run], orders[rows[b].run], sign)
        yield Swap(
            measure=rows[a].measure,
            better=rows[a].run,
            worse=rows[b].run,
            difference=float(expected[a] - expected[b]),
            ahead=float(best[b] - worst[a]),
            chance=chance,
            chance_by=chance_by,
            reversed_by=tuple(order for order, value in in_order.items() if above(value[b], value[a])),
        )


def _strays(rows: Sequence[TiedRow]) -> Iterator[Stray]:
    """How far each usual order of ties strays from the expected scores by a measure, and what it turns around."""
    expected = np.array([row.expected for row in rows])
    for order in _orders_of(rows):
        moved = _in_order(rows, order) - expected
        known = np.flatnonzero(~np.isnan(moved))
        if not len(known):
            continue
        most = int(known[np.argmax(np.abs(moved[known]))])
        one, other = every_pair(len(known))
        merit, moved_merit = level(expected[known]), level(_in_order(rows, order)[known])
        before, after = merit[one] - merit[other], moved_merit[one] - moved_merit[other]
        strict = before != 0
        yield Stray(
            measure=rows[most].measure,
            order=order,
            run=rows[most].run,
            difference=float(moved[most]),
            mean=float(moved[known].sum() / len(known)),
            runs=len(known),
            pairs=int(strict.sum()),
            reversed=int((np.sign(before) * np.sign(after) < 0).sum()),
        )


def _ordered_pairs(rows: Sequence[TiedRow]) -> int:
    """Pairs of runs of which one is better by expectation."""
    expected = level([row.expected for row in rows])
    one, other = every_pair(len(expected))
    return int((np.abs(expected[one] - expected[other]) > 0).sum())


def _orders_of(rows: Sequence[TiedRow]) -> list[str]:
    """The usual orders that some run has."""
    return list(dict.fromkeys(order for row in rows for order in row.orders))


def _in_order(rows: Sequence[TiedRow], order: str) -> Floats:
    return np.array([row.orders.get(order, np.nan) for row in rows])
