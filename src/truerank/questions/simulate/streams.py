"""Independent random streams: every kind of draw, and every system, has its own."""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from truerank.data.arrays import Mask


class RandomStream(IntEnum):
    """What a stream of random numbers is for. The numbers are part of what a seed means: append, never renumber."""

    NIL = 0
    RICHNESS = 1
    COUNT = 2
    DIFFICULTY = 3
    TERMS = 4
    DOCUMENT = 5
    RELEVANCE = 6
    WORDING = 7
    LEXICAL = 8
    DENSE = 9
    SYSTEM = 10
    SYSTEM_TOPIC = 11
    SYSTEM_DOCUMENT = 12


def generator(seed: int, stream: RandomStream, index: int = 0) -> np.random.Generator:
    """Return the generator of one stream; `index` tells systems apart."""
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed, spawn_key=(stream, index))))


def evenly(n: int, share: float, start: float) -> Mask:
    """Mark `share` of n places at even distances, so that a small track has its part too and a longer one extends it.

    >>> evenly(8, 0.25, 0.5).nonzero()[0].tolist()
    [1, 5]
    """
    passed = np.floor(np.arange(n + 1) * share + start)
    marked: Mask = passed[1:] > passed[:-1]
    return marked
