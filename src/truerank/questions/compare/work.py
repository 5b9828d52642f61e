"""What is looked at in each run, and the comparison that follows."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.io.runs import Named, named_runs
from truerank.measures.core.base import Measure
from truerank.measures.grammar import parse_all
from truerank.questions.compare.answer import Comparison, MeasureComparison
from truerank.questions.compare.gates import Gate, gates, outcomes
from truerank.questions.compare.settings import CompareSettings
from truerank.questions.compare.settled import Pair, PairBounds, checks, elsewhere
from truerank.questions.compare.settled import look as look_at_pair
from truerank.questions.compare.statistics import ScoreMatrix, asked, compared
from truerank.questions.compare.words import left_out
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import Values, values

FEW = 10
"""Pairs up to which other readings of the data are tried without being asked for."""


@dataclass(frozen=True, kw_only=True)
class ComparePlan:
    """What is compared with what, and how: everything that can be refused before a file is read."""

    settings: CompareSettings
    measures: tuple[Measure, ...]
    runs: tuple[Named, ...]
    baselines: tuple[int, ...] | None
    """Numbers of the runs that others are compared with; None where all are compared with each other."""
    gates: tuple[Gate, ...]
    settled: bool
    """Whether pairs are compared again under other readings of the data."""
    depths: tuple[int, ...] | None
    """Other depths to compare at; None for half and twice that of the measure."""

    @classmethod
    def of(
        cls,
        settings: CompareSettings,
        runs: Any,
        measures: Any,
        *,
        baseline: str | Iterable[str] | None,
        gate: str | Iterable[str] | None,
        settled: bool | None,
        depths: int | Iterable[int] | None,
    ) -> ComparePlan:
        """Take what callers give, and refuse what cannot work."""
        needed("scipy.special", f"a comparison by {settings.title}")
        wanted = parse_all(measures)
        for measure in wanted:
            if not measure.averages:
                raise InputError(f"{measure} is no mean over topics, and tests compare means; choose another measure")
        wanted_gates = gates(gate, settings.alpha, wanted)
        names = _baselines(baseline)
        named = _with_baselines(named_runs(runs), names or ())
        if len(named) < 2:
            raise InputError("a comparison is of two runs or more, and there is one; give another")
        if names is None and wanted_gates:
            names = [named[0].name]
        places = None if names is None else _places(named, names)
        pairs = asked(len(named), places)
        return cls(
            settings=settings,
            measures=wanted,
            runs=tuple(named),
            baselines=places,
            gates=wanted_gates,
            settled=len(pairs) <= FEW if settled is None else settled,
            depths=None if depths is None else _depths(depths),
        )

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs to compare."""
        return asked(len(self.runs), self.baselines)

    @property
    def elsewhere(self) -> dict[str, tuple[Measure, ...]]:
        """By measure, the same at other depths."""
        return {str(measure): elsewhere(measure, self.depths) if self.settled else () for measure in self.measures}


def _baselines(baseline: str | Iterable[str] | None) -> list[str] | None:
    """The baselines that a caller names; None where all pairs are meant."""
    if baseline is None:
        return None
    names = [baseline] if isinstance(baseline, (str, os.PathLike)) else list(baseline)
    if not names:
        raise InputError("no baseline is named; name one, or leave baseline out to compare all pairs")
    return [os.fspath(name) for name in names]


def _with_baselines(named: list[Named], baselines: Sequence[str]) -> list[Named]:
    """The runs, and before them the baselines that are files which are not among them, read as the first run is."""
    new = [path for path in baselines if not any(_is(one, path) for one in named) and os.path.isfile(path)]
    return named_runs([*(Named("", path, named[0].options) for path in new), *named]) if new else named


def _places(named: Sequence[Named], baselines: Sequence[str]) -> tuple[int, ...]:
    """Numbers of the runs that are baselines, by name or by the path they are read from."""
    found = []
    for name in baselines:
        at = [at for at, one in enumerate(named) if one.name == name]
        at = at or [at for at, one in enumerate(named) if _is(one, name)]
        if not at:
            every = ", ".join(one.name for one in named)
            raise InputError(f"there is no run {name!r} to be the baseline; there are {every:.200}")
        found.append(at[0])
    return tuple(dict.fromkeys(found))


