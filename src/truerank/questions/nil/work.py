"""What is looked at in each run, and how two methodologies order runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import nan

import numpy as np

from truerank.boards.work import Boards
from truerank.conventions.axes import Conventions
from truerank.conventions.ending import hedging, nil_ranks, without_nil
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun
from truerank.data.notes import Note
from truerank.data.parts import Part, part_field
from truerank.data.printing import readable
from truerank.data.rankings import TERMINAL, Rankings
from truerank.measures.c import C
from truerank.measures.core.base import Measure
from truerank.questions.nil.question import (
    KINDS,
    NO_CUTOFF,
    Cases,
    EndingGain,
    Hedger,
    LengthBin,
    ListEnding,
    NilAnswer,
)
from truerank.questions.truncate.lengths import Bin, bins, counts
from truerank.report.rows import ColumnarRows
from truerank.statistics.level import above
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import Values, values


@dataclass(frozen=True, eq=False, kw_only=True)
class ListsPart(Part):
    """The lists of a run, one a topic."""

    before: Rows = part_field(merge="per topic")
    """Documents as they were handed in, NIL included; 0 where the topic is left out."""
    after: Rows = part_field(merge="per topic")
    """Documents down to the NIL."""
    nil_rank: Rows = part_field(merge="per topic")
    """The rank of the NIL, 0 without one."""
    found: Rows = part_field(merge="per topic")
    """Relevant documents down to the NIL."""
    below: Rows = part_field(merge="per topic")
    """Relevant documents below it."""
    was_ended: Mask = part_field(merge="per topic")
    """Which lists the system ended: those with a NIL and those shorter than the limit; without a limit, all."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NilPart(RunPart):
    """A run: its values are those of the modified methodology."""

    original: dict[str, Values]
    """By measure, the values of the original one."""
    c: Values
    """c@1."""
    lengths: ListsPart


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


PLAIN = 20
"""Lengths up to which each has a bin of its own."""


def usual(limit: object) -> str:
    """The measures of Liu et al. (2016), who have nDCG at the most documents that a list could have."""
    cutoff = f"@{limit}" if isinstance(limit, int) and not isinstance(limit, bool) and limit > 0 else ""
    return f"RR nDCG{cutoff} RBP(p=0.5) AP"


def past_the_limit(measure: Measure, limit: int, relevant: int) -> bool:
    """Whether a measure without a cutoff divides by more than a list of so many documents could reach."""
    if limit > relevant or not measure.takes_cutoff or measure.cutoff is not None:
        return False
    whole = Rankings.single([1] * limit, pool=[1] * (relevant + 1))
    both = [one.normaliser(whole, one.depth(whole)) for one in (measure, measure @ limit)]
    return None not in both and bool(np.any(both[0] != both[1]))


def refuse(measures: Sequence[Measure]) -> None:
    """Refuse measures that cannot be read by both methodologies."""
    for measure in measures:
        if not measure.takes_terminal:
            raise InputError(f"{measure} has no form with a terminal document to compare with; choose another measure")
        if TERMINAL[measure.ending]:
            raise InputError(f"{measure} has a terminal document of its own; give the measure without it")


def original_of(modified: Conventions) -> Conventions:
    """The methodology of TREC 2001: NIL is a document, relevant if nothing else is, and ends say nothing."""
    return replace(modified, ending="none", limit=None, nil="answer")


def score_run(lens: Lens, measures: Sequence[Measure]) -> NilPart:
    """What is kept of a run."""
    before = lens.under(original_of(lens.conventions))
    return observe(
        lens,
        {str(measure): values(lens, measure) for measure in measures},
        ties=False,
        kind=NilPart,
        original={str(measure): values(before, measure) for measure in measures},
        c=values(lens, C()),
        lengths=_lists(lens),
    )


def _lists(lens: Lens) -> ListsPart:
    """The lists of a run; a convention that drops documents does not make a list one that was ended early."""
    run, topic = lens.whole, lens.judged.run_topic[lens.topics]
    every, found = _relevant(lens.judged)[lens.topics], _relevant(lens.joined("terminal"))[lens.topics]
    return ListsPart(
        topics=lens.topics,
        before=np.append(np.diff(run.offsets), 0)[topic],
        after=lens.lengths("terminal"),
        nil_rank=np.append(nil_ranks(run, lens.conventions.precision), 0)[topic],
        found=found,
        below=every - found,
        was_ended=lens.ended,
    )


