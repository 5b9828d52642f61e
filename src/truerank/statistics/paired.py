"""Scores of systems on the same topics, all pairs at once: what tests of differences share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from truerank.data.arrays import Floats, Mask, Rows
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.parallel import blocks
from truerank.data.printing import counted


@dataclass(frozen=True, eq=False)
class Complete:
    """Scores (systems x topics) that are all finite, and what was left out for it."""

    scores: Floats
    kept: Mask
    """For each topic that was given, whether it is among the scores."""
    notes: tuple[str, ...] = ()


def complete(scores: npt.ArrayLike) -> Complete:
    """Leave out the topics that have no value for some system, for all systems, and say how many.

    Dropping them for one pair at a time would compare each pair on topics of its own, and the differences of three
    systems would no longer add up.

    >>> found = complete([[0.5, float("nan"), 0.2], [0.1, 0.3, 0.4]])
    >>> found.scores.tolist(), found.notes
    ([[0.5, 0.2], [0.1, 0.4]], ('1 topic of 3 is left out, where system 0 has no value',))
    """
    values = rectangular(scores)
    finite = np.isfinite(values)
    kept = np.asarray(finite.all(axis=0))
    if not kept.any():
        raise InputError(
            f"no topic has a value for all of {counted(len(values), 'system')}; leave out systems that lack topics"
        )
    lost = int((~kept).sum())
    if not lost:
        return Complete(values, kept)
    lacking = np.flatnonzero(~finite.all(axis=1))
    who = f"system {lacking[0]} has" if len(lacking) == 1 else f"one of {len(lacking)} systems has"
    verb = "is" if lost == 1 else "are"
    note = f"{counted(lost, 'topic')} of {len(kept):,} {verb} left out, where {who} no value"
    return Complete(values[:, kept], kept, (note,))


_COLUMNS = 32
_ALONE = 1 << 18
"""Multiplications up to which OpenBLAS keeps to the thread it was called from."""


class Sums:
    """Weighted sums over topics, of the same draws for one set of rows after the other.

    A product of matrices, cut so small that the library of linear algebra starts no threads of its own: those would
    be in the way of ours, and on a busy machine wait for each other.
    """

    def __init__(self, weights: Floats) -> None:
        draws, topics = weights.shape
        even = draws - draws % _COLUMNS
        self.rows = max(1, _ALONE // (topics * _COLUMNS))
        """How many rows are best asked for at once."""
        whole = weights[:even].reshape(-1, _COLUMNS, topics).transpose(0, 2, 1)
        rest = weights[even:].T[None]
        self._pieces = [np.ascontiguousarray(piece) for piece in (whole, rest) if piece.size]

    def of(self, rows: Floats) -> Iterator[Floats]:
        """The sums of each row under each draw (pieces x rows x draws of the piece).

        >>> [sums.tolist() for sums in Sums(np.array([[1.0, 1.0], [1.0, -1.0]])).of(np.array([[0.5, 0.25]]))]
        [[[[0.75, 0.25]]]]
        """
        for piece in self._pieces:
            yield np.matmul(rows, piece)

    def at_least(self, rows: Floats, least: Floats, *, two_sided: bool) -> Rows:
        """For how many draws the sum of each row is at least so much, or in two-sided terms so far from 0.

        >>> Sums(np.array([[1.0, 1.0], [-1.0, -1.0]])).at_least(np.ones((1, 2)), np.array([2.0]), two_sided=True)
        array([2])
        """
        found = np.zeros(len(rows), np.intp)
        for part in blocks(len(rows), self.rows):
            for sums in self.of(rows[part]):
                if two_sided:
                    np.abs(sums, out=sums)
                found[part] += tally(sums >= least[part, None])
        return found


def tally(found: Mask) -> Rows:
    """How many are found for each row (pieces x rows x draws of the piece)."""
    # As bytes they are added up several times as fast.
    counts: Rows = found.view(np.uint8).sum(axis=(0, 2), dtype=np.uint32).astype(np.intp)
    return counts


NOISE = 8 * np.finfo(np.float64).eps
"""Sums in another order differ by a few units in the last place; that is no difference between systems."""


_ROOM = 1 << 19
"""Numbers worked on at once."""


@dataclass(frozen=True, eq=False)
class PValues:
    """p-values of every pair of systems: symmetric, with 1 on the diagonal, never NaN."""

    test: str
    p: Floats
    notes: tuple[str, ...] = ()
    """What to know where the scores leave a test little to work with."""
    how: str = ""
    """How p was found, where there is more than one way: "10,000 assignments drawn with seed 0"."""
    least: float = 0.0
    """No pair could have had a smaller p, however far apart; 0 where there is no such bound."""
    direction: Floats | None = None
    """Sign of the test's own statistic, the first of a pair less the second; None where that is the mean difference."""

    def way(self, differences: Floats) -> Floats:
        """Sign of what the test looks at, of every pair, where the means differ so."""
        return np.sign(differences) if self.direction is None else self.direction


