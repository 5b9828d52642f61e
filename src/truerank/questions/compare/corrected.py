"""Runs by a machine that judged all documents, corrected by people who judged some: what is compared then."""

from __future__ import annotations

from dataclasses import dataclass, replace

from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.questions.audit.question import CORRECTED
from truerank.questions.audit.sample import AuditAim
from truerank.questions.audit.work import AuditPart, corrected, refuse_measures, score_run, thin
from truerank.questions.compare.plan import ComparePlan
from truerank.questions.compare.work import ComparePart
from truerank.track.track import Progress, Track

_OF_MEANS = ("student", "tukey", "dunnett")
"""Tests that ask of scores of topics no more than that their means are right."""


@dataclass(frozen=True, eq=False, kw_only=True)
class EstimatedPart(ComparePart, AuditPart):
    """A run by the machine, which other readings are not tried of, and what single documents count in it."""


def refuse(plan: ComparePlan) -> None:
    """Refuse what takes the score of each topic for what people would give it."""
    test = plan.settings.test
    if test not in _OF_MEANS:
        raise InputError(
            f"test={test!r} looks at scores of single topics, of which a sample of people's judgments tells only the "
            f"mean; take one of {', '.join(_OF_MEANS)}"
        )
    if plan.settled:
        raise InputError("other readings are tried of judgments by one judge; leave settled out, or people")


def parts_of(
    track: Track, aim: AuditAim, progress: Progress | None
) -> tuple[tuple[ComparePart, ...], tuple[Note, ...]]:
    """What is kept of each run, with scores of topics as people would give them on average; and what to say of it."""
    for measure in track.measures:
        if track.conventions.ends_for(measure):
            raise InputError("the end of a list is no document that people could judge; leave ending or people out")
    if track.conventions.averages_judgments:
        raise InputError(
            "judges='expected' has no grade that people could correct; choose another, or leave people out"
        )
    asked = aim.against(track)
    if asked.by_topics:
        raise InputError(
            "people judged whole topics: compare runs by their judgments, or ask audit, which also takes the machine's "
            "of other topics; compare takes a sample of documents"
        )
    refuse_measures(track, asked)
    parts = track.each(score_run, progress=progress, kind=EstimatedPart, elsewhere={})
    estimated = zip(parts, corrected(track, parts, asked), strict=True)
    notes = (*asked.notes, *thin(track, parts, asked), CORRECTED(judged=len(asked.grade)))
    return tuple(replace(part, values=values) for part, values in estimated), notes
