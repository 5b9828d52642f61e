"""One table in every format."""

from __future__ import annotations

import csv
import io
import math
from html.parser import HTMLParser

import pytest
from rich.console import Console

from truerank.report import terminal
from truerank.report.formats import ENDINGS, FORMATS, MACHINE, RENDERERS, render
from truerank.report.table import Bounded, Column, Table, shown

TABLE = Table(
    columns=(
        Column("run"),
        Column("AP", number=True, best="high"),
        Column("Loss", number=True, best="low"),
        Column("NumRet", number=True),
    ),
    rows=(
        ("bm25|<b>&_x", Bounded(1 / 3, 0.25, 0.5), 0.125, 1000),
        ("dense", Bounded(0.25, 0.125, 0.25), 0.5, 1000),
        ("none", math.nan, None, 0),
    ),
    caption="3 topics",
    notes=("50% <unjudged>",),
)


def test_every_format_has_a_renderer() -> None:
    for form in RENDERERS:
        assert render(TABLE, form)
    assert {*FORMATS} == {*RENDERERS, "json"}
    assert set(MACHINE) | set(ENDINGS.values()) <= set(FORMATS)


@pytest.mark.parametrize(("form", "delimiter"), [("tsv", "\t"), ("csv", ",")])
def test_programs_get_exact_numbers_and_nothing_but_rows(form: str, delimiter: str) -> None:
    head, *rows = csv.reader(io.StringIO(render(TABLE, form)), delimiter=delimiter)
    assert head == ["run", "AP", "AP.low", "AP.high", "Loss", "NumRet"]
    assert rows == [
        ["bm25|<b>&_x", "0.3333333333333333", "0.25", "0.5", "0.125", "1000"],
        ["dense", "0.25", "0.125", "0.25", "0.5", "1000"],
        ["none", "nan", "", "", "", "0"],
    ]


@pytest.mark.parametrize("name", ["a\tb", "a\nb", 'a"b', "a,b"])
def test_a_name_cannot_break_a_row(name: str) -> None:
    table = Table((Column("run"), Column("AP")), ((name, 0.5),))
    for form, delimiter in (("tsv", "\t"), ("csv", ",")):
        assert [*csv.reader(io.StringIO(render(table, form)), delimiter=delimiter)] == [["run", "AP"], [name, "0.5"]]
    assert len(render(table, "markdown").splitlines()) == 3


def test_the_best_cells_stand_out() -> None:
    assert TABLE.best() == {(0, 1), (0, 2)}
    assert "**0.3333 [0.2500, 0.5000]**" in render(TABLE, "markdown")
    assert r"\textbf{0.1250}" in render(TABLE, "latex")
    assert "<strong>0.1250</strong>" in render(TABLE, "html")


@pytest.mark.parametrize(
    ("values", "best"),
    [
        ((0.5, 0.25), {0}),
        ((0.50001, 0.50002, 0.1), {0, 1}),
        ((0.5, 0.5), set()),
        ((math.nan, 0.5), {1}),
        ((math.nan, math.nan), set()),
        ((), set()),
    ],
)
def test_cells_that_read_alike_stand_out_together_or_not_at_all(values: tuple[float, ...], best: set[int]) -> None:
    table = Table((Column("AP", best="high"),), tuple((value,) for value in values))
    assert {row for row, _ in table.best()} == best


def test_signs_of_a_format_are_escaped() -> None:
    assert "bm25\\|\\<b>&\\_x" in render(TABLE, "markdown")
    assert r"bm25\textbar{}$<$b$>$\&\_x" in render(TABLE, "latex")
    assert "bm25|&lt;b&gt;&amp;_x" in render(TABLE, "html")


def test_latex_is_a_booktabs_table() -> None:
    lines = render(TABLE, "latex").splitlines()
    assert lines[:3] == ["% 3 topics", "% 50% <unjudged>", r"\begin{tabular}{lrrr}"]
    assert [line for line in lines if line.endswith("rule")] == [r"\toprule", r"\midrule", r"\bottomrule"]
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    assert [line.count(" & ") for line in body] == [3, 3, 3]
    assert all(line.endswith(r" \\") for line in body)


def test_html_is_well_formed() -> None:
    class Balance(HTMLParser):
        stack: list[str] = []

        def handle_starttag(self, tag: str, attrs: object) -> None:
            if tag != "meta":
                self.stack.append(tag)

        def handle_endtag(self, tag: str) -> None:
            assert self.stack.pop() == tag

    checker = Balance()
    checker.feed(render(TABLE, "html"))
    assert checker.stack == []


def test_plain_text_is_aligned() -> None:
    head, line, *rows = render(TABLE, "table").splitlines()
    assert {len(row) for row in rows[:3]} == {len(line)}
    assert head.index("NumRet") + len("NumRet") == len(line)
    assert rows[-2:] == ["(3 topics)", "note: 50% <unjudged>"]


def test_a_terminal_shows_all_of_it() -> None:
    console = Console(file=io.StringIO(), width=100, force_terminal=True)
    terminal.show(TABLE, console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for part in ("bm25|<b>&_x", "0.3333 [0.2500, 0.5000]", "undefined", "3 topics", "50% <unjudged>"):
        assert part in text
    assert "\x1b[1;32m0.3333" in text.replace("m ", "m")


def test_markup_in_names_is_text_on_a_terminal() -> None:
    console = Console(file=io.StringIO(), width=60)
    terminal.show(Table((Column("[bold]x[/bold]"),), (("[red]run[/red]",),), notes=("[/]",)), console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "[bold]x[/bold]" in text
    assert "[red]run[/red]" in text


def test_very_long_tables_are_plain_text_on_a_terminal() -> None:
    console = Console(file=io.StringIO(), width=20)
    rows = tuple((f"a-rather-long-name-{n}",) for n in range(terminal.LONGEST + 1))
    terminal.show(Table((Column("run"),), rows), console)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert lines[2:] == [name for (name,) in rows]


def test_numbers_for_people() -> None:
    assert [shown(cell) for cell in (0.123456, 5, "text", None, -0.5)] == ["0.1235", "5", "text", "", "-0.5000"]
