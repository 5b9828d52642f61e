"""What the end of each list was, and what counting it did to the score: topic by topic, and summed up by run."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ending import hedging
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.printing import readable
from truerank.measures.core.base import Measure
from truerank.questions.nil.answer import KINDS, EndingGain, Hedger, ListEnding
from truerank.questions.nil.parts import ListsPart, NilPart
from truerank.report.rows import ColumnarRows
from truerank.statistics.level import above
from truerank.track.values import Values

_CORRECT, _FALSE, _PAID, _UNPAID, _PREMATURE, _GIVEN_UP, _HEDGED, _FULL = range(len(KINDS))


def hedgers(parts: Sequence[NilPart]) -> tuple[Hedger, ...]:
    """The runs that have a NIL beside documents, wherever they have documents."""
    found = ((part.run, hedging(part.lengths.before, part.lengths.nil_rank)) for part in parts)
    return tuple(Hedger(run=run, **hedge._asdict()) for run, hedge in found if hedge is not None)


def kinds(lists: ListsPart, has_answer: Mask) -> Rows:
    """What the end of each list was, as places in ``KINDS``; stops are taken for ones that paid."""
    is_empty, ended = lists.after == 0, lists.was_ended
    found = np.select(
        [~has_answer & is_empty, ~has_answer, lists.below > 0, ended & (lists.found > 0), ended],
        [_CORRECT, _FALSE, _PREMATURE, _PAID, _GIVEN_UP],
        _FULL,
    )
    if hedging(lists.before, lists.nil_rank) is not None:
        found[(lists.nil_rank > 0) & (lists.before > 1)] = _HEDGED
    return found


def shares(values: Values, choice: Conventions) -> Floats:
    """What each topic adds to the mean over topics: 0 where it is in no mean, NaN for all where there is none."""
    found, kept = np.zeros(len(values.value)), values.kept(choice)
    if not values.measure.averages or not len(kept):
        return np.full(len(found), nan)
    found[kept] = values.settled(choice) / len(kept)
    return found


def endings(
    parts: Sequence[NilPart],
    measure: Measure,
    has_answer: Mask,
    names: Sequence[str],
    original: Conventions,
    modified: Conventions,
) -> ColumnarRows[ListEnding]:
    """Every list by a measure, those first that count for most; of equals, by run and topic."""
    every = [_of_run(part, measure, has_answer, original, modified) for part in parts]
    columns = {name: np.concatenate([one[name] for one in every]) for name in every[0]}
    topic = np.concatenate([part.lengths.topics for part in parts])
    run = np.repeat(np.arange(len(parts)), [len(part.lengths.topics) for part in parts])
    # Rounding must not order what is the same.
    weight = np.round(np.nan_to_num(np.abs(columns["adds"])), 12)
    order = np.lexsort((topic, run, columns["kind"] == _FULL, -weight))
    rank = columns.pop("nil_rank")[order].tolist()
    kind = columns.pop("kind")[order].tolist()
    return ColumnarRows(
        ListEnding,
        measure=[str(measure)] * len(order),
        run=[parts[place].run for place in run[order].tolist()],
        topic=[names[place] for place in topic[order].tolist()],
        kind=[KINDS[place] for place in kind],
        nil_rank=[place or None for place in rank],
        **{name: values[order] for name, values in columns.items()},
    )


def _of_run(
    part: NilPart, measure: Measure, has_answer: Mask, original: Conventions, modified: Conventions
) -> dict[str, Floats | Rows]:
    lists, was, now = part.lengths, part.original[str(measure)], part.values[str(measure)]
    before, after = _in_place(was, original), _in_place(now, modified)
    kind = kinds(lists, has_answer[lists.topics])
    paid = above(measure.sign * after, measure.sign * before)
    kind[(kind == _PAID) & ~paid] = _UNPAID
    return {
        "kind": kind,
        "original": before,
        "modified": after,
        "adds": shares(now, modified) - shares(was, original),
        "length": lists.after,
        "nil_rank": lists.nil_rank,
        "found": lists.found,
        "below": lists.below,
    }


def _in_place(values: Values, choice: Conventions) -> Floats:
    """The value of each topic as it goes into the mean; NaN where it does not."""
    found, kept = np.full(len(values.value), nan), values.kept(choice)
    found[kept] = values.settled(choice)
    return found


def ending_gains(rows: ColumnarRows[ListEnding], runs: Sequence[str]) -> list[EndingGain]:
    """What each kind of ending did to each run, in the order of the runs; kinds that do not occur are left out."""
    place = {run: number for number, run in enumerate(runs)}
    kind = np.array([KINDS.index(one) for one in rows.column("kind")], np.intp)
    code = np.array([place[run] for run in rows.column("run")], np.intp) * len(KINDS) + kind
    adds = np.array(rows.column("adds"), np.float64)
    size = len(runs) * len(KINDS)
    lists = np.bincount(code, minlength=size)
    total, gains, losses = (
        np.bincount(code, values, size) for values in (adds, np.maximum(adds, 0.0), np.minimum(adds, 0.0))
    )
    measure = rows.column("measure")[0] if len(rows) else ""
    return [
        EndingGain(
            measure=measure,
            run=readable(runs[each // len(KINDS)]),
            kind=KINDS[each % len(KINDS)],
            lists=int(lists[each]),
            adds=float(total[each]),
            gains=float(gains[each]),
            losses=float(losses[each]),
        )
        for each in np.flatnonzero(lists).tolist()
    ]
