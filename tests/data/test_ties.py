from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truerank.data import ties
from truerank.data.ties import all_tie_groups, tie_groups

rankings = st.lists(st.lists(st.sampled_from([3.0, 2.0, 2.0 + 1e-9, 1.0, -5.0]), max_size=12), max_size=6)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("dense", [0, 100])
@given(topics=rankings, step=st.integers(1, 5))
def test_groups_are_found_by_every_search(topics: list[list[float]], step: int, dense: int, precision: str) -> None:
    score = np.array([value for topic in topics for value in sorted(topic, reverse=True)], dtype=np.float64)
    bounds = np.cumsum([0, *map(len, topics)])
    topic = np.repeat(np.arange(len(topics)), np.diff(bounds))
    cast = score.astype(precision)
    expected = [
        (min(group), len(group))
        for row in range(len(score))
        if (group := [mate for mate in range(len(score)) if topic[mate] == topic[row] and cast[mate] == cast[row]])
    ]
    rows = np.arange(0, len(score), step)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ties, "_DENSE", dense)
        found = tie_groups(score, rows, bounds[topic[rows]], bounds[topic[rows] + 1], precision)
    assert [*zip(*(part.tolist() for part in found), strict=True)] == expected[::step]
    found = all_tie_groups(score, bounds, precision)
    assert [*zip(*(part.tolist() for part in found), strict=True)] == expected
