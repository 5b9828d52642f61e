"""Runs evaluated and compared by both sets of judgments, and the judgments held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from truerank.conventions.axes import Given
from truerank.data.arrays import Floats, Keys
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.notes import Note
from truerank.data.qrels import Preferences, Qrels
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.compare.answer import BETTER, WORSE, Comparison
from truerank.questions.compare.question import compare
from truerank.questions.compare.words import method
from truerank.questions.evaluate.answer import Score, Scores
from truerank.questions.evaluate.question import evaluate
from truerank.questions.rejudged.answer import (
    Rejudged,
    RejudgedGrade,
    RejudgedOrder,
    RejudgedPair,
    RejudgedRun,
    RejudgedTopic,
)
from truerank.report.digits import probability
from truerank.statistics.correlations import kendall, kendall_b, tau_ap
from truerank.statistics.level import level
from truerank.track.track import Progress


def asked(
    before: Any,
    after: Any,
    runs: Any,
    measures: Any,
    given: Given,
    *,
    test: str,
    correction: str | None,
    alpha: float,
    engine: Any,
    progress: Progress | None,
) -> Rejudged:
    """Evaluate and compare by both, and put it together."""
    wanted = parse_all(measures)
    named = named_runs(runs)
    judged = [_graded(one) for one in (before, after)]
    averaged = [measure for measure in wanted if measure.averages]
    options: Any = {"engine": engine, **given}
    scores = [evaluate(one, named, wanted, progress=progress, **options) for one in judged]
    compared: list[Comparison] = []
    if len(named) > 1 and averaged:
        told: Any = {"test": test, "correction": correction, "alpha": alpha, "settled": False}
        compared = [compare(one, named, averaged, progress=progress, **told, **options) for one in judged]
    changes = [*_topics(*judged)]
    return Rejudged(
        conventions=scores[1].conventions,
        wanted=wanted,
        topics=scores[1].topics,
        orders=tuple(_order(scores, compared, measure) for measure in wanted),
        moves=tuple(row for measure in wanted for row in _moves(scores, measure)),
        pairs=tuple(_pairs(compared)),
        by_topic=tuple(row for row, _ in changes),
        grades=tuple(_grades([grades for _, grades in changes])),
        test=_tested(compared[1]) if compared else "",
        topics_before=len(judged[0].topics),
        topics_after=len(judged[1].topics),
        notices=tuple(_notices(scores)),
    )


def _graded(judgments: Any) -> Qrels:
    found = as_qrels(judgments)
    if isinstance(found, Preferences):
        raise InputError("these judgments are preferences (three columns), and grades are compared; give qrels")
    return found


def _tested(found: Comparison) -> str:
    first = next(iter(found.values()))
    return f"{method(first)}, significant below {probability(found.settings.alpha)}"


def _notices(scores: Sequence[Scores]) -> Iterator[Note]:
    """What there is to know by either; once, where it is the same."""
    old, new = (one.notices for one in scores)
    yield from (note for note in new if note in old)
    yield from (note.about("old") for note in old if note not in new)
    yield from (note.about("new") for note in new if note not in old)


def _merits(scores: Scores, measure: Measure) -> Floats:
    """What runs are ordered by, the higher the better."""
    return level(measure.sign * np.array([found[measure].mean for found in scores.values()]))


def _moves(scores: Sequence[Scores], measure: Measure) -> Iterator[RejudgedRun]:
    places = []
    for one in scores:
        merit = _merits(one, measure)
        places.append([None if np.isnan(own) else 1 + int((merit > own).sum()) for own in merit])
    old, new = scores
    for at, run in enumerate(old):
        first, second = old[run][measure], new[run][measure]
        changed, raised = _changed(first, second, measure)
        yield RejudgedRun(
            measure=str(measure),
            run=run,
            before=first.mean,
            after=second.mean,
            difference=second.mean - first.mean,
            place_before=places[0][at],
            place_after=places[1][at],
            changed_topics=changed,
            raised_topics=raised,
        )


def _changed(first: Score, second: Score, measure: Measure) -> tuple[int, int]:
    """Topics that both count and score otherwise, and those of them that are better."""
    now = second.per_topic
    both = [(value, now[topic]) for topic, value in first.per_topic.items() if topic in now]
    known = level(np.array([[value for value, _ in both], [value for _, value in both]]))
    apart = measure.sign * (known[1] - known[0])
    return int((np.abs(apart) > 0).sum()), int((apart > 0).sum())


def _order(scores: Sequence[Scores], compared: Sequence[Comparison], measure: Measure) -> RejudgedOrder:
    old, new = (_merits(one, measure) for one in scores)
    known = np.isfinite(old) & np.isfinite(new)
    x, y = old[known], new[known]
    first, second = np.triu_indices(len(x), 1)
    several = len(x) > 1
    found = [one[measure] for one in compared if str(measure) in one.by_name]
    counts: dict[str, int | None] = dict.fromkeys(("found_before", "found_after", "reversed", "lost", "gained"))
    if found:
        was, now = ([one if one in (BETTER, WORSE) else "" for one in each.verdicts] for each in found)
        both = [*zip(was, now, strict=True)]
        counts = {
            "found_before": sum(bool(one) for one in was),
            "found_after": sum(bool(one) for one in now),
            "reversed": sum(bool(one) and bool(other) and one != other for one, other in both),
            "lost": sum(bool(one) and not other for one, other in both),
            "gained": sum(bool(other) and not one for one, other in both),
        }
    return RejudgedOrder(
        measure=str(measure),
        runs=len(x),
        tau=float(kendall(x, y)) if several else np.nan,
        tau_b=float(kendall_b(x, y)) if several else np.nan,
        tau_ap=float(tau_ap(y, x)) if several else np.nan,
        pairs=len(first),
        swapped=int(((x[first] - x[second]) * (y[first] - y[second]) < 0).sum()),
        **counts,
    )


def _pairs(compared: Sequence[Comparison]) -> Iterator[RejudgedPair]:
    """Pairs whose verdict is another; those that are reversed first."""
    if not compared:
        return
    old, new = compared
    rows = [
        RejudgedPair(
            measure=measure,
            run=one.run,
            compared_with=one.compared_with,
            before=one.verdict,
            after=other.verdict,
            difference_before=one.difference,
            difference_after=other.difference,
            p_before=one.p_corrected,
            p_after=other.p_corrected,
        )
        for measure in old
        for one, other in zip(old[measure].pairs, new[measure].pairs, strict=True)
        if one.verdict != other.verdict and {one.verdict, other.verdict} & {BETTER, WORSE}
    ]
    place = {measure: at for at, measure in enumerate(old)}
    yield from sorted(rows, key=lambda row: (place[row.measure], {row.before, row.after} != {BETTER, WORSE}))


def _topics(old: Qrels, new: Qrels) -> Iterator[tuple[RejudgedTopic, Counter[tuple[float | None, float | None]]]]:
    """What changed in each topic, and grades before and after."""
    places = [{topic: at for at, topic in enumerate(one.topics)} for one in (old, new)]
    for topic in sorted({*old.topics, *new.topics}):
        (key, grade), (other_key, other_grade) = (
            _of(one, place.get(topic)) for one, place in zip((old, new), places, strict=True)
        )
        _, here, there = np.intersect1d(key, other_key, assume_unique=True, return_indices=True)
        was, now = grade[here], other_grade[there]
        gone, come = np.delete(grade, here), np.delete(other_grade, there)
        grades: Counter[tuple[float | None, float | None]] = Counter()
        grades.update(zip(was.tolist(), now.tolist(), strict=True))
        grades.update((value, None) for value in gone.tolist())
        grades.update((None, value) for value in come.tolist())
        row = RejudgedTopic(
            topic=text(topic),
            before=len(grade),
            after=len(other_grade),
            added=len(come),
            removed=len(gone),
            raised=int((now > was).sum()),
            lowered=int((now < was).sum()),
            turned=int(((was > 0) != (now > 0)).sum()),
            relevant_before=int((grade > 0).sum()),
            relevant_after=int((other_grade > 0).sum()),
        )
        yield row, grades


def _of(judgments: Qrels, topic: int | None) -> tuple[Keys, Floats]:
    """Documents of a topic, given by number, and their grades."""
    rows = slice(0, 0) if topic is None else slice(judgments.offsets[topic], judgments.offsets[topic + 1])
    return judgments.key[rows], judgments.grade[rows]


def _grades(each: Sequence[Counter[tuple[float | None, float | None]]]) -> Iterator[RejudgedGrade]:
    """Grades before and after, over all topics; documents without a judgment last."""
    total: Counter[tuple[float | None, float | None]] = Counter()
    for one in each:
        total.update(one)
    for before, after in sorted(total, key=lambda pair: [(value is None, value or 0.0) for value in pair]):
        yield RejudgedGrade(before=before, after=after, documents=total[before, after])
