"""Two-way analysis of variance: systems, topics, and what neither explains."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Rows
from truerank.data.classes import dataclass
from truerank.statistics.paired import constant, paired
from truerank.statistics.special import f_tail


@dataclass(frozen=True)
class VarianceSource:
    """A line of the table: where variation comes from."""

    squares: float
    """Sum of squares."""
    freedom: int
    """Degrees of freedom."""
    f: float
    """Mean square over that of the error; NaN where it is undefined, and a note says why."""
    p: float
    """Chance of such an f or a higher one, were there no such differences."""

    @property
    def mean_square(self) -> float:
        """Sum of squares for each degree of freedom; NaN if there is none."""
        return self.squares / self.freedom if self.freedom else math.nan


@dataclass(frozen=True)
class Anova:
    """The analysis of scores of systems on topics, one score for each system and topic."""

    systems: VarianceSource
    topics: VarianceSource
    error: VarianceSource
    """What is left over: some systems are better at some topics than at others, and chance. It has no f, and p 1."""
    notes: tuple[str, ...] = ()


def anova(scores: npt.ArrayLike) -> Anova:
    """Two-way analysis of variance without replication, from scores (systems x topics).

    F = mean square of systems / mean square of the error, with systems - 1 and (systems - 1)(topics - 1) degrees of
    freedom, likewise for topics (Fisher 1925; for retrieval Tague-Sutcliffe & Blustein 1995). It asks whether all
    systems have the same mean; which of them differ is a matter for Tukey's test.

    >>> found = anova([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]])
    >>> found.systems.freedom, round(found.systems.f, 4), round(found.systems.p, 4)
    (1, 0.75, 0.4778)
    """
    values = paired(scores)
    systems, topics = values.shape
    grand = values.mean()
    left, free = residual(values)
    between_systems = topics * float(((values.mean(axis=1) - grand) ** 2).sum())
    between_topics = systems * float(((values.mean(axis=0) - grand) ** 2).sum())
    if constant(values.mean(axis=0)[None]).all():
        between_topics = 0.0
    if constant(values.mean(axis=1)[None]).all():
        between_systems = 0.0
    error = VarianceSource(left, free, math.nan, 1.0)
    return Anova(
        _source(between_systems, systems - 1, error),
        _source(between_topics, topics - 1, error),
        error,
        _notes(systems, topics, left, between_systems),
    )


def same_means(scores: npt.ArrayLike) -> float:
    """The p of the same analysis that all systems have one mean, where some of them go together.

    The analysis takes any two systems to be as much alike as any two others. Runs that list the same documents are more
    so, and then it calls differences of chance significant two or three times as often as said. Both degrees of freedom
    are multiplied by how evenly the covariance of systems is spread, at most 1 (Box 1954; Greenhouse & Geisser 1959).

    >>> round(same_means([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]]), 4)
    0.4778
    """
    values = paired(scores)
    found = anova(values).systems
    apart = np.cov(values - values.mean(axis=0))
    squares = float((apart**2).sum())
    if math.isnan(found.f) or not squares:
        return found.p
    freedom = min(float(np.trace(apart)) ** 2 / squares, found.freedom)
    return float(f_tail(freedom, freedom * (values.shape[1] - 1), found.f))


@dataclass(frozen=True)
class VarianceComponent:
    """A source of variance by name, with its component."""

    name: str
    source: VarianceSource
    variance: float
    """What it adds to the variance of one score; below 0 where there is less than chance has."""
    chance: bool = False
    """Whether it is what is left over, which has no F."""


def sources(scores: npt.ArrayLike, system: Rows | None = None) -> list[VarianceComponent]:
    """Where the variance of scores (runs x topics) comes from; ``system`` is the system of each run, by number.

    Without it each run is a system, and the components are those of the two-way analysis: (MS - MSE) over how many
    scores have that system, or that topic, in common. With several runs of a system, runs are drawn as topics are:
    what systems and topics leave over is their interaction, runs of a system differ in their means, the rest is left.
    F of systems is then over the sum of what topics and runs would make of it, less what is in both, with degrees of
    freedom by Satterthwaite; of systems with unequal numbers of runs it takes the harmonic mean of these.

    >>> [(one.name, round(one.variance, 4)) for one in sources([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]])]
    [('systems', -0.0017), ('topics', 0.02), ('error', 0.02)]
    """
    values = paired(scores)
    number = np.arange(len(values)) if system is None else system
    means = np.stack([values[number == one].mean(axis=0) for one in range(int(number.max()) + 1)])
    found, (systems, topics) = anova(means), means.shape
    left = found.error.mean_square
    of_topics = VarianceComponent("topics", found.topics, (found.topics.mean_square - left) / systems)
    if len(values) == len(means):
        return [
            VarianceComponent("systems", found.systems, (found.systems.mean_square - left) / topics),
            of_topics,
            VarianceComponent("error", found.error, left, chance=True),
        ]
    inside = values.mean(axis=1) - means.mean(axis=1)[number]
    rest = values - means[number] - inside[:, None]
    free = len(values) - systems
    error = VarianceSource(float((rest**2).sum()), free * (topics - 1), math.nan, 1.0)
    runs = _source(topics * float((inside**2).sum()), free, error)
    sizes = np.bincount(number)
    several = sizes[sizes > 1]
    each = len(sizes) / float((1.0 / sizes).sum())
    # Systems of one run add nothing that is known.
    share = len(several) / len(sizes)
    by_runs, both = share * runs.mean_square / each, share * error.mean_square / each
    by_chance = max(left + by_runs - both, left)
    parts = ((left, found.error.freedom), (by_runs, free), (both, error.freedom))
    squares = sum(part**2 / degrees for part, degrees in parts if degrees)
    tested = VarianceSource(found.systems.squares, found.systems.freedom, math.nan, 1.0)
    if by_chance > 0 and squares > 0:
        f = found.systems.mean_square / by_chance
        chance = f_tail(tested.freedom, by_chance**2 / squares, f)
        tested = VarianceSource(tested.squares, tested.freedom, f, float(chance))
    return [
        VarianceComponent("systems", tested, (tested.mean_square - by_chance) / topics),
        of_topics,
        VarianceComponent("systems x topics", found.error, left - both / max(share, 1e-300), chance=True),
        VarianceComponent("runs", runs, (runs.mean_square - error.mean_square) / topics),
        VarianceComponent("error", error, error.mean_square, chance=True),
    ]


def residual(values: Floats) -> tuple[float, int]:
    """Sum of squares that systems and topics leave over, and its degrees of freedom."""
    systems, topics = values.shape
    free = (systems - 1) * (topics - 1)
    if constant(values - values[:1]).all():
        return 0.0, free
    rest = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    return float((rest**2).sum()), free


def _source(squares: float, freedom: int, error: VarianceSource) -> VarianceSource:
    if not freedom or not error.freedom:
        return VarianceSource(squares, freedom, math.nan, 1.0)
    if not squares:
        return VarianceSource(squares, freedom, 0.0, 1.0)
    if not error.squares:
        return VarianceSource(squares, freedom, math.inf, 0.0)
    f = squares / freedom / error.mean_square
    return VarianceSource(squares, freedom, f, float(f_tail(freedom, error.freedom, f)))


def _notes(systems: int, topics: int, error: float, between: float) -> tuple[str, ...]:
    if systems == 1 or topics == 1:
        one = "system" if systems == 1 else "topic"
        return (f"there is one {one}, and an analysis of variance needs two: F is undefined",)
    if error:
        return ()
    if between:
        return ("systems differ by the same for every topic, so that nothing is left over and F has no bound",)
    return ("no two systems differ on any topic",)