def p_values(
    test: str,
    values: Floats,
    p: npt.ArrayLike,
    *notes: str,
    so: str = "",
    how: str = "",
    least: float = 0.0,
    direction: Floats | None = None,
    rough: bool | None = None,
) -> PValues:
    """The p-values of pairs of ``values`` (systems x topics), in the order of ``matrix``, with what is to be said.

    ``so`` is what follows where a difference does not vary. Where few topics differ, tests of a pair say so: those that
    are ``rough`` there, and those that are not; None for others.
    """
    said = (
        (*notes, *unvaried(values, so), *(() if rough is None else sparse(values, rough=rough)))
        if len(values) > 1
        else ()
    )
    ways = None if direction is None else matrix(len(values), direction, mirrored=-1, diagonal=0)
    return PValues(test, matrix(len(values), p), said, how, least, ways)


def by_signs(topics: int) -> float:
    """p of systems of which one wins all of so many topics, from the signs alone: nothing smaller can be exact.

    >>> by_signs(2), by_signs(6)
    (0.5, 0.03125)
    """
    return 2.0 ** (1 - topics)


FEW = 5
"""Topics that differ up to which no exact test can find p below .05."""


def sparse(values: Floats, *, rough: bool) -> tuple[str, ...]:
    """What to know about pairs that differ on a few topics only.

    >>> sparse(np.array([[0.5] * 10, [0.5] * 9 + [0.1]]), rough=True)
    ('1 pair of systems differs on 5 topics or fewer, where no exact test finds p below .05; this one is rough there',)
    """
    if values.shape[1] <= FEW:
        return ()
    count = np.concatenate([(difference != 0).sum(axis=-1) for difference in in_blocks(values)])
    few = int(((count > 0) & (count <= FEW)).sum())
    if not few:
        return ()
    pairs = f"{counted(few, 'pair')} of systems {'differs' if few == 1 else 'differ'}"
    so = "; this one is rough there" if rough else ""
    return (f"{pairs} on {FEW} topics or fewer, where no exact test finds p below .05{so}",)


def differing(values: Floats) -> Floats:
    """On how many topics the systems of each pair differ, in the order of ``matrix``.

    >>> differing(np.array([[0.5, 0.2], [0.5, 0.1], [0.3, 0.1]])).tolist()
    [1.0, 2.0, 1.0]
    """
    none = [np.zeros(0)]
    found: Floats = np.concatenate(
        [*none, *((difference != 0).sum(axis=-1, dtype=np.float64) for difference in in_blocks(values))]
    )
    return found


def no_surer_than_signs(found: PValues, values: Floats, alpha: float) -> PValues:
    """The same p, where pairs that differ on too few topics for an exact test at ``alpha`` have at least that of signs.

    Were two systems alike, the m topics on which they differ could all have gone to either of them: with m topics of
    one sign an exact test has p = 2^(1 - m), and nothing smaller. A t-test may, since topics without a difference make
    the spread small: of 4 wins and 46 ties it has p = .044 where .125 is the least. So where 2^(1 - m) is not below
    ``alpha``, p is 2^(1 - m) at least, by every test; other pairs stay as they are.

    >>> values = np.zeros((2, 50))
    >>> values[0, :4] = 0.2, 0.3, 0.2, 0.3
    >>> no_surer_than_signs(PValues("student", matrix(2, [0.044])), values, 0.05).p.tolist()
    [[1.0, 0.125], [0.125, 1.0]]
    """
    systems, topics = values.shape
    few = int(np.floor(1.0 - np.log2(alpha)))
    least = least_by_signs(differing(values), alpha)
    short = least > 0
    if topics < 2 or not short.any():
        return found
    known = {note for rough in (True, False) for note in sparse(values, rough=rough)}
    notes = tuple(note for note in found.notes if note not in known)
    if topics <= few:
        note = f"with {counted(topics, 'topic')} even a system that wins all of them has p = {by_signs(topics):g}"
    else:
        pairs = counted(int(short.sum()), "pair")
        verb = "differs" if short.sum() == 1 else "differ"
        note = f"{pairs} of systems {verb} on {few} topics or fewer, too few for p below {alpha:g} by any test"
    if note not in notes:
        notes = (*notes, note)
    return replace(found, p=np.maximum(found.p, matrix(systems, least, diagonal=0.0)), notes=notes)


