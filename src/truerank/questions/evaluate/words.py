"""What scores of runs say, in a sentence."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, enumerated, sentence
from truerank.report.digits import decimals, rounded
from truerank.statistics.level import level

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.common_topics import CommonPair
    from truerank.questions.evaluate.question import GroupScore, Score, Scores

SIGNIFICANCE = Code(
    "TR122",
    "that scores alone do not tell which differences are significant",
    "Whether these differences are significant: truerank compare.",
    consequence=0.05,
)
OVERLAP = Code(
    "TR123",
    "runs whose bounds overlap with those of the best run",
    "{measure}: the bounds of {runs:run} overlap with those of {best:quoted}, so that {runs:it|each of them} could be "
    "ahead.",
    likelihood=0.5,
    consequence=0.5,
)

LEADS = "{leads} ({runs}, {topics})"
"""Who leads, of how many."""
LEAD = "{run:quoted} scores {end} by {by}"
EQUAL = "{runs:quoted} are equal by {by}"
ONE = "{run:quoted} scores {score}[ {measure}] on {topics}[ (95% CI {low} to {high})]."
NO_VALUE = "{measures:all names} {count:is|are} undefined for every run."
COUNTS = "{runs} scored on {topics}."


def verdict(scores: Scores) -> str:
    """Which run scores highest, by which of the measures; of a single run, its score by the first measure."""
    topics = scores.topics_in_words
    if scores.by_judge:
        return _by_judge(scores, topics)
    if not len(scores):
        return ""
    if len(scores) == 1:
        [found] = scores.values()
        return one_run(next(iter(found.values())), topics)
    runs = counted(len(scores), "run")
    # Counts, such as that of relevant documents, have no better end.
    ordered = [one for one in scores.wanted if not one.counts]
    if not ordered:
        return sentence(COUNTS, runs=runs, topics=topics)
    leads = leaders(ordered, {run: {name: one.mean for name, one in found.items()} for run, found in scores.items()})
    if not leads:
        return sentence(NO_VALUE, measures=[*map(str, ordered)], count=len(ordered))
    said = sentence(LEADS, leads=_in_words(leads, ordered), runs=runs, topics=topics)
    said = f"{said}{_elsewhere(scores.groups, ordered[0], leads)}."
    if scores.lacking is None:
        return said
    means = {
        run: {one.measure: mean for one in scores.on_common for name, mean in _pair(one) if name == run}
        for run in scores
    }
    again = leaders(ordered, means)
    first = f"{scores.lacking.sentence}, which count as empty lists. {said}"
    return f"{first} {scores.lacking.where}, {_in_words(again, ordered)}." if again else first


def _pair(one: CommonPair) -> tuple[tuple[str, float], tuple[str, float]]:
    return (one.run, one.mean), (one.compared_with, one.compared_mean)


def one_run(score: Score, topics: str) -> str:
    """The score of a run, with its interval."""
    if math.isnan(score.mean):
        return sentence(NO_VALUE, measures=[score.measure], count=1)
    low = high = math.nan
    if score.by.averages and score.low is None and len(score.names) > 1:
        low, high = score.interval()
    digits = decimals(score.std_error) if score.by.averages else 4
    # Of a few topics it may go past what the measure can be, and says nothing.
    known = low < high and score.by.range[0] <= low and high <= score.by.range[1]
    return sentence(
        ONE,
        run=score.run,
        score=f"{score.mean:g}" if score.by.counts else rounded(score.mean, digits),
        measure=score.measure,
        topics=topics,
        low=rounded(low, digits) if known else None,
        high=rounded(high, digits) if known else None,
    )


def notes(scores: Scores) -> Iterator[Note]:
    """Where bounds overlap, and what says whether differences are significant."""
    if scores.by_judge or len(scores) < 2:
        return
    first = scores.measures[0]
    best, *others = (scores[run][first] for run in scores.ranked())
    ends = [(one.low, one.high) for one in (best, *others)]
    if not best.by.counts and all(low is not None and high is not None for low, high in ends):
        overlaps = [one for one in others if _could_be_ahead(one, best)]
        if overlaps:
            note = OVERLAP(measure=first, best=best.run, runs=len(overlaps))
            about = "unjudged" if scores.conventions.unjudged_bounds else "ties"
            yield note.weighed(share=len(overlaps) / len(others), command=f"truerank {about}")
    yield SIGNIFICANCE()


def _could_be_ahead(one: Score, best: Score) -> bool:
    if None in (one.low, one.high, best.low, best.high):
        return False
    mine, its = (one.high, best.low) if one.by.higher_is_better else (best.high, one.low)
    return bool(mine is not None and its is not None and mine > its)


def leaders(measures: Sequence[Measure], means: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[str, ...]]:
    """By measure, the runs that nothing but rounding tells apart from the best; none where every run is undefined."""
    found = {}
    runs = [*means]
    for one in measures:
        merit = level([one.sign * means[run][str(one)] for run in runs]).tolist()
        best = max((value for value in merit if value == value), default=None)
        if best is not None:
            found[str(one)] = tuple(run for run, value in zip(runs, merit, strict=True) if value == best)
    return found


def _in_words(leads: Mapping[str, tuple[str, ...]], measures: Sequence[Measure]) -> str:
    """Who leads by which measures: the first measure opens, and measures with the same leader join it."""
    by: dict[tuple[str, ...], list[str]] = {}
    for name, runs in leads.items():
        by.setdefault(runs, []).append(name)
    end = _end([one for one in measures if str(one) in leads])
    clauses = []
    for runs, names in by.items():
        how = _by(names, every=len(measures))
        clauses.append(
            sentence(EQUAL, runs=runs, by=how) if len(runs) > 1 else sentence(LEAD, run=runs[0], end=end, by=how)
        )
    return "; ".join(clauses)


def _by(names: Sequence[str], *, every: int) -> str:
    if 1 < len(names) == every:
        return "both measures" if every == 2 else f"all {every} measures"
    return enumerated(names)


def _end(measures: Iterable[Measure]) -> str:
    """The better end of the measures, if they share one."""
    ends = {one.higher_is_better for one in measures}
    return {True: "highest", False: "lowest"}[ends.pop()] if len(ends) == 1 else "best"


def _elsewhere(groups: Sequence[GroupScore], measure: Measure, leads: Mapping[str, tuple[str, ...]]) -> str:
    """Whether the run that is best by the first measure is so in every group of topics."""
    name = str(measure)
    if name not in leads or len(leads[name]) != 1:
        return ""
    means: dict[str, dict[str, dict[str, float]]] = {}
    for row in groups:
        if row.measure == name:
            means.setdefault(row.group, {}).setdefault(row.run, {})[name] = row.mean
    apart = {group: found for group, found in means.items() if group != "all"}
    if not apart:
        return ""
    best = {group: leaders([measure], found).get(name, ()) for group, found in apart.items()}
    others = {group: runs for group, runs in best.items() if leads[name][0] not in runs}
    if not others:
        return f", in {'both' if len(apart) == 2 else f'all {len(apart)}'} groups of topics too" if apart else ""
    group, runs = next(iter(others.items()))
    if len(others) > 1:
        return f", but not in {len(others)} of {counted(len(apart), 'group')} of topics"
    return sentence(", but {runs:quoted} in {group:quoted}", runs=runs, group=group) if runs else ""


def _by_judge(scores: Scores, topics: str) -> str:
    """Who leads by which judge, by the first measure."""
    measure = next((one for one in scores.wanted if not one.counts), None)
    if measure is None:
        return ""
    by: dict[tuple[str, ...], list[str]] = {}
    for judge, found in scores.by_judge.items():
        runs = leaders([measure], {run: {str(measure): one[str(measure)].mean} for run, one in found.runs.items()})
        if runs:
            by.setdefault(runs[str(measure)], []).append(judge)
    every = len(scores.by_judge)
    clauses = []
    for names, judges in by.items():
        if 1 < len(judges) == every:
            whose = "both judges" if every == 2 else f"all {every} judges"
        else:
            whose = sentence("{judges:quoted}", judges=judges)
        facts: dict[str, Any] = {"by": f"{measure} of {whose}"}
        clauses.append(
            sentence(EQUAL, runs=names, **facts)
            if len(names) > 1
            else sentence(LEAD, run=names[0], end=_end([measure]), **facts)
        )
    if not clauses:
        return sentence(NO_VALUE, measures=[str(measure)], count=1)
    return sentence(LEADS, leads="; ".join(clauses), runs=counted(len(scores.runs), "run"), topics=topics) + "."
