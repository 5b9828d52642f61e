"""The worked table: how each measure arrives at the score of one list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, distinct
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.rankings import Rankings, gain_of
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.core.parts import Parts
from truerank.questions.explain.lists import UNCHANGED, TopicList, Variation, list_of, scores
from truerank.questions.explain.question import Explanation, ScoreExplanation, Step
from truerank.track.empty_topics import Undefined
from truerank.track.facts import ASSUMED, READ_RUN, of_judgments
from truerank.track.lens import Lens
from truerank.track.topic import index_of
from truerank.track.track import Track
from truerank.track.values import values


def one(run: Any) -> list[Named]:
    """The run, if it is one."""
    found = named_runs(run)
    if len(found) != 1:
        raise InputError(f"{len(found)} runs are given, and one list is explained at a time; give one")
    return found


def explanation(track: Track, topic: str | None) -> Explanation:
    """How the score of a topic comes about by each measure."""
    index = index_of(track.judgments, topic)
    lens = track.lens(0)
    _refuse(track, lens, index)
    return Explanation(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        run=track.runs[0].name,
        topic=track.topics[index],
        explained=tuple(_explained(measure, lens, index) for measure in track.measures),
        notices=tuple(_notices(track, lens)),
    )


def _refuse(track: Track, lens: Lens, index: int) -> None:
    """Refuse a run of other topics, or one without the topic where that is no empty list."""
    absent = lens.judged.run_topic < 0
    if absent.all():
        track.refuse(lens.name, lens.run.topics, absent)
    if absent[index] and not lens.conventions.fills_missing:
        name = lens.judgments.topics[index].decode("utf-8", "replace")
        raise InputError(f"run {lens.name!r} has no documents for topic {name!r}; missing='empty' is an empty list")


def _undefined(measure: Measure, lens: Lens) -> str:
    """Why a measure has no value for the one topic of a lens."""
    skipped = lens.conventions.skips_undefined and not lens.has_relevant[0]
    return (
        "here: no_relevant='skip' leaves out a topic without relevant documents"
        if skipped
        else Undefined.of(measure, lens.conventions).lack
    )


def _explained(measure: Measure, lens: Lens, index: int) -> ScoreExplanation:
    choice = lens.conventions
    # Where the end of a list is an answer, the list ends before its NIL.
    lens = (lens.until_nil() if choice.ends_for(measure) else lens).only(np.array([index]))
    found, listed = values(lens, measure), list_of(measure, lens)
    r = listed.r
    parts = listed.measure.parts(r) or revealed(listed.measure, r)
    return ScoreExplanation(
        measure=str(measure),
        by=measure,
        score=float(found.full(choice, len(lens.judgments.topics))[index]),
        undefined=_undefined(measure, lens) if found.undefined[0] else "",
        std_error=float(found.error[0]),
        how=parts.how,
        named=parts.named,
        divisor=parts.divisor,
        terms=parts.terms,
        steps=tuple(_steps(str(measure), listed, parts)),
        length=int(r.length[0]),
        depth=listed.depth,
        relevant=int(r.relevant(listed.measure.gain(r))[0, 0]) - bool(r.terminal),
        max_grade=r.max_grade,
        one=listed,
    )


def _notices(track: Track, lens: Lens) -> Iterator[Note]:
    yield from of_judgments(track.judgments)
    yield from (READ_RUN(read=one) for one in lens.run.notes)
    for measure in track.measures:
        if measure.assumes:
            yield ASSUMED(measure=str(measure), assumes=measure.assumes)
    yield from track.pools.notes(track.conventions)


def revealed(measure: Measure, r: Rankings) -> Parts:
    """Of a measure that is no sum, what the score gains when judgments become known from the top down.

    Tied documents share by their gains.
    """
    gain = gain_of(r.grade, measure.gain(r))[0]
    # For most measures a judged document without gain is no other thing than one that is not judged.
    counts = ~np.isnan(r.grade[0]) if measure.may_skip_unjudged else gain > 0
    edges = distinct(r.start[0][counts])
    hidden = [np.flatnonzero(r.start[0] > edge) for edge in (0, *edges[:-1].tolist())]
    values = scores(measure, r, [*(Variation(slots, np.array(np.nan)) for slots in hidden), UNCHANGED])
    if np.isnan(values[-1]):
        return Parts(how="revealed", contribution=np.zeros(len(gain)), gain=gain, start=np.nan)
    # A function of one's own may have no value for less than it gets in the end.
    values = np.nan_to_num(values)
    place = np.searchsorted(edges, r.start[0])
    step = np.append(np.diff(values), 0.0)[place]
    share = np.where(counts, np.where(r.group_sum(gain[None, :])[0] > 0, gain, 1.0), 0.0)
    total = r.group_sum(share[None, :])[0]
    contribution = np.where(counts, step * np.divide(share, total, out=np.zeros(len(share)), where=total > 0), 0.0)
    return Parts(how="revealed", contribution=contribution, gain=gain, start=float(values[0]))


def _steps(measure: str, one: TopicList, parts: Parts) -> Iterator[Step]:
    total = 0.0
    for line in _lines(one, parts):
        total += line["contribution"]
        yield Step(measure=measure, **line, score=total)


def _lines(one: TopicList, parts: Parts) -> Iterator[dict[str, Any]]:
    """The lines of the table; of tied documents those with gain first."""
    if parts.start and not np.isnan(parts.start):
        yield {"kind": "start", "contribution": parts.start}
    docs, run_scores, grades, r = one.docs, one.scores, one.grade.tolist(), one.r
    unjudged = {*np.flatnonzero(np.isnan(one.grade)).tolist()}
    told = {name: getattr(parts, name) for name in ("gain", "weight", "seen", "reached", "factor", "cost")}
    columns = {name: _known(values) for name, values in told.items() if values is not None}
    contribution = parts.contribution.tolist()
    worth = gain_of(r.grade[0], one.measure.gain(r))
    slots = range(r.start.shape[1])
    for slot in sorted(slots, key=lambda slot: (r.start[0, slot], -parts.gain[slot], slot in unjudged)):
        line: dict[str, Any] = {name: column[slot] for name, column in columns.items()}
        line |= {"first": int(r.start[0, slot]), "last": int(r.stop[0, slot]), "contribution": contribution[slot]}
        if slot >= one.listed:
            yield {"kind": "terminal", **line}
            continue
        line["judged"] = r.pairs is not None or bool(r.is_judged[0, slot])
        line["grade"] = None if slot in unjudged else grades[slot]
        line["relevant"] = bool(worth[slot] > 0)
        yield {"kind": "document", "doc": docs[slot], "run_score": run_scores.get(docs[slot]), **line}
    if parts.rest:
        yield {"kind": "missing", "contribution": parts.rest}


def _known(values: Floats) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]
