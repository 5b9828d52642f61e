"""Leave each system out of the pool, and see what it loses: what a new system would not be given."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from truerank.analysis.agreement.kendall import kendall_b
from truerank.analysis.pooling.groups import Rule, grouped
from truerank.analysis.pooling.losses import LeaveOut, Loss, Summary
from truerank.analysis.pooling.scored import Means, Scored
from truerank.analysis.pooling.survey import Survey, graded, survey
from truerank.conventions.presets import conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.choices import Apart

DEFAULT_MEASURES = "AP nDCG@10"
READINGS = ("nonrelevant", "condensed")
"""What unjudged documents may count as here."""
EQUAL = 12
"""Decimals past which means that differ do so by rounding."""
Groups = dict[str, tuple[str, ...]]


def leave_out(
    qrels: Any,
    runs: Any,
    measures: str | Measure | Iterable[str | Measure] = DEFAULT_MEASURES,
    *,
    by: str = "run",
    groups: Rule | None = None,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    pool_ties: str | None = None,
    unjudged: str | Iterable[str] | None = None,
    progress: Callable[[str], object] | None = None,
    **given: Unpack[Apart],
) -> LeaveOut:
    """Score every contributing run without the judgments that only it contributed.

    Such a judgment is about a document that no other contributing run has within the depth of the pool; a system that
    had not been there would be scored without it. ``by="group"`` leaves out all runs of a team at once: ``groups`` is a
    dict from runs to teams, a function, or a regular expression for the beginning of names (by default, the letters
    that they begin with). The other systems keep their scores. ``unjudged`` is "nonrelevant" or "condensed", by default
    both; ``depth``, ``contributors`` and ``pool_ties`` are what is known of the pool, as for ``pools``; conventions are
    those of ``evaluate``.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "b", "y"]}, "three": {"q1": ["d", "a", "z"]}}
    >>> worst = leave_out(qrels, runs, "P@1").of("P@1")[0]
    >>> worst.run, worst.score, worst.without, worst.removed_relevant
    ('two', 1.0, 0.0, 1)
    """
    readings = READINGS if unjudged is None else (unjudged,) if isinstance(unjudged, str) else tuple(unjudged)
    wanted = parse_all(measures)
    _refuse(by, groups, readings, wanted)
    choices = [conventions(unjudged=reading, **given) for reading in readings]
    judgments, named = graded(qrels), named_runs(runs)
    scored = Scored(judgments, wanted, choices)
    found = survey(
        judgments,
        named,
        depth=depth,
        contributors=contributors,
        ties=pool_ties,
        precision=choices[0].precision,
        visit=scored.add,
        progress=progress,
    )
    if found.depth is None or not found.contributors:
        raise InputError(
            "no run is judged down to the depth of a pool, so that none can be left out; "
            "say what the pool was made of with contributors= and depth="
        )
    parts = _parts(found, grouped(found.seen, groups) if by == "group" else {name: name for name in found.seen})
    if len(parts) < 2:
        raise InputError(f"only one {by} contributed, {next(iter(parts))}: without it there is no pool")
    _refuse_undefined(scored.means)
    losses = _losses(found, scored, parts, named)
    summaries = [_summary(measure, reading, losses, scored.means) for measure in wanted for reading in readings]
    ordered = [loss for one in summaries for loss in _chosen(losses, one.measure, one.unjudged)]
    return LeaveOut(by, tuple(ordered), tuple(summaries), found.depth, parts, choices[0], judgments.notes)


def _parts(found: Survey, teams: dict[str, str]) -> Groups:
    """The runs of each group that contributed, those of its runs included that did not."""
    members: dict[str, list[str]] = {}
    for name, team in teams.items():
        members.setdefault(team, []).append(name)
    contributed = {teams[name] for name in found.contributors}
    return {team: tuple(names) for team, names in members.items() if team in contributed}


def _losses(found: Survey, scored: Scored, parts: Groups, named: list[Named]) -> list[Loss]:
    """Leave out one group after the other."""
    pooled = {*found.contributors}
    own = {team: [name for name in names if name in pooled] for team, names in parts.items()}
    holders = found.held(own.values())
    by_name = {each.name: each for each in named}
    signs = {str(measure): measure.sign for measure in scored.wanted}
    full = {(m, u): _merits(means, signs[m]) for (m, u), means in scored.means.items()}
    losses = []
    for team, names in parts.items():
        gone = found.pooled(own[team]) & (holders == 1)
        relevant = int((found.qrels.grade[gone] > 0).sum())
        for key, without in scored.without(gone, names, by_name).items():
            measure, reading = key
            places = _places({**full[key], **_merits(without, signs[measure])}, full[key], names)
            for name in names:
                score = scored.means[key][name]
                loss = round(signs[measure] * (score - without[name]), EQUAL) + 0.0
                relative = _share(loss, score)
                counts = (int(gone.sum()), relevant)
                losses.append(
                    Loss(name, team, measure, reading, score, without[name], loss, relative, *places[name], *counts)
                )
    return losses


def _merits(means: dict[str, float], sign: float) -> dict[str, float]:
    """Means to rank by, the higher the better."""
    return {name: round(sign * mean, EQUAL) for name, mean in means.items()}


def _places(without: dict[str, float], full: dict[str, float], names: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Ranks among all systems with all judgments, and without some that these systems had."""
    before, after = (np.array([*values.values()]) for values in (full, without))
    return {name: (1 + int((before > full[name]).sum()), 1 + int((after > without[name]).sum())) for name in names}


def _chosen(losses: Iterable[Loss], measure: str, reading: str) -> list[Loss]:
    some = [one for one in losses if (one.measure, one.unjudged) == (measure, reading)]
    return sorted(some, key=lambda one: (-one.loss, one.run))


def _summary(measure: Measure, reading: str, losses: list[Loss], means: Means) -> Summary:
    some = _chosen(losses, str(measure), reading)
    full = means[str(measure), reading]
    without = {**full, **{one.run: one.without for one in some}}
    mean_loss, mean_score = float(np.mean([one.loss for one in some])), float(np.mean([one.score for one in some]))
    return Summary(
        measure=str(measure),
        unjudged=reading,
        left_out=len(some),
        systems=len(full),
        mean_loss=mean_loss,
        mean_relative=_share(mean_loss, mean_score),
        largest=some[0],
        smallest=some[-1],
        steepest=max(some, key=lambda one: abs(one.drop)),
        tau=kendall_b(_ordered(full), _ordered(without)),
    )


def _share(loss: float, score: float) -> float:
    return loss / abs(score) if score else np.nan


def _ordered(means: dict[str, float]) -> Floats:
    return np.round([*means.values()], EQUAL)


def _refuse(by: str, groups: Rule | None, readings: tuple[str, ...], wanted: tuple[Measure, ...]) -> None:
    if by not in ("run", "group"):
        raise InputError(f"by={by!r} is not a choice; take run or group")
    if by == "run" and groups is not None:
        raise InputError("groups= says which runs belong together; choose by='group' with it")
    for reading in readings:
        if reading not in READINGS:
            raise InputError(f"unjudged={reading!r} has no one score to lose; take one of {', '.join(READINGS)}")
    for measure in wanted:
        if measure.needs_pool:
            raise InputError(f"{measure} depends on the pool of all runs itself; choose another measure")


def _refuse_undefined(means: Means) -> None:
    for (measure, _), values in means.items():
        for name, mean in values.items():
            if np.isnan(mean):
                raise InputError(f"{measure} of {name} is undefined, so that it has no rank; choose no_relevant='zero'")
