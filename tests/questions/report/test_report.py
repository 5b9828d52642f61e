"""The report without a browser: its numbers are those of the questions, its file is small, safe and the same again."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shlex
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.report import topics as heat
from truerank.report.pages.html import _FILLS, _SHADES, _TEXTS
from truerank.report.plots.theme import THEMES

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"a": 0, "d": 1}, "q3": {"b": 1}}
BASE = {"q1": {"a": 3.0, "u": 2.0, "c": 2.0}, "q2": {"d": 2.0, "v": 1.0}, "q3": {"a": 1.0}}
NEW = {"q1": {"c": 3.0, "a": 2.0}, "q2": {"a": 2.0, "d": 2.0}, "q3": {"b": 1.0}}
RUNS = {"base": BASE, "new": NEW}


class Tables(HTMLParser):
    """The tables of a page by their ids, as lists of texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[str]]] = {}
        self._rows: list[list[str]] | None = None
        self._in = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._rows = self.found.setdefault(dict(attrs)["id"] or "", [])
        elif self._rows is not None and tag == "tr":
            self._rows.append([])
        elif self._rows is not None and tag in ("td", "th"):
            self._rows[-1].append("")
            self._in = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("table", "thead", "tbody"):
            self._in = False
        if tag == "table":
            self._rows = None

    def handle_data(self, data: str) -> None:
        if self._rows and self._in and self._rows[-1]:
            self._rows[-1][-1] += data.strip("\n")


def test_numbers_are_those_of_the_questions(two: tr.Report) -> None:
    parts = two.parts
    assert parts.comparison is not None
    assert parts.ties is not None
    assert parts.unjudged is not None
    for row in two.standings:
        score = parts.scores[row.run][row.measure]
        assert (row.mean, (row.low, row.high)) == (score.mean, score.interval())
        tied = parts.ties[row.run][row.measure]
        assert (row.ties_worst, row.ties_best) == (tied.worst, tied.best)
        open_ = parts.unjudged[row.run][row.measure]
        assert (row.unjudged_low, row.unjudged_high) == (open_.low, open_.high)
        assert row.unjudged == 1 - open_.judged_at[10]


def test_the_page_has_what_the_answers_have(many: tr.Report) -> None:
    tables = Tables(many.page()).found
    head, *rows = tables["leaderboard-1"]
    standings = [row for row in many.standings if row.measure == "AP"]
    assert head[:3] == ["#", "run", "AP"]
    assert [row[1] for row in rows] == [row.run for row in standings]
    digits = len(rows[0][2].partition(".")[2])
    assert [row[2] for row in rows] == [f"{row.mean:.{digits}f}" for row in standings]
    assert [row[4] for row in rows] == [row.possible_ranks for row in standings]
    assert [row[5] for row in rows] == [
        "" if row.rank_low != 1 else "best" if row.rank_high == 1 else "could be best" for row in standings
    ]
    _, *topics = tables["topics-0"]
    scores = many.parts.scores
    means = {t: sum(found["nDCG@10"].per_topic[t] for found in scores.values()) / 129 for t in scores.topics}
    assert [row[0] for row in topics] == sorted(means, key=lambda topic: means[topic])
    assert tables["differences-0"][1][-1] in ("best", "leads")
    assert "matrix-0" not in tables


def test_differences_are_those_of_compare(two: tr.Report) -> None:
    assert two.parts.comparison is not None
    pair = two.parts.comparison["AP"].pair(*two.parts.comparison.runs)
    _, *rows = Tables(two.page()).found["leaderboard-1"]
    [row] = [row for row in rows if row[1] == pair.run]
    digits = len(row[4].partition(".")[2])
    assert row[4] == f"{pair.difference:+.{digits}f}"
    assert row[5] == f"[{pair.low:+.{digits}f}, {pair.high:+.{digits}f}]"
    assert row[7] == f"{pair.wins}:{pair.losses}"
    assert row[8] == pair.verdict
    assert two.baseline == two.parts.comparison.runs[0]


