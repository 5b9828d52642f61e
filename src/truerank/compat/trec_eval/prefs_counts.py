"""How many preferences a ranking fulfils, of how many."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from truerank.compat.trec_eval.prefs_groups import Group
from truerank.data.arrays import Array, Mask

SCOPES = ("", "_ret", "_imp")
"""All preferences, those between two retrieved documents, those with at least one retrieved document."""

Count: TypeAlias = tuple[float, float]
"""Fulfilled and possible preferences."""


def of_group(group: Group, retrieved: int) -> dict[str, Count]:
    """Count the preferences of a group; the first so many places are those of retrieved documents.

    >>> place, grade = np.arange(3), np.array([1.0, 2.0, 0.0])  # the last one was not retrieved
    >>> of_group(Group(place, grade, grade[:, None] > grade, partial=False), 2)["_ret"]
    (0, 1)
    """
    found = int((group.place < retrieved).sum())
    return _by_scope(group.prefers & _agreed(group, retrieved), group.prefers, found)


def of_pairs(groups: list[Group], documents: int, retrieved: int) -> dict[str, Count]:
    """Count pairs of documents in place of preferences; each is fulfilled by the share of opinions that agree."""
    count = np.zeros((documents, documents), dtype=np.int32)
    for group in groups:
        place, times = group.opinions()
        count[np.ix_(place, place)] += times
    opinions = np.triu(count + count.T)
    credit = np.divide(count, opinions, out=np.zeros(count.shape), where=opinions > 0)
    credit[retrieved:] = 0.0
    return _by_scope(credit, opinions > 0, retrieved)


def balanced(group: Group, whole: Group, retrieved: int) -> Count:
    """Count preferences as if there were as many non-relevant documents as relevant ones.

    Non-relevant documents that lack are taken to be missed by the run. Where there are too many, the first ones stay.
    ``group`` is ``whole`` or what of it was retrieved. trec_eval has three peculiarities, which are kept:

    - with one subgroup, all documents are preferred to a non-relevant one that stays, the non-relevant ones too, and
      even itself;
    - with several subgroups, as many stay as the whole group has relevant ones;
    - the relevant documents that those which lack are compared with are those retrieved, out of the whole group's.
    """
    relevant, everywhere = group.grade > 0, int((whole.grade > 0).sum())
    nonrelevant = group.grade == 0 if group.partial else ~relevant
    lacking = int(relevant.sum()) - int(nonrelevant.sum())
    prefers, agreed = group.prefers, _agreed(group, retrieved)
    if lacking >= 0:
        found = int((relevant & (group.place < retrieved)).sum())
        return int((prefers & agreed).sum()) + found * lacking, int(prefers.sum()) + everywhere * lacking
    if group.partial:
        stays = ~nonrelevant | (np.cumsum(nonrelevant) <= everywhere)
        prefers = prefers & stays & stays[:, None]
    else:
        lowest = group.grade == group.grade.min()
        prefers = (prefers | lowest) & (~lowest | (np.cumsum(lowest) <= relevant.sum()))
    return int((prefers & agreed).sum()), int(prefers.sum())


def _agreed(group: Group, retrieved: int) -> Mask:
    """Whether the run prefers a to b: it has a, and b further down or not at all."""
    place = group.place
    agreed: Mask = (place[:, None] < place) & (place < retrieved)[:, None]
    return agreed


def _by_scope(credit: Array, possible: Array, retrieved: int) -> dict[str, Count]:
    """Add up matrices whose first rows and columns are those of retrieved documents."""
    every = possible.sum().item()
    fulfilled, neither = credit.sum().item(), possible[retrieved:, retrieved:].sum().item()
    both = slice(retrieved), slice(retrieved)
    return {
        "": (fulfilled, every),
        "_ret": (credit[both].sum().item(), possible[both].sum().item()),
        "_imp": (fulfilled, every - neither),
    }
