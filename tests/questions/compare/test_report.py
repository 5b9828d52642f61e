"""Comparisons laid out: letters, digits, sentences, and every format."""

from __future__ import annotations

import re

import pytest
from tests.questions.compare.tracks import judged, run, track

from truerank.data.printing import p_value
from truerank.questions.compare.answer import Comparison
from truerank.questions.compare.question import compare
from truerank.report.digits import decimals, rounded
from truerank.report.formats import FORMATS, render
from truerank.report.letters import letters, raised
from truerank.report.table import Column, Rounded, Table

pytest.importorskip("scipy")

QRELS, RUNS, _ = track(9, 5, 30)
GATES = ["no worse than 0.05", "not significantly worse"]
FOUND = compare(QRELS, RUNS, "RR P@5", settled=True)
GATED = compare(QRELS, RUNS, "RR P@5", gate=GATES)
GROUPED = compare(QRELS, RUNS, "RR", settled=False, group={topic: topic[:2] for topic in QRELS})
MANY = compare(judged(12), {f"r{at}": run([1 + at // 3] * 11 + [1]) for at in range(40)}, "RR")


def test_letters_have_no_limit() -> None:
    names = [letters(place) for place in range(20_000)]
    assert len({*names}) == 20_000
    assert names[:2] + names[25:28] == ["a", "b", "z", "aa", "ab"]
    assert raised("ab-z") == "ᵃᵇ⁻ᶻ"


@pytest.mark.parametrize(
    ("error", "digits"), [(0.5, 2), (0.1, 2), (0.099, 3), (0.01, 3), (0.00123, 4), (3.0, 1), (45.0, 0), (0.0, 4)]
)
def test_digits_go_down_to_a_tenth_of_the_standard_error(error: float, digits: int) -> None:
    assert decimals(error) == digits
    assert error == 0 or error / 100 < 10**-digits <= error / 10 or digits == 0


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [(0.12345, 3, "0.123"), (0.0, 2, "0.00"), (-0.0004, 2, "-0.0004"), (12.3, 0, "12"), (float("nan"), 2, "undefined")],
)
def test_rounded(value: float, digits: int, text: str) -> None:
    assert rounded(value, digits) == text


@pytest.mark.parametrize(
    "p", [0.0, 1e-9, 0.0001, 0.00095, 0.0123, 0.0499999, 0.05, 0.0500001, 0.3, 0.9949, 0.9999, 1.0]
)
def test_a_p_value_is_on_the_same_side_of_the_level_as_it_looks(p: float) -> None:
    text = p_value(p, 0.05)
    shown = float(text.split()[-1])
    assert (shown < 0.05) == (p < 0.05)
    assert text.startswith("p < .0001") == (p < 0.0001)


def test_the_leaderboard_says_who_is_significantly_better_than_whom() -> None:
    table = FOUND.table()
    assert [row[:2] for row in table.rows] == [(each, name) for each in FOUND for name in FOUND[each].systems]
    for measure, name, cell, *_, word in table.rows:
        found = FOUND[str(measure)]
        assert isinstance(cell, Rounded)
        assert cell.value == found.systems[str(name)].mean
        best = found.runs[found.order[0]]
        if name == best:
            assert word in ("best", "leads")
        else:
            assert word == ("worse" if name in found.systems[best].better_than else "not significant")


def test_more_runs_by_several_measures_have_marks() -> None:
    runs = {f"{name}-{again}": one for name, one in RUNS.items() for again in range(3)}
    table = compare(QRELS, runs, "RR P@5", baseline="s00-0", settled=False).table(top=15)
    assert [column.name for column in table.columns] == ["run", "RR", "P@5"]
    marks = {cell.marks for row in table.rows for cell in row[1:] if isinstance(cell, Rounded)}
    assert marks <= {"", "+", "-"}
    assert "-" in marks
    assert table.key == "+: significantly better than s00-0; -: significantly worse"


def test_many_systems_have_the_places_that_they_can_be_in() -> None:
    table = MANY.table()
    assert [column.name for column in table.columns] == ["rank", "run", "RR", "possible ranks", "could be best"]
    assert [row[0] for row in table.rows] == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10, 10]
    for row in table.rows:
        system = MANY["RR"].systems[str(row[1])]
        ends = dict.fromkeys((system.rank_low, system.rank_high))
        assert (row[0], row[3]) == (system.rank, "-".join(map(str, ends)))
        assert row[4] == ("could be best" if system.rank_low == 1 else "")
    assert any("39 pairs have the same scores" in note for note in table.notes)
    few = MANY.table(top=3)
    assert len(few.rows) == 3
    assert few.below.endswith("; 3 of 40 runs shown: --top 40")
    both = compare(judged(12), {f"r{at}": run([1 + at // 3] * 11 + [1]) for at in range(40)}, "RR P@5", settled=False)
    assert [column.name for column in both.table().columns] == ["run", "RR", "P@5"]


def everything(found: Comparison) -> str:
    """What people see, and all notes, in one line."""
    return " ".join(" ".join((str(found), *found.notes())).split())


def test_few_systems_stand_against_the_best_or_the_baseline() -> None:
    found = compare(QRELS, RUNS, "RR", settled=False)["RR"]
    best = found.runs[found.order[0]]
    table = compare(QRELS, RUNS, "RR", settled=False).table()
    assert [column.title for column in table.columns][1:4] == ["RR", "vs best", "95% CI"]
    for row in table.rows:
        if row[0] == best:
            assert [cell for cell in row[2:] if cell] in (["best"], ["leads"])
            continue
        asked = [(found.runs[a], found.runs[b]) for a, b in found.asked]
        pair = found.pair(best, str(row[0])) if (best, row[0]) in asked else found.pair(str(row[0]), best).turned()
        assert pair.run == row[0]
        means = found.systems
        assert pair.difference == pytest.approx(means[str(row[0])].mean - means[best].mean)
        assert row[5:] == (f"{pair.wins}:{pair.losses}", pair.verdict)
        assert str(row[2]).startswith("-")
        assert pair.low <= pair.difference <= pair.high
    held = compare(QRELS, RUNS, "RR", baseline="s02", settled=False).table()
    assert held.columns[2].title == "vs s02"
    assert held.verdict == 'No run differs significantly from "s02" by RR.'
    two = compare(QRELS, {name: RUNS[name] for name in ("s04", "s00")}, "RR", settled=False).table()
    assert two.columns[2].title == "diff"


def test_a_verdict_in_one_sentence() -> None:
    runs = {name: RUNS[name] for name in ("s00", "s04")}
    found = compare(QRELS, runs, "RR", test="randomization", settled=False)
    assert re.fullmatch(
        r"s04 scores lower than s00: -0\.\d{3} RR, 95% CI -0\.\d{3} to -0\.\d{3}, p = \.\d{3,4} "
        r"\(randomisation test, 10,000 assignments drawn with seed 0\), \d+ wins, \d+ losses, \d+ ties on 30 topics",
        found.verdicts[0],
    )
    many = compare(QRELS, RUNS, "RR", settled=False, margin=0.3).verdicts
    assert len(many) == 10
    assert "(paired t-test, Holm over 10 pairs of 5 systems)" in many[0]
    ends = r"0\.3 \(-0\.\d+ to \+0\.\d+ with unseen topics allowed for\)"
    assert any(re.search(f" is equivalent within {ends}", line) for line in many)
    assert any(re.search(f" may be worse by {ends.replace(' ', ' or more ', 1)}", line) for line in many)


def test_what_is_not_settled_is_counted() -> None:
    apart = {name: {topic: [name, *docs] for topic, docs in RUNS[name].items()} for name in ("s00", "s02", "s04")}
    found = compare(QRELS, apart, "AP", settled=True)
    [said] = [note for note in found.table().notes if note.startswith("AP: 3 of 3 verdicts depend on: ")]
    assert said.endswith("unjudged documents (3); how likely unjudged documents change verdicts: truerank unjudged")
    assert said.brief == "AP: 3 of 3 verdicts depend on: unjudged documents (3), see truerank unjudged"
    assert all("; depends on conventions: " in line and "unjudged documents " in line for line in found.verdicts)


def test_many_pairs_are_counted() -> None:
    by_code = {note.code: note for note in FOUND.whole().notes if note.startswith("RR: ")}
    assert re.fullmatch(r"RR: \d of 10 pairs differ significantly", by_code["TR303"])
    assert re.fullmatch("RR: all 10 verdicts hold under every other convention that was tried", by_code["TR304"])
    assert re.match(r"RR: the best, s0\d, is significantly better than \d of 4, not than ", by_code["TR305"])
    assert by_code["TR304"] in FOUND.table().notes
    table = compare(QRELS, RUNS, "RR", settled=False).table()
    assert not any("settled" in line for line in table.notes)


def test_how_it_was_done_is_always_named() -> None:
    for show in FOUND.sheets:
        for table in (GATED.whole(show), GATED.table(show)):
            said = " ".join((table.below, *table.notes))
            for part in ("30 topics", "paired t-test", "Holm over 4 pairs"):
                assert part in said
        whole = " ".join(GATED.whole(show).notes)
        assert all(part in whole for part in ("below .05", "ties expected", "by t"))
    tukey = compare(QRELS, RUNS, "RR", test="tukey", ties="docid", alpha=0.01, settled=False)
    assert "Tukey's HSD, blocked by topic, significant below .01" in str(tukey.caption("systems"))
    assert "of differences by Tukey's method, for all pairs at once, ties docid" in str(tukey.caption("systems"))
    assert tukey.table().method == (
        "30 topics, Tukey's HSD, blocked by topic, all pairs at once, significant below .01, ties docid"
    )


def test_the_method_is_one_line_with_what_is_not_as_by_default() -> None:
    assert compare(QRELS, RUNS, "RR", settled=False).table().method == "30 topics, paired t-test, Holm over 10 pairs"
    bounds = compare(QRELS, RUNS, "RR", interval="bca", margin=0.1, settled=False).table().method
    assert bounds == (
        "30 topics, paired t-test, Holm over 10 pairs, intervals by bca, each for its pair alone, margin 0.1, unseen "
        "topics allowed for"
    )


@pytest.mark.parametrize("form", [*FORMATS])
@pytest.mark.parametrize("show", [None, *FOUND.sheets])
@pytest.mark.parametrize("found", [FOUND, GATED, GROUPED], ids=["plain", "gated", "grouped"])
def test_every_format_of_everything(found: Comparison, show: str | None, form: str) -> None:
    text = found.render(form, show)
    alone = {
        "common": None,
        "gates": GATED,
        "groups": GROUPED,
        "grouped": GROUPED,
        "across": None,
        "across_pairs": None,
    }
    asked = found is alone.get(show or "", found)
    assert "RR" in text or not asked


def test_a_verdict_leads_the_table_of_people_and_programs_have_notes() -> None:
    people, programs = FOUND.table(), FOUND.whole()
    assert people.verdict == FOUND.verdict("systems")
    assert programs.notes[0].startswith("30 topics, paired t-test")
    assert {"TR303", "TR304", "TR305"} <= {note.code for note in programs.notes}
    assert len({*programs.notes}) == len(programs.notes)
    assert "TR304" not in {note.code for note in FOUND.table(quiet=["TR304"]).notes}
    assert FOUND.verdict("paper") == ""


def test_with_gates_markdown_is_the_summary() -> None:
    assert GATED.render("markdown") + "\n" == GATED.summary()
    for table in (GATED.render("markdown", "systems"), FOUND.render("markdown")):
        assert "###" not in table
        assert "| measure | run | mean |" in table


def test_superscripts_in_each_format() -> None:
    table = Table((Column("run"), Column("AP")), (("x", Rounded(0.5123, 2, "a,c-e")),))
    assert "0.51ᵃ,ᶜ⁻ᵉ" in render(table, "table")
    assert r"x & 0.51 & \textsuperscript{a,c-e} \\" in render(table, "latex")
    assert "| x | 0.51<sup>a,c-e</sup> |" in render(table, "markdown")
    assert "<td>0.51<sup>a,c-e</sup></td>" in render(table, "html")
    assert render(table, "csv").splitlines()[1] == "x,0.5123"


def test_cells_that_read_alike_are_best_together() -> None:
    rows = (("x", Rounded(0.512, 2, "b")), ("y", Rounded(0.508, 2)), ("z", Rounded(0.4, 2)))
    assert Table((Column("run"), Column("AP", best="high")), rows).best() == {(0, 1), (1, 1)}


def test_what_topics_can_show() -> None:
    assert re.search(
        r"RR: with 30 topics, power is below 80% for true differences under 0\.\d+ to 0\.\d+, depending on the pair "
        r"\(t-test at \.05 over 10 pairs\)",
        everything(FOUND),
    )
    two = compare(judged(2), {"a": run([1, 2]), "b": run([2, 1])}, "RR")
    assert "RR: 2 topics are too few to find any difference (t-test" in everything(two)
    pair = compare(QRELS, {name: RUNS[name] for name in ("s00", "s01")}, "RR")
    assert "power is below 80% for true differences under " in everything(pair)
    assert "one as large as observed" not in everything(pair)


def test_an_open_pair_says_what_the_difference_may_be() -> None:
    found = compare(judged(2), {"a": run([1, 2]), "b": run([2, 1])}, "RR", settled=False)
    assert found.verdicts[0].startswith(
        "no significant difference between b and a: 0.00 RR, 95% CI -1.00 to +1.00, p = 1"
    ), found.verdicts[0]
    # Holm's p is above .05 where the interval of the pair alone leaves 0 out.
    every = compare(QRELS, RUNS, "RR", interval="t", settled=False)
    told = []
    for pair, text in zip(every["RR"].pairs, every.verdicts, strict=True):
        told.append(pair.verdict == "not significant" and pair.low * pair.high > 0)
        assert told[-1] == (" for this pair alone, p = " in text)
    assert any(told)


@pytest.mark.parametrize("test", ["sign", "wilcoxon"])
def test_an_interval_of_something_else_than_the_test_says_so(test: str) -> None:
    runs = {"a": run([2] * 4 + [1] * 46), "b": run([1] * 50)}
    found = compare(judged(50), runs, "RR", test=test, settled=False)
    assert ": +0.040 RR, 95% CI +0.001 to +0.079 by t, p = .12 (" in found.verdicts[0]
    note = "RR: 1 pair of systems differs on 5 topics or fewer, too few for p below 0.05 by any test"
    assert note in everything(found)
    assert note in found.notices


def test_what_ranks_and_signs_show_is_no_exaggerated_mean() -> None:
    runs = {"a": run([2] * 12 + [1]), "b": run([1] * 12 + [40])}
    found = compare(judged(13), runs, "RR", test="sign", settled=False)
    assert found["RR"].pairs[0].verdict == "better"
    assert "exaggerated" not in everything(found)


def test_low_values_that_are_good_are_called_so() -> None:
    qrels = {f"t{at}": {"x": 1, "y": 0, "z": 0} for at in range(8)}
    runs = {name: {topic: list(order) for topic in qrels} for name, order in {"good": "xyz", "poor": "yzx"}.items()}
    text = compare(qrels, runs, "PrefLoss", settled=False).verdicts[0]
    assert text.startswith("poor scores higher, so worse, than good: +")


def test_weak_differences_are_said_to_be_exaggerated() -> None:
    runs = {"a": run([2] * 40), "b": run([1 if at % 7 == 0 else 2 for at in range(40)])}
    found = compare(judged(40), runs, "RR", settled=False)
    [pair] = found["RR"].pairs
    assert pair.verdict == "better"
    assert pair.difference < pair.detectable
    assert re.search(
        r"1 of 1 significant difference is smaller than so few topics reliably show, and probably overestimated: one "
        r"of 0\.\d+, half of the weakest, would be found \d+% of the time, and would then look [12]\.\d times as large",
        everything(found),
    ), everything(found)


def test_the_summary_of_a_pull_request() -> None:
    text = GATED.summary()
    assert text.startswith("### Gate failed: 5 runs by RR, P@5\n")
    assert sum(text.count(f"- {outcome}: ") for outcome in ("PASSED", "FAILED", "UNDECIDED")) == 16
    assert "topics got worse from s00 to s04 by RR</summary>" in text
    assert text.count("<details>") == text.count("</details>") == 9
    assert "\n... and " in text
    assert text.endswith("</details>\n")
    passed = compare(QRELS, {"a": RUNS["s00"], "b|b": RUNS["s00"]}, "RR", gate="no worse than 0.01").summary()
    assert passed.startswith("### Gate passed: a and b\\|b by RR\n")
    assert "No topic got worse by RR." in passed
    assert FOUND.summary().startswith("### Comparison: 5 runs by RR, P@5\n")
