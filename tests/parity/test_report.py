"""Reports of real tracks: under budget, whatever their runs are like."""

from __future__ import annotations

import pytest

import truerank as tr

from .shared import DATA, need

BUDGET = 1_000_000
"""Bytes of a page with some 130 runs."""


@pytest.mark.parametrize(("track", "runs", "topics"), [("trec8", 129, 50), ("covid2", 136, 35)])
def test_a_track_fits_on_a_page(track: str, runs: int, topics: int) -> None:
    need(f"{track}/qrels.gz")
    found = tr.report(DATA / track / "qrels.gz", sorted((DATA / track / "runs").iterdir()))
    page = found.page()
    assert (len(found), len(found.topics), found.parts.left_out) == (runs, topics, {})
    assert len(page.encode()) < BUDGET
    assert page.count(" leads") >= 3
