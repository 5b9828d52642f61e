"""Whether systems are as good as each other: equivalent, or no worse, within a margin."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Array, Floats, Mask, Rows
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import brief
from truerank.statistics.bootstrap import t_as_far
from truerank.statistics.paired import LARGEST, NOISE, Sums, constant, in_blocks, matrix, paired, steady, unvaried
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


@dataclass(frozen=True)
class Guard:
    """What is allowed for besides the topics at hand: others, of a kind that is rare and not among them."""

    losses: float = 0.0
    """How much a topic may lose at least; the worst loss seen is always allowed for."""


def no_worse(
    scores: npt.ArrayLike,
    margin: float | Floats,
    *,
    test: str = "student",
    guard: Guard | None = None,
    **draws: Unpack[Drawing],
) -> WithinMargin:
    """Test of every pair whether the first is no worse than the second by ``margin``, from scores (systems x topics).

    What is to be rejected is that the mean of the first is lower by the margin or more, so that p is one-sided
    (non-inferiority, Blackwelder 1982). "student" is the t-test of differences plus the margin. "randomization" changes
    their signs, which is sound where differences lie as often so far above their mean as below it. "bootstrap" compares
    t with that of topics drawn with replacement, and takes skewed differences. A margin of 0 asks for better, one below
    0 for better by so much; an array has a margin for each topic, as where it is a share of what the second scores. A
    system that is worse by just the margin on every topic has p = 1; where nothing varies, p is that of the signs.

    None of these tests knows of topics that are rare and lose much, which may not be among those at hand. With a
    ``guard``, p is at least that of a bound that does: see ``safe_loss``.

    >>> no_worse([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.02).p.round(4).tolist()
    [[0.0, 0.0288], [0.0509, 0.0]]
    """
    values = paired(scores)
    _checked(margin)
    first, second = np.triu_indices(len(values), 1)
    p = np.full((len(values), len(values)), 0.0 if np.mean(margin) > 0 else 1.0)
    (p[first, second], p[second, first]), notes, how = _both_ways(values, margin, test, guard, Draws(**draws))
    return WithinMargin("no worse", test, float(np.mean(margin)), p, notes, how)


def equivalent(
    scores: npt.ArrayLike,
    margin: float | Floats,
    *,
    test: str = "student",
    guard: Guard | None = None,
    **draws: Unpack[Drawing],
) -> WithinMargin:
    """Test of every pair whether means differ by less than ``margin``, from scores (systems x topics).

    Two one-sided tests: p is the higher one of the first being no worse than the second, and the second than the first
    (TOST, Schuirmann 1987). By "student" it is below 0.05 just where the 90% interval of the difference by t lies
    within the margin; by the other tests nearly so.

    >>> equivalent([[0.30, 0.51, 0.29, 0.62], [0.31, 0.50, 0.30, 0.60]], 0.02).p.round(4).tolist()
    [[0.0, 0.0509], [0.0509, 0.0]]
    """
    values = paired(scores)
    _checked(margin)
    size = float(np.mean(margin))
    if not size > 0:
        raise InputError(
            f"margin={brief(margin)}; give a difference above 0: no two systems are the same to the last digit"
        )
    p, notes, how = _both_ways(values, margin, test, guard, Draws(**draws))
    return WithinMargin("equivalent", test, size, matrix(len(values), p.max(axis=0), diagonal=0.0), notes, how)


def safe_loss(
    differences: npt.ArrayLike, margin: float | Floats, *, alpha: float = 0.05, **draws: Unpack[Drawing]
) -> float:
    """How much a single topic may lose for it to be shown, at ``alpha``, that the mean is not worse by the margin.

    Topics weigh what a sample from all of them could: weights are drawn from the flat Dirichlet distribution over the
    topics at hand and one more, which loses as much as a topic can. The share of draws with a mean beyond the margin
    is p (Gaffke 2005, whose bound is not proved for every distribution, and not known to fail). Where all differences
    are 0, it is the binomial bound: a kind of topic that is missing among n may be ``unseen_share(n)`` of all, and its
    loss times that share has to stay below the margin.

    >>> round(safe_loss([0.0] * 50, 0.02), 1), round(0.02 / unseen_share(50), 1)
    (0.3, 0.3)
    """
    rows = np.atleast_2d(np.asarray(differences, dtype=np.float64)) + margin
    wanted = Draws(**draws)
    reach = np.concatenate(wanted.over(lambda part: _reach(rows, wanted, part)[0]))
    # Less than that is reached by fewer than alpha of the draws, which is what p is held against.
    place = math.ceil(alpha * len(reach)) - 1
    return float(np.partition(reach, place)[place] + np.mean(margin))


def unseen_share(topics: int, alpha: float = 0.05) -> float:
    """The share of all topics that may be of a kind of which none is among so many: more would have been seen.

    >>> round(unseen_share(50), 3)
    0.058
    """
    return float(1.0 - alpha ** (1.0 / topics))


def _checked(margin: float | Floats) -> None:
    """Refuse a margin that is no difference; one below 0 asks for more than not being worse."""
    if not np.all((margin >= -LARGEST) & (margin <= LARGEST)):
        raise InputError(f"margin={brief(margin)}; give a difference of at most {LARGEST:g}")


def _reach(rows: Floats, draws: Draws, part: slice) -> Floats:
    """How far below 0 one more topic would have to be to bring each row to 0, by weights drawn (rows x draws)."""
    weights = draws.generator(part).standard_exponential((part.stop - part.start, rows.shape[1] + 1))
    found: Floats = rows @ (weights[:, 1:] / weights[:, :1]).T
    return found


def _rare(rows: Floats, margin: float, guard: Guard, draws: Draws, part: slice) -> Rows:
    """Draws by which a topic that loses as much as the worst, or as the guard says, brings the mean to 0 or below."""
    worst = np.maximum(-rows.min(axis=-1), guard.losses - margin)
    counts: Rows = (_reach(rows, draws, part) <= worst[:, None]).sum(axis=-1)
    return counts


def _both_ways(
    values: Floats, margin: float | Floats, test: str, guard: Guard | None, draws: Draws
) -> tuple[Floats, tuple[str, ...], str]:
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
    # Where nothing varies, what is known is that so many signs are the same: no p below is worth more.
    p = np.where(_unvaried(values, margin), 2.0**-topics, p)
    if guard is not None:
        size, quiet = float(np.mean(margin)), replace(draws, progress=None)
        far = quiet.total(lambda part: _each(values, margin, lambda rows: _rare(rows, size, guard, quiet, part)))
        p = np.maximum(p, far / quiet.permutations)
    so = "" if test == "randomization" else "p is that of the signs, or 1"
    return p, (*notes, *unvaried(values, so)) if systems > 1 else (), how


def _unvaried(values: Floats, margin: float | Floats) -> Mask:
    """Whether differences, and so what is above the margin, are the same for every topic, and within it (2 x pairs)."""
    size = float(np.mean(margin))

    def fixed(rows: Floats) -> Mask:
        found: Mask = (steady(rows) & (rows[:, 0] > 0)) | ((rows == margin).all(axis=-1) & (size > 0))
        return found

    return _each(values, margin, fixed)


def _bootstrap(values: Floats, margin: float | Floats, draws: Draws) -> Floats:
    def work(part: slice) -> Rows:
        sums = Sums(draws.resamples(values.shape[1], part))
        return _each(values, margin, lambda rows: t_as_far(sums, rows, two_sided=False))

    fixed = _each(values, margin, lambda rows: np.where(constant(rows), rows[:, 0], np.nan))
    far = np.where(fixed > 0, 0, np.where(fixed <= 0, draws.permutations, draws.total(work)))
    return np.asarray((1.0 + far) / (1.0 + draws.permutations))


def _each(values: Floats, margin: float | Floats, of: Callable[[Floats], Array]) -> Array:
    """What ``of`` says of differences plus the margin, of each pair both ways (2 x pairs)."""
    noise = NOISE * max(float(np.abs(np.asarray(margin, np.float64)).max()), float(np.abs(values).max()))
    found = []
    for difference in in_blocks(values):
        rows = np.concatenate([difference, -difference]) + margin
        rows[np.abs(rows) <= noise] = 0.0
        found.append(of(rows).reshape(2, -1))
    return np.concatenate(found, axis=1)
