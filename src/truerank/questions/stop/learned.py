"""Stop where what is still to come is expected to be worth nothing, as learned from curves of scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.measures.core.parameters import held, number
from truerank.questions.stop.rule import Rule, ScoreLists
from truerank.questions.stop.thresholds import SCALES, exponential

FEATURES = (
    "range",
    "z",
    "surprise",
    "drop",
    "bend",
    "contrast",
    "top",
    "skewness",
    "kurtosis",
    "tenth",
    "length",
)
"""In the order of the columns of ``features``."""
PENALTY = 1.0
"""Of the ridge regression, in terms of the variance of a feature."""
FAR = 3.0
"""Standard deviations beyond which a feature is as far out as can be: few lists are like that, to learn from."""

Column = tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class LearnedRule(Rule):
    """Cut where the expected worth of the list is highest.

    A document is expected to add to a list the mean of what documents of its rank add, and more or less of their
    standard deviation by how the curve of scores differs there from what it usually is: a ridge regression on
    ``FEATURES``, each in standard deviations from its mean at the rank. Where scores tell nothing it is the best fixed
    length. The idea, that the distribution of scores says where to stop and that this can be learned for any measure,
    is that of BiCut (Lien, Cohen & Croft 2019), Choppy (Bahri, Tay, Zheng, Metzler & Tomkins 2020) and AttnCut (Wu,
    Zhang, Guo, Fan & Cheng 2021), which are neural networks.
    """

    starts: tuple[int, ...]
    """First rank of each bin of ranks; the last has no end."""
    mean: Column
    """What a document adds, by bin."""
    spread: Column
    """Its standard deviation."""
    centre: tuple[Column, ...]
    """Mean of each feature, by bin."""
    width: tuple[Column, ...]
    """Standard deviation of each feature, by bin."""
    weights: Column
    """Of the features."""

    name = "learned"

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("starts", "mean", "spread", "weights"):
            object.__setattr__(self, name, _numbers(name, getattr(self, name)))
        for name in ("centre", "width"):
            rows = getattr(self, name)
            if not isinstance(rows, (list, tuple)):
                raise InputError(f"{name} is a list of lists of numbers, not {rows!r:.40}")
            object.__setattr__(self, name, tuple(_numbers(name, row) for row in rows))
        count, size = len(self.starts), len(FEATURES)
        right = [len(self.mean), len(self.spread), len(self.centre), len(self.width)] == [count] * 4
        right &= all(len(row) == size for row in (*self.centre, *self.width, self.weights))
        if not count or not right:
            raise InputError(f"a learned rule has a number for each bin of ranks, or for each of {size} features a bin")
        if self.starts[0] != 1 or any(b <= a for a, b in zip(self.starts, self.starts[1:], strict=False)):
            raise InputError("starts are ranks that begin with 1 and grow")

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> LearnedRule:
        """The means of each bin of ranks, and the ridge regression, in closed form."""
        every = lists.once(features)
        x = np.concatenate([np.empty((0, len(FEATURES))), *(every[topic] for topic in topics.tolist())])
        y = np.concatenate([np.zeros(0), *(_adds(lists, values, topic) for topic in topics.tolist())])
        starts = bins(int(lists.whole[topics].max(initial=0)))
        place = np.concatenate([np.zeros(0, np.intp), *(_bin(starts, n) for n in lists.whole[topics].tolist())])
        mean, spread = _moments(y, place, len(starts))
        found = [_moments(column, place, len(starts)) for column in x.T]
        centre, width = np.array([m for m, _ in found]).T, np.array([s for _, s in found]).T
        t = _standard(y[:, None], mean[:, None], spread[:, None], place)[:, 0]
        z = _standard(x, centre, width, place)
        # A rank counts by how much its documents differ in worth. Not a product of matrices, whose sums depend on the
        # number of threads.
        weight = spread[place]
        weight = weight / (weight.sum() or 1.0)
        gram = np.einsum("ij,ik->jk", weight[:, None] * z, z) + PENALTY * np.eye(len(FEATURES))
        weights = np.linalg.solve(gram, np.einsum("ij,i->j", z, weight * t))
        return cls(
            starts=tuple(starts.tolist()),
            mean=tuple(mean.tolist()),
            spread=tuple(spread.tolist()),
            centre=tuple(map(tuple, centre.tolist())),
            width=tuple(map(tuple, width.tolist())),
            weights=tuple(weights.tolist()),
        )

    def cut(self, lists: ScoreLists) -> Rows:
        # A file may have whole numbers wherever there are numbers.
        learned = (self.mean, self.spread, self.centre, self.width, self.weights)
        mean, spread, centre, width, weights = (np.array(each, np.float64) for each in learned)
        starts = np.array(self.starts)
        found = np.zeros(len(lists), np.intp)
        for topic, (x, ends) in enumerate(zip(lists.once(features), lists.ends, strict=True)):
            place = _bin(starts, len(x))
            z = np.clip(_standard(x, centre, width, place), -FAR, FAR)
            worth = np.cumsum(mean[place] + spread[place] * np.einsum("ij,j->i", z, weights))
            found[topic] = np.append(0, ends)[np.argmax(np.append(0.0, worth[ends - 1]))]
        return found

    def __str__(self) -> str:
        return f"learned({len(self.starts)} bins of ranks)"

    def said(self) -> str:
        order = np.argsort(-np.abs(self.weights), kind="stable")[:3]
        most = ", ".join(f"{FEATURES[one]} ({self.weights[one]:+.2g})" for one in order if self.weights[one])
        text = "cuts where the expected worth is highest"
        return f"{text}, going by rank and above all {most}" if most else text


def _adds(lists: ScoreLists, values: Floats, topic: int) -> Floats:
    """What each document of a list adds; a group of equal scores does so in equal parts."""
    ends = np.append(0, lists.ends[topic])
    size = np.diff(ends)
    return np.repeat(np.diff(values[topic, ends]) / size, size)


def _bin(starts: Rows, length: int) -> Rows:
    """The bin of each rank of a list."""
    return np.searchsorted(starts, np.arange(1, length + 1), side="right") - 1


def _moments(values: Floats, place: Rows, count: int) -> tuple[Floats, Floats]:
    """Mean and standard deviation of the values of each bin; a standard deviation that is rounding is 0."""
    size = np.maximum(np.bincount(place, minlength=count), 1)
    mean = np.bincount(place, values, count) / size
    spread = np.sqrt(np.bincount(place, (values - mean[place]) ** 2, count) / size)
    return mean, np.where(spread > 1e-9 * np.abs(mean), spread, 0.0)


def _standard(x: Floats, centre: Floats, width: Floats, place: Rows) -> Floats:
    """Columns in standard deviations from the mean of their bin; 0 where nothing varies."""
    unit = width[place]
    # A file may have a width next to 0: what is infinitely far by it is cut off like all that is far.
    with np.errstate(over="ignore"):
        return np.divide(x - centre[place], unit, out=np.zeros_like(x), where=unit > 0)


def _numbers(name: str, values: object) -> tuple[float, ...]:
    if not isinstance(values, (list, tuple)):
        raise InputError(f"{name} is a list of numbers, not {values!r:.40}")
    for one in values:
        number(f"a value of {name}", one)
    return tuple(map(held, values))


def features(scores: Floats) -> Floats:
    """Features of a list, a row a document; those of a group of equal scores are those of its last document.

    - where the score stands: its share of the range, its distance from the mean in standard deviations, its surprise
      under an exponential tail
    - the drop to the next score and how much it differs from the one before, in terms of the mean drop
    - the contrast of the mean score down to here with the mean below, in standard deviations
    - of the whole list: how far its top score stands out, skewness and kurtosis of its scores, where the score at rank
      10 stands, and the logarithm of its length

    A list whose scores are all the same, or of fewer than two documents, has none but its length.

    >>> found = features(np.array([4.0, 2.0, 2.0, 1.0, 1.0]))
    >>> found.shape, found[:, FEATURES.index("range")].round(2).tolist()
    ((5, 11), [1.0, 0.33, 0.33, 0.0, 0.0])
    """
    count = len(scores)
    length = np.full(count, np.log(max(count, 1)))
    share, z = SCALES["range"](scores), SCALES["z"](scores)
    if not count or np.isinf(share[0]) or np.isinf(z[0]):
        return np.column_stack([*np.zeros((len(FEATURES) - 1, count)), length])
    rank = np.arange(1, count + 1)
    surprise = exponential(scores)
    # The drops of a list from its top to its lowest score add up to 1 here, and have a mean of 1 after this.
    drop = np.append(share[:-1] - share[1:], 0.0) * (count - 1)
    bend = np.append(0.0, drop[:-1]) - drop
    above = np.cumsum(z) / rank
    below = np.append((np.cumsum(z[::-1])[::-1])[1:] / rank[:-1][::-1], z[-1])
    whole = (z[0], (z**3).mean(), (z**4).mean(), share[min(9, count - 1)])
    local = (share, z, np.where(np.isinf(surprise), 0.0, surprise), np.log1p(drop), bend, above - below)
    found = np.column_stack([*local, *(np.full(count, one) for one in whole), length])
    return found[np.searchsorted(-scores, -scores, side="right") - 1]


def bins(ranks: int) -> Rows:
    """Ranks that are looked at together: up to ten each by itself, then about eight to a tenfold; where each begins.

    >>> bins(20).tolist()
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 19]
    """
    steps = np.rint(10 * 10 ** (np.arange(48) / 8)).astype(np.intp) + 1
    starts = np.concatenate([np.arange(1, 11), steps])
    return starts[starts <= max(ranks, 1)]
