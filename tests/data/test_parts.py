"""Parts of a run's topics make up the whole, field by field."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.parts import Part, merged, part_field


@dataclass(frozen=True, eq=False, kw_only=True)
class Ranks(Part):
    """Where judged documents stand."""

    documents: Rows = part_field(merge="concat")
    at: Rows = part_field(merge="tally")


def test_things_without_a_topic_are_gathered_and_counts_are_summed_place_by_place() -> None:
    one = Ranks(topics=np.array([1]), documents=np.array([4, 2]), at=np.array([1, 0, 1]))
    other = Ranks(topics=np.array([0]), documents=np.array([7]), at=np.array([2]))
    none = Ranks(topics=np.array([2]), documents=np.zeros(0, np.int64), at=np.zeros(0, np.int64))
    whole = merged([one, other, none])
    assert whole.topics.tolist() == [0, 1, 2]
    assert sorted(whole.documents.tolist()) == [2, 4, 7]
    assert whole.at.tolist() == [3, 0, 1]
