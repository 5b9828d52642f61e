"""What was said of each pair of documents: how often the one was found better, the other, or neither."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.data.arrays import Ints, Mask, Rows
from truerank.data.arrays import offsets as offsets_of
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences

REPEATED = ("each", "once", "majority")
"""What several judgments of a pair count as."""


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Every pair of documents that was compared, once, by topic and rows.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.prefer import prefer
    >>> found = Comparisons.of(prefer([b"q"], [0, 3], Ids.pack("aba"), Ids.pack("bab"), np.array([1, 1, 0])))
    >>> found.better.tolist(), found.worse.tolist(), found.equal.tolist()
    ([1], [1], [1])
    """

    first: Rows
    """A document, as a row of the preferences."""
    second: Rows
    """Another one, further down."""
    better: Rows
    """How often the first was found better."""
    worse: Rows
    """How often the second was."""
    equal: Rows
    """How often they were found equally good."""
    offsets: Rows
    """The pairs of topic t are offsets[t] to offsets[t + 1] - 1."""

    @classmethod
    def of(cls, preferences: Preferences, number: Rows | None = None) -> Comparisons:
        """Count judgments; ``number`` numbers the documents anew, those of a topic among themselves."""
        rows = np.concatenate([preferences.pairs, preferences.ties])
        if number is not None:
            rows = number[rows]
        low, high = rows.min(axis=1, initial=len(preferences)), rows.max(axis=1, initial=0)
        said = np.where(np.arange(len(rows)) >= len(preferences.pairs), 2, (rows[:, 0] != low).astype(np.int64))
        pair = low * max(len(preferences), 1) + high
        order = np.argsort(pair, kind="stable")
        new = np.ones(len(order), np.bool_)
        new[1:] = pair[order[1:]] != pair[order[:-1]]
        counts = np.bincount(3 * (np.cumsum(new) - 1) + said[order], minlength=3 * int(new.sum())).reshape(-1, 3)
        first = low[order[new]]
        # Documents of a topic are numbered side by side, so that pairs are in the order of topics.
        bounds = np.searchsorted(first, preferences.offsets)
        return cls(first, high[order[new]], counts[:, 0], counts[:, 1], counts[:, 2], bounds)

    @property
    def times(self) -> Rows:
        """How often each pair was judged."""
        return self.better + self.worse + self.equal

    @property
    def margin(self) -> Rows:
        """How many more judgments find the first better than find the second better."""
        return self.better - self.worse


def settled(preferences: Preferences, repeated: str) -> Preferences:
    """Preferences with several judgments of a pair settled.

    "each" of them counts; or each that is different counts "once"; or the one that the "majority" gave, which is a tie
    where no one of better, worse and equal was said more often than both others.

    >>> from truerank.data.ids import Ids
    >>> from truerank.data.prefer import prefer
    >>> given = prefer([b"q"], [0, 3], Ids.pack("aba"), Ids.pack("bab"))
    >>> [settled(given, how).pairs.tolist() for how in REPEATED]
    [[[0, 1], [1, 0], [0, 1]], [[0, 1], [1, 0]], [[0, 1]]]
    """
    if repeated not in REPEATED:
        raise InputError(f"repeated={repeated!r} is not a choice; take one of {', '.join(REPEATED)}")
    if repeated == "each":
        return preferences
    found = Comparisons.of(preferences)
    if repeated == "once":
        return _with(preferences, found, found.better > 0, found.worse > 0, found.equal > 0)
    better = found.better > np.maximum(found.worse, found.equal)
    worse = found.worse > np.maximum(found.better, found.equal)
    return _with(preferences, found, better, worse, ~(better | worse))


def _with(preferences: Preferences, found: Comparisons, better: Mask, worse: Mask, equal: Mask) -> Preferences:
    """Preferences of the pairs for which something holds."""
    forth = np.column_stack([found.first, found.second])
    every = np.stack([forth, forth[:, ::-1]], axis=1).reshape(-1, 2)
    kept = np.column_stack([better, worse]).ravel()
    return replace(
        preferences,
        pairs=every[kept],
        pair_offsets=_kept(kept, 2 * found.offsets),
        ties=forth[equal],
        tie_offsets=_kept(equal, found.offsets),
    )


def _kept(mask: Mask, bounds: Ints) -> Rows:
    return offsets_of(mask)[bounds]