def test_a_range_of_places_is_what_no_difference_rules_out(many: tr.Report) -> None:
    assert many.parts.comparison is not None
    systems = many.parts.comparison["nDCG@10"].systems
    for row in (row for row in many.standings if row.measure == "nDCG@10"):
        system = systems[row.run]
        assert (row.rank_low, row.rank_high) == (system.rank_low, system.rank_high)
        # No more than the pairs that are significant in the comparisons of this run leave open.
        assert row.rank_low <= row.rank <= row.rank_high


def test_bytes(two: tr.Report, many: tr.Report) -> None:
    assert len(two.page().encode()) < 300_000
    assert len(many.page().encode()) < 1_200_000


def test_the_same_runs_give_the_same_page() -> None:
    assert tr.report(QRELS, RUNS, "nDCG@10 AP").page() == tr.report(QRELS, RUNS, "nDCG@10 AP").page()
    turned = {topic: dict(reversed(docs.items())) for topic, docs in BASE.items()}
    # What tools make of ties by the order of rows is among what is said of ties, and nowhere else.
    first, other = (
        re.sub(r'<section id="ties">.*?</section>', "", tr.report(QRELS, runs, "nDCG@10 AP").page(), flags=re.DOTALL)
        for runs in (RUNS, {"base": turned, "new": NEW})
    )
    assert first == other


def test_the_policy_allows_what_is_in_the_page_and_nothing_else(two: tr.Report) -> None:
    page = two.page()
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        [text] = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        assert f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" in policy
    assert re.findall(r'<[^>]* (?:style|on\w+)="', page) == []
    assert re.findall(r'(?:src|href)="(?!#|data:,)[^"]*"', page) == []


def test_every_table_says_what_it_shows_and_every_figure_has_a_sentence(many: tr.Report) -> None:
    page = many.page()
    assert page.count("<table") == page.count("<caption>")
    assert all(len(said) > 15 for said in re.findall(r"<caption><span>(.*?)</span>", page))
    assert page.count('<svg class="figure"') == page.count("<figcaption>") == 3
    assert all('role="img" aria-label="' in tag for tag in re.findall(r'<svg class="figure"[^>]*>', page))
    assert "<th scope=col" in page
    assert "<th scope=row>" in page
    assert 'id="topic-401"' in page


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["light", "dark"])
def test_what_is_read_stands_out(name: str) -> None:
    theme, shades = THEMES[name], _SHADES[name]
    texts = {"ink": theme.ink, "quiet": theme.quiet, **_TEXTS[name]}
    behind = {"page": theme.background, **{at: _FILLS[name][at] for at in ("warnbg", "top")}}
    pairs = {f"{said} on {at}": (colour, below) for said, colour in texts.items() for at, below in behind.items()}
    pairs |= {f"level {at}": (theme.ink if at < 5 else theme.background, shade) for at, shade in enumerate(shades)}
    assert {said: round(contrast(*pair), 2) for said, pair in pairs.items() if contrast(*pair) < 4.5} == {}
    steps = [luminance(shade) for shade in shades]
    assert steps in (sorted(steps), sorted(steps, reverse=True))


def test_beyond_the_largest_heat_map_the_best_are_shown_and_quantiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat, "LARGEST", 200)
    track = tr.simulate(systems=60, topics=5, seed=2, documents=500, depth=10, pool_depth=5)
    scores = tr.evaluate(track.qrels, track.runs, "nDCG@10")
    shown = heat.heat_map(heat.TopicValues.of(scores, "nDCG@10"), "x", str)
    assert "there are 60, of which the others are told by quantiles" in shown.caption
    assert [column.title for column in shown.columns][2:7] == ["least", "25%", "median", "75%", "most"]
    assert len(shown.rows[0][-1].levels) == 50  # type: ignore[union-attr]
    values = sorted(found["nDCG@10"].per_topic[shown.rows[0][0].text] for found in scores.values())  # type: ignore[union-attr]
    assert shown.rows[0][2] == f"{values[0]:.2f}"
    assert shown.rows[0][6] == f"{values[-1]:.2f}"


