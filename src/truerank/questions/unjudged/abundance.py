"""How many relevant documents a topic has, judged or not: by a model of relevance, and by capture and recapture.

The model counts what it takes to be relevant among the documents that the runs list and nobody judged. Capture and
recapture asks how often what is known to be relevant was found: where many documents were found by one run and few by
two, there are more that none found (Chao 1987). Documents are not alike, and runs are not independent: those that are
hard to find are missed by all, so that this is a least number rather than an estimate.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.unjudged.relevance import ENDS, NEAR, SEED, ListedDocuments, Worlds

SPREAD = 0.3
"""By how much the logarithm of what is relevant among unjudged documents may be off in a topic, beside what worlds have
in common. Chosen with judgments of six collections hidden: docs/how-to/unjudged.md has how often intervals held."""


@dataclass(frozen=True, eq=False)
class Abundance:
    """How many relevant documents each topic has."""

    estimate: Floats
    """Of those that are judged, or that a run lists among its first 100: the median of draws."""
    low: Rows
    high: Rows
    missed: Floats
    """At least so many more there are than are judged, by capture and recapture."""


def abundance(listed: ListedDocuments, worlds: Worlds, relevant: Rows) -> Abundance:
    """How many there are in worlds, where so many are known to be ``relevant`` in each topic."""
    topics, draws = len(listed.offsets) - 1, worlds.count
    found = np.zeros((topics, draws))
    for topic, drawn in worlds.topics.items():
        found[topic] = np.bincount(drawn.world, minlength=draws)
    factor = np.exp(SPREAD * np.random.default_rng([SEED, 0, 2]).standard_normal((topics, draws)))
    every = np.sort(relevant[:, None] + found * factor, axis=-1)
    low, middle, high = (np.quantile(every, share, axis=-1) for share in (ENDS[0], 0.5, ENDS[1]))
    # Rounded first, so that the last bits do not add a document.
    return Abundance(
        np.round(middle, 9),
        np.floor(np.round(low, 9)).astype(np.intp),
        np.ceil(np.round(high, 9)).astype(np.intp),
        missed(listed),
    )


def missed(listed: ListedDocuments) -> Floats:
    """How many relevant documents none of the runs found, at least: Chao's estimate for each topic.

    A run has found a relevant document if it stands above the first document of its list that nobody judged.
    """
    often = captures(listed)
    topics = len(listed.offsets) - 1
    once, twice = (np.bincount(listed.topic[often == count], minlength=topics) for count in (1, 2))
    share = (listed.runs - 1) / max(listed.runs, 1)
    return np.asarray(chao(once, twice) * share, np.float64)


def chao(once: Rows, twice: Rows) -> Floats:
    """What was found by none, of what was found by one and by two; without a bias where nothing was found by two.

    >>> chao(np.array([6, 6, 0]), np.array([2, 0, 4])).tolist()
    [5.0, 15.0, 0.0]
    """
    found: Floats = once * np.maximum(once - 1.0, 0.0) / (2.0 * (twice + 1.0))
    return found


def captures(listed: ListedDocuments) -> Rows:
    """How many runs found each document that is judged relevant."""
    rank = NEAR / listed.near - NEAR + 1.0
    pair = listed.topic[listed.entry] * listed.runs + listed.run
    end = np.full((len(listed.offsets) - 1) * listed.runs, np.inf)
    np.minimum.at(end, pair, np.where(listed.judged[listed.entry], np.inf, rank))
    caught = (listed.grade[listed.entry] > 0) & (rank < end[pair] - 1e-6)
    return np.bincount(listed.entry[caught], minlength=len(listed.key))
