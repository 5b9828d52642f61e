"""What is looked at in each run, and how many topics follow."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.io.groups import Grouping
from truerank.measures.core.base import Measure
from truerank.questions.design.question import Design, DesignPoint, DesignRow
from truerank.statistics.clusters import Clusters
from truerank.statistics.deviation import deviation_interval, pooled_deviation
from truerank.statistics.paired import complete
from truerank.statistics.power import anova_power, anova_topics, detectable, needed_topics, power_of, width_topics
from truerank.statistics.special import t_quantile
from truerank.track.facts import RunPart, observe
from truerank.track.groups import TopicGroups
from truerank.track.lens import Lens
from truerank.track.track import Track
from truerank.track.values import values

_ROUND = (10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 250, 300, 400, 500, 750)
"""Numbers of topics that people have, and the same times powers of ten."""


@dataclass(frozen=True)
class DesignAim:
    """What is to be found, and how surely."""

    difference: float
    systems: int
    power: float
    alpha: float
    width: float

    @classmethod
    def of(cls, difference: float, *, systems: int, power: float, alpha: float, width: float | None) -> DesignAim:
        """Refuse what cannot be found."""
        if not 0 < difference < math.inf:
            raise InputError(f"difference={difference!r}; give the difference that matters, above 0")
        if isinstance(systems, bool) or not isinstance(systems, int) or systems < 2:
            raise InputError(f"systems={systems!r}; give a whole number from 2 on")
        for name, value in (("power", power), ("alpha", alpha)):
            if not 0 < value < 1:
                raise InputError(f"{name}={value!r}; give a number between 0 and 1")
        if power <= alpha:
            raise InputError(f"power={power!r} is no more than alpha={alpha!r}, which chance has; give a higher one")
        if width is not None and not 0 < width < math.inf:
            raise InputError(f"width={width!r}; give a width above 0")
        return cls(difference, systems, power, alpha, 2 * difference if width is None else width)

    @property
    def strict(self) -> float:
        """The level that correction for all pairs leaves to the first."""
        return self.alpha / (self.systems * (self.systems - 1) / 2)

    def row(self, measure: str, found: Deviation) -> DesignRow:
        """How many topics it takes where differences vary so."""

        def topics(deviation: float) -> int:
            return int(needed_topics(self.difference, deviation, alpha=self.alpha, power=self.power))

        size, units = found.size, topics(found.deviation)
        at_hand = units if found.units is None else found.units
        ends = () if found.low is None or found.high is None else (topics(found.low), topics(found.high))
        return DesignRow(
            measure=measure,
            deviation=found.deviation,
            low=found.low,
            high=found.high,
            topics=math.ceil(units * size),
            topics_low=math.ceil(ends[0] * size) if ends else None,
            topics_high=math.ceil(ends[1] * size) if ends else None,
            topics_pairs=math.ceil(
                int(needed_topics(self.difference, found.deviation, alpha=self.strict, power=self.power)) * size
            ),
            topics_anova=math.ceil(
                anova_topics(
                    self.systems, self.difference, found.deviation / math.sqrt(2), alpha=self.alpha, power=self.power
                )
                * size
            ),
            topics_width=math.ceil(width_topics(self.width, found.deviation, confidence=1 - self.alpha) * size),
            groups=units if found.grouped else None,
            num_topics=found.topics,
            detectable=float(detectable(max(at_hand, 2), found.deviation, alpha=self.alpha, power=self.power)),
        )

    def points(self, measure: str, deviation: Deviation, row: DesignRow) -> Iterable[DesignPoint]:
        """What numbers of topics show, to twice those that it takes."""
        most = 2 * max(row.topics, row.topics_pairs, row.topics_anova)
        every = (tenth * each for tenth in (10**power for power in range(0, 12, 2)) for each in _ROUND)
        wanted = [each for each in every if each <= most and each / deviation.size >= 2]
        for topics in sorted({*wanted, row.topics}):
            units = max(topics / deviation.size, 2.0)
            half = float(t_quantile(units - 1, self.alpha / 2)) * deviation.deviation
            own, strict = (
                float(power_of(units, self.difference, deviation.deviation, alpha=level))
                for level in (self.alpha, self.strict)
            )
            yield DesignPoint(
                measure=measure,
                topics=topics,
                power=own,
                detectable=float(detectable(units, deviation.deviation, alpha=self.alpha, power=self.power)),
                width=float(2 * half / math.sqrt(units)),
                power_pairs=strict,
                power_anova=float(
                    anova_power(
                        units, self.systems, self.difference, deviation.deviation / math.sqrt(2), alpha=self.alpha
                    )
                ),
            )

    def answer(self, choice: Conventions, found: dict[str, Deviation], **more: object) -> Design:
        """Rows and curves of all measures."""
        rows = {name: self.row(name, one) for name, one in found.items()}
        return Design(
            conventions=choice,
            difference=self.difference,
            systems=self.systems,
            power=self.power,
            alpha=self.alpha,
            width=self.width,
            found=tuple(rows.values()),
            points=tuple(point for name, one in found.items() for point in self.points(name, one, rows[name])),
            **more,  # type: ignore[arg-type]
        )


@dataclass(frozen=True)
class Deviation:
    """How far differences of two systems vary over what is drawn."""

    deviation: float
    low: float | None = None
    """Where the 95% interval begins; None if the deviation was given, or comes from fewer than five topics."""
    high: float | None = None
    units: int | None = None
    """How many topics, or groups, there are."""
    topics: int | None = None
    grouped: bool = False

    @property
    def size(self) -> float:
        """Topics of a group, on average; 1 where topics are drawn."""
        return self.topics / self.units if self.grouped and self.topics and self.units else 1.0


def given_deviation(
    aim: DesignAim, deviation: float | None, choice: Conventions, *, pilot: bool, group: bool
) -> Design:
    """The answer where no runs are looked at."""
    if deviation is None:
        what = "runs" if pilot else "judgments and runs"
        raise InputError(f"how far differences vary is not known; give {what} that show it, or a deviation such as 0.2")
    if pilot or group:
        raise InputError(
            "the deviation is given, and there is nothing to look at for it; leave out files, or deviation"
        )
    if not 0 < deviation < math.inf:
        raise InputError(f"deviation={deviation!r}; give a standard deviation above 0")
    return aim.answer(choice, {"given": Deviation(deviation)})


def score_run(lens: Lens, measures: Sequence[Measure]) -> RunPart:
    """What is kept of a run."""
    return observe(lens, {str(measure): values(lens, measure) for measure in measures})


def summarise(track: Track, parts: Sequence[RunPart], aim: DesignAim, groups: Grouping | None) -> Design:
    """How far differences of the runs vary, and how many topics follow."""
    if len(parts) < 2:
        raise InputError(
            "how far systems differ takes two runs or more, and there is one; give another, or a deviation"
        )
    count, choice, found = len(track.topics), track.conventions, {}
    for measure in track.measures:
        name = str(measure)
        if not measure.averages:
            raise InputError(f"{measure} is no mean over topics, and tests compare means; choose another measure")
        scores = complete(np.stack([part.values[name].full(choice, count) for part in parts]))
        clusters = None
        if groups is not None:
            kept = np.flatnonzero(scores.kept)
            clusters = Clusters(TopicGroups.of(groups, track.topics, kept).number[kept])
        found[name] = _deviation(name, scores.scores, clusters)
    return aim.answer(choice, found, wanted=track.measures, topics=track.topics, notices=track.notes(parts))


def _deviation(measure: str, scores: Floats, clusters: Clusters | None) -> Deviation:
    """Pooled over all pairs, with its interval by as many topics, or groups, as there are."""
    drawn = scores if clusters is None else clusters.of(scores)
    units = drawn.shape[1]
    if units < 2:
        what = "topic" if clusters is None else "group"
        raise InputError(f"how far differences vary takes two {what}s or more, and {measure} has {units}; give more")
    deviation = pooled_deviation(drawn)
    if not deviation:
        raise InputError(f"runs do not differ otherwise on one topic than on others by {measure}; give other runs")
    low, high = deviation_interval(drawn) or (None, None)
    return Deviation(deviation, low, high, units, scores.shape[1], clusters is not None)