def test_one_run_has_no_differences() -> None:
    found = tr.report(QRELS, {"alone": BASE}, "AP")
    assert (found.baseline, found["alone"]["AP"].possible_ranks) == (None, "")
    page = found.page()
    assert 'id="differences"' not in page
    assert 'id="topic-q1"' in page
    assert found.verdict("runs").startswith('"alone" has 0.64 AP (95% CI ')
    lists = [rows for name, rows in Tables(page).found.items() if name.startswith("lists-")]
    assert [[row[:3] for row in rows] for rows in lists if len(rows) == 4] == [
        [["rank", "alone", "grade"], ["1", "a", "1"], ["2", "c (tied, 2-3)", "2"], ["3", "u (tied, 2-3)", "unjudged"]]
    ]


def test_the_verdict_names_the_runs_that_could_be_best(many: tr.Report) -> None:
    said = many.verdict("runs")
    said = said[said.index("nDCG@10: ") :]
    rows = [row for row in many.standings if row.measure == "nDCG@10"]
    best, *others = [row.run for row in rows if row.rank_low == 1]
    assert best == rows[0].run
    assert others
    assert said.startswith(f'nDCG@10: "{best}" leads; the best run is ')
    assert all(f'"{run}"' in said for run in others[:3])
    assert f"and {len(others) - 3} other" in said or len(others) <= 3
    assert many.parts.comparison is not None
    pair = many.parts.comparison["nDCG@10"].pair(
        *sorted((rows[0].run, rows[1].run), key=many.parts.comparison.runs.index)
    )
    assert f'The closest, "{rows[1].run}", is {abs(pair.difference):.3f} nDCG@10 lower (95% CI ' in said


def test_the_verdict_on_two_runs_is_that_of_compare(two: tr.Report) -> None:
    assert two.parts.comparison is not None
    first, second = two.parts.comparison.runs
    notes = [note for note in two.notes("runs", whole=True) if note.code == "TR801"]
    assert two.verdict("runs") == " ".join(notes)
    for measure, note in zip(two.measures, notes, strict=True):
        pair = two.parts.comparison[measure].pair(first, second)
        text = {
            "better": f'"{second}" is significantly better than "{first}".',
            "worse": f'"{second}" is significantly worse than "{first}".',
            "not significant": f'No significant difference between "{second}" and "{first}".',
        }[pair.verdict]
        assert str(note).startswith(f"{measure}: {text} ")
        assert f"({pair.wins} topics won" in str(note) or f"; {pair.wins} topic" in str(note)


def test_what_makes_scores_worthless_stands_above_the_verdict() -> None:
    page = tr.report(QRELS, {"base": BASE, "new": {"q1": {"elsewhere": 1.0}}}, "AP").page()
    assert page.index("no document is judged") < page.index("<h1>")


def test_worth_knowing_has_facts_first_and_three_lines() -> None:
    track = tr.simulate(systems=6, topics=50, seed=7, documents=2_000, depth=100, pool_depth=30)
    page = tr.report(track.qrels, track.runs, "nDCG@10").page()
    [known] = re.findall(r'<aside class="worth".*?</aside>', page, re.DOTALL)
    lines = re.findall("<li>(.*?)</li>", known.partition("<details>")[0])
    assert 1 <= len(lines) <= 3
    assert "no run can score above" in lines[0]
    more = re.search(r"<summary>(\d+) more note", known)
    assert more is not None
    assert int(more[1]) == len(re.findall("<li>", known.partition("<details>")[2]))


@pytest.mark.parametrize(
    ("gate", "result", "code"), [("no worse than 0.9", "PASSED", 0), ("better by 0.9", "FAILED", 1)]
)
def test_a_gate_stands_on_top_and_decides_the_exit_code(
    gate: str, result: str, code: int, truerank: Callable[..., Any], files: Path
) -> None:
    given = [str(files / name) for name in ("qrels.txt", "tied.run", "good.run")]
    done = truerank("report", *given, "-m", "AP", "--gate", gate, "--out", files / "gated.html")
    alone = truerank("compare", *given, "-m", "AP", "--gate", gate)
    assert done.exit_code == alone.exit_code
    found = tr.report(given[0], given[1:], "AP", gate=gate)
    [outcome] = found.gates
    page = (files / "gated.html").read_text()
    assert page.index(f"<b>{outcome.outcome}</b>") < page.index("<h1>")
    assert outcome.sentence in done.stderr
    assert outcome.sentence in alone.stderr
    assert f"--gate {shlex.quote(gate)}" in found.command
    assert json.loads(found.to_json())["gates"][0]["outcome"] == outcome.outcome


