"""The topics of a simulated track: which documents compete, how relevant each is, and what the systems see of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.questions.simulate.streams import RandomStream, evenly, generator

# Latent relevance beyond the threshold is exponential: with four grades, these steps make about 63% of the relevant
# documents marginally, 23% fairly and 14% highly relevant.
GRADE_STEP = 1.0
# Where nothing answers a topic, documents resemble it less: a system with a score threshold then retrieves nothing.
NIL_RESEMBLANCE = 0.42
# Bounds the arrays made for a block of topics, so that memory goes to the track and not to making it.
BLOCK_CELLS = 200_000


@dataclass(frozen=True)
class TopicBlock:
    """Some consecutive topics; arrays are (topics, candidates) unless they say otherwise."""

    first: int
    document: Rows
    """The competing documents, ascending in each row; no other document of the collection is ever retrieved."""
    grade: Rows
    """What an assessor would say of each candidate, were it judged."""
    lexical_signal: Floats
    """How much of its relevance shows in its words: 0 for most documents."""
    dense_signal: Floats
    """How much of its relevance shows in its meaning."""
    lexical_error: Floats
    """By how much every lexical system mistakes the document, whether relevant or not."""
    dense_error: Floats
    """By how much every dense system mistakes it."""
    error_scale: Floats
    """(topics, 1): how large mistakes are."""
    terms: Rows
    """(topics, 1): words of the query."""

    def __len__(self) -> int:
        return len(self.terms)


def topic_blocks(
    topics: int, seed: int, *, documents: int, candidates: int, grades: int, relevant: float, nil: float
) -> Iterator[TopicBlock]:
    """Yield all topics in order, a block at a time.

    Each kind of draw has a stream of its own, read in topic order: more topics leave the earlier ones as they were.
    """
    topic = {stream: generator(seed, stream) for stream in RandomStream}
    # The start leaves the first topic answerable, so that no track is without a relevant document.
    is_nil = evenly(topics, nil, float(topic[RandomStream.NIL].random()) * (1.0 - nil))
    # A negative binomial count: a few topics have very many relevant documents, as in real tracks.
    richness = topic[RandomStream.RICHNESS].gamma(1.2, 1 / 1.2, topics)
    count = 1 + topic[RandomStream.COUNT].poisson((relevant - 1) * richness)
    count = np.where(is_nil, 0, np.minimum(count, max(1, candidates // 4)))
    difficulty = topic[RandomStream.DIFFICULTY].normal(0.0, (0.35, 0.2, 0.2), (topics, 3))
    lexical_ease = np.exp(difficulty[:, 0] + difficulty[:, 1])
    dense_ease = np.exp(difficulty[:, 0] + difficulty[:, 2])
    error_scale = np.where(is_nil, NIL_RESEMBLANCE, 1.0)
    terms = topic[RandomStream.TERMS].integers(2, 7, topics)
    edges = np.arange(candidates + 1, dtype=np.int64) * documents // candidates

    size = max(1, BLOCK_CELLS // candidates)
    for first in range(0, topics, size):
        rows = slice(first, min(first + size, topics))
        shape = (rows.stop - first, candidates)
        # One candidate from each stratum of the collection: distinct and sorted without a permutation.
        document = edges[:-1] + (topic[RandomStream.DOCUMENT].random(shape) * np.diff(edges)).astype(np.int64)
        beyond = _beyond_threshold(topic[RandomStream.RELEVANCE].random(shape), count[rows])
        signal = np.clip(1.0 + beyond, 0.0, 3.0)
        # A document that speaks of the topic in other words shows to dense systems only, a terse one to lexical only.
        wording = 2.0 * topic[RandomStream.WORDING].random(shape)
        yield TopicBlock(
            first=first,
            document=document,
            grade=np.where(beyond >= 0, np.minimum(1 + np.floor(beyond / GRADE_STEP), grades), 0).astype(np.int64),
            lexical_signal=lexical_ease[rows, None] * signal * np.minimum(wording, 1.0),
            dense_signal=dense_ease[rows, None] * signal * np.minimum(2.0 - wording, 1.0),
            lexical_error=topic[RandomStream.LEXICAL].standard_normal(shape),
            dense_error=topic[RandomStream.DENSE].standard_normal(shape),
            error_scale=error_scale[rows, None],
            terms=terms[rows, None],
        )


def _beyond_threshold(uniform: Floats, count: Rows) -> Floats:
    """Latent relevance minus the threshold that exactly `count` candidates of the topic reach.

    Latent relevance is exponential, hence so is what lies beyond the threshold, however many documents reach it.
    """
    latent = -np.log1p(-uniform)
    descending = -np.sort(-latent, axis=1)
    threshold = np.where(count > 0, descending[np.arange(len(count)), np.maximum(count, 1) - 1], np.inf)
    return latent - threshold[:, None]
