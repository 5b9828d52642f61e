"""How deep runs are judged, and how deep the pool was that this shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from truerank.conventions.ties import groups, topics_of
from truerank.data.arrays import Rows
from truerank.data.judge import JudgedRun
from truerank.data.ties import before

ENDLESS = np.iinfo(np.intp).max
"""The judged depth of a run whose documents are all judged."""


def judged_depth(judged: JudgedRun, ties: str = "docid") -> int:
    """The deepest rank down to which every document of a run is judged, in every topic.

    A list that is judged to its end sets no limit, however short it is. Pools are made of single rankings, so ties are
    in one order, by default that of trec_eval.
    """
    listed = np.flatnonzero(judged.length)
    if not len(listed):
        return 0
    topic = topics_of(judged)
    _, members = groups(judged, np.arange(len(topic)))
    first = np.repeat(np.cumsum(members) - members, members) - judged.offsets[topic]
    # No gap above: the group begins at the place that its first document has among the judged ones.
    joined = judged.above == first
    whole = joined & (np.repeat(members, members) == judged.size)
    sure = np.bincount(topic[whole], minlength=len(judged.length))
    broken = joined & ~whole
    most = sure + np.bincount(topic[broken], minlength=len(judged.length))
    sure, most = (np.where(depth < judged.length, depth, ENDLESS) for depth in (sure, most))
    # The order inside a group that is judged in part matters where it can set the depth.
    open_ = np.flatnonzero(broken & (sure <= most[listed].min())[topic])
    if len(open_):
        order = before(judged.run, judged.row[open_], judged.first[open_], judged.size[open_], ties)
        place = np.lexsort((order, topic[open_]))
        its, count = topic[open_], np.bincount(topic[open_], minlength=len(judged.length))
        rank = np.arange(len(open_)) - np.repeat(np.cumsum(count) - count, count)
        np.add.at(sure, its[order[place] == rank], 1)
    return int(sure[listed].min())


def unbroken(ranked: JudgedRun) -> Rows:
    """Topic by topic, the deepest rank down to which every document of a run without ties is judged."""
    topic = topics_of(ranked)
    # The judged document in place m of its list has m judged ones above it; where its rank is more, one is missing.
    place = np.arange(len(topic)) - ranked.offsets[topic]
    together = np.bincount(topic[ranked.above == place], minlength=len(ranked.length))
    depth: Rows = np.where(together < ranked.length, together, ENDLESS)
    return depth


def in_every_list(depth: Rows, length: Rows) -> int:
    """The least depth of all topics that have a list; 0 where none has."""
    return int(depth[length > 0].min()) if (length > 0).any() else 0


def pool_depth(judged_to: Iterable[int], longest: Sequence[int] | None = None) -> int | None:
    """The depth of a pool, from the depths down to which runs are judged; None where no run is judged at its top.

    Contributing runs are judged to the depth of the pool and little deeper, others hardly at all: so it is the depth
    with the most documents above it in runs that are judged down to it. Runs that are judged to the ends of their lists
    tell something only where ``longest`` says, for each run, how long its longest list is.

    >>> pool_depth([100, 100, 103, 2, 0])
    100
    >>> pool_depth([ENDLESS, ENDLESS, 2]), pool_depth([ENDLESS, ENDLESS, 2], [50, 10, 80])
    (2, 50)
    """
    known = [*judged_to]
    ends = [0 if depth == ENDLESS else depth for depth in known] if longest is None else [*longest]
    reached = [(depth, min(depth, end)) for depth, end in zip(known, ends, strict=True)]
    found = [
        (sum(min(documents, depth) for to, documents in reached if to >= depth), depth)
        for depth in {documents for _, documents in reached}
        if depth > 0
    ]
    return max(found)[1] if found else None
