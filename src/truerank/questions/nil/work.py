"""What is looked at in each run, and how two methodologies order runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import nan

import numpy as np

from truerank.boards.work import Boards
from truerank.conventions.axes import Conventions
from truerank.conventions.ending import nil_ranks, without_nil
from truerank.conventions.ties import topics_of
from truerank.data.arrays import Mask, Rows
from truerank.data.errors import InputError
from truerank.data.judge import JudgedRun
from truerank.data.notes import Note
from truerank.data.rankings import TERMINAL, Rankings
from truerank.measures.c import C
from truerank.measures.core.base import Measure
from truerank.questions.nil.answer import Cases, LengthBin, ListEnding, NilAnswer
from truerank.questions.nil.earned import ending_gains, endings, hedgers
from truerank.questions.nil.parts import ListsPart, NilPart
from truerank.questions.nil.words import NO_CUTOFF
from truerank.questions.truncate.lengths import Bin, bins, counts
from truerank.report.rows import ColumnarRows
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


def conclude(track: Track, parts: Sequence[NilPart]) -> NilAnswer:
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
