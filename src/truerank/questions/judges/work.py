"""What follows from what judges said: of the judges themselves, and of the order of runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.extras import needed
from truerank.data.ids import text
from truerank.measures.core.base import Measure
from truerank.questions.judges.answer import (
    BiasRow,
    DependentPair,
    GradeMeeting,
    JudgedRunRow,
    JudgePair,
    JudgesCompared,
    LengthJudged,
    OrderPair,
    RankJudged,
    TopicJudged,
)
from truerank.questions.judges.asked import JudgesAsked
from truerank.questions.judges.boards import Boards
from truerank.statistics.anova import same_means
from truerank.statistics.corrections import corrected, holm
from truerank.statistics.correlations import kendall_b, tau_ap
from truerank.statistics.intervals import mean_intervals
from truerank.statistics.level import level
from truerank.statistics.pairs import every_pair
from truerank.statistics.raters import UNKNOWN, alpha, interval, kappa, ordered_alike, ordinal
from truerank.statistics.rbo import rbo
from truerank.statistics.student import student, t_statistic

_BANDS = ((1, 1), (2, 3), (4, 10), (11, 30), (31, 100), (101, 1_000_000_000))
"""Ranks, and lengths of lists, that are looked at together."""


def conclude(asked: JudgesAsked, boards: Boards | None, choice: Conventions) -> JudgesCompared:
    """How far judges agree, and what of the order of runs depends on them."""
    judges = asked.judges
    relevant = np.where(judges.judged, judges.grades > 0, np.nan)
    every = alpha(relevant, judges.topic, confidence=asked.confidence)
    studies = [] if boards is None else [MeasureBoards(asked, boards, measure) for measure in boards.measures]
    return JudgesCompared(
        conventions=choice,
        wanted=() if boards is None else boards.measures,
        topics=tuple(map(text, judges.pairs.topics)),
        names=judges.names,
        reference=asked.reference,
        documents=len(judges.pairs),
        shared=int(judges.common.sum()),
        relevant={name: float(np.nanmean(row)) for name, row in zip(judges.names, relevant, strict=True)},
        alpha=_known(every.value),
        alpha_low=_known(every.low),
        alpha_high=_known(every.high),
        agreement=tuple(_pairs(asked)),
        meetings=tuple(_meetings(asked)),
        by_topic=tuple(_topics(asked, studies)),
        by_rank=() if boards is None else tuple(_ranks(asked, boards.ranks)),
        by_length=tuple(row for study in studies for row in study.by_length()),
        board=tuple(row for study in studies for row in study.board()),
        orders=tuple(row for study in studies for row in study.orders()),
        dependent=tuple(row for study in studies for row in study.dependent()),
        bias=tuple(row for study in studies for row in study.bias()),
        tests={str(study.measure): study.tests() for study in studies},
        confidence=asked.confidence,
        level=asked.alpha,
        notices=() if boards is None else boards.notes,
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
            kinder=float(np.mean(b > 0) - np.mean(a > 0)),
        )


def _meetings(asked: JudgesAsked) -> Iterator[GradeMeeting]:
    for name in asked.others:
        _, a, b = _both(asked, asked.place, asked.judges.names.index(name))
        cells, count = np.unique(np.stack([a, b], axis=1), axis=0, return_counts=True)
        for (grade, other), size in zip(cells.tolist(), count.tolist(), strict=True):
            yield GradeMeeting(
                judge=asked.reference,
                other=name,
                grade=grade,
                other_grade=other,
                documents=size,
                share=size / int((a == grade).sum()),
            )


def _topics(asked: JudgesAsked, studies: list[MeasureBoards]) -> Iterator[TopicJudged]:
    judges = asked.judges
    for name in asked.others:
        both, a, b = _both(asked, asked.place, judges.names.index(name))
        topic = judges.topic[both]
        moved = {str(study.measure): study.moved(name) for study in studies}
        rows = []
        for at in np.unique(topic).tolist():
            some, word = topic == at, text(judges.pairs.topics[at])
            rows.append(
                TopicJudged(
                    topic=word,
                    judge=name,
                    documents=int(some.sum()),
                    same=float(np.mean(a[some] == b[some])),
                    relevant=int((b[some] > 0).sum()),
                    reference_relevant=int((a[some] > 0).sum()),
                    moved={measure: by[word] for measure, by in moved.items() if word in by},
                )
            )
        first = next(iter(moved), None)
        # Without runs, those that are judged most differently.
        yield from sorted(
            rows, key=lambda row: (-row.moved.get(first, 0.0), row.same) if first is not None else (0.0, row.same)
        )


def _ranks(asked: JudgesAsked, best: Rows) -> Iterator[RankJudged]:
    for name in asked.others:
        both, a, b = _both(asked, asked.place, asked.judges.names.index(name))
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


class MeasureBoards:
    """The leaderboards of all judges by one measure."""

    def __init__(self, asked: JudgesAsked, boards: Boards, measure: Measure) -> None:
        self.asked, self.measure, self.runs = asked, measure, boards.runs
        self.topics, self._lengths = boards.topics[str(measure)], boards.lengths[str(measure)]
        self._scores, self._means = boards.scores[str(measure)], boards.means[str(measure)]
        self._merit = {name: measure.sign * level(means) for name, means in self._means.items()}
        self._p = (
            {name: corrected(student(scores)).p for name, scores in self._scores.items()} if self._testable else {}
        )

    @property
    def _testable(self) -> bool:
        return len(self.runs) > 1 and next(iter(self._scores.values())).shape[1] > 1

    @property
    def _places(self) -> dict[str, Rows]:
        return {name: np.array([1 + int((merit > one).sum()) for one in merit]) for name, merit in self._merit.items()}

    @property
    def _order(self) -> list[int]:
        order: list[int] = np.argsort(
            -np.nan_to_num(self._merit[self.asked.reference], nan=-np.inf), kind="stable"
        ).tolist()
        return order

    def board(self) -> Iterator[JudgedRunRow]:
        """Scores and places, the best by the reference first."""
        places = self._places
        for at in self._order:
            own = {name: int(place[at]) for name, place in places.items()}
            yield JudgedRunRow(
                measure=str(self.measure),
                run=self.runs[at],
                scores={name: float(means[at]) for name, means in self._means.items()},
                places=own,
                highest=min(own.values()),
                lowest=max(own.values()),
            )

    def _signs(self, name: str, one: Rows, other: Rows) -> Rows:
        return np.sign(self._merit[name][one] - self._merit[name][other]).astype(np.intp)

    def _significant(self, name: str, one: Rows, other: Rows) -> Mask:
        if not self._p:
            return np.zeros(len(one), np.bool_)
        found: Mask = self._p[name][one, other] < self.asked.alpha
        return found

    def orders(self) -> Iterator[OrderPair]:
        """How far leaderboards agree."""
        one, other = every_pair(len(self.runs))
        for first, second in combinations(self.asked.judges.names, 2):
            a, b = self._merit[first], self._merit[second]
            signs, theirs = (self._signs(name, one, other) for name in (first, second))
            sure, also = (self._significant(name, one, other) for name in (first, second))
            turned = signs * theirs < 0
            yield OrderPair(
                measure=str(self.measure),
                judge=first,
                other=second,
                tau=_known(float(kendall_b(a, b))) if len(a) > 1 else None,
                tau_ap=_known(float(tau_ap(a, b))) if len(a) > 1 else None,
                rbo=rbo(
                    dict(zip(self.runs, a.tolist(), strict=True)), dict(zip(self.runs, b.tolist(), strict=True))
                ).a.ext,
                pairs=len(one),
                reversed=int(turned.sum()),
                lost=int((sure & ~also).sum()),
                gained=int((also & ~sure).sum()),
                contradicted=int((sure & also & turned).sum()),
            )

    def dependent(self) -> Iterator[DependentPair]:
        """Pairs whose order, or its significance, is not the same by all judges."""
        one, other = every_pair(len(self.runs))
        names = self.asked.judges.names
        signs = np.array([self._signs(name, one, other) for name in names])
        sure = np.array([self._significant(name, one, other) for name in names])
        turned = np.logical_and((signs > 0).any(axis=0), (signs < 0).any(axis=0))
        both = ((signs > 0) & sure).any(axis=0) & ((signs < 0) & sure).any(axis=0)
        hinges = sure.any(axis=0) & ~sure.all(axis=0)
        place = self._places[self.asked.reference]
        kept = np.flatnonzero(turned | hinges)
        order = np.lexsort(
            (np.maximum(place[one], place[other])[kept], np.minimum(place[one], place[other])[kept], ~turned[kept])
        )
        for at in kept[order].tolist():
            a, b = (one[at], other[at]) if signs[self.asked.place, at] >= 0 else (other[at], one[at])
            yield DependentPair(
                measure=str(self.measure),
                run=self.runs[a],
                compared_with=self.runs[b],
                differences={
                    name: float(self.measure.sign * (self._means[name][a] - self._means[name][b])) for name in names
                },
                p={name: float(p[a, b]) for name, p in self._p.items()},
                depends="contradicted" if both[at] else "order" if turned[at] else "significance",
            )

    def _shift(self, name: str) -> Floats:
        """Scores by a judge, less those by the reference (runs x topics), higher where it is kinder to a run."""
        found: Floats = self.measure.sign * (self._scores[name] - self._scores[self.asked.reference])
        return found

    def tests(self) -> dict[str, float]:
        """By judge, the p of an analysis of variance that it shifts all runs alike."""
        if not self._testable:
            return {}
        return {name: same_means(self._shift(name)) for name in self.asked.others}

    def bias(self) -> Iterator[BiasRow]:
        """Which runs each judge favours, those first that it favours most."""
        for name in self.asked.others if self._testable else ():
            shift = self._shift(name)
            favour = shift - shift.mean(axis=0)
            found = mean_intervals(favour, confidence=self.asked.confidence)
            t = t_statistic(favour)
            p = 2.0 * needed("scipy.special", "a t-test").stdtr(favour.shape[1] - 1, -np.abs(t))
            adjusted = holm(p)
            for at in np.argsort(-found.estimate, kind="stable").tolist():
                yield BiasRow(
                    measure=str(self.measure),
                    judge=name,
                    run=self.runs[at],
                    shift=float(shift[at].mean()),
                    favour=float(found.estimate[at]),
                    low=_known(found.low[at]),
                    high=_known(found.high[at]),
                    p=_known(p[at]),
                    p_corrected=_known(adjusted[at]),
                )

    def by_length(self) -> Iterator[LengthJudged]:
        """Whether each judge favours short or long lists."""
        for name in self.asked.others if self._testable else ():
            shift = self._shift(name)
            favour = shift - shift.mean(axis=0)
            for least, most in (*_BANDS, (0, 0)):
                some = (self._lengths >= least) & (self._lengths <= most)
                if not some.any():
                    continue
                # A topic all of whose lists are such tells nothing.
                told = some.any(axis=0) & ~some.all(axis=0)
                by_topic = (favour * some).sum(axis=0)[told] / some.sum(axis=0)[told]
                found = mean_intervals(by_topic[None], confidence=self.asked.confidence) if told.any() else None
                yield LengthJudged(
                    measure=str(self.measure),
                    judge=name,
                    lengths=_band(least, most),
                    lists=int(some.sum()),
                    shift=float(shift[some].mean()),
                    favour=None if found is None else float(found.estimate[0]),
                    low=None if found is None else _known(found.low[0]),
                    high=None if found is None else _known(found.high[0]),
                )

    def moved(self, name: str) -> dict[str, float]:
        """By topic, how far differences between runs are other than by the reference."""
        shift = self._shift(name)
        apart = np.sqrt(np.mean((shift - shift.mean(axis=0)) ** 2, axis=0))
        return dict(zip(self.topics, apart.tolist(), strict=True))
