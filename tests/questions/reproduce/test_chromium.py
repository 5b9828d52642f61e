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


OVERLAPPING = """() => [...document.querySelectorAll("svg.figure")].flatMap(svg => {
  const texts = [...svg.querySelectorAll("text")].filter(one => one.textContent.trim());
  const placed = texts.map(one => [one.textContent, one.getBoundingClientRect()]);
  return placed.flatMap(([said, a], place) => placed.slice(place + 1).filter(([_, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > a.height / 2
  ).map(([other, _]) => `${said} | ${other}`));
})"""


def test_no_text_of_a_figure_stands_on_another_and_figures_fill_the_page(look: Look) -> None:
    """Of more than seven runs the key has a title, beside which the names of runs begin."""
    track = tr.simulate(systems=12, topics=6, seed=3, documents=600, depth=40, pool_depth=15)
    seen = look(tr.reproduce("lu", track.qrels, track.runs))
    assert seen.page.evaluate(OVERLAPPING) == []
    wide = seen.page.evaluate(
        "[...document.querySelectorAll('svg.figure')].map(one => one.getBoundingClientRect().width)"
    )
    assert min(wide) > 0.8 * seen.page.evaluate("document.querySelector('main').getBoundingClientRect().width")
