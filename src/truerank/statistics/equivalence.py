"""Whether systems are as good as each other: equivalent, or no worse, within a margin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import brief
from truerank.statistics.bootstrap import t_as_far
from truerank.statistics.paired import LARGEST, NOISE, Sums, constant, in_blocks, matrix, paired, unvaried
from truerank.statistics.randomization import Assignments, Drawing, Draws, as_far
from truerank.statistics.student import t_statistic

if TYPE_CHECKING:
    from typing_extensions import Unpack

WAYS = ("student", "randomization", "bootstrap")
"""Tests by which a difference may be held against a margin."""


@dataclass(frozen=True, eq=False)
class WithinMargin:
    """p-values of every pair of systems for a difference beyond a margin: a small p says that it is within."""

    question: str
    """Either "equivalent", the means differ by less than the margin; or "no worse", that of the first is not lower."""
    test: str
    margin: float
    p: Floats
    """Symmetric if the question is "equivalent"; otherwise ``p[i, j]`` is of system i being no worse than j."""
    notes: tuple[str, ...] = ()
    how: str = ""


def no_worse(scores: npt.ArrayLike, margin: float, *, test: str = "student", **draws: Unpack[Drawing]) -> WithinMargin:
    """Test of every pair whether the first is no worse than the second by ``margin``, from scores (systems x topics).

    What is to be rejected is that the mean of the first is lower by the margin or more, so that p is one-sided
    (non-inferiority, Blackwelder 1982). "student" is the t-test of differences plus the margin. "randomization" changes
    their signs, which is sound where differences lie as often so far above their mean as below it. "bootstrap" compares
    t with that of topics drawn with replacement, and takes skewed differences. A margin of 0 asks for better. A system
    that is worse by just the margin on every topic has p = 1.

    >>> no_worse([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.02).p.round(4).tolist()
    [[0.0, 0.0288], [0.0509, 0.0]]
    """
    values = paired(scores)
    if not 0 <= margin <= LARGEST:
        raise InputError(f"margin={brief(margin)}; give a difference from 0 to {LARGEST:g}")
    first, second = np.triu_indices(len(values), 1)
    p = np.full((len(values), len(values)), 0.0 if margin else 1.0)
    (p[first, second], p[second, first]), notes, how = _both_ways(values, float(margin), test, Draws(**draws))
    return WithinMargin("no worse", test, float(margin), p, notes, how)


def equivalent(
    scores: npt.ArrayLike, margin: float, *, test: str = "student", **draws: Unpack[Drawing]
) -> WithinMargin:
    """Test of every pair whether means differ by less than ``margin``, from scores (systems x topics).

    Two one-sided tests: p is the higher one of the first being no worse than the second, and the second than the first
    (TOST, Schuirmann 1987). By "student" it is below 0.05 just where the 90% interval of the difference by t lies
    within the margin; by the other tests nearly so.

    >>> equivalent([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.02).p.round(4).tolist()
    [[0.0, 0.0509], [0.0509, 0.0]]
    """
    values = paired(scores)
    if not 0 < margin <= LARGEST:
        raise InputError(
            f"margin={brief(margin)}; give a difference above 0 and up to {LARGEST:g}: no two systems are the same to "
            "the last digit"
        )
    p, notes, how = _both_ways(values, float(margin), test, Draws(**draws))
    return WithinMargin("equivalent", test, float(margin), matrix(len(values), p.max(axis=0), diagonal=0.0), notes, how)


def _both_ways(values: Floats, margin: float, test: str, draws: Draws) -> tuple[Floats, tuple[str, ...], str]:
    """One-sided p of each pair, of the first against the second and the other way round (2 x pairs); notes; how."""
    if test not in WAYS:
        raise InputError(f"test={test!r} cannot be held against a margin; take one of {', '.join(WAYS)}")
    systems, topics = values.shape
    if topics == 1:
        note = "there is one topic, and a margin needs two: p is 1 for every pair"
        return np.ones((2, systems * (systems - 1) // 2)), (note,) if systems > 1 else (), ""
    how = ""
    notes: tuple[str, ...] = ()
    if test == "student":
        stdtr = needed("scipy.special", "a t-test").stdtr
        p = _each(
            values, margin, lambda rows: np.where((rows == 0).all(axis=-1), 1.0, stdtr(topics - 1, -t_statistic(rows)))
        )
    elif test == "randomization":
        assignments = Assignments(topics, draws)

        def work(part: slice) -> Rows:
            sums = assignments.sums(part)
            return _each(values, margin, lambda rows: as_far(sums, rows, two_sided=False))

        p = assignments.share(work)
        notes, how = assignments.notes(sides=1), assignments.how
    else:
        p, how = _bootstrap(values, margin, draws), draws.samples
    so = "" if test == "randomization" else "p is at one of its ends"
    return p, (*notes, *unvaried(values, so)) if systems > 1 else (), how


def _bootstrap(values: Floats, margin: float, draws: Draws) -> Floats:
    def work(part: slice) -> Rows:
        sums = Sums(draws.resamples(values.shape[1], part))
        return _each(values, margin, lambda rows: t_as_far(sums, rows, two_sided=False))

    fixed = _each(values, margin, lambda rows: np.where(constant(rows), rows[:, 0], np.nan))
    far = np.where(fixed > 0, 0, np.where(fixed <= 0, draws.permutations, draws.total(work)))
    return np.asarray((1.0 + far) / (1.0 + draws.permutations))


def _each(values: Floats, margin: float, of: Callable[[Floats], Array]) -> Array:
    """What ``of`` says of differences plus the margin, of each pair both ways (2 x pairs)."""
    noise = NOISE * max(margin, float(np.abs(values).max()))
    found = []
    for difference in in_blocks(values):
        rows = np.concatenate([difference, -difference]) + margin
        rows[np.abs(rows) <= noise] = 0.0
        found.append(of(rows).reshape(2, -1))
    return np.concatenate(found, axis=1)
