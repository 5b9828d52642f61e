"""Corrections for asking many questions at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import counted
from truerank.statistics.paired import PValues, matrix


def bonferroni(p: npt.ArrayLike) -> Floats:
    """Each p times how many there are, at most 1, of any shape (Bonferroni 1936, Dunn 1961).

    The chance of one false finding or more is at most alpha. Holm's correction promises the same and finds more.

    >>> bonferroni([0.01, 0.02, 0.4]).round(4).tolist()
    [0.03, 0.06, 1.0]
    """
    values = _p_values(p)
    return np.minimum(1.0, values * values.size)


def holm(p: npt.ArrayLike) -> Floats:
    """Holm's step-down correction, of any shape (Holm 1979).

    The smallest of m counts m times, the next m - 1 times, and so on, and none less than the one before. The chance of
    one false finding or more is at most alpha, whatever the tests have to do with each other.

    >>> holm([0.01, 0.02, 0.4]).round(4).tolist()
    [0.03, 0.04, 0.4]
    """
    values = _p_values(p)
    order = np.argsort(values, axis=None, kind="stable")
    counts = np.arange(values.size, 0, -1)
    return _back(np.maximum.accumulate(values.take(order) * counts), order, values)


def benjamini_hochberg(p: npt.ArrayLike) -> Floats:
    """Benjamini and Hochberg's step-up correction, of any shape (Benjamini & Hochberg 1995).

    The i-th smallest of m counts m / i times, and none more than the one after. Of what is found, at most a share of
    alpha is false on average: more is found than by Holm's correction, and less is promised.

    >>> benjamini_hochberg([0.01, 0.02, 0.4]).round(4).tolist()
    [0.03, 0.03, 0.4]
    """
    values = _p_values(p)
    order = np.argsort(values, axis=None, kind="stable")
    scaled = values.take(order) * values.size / np.arange(1, values.size + 1)
    return _back(np.minimum.accumulate(scaled[::-1])[::-1], order, values)


def uncorrected(p: npt.ArrayLike) -> Floats:
    """p as it is."""
    return np.array(_p_values(p))


CORRECTIONS: dict[str, Callable[[npt.ArrayLike], Floats]] = {
    "holm": holm,
    "bonferroni": bonferroni,
    "benjamini-hochberg": benjamini_hochberg,
    "none": uncorrected,
}
"""Corrections by name."""


@dataclass(frozen=True, eq=False)
class Corrected:
    """p-values of pairs of systems, corrected for the family of questions asked."""

    test: str
    correction: str
    p: Floats
    """Symmetric, with 1 on the diagonal; NaN for pairs outside the family, which were not asked about."""
    family: str
    """What was corrected for, in words: "6 pairs of 4 systems"."""
    tested: Mask
    """The pairs in the family."""
    size: int
    """How many questions it has; more than these pairs, where other measures belong to it."""
    significant: int
    """How many of all these have a corrected p below alpha."""
    notes: tuple[str, ...] = ()


def corrected(
    found: PValues,
    correction: str = "holm",
    *,
    baselines: Sequence[int] | None = None,
    alpha: float = 0.05,
    beside: Sequence[PValues] = (),
) -> Corrected:
    """Correct the p-values of a test for all its pairs, or for those with a baseline among them.

    ``baselines`` are positions of systems. ``beside`` are the same pairs tested by other measures, where what any of
    them finds is one family. Tests that allow for all pairs by themselves, Tukey's, need no correction: give "none";
    with others ``beside``, their p count as often as there are measures. Where the test could not have had a p small
    enough for ``alpha``, a note says so: of 8,256 pairs, none is significant by 10,000 permutations.

    >>> found = corrected(PValues("student", matrix(3, [0.01, 0.02, 0.4])), baselines=[0])
    >>> found.family, found.p.round(4).tolist()
    ('2 pairs with the baseline', [[1.0, 0.02, 0.02], [0.02, 1.0, nan], [0.02, nan, 1.0]])
    """
    if correction not in CORRECTIONS:
        raise InputError(f"correction={correction!r} is not known; take one of {', '.join(CORRECTIONS)}")
    systems = len(found.p)
    first, second = np.triu_indices(systems, 1)
    asked = np.ones(len(first), dtype=bool)
    family = f"{counted(len(first), 'pair')} of {counted(systems, 'system')}"
    if baselines is not None:
        if not baselines or not all(0 <= baseline < systems for baseline in baselines):
            raise InputError(f"baselines={list(baselines)!r}; give positions from 0 to {systems - 1}")
        chosen = np.zeros(systems, dtype=bool)
        chosen[list(baselines)] = True
        asked = chosen[first] | chosen[second]
        one = "the baseline" if chosen.sum() == 1 else f"one of {chosen.sum()} baselines"
        family = f"{counted(int(asked.sum()), 'pair')} with {one}"
    if beside:
        family += f" by {1 + len(beside)} measures"
    p = np.full(len(first), np.nan)
    every = np.stack([each.p[first, second][asked] for each in (found, *beside)])
    adjusted = CORRECTIONS[correction](every)
    if correction == "none":
        adjusted = np.minimum(1.0, adjusted * len(every))
    p[asked] = adjusted[0]
    tested = matrix(systems, asked, diagonal=0.0) > 0
    notes = (*found.notes, *_too_few(found, correction, every.size, alpha))
    significant = int((adjusted < alpha).sum())
    return Corrected(found.test, correction, matrix(systems, p), family, tested, every.size, significant, notes)


def _too_few(found: PValues, correction: str, asked: int, alpha: float) -> tuple[str, ...]:
    """Whether the smallest p there is would be too large after correction, and what to do about it."""
    if correction not in ("holm", "bonferroni") or not found.least < alpha < found.least * asked:
        return ()
    least = f"p is at least {found.least:.2g}, which {asked:,} pairs make {min(1.0, found.least * asked):.2g}"
    draw = f"draw {np.ceil(asked / alpha):,.0f} times or more, or " if " drawn " in found.how else ""
    todo = f"{draw}take a test that allows for all pairs, or fewer pairs"
    return (f"{least}: none can be significant at {alpha:g}; {todo}",)


def _back(adjusted: Floats, order: npt.NDArray[np.intp], values: Floats) -> Floats:
    result = np.empty(values.size)
    result[order] = np.minimum(1.0, adjusted)
    return result.reshape(values.shape)


def _p_values(p: npt.ArrayLike) -> Floats:
    values = np.asarray(p, dtype=np.float64)
    if not ((values >= 0) & (values <= 1)).all():
        raise InputError("p-values lie from 0 to 1; leave out those that are undefined")
    return values
