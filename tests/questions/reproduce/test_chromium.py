"""The page of a paper in a browser: one file, no network, no complaint."""

from __future__ import annotations

from tests.questions.conftest import Look

import truerank as tr


def test_one_request_and_no_complaint(look: Look) -> None:
    track = tr.simulate(systems=3, topics=6, seed=3, documents=600, depth=40, pool_depth=15)
    found = tr.reproduce("lu", track.qrels, track.runs)
    seen = look(found)
    assert [url.rpartition("/")[2] for url in seen.requests] == ["report.html"]
    assert seen.said == []
    # There are neither measures nor runs to choose from.
    assert not seen.page.locator("#controls").is_visible()
    assert seen.cells("claims-all", 3) == [claim.mark for claim in found.claims]
    assert seen.page.locator("svg.figure").count() == 3
    width = seen.page.evaluate("document.documentElement.scrollWidth")
    assert width == 1400
