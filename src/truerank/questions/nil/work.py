"""What is looked at in each run, and how two methodologies order runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.ending import nil_ranks, without_nil
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun
from truerank.data.notes import Note
from truerank.data.rankings import TERMINAL, Rankings
from truerank.measures.c import C
from truerank.measures.core.base import Measure
from truerank.questions.nil.answer import Cases, Inversion, LengthBin, ListEnding, Orderings, Shift, Silence
from truerank.questions.nil.earned import earned, endings, hedgers
from truerank.questions.nil.parts import ListsPart, NilPart
from truerank.questions.nil.words import NO_CUTOFF
from truerank.questions.truncate.lengths import Bin, bins, counts
from truerank.report.rows import ColumnarRows
from truerank.statistics.correlations import kendall, kendall_b, tau_ap
from truerank.statistics.level import level
from truerank.statistics.pairs import every_pair, farthest, ordered
from truerank.track.facts import observe
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import values

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


def look(lens: Lens, measures: Sequence[Measure]) -> NilPart:
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


def conclude(track: Track, parts: Sequence[NilPart]) -> Silence:
    """Where all runs are silent, and what both methodologies make of them."""
    modified, has_answer = track.conventions, without_nil(track.judgments).num_rel > 0
    original = original_of(modified)
    rows = [endings(parts, one, has_answer, track.topics, original, modified) for one in track.measures]
    silences = tuple(_cases(track, part, has_answer) for part in parts)
    by_measure = {
        measure: [
            _shift(part, silence, measure, original, modified) for part, silence in zip(parts, silences, strict=True)
        ]
        for measure in track.measures
    }
    return Silence(
        conventions=modified,
        original=original,
        wanted=track.measures,
        topics=track.topics,
        nil_topics=_named(track, ~has_answer),
        silences=silences,
        shifts=tuple(shift for measure, shifts in by_measure.items() for shift in _placed(shifts, measure)),
        lengths=tuple(spread([part.lengths for part in parts])),
        both_orders=tuple(orderings(shifts, measure) for measure, shifts in by_measure.items()),
        lists=ColumnarRows.joined(ListEnding, rows),
        earned=tuple(row for each in rows for row in earned(each, [part.run for part in parts])),
        hedgers=hedgers(parts),
        notices=(*track.notes(parts), *_without_cutoff(track)),
    )


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
    lists, silent = part.lengths, part.lengths.after == 0
    answered, false_answers, false_silences, right_silences = (
        _named(track, which)
        for which in (~silent & has_answer, ~silent & ~has_answer, silent & has_answer, silent & ~has_answer)
    )
    right, silences, nils = len(right_silences), int(silent.sum()), int((~has_answer).sum())
    return Cases(
        run=part.run,
        topics=len(silent),
        answered=len(answered),
        false_answers=len(false_answers),
        false_silences=len(false_silences),
        right_silences=right,
        precision=_share(right, silences),
        recall=_share(right, nils),
        f=_share(2 * right, silences + nils),
        accuracy=_share(len(answered) + right, len(silent)),
        c=part.c.summary(track.conventions),
        nil=int((lists.nil_rank > 0).sum()),
        ended=float(lists.was_ended.mean()) if len(silent) else nan,
        answered_topics=answered,
        false_silence_topics=false_silences,
        right_silence_topics=right_silences,
        false_answer_topics=false_answers,
        before=lists.before,
        after=lists.after,
        has_nil=lists.nil_rank > 0,
        was_ended=lists.was_ended,
    )


def _share(some: int, every: int) -> float:
    return some / every if every else nan


def _shift(part: NilPart, cases: Cases, measure: Measure, original: Conventions, modified: Conventions) -> Shift:
    name = str(measure)
    before, after = part.original[name].summary(original), part.values[name].summary(modified)
    return Shift(
        measure=name,
        run=part.run,
        original=before,
        modified=after,
        difference=after - before,
        original_rank=None,
        modified_rank=None,
        rank_change=None,
        ended=cases.ended,
    )


def _placed(shifts: Sequence[Shift], measure: Measure) -> list[Shift]:
    """The scores of all runs by a measure with their places, the best by the modified methodology first."""
    before, after = map(places, _merits(shifts, measure))
    found = [
        replace(
            shift,
            original_rank=was,
            modified_rank=now,
            rank_change=None if was is None or now is None else was - now,
        )
        for shift, was, now in zip(shifts, before, after, strict=True)
    ]
    return sorted(found, key=lambda shift: shift.modified_rank or len(found) + 1)


def _merits(shifts: Sequence[Shift], measure: Measure) -> tuple[Floats, Floats]:
    """Scores by both methodologies, the higher the better."""
    every = [[shift.original for shift in shifts], [shift.modified for shift in shifts]]
    original, modified = level(measure.sign * np.array(every, np.float64))
    return original, modified


def places(merit: Floats) -> list[int | None]:
    """The place of each system: one more than there are better ones; None where it has no score.

    >>> places(np.array([0.5, 0.7, np.nan, 0.5]))
    [2, 1, None, 2]
    """
    above = (merit[None, :] > merit[:, None]).sum(axis=1) + 1
    return [None if np.isnan(one) else place for one, place in zip(merit, above.tolist(), strict=True)]


def orderings(shifts: Sequence[Shift], measure: Measure) -> Orderings:
    """Compare the orders of systems; those without a score have no place in them."""
    known = [shift for shift in shifts if shift.difference == shift.difference]
    original, modified = _merits(known, measure)
    one, other = every_pair(len(known))
    before, after = original[one] - original[other], modified[one] - modified[other]
    better, worse = ordered(one, other, before)
    inversions = tuple(
        Inversion(
            measure=str(measure),
            better=known[better[pair]].run,
            worse=known[worse[pair]].run,
            original=float(abs(before[pair])),
            modified=float(abs(after[pair])),
        )
        for pair in farthest(before * after < 0, before - after)
    )
    return Orderings(
        measure=str(measure),
        runs=len(known),
        kendall_a=kendall(original, modified),
        kendall_b=kendall_b(original, modified),
        tau_ap=tau_ap(original, modified),
        pairs=int((before != 0).sum()),
        inverted=len(inversions),
        original=tuple(known[place].run for place in np.argsort(-original, kind="stable")),
        modified=tuple(known[place].run for place in np.argsort(-modified, kind="stable")),
        inversions=inversions,
    )


def spread(lists: Sequence[ListsPart]) -> Iterator[LengthBin]:
    """The lengths of all lists, each by itself where they are short, in bins that grow twofold where they are long."""
    before, after = (np.concatenate([getattr(one, when) for one in lists]) for when in ("before", "after"))
    longest = int(before.max(initial=0))
    found = tuple(Bin(n, n) for n in range(longest + 1)) if longest <= PLAIN else bins(longest)
    both = (counts(some, found).tolist() for some in (before, after))
    for each, was, now in zip(found, *both, strict=True):
        yield LengthBin(low=each.low, high=each.high, before=was, after=now)