def least_by_signs(count: Floats, alpha: float) -> Floats:
    """The p that pairs have at least which differ on so many topics, where these are too few for ``alpha``; else 0.

    >>> least_by_signs(np.array([0.0, 4.0, 5.0, 6.0]), 0.05).tolist()
    [0.0, 0.125, 0.0625, 0.0]
    """
    least = 2.0 ** (1.0 - count)
    found: Floats = np.where((count > 0) & (least >= alpha), least, 0.0)
    return found


LARGEST = 1e140
"""Scores and margins up to which sums of squares are numbers."""


def paired(scores: npt.ArrayLike) -> Floats:
    """Scores as an array (systems x topics); refused where a system has no value for a topic.

    >>> paired([[0.5, 1], [0, 0]]).shape
    (2, 2)
    """
    values = rectangular(scores)
    if not np.isfinite(values).all():
        system, topic = np.argwhere(~np.isfinite(values))[0].tolist()
        raise InputError(
            f"system {system} has the score {values[system, topic]} for topic {topic}; give a finite number, "
            "or leave the topic out for all systems"
        )
    if (highest := float(np.abs(values).max())) > LARGEST:
        raise InputError(
            f"there is a score of {highest:g}, and up to {LARGEST:g} they can be compared; divide them all"
        )
    return values


def rectangular(scores: npt.ArrayLike) -> Floats:
    """Scores as an array (systems x topics), which may have NaN; in C order, since numpy's sums depend on it."""
    try:
        values = np.asarray(scores, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        values = np.zeros(0)
    if values.ndim != 2 or not values.size:
        raise InputError("systems are compared on the same topics; give one row a system and one column a topic")
    return values


def differences(values: Floats) -> Iterator[Floats]:
    """For each system its scores less those of each system after it (systems x topics), free of rounding noise.

    >>> [each.tolist() for each in differences(np.array([[0.1 + 0.2, 1.0], [0.3, 0.5]]))]
    [[[0.0, 0.5]], []]
    """
    for system, own in enumerate(values):
        yield apart(own, values[system + 1 :])


def apart(own: Floats, others: Floats) -> Floats:
    """Scores less others, free of rounding noise."""
    difference: Floats = own - others
    difference[np.abs(difference) <= NOISE * np.maximum(np.abs(own), np.abs(others))] = 0.0
    return difference


def in_blocks(values: Floats, room: int = _ROOM) -> Iterator[Floats]:
    """``differences`` of one system after the other, in the order of ``matrix``, many pairs at a time."""
    held: list[Floats] = []
    size = 0
    for difference in differences(values):
        held.append(difference)
        size += difference.size
        if size > room:
            yield np.concatenate(held)
            held, size = [], 0
    if held:
        yield np.concatenate(held)


def constant(values: Floats) -> Mask:
    """Tell for each row whether its values are all the same, but for rounding noise."""
    spread: Floats = values.max(axis=-1) - values.min(axis=-1)
    alike: Mask = spread <= NOISE * np.maximum(np.abs(values).max(axis=-1), 1.0)
    return alike


def steady(difference: Floats) -> Mask:
    """Tell for each row whether it is the same for every topic, and not 0: nothing varies, and nothing is equal."""
    found: Mask = constant(difference) & (difference != 0).any(axis=-1)
    return found


def unvaried(values: Floats, so: str = "") -> tuple[str, ...]:
    """What to know about pairs whose difference does not vary, and what follows for those that are not equal.

    >>> unvaried(np.array([[0.5, 0.5], [0.5, 0.5], [0.1, 0.1]]), "p is 0")
    ('1 pair of systems does not differ on any topic',
     'the difference is the same for every topic, so that nothing varies and p is 0: 2 pairs of systems')
    """
    equal = same = 0
    for difference in in_blocks(values):
        equal += int((difference == 0).all(axis=-1).sum())
        same += int(steady(difference).sum()) if so else 0
    notes = []
    if equal:
        notes.append(f"{counted(equal, 'pair')} of systems {'does' if equal == 1 else 'do'} not differ on any topic")
    if same:
        pair = counted(same, "pair")
        notes.append(f"the difference is the same for every topic, so that nothing varies and {so}: {pair} of systems")
    return tuple(notes)


def matrix(systems: int, p: npt.ArrayLike, *, mirrored: float = 1.0, diagonal: float = 1.0) -> Floats:
    """Values of each system with those after it, one system after the other, as a matrix.

    >>> matrix(3, [0.1, 0.2, 0.3]).tolist()
    [[1.0, 0.1, 0.2], [0.1, 1.0, 0.3], [0.2, 0.3, 1.0]]
    >>> matrix(2, [0.1], mirrored=-1, diagonal=0).tolist()
    [[0.0, 0.1], [-0.1, 0.0]]
    """
    result = np.full((systems, systems), float(diagonal))
    first, second = np.triu_indices(systems, 1)
    result[first, second] = p
    result[second, first] = mirrored * np.asarray(p) + 0.0  # no -0
    return result
