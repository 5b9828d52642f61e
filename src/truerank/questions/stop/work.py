"""What is kept of each run, and rules fitted to it and tried on it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.run import Run
from truerank.io.direction import low_is_best
from truerank.io.runs import named_runs
from truerank.io.trec import run_lines, tag_of
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.stop.answer import CutRun, Stopping
from truerank.questions.stop.comparison import RuleComparison
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.validation import CrossValidation, compare
from truerank.questions.stop.words import FOLDS, READY, applied, silenced
from truerank.questions.stop.worth import Worth
from truerank.questions.truncate.best import prefix_scores
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.parts import Part, per_topic
from truerank.track.track import Progress, Track
from truerank.track.values import values


@dataclass(frozen=True, eq=False, kw_only=True)
class StopPart(Part):
    """A run: the scores of its lists, and what they are worth at every length."""

    seen: RunPart
    higher_is_better: bool
    """Whether scores of the run are as given; where low ones are best, rules see them negated."""
    scores: Any = per_topic()
    """An array of arrays: the scores of each list, best first."""
    worth: dict[str, Any] = per_topic()
    """By measure, an array of arrays: the score of each list cut after 0, 1, ... documents, down to its end."""


@dataclass(frozen=True, eq=False, kw_only=True)
class RunTrial:
    """The rules on a whole run, by measure."""

    seen: RunPart
    comparisons: tuple[RuleComparison, ...]


def averaging(wanted: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """The measures, which are means over topics: rules are fitted to these."""
    for measure in wanted:
        if not measure.averages:
            raise InputError(
                f"{measure} is no mean over topics, which is what rules are fitted to; choose another measure"
            )
    return wanted


def look(lens: Lens, measures: Sequence[Measure]) -> StopPart:
    """What is kept of a run."""
    lists = ScoreLists.of(lens.run, lens.judged.run_topic[lens.topics])
    found = {str(measure): values(lens, measure) for measure in measures}
    return StopPart(
        topics=lens.topics,
        seen=observe(lens, found, ties=False),
        higher_is_better=not low_is_best(lens.run),
        scores=_ragged(lists.scores),
        worth={str(measure): _ragged(_to_its_end(prefix_scores(lens, measure))) for measure in measures},
    )


def _to_its_end(scores: Any) -> list[Any]:
    """The rows without what is past the end of each list: one that was ended by a NIL ends there."""
    last = np.where(np.isnan(scores), 0, np.arange(scores.shape[1])).max(axis=-1, initial=0)
    return [row[: end + 1] for row, end in zip(scores, last.tolist(), strict=True)]


def _ragged(rows: Sequence[Any]) -> Any:
    """An array of arrays of any lengths."""
    found = np.empty(len(rows), object)
    for place, row in enumerate(rows):
        found[place] = row
    return found


def worths(part: StopPart, measures: Sequence[Measure]) -> Iterator[Worth]:
    """What every cut of the lists of a run is worth, by each measure."""
    lists = ScoreLists(tuple(part.scores))
    for measure in measures:
        yield Worth.of(measure, lists, part.worth[str(measure)], higher_is_better=part.higher_is_better)


def tried(track: Track, validation: CrossValidation, progress: Progress | None) -> list[RunTrial]:
    """Cross-validate the rules on each run."""
    if len(track.topics) < 2:
        raise InputError(
            "there is one topic, and a rule is fitted to some topics and tried on others; give two or more"
        )
    divided = replace(validation, folds=min(validation.folds, len(track.topics)))
    one_run = partial(_trial, track=track, validation=divided, fold=divided.fold(len(track.topics)))
    return track.each(look, whole=one_run, progress=progress)


def _trial(part: StopPart, *, track: Track, validation: CrossValidation, fold: Rows) -> RunTrial:
    run, mine = part.seen.run, fold[part.topics]
    if len({*mine.tolist()}) < 2:
        raise InputError(f"run {run!r} has topics of one fold only; choose missing='empty', or more folds")
    names = tuple(track.topics[topic] for topic in part.topics)
    found = [compare(worth, validation, mine, names, run) for worth in worths(part, track.measures)]
    return RunTrial(seen=part.seen, comparisons=tuple(found))


def conclude(
    track: Track, trials: Sequence[RunTrial], validation: CrossValidation, more: Iterable[Note] = ()
) -> Stopping:
    """How the rules do on all runs; with ``more`` to be said."""
    return Stopping(
        conventions=track.conventions,
        wanted=track.measures,
        topics=track.topics,
        found=tuple(one for trial in trials for one in trial.comparisons),
        rules=tuple(validation.rules),
        folds=min(validation.folds, len(track.topics)),
        seed=validation.seed,
        test=validation.test,
        notices=(
            *_otherwise(track, validation),
            *more,
            *track.notes([trial.seen for trial in trials]),
        ),
    )


def _otherwise(track: Track, validation: CrossValidation) -> Iterator[Note]:
    """What is not as it was asked for."""
    if len(track.topics) < validation.folds:
        yield FOLDS(topics=len(track.topics), folds=validation.folds)
    ready = [name for name, rule in validation.rules.items() if isinstance(rule, Rule)]
    if ready:
        yield READY(rules=", ".join(ready))


def one_measure(given: str | Measure) -> tuple[Measure, ...]:
    """The measure that a rule is to be fitted for."""
    wanted = averaging(parse_all([given]))
    if len(wanted) != 1:
        raise InputError(f"a rule is fitted for one measure, not for {len(wanted)}; name one of them")
    return wanted


def fit(track: Track, kind: type[Rule]) -> Rule:
    """Fit a rule to all topics of a run."""
    if len(track.runs) != 1:
        raise InputError(f"a rule is fitted to one run, not to {len(track.runs)}; name one of them")
    [part] = track.each(look)
    [worth] = worths(part, track.measures)
    found = worth.fit(kind, np.arange(len(worth.lists)))
    return replace(found, fitted=worth.fitted(found, part.seen.run))


def cut_run(rule: Rule, run: Any, out: str, *, nil: bool) -> CutRun:
    """Cut the lists of a run by a rule."""
    [named] = named_runs(run)
    read = named.read()
    cut = rule.apply(read)
    before, after = (_lists(one) for one in (read, cut))
    notes = applied(rule, kept=len(cut), documents=len(read), low=low_is_best(read))
    return CutRun(
        lines=run_lines(cut, tag_of(read), nil=nil, as_given=True),
        out=out,
        notices=(*notes, *silenced(before - after, before, nil=nil)),
    )


def _lists(run: Run) -> int:
    """Topics with documents."""
    return int((np.diff(run.offsets) > 0).sum())