def _is(one: Named, name: str) -> bool:
    """Whether a run has a name, or is read from the file of that name."""
    if one.name == name:
        return True
    return isinstance(one.data, (str, os.PathLike)) and os.path.abspath(os.fspath(one.data)) == os.path.abspath(name)


def _depths(depths: int | Iterable[int]) -> tuple[int, ...]:
    found = (depths,) if isinstance(depths, int) else tuple(depths)
    for depth in found:
        if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
            raise InputError(f"a depth is a whole number from 1 on, not {depth!r}")
    return found


@dataclass(frozen=True, eq=False, kw_only=True)
class ComparePart(RunPart):
    """A run: its values, and those of its measures at other depths."""

    elsewhere: dict[str, dict[str, Values]]
    """By measure, by the measure at each other depth."""


def look(lens: Lens, measures: Sequence[Measure], *, elsewhere: dict[str, tuple[Measure, ...]]) -> ComparePart:
    """What is kept of a run."""
    found = {str(measure): values(lens, measure) for measure in measures}
    return ComparePart(
        **vars(observe(lens, found)),
        elsewhere={name: {str(other): values(lens, other) for other in some} for name, some in elsewhere.items()},
    )


def conclude(
    track: Track, parts: Sequence[ComparePart], plan: ComparePlan, progress: Progress | None = None
) -> Comparison:
    """Compare the runs by each measure, on the topics that count for all of them."""
    common = _common(track, parts)
    topics = np.flatnonzero(common)
    names = tuple(track.topics[topic] for topic in topics.tolist())
    open_: dict[Pair, PairBounds] = {}
    if plan.settled:
        one = track if common.all() else track.only(topics)
        found = one.pairs(look_at_pair, plan.pairs, progress=progress)
        open_ = dict(zip(plan.pairs, found, strict=True))
    comparisons = []
    for measure in track.measures:
        every = _matrix(track, [part.values[str(measure)] for part in parts])
        runs = tuple(part.run for part in parts)
        scores = ScoreMatrix(measure, runs, topics, names, every[:, topics])
        comparisons.append(_compared(track, parts, plan, scores, open_, progress))
    choice = track.conventions
    # Tests need values: where a measure has none, the topic is left out, also where NaN was chosen.
    counts_as = choice if choice.counts_undefined else replace(choice, no_relevant="skip")
    lost = [name for name, counts in zip(track.topics, common.tolist(), strict=True) if not counts]
    return Comparison(
        conventions=choice,
        wanted=track.measures,
        topics=names,
        runs=tuple(run.name for run in plan.runs),
        baselines=tuple(plan.runs[at].name for at in plan.baselines or ()),
        settings=plan.settings,
        comparisons=tuple(comparisons),
        gates=tuple(outcomes(plan.gates, comparisons)),
        notices=(*track.notes(parts, counts_as), *left_out(lost, "missing in some of them")),
    )


def _compared(
    track: Track,
    parts: Sequence[ComparePart],
    plan: ComparePlan,
    scores: ScoreMatrix,
    open_: dict[Pair, PairBounds],
    progress: Progress | None,
) -> MeasureComparison:
    found = compared(scores, plan.settings, plan.pairs, plan.baselines, progress)
    if not plan.settled:
        return found
    deeper = {
        other: _matrix(track, [part.elsewhere[found.measure][other] for part in parts])
        for other in parts[0].elsewhere[found.measure]
    }
    return replace(found, checks=checks(found, open_, deeper, plan.baselines))


def _common(track: Track, parts: Sequence[ComparePart]) -> Mask:
    """Which topics count for every run."""
    common = np.ones(len(track.topics), bool)
    for part in parts:
        common &= np.isin(np.arange(len(common)), part.values[str(track.measures[0])].topics)
    if not common.any():
        raise InputError("the runs have no judged topic in common; choose missing='empty' to compare them anyway")
    return common


def _matrix(track: Track, found: Sequence[Values]) -> Floats:
    """Values of runs x judged topics."""
    return np.stack([each.full(track.conventions, len(track.topics)) for each in found])
