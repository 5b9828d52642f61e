"""A measure at every depth is the measure at each depth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.measures.core.lengths import curve
from truerank.measures.grammar import parse, parse_all
from truerank.measures.table import TABLE

VARIED = "AP(norm='min') AP(norm='pool') Q(norm='min',beta=2) nDCG(dcg='exp-log2') RBP(p=0.95) RBPU(e=0.3)"
FIXED = ("c",)
"""Measures whose cutoff is a part of their name."""
MEASURES = [
    *(measure for measure in TABLE.values() if measure.takes_cutoff and measure.name not in FIXED),
    *parse_all(VARIED),
]


def block(seed: int, ties: str) -> Rankings:
    """A few topics with lists of different lengths, graded and unjudged documents, and groups of ties."""
    draw = np.random.default_rng(seed)
    rows = []
    for length in (0, 1, 7, 12):
        grades = draw.choice([np.nan, 0, 1, 2, 3], length).tolist()
        new = {"none": np.ones(length, int), "some": draw.random(length) < 0.4, "all": np.zeros(length, int)}[ties]
        pool = [grade for grade in grades if grade == grade] + draw.choice([0, 1, 3], 3).tolist()
        rows.append(Rankings.single(grades, pool=pool, groups=np.cumsum(new).tolist()))
    return stacked(rows, draw)


def stacked(rows: list[Rankings], draw: np.random.Generator) -> Rankings:
    slots = max(row.start.shape[1] for row in rows)
    positive = max(row.pool.shape[1] for row in rows)

    def padded(name: str, width: int, fill: float) -> np.ndarray:
        return np.concatenate(
            [
                np.pad(
                    getattr(row, name),
                    ((0, 0), (0, width - getattr(row, name).shape[1])),
                    constant_values=row.length[0] + 2 if fill is None else fill,
                )
                for row in rows
            ]
        )

    pool = padded("pool", positive, 0.0)
    return replace(
        rows[0],
        topic=np.arange(len(rows)),
        start=padded("start", slots, None),
        stop=padded("stop", slots, None),
        grade=padded("grade", slots, np.nan),
        judgment=padded("judgment", slots, -1),
        length=np.concatenate([row.length for row in rows]),
        judged=np.concatenate([row.judged for row in rows]),
        pool=pool,
        max_grade=3.0,
        pool_rank=draw.integers(1, 15, pool.shape),
    )


def ended(r: Rankings, terminal: str) -> Rankings:
    """The lists with a terminal document."""
    if not terminal:
        return r
    added = {"start": r.length + 1, "stop": r.length + 1, "grade": np.nan * r.length, "judgment": 0 * r.length - 1}
    return replace(r, terminal=terminal, **{name: np.column_stack([getattr(r, name), x]) for name, x in added.items()})


@pytest.mark.parametrize("ties", ["none", "some", "all"])
@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_every_depth_is_that_depth(measure: Measure, ties: str) -> None:
    for seed, terminal in enumerate(("", "", "tail", "once") if measure.takes_terminal else ("", "")):
        r = ended(block(seed, ties), terminal)
        found = curve(measure, r, 16)
        for depth in range(1, 17):
            expected = replace(measure, cutoff=depth).score(r)
            np.testing.assert_allclose(found[:, depth - 1], expected, rtol=1e-12, atol=1e-12, err_msg=f"@{depth}")


def test_no_depth_at_all() -> None:
    assert curve(parse("AP"), block(0, "some"), 0).shape == (4, 0)
