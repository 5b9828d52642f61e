"""Runs scored by each judge, on the topics that all of them judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.conventions.axes import Given
from truerank.conventions.presets import AxisRules
from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judge import every_document
from truerank.data.notes import Note
from truerank.data.parts import Part, per_topic
from truerank.io.runs import Named
from truerank.measures.core.base import Measure
from truerank.questions.judges.asked import JudgesAsked
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import values


@dataclass(frozen=True, eq=False, kw_only=True)
class BestRanks(Part):
    """Where a run lists judged documents; a topic for each of them."""

    document: Rows = per_topic()
    rank: Rows = per_topic()


@dataclass(frozen=True, eq=False, kw_only=True)
class JudgedPart(RunPart):
    """A run by one judge, and where it lists what that judge judged."""

    listed: BestRanks


@dataclass(frozen=True, eq=False)
class JudgedRuns:
    """Scores of runs by each judge."""

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    topics: dict[str, tuple[str, ...]]
    """By measure, those that all judges judged and that have a value."""
    scores: dict[str, dict[str, Floats]]
    """By measure and judge, runs x topics."""
    means: dict[str, dict[str, Floats]]
    """By measure and judge, over all topics that the judge judged."""
    ranks: Rows
    """The best rank of each pair of all judges in any run; 0 if none lists it."""
    notes: tuple[Note, ...]


def score_runs(
    asked: JudgesAsked,
    runs: Any,
    measures: Any,
    given: Given,
    rules: AxisRules,
    *,
    engine: Any,
    progress: Progress | None,
) -> JudgedRuns | None:
    """Score runs by each judge; None without runs."""
    if runs is None or (isinstance(runs, (list, tuple)) and not len(runs)):
        return None
    judges = asked.judges
    first = Track.of(judges.each[0], runs, measures, given, rules, engine=engine)
    if first.engine.executor.shares_memory and not first.pieces.are_cut:
        # Every judge scores the same runs: they are read once.
        loaded = tuple(Named(run.name, first.pieces.whole(at).read()) for at, run in enumerate(first.runs))
        first = replace(first, runs=loaded)
    tracks = [first, *(replace(first, judgments=one, kept={}, counting=None) for one in judges.each[1:])]
    common = sorted(set.intersection(*(set(track.judgments.topics) for track in tracks)))
    if not common:
        raise InputError(
            "the judges have no topic in common, so that their scores are of different topics; give others"
        )
    scores: dict[str, dict[str, Floats]] = {str(measure): {} for measure in first.measures}
    means: dict[str, dict[str, Floats]] = {str(measure): {} for measure in first.measures}
    best = np.zeros(len(judges.pairs), np.intp)
    notes: tuple[Note, ...] = ()
    names: tuple[str, ...] = ()
    for place, (name, track) in enumerate(zip(judges.names, tracks, strict=True)):
        parts: Sequence[JudgedPart] = track.each(score_run, progress=progress)
        names = tuple(part.run for part in parts)
        at = {topic: row for row, topic in enumerate(track.judgments.topics)}
        columns = [at[topic] for topic in common]
        for called in scores:
            full = np.array([part.values[called].full(track.conventions, len(at)) for part in parts])
            scores[called][name] = full[:, columns]
            means[called][name] = np.array([part.values[called].summary(track.conventions) for part in parts])
        _better(best, judges.place[place], parts)
        if name == asked.reference:
            notes = track.notes(parts)
    # A topic that has no value by one judge is in no comparison.
    kept = {called: ~np.isnan(np.concatenate([*by_judge.values()])).any(axis=0) for called, by_judge in scores.items()}
    return JudgedRuns(
        first.measures,
        names,
        {called: tuple(text(common[at]) for at in np.flatnonzero(some)) for called, some in kept.items()},
        {called: {name: one[:, kept[called]] for name, one in by_judge.items()} for called, by_judge in scores.items()},
        means,
        best,
        notes,
    )


def score_run(lens: Lens, measures: Sequence[Measure]) -> JudgedPart:
    """What is kept of a run."""
    every = every_document(lens.judged)
    some = np.flatnonzero(every.judgment >= 0)
    topic = np.repeat(np.arange(len(every.offsets) - 1), np.diff(every.offsets))[some]
    listed = BestRanks(topics=topic, document=every.judgment[some], rank=every.above[some] + 1)
    found = {str(measure): values(lens, measure) for measure in measures}
    return observe(lens, found, kind=JudgedPart, listed=listed)


def _better(best: Rows, place: Rows, parts: Sequence[JudgedPart]) -> None:
    """Note the best rank of each pair."""
    pair = np.full(int(place.max(initial=-1)) + 1, -1)
    pair[place[place >= 0]] = np.flatnonzero(place >= 0)
    for part in parts:
        document, rank = pair[part.listed.document], part.listed.rank
        rank = np.where(best[document] > 0, np.minimum(best[document], rank), rank)
        best[document] = rank