def _relevant(judged: JudgedRun) -> Rows:
    """How many relevant documents each list has."""
    found: Rows = np.bincount(topics_of(judged)[judged.grade > 0], minlength=len(judged.length))
    return found


def summarise(track: Track, parts: Sequence[NilPart]) -> NilAnswer:
    """Which topics all runs leave unanswered, and what both methodologies make of that."""
    modified, has_answer = track.conventions, without_nil(track.judgments).num_rel > 0
    original = original_of(modified)
    lists = [endings(parts, one, has_answer, track.topics, original, modified) for one in track.measures]
    boards = [_boards(parts, measure, original, modified) for measure in track.measures]
    return NilAnswer(
        conventions=modified,
        original=original,
        variants=("original", "modified"),
        wanted=track.measures,
        topics=track.topics,
        nil_topics=_named(track, ~has_answer),
        by_case=tuple(_cases(track, part, has_answer) for part in parts),
        board=tuple(row for one in boards for row in one.board()),
        orders=tuple(row for one in boards for row in one.orders()),
        dependent=tuple(row for one in boards for row in one.dependent()),
        lengths=tuple(length_bins([part.lengths for part in parts])),
        lists=ColumnarRows.joined(ListEnding, lists),
        endings=tuple(row for each in lists for row in ending_gains(each, [part.run for part in parts])),
        hedgers=hedgers(parts),
        notices=(*track.notes(parts), *_without_cutoff(track)),
    )


def _boards(parts: Sequence[NilPart], measure: Measure, original: Conventions, modified: Conventions) -> Boards:
    name = str(measure)
    means = {
        "original": np.array([part.original[name].summary(original) for part in parts]),
        "modified": np.array([part.values[name].summary(modified) for part in parts]),
    }
    return Boards(measure, [part.run for part in parts], means, "original")


def _without_cutoff(track: Track) -> Iterator[Note]:
    """Measures that hold lists of at most so many documents against longer ones."""
    limit, relevant = track.conventions.limit, int(track.judgments.num_rel.max(initial=0))
    if limit is None:
        return
    for measure in track.measures:
        if past_the_limit(measure, limit, relevant):
            yield NO_CUTOFF(measure=str(measure), limit=limit, instead=str(measure @ limit)).about(str(measure))


def _named(track: Track, which: Mask) -> tuple[str, ...]:
    return tuple(track.topics[topic] for topic in np.flatnonzero(which))


def _cases(track: Track, part: NilPart, has_answer: Mask) -> Cases:
    lists, is_empty = part.lengths, part.lengths.after == 0
    answered, false_answers, wrongly, correctly = (
        _named(track, which)
        for which in (~is_empty & has_answer, ~is_empty & ~has_answer, is_empty & has_answer, is_empty & ~has_answer)
    )
    unanswered, nils = int(is_empty.sum()), int((~has_answer).sum())
    return Cases(
        run=part.run,
        topics=len(is_empty),
        answered=len(answered),
        false_answers=len(false_answers),
        wrongly_unanswered=len(wrongly),
        correctly_unanswered=len(correctly),
        precision=_share(len(correctly), unanswered),
        recall=_share(len(correctly), nils),
        f=_share(2 * len(correctly), unanswered + nils),
        accuracy=_share(len(answered) + len(correctly), len(is_empty)),
        c=part.c.summary(track.conventions),
        nil=int((lists.nil_rank > 0).sum()),
        ended=float(lists.was_ended.mean()) if len(is_empty) else nan,
        answered_topics=answered,
        wrongly_unanswered_topics=wrongly,
        correctly_unanswered_topics=correctly,
        false_answer_topics=false_answers,
        before=lists.before,
        after=lists.after,
        has_nil=lists.nil_rank > 0,
        was_ended=lists.was_ended,
    )


def _share(some: int, every: int) -> float:
    return some / every if every else nan


def length_bins(lists: Sequence[ListsPart]) -> Iterator[LengthBin]:
    """The lengths of all lists, each by itself where they are short, in bins that grow twofold where they are long."""
    before, after = (np.concatenate([getattr(one, when) for one in lists]) for when in ("before", "after"))
    longest = int(before.max(initial=0))
    found = tuple(Bin(n, n) for n in range(longest + 1)) if longest <= PLAIN else bins(longest)
    both = (counts(some, found).tolist() for some in (before, after))
    for each, was, now in zip(found, *both, strict=True):
        yield LengthBin(low=each.low, high=each.high, before=was, after=now)
