"""Leave each system out of the pool, and see what it loses: what a new system would not be given."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels, taken
from truerank.data.run import Run
from truerank.io.runs import Named
from truerank.measures.core.base import Measure
from truerank.pooling.survey import PoolPart, Survey, pooled_runs
from truerank.questions.evaluate.work import score
from truerank.questions.pool.losses import READINGS, LeaveOut, Loss, LossSummary
from truerank.statistics.level import above, level
from truerank.statistics.orders import agreement
from truerank.track.facts import of_judgments
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import Values, values

KEPT = 10_000_000
"""Documents of runs that stay in memory until it is known what only they contributed; other runs are read again."""
LETTERS = r"[^\W\d_]+"
"""The letters that a name begins with: ``ok8alx`` and ``ok8amxc`` are runs of one team."""
GroupRule: TypeAlias = "str | Mapping[str, str] | Callable[[str], str]"
Groups = dict[str, tuple[str, ...]]
Means = dict[tuple[str, str], dict[str, float]]
"""By measure and reading of unjudged documents, the mean of each run."""


@dataclass
class RunCache:
    """Runs that were read, as many as there is room for."""

    room: int = field(default_factory=lambda: KEPT)
    runs: dict[str, Run] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class CachedRun(Named):
    """A run that need not be read again, where there is room for it."""

    cache: RunCache = field(default_factory=RunCache)

    def read(self) -> Run:
        """The run."""
        if self.name in self.cache.runs:
            return self.cache.runs[self.name]
        run = super().read()
        if len(run) <= self.cache.room:
            self.cache.runs[self.name] = run
            self.cache.room -= len(run)
        return run


def with_cache(track: Track) -> Track:
    """A track whose runs need not be read again."""
    cache = RunCache()
    return replace(track, runs=tuple(CachedRun(one.name, one.data, one.options, cache) for one in track.runs))


@dataclass(frozen=True, eq=False, kw_only=True)
class LeaveOutPart(PoolPart):
    """A run as the judgments show it, and its values with all of them."""

    values: dict[str, dict[str, Values]]
    """By reading of unjudged documents and measure."""


def refuse(by: str, groups: GroupRule | None, readings: Sequence[str], measures: Sequence[Measure]) -> None:
    """Refuse what cannot be left out, or what no loss can be told of."""
    if by not in ("run", "group"):
        raise InputError(f"by={by!r} is not a choice; take run or group")
    if by == "run" and groups is not None:
        raise InputError("groups= says which runs belong together; choose by='group' with it")
    if isinstance(groups, str):
        _compiled(groups)
    for reading in readings:
        if reading not in READINGS:
            raise InputError(f"unjudged={reading!r} has no one score to lose; take one of {', '.join(READINGS)}")
    for measure in measures:
        if measure.needs_pool:
            raise InputError(f"{measure} depends on the pool of all runs itself; choose another measure")


def score_run(
    lens: Lens, measures: Sequence[Measure], *, readings: Sequence[str], orders: Sequence[str], reach: int
) -> LeaveOutPart:
    """What is kept of a run."""
    # A pool is made of whole lists, whatever scores are read under.
    whole = _under(lens, Conventions(precision=lens.conventions.precision))
    return LeaveOutPart(
        topics=lens.topics,
        by_order=pooled_runs(whole.judged, whole.topics, orders, reach),
        values={reading: _values(_under(lens, _reading(lens.conventions, reading)), measures) for reading in readings},
    )


def _under(lens: Lens, conventions: Conventions) -> Lens:
    return lens if lens.conventions == conventions else lens.under(conventions)


def _reading(conventions: Conventions, unjudged: str) -> Conventions:
    return replace(conventions, unjudged=unjudged)


def _values(lens: Lens, measures: Sequence[Measure]) -> dict[str, Values]:
    return {str(measure): values(lens, measure) for measure in measures}


def summarise(
    track: Track, parts: Sequence[LeaveOutPart], survey: Survey, *, by: str, groups: GroupRule | None
) -> LeaveOut:
    """What each system loses without the judgments that only it, or its group, contributed."""
    if survey.depth is None or not survey.members:
        raise InputError(
            "no run is judged down to the depth of a pool, so that none can be left out; "
            "say what the pool was made of: contributors='all' (--all-runs) and depth="
        )
    teams = _teams(survey, grouped(survey.runs, groups) if by == "group" else {name: name for name in survey.runs})
    if len(teams) < 2:
        raise InputError(f"only one {by} contributed, {next(iter(teams))}: without it there is no pool")
    means = _means(track, parts)
    losses = _losses(track, survey, teams, means)
    explained = survey.explained / max(1, int(survey.judged.sum()))
    summaries = [_summary(key, losses[key], means[key], groups=len(teams), explained=explained) for key in means]
    return LeaveOut(
        by=by,
        explained=explained,
        losses=tuple(loss for some in losses.values() for loss in some),
        summaries=tuple(summaries),
        depth=survey.depth,
        groups=teams,
        conventions=track.conventions,
        notices=tuple(of_judgments(track.judgments)),
    )


def grouped(names: Iterable[str], rule: GroupRule | None = None) -> dict[str, str]:
    """The group of each run: the runs of one team found much the same documents.

    The rule is a dict from runs to groups, a function of the name, or a regular expression for the beginning of names:
    a group is what its first parenthesis matches or, without one, what all of it does. A name that it does not match,
    or that a dict lacks, is a group of its own.

    >>> grouped(["ok8alx", "ok8amxc", "INQ601", "1"])
    {'ok8alx': 'ok', 'ok8amxc': 'ok', 'INQ601': 'INQ', '1': '1'}
    >>> grouped(["bm25-a", "bm25-b"], "(.*)-")
    {'bm25-a': 'bm25', 'bm25-b': 'bm25'}
    """
    chosen: GroupRule = LETTERS if rule is None else rule
    if isinstance(chosen, str):
        return {name: _matched(_compiled(chosen), name) for name in names}
    if isinstance(chosen, Mapping):
        listed = [*names]
        for name in chosen:
            if name not in listed:
                raise InputError(f"there is no run {name!r} to group; there are {', '.join(listed)}")
        return {name: str(chosen.get(name, name)) for name in listed}
    return {name: str(chosen(name)) for name in names}


def _compiled(rule: str) -> re.Pattern[str]:
    try:
        return re.compile(rule)
    except re.error as error:
        raise InputError(f"{rule!r} is no regular expression ({error}); give one such as '[a-z]+'") from None


def _matched(rule: re.Pattern[str], name: str) -> str:
    found = rule.match(name)
    if found is None:
        return name
    return (found[1] if rule.groups else found[0]) or name


def _teams(survey: Survey, groups: Mapping[str, str]) -> Groups:
    """The runs of each group that contributed, those of its runs included that did not."""
    members: dict[str, list[str]] = {}
    for name, group in groups.items():
        members.setdefault(group, []).append(name)
    contributed = {groups[name] for name in survey.members}
    return {group: tuple(names) for group, names in members.items() if group in contributed}


def _means(track: Track, parts: Sequence[LeaveOutPart]) -> Means:
    """The mean of each run with all judgments."""
    found: Means = {}
    for measure in map(str, track.measures):
        for reading in parts[0].values:
            choice = _reading(track.conventions, reading)
            names = [named.name for named in track.runs]
            means = [part.values[reading][measure].summary(choice) for part in parts]
            found[measure, reading] = dict(zip(names, means, strict=True))
            for name, mean in found[measure, reading].items():
                if np.isnan(mean):
                    raise InputError(
                        f"{measure} of {name} is undefined, so that it has no rank; choose no_relevant='zero'"
                    )
    return found


def _losses(track: Track, survey: Survey, teams: Groups, means: Means) -> dict[tuple[str, str], list[Loss]]:
    """Leave out one group after the other; by measure and reading, the largest losses first."""
    own = {team: [name for name in names if name in {*survey.members}] for team, names in teams.items()}
    holders = survey.held(own.values())
    signs = {str(measure): measure.sign for measure in track.measures}
    full = {key: _merits(values, signs[key[0]]) for key, values in means.items()}
    ranked = {key: level([*merits.values()]) for key, merits in full.items()}
    losses: dict[tuple[str, str], list[Loss]] = {key: [] for key in means}
    places = {named.name: at for at, named in enumerate(track.runs)}
    for team, names in teams.items():
        gone = survey.pooled(own[team]) & (holders == 1)
        relevant = int((track.judgments.grade[gone] > 0).sum())
        for key, without in _without(track, gone, names, means).items():
            measure, reading = key
            merits = {**full[key], **_merits(without, signs[measure])}
            then = level([*merits.values()])
            for name in names:
                score = means[key][name]
                loss = _loss(signs[measure] * score, signs[measure] * without[name])
                losses[key].append(
                    Loss(
                        measure=measure,
                        unjudged=reading,
                        run=name,
                        group=team,
                        score=score,
                        without=without[name],
                        loss=loss,
                        relative=_share(loss, score),
                        rank=_rank(ranked[key], places[name]),
                        rank_without=_rank(then, places[name]),
                        removed=int(gone.sum()),
                        removed_relevant=relevant,
                    )
                )
    return {key: sorted(some, key=lambda one: (-one.loss, one.run)) for key, some in losses.items()}


def _without(track: Track, gone: Mask, names: Sequence[str], means: Means) -> Means:
    """The means of some runs with some judgments gone; topics stay."""
    if not gone.any():
        return {key: {name: values[name] for name in names} for key, values in means.items()}
    rest = taken(track.judgments, ~gone)
    places = {each.name: place for place, each in enumerate(track.runs)}
    found: Means = {key: {} for key in means}
    for name in names:
        run = _joined(track.pieces.whole(places[name]).read(), track.judgments, rest, gone)
        for reading in dict.fromkeys(reading for _, reading in means):
            scores = score(rest, run, track.measures, _reading(track.conventions, reading))
            for measure, one in scores.items():
                found[measure, reading][name] = one.mean
    return found


def _joined(run: Run, qrels: Qrels, rest: Qrels, gone: Mask) -> Run:
    """The run, with its join to the rest of the judgments taken from that to all of them, where it is known."""
    other = replace(run)
    for known, (topic, row, judgment) in run.joined:
        if known is qrels:
            left = ~gone[judgment]
            place = np.cumsum(~gone) - 1
            other.joined.append((rest, (topic[left], row[left], place[judgment[left]])))
    return other


def _merits(means: Mapping[str, float], sign: float) -> dict[str, float]:
    """Means to rank by, the higher the better."""
    return {name: sign * mean for name, mean in means.items()}


def _rank(merits: Floats, at: int) -> int:
    """The rank of a system among all."""
    return 1 + int((merits > merits[at]).sum())


def _loss(merit: float, without: float) -> float:
    """By how much a system was better with its documents; what is rounding is nothing."""
    return merit - without if above(merit, without) or above(without, merit) else 0.0


def _summary(
    key: tuple[str, str], losses: Sequence[Loss], full: Mapping[str, float], *, groups: int, explained: float
) -> LossSummary:
    without = {**full, **{one.run: one.without for one in losses}}
    mean_loss = float(np.mean([one.loss for one in losses]))
    return LossSummary(
        measure=key[0],
        unjudged=key[1],
        left_out=len(losses),
        groups=groups,
        explained=explained,
        systems=len(full),
        mean_loss=mean_loss,
        mean_relative=_share(mean_loss, float(np.mean([one.score for one in losses]))),
        largest_loss=losses[0],
        smallest_loss=losses[-1],
        steepest_drop=max(losses, key=lambda one: abs(one.drop)),
        tau_b=agreement([*full.values()], [*without.values()]).tau_b,
    )


def _share(loss: float, score: float) -> float:
    return loss / abs(score) if score else np.nan
