"""What follows from what judges said: of the judges themselves, and of the order of runs."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from truerank.boards.work import Boards
from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.extras import needed
from truerank.data.ids import text
from truerank.measures.core.base import Measure
from truerank.questions.judges.answer import (
    BiasRow,
    GradeCount,
    JudgePair,
    JudgesCompared,
    RankJudged,
    RunByJudge,
    TopicJudged,
)
from truerank.questions.judges.asked import JudgesAsked
from truerank.questions.judges.scoring import JudgedRuns
from truerank.statistics.anova import same_means
from truerank.statistics.corrections import holm
from truerank.statistics.intervals import mean_intervals
from truerank.statistics.level import above
from truerank.statistics.raters import UNKNOWN, alpha, interval, kappa, ordered_alike, ordinal
from truerank.statistics.student import t_statistic

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
        notices=() if judged is None else judged.notes,
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
            p = 2.0 * needed("scipy.special", "a t-test").stdtr(favour.shape[1] - 1, -np.abs(t))
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
