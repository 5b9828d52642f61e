"""What follows from what judges said: of the judges themselves, and of the order of runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import Any, cast

import numpy as np

from truerank.boards.work import Boards
from truerank.conventions.axes import Conventions, Given
from truerank.conventions.presets import AxisRules
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.judge import every_document
from truerank.data.judges import Judges
from truerank.data.notes import Later, Note, read_notes
from truerank.data.parts import Part, part_field
from truerank.data.printing import enumerated
from truerank.io.runs import Named
from truerank.measures.core.base import Measure
from truerank.questions.judges.question import (
    BiasRow,
    GradeCount,
    JudgePair,
    JudgesCompared,
    RankJudged,
    RunByJudge,
    TopicJudged,
)
from truerank.statistics.anova import same_means
from truerank.statistics.corrections import holm
from truerank.statistics.intervals import mean_intervals
from truerank.statistics.jackknife import refuse_confidence
from truerank.statistics.level import above
from truerank.statistics.raters import UNKNOWN, alpha, interval, kappa, ordered_alike, ordinal
from truerank.statistics.special import t_tail
from truerank.statistics.student import t_statistic
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import values


@dataclass(frozen=True, eq=False)
class JudgesAsked:
    """Judges, the one that others are held against, and how sure one wants to be."""

    judges: Judges
    reference: str
    alpha: float
    confidence: float

    @classmethod
    def of(cls, judges: Judges, reference: str | None, *, alpha: float, confidence: float) -> JudgesAsked:
        """Refuse what cannot be asked."""
        if len(judges) < 2:
            raise InputError(f"there is one judge, {judges.names[0]!r}, and nobody to compare with; give two or more")
        if reference is not None and reference not in judges.names:
            raise InputError(f"reference={reference!r} is no judge; there are {', '.join(judges.names)}")
        if not 0 < alpha < 1:
            raise InputError(f"alpha={alpha!r}; give a number between 0 and 1, such as 0.05")
        refuse_confidence(confidence)
        return cls(judges, reference or judges.names[0], alpha, confidence)

    @property
    def reference_row(self) -> int:
        return self.judges.names.index(self.reference)

    @property
    def others(self) -> tuple[str, ...]:
        return tuple(name for name in self.judges.names if name != self.reference)


@dataclass(frozen=True, eq=False, kw_only=True)
class BestRanks(Part):
    """Where a run lists judged documents; a topic for each of them."""

    document: Rows = part_field(merge="per topic")
    rank: Rows = part_field(merge="per topic")


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
    notes: Later


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
    notes: dict[str, tuple[Note | Later, ...]] = {}
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
        notes[name] = track.unread_notes(parts)
    # A topic that has no value by one judge is in no comparison.
    kept = {called: ~np.isnan(np.concatenate([*by_judge.values()])).any(axis=0) for called, by_judge in scores.items()}
    return JudgedRuns(
        first.measures,
        names,
        {called: tuple(text(common[at]) for at in np.flatnonzero(some)) for called, some in kept.items()},
        {called: {name: one[:, kept[called]] for name, one in by_judge.items()} for called, by_judge in scores.items()},
        means,
        best,
        Later(partial(merged_notes, {name: notes[name] for name in (asked.reference, *asked.others)})),
    )


def merged_notes(by_judge: Mapping[str, Iterable[Note | Later]]) -> list[Note]:
    """What is said of runs by all judges; what only some of them make true names them."""
    said: dict[tuple[str, str], tuple[Note, list[str]]] = {}
    for judge, notes in by_judge.items():
        for note in read_notes(notes):
            said.setdefault((note.code, str(note)), (note, []))[1].append(judge)
    return [
        note if len(names) == len(by_judge) else note.about(f"by {enumerated(names, 3)}", judges=names)
        for note, names in said.values()
    ]


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


_BANDS = ((1, 1), (2, 3), (4, 10), (11, 30), (31, 100), (101, 1_000_000_000))
"""Ranks that are looked at together."""


def summarise(asked: JudgesAsked, judged: JudgedRuns | None, choice: Conventions) -> JudgesCompared:
    """How far judges agree, and what of the order of runs depends on them."""
    judges = asked.judges
    relevant = np.where(judges.judged, judges.grades > 0, np.nan)
    every = alpha(relevant, judges.topic, confidence=asked.confidence)
    by_measure = [] if judged is None else [JudgeBoards(asked, judged, measure) for measure in judged.measures]
    return JudgesCompared(
        conventions=choice,
        wanted=() if judged is None else judged.measures,
        topics=tuple(map(text, judges.pairs.topics)),
        variants=judges.names,
        reference=asked.reference,
        documents=len(judges.pairs),
        shared=int(judges.common.sum()),
        relevant={name: float(np.nanmean(row)) for name, row in zip(judges.names, relevant, strict=True)},
        alpha=_known(every.value),
        alpha_low=_known(every.low),
        alpha_high=_known(every.high),
        agreement=tuple(_pairs(asked)),
        grades=tuple(_grades(asked)),
        by_topic=tuple(_topics(asked, by_measure)),
        by_rank=() if judged is None else tuple(_ranks(asked, judged.ranks)),
        board=tuple(row for boards in by_measure for row in boards.runs()),
        orders=tuple(row for boards in by_measure for row in boards.boards.orders(every_two=True)),
        dependent=tuple(row for boards in by_measure for row in boards.boards.dependent()),
        bias=tuple(row for boards in by_measure for row in boards.bias()),
        tests={str(boards.measure): boards.tests() for boards in by_measure},
        confidence=asked.confidence,
        level=asked.alpha,
        notices=() if judged is None else cast("tuple[Note, ...]", (judged.notes,)),
    )


def _known(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _both(asked: JudgesAsked, one: int, other: int) -> tuple[Rows, Floats, Floats]:
    """The pairs that two judges judged, and what they say."""
    judges = asked.judges
    both = np.flatnonzero(judges.judged[one] & judges.judged[other])
    return both, judges.grades[one][both], judges.grades[other][both]


def _pairs(asked: JudgesAsked) -> Iterator[JudgePair]:
    judges = asked.judges
    for one, other in combinations(range(len(judges)), 2):
        both, a, b = _both(asked, one, other)
        if not len(both):
            continue
        topic = judges.topic[both]
        agreed = kappa(a > 0, b > 0, topic, confidence=asked.confidence)
        # Grades that only one of two judges gives are of another scale.
        same_scale = set(np.unique(judges.each[one].grade)) == set(np.unique(judges.each[other].grade))
        weighted, ordered = UNKNOWN, UNKNOWN
        if same_scale:
            weighted = kappa(a, b, topic, distance=interval, confidence=asked.confidence)
            ordered = alpha(np.stack([a, b]), topic, distance=ordinal, confidence=asked.confidence)
        yield JudgePair(
            judge=judges.names[one],
            other=judges.names[other],
            documents=len(both),
            topics=len(np.unique(topic)),
            same=float(np.mean(a == b)),
            kappa=_known(agreed.value),
            low=_known(agreed.low),
            high=_known(agreed.high),
            weighted=_known(weighted.value),
            weighted_low=_known(weighted.low),
            weighted_high=_known(weighted.high),
            alpha=_known(ordered.value),
            alpha_low=_known(ordered.low),
            alpha_high=_known(ordered.high),
            order=_known(ordered_alike(a, b, topic)),
            more_lenient=float(np.mean(b > 0) - np.mean(a > 0)),
        )


def _grades(asked: JudgesAsked) -> Iterator[GradeCount]:
    """How many documents have which grades by the reference and by each other judge; those of one alone last."""
    judges = asked.judges
    for name in asked.others:
        at = judges.names.index(name)
        some = judges.judged[asked.reference_row] | judges.judged[at]
        a, b = judges.grades[asked.reference_row][some], judges.grades[at][some]
        cells = Counter(zip(map(_known, a.tolist()), map(_known, b.tolist()), strict=True))
        both = Counter(grade for grade, other in cells.elements() if other is not None)
        for grade, other in sorted(cells, key=lambda pair: [(value is None, value or 0.0) for value in pair]):
            size = cells[grade, other]
            yield GradeCount(
                judge=asked.reference,
                other=name,
                grade=grade,
                other_grade=other,
                documents=size,
                share=None if grade is None or other is None else size / both[grade],
            )


def _topics(asked: JudgesAsked, by_measure: list[JudgeBoards]) -> Iterator[TopicJudged]:
    judges = asked.judges
    here = judges.judged[asked.reference_row]
    for name in asked.others:
        at = judges.names.index(name)
        there = judges.judged[at]
        a, b = judges.grades[asked.reference_row], judges.grades[at]
        moved = {str(boards.measure): boards.moved(name) for boards in by_measure}
        rows = []
        for topic in np.unique(judges.topic[here | there]).tolist():
            own, word = judges.topic == topic, text(judges.pairs.topics[topic])
            both = own & here & there
            rows.append(
                TopicJudged(
                    topic=word,
                    judge=name,
                    documents=int(both.sum()),
                    same=float(np.mean(a[both] == b[both])) if both.any() else None,
                    added=int((own & there & ~here).sum()),
                    removed=int((own & here & ~there).sum()),
                    raised=int((b[both] > a[both]).sum()),
                    lowered=int((b[both] < a[both]).sum()),
                    turned=int(((a[both] > 0) != (b[both] > 0)).sum()),
                    relevant=int((b[own & there] > 0).sum()),
                    reference_relevant=int((a[own & here] > 0).sum()),
                    moved={measure: by[word] for measure, by in moved.items() if word in by},
                )
            )
        first = next(iter(moved), "")
        # Without runs, those that are judged most differently.
        yield from sorted(rows, key=lambda row: (-row.moved.get(first, 0.0), 1.0 if row.same is None else row.same))


def _ranks(asked: JudgesAsked, best: Rows) -> Iterator[RankJudged]:
    for name in asked.others:
        both, a, b = _both(asked, asked.reference_row, asked.judges.names.index(name))
        for least, most in (*_BANDS, (0, 0)):
            some = (best[both] >= least) & (best[both] <= most)
            if some.any():
                yield RankJudged(
                    judge=name,
                    ranks=_band(least, most),
                    documents=int(some.sum()),
                    relevant=float(np.mean(b[some] > 0)),
                    reference=float(np.mean(a[some] > 0)),
                )


def _band(least: int, most: int) -> str:
    if not most:
        return "-"
    if least == most:
        return str(least)
    return f"{least}+" if (least, most) == _BANDS[-1] else f"{least}-{most}"


class JudgeBoards:
    """The runs by one measure, by each judge."""

    def __init__(self, asked: JudgesAsked, judged: JudgedRuns, measure: Measure) -> None:
        called = str(measure)
        self.asked, self.measure, self.topics, self.scores = (
            asked,
            measure,
            judged.topics[called],
            judged.scores[called],
        )
        self.boards = Boards(
            measure, judged.runs, judged.means[called], asked.reference, scores=self.scores, alpha=asked.alpha
        )

    def runs(self) -> Iterator[RunByJudge]:
        """Scores and ranks of runs, and on how many common topics a judge gives them another score."""
        others, reference = self.asked.others, self.scores[self.asked.reference]
        better = {name: self._above(self.scores[name], reference) for name in others}
        worse = {name: self._above(reference, self.scores[name]) for name in others}
        runs = range(len(self.boards.runs))
        return self.boards.board(
            RunByJudge,
            changed_topics=[{name: int((better[name][at] | worse[name][at]).sum()) for name in others} for at in runs],
            better_topics=[{name: int(better[name][at].sum()) for name in others} for at in runs],
        )

    def _above(self, scores: Floats, others: Floats) -> Mask:
        """Scores (runs x topics) that are better by more than rounding."""
        better: Mask = above(self.measure.sign * scores, self.measure.sign * others)
        return better

    def _shift(self, name: str) -> Floats:
        """Scores by a judge minus those by the reference (runs x topics), higher if it is more lenient to a run."""
        shift: Floats = self.measure.sign * (self.scores[name] - self.scores[self.asked.reference])
        return shift

    def tests(self) -> dict[str, float]:
        """By judge, the p of an analysis of variance that it shifts all runs alike."""
        if not self.boards.is_tested:
            return {}
        return {name: same_means(self._shift(name)) for name in self.asked.others}

    def bias(self) -> Iterator[BiasRow]:
        """Which runs each judge favours, those first that it favours most."""
        for name in self.asked.others if self.boards.is_tested else ():
            shift = self._shift(name)
            favour = shift - shift.mean(axis=0)
            intervals = mean_intervals(favour, confidence=self.asked.confidence)
            t = t_statistic(favour)
            p = 2.0 * t_tail(favour.shape[1] - 1, np.abs(t))
            adjusted = holm(p)
            for at in np.argsort(-intervals.estimate, kind="stable").tolist():
                yield BiasRow(
                    measure=str(self.measure),
                    judge=name,
                    run=self.boards.runs[at],
                    shift=float(shift[at].mean()),
                    favour=float(intervals.estimate[at]),
                    low=_known(intervals.low[at]),
                    high=_known(intervals.high[at]),
                    p=_known(p[at]),
                    p_corrected=_known(adjusted[at]),
                )

    def moved(self, name: str) -> dict[str, float]:
        """By topic, how far differences between runs are other than by the reference."""
        shift = self._shift(name)
        apart = np.sqrt(np.mean((shift - shift.mean(axis=0)) ** 2, axis=0))
        return dict(zip(self.topics, apart.tolist(), strict=True))
