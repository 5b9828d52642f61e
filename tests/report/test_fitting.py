"""Tables on a screen: nothing is broken inside a number or a word, and what is not seen is named."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from truerank.data.notes import Note
from truerank.report import terminal
from truerank.report.fitting import fitted
from truerank.report.table import Bounded, Column, Table

MANY = tuple(Column(f"nDCG@{k}", number=True) for k in range(1, 30))
WIDE = Table((Column("run"), *MANY), (("a", *[0.5] * 29), ("b", *[0.25] * 29)))


def printed(table: Table, width: int, **how: bool) -> list[str]:
    text = io.StringIO()
    terminal.show(table, Console(file=text, width=width), **how)
    return text.getvalue().splitlines()


@pytest.mark.parametrize("width", [30, 40, 80, 120, 500])
def test_columns_that_do_not_fit_are_counted(width: int) -> None:
    found = fitted(WIDE, width)
    assert sum(found.widths) + 2 * (len(found.widths) - 1) <= width
    seen = len(found.table.columns)
    assert (found.unseen == "") == (seen == 30)
    if seen < 30:
        assert found.unseen.startswith(f"not shown here: nDCG@{seen}")
        assert found.unseen.endswith(f" and {30 - seen - 4} more columns")
    assert max(map(len, printed(WIDE, width))) <= width


def test_minor_columns_go_first_and_the_first_stays() -> None:
    columns = (Column("run"), Column("kept", number=True), Column("minor", number=True, minor=1), Column("last"))
    table = Table(columns, (("some-run", 0.5, 0.25, "word"),))
    left = [[column.name for column in fitted(table, width).table.columns] for width in (40, 24, 18, 8)]
    assert left == [["run", "kept", "minor", "last"], ["run", "kept", "last"], ["run", "kept"], ["run"]]


def test_sentences_are_broken_between_words_and_numbers_nowhere() -> None:
    why = "FT944-2077 rose from rank 24-25 to 1, and LA092989-0098 from 290 to 2"
    table = Table(
        (Column("topic", number=True), Column("score", number=True), Column("because")),
        ((401, Bounded(0.5, 0.25, 1.0), why),),
    )
    lines = printed(table, 70)
    assert any("0.5000 [0.2500, 1.0000]" in line for line in lines)
    words = {word for line in lines for word in line.split()}
    assert {*why.split()} <= words


def test_titles_have_lines_of_whole_words() -> None:
    table = Table((Column("a"), Column("compared with them all")), (("x", "y"),))
    assert printed(table, 80)[0].split("  ") == ["a", "compared with them all"]
    assert [line.split() for line in printed(table, 20)[:3]] == [["compared"], ["with"], ["a", "them", "all"]]


def test_names_that_are_too_long_lose_their_middle() -> None:
    name = "https://example.org/" + "x" * 200 + "/page-1.html"
    lines = printed(Table((Column("document"), Column("AP", number=True)), ((name, 0.5),)), 60)
    [line] = [line for line in lines if "https" in line]
    assert "…" in line
    assert "page-1.html" in line
    assert any(line.startswith("names are cut") for line in lines)
    assert "0.5000" in line


def test_the_first_notes_are_shown_and_the_others_counted() -> None:
    table = Table((Column("run"),), (("a",),), notes=tuple(f"thing {n}" for n in range(6)))
    assert printed(table, 80)[-4:] == ["note: thing 0", "note: thing 1", "note: thing 2", "3 more notes: add --notes"]
    assert printed(table, 80, notes=True)[-1] == "note: thing 5"
    few = Table((Column("run"),), (("a",),), notes=("one", "two", "three", "four"))
    assert printed(few, 80)[-2:] == ["note: three", "1 more note: add --notes"]
    assert printed(few, 80, notes=True)[-1] == "note: four"


def test_what_is_said_is_broken_between_words_and_never_cut() -> None:
    long = "the order of ties can move 2 runs; most in bm25: nDCG@10 from 0.0726 to 0.3068"
    short = Note(long, "TR1", {}, "ties move 2 runs, most bm25: nDCG@10 0.0726 to 0.3068")
    table = Table((Column("run"),), (("a",),), notes=(short, long))
    wanted = [
        f"note: {short.brief}",
        "note: the order of ties can move 2 runs; most in bm25: nDCG@10 from",
        "      0.0726 to 0.3068",
    ]
    assert printed(table, 70)[-3:] == wanted
    assert printed(table, 140, notes=True)[-2:] == [f"note: {long}"] * 2
    assert printed(replace(table, notes=(long,)), 140)[-1] == f"note: {long}"


def test_an_empty_table_and_wide_signs() -> None:
    assert fitted(Table((), ()), 80).table.rows == ()
    assert fitted(Table((Column("run"),), ()), 80).widths == [3]
    lines = printed(Table((Column("run"), Column("AP", number=True)), (("検索" * 30, 0.5),)), 40)
    assert any("0.5000" in line for line in lines)
