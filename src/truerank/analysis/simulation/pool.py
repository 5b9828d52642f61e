"""Pooling: which documents the assessors of a simulated track see."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from truerank.analysis.simulation.systems import Lists
from truerank.analysis.simulation.topics import TopicBlock
from truerank.data.arrays import Mask


def pooled(block: TopicBlock, contributed: Iterable[Lists], pool_depth: int) -> Mask:
    """Mark the candidates among the first `pool_depth` of any contributed list, and the document behind each topic."""
    pool = np.zeros(block.grade.shape, dtype=np.bool_)
    row = np.arange(len(block))[:, None]
    for lists in contributed:
        position = lists.position[:, :pool_depth]
        inside = np.arange(position.shape[1]) < lists.length[:, None]
        pool[np.broadcast_to(row, position.shape)[inside], position[inside]] = True
    # Topics are written by assessors who know of a document that answers: only nil topics lack a relevant one.
    best = block.grade.argmax(axis=1)
    pool[row[:, 0], best] |= block.grade[row[:, 0], best] > 0
    return pool
