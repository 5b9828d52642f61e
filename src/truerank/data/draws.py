"""Whole judgments drawn at random: a grade for every pair, by its probabilities, and the pools that they make."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from truerank.data.arrays import ODD, Floats, Keys, Rows, stretches, table
from truerank.data.chances import Chances
from truerank.data.ids import Ids, mix

DRAWS = 1000
"""Judgments that are drawn for the mean over random ones."""
_AT_ONCE = 1 << 21
"""Grades that are drawn at once."""
_KEPT = 1 << 25
"""Numbers of pools that are kept for the next measure and run."""
_BITS = np.uint64(11)
_CLOSE = 1e-12


class Drawn(NamedTuple):
    """Some draws: a row for each of them and topic."""

    grades: Floats
    """A row a draw and a column a judgment."""
    pool: Floats
    """Positive grades of each draw and topic, descending, padded with 0."""
    kept: dict[Any, Any]
    """What is made of these pools, which all runs share."""


class JudgmentDraws:
    """Draws of judgments. A grade depends on the number of the draw and the ids of topic and document alone.

    >>> from truerank.data.chances import chances
    >>> from truerank.data.qrels import collect
    >>> pairs = collect([b"q"], [0, 2], Ids.pack("ab"), [0, 0])
    >>> draws = JudgmentDraws(chances(pairs, [[0, 1], [2, 2]], [[0.5, 0.5], [1, 0]]))
    >>> found = draws.grades(0, 1000)
    >>> found.shape, bool(0.4 < found[:, 0].mean() < 0.6), set(found[:, 1].tolist())
    ((1000, 2), True, {2.0})
    """

    def __init__(self, judged: Chances) -> None:
        self.judged = judged
        topic = Ids.pack(judged.topics).keys()[stretches(judged.offsets)]
        self._key: Keys = mix(judged.key ^ mix(topic + ODD))
        up = judged.chance.cumsum(axis=1)
        self._up = np.where(up >= 1 - _CLOSE, np.inf, up)[:, :-1]
        self._parts: dict[bytes, list[Drawn]] = {}

    def grades(self, first: int, last: int) -> Floats:
        """The grades of the draws first to last - 1."""
        number = mix(np.arange(first + 1, last + 1, dtype=np.uint64) * ODD)
        # Two rounds, so that neither neighbouring draws nor alike ids have anything in common.
        chance = (mix(mix(self._key[None, :] ^ number[:, None]) + ODD) >> _BITS) * 2.0**-53
        place = np.zeros(chance.shape, np.intp)
        for column in self._up.T:
            place += chance >= column
        return self.judged.options[np.arange(len(self._key)), place]

    def parts(self, topics: Rows) -> list[Drawn]:
        """All draws, in parts that fit into memory, with the pools of some topics."""
        key = topics.tobytes()
        if key not in self._parts:
            found = [*self._made(topics)]
            if sum(part.pool.size + part.grades.size for part in found) > _KEPT:
                return found
            self._parts.clear()
            self._parts[key] = found
        return self._parts[key]

    def _made(self, topics: Rows) -> list[Drawn]:
        count = np.diff(self.judged.offsets)[topics]
        rows = table(_rows(self.judged.offsets, topics), count, -1)
        step = max(_AT_ONCE // max(rows.size, 1), 1)
        found = []
        for first in range(0, DRAWS, step):
            grades = self.grades(first, min(first + step, DRAWS))
            # What stands behind the last judgment pads topics with fewer.
            padded = np.concatenate([grades, np.zeros((len(grades), 1))], axis=1)
            negated = np.sort(np.minimum(-padded[:, rows], 0.0).reshape(-1, rows.shape[1]), axis=-1)
            width = int((negated < 0).sum(axis=-1).max(initial=0))
            found.append(Drawn(grades, -negated[:, :width], {}))
        return found


def _rows(offsets: Rows, topics: Rows) -> Rows:
    return np.concatenate([np.arange(offsets[topic], offsets[topic + 1]) for topic in topics.tolist()] or [topics])


@lru_cache(maxsize=1)
def draws_of(judged: Chances) -> JudgmentDraws:
    """The draws of judgments, kept for the next run."""
    return JudgmentDraws(judged)
