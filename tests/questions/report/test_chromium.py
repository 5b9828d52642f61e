"""The page in a browser: one file, no network, no complaint; and everything on it does what it says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.questions.conftest import Look

import truerank as tr

HOSTILE = "</script><img src=x onerror=document.title='run'>"
"""A name that would do something, if it could."""


def number(text: str) -> float:
    return float(text.lstrip("<").replace(",", ""))


@pytest.mark.parametrize("runs", ["two", "many"])
def test_one_request_and_no_complaint(runs: str, look: Look, request: pytest.FixtureRequest) -> None:
    seen = look(request.getfixturevalue(runs))
    assert [url.rpartition("/")[2] for url in seen.requests] == ["report.html"]
    assert seen.said == []
    assert seen.page.locator("#controls").is_visible()


def test_without_scripts_everything_is_there(two: tr.Report, look: Look) -> None:
    seen = look(two, java_script_enabled=False)
    assert not seen.page.locator("#controls").is_visible()
    for place in (0, 1):
        for table in ("leaderboard", "topics"):
            assert seen.page.locator(f"#{table}-{place}").is_visible()
    assert seen.page.locator("svg.figure").count() == 2
    topic = seen.page.locator("#topic-401")
    topic.locator("summary").click()
    assert topic.locator("table").is_visible()
    assert seen.said == []


@pytest.mark.parametrize(
    ("table", "column"), [("leaderboard-0", "run"), ("leaderboard-0", "ranks"), ("topics-0", "mean")]
)
def test_sorting_is_that_of_python(table: str, column: str, many: tr.Report, look: Look) -> None:
    seen = look(many)
    titles = seen.page.locator(f"#{table} thead th").all_inner_texts()
    place = titles.index(column)
    button = seen.page.locator(f"#{table} thead th").nth(place).locator("button")

    def key(text: str) -> Any:
        return number(text.partition("-")[0]) if column != "run" else text

    before = seen.cells(table, place)
    runs = seen.cells(table, titles.index("run") if "run" in titles else 0)
    for click in range(2):
        button.click()
        direction = seen.page.locator(f"#{table} thead th").nth(place).get_attribute("aria-sort")
        rows = list(zip(before, runs, strict=True))
        # Each click sorts what is there; rows that are equal stay in their order.
        expected = sorted(rows, key=lambda row: key(row[0]), reverse=False)
        if direction == "descending":
            expected = sorted(rows, key=lambda row: key(row[0]), reverse=True)
        now = list(
            zip(seen.cells(table, place), seen.cells(table, titles.index("run") if "run" in titles else 0), strict=True)
        )
        assert now == expected, click
        before, runs = (list(one) for one in zip(*now, strict=True))
    assert seen.said == []


def test_finding_is_that_of_python(many: tr.Report, look: Look) -> None:
    seen = look(many)
    names = seen.cells("leaderboard-0", 1)
    for wanted in ("Dense", "-0", "401", "nothing like it", ""):
        seen.page.locator("#find").fill(wanted)
        hits = [name for name in names if wanted.lower() in name.lower()]
        assert seen.cells("leaderboard-0", 1) == (hits or names)
        topics = [topic for topic in seen.cells("topics-0", 0, visible=False) if wanted in topic]
        assert seen.cells("topics-0", 0) == (topics or seen.cells("topics-0", 0, visible=False))
    seen.page.locator("#find").fill("nothing like it")
    assert seen.page.locator("#status").inner_text() == "nothing found"
    seen.page.locator("#find").fill("401")
    assert seen.page.locator("#status").inner_text() == "1 of 50 topics"


def test_another_measure(many: tr.Report, look: Look) -> None:
    seen = look(many)
    assert not seen.page.locator("#leaderboard-1").is_visible()
    seen.page.locator("#measure").select_option(label="AP")
    assert seen.page.locator("#leaderboard-1").is_visible()
    assert not seen.page.locator("#leaderboard-0").is_visible()
    assert seen.cells("leaderboard-1", 1)[0] == next(row.run for row in many.standings if row.measure == "AP")
    assert seen.page.locator(".verdict").inner_text().count("AP") >= 1
    assert seen.said == []


def test_another_baseline(many: tr.Report, look: Look) -> None:
    seen = look(many)
    assert not seen.page.locator("#differences-0").is_visible()
    first = seen.cells("differences-0", 4)
    chosen = seen.page.locator("#baseline option").all_inner_texts()[4]
    seen.page.locator("#baseline").select_option(label=chosen)
    assert many.parts.comparison is not None
    each = many.parts.comparison["nDCG@10"]
    runs = seen.cells("differences-0", 1)
    texts = [seen.cells("differences-0", column) for column in (4, 5, 6, 7, 8)]
    assert seen.page.locator("#differences-0 th.drawn span").inner_text() == f"difference from {chosen}"
    shown = dict(zip(runs, zip(*texts, strict=True), strict=True))
    assert shown.pop(chosen)[-1] in ("baseline", "leads", "best")
    for run, (difference, interval, p, won, verdict) in shown.items():
        a, b = (each.runs.index(one) for one in (chosen, run))
        digits = len(difference.partition(".")[2])
        value = float(each.effects.difference[b, a])
        assert number(difference) == pytest.approx(value, abs=0.51 * 10**-digits)
        low, high = map(number, interval.strip("[]").split(", "))
        assert (low, high) == pytest.approx(
            (each.differences.low[b, a], each.differences.high[b, a]), abs=0.51 * 10**-digits
        )
        assert won == f"{each.effects.wins[b, a]}:{each.effects.losses[b, a]}"
        assert verdict in ("better", "worse", "not significant")
        assert (verdict != "not significant") == (each.corrected.p[b, a] < 0.05)
        assert p.startswith("<") or number(p or "1") == pytest.approx(float(each.corrected.p[b, a]), rel=0.1, abs=0.01)
    best = seen.page.locator("#baseline option").all_inner_texts()[0]
    seen.page.locator("#baseline").select_option(label=best)
    assert best == "the best run"
    assert seen.cells("differences-0", 4) == first
    assert seen.said == []


def test_what_was_chosen_is_in_the_address(many: tr.Report, look: Look) -> None:
    seen = look(many)
    seen.page.locator("#measure").select_option(label="AP")
    chosen = seen.page.locator("#baseline option").all_inner_texts()[4]
    seen.page.locator("#baseline").select_option(label=chosen)
    seen.page.locator("#leaderboard-1 thead th").nth(1).locator("button").click()
    seen.page.locator("#topic-401 summary").click()
    seen.page.wait_for_function("location.hash.includes('topic-401')")
    address = seen.page.evaluate("location.hash")
    order, differences = seen.cells("leaderboard-1", 1), seen.cells("differences-1", 4)
    again = look(many, at=address)
    assert again.page.locator("#leaderboard-1").is_visible()
    assert again.page.locator("#measure").input_value() == "AP"
    assert again.page.locator("#baseline").input_value() == chosen
    assert again.cells("leaderboard-1", 1) == order == sorted(order)
    assert again.cells("differences-1", 4) == differences
    assert again.page.locator("#topic-401 table").is_visible()
    assert again.said == []


def test_of_many_runs_the_first_are_shown_until_all_are_asked_for(many: tr.Report, look: Look) -> None:
    seen = look(many)
    rows = seen.page.locator("#leaderboard-0 tbody tr")
    seen_rows = "rows => rows.filter(row => row.offsetHeight).length"
    assert (rows.count(), rows.evaluate_all(seen_rows)) == (129, 12)
    assert "12 of 129 runs shown" in seen.page.locator("#leaderboard .shown").first.inner_text()
    seen.page.locator("#find").fill("-01")
    assert rows.evaluate_all(seen_rows) == len([run for run in many.parts.scores if "-01" in run])
    seen.page.locator("#find").fill("")
    assert rows.evaluate_all(seen_rows) == 12
    seen.page.locator("#leaderboard .more").first.click()
    assert rows.evaluate_all(seen_rows) == 129


def test_a_run_is_three_lines_on_a_narrow_screen(two: tr.Report, look: Look) -> None:
    seen = look(two, width=390)
    row = seen.page.locator("#leaderboard-0 tbody tr", has=seen.page.locator("td:nth-child(7):not(:empty)"))
    name, drawn, difference = (
        row.locator(cell).bounding_box() for cell in ("th", "td:nth-child(4)", "td:nth-child(5)")
    )
    assert name["y"] < drawn["y"] < difference["y"]
    assert row.evaluate("row => row.scrollWidth <= row.clientWidth")
    assert row.bounding_box()["height"] < 100


def test_a_link_opens_its_topic(many: tr.Report, look: Look) -> None:
    seen = look(many, at="#topic-407")
    assert seen.page.locator("#topic-407 table").is_visible()
    assert not seen.page.locator("#topic-401 table").is_visible()
    seen.page.locator("#topics-0 a", has_text="401").click()
    seen.page.locator("#topic-401 table").wait_for(state="visible")
    seen.page.locator("#topics-0 svg.row").nth(3).click()
    topic = seen.cells("topics-0", 0)[3]
    seen.page.locator(f"#topic-{topic} table").wait_for(state="visible")


def test_pointing_at_the_heat_map_names_run_and_value(many: tr.Report, look: Look) -> None:
    seen = look(many)
    row = seen.page.locator("#topics-0 svg.row").nth(5)
    row.scroll_into_view_if_needed()
    box = row.bounding_box()
    seen.page.mouse.move(box["x"] + box["width"] * (10 + 0.5) / 129, box["y"] + 4)
    topic, run = seen.cells("topics-0", 0)[5], seen.cells("leaderboard-0", 1)[10]
    value = many.parts.scores[run]["nDCG@10"].per_topic[topic]
    assert seen.page.locator("#tip").inner_text() == f"{topic} \u00b7 {run} \u00b7 {value:.3f}"


def test_the_keyboard_is_enough(two: tr.Report, look: Look) -> None:
    seen = look(two)
    head = seen.page.locator("#leaderboard-0 thead th button").nth(1)
    head.focus()
    seen.page.keyboard.press("Enter")
    assert seen.cells("leaderboard-0", 1) == sorted(seen.cells("leaderboard-0", 1))
    seen.page.locator("#topics-0 a").first.focus()
    seen.page.keyboard.press("Enter")
    topic = seen.cells("topics-0", 0)[0]
    seen.page.locator(f"#topic-{topic} table").wait_for(state="visible")


@pytest.mark.parametrize("place", ["run", "topic", "document"])
def test_a_hostile_name_is_text(place: str, look: Look) -> None:
    run, topic, doc = (HOSTILE if place == each else each for each in ("run", "topic", "document"))
    qrels = {topic: {doc: 1, "b": 0}, "q2": {"a": 1}}
    runs = {run: {topic: {doc: 2.0, "b": 1.0}, "q2": {"a": 1.0}}, "other": {topic: {"b": 1.0}, "q2": {"c": 1.0}}}
    runs["third"] = {topic: {"b": 1.0, doc: 0.5}, "q2": {"a": 1.0}}
    seen = look(tr.report(qrels, runs, "nDCG@10 AP"))
    for control in ("measure", "baseline"):
        for option in range(seen.page.locator(f"#{control} option").count()):
            seen.page.locator(f"#{control}").select_option(index=option)
    seen.page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true")
    assert seen.page.locator("img").count() == 0
    assert seen.page.title() != "run"
    assert HOSTILE in seen.page.evaluate("document.body.innerText")
    assert (seen.said, len(seen.requests)) == ([], 1)


def test_aria_of_two_runs(two: tr.Report, look: Look) -> None:
    seen = look(two)
    snapshot = seen.page.locator("body").aria_snapshot()
    for line in (
        "- paragraph: bm25-01 and dense-01 ",
        " [level=1]",
        '- combobox "measure"',
        '- searchbox "find run or topic"',
        '- navigation "Sections"',
        '- heading "Worth knowing" [level=2]',
        '- region "Runs by nDCG@10, the best first"',
        '- table "Runs by nDCG@10, the best first"',
        '- heading "Depth" [level=2]',
    ):
        assert line in snapshot, line
    assert re.search(r'- columnheader "run"', snapshot)
    assert re.search(r'- rowheader "(dense|bm25)-01"', snapshot)
    assert re.search(r'- img "\S+ leads [^"]+"', snapshot)
    assert snapshot.count("- table ") == seen.page.locator("table:visible").count()


def test_aria_of_129_runs(many: tr.Report, look: Look) -> None:
    seen = look(many)
    seen.page.locator("#leaderboard .more").first.click()
    snapshot = seen.page.locator("#leaderboard").aria_snapshot()
    assert snapshot.count("- rowheader ") == 129
    assert snapshot.count("- columnheader ") >= 5
    topics = seen.page.locator("#topics-0").aria_snapshot()
    assert topics.count("- rowheader ") == topics.count("- link ") == 50
    assert '- columnheader "129 runs, from' in topics


@pytest.mark.parametrize(("runs", "fewest", "most"), [("two", 1, 3), ("many", 1, 3)])
def test_paper(runs: str, fewest: int, most: int, look: Look, request: pytest.FixtureRequest) -> None:
    found = request.getfixturevalue(runs)
    seen = look(found)
    seen.page.emulate_media(media="print")
    tops = seen.page.locator("#leaderboard-0, .worth:not([hidden]), .method, #depth svg.figure")
    assert tops.evaluate_all("parts => parts.filter(one => one.offsetHeight || one.clientHeight).length") >= 4
    assert seen.page.locator("details.fold table").evaluate_all("all => all.every(one => !one.offsetHeight)")
    pages = len(re.findall(rb"/Type ?/Page\b", seen.page.pdf(format="A4")))
    assert fewest <= pages <= most


def test_a_topic_that_is_open_is_on_paper(two: tr.Report, look: Look) -> None:
    seen = look(two, at="#topic-407")
    seen.page.emulate_media(media="print")
    assert seen.page.locator("#topic-407 table").is_visible()
    assert not seen.page.locator("#topic-401").is_visible()


@pytest.mark.parametrize("width", [1400, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_screen(width: int, scheme: str, many: tr.Report, look: Look) -> None:
    seen = look(many, width=width, color_scheme=scheme)
    assert seen.page.evaluate("document.documentElement.scrollWidth") == width
    colour = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 29)"}[scheme]


def test_served_by_a_host_it_asks_for_nothing_else(two: tr.Report, chromium: Any, tmp_path: Path) -> None:
    import threading
    from functools import partial
    from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

    asked: list[str] = []

    class Handler(SimpleHTTPRequestHandler):
        def log_message(self, *_: Any) -> None:
            asked.append(self.path)

    two.save(tmp_path / "report.html")
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(tmp_path)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = chromium.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/report.html")
        page.locator("#find").fill("401")
        page.close()
    finally:
        server.shutdown()
        server.server_close()
    assert asked == ["/report.html"]
