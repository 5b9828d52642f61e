"""The report of a real track: under budget, whatever their runs are like."""

from __future__ import annotations

import truerank as tr

from .shared import DATA, need

BUDGET = 1_250_000
"""Bytes of a page with some 130 runs."""


def test_a_track_fits_on_a_page() -> None:
    need("trec8/qrels.gz")
    found = tr.report(DATA / "trec8/qrels.gz", sorted((DATA / "trec8/runs").iterdir()))
    page = found.page()
    assert (len(found), len(found.topics), found.parts.left_out) == (129, 50, {})
    assert len(page.encode()) < BUDGET
    assert page.count(" leads") >= 3
