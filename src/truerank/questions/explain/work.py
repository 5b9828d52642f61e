"""The worked table: how each measure arrives at the score of one list."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.rankings import gain_of
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.core.parts import Parts
from truerank.questions.explain.answer import Explanation, ScoreExplanation, Step
from truerank.questions.explain.lists import TopicList, list_of
from truerank.questions.explain.revealed import revealed
from truerank.track.facts import ASSUMED, READ_JUDGMENTS, READ_RUN
from truerank.track.lens import Lens
from truerank.track.topic import index_of
from truerank.track.track import Track, refuse_run
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
    _refuse(lens, index)
    return Explanation(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        run=track.runs[0].name,
        topic=track.topics[index],
        explained=tuple(_explained(measure, lens, index) for measure in track.measures),
        notices=tuple(_notices(track, lens)),
    )


def _refuse(lens: Lens, index: int) -> None:
    """Refuse a run of other topics, or one without the topic where that is no empty list."""
    absent = lens.judged.run_topic < 0
    if absent.all():
        refuse_run(lens)
    if absent[index] and not lens.conventions.fills_missing:
        name = lens.judgments.topics[index].decode("utf-8", "replace")
        raise InputError(f"run {lens.name!r} has no documents for topic {name!r}; missing='empty' is an empty list")


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
        undefined=measure.undefined_because if found.undefined[0] else "",
        std_error=float(found.error[0]),
        how=parts.how,
        named=parts.named,
        divisor=parts.divisor,
        terms=parts.terms,
        steps=steps(str(measure), listed, parts),
        length=int(r.length[0]),
        depth=listed.depth,
        relevant=int(r.relevant(listed.measure.gain(r))[0, 0]) - bool(r.terminal),
        max_grade=r.max_grade,
        one=listed,
    )


def _notices(track: Track, lens: Lens) -> Iterator[Note]:
    yield from map(READ_JUDGMENTS, track.judgments.notes)
    yield from map(READ_RUN, lens.run.notes)
    for measure in track.measures:
        if measure.assumes:
            yield ASSUMED(f"{measure}: {measure.assumes}", measure=str(measure))


def steps(measure: str, one: TopicList, parts: Parts) -> tuple[Step, ...]:
    """The lines of the table; of tied documents those with gain first."""
    return tuple(_running(measure, _lines(one, parts)))


def _lines(one: TopicList, parts: Parts) -> Iterator[dict[str, Any]]:
    if parts.start and not np.isnan(parts.start):
        yield {"kind": "start", "contribution": parts.start}
    docs, run_scores, r = one.docs, one.scores, one.r
    columns = {name: _known(getattr(parts, name)) for name in ("gain", "weight", "seen", "reached", "factor", "cost")}
    contribution = parts.contribution.tolist()
    worth = gain_of(r.grade[0], one.measure.gain(r))
    slots = range(r.start.shape[1])
    for slot in sorted(slots, key=lambda slot: (r.start[0, slot], -parts.gain[slot], _unjudged(one, slot))):
        line: dict[str, Any] = {name: column[slot] for name, column in columns.items() if column is not None}
        line |= {"first": int(r.start[0, slot]), "last": int(r.stop[0, slot]), "contribution": contribution[slot]}
        if slot >= one.listed:
            yield {"kind": "terminal", **line}
            continue
        grade = float(one.grade[slot])
        known = r.pairs is not None or bool(r.is_judged[0, slot])
        line |= {"judged": known, "grade": None if np.isnan(grade) else grade}
        line["relevant"] = bool(worth[slot] > 0)
        yield {"kind": "document", "doc": docs[slot], "run_score": run_scores.get(docs[slot]), **line}
    if parts.rest:
        yield {"kind": "missing", "contribution": parts.rest}


def _unjudged(one: TopicList, slot: int) -> bool:
    return slot < one.listed and bool(np.isnan(one.grade[slot]))


def _running(measure: str, lines: Iterator[dict[str, Any]]) -> Iterator[Step]:
    total = 0.0
    for line in lines:
        total += line["contribution"]
        yield Step(measure=measure, **line, score=total)


def _known(values: Floats | None) -> list[float | None] | None:
    return None if values is None else [None if value != value else value for value in values.tolist()]
