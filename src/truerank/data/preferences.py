"""Preference judgments: made of rows or of grades, counted by pair, and settled where pairs were judged repeatedly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from truerank.data.arrays import ODD, Floats, Ints, Mask, Rows, begins, spans, stretches
from truerank.data.arrays import offsets as offsets_of
from truerank.data.classes import dataclass
from truerank.data.errors import InputError, Origin
from truerank.data.grouping import group
from truerank.data.ids import Ids, all_numbers
from truerank.data.printing import shown
from truerank.data.qrels import Preferences, Qrels

REPEATED = ("each", "once", "majority")
"""What several judgments of a pair count as."""


def prefer(
    topics: Sequence[bytes],
    bounds: ArrayLike | None,
    first: Ids,
    second: Ids,
    outcome: Ints | None = None,
    *,
    segment: ArrayLike | None = None,
    origin: Origin | None = None,
) -> Preferences:
    """Make preference judgments of rows in any order; segments as in ``arrange``.

    ``outcome`` is 1 where the first document of a row is better, -1 where the second is, and 0 where they are equally
    good; without it the first ones are better. A pair may stand several times, and both ways.

    >>> found = prefer([b"q"], [0, 3], Ids.pack("abb"), Ids.pack("bca"), np.array([1, 0, 1]))
    >>> found.docs.tolist(), found.pairs.tolist(), found.ties.tolist()
    ([b'a', b'b', b'c'], [[0, 1], [1, 0]], [[1, 2]])
    """
    names, offsets, move = group(topics, None if bounds is None else np.asarray(bounds), segment)
    row = np.arange(len(first))
    if move is not None:
        move([row])
    topic = stretches(2 * offsets)
    both = _alternating(first, second, row)
    number, new = _numbered(both, topic)
    pairs = number.reshape(-1, 2)
    same = np.flatnonzero(pairs[:, 0] == pairs[:, 1])
    if len(same):
        twice = int(same[0])
        raise (origin or Origin()).error(
            f"document {shown(both[2 * twice])} of topic {shown(names[topic[2 * twice]])} is compared with itself; "
            "name two documents in each preference",
            int(first.start[row[twice]]),
        )
    said = np.ones(len(row), np.intp) if outcome is None else np.asarray(outcome)[row]
    equal = said == 0
    better = np.where(said[:, None] < 0, pairs[:, ::-1], pairs)
    docs = both.take(new)
    return Preferences(
        names,
        offsets_of(np.bincount(topic[new], minlength=len(names))),
        np.full(len(docs), np.nan),
        docs,
        docs.keys(),
        better[~equal],
        offsets_of(~equal)[offsets],
        pairs[equal],
        offsets_of(equal)[offsets],
        first_shown=None if outcome is None else said[~equal] > 0,
    )


def _alternating(first: Ids, second: Ids, row: Rows) -> Ids:
    """Both documents of each row, one after the other, in one buffer."""
    if first.buffer is second.buffer:
        buffer, shift = first.buffer, 0
    else:
        buffer, shift = np.concatenate([first.buffer, second.buffer]), first.buffer.size
    start, length = np.empty((2, 2 * len(row)), np.intp)
    start[0::2], length[0::2] = first.start[row], first.length[row]
    start[1::2], length[1::2] = second.start[row].astype(np.intp) + shift, second.length[row]
    return Ids(buffer, start, length, all_numbers([first, second]))


def _numbered(ids: Ids, topic: Rows) -> tuple[Rows, Rows]:
    """Number the documents of each topic as they are met; return the number in each row, and where each is new."""
    key = ids.keys() ^ (topic.astype(np.uint64) * ODD)
    order = np.argsort(key, kind="stable")
    head = begins(key[order])
    first = order[head]
    # Where a row's document is first met, by row: comparing in this order stays in the processor's cache.
    met = np.empty(len(order), np.intp)
    met[order] = first[np.cumsum(head) - 1]
    if not (ids.same(np.arange(len(order)), ids, met) & (topic == topic[met])).all():
        return _one_by_one(ids, topic)
    new = np.sort(first)
    number = np.zeros(len(order), np.intp)
    number[new] = np.arange(len(new))
    return number[met], new


def _one_by_one(ids: Ids, topic: Rows) -> tuple[Rows, Rows]:
    """Tell documents apart that merely share a key."""
    known: dict[tuple[int, bytes], int] = {}
    rows = zip(topic.tolist(), ids.tolist(), strict=True)
    number = np.array([known.setdefault(row, len(known)) for row in rows], np.intp)
    new = np.flatnonzero(np.diff(np.maximum.accumulate(number), prepend=-1))
    return number, new


def induced(qrels: Qrels) -> Preferences:
    """The preferences of judgments: all pairs of documents of a topic with different grades, those below 0 taken for 0.

    Equal grades are no preference, and no tie either: how two such documents compare was not asked.

    >>> from truerank.data.qrels import collect
    >>> found = induced(collect([b"q"], [0, 4], Ids.pack("abcd"), [0, 2, 1, -1]))
    >>> found.pairs.tolist()
    [[1, 2], [1, 0], [1, 3], [2, 0], [2, 3]]
    """
    pairs, pair_offsets = higher(qrels.offsets, qrels.grade.clip(min=0.0))
    none, nowhere = np.zeros((0, 2), np.intp), np.zeros(len(qrels.offsets), np.intp)
    nan = np.full(len(qrels.grade), np.nan)
    return Preferences(
        qrels.topics, qrels.offsets, nan, qrels.docs, qrels.key, pairs, pair_offsets, none, nowhere, notes=qrels.notes
    )


def higher(offsets: Rows, grade: Floats) -> tuple[Rows, Rows]:
    """Pairs of rows of each stretch, the first with the higher grade, and the offsets of the pairs.

    >>> higher(np.array([0, 2, 4]), np.array([0.0, 1.0, 3.0, 3.0]))
    (array([[1, 0]]), array([0, 1, 1]))
    """
    stretch = stretches(offsets)
    order = np.lexsort((-grade, stretch))
    new = begins(grade[order], stretch[order])
    # Below a document stand those that follow the documents of its grade, down to the end of its stretch.
    following = np.append(np.flatnonzero(new), len(order))[np.cumsum(new)]
    count = offsets[1:][stretch[order]] - following
    pairs = np.column_stack([order.repeat(count), order[spans(following, count)]])
    return pairs, offsets_of(np.bincount(stretch, count, len(offsets) - 1).astype(np.intp))


@dataclass(frozen=True, eq=False)
class Comparisons:
    """Every pair of documents that was compared, once, by topic and rows.

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
        said = np.where(np.arange(len(rows)) >= len(preferences.pairs), 2, (rows[:, 0] != low).astype(np.intp))
        pair = low * max(len(preferences), 1) + high
        order = np.argsort(pair, kind="stable")
        new = begins(pair[order])
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
        pair_offsets=offsets_of(kept)[2 * found.offsets],
        ties=forth[equal],
        tie_offsets=offsets_of(equal)[found.offsets],
        first_shown=None,
    )


def grades_of(judgments: Qrels, said: str) -> Qrels:
    """Judgments with grades; where they are preferences, that is ``said``, and refused."""
    if isinstance(judgments, Preferences):
        raise InputError(f"{said}; give graded judgments (topic, iteration, document, grade)")
    return judgments
