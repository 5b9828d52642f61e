"""How large a difference is: in units of its spread, and in topics won."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.classes import dataclass
from truerank.statistics.paired import in_blocks, matrix, paired, steady, unvaried
from truerank.statistics.special import gamma_ratio


@dataclass(frozen=True, eq=False)
class Effects:
    """How far the first system of each pair is ahead of the second (systems x systems)."""

    difference: Floats
    """Mean of the first less mean of the second."""
    deviation: Floats
    """Standard deviation of the difference over topics; NaN from one topic."""
    d_z: Floats
    """Cohen's d_z: difference / deviation. NaN where only the difference is not 0, and a note says so."""
    g_z: Floats
    """Hedges' correction of d_z, which is too far from 0 with few topics."""
    d_av: Floats
    """difference / the mean standard deviation of both systems over topics."""
    superiority: Floats
    """Probability of superiority: the share of topics that the first wins, where equal ones count half."""
    wins: Rows
    ties: Rows
    losses: Rows
    notes: tuple[str, ...] = ()


def effects(scores: npt.ArrayLike) -> Effects:
    """Effect sizes of every pair of systems, from scores (systems x topics).

    d_z is what a paired test has to find: t = d_z sqrt(topics), and the topics needed follow from it (Cohen 1988). It
    is large where systems agree on which topics are hard. d_av has the spread of topics in the denominator, and
    compares with studies whose systems had topics of their own (Lakens 2013). g_z is d_z times
    Gamma(f/2) / (sqrt(f/2) Gamma((f-1)/2)), f = topics - 1 (Hedges 1981).

    >>> found = effects([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]])
    >>> found.d_z.round(4).tolist(), found.superiority.round(4).tolist(), found.wins.tolist()
    ([[0.0, -0.5], [0.5, 0.0]], [[0.5, 0.3333], [0.6667, 0.5]], [[0, 1], [2, 0]])
    """
    values = paired(scores)
    systems, topics = values.shape
    parts = [_pairs(difference) for difference in in_blocks(values)]
    mean, deviation, standard, won, lost = (np.concatenate(each) for each in zip(*parts, strict=True))
    first, second = np.triu_indices(systems, 1)
    spread = values.std(axis=1, ddof=1) if topics > 1 else np.full(systems, np.nan)
    average = (spread[first] + spread[second]) / 2
    d_av = np.divide(mean, average, out=np.where(mean == 0, 0.0, np.nan), where=average > 0)
    tied = topics - won - lost
    wins = matrix(systems, won, diagonal=0)
    losses = matrix(systems, lost, diagonal=0)
    above = np.triu(np.ones((systems, systems), dtype=bool))
    wins, losses = np.where(above, wins, losses), np.where(above, losses, wins)
    ties = matrix(systems, tied, diagonal=topics)
    return Effects(
        difference=matrix(systems, mean, mirrored=-1, diagonal=0),
        deviation=matrix(systems, deviation, diagonal=0),
        d_z=matrix(systems, standard, mirrored=-1, diagonal=0),
        g_z=matrix(systems, standard * _hedges(topics), mirrored=-1, diagonal=0),
        d_av=matrix(systems, d_av, mirrored=-1, diagonal=0),
        superiority=(wins + ties / 2) / topics,
        wins=wins.astype(np.intp),
        ties=ties.astype(np.intp),
        losses=losses.astype(np.intp),
        notes=_notes(values),
    )


def _pairs(difference: Floats) -> tuple[Array, ...]:
    """Mean, deviation, d_z, topics won and lost."""
    mean = difference.mean(axis=-1)
    same = steady(difference)
    one = difference.shape[1] == 1
    deviation = np.full(len(mean), np.nan) if one else np.where(same, 0.0, difference.std(axis=-1, ddof=1))
    standard = np.divide(mean, deviation, out=np.where(same, np.nan, 0.0), where=deviation > 0)
    return mean, deviation, standard, (difference > 0).sum(axis=-1), (difference < 0).sum(axis=-1)


def _hedges(topics: int) -> float:
    free = topics - 1
    if free < 2:
        return 0.0  # the factor's limit: from two topics nothing is known of the spread
    return float(gamma_ratio((free - 1) / 2) / np.sqrt(free / 2))


def _notes(values: Floats) -> tuple[str, ...]:
    systems, topics = values.shape
    if systems == 1:
        return ()
    if topics == 1:
        one = "there is one topic: the spread of differences is unknown, and so is their size in terms of it"
        return (one, *unvaried(values))
    two = ("with two topics Hedges' correction leaves nothing of an effect: g_z is 0",) if topics == 2 else ()
    return (*unvaried(values, "in units of its spread it has no bound and is left undefined"), *two)