def test_of_many_gates_the_first_that_are_not_passed_are_told() -> None:
    track = tr.simulate(systems=8, topics=12, seed=3, documents=500, depth=20, pool_depth=10)
    found = tr.report(track.qrels, track.runs, "AP", gate="better")
    told = found.paged().gates
    missed = [one for one in found.gates if not one.passed]
    assert told[0][1] == f"{len(found.gates) - len(missed)} of 7 gates passed."
    assert [rest for _, rest in told[1:]] == [one.sentence.removeprefix(one.outcome).lstrip(": ") for one in missed[:3]]
    assert found.exit_code == 1
    assert found.baseline == next(iter(track.runs))


def test_the_day_is_that_of_the_build(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert "14 November 2023" in tr.report(QRELS, RUNS, "AP").page()


def test_commands_have_short_paths_from_a_folder(truerank: Callable[..., Any], files: Path) -> None:
    given = [str(files / name) for name in ("qrels.txt", "tied.run", "good.run")]
    page = tr.report(given[0], given[1:], "AP").page()
    [block] = re.findall(r'<pre class="command">(.*?)</pre>', page, re.DOTALL)
    first, *lines = block.splitlines()
    assert first == f"cd {files}"
    assert all(line.startswith("truerank ") and str(files) not in line for line in lines)
    assert "truerank evaluate qrels.txt tied.run good.run -m AP" in lines


def test_lists_are_those_of_the_runs(many: tr.Report) -> None:
    tables = Tables(many.page()).found
    assert many.parts.lists is not None
    head, *rows = tables["lists-7"]
    assert head[1] == many.parts.lists.runs[0] == many.baseline
    assert head[4] == many.parts.lists.runs[1]
    topic = tables["topics-0"][8][0]
    adds = sum(float(row[3] or 0) for row in rows)
    assert adds == pytest.approx(many.parts.scores[head[1]]["nDCG@10"].per_topic[topic], abs=0.006)


def test_what_a_question_refuses_is_left_out_and_said() -> None:
    found = tr.report(QRELS, RUNS, "AP GM")
    assert "no mean over topics" in found.parts.left_out["differences in GM"]
    assert [found["new"][measure].possible_ranks for measure in ("AP", "GM")] == ["1-2", ""]
    assert any(note.code == "TR802" for note in found.notes())
    assert "Not here: differences in GM" in found.page()
    undefined = tr.report({**QRELS, "q4": {"a": 0}}, RUNS, "AP", no_relevant="nan")
    assert "at some depth" in undefined.parts.left_out["depth"]


def test_names_that_are_no_text() -> None:
    qrels = {"caf\udce9 \u202e": {"d\udce9": 1}, "q2": {"b": 1}}
    runs = {"r\udce9": {topic: [*docs] for topic, docs in qrels.items()}, "s": {"q2": ["c"]}}
    page = tr.report(qrels, runs, "nDCG@10").page()
    assert page.encode("utf-8").decode() == page
    [place] = re.findall(r'href="#(topic-caf[^"]*)"', page)
    assert f'id="{unquote(place)}"' in page
    assert "\u202e" not in page


def test_preferences_are_scored_without_what_needs_grades() -> None:
    prefs = tr.read_preferences([("q1", "a", "b"), ("q2", "d", "a")])
    found = tr.report(prefs, RUNS, "PrefLoss")
    assert "preferences" in found.parts.left_out["unjudged documents"]
    assert "PrefLoss" in found.page()


def test_conventions_are_those_that_were_chosen() -> None:
    found = tr.report(QRELS, RUNS, "AP", ties="docid", no_relevant="skip")
    assert (
        found["base"]["AP"].mean == tr.evaluate(QRELS, RUNS, "AP", ties="docid", no_relevant="skip")["base"]["AP"].mean
    )
    assert "--ties docid" in found.command
    assert "--ties" not in found.parts.commands["ties"]
    with pytest.raises(InputError, match="gives two numbers"):
        tr.report(QRELS, RUNS, "AP", ties="bounds")
    ended = tr.report(QRELS, RUNS, "RBP", ending="terminal")
    assert "ending" in ended.parts.left_out["depth"]


def test_a_baseline_that_is_none(files: Path) -> None:
    with pytest.raises(InputError, match="there is no run 'x' to be the baseline"):
        tr.report(QRELS, RUNS, "AP", baseline="x")
    assert tr.report(QRELS, RUNS, "AP", baseline="new").baseline == "new"


def test_the_command_writes_the_page(truerank: Callable[..., Any], files: Path) -> None:
    given = [files / name for name in ("qrels.txt", "tied.run", "good.run")]
    done = truerank("report", *given, "--out", files / "report.html")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr.splitlines()[-1] == f"wrote {files / 'report.html'}: open it in a browser"
    page = (files / "report.html").read_text()
    assert page.startswith("<!DOCTYPE html>")
    for path in given:
        assert hashlib.sha256(path.read_bytes()).hexdigest() in page
    refused = truerank("report", *given, "--format", "html", "--out", given[1])
    assert refused.exit_code == 2
    assert "which would be lost" in refused.stderr


def test_markdown_is_the_same_as_text(truerank: Callable[..., Any], files: Path) -> None:
    given = [files / name for name in ("qrels.txt", "tied.run", "good.run")]
    text = truerank("report", *given, "--format", "markdown", "-m", "AP").stdout
    assert text.startswith("# tied and good on ")
    for title in ("Worth knowing:", "## Topics", "## Depth", "## Ties", "## Unjudged", "## How it was made"):
        assert title in text
    assert re.search(r"^\| 1 \| good \| 1\.0", text, re.MULTILINE)
    assert "<svg" not in text
    assert text == truerank("report", *given, "--out", "-", "--format", "markdown", "-m", "AP").stdout
    truerank("report", *given, "--out", files / "r.md", "-m", "AP")
    assert (files / "r.md").read_text() == text


def test_other_formats_have_the_leaderboard(truerank: Callable[..., Any], files: Path) -> None:
    given = [files / name for name in ("qrels.txt", "tied.run", "good.run")]
    head, *rows = truerank("report", *given, "-m", "AP", "--format", "tsv").stdout.splitlines()
    assert head.split("\t")[:4] == ["measure", "rank", "run", "mean"]
    assert [row.split("\t")[2] for row in rows] == ["good", "tied"]
    document = json.loads(truerank("report", *given, "-m", "AP", "--format", "json").stdout)
    assert [row["role"] for row in document["files"]] == ["judgments", "run", "run"]
    assert (document["version"], document["baseline"]) == (2, "tied")


def test_streams_are_read_once(truerank: Callable[..., Any], files: Path) -> None:
    text = (files / "tied.run").read_text()
    done = truerank("report", files / "qrels.txt", "-", files / "good.run", "-m", "AP", "--format", "json", input=text)
    assert done.exit_code == 0
    assert [note["facts"]["part"] for note in json.loads(done.stdout)["notes"] if note["code"] == "TR802"] == ["lint"]


def test_commands_ask_what_the_page_tells(truerank: Callable[..., Any], files: Path) -> None:
    given = [str(files / name) for name in ("qrels.txt", "tied.run", "good.run")]
    found = tr.report(given[0], given[1:], "AP", missing="skip")
    for command in (*found.parts.commands.values(), found.command):
        done = truerank(*shlex.split(command)[1:])
        assert done.exit_code == 0, command
    pairs = truerank(*shlex.split(found.parts.commands["compare"])[1:], "--format", "json")
    assert found.parts.comparison is not None
    [pair] = json.loads(pairs.stdout)["pairs"]
    assert pair["p_corrected"] == found.parts.comparison["AP"].pair("tied", "good").p_corrected


def test_what_is_not_installed_is_named_with_the_extra_that_has_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(InputError, match=r"a report needs altair; install truerank\[report\]"):
        tr.report({"q": {"a": 1}}, {"q": ["a"]})
