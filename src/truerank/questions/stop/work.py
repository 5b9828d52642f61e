"""What every cut of the lists of a run is worth, and rules fitted to it, tried on it, and applied to other runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.data.parts import Part, part_field
from truerank.data.run import Run
from truerank.io.direction import low_is_best
from truerank.io.runs import named_runs
from truerank.io.trec import run_lines, tag_of
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.stop.orders import orders, scores_of
from truerank.questions.stop.question import (
    FIXED,
    FOLDS,
    ORACLE,
    READY,
    WHOLE,
    CutRun,
    RuleComparison,
    RuleOutcome,
    Stopping,
    SystemOrder,
    apply_notes,
    emptied,
)
from truerank.questions.stop.rule import Fit, Rule, ScoreLists
from truerank.questions.truncate.lengths import prefix_scores, shortest_best
from truerank.statistics.corrections import holm
from truerank.statistics.level import EQUAL
from truerank.statistics.paired import PValues
from truerank.statistics.randomization import randomization
from truerank.statistics.student import student
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import values


@dataclass(frozen=True, eq=False, kw_only=True)
class StopPart(Part):
    """A run: the scores of its lists, and what they are worth at every length."""

    seen: RunPart
    higher_is_better: bool
    """Whether scores of the run are as given; where low ones are best, rules see them negated."""
    scores: Any = part_field(merge="per topic")
    """An array of arrays: the scores of each list, best first."""
    worth: dict[str, Any] = part_field(merge="per topic")
    """By measure, an array of arrays: the score of each list cut after 0, 1, ... documents, down to its end."""


@dataclass(frozen=True)
class StopMeasures:
    """The measures that rules are fitted for, and those of whole lists that systems are ordered by."""

    cut: tuple[Measure, ...]
    whole: tuple[Measure, ...] = ()


def score_run(lens: Lens, measures: Sequence[Measure], *, cut: Sequence[Measure] | None = None) -> StopPart:
    """What is kept of a run; only measures that lists are to be ``cut`` by are looked at for every length."""
    lists = ScoreLists.of(lens.run, lens.judged.run_topic[lens.topics])
    found = {str(measure): values(lens, measure) for measure in measures}
    return StopPart(
        topics=lens.topics,
        seen=observe(lens, found, ties=False),
        higher_is_better=not low_is_best(lens.run),
        scores=_ragged(lists.scores),
        worth={
            str(measure): _ragged(_to_its_end(prefix_scores(lens, measure)))
            for measure in (measures if cut is None else cut)
        },
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


@dataclass(frozen=True, eq=False)
class CutScores:
    """A measure of the lists of a run, cut after 0, 1, ... documents: the score of any cut is looked up."""

    measure: Measure
    run: str
    lists: ScoreLists
    scores: Floats
    """One row a topic that counts; past the end of its list, that of the whole list."""
    higher_is_better: bool
    """Whether scores of the run are as given; where low ones are best, rules see them negated."""

    @property
    def values(self) -> Floats:
        """The scores in the sign in which more is better."""
        return self.measure.sign * self.scores

    def at(self, lengths: Rows) -> Floats:
        """The score of each list, cut at a length of its own."""
        return self.scores[np.arange(len(self.scores)), lengths]

    def better(self, mean: float, other: float) -> float:
        """How much better one mean score is than another."""
        return mean - other if self.measure.higher_is_better else other - mean

    @cached_property
    def oracle(self) -> Rows:
        """The best length of each list among those at which it can be cut, the shortest of those that score best."""
        allowed = np.full(self.scores.shape, np.nan)
        allowed[:, 0] = self.values[:, 0]
        for topic, ends in enumerate(self.lists.ends):
            allowed[topic, ends] = self.values[topic, ends]
        return shortest_best(allowed)

    def fit(self, kind: type[Rule], topics: Rows) -> Rule:
        """A rule with the parameters that do best on some topics."""
        return kind.fit(self.lists, self.values, topics)

    def fit_all(self, kind: type[Rule]) -> Rule:
        """A rule fitted to all topics, which knows how it does there."""
        rule = self.fit(kind, np.arange(len(self.lists)))
        known = Fit(
            measure=str(self.measure),
            run=self.run,
            topics=len(self.lists),
            mean=float(self.at(rule.cut(self.lists)).mean()),
            whole=float(self.at(self.lists.whole).mean()),
            oracle=float(self.at(self.oracle).mean()),
            higher_is_better=self.higher_is_better,
        )
        return replace(rule, fitted=known)


def cut_scores(part: StopPart, measures: Sequence[Measure]) -> Iterator[CutScores]:
    """What every cut of the lists of a run is worth, by each measure."""
    lists = ScoreLists(tuple(part.scores))
    place = np.arange(int(lists.whole.max(initial=0)) + 1)
    for measure in measures:
        # A list that was ended by a NIL ends there, however late it is cut.
        rows = [row[np.minimum(place, len(row) - 1)] for row in part.worth[str(measure)]]
        scores = np.array(rows).reshape(len(rows), len(place))
        yield CutScores(measure, part.seen.run, lists, scores, part.higher_is_better)


@dataclass(frozen=True)
class CrossValidation:
    """Which rules are compared, and how."""

    rules: Mapping[str, type[Rule] | Rule]
    """Rules to fit, and rules that are ready, by name."""
    folds: int = 5
    seed: int = 0
    test: str = "randomization"

    def __post_init__(self) -> None:
        if isinstance(self.folds, bool) or not isinstance(self.folds, (int, np.integer)) or self.folds < 2:
            raise InputError(f"folds={self.folds!r}; give a whole number from 2 on")
        if isinstance(self.seed, bool) or not isinstance(self.seed, (int, np.integer)) or self.seed < 0:
            raise InputError(f"seed={self.seed!r}; give a whole number from 0 on")
        if self.test not in TESTS:
            raise InputError(f"test={self.test!r} is not a choice; take one of {', '.join(TESTS)}")

    def fold(self, topics: int) -> Rows:
        """The number of the fold that each topic is in, about as many topics in each.

        >>> sorted(CrossValidation({}, folds=3).fold(7).tolist())
        [0, 0, 0, 1, 1, 2, 2]
        """
        fold = np.empty(topics, np.intp)
        fold[np.random.default_rng(self.seed).permutation(topics)] = np.arange(topics) % self.folds
        return fold


TESTS: dict[str, Callable[[Floats, int], PValues]] = {
    "randomization": lambda values, seed: randomization(values, seed=seed),
    "student": lambda values, seed: student(values),
}


@dataclass(frozen=True, eq=False, kw_only=True)
class RunTrial:
    """The rules on a whole run, by measure."""

    seen: RunPart
    comparisons: tuple[RuleComparison, ...]
    whole: dict[str, Floats]
    """By measure of whole lists, a value for each judged topic."""


def cross_validate(
    track: Track, validation: CrossValidation, progress: Progress | None, asked: StopMeasures
) -> list[RunTrial]:
    """Cross-validate the rules on each run."""
    if len(track.topics) < 2:
        raise InputError(
            "there is one topic, and a rule is fitted to some topics and tried on others; give two or more"
        )
    divided = replace(validation, folds=min(validation.folds, len(track.topics)))
    one_run = partial(_try_rules, track=track, validation=divided, fold=divided.fold(len(track.topics)), asked=asked)
    return track.each(score_run, whole=one_run, progress=progress, cut=asked.cut)


def _try_rules(
    part: StopPart, *, track: Track, validation: CrossValidation, fold: Rows, asked: StopMeasures
) -> RunTrial:
    run, mine = part.seen.run, fold[part.topics]
    if len({*mine.tolist()}) < 2:
        raise InputError(f"run {run!r} has topics of one fold only; choose missing='empty', or more folds")
    names = tuple(track.topics[topic] for topic in part.topics)
    comparisons = [compare(scores, validation, mine, names) for scores in cut_scores(part, asked.cut)]
    choice, topics = track.conventions, len(track.topics)
    whole = {str(measure): part.seen.values[str(measure)].full(choice, topics) for measure in asked.whole}
    return RunTrial(seen=part.seen, comparisons=tuple(comparisons), whole=whole)


def compare(scores: CutScores, validation: CrossValidation, fold: Rows, names: tuple[str, ...]) -> RuleComparison:
    """Fit each rule to the topics outside each fold, and cut the lists inside it; a rule that is ready is used so."""
    cuts = {name: _cut(scores, kind, fold) for name, kind in validation.rules.items()}
    every = {WHOLE: scores.lists.whole, **{name: lengths for name, (lengths, _) in cuts.items()}, ORACLE: scores.oracle}
    values = {name: scores.at(lengths) for name, lengths in every.items()}
    means = {name: float(some.mean()) for name, some in values.items()}
    gains = {name: scores.better(mean, means[WHOLE]) for name, mean in means.items()}
    p = _p_values(values, validation)
    rules = validation.rules.items()
    fitted = {name: kind if isinstance(kind, Rule) else scores.fit_all(kind) for name, kind in rules}
    outcomes = {
        name: RuleOutcome(
            measure=str(scores.measure),
            run=scores.run,
            name=name,
            mean=means[name],
            gain=gains[name],
            share=gains[name] / gains[ORACLE] if gains[ORACLE] > EQUAL else float("nan"),
            mean_length=float(lengths.mean()),
            empty=float((lengths == 0).mean()),
            p_whole=p[WHOLE].get(name),
            p_oracle=p[ORACLE].get(name),
            p_fixed=p[FIXED].get(name),
            rule=fitted.get(name),
            folds=cuts[name][1] if name in cuts else (),
            lengths=lengths,
            values=values[name],
        )
        for name, lengths in every.items()
    }
    return RuleComparison(
        by=scores.measure,
        run=scores.run,
        topics=names,
        as_is=outcomes[WHOLE],
        rules={name: outcomes[name] for name in validation.rules},
        at_best=outcomes[ORACLE],
    )


def _cut(scores: CutScores, kind: type[Rule] | Rule, fold: Rows) -> tuple[Rows, tuple[Rule, ...]]:
    """The lengths of all lists, each by a rule that did not see its topic, and these rules."""
    if isinstance(kind, Rule):
        return kind.cut(scores.lists), ()
    lengths, rules = np.zeros(len(fold), np.intp), []
    for number in sorted({*fold.tolist()}):
        inside = fold == number
        rules.append(scores.fit(kind, np.flatnonzero(~inside)))
        lengths[inside] = rules[-1].cut(scores.lists)[inside]
    return lengths, tuple(rules)


def _p_values(values: Mapping[str, Floats], validation: CrossValidation) -> dict[str, dict[str, float]]:
    """p of every rule against whole lists, best cuts and a fixed length, each corrected for the number of rules."""
    names = [WHOLE, ORACLE, *validation.rules]
    p = TESTS[validation.test](np.array([values[name] for name in names]), validation.seed).p
    place = {name: row for row, name in enumerate(names)}
    others = [name for name in validation.rules if FIXED in validation.rules and name != FIXED]
    against = {WHOLE: [*validation.rules], ORACLE: [*validation.rules], FIXED: others}
    return {
        reference: dict(zip(some, holm([p[place[reference], place[name]] for name in some]).tolist(), strict=True))
        for reference, some in against.items()
    }


def summarise(
    track: Track,
    trials: Sequence[RunTrial],
    validation: CrossValidation,
    asked: StopMeasures,
    more: Iterable[Note] = (),
) -> Stopping:
    """How the rules do on all runs; with ``more`` to be said."""
    comparisons = tuple(one for trial in trials for one in trial.comparisons)
    return Stopping(
        conventions=track.conventions,
        wanted=asked.cut,
        topics=track.topics,
        compared=comparisons,
        orders=_orders(track, trials, comparisons, validation.seed, asked),
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


def _orders(
    track: Track, trials: Sequence[RunTrial], comparisons: Sequence[RuleComparison], seed: int, asked: StopMeasures
) -> tuple[SystemOrder, ...]:
    """The order of systems against that by whole lists, where that was asked for."""
    if not asked.whole:
        return ()
    if len(trials) < 2:
        raise InputError("one run has no order to compare; give two runs or more with against")
    whole = {trial.seen.run: trial.whole for trial in trials}
    return tuple(orders(scores_of(track.topics, comparisons, whole, asked.whole), seed))


def _otherwise(track: Track, validation: CrossValidation) -> Iterator[Note]:
    """What is not as it was asked for."""
    if len(track.topics) < validation.folds:
        yield FOLDS(topics=len(track.topics), folds=validation.folds)
    ready = [name for name, rule in validation.rules.items() if isinstance(rule, Rule)]
    if ready:
        yield READY(rules=ready)


def averaging(wanted: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """The measures, which are means over topics: rules are fitted to these."""
    for measure in wanted:
        if not measure.averages:
            raise InputError(
                f"{measure} is no mean over topics, which is what rules are fitted to; choose another measure"
            )
    return wanted


def one_measure(given: str | Measure) -> tuple[Measure, ...]:
    """The measure that a rule is to be fitted for."""
    wanted = averaging(parse_all([given]))
    if len(wanted) != 1:
        raise InputError(f"a rule is fitted for one measure, not for {len(wanted)}; name one of them")
    return wanted


def fit_to_all(track: Track, kind: type[Rule]) -> Rule:
    """Fit a rule to all topics of a run."""
    if len(track.runs) != 1:
        raise InputError(f"a rule is fitted to one run, not to {len(track.runs)}; name one of them")
    [part] = track.each(score_run)
    [scores] = cut_scores(part, track.measures)
    return scores.fit_all(kind)


def cut_run(rule: Rule, run: Any, out: str, *, nil: bool) -> CutRun:
    """Cut the lists of a run by a rule."""
    several = named_runs(run)
    if len(several) != 1:
        raise InputError(f"a rule is applied to one run, not to {len(several)}; name one of them")
    [named] = several
    read = named.read()
    cut = rule.apply(read)
    before, after = (_topics_with_documents(one) for one in (read, cut))
    notes = apply_notes(rule, kept=len(cut), documents=len(read), low=low_is_best(read))
    return CutRun(
        lines=run_lines(cut, tag_of(read), nil=nil, as_given=True),
        out=out,
        notices=(*notes, *emptied(before - after, before, nil=nil)),
    )


def _topics_with_documents(run: Run) -> int:
    return int((np.diff(run.offsets) > 0).sum())
