"""Two judges of pairs: how far their preferences agree, and whether one prefers what was shown first."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Ints, Mask, Rows, stretches
from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.preferences import Comparisons
from truerank.data.qrels import Preferences
from truerank.questions.preferences.question import PairAgreement, ShownPairs
from truerank.statistics.jackknife import left_out

CONFIDENCE = 0.95


def between(one: Preferences, other: Preferences) -> tuple[PairAgreement, ...]:
    """How far two judges agree on the pairs that both compared, all topics together first."""
    mine, theirs = _margins(one), _margins(other)
    shared = sorted(mine.keys() & theirs.keys())
    if not shared:
        raise InputError(
            "both judges compared no two documents of the same topic; check that they name topics and documents alike"
        )
    ways = np.array([(np.sign(mine[pair]), np.sign(theirs[pair])) for pair in shared], np.intp)
    topics = [topic for topic, _, _ in shared]
    names = sorted(set(topics))
    place = {name: at for at, name in enumerate(names)}
    topic = np.array([place[name] for name in topics])
    alike, apart = ways[:, 0] * ways[:, 1] > 0, ways[:, 0] * ways[:, 1] < 0
    same, opposite = (np.bincount(topic, each, len(names)).astype(np.intp) for each in (alike, apart))
    pairs = np.bincount(topic, minlength=len(names))
    low, high = _ends(same, same + opposite)
    whole = PairAgreement(
        topic="all",
        document_pairs=int(pairs.sum()),
        same=int(same.sum()),
        opposite=int(opposite.sum()),
        low=low,
        high=high,
    )
    rows = (
        PairAgreement(topic=text(name), document_pairs=int(pairs[at]), same=int(same[at]), opposite=int(opposite[at]))
        for at, name in enumerate(names)
    )
    return (whole, *rows)


def shown(judge: str, preferences: Preferences) -> ShownPairs | None:
    """Whether a judge prefers the document that was named first; None where the order was not kept."""
    if preferences.first_shown is None or not len(preferences.pairs):
        return None
    topic = stretches(preferences.pair_offsets)
    first = preferences.first_shown
    chosen = np.bincount(topic, first, len(preferences.topics))
    low, high = _ends(chosen, np.bincount(topic, minlength=len(preferences.topics)))
    same, always_first, always_second = _both_ways(preferences.pairs, first)
    return ShownPairs(
        judge=judge,
        judgments=len(first),
        first=int(first.sum()),
        low=low,
        high=high,
        both_ways=same + always_first + always_second,
        same=same,
        always_first=always_first,
        always_second=always_second,
    )


def _both_ways(pairs: Rows, first: Mask) -> tuple[int, int, int]:
    """Of pairs that were judged in both orders, how many have one winner, the first each time, or the second each time.

    Of several judgments in one order, the majority counts.
    """
    wins: dict[tuple[int, int], list[int]] = {}
    for (better, worse), is_first in zip(pairs.tolist(), first.tolist(), strict=True):
        low, high = min(better, worse), max(better, worse)
        named_first = better if is_first else worse
        # How many more judgments are for the lower row, where it is named first, and where the other one is.
        found = wins.setdefault((low, high), [0, 0])
        found[int(named_first != low)] += 1 if better == low else -1
    known = np.sign(np.array([*wins.values()], np.intp).reshape(-1, 2))
    forth, back = known[:, 0], known[:, 1]
    return int((forth * back > 0).sum()), int(((forth > 0) & (back < 0)).sum()), int(((forth < 0) & (back > 0)).sum())


def _margins(preferences: Preferences) -> dict[tuple[bytes, bytes, bytes], int]:
    """By topic and two documents in the order of their ids, how many more judgments are for the first."""
    found = Comparisons.of(preferences)
    docs, topic = preferences.docs.tolist(), stretches(found.offsets)
    margins: dict[tuple[bytes, bytes, bytes], int] = {}
    rows = zip(topic.tolist(), found.first.tolist(), found.second.tolist(), found.margin.tolist(), strict=True)
    for where, first, second, margin in rows:
        a, b = docs[first], docs[second]
        name = preferences.topics[where]
        margins[(name, a, b) if a < b else (name, b, a)] = margin if a < b else -margin
    return margins


def _ends(part: Floats | Ints, whole: Floats | Ints) -> tuple[float | None, float | None]:
    """The interval of a share over topics, by leaving each of them out."""
    kept = np.flatnonzero(whole > 0)
    if len(kept) < 2:
        return None, None
    part, whole = part[kept], whole[kept]
    without = (part.sum() - part) / np.maximum(whole.sum() - whole, 1)
    low, high = left_out(float(part.sum() / whole.sum()), without, CONFIDENCE)
    return max(low, 0.0), min(high, 1.0)
