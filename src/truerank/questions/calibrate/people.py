"""From what people did to the parameters that make it likeliest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import number, one_of, positive, whole
from truerank.questions.calibrate.grid import NAMES, Grid, grid_of
from truerank.questions.calibrate.likelihood import of_clicks, of_preferences, of_reading
from truerank.questions.calibrate.observations import Observation, observed
from truerank.questions.calibrate.question import OBSERVATIONS_LEFT_OUT, FittedParameter
from truerank.statistics.intervals import Levels, ends
from truerank.track.facts import RunPart, observe
from truerank.track.lens import Lens
from truerank.track.track import Progress, Track
from truerank.track.values import values

_AT_ONCE = 1 << 22
"""Numbers of cases times observations that are worked on at once."""


@dataclass(frozen=True)
class ClusterDraws:
    """How intervals are made."""

    resamples: int
    confidence: float
    seed: int

    @classmethod
    def of(cls, resamples: int, confidence: float, seed: int) -> ClusterDraws:
        """Take these numbers, or refuse them."""
        number("confidence", confidence, least=0.5, most=0.999)
        whole("resamples", resamples, least=100)
        whole("seed", seed, least=0)
        return cls(resamples, confidence, seed)

    def weights(self, clusters: int) -> Floats:
        """How often each cluster is drawn, a row a case; the first has each once."""
        rng = np.random.default_rng(self.seed)
        drawn = rng.multinomial(clusters, np.full(clusters, 1.0 / clusters), size=self.resamples)
        return np.concatenate([np.ones((1, clusters)), drawn.astype(np.float64)])


@dataclass(frozen=True)
class PeopleData:
    """What people did, and the parameters that are to be fitted to it."""

    kind: str
    """"preferences", "clicks" or "reading"."""
    every: Sequence[Observation]
    parameters: tuple[str, ...]

    @classmethod
    def of(cls, given: Mapping[str, Any], seconds: float | None, parameter: Any) -> PeopleData | None:
        """The one kind that is given; None if there is none."""
        told = [name for name, data in given.items() if data is not None]
        names = (parameter,) if isinstance(parameter, str) else tuple(parameter)
        for name in names:
            one_of("parameter", name, NAMES)
        if not told:
            if names or seconds is not None:
                option = "parameter" if names else "seconds"
                raise InputError(f"{option} is about fitting to people; give preferences, clicks or reading, too")
            return None
        if len(told) > 1:
            raise InputError(f"give one of preferences, clicks and reading, not {' and '.join(told)}")
        [kind] = told
        every = observed(kind, given[kind])
        if seconds is not None:
            positive("seconds", seconds)
            if kind != "reading":
                raise InputError("seconds says how long a document takes to read; give it with reading")
            every = [replace(one, value=one.value / seconds) for one in every]
        return cls(kind, every, names)

    def refuse(self, aimed: bool, qrels: Any, run: Any) -> None:
        """Refuse a second way to decide parameters, and lists that are not given."""
        if aimed:
            raise InputError(f"pays_for or silence_at decides the parameter, and so do {self.kind}; give one of them")
        if qrels is None or run is None or (isinstance(run, (list, tuple)) and not run):
            raise InputError(f"{self.kind} are about lists of runs; give qrels and run, too")


@dataclass(frozen=True)
class Observations:
    """Observations with the numbers of their topics, runs and clusters."""

    kind: str
    every: tuple[Observation, ...]
    topic: Rows
    runs: Rows
    """A column for each list of an observation."""
    cluster: Rows
    clustered_by: str
    notices: tuple[Note, ...]

    @property
    def clusters(self) -> int:
        return int(self.cluster.max()) + 1

    @property
    def value(self) -> Floats:
        """What was observed, where that is a number."""
        return np.array([one.value for one in self.every], np.float64)


def located(track: Track, seen: PeopleData) -> Observations:
    """Find the topics and runs of observations; observations of topics that are not judged are left out."""
    kind, given = seen.kind, seen.every
    runs = {run.name: place for place, run in enumerate(track.runs)}
    topics = {name: place for place, name in enumerate(track.topics)}
    for one in given:
        for name in one.runs:
            if name not in runs:
                known = ", ".join(map(repr, [*runs][:5]))
                raise InputError(f"the {kind} name the run {name!r}, which is not given; there are {known}")
    kept = [one for one in given if one.topic in topics]
    if not kept:
        raise InputError(
            f"the {kind} and the judgments have no topic in common: one has {given[0].topic!r}, "
            f"the other {track.topics[0]!r}"
        )
    by_user = all(one.user for one in kept)
    names = [one.user if by_user else one.topic for one in kept]
    order = {name: place for place, name in enumerate(dict.fromkeys(names))}
    notices: tuple[Note, ...] = ()
    if len(kept) < len(given):
        notices = (OBSERVATIONS_LEFT_OUT(observations=len(given) - len(kept)),)
    return Observations(
        kind,
        tuple(kept),
        np.array([topics[one.topic] for one in kept], np.intp),
        np.array([[runs[name] for name in one.runs] for one in kept], np.intp),
        np.array([order[name] for name in names], np.intp),
        "user" if by_user else "topic",
        notices,
    )


class FittedMeasures(NamedTuple):
    """Measures with the parameters that make what people did likeliest."""

    measures: tuple[Measure, ...]
    """With values of four digits."""
    parameters: tuple[FittedParameter, ...]
    used: Observations
    draws: ClusterDraws
    notes: tuple[Note, ...]


def fitted(
    track: Track, seen: PeopleData, draws: ClusterDraws, *, shown: int, progress: Progress | None
) -> FittedMeasures:
    """The likeliest parameters of each measure, with intervals."""
    whole("shown", shown, least=1, most=1000)
    grids = [grid_of(measure, seen.parameters, reader=seen.kind != "preferences") for measure in track.measures]
    data = located(track, seen)
    weights = draws.weights(data.clusters)
    rows: list[FittedParameter] = []
    measures: list[Measure] = []
    for done, grid in enumerate(grids, 1):
        likely = _likelihoods(track, data, grid.measures(), weights, shown)
        places = grid.likeliest(likely.log)
        values_of = {axis.name: axis.value(float(places[at, 0])) for at, axis in enumerate(grid.axes)}
        measures.append(grid.with_values({name: float(f"{value:.4g}") for name, value in values_of.items()}))
        rows += _rows(track, data, grid, grid.with_values(values_of), places, draws, shown)
        if progress is not None:
            progress(str(grid.measure), done, len(grids))
    parts: list[RunPart] = [
        observe(lens, {str(measure): values(lens, measure) for measure in track.measures}) for lens in track.lenses()
    ]
    return FittedMeasures(tuple(measures), tuple(rows), data, draws, (*data.notices, *track.notes(parts)))


def _rows(
    track: Track,
    data: Observations,
    grid: Grid,
    measure: Measure,
    places: Floats,
    draws: ClusterDraws,
    shown: int,
) -> list[FittedParameter]:
    once = np.ones((1, data.clusters))
    two = _likelihoods(track, data, [measure, grid.measure], once, shown)
    each = len(data.every)
    levels = Levels(draws.confidence, max(data.clusters, 2), corrected=False)
    low, high = ends(places[:, 1:], places[:, :1], levels)
    rows = []
    for at, axis in enumerate(grid.axes):
        place = float(places[at, 0])
        rows.append(
            FittedParameter(
                measure=str(grid.measure),
                parameter=axis.name,
                value=axis.value(place),
                low=axis.value(min(float(low[at]), place)),
                high=axis.value(max(float(high[at]), place)),
                given=float(getattr(grid.measure.core, axis.name)),
                at_end=place in (float(axis.places[0]), float(axis.places[-1])),
                log_likelihood=float(two.log[0, 0]) / each,
                log_likelihood_given=float(two.log[1, 0]) / each,
                agrees=two.agrees[0],
                agrees_given=two.agrees[1],
                strength=two.strength[0],
            )
        )
    return rows


@dataclass(frozen=True, eq=False)
class Likelihoods:
    """How likely what was seen is, by measure."""

    log: Floats
    """Measures x cases."""
    agrees: tuple[float | None, ...]
    strength: tuple[float | None, ...]


def _likelihoods(
    track: Track, data: Observations, measures: Sequence[Measure], weights: Floats, shown: int
) -> Likelihoods:
    if data.kind == "preferences":
        return _by_preferences(track, data, measures, weights)
    nothing: tuple[None, ...] = (None,) * len(measures)
    lists = _lists(track, data, measures, shown)
    by_clicks = data.kind == "clicks"
    log = _by_clicks(data, lists, weights, shown) if by_clicks else _by_reading(data, lists, weights)
    return Likelihoods(log, nothing, nothing)


def _by_preferences(track: Track, data: Observations, measures: Sequence[Measure], weights: Floats) -> Likelihoods:
    scores = np.full((len(measures), len(track.runs), len(track.topics)), np.nan)
    for place in np.unique(data.runs).tolist():
        lens = track.lens(place)
        for at, measure in enumerate(measures):
            scores[at, place, lens.topics] = measure.sign * lens.estimate(measure).value
    one, other = (scores[:, data.runs[:, side], data.topic] for side in (0, 1))
    # Where a measure is undefined it tells nothing of two lists.
    difference = np.nan_to_num(one - other)
    preferred = data.value
    log, strength = np.empty((2, len(measures), len(weights)))
    at_once = max(_AT_ONCE // max(len(preferred), 1), 1)
    for first in range(0, len(weights), at_once):
        some = slice(first, first + at_once)
        log[:, some], strength[:, some] = of_preferences(difference, preferred, weights[some][:, data.cluster])
    sided = preferred != 0.5
    right = (np.sign(difference) == np.sign(preferred - 0.5)) + 0.5 * (difference == 0)
    agrees = tuple(float(row[sided].mean()) if sided.any() else None for row in right)
    return Likelihoods(log, agrees, tuple(float(row[0]) for row in strength))


@dataclass(frozen=True, eq=False)
class ShownLists:
    """Lists that people were shown, down to some rank."""

    of: Rows
    """The list of each observation."""
    length: Rows
    grade: Floats
    """Lists x ranks; NaN where unjudged."""
    reached: Floats
    """Measures x lists x ranks: the chance that a reader comes there."""


def _lists(track: Track, data: Observations, measures: Sequence[Measure], shown: int) -> ShownLists:
    pairs, of = np.unique(np.stack([data.runs[:, 0], data.topic], axis=-1), axis=0, return_inverse=True)
    # Nobody reads past the end of a list.
    longest = max(int(np.diff(track.lens(run).whole.offsets).max()) for run in np.unique(pairs[:, 0]).tolist())
    deepest = shown if data.kind == "clicks" else int(min(max(np.ceil(data.value.max()), 1), longest)) + 1
    grade = np.full((len(pairs), deepest), np.nan)
    length = np.zeros(len(pairs), np.intp)
    for at, (run, topic) in enumerate(pairs.tolist()):
        found, length[at] = _grades(track.lens(run), topic, deepest, measures[0])
        grade[at, : len(found)] = found
    rank = np.arange(1, deepest + 1)
    reached = np.empty((len(measures), len(pairs), deepest))
    for place, measure in enumerate(measures):
        core: Any = measure.core
        weight = core.weight().at(rank)
        reached[place] = weight / weight[0]
        if core.reader_stops:
            gain = measure.gain(track.lens(0).pool)(np.where(grade > 0, grade, 0.0)) * (grade > 0)
            left = np.ones(grade.shape)
            np.cumprod(1.0 - gain[:, :-1], axis=-1, out=left[:, 1:])
            reached[place] *= left
    return ShownLists(of.ravel(), length, grade, reached)


def _grades(lens: Lens, topic: int, deepest: int, measure: Measure) -> tuple[Floats, int]:
    """Grades of a list by rank, tied documents in the order that people would have been shown."""
    order = lens.conventions.order
    ties = order if order in lens.orders else "docid"
    for block in lens.rankings(measure, ties=ties, unjudged="nonrelevant"):
        rows = np.flatnonzero(block.topic == topic)
        if len(rows):
            [row] = rows.tolist()
            found = np.full(deepest, np.nan)
            listed = (block.start[row] <= min(deepest, int(block.length[row]))) & (block.judgment[row] >= 0)
            found[block.start[row][listed] - 1] = block.grade[row][listed]
            return found, int(block.length[row])
    return np.empty(0), 0


def _by_clicks(data: Observations, lists: ShownLists, weights: Floats, shown: int) -> Floats:
    ranks = np.arange(shown)
    length = np.minimum(lists.length[lists.of], shown)
    there = ranks < length[:, None]
    clicked = np.zeros(there.shape)
    for at, one in enumerate(data.every):
        for rank in one.value:
            if rank > length[at]:
                raise InputError(
                    f"rank {rank} of run {one.runs[0]!r} was clicked for topic {one.topic}, of which {length[at]} "
                    "documents were shown; say how many with shown="
                )
            clicked[at, rank - 1] = 1.0
    observation, rank = np.nonzero(there)
    where = lists.of[observation]
    grade = lists.grade[where, rank]
    kind = np.unique(np.where(np.isnan(grade), -np.inf, np.maximum(grade, 0.0)), return_inverse=True)[1].ravel()
    examined = lists.reached[:, where, rank]
    ones = np.ones(len(observation))
    return of_clicks(examined, kind, data.cluster[observation], ones, clicked[observation, rank], weights)


def _by_reading(data: Observations, lists: ShownLists, weights: Floats) -> Floats:
    going_on = np.divide(
        lists.reached[:, :, 1:],
        lists.reached[:, :, :-1],
        out=np.zeros(lists.reached[:, :, 1:].shape),
        where=lists.reached[:, :, :-1] > 0,
    )
    longest = lists.reached.shape[-1]
    read = np.clip(np.ceil(data.value), 1, longest).astype(np.intp)
    return of_reading(going_on, lists.of, read, lists.length[lists.of], data.cluster, weights)
