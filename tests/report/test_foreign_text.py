"""Names of runs, topics, documents and files are somebody else's text: they are shown, and do nothing."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from tests.quick import first

import truerank as tr
from truerank.data.printing import visible
from truerank.report.formats import render
from truerank.report.markdown import escaped
from truerank.report.table import Column, Table

HOSTILE = "a\x1b[31m\x07\x00\r\n\x9b2J\u202e\u2028<b>&"
ACTS = [chr(code) for code in (*range(32), *range(0x7F, 0xA0), *range(0x2028, 0x202F), *range(0x2066, 0x206A))]


def table(name: str) -> Table:
    words = {"caption": name, "notes": (name,), "lead": (name,)}
    return Table((Column(name), Column("x", number=True)), ((name, -0.5),), **words)  # type: ignore[arg-type]


@pytest.mark.parametrize("form", ["table", "markdown", "latex", "html"])
def test_nothing_acts_in_what_people_read(form: str) -> None:
    clean = render(table("plain"), form)
    for sign in ACTS:
        text = render(table(f"x{sign}y"), form)
        assert not any(other in text for other in ACTS if other != "\n"), repr(sign)
        assert text.count("\n") == clean.count("\n")


def test_what_can_be_seen_stays() -> None:
    text = "naïve 日本語 عربي 👩‍👩‍👧 \u00a0|"
    assert visible(text) == text
    assert visible("\ud800\udce9\uffff") == "\\ud800\\xe9\\uffff"


def test_words_in_place_of_a_table() -> None:
    assert render(Table((), (), words=("a\x1b[2J",)), "table") == "a\\x1b[2J"


@pytest.mark.parametrize(
    "text",
    [
        "[click](javascript:alert(1))",
        "![i](http://evil/x.png)",
        "[a][b]",
        "[a]: http://evil",
        "[a](b](c)",
        "<http://evil>",
        "<script>",
        "&lt;script&gt;",
        "&#91;",
        "~~gone~~",
        "$x$",
        "`code`",
        "**bold**",
        "a|b",
    ],
)
def test_markdown_is_text(text: str) -> None:
    markdown = pytest.importorskip("markdown_it", reason="needs a reader of Markdown")
    page = markdown.MarkdownIt("gfm-like", {"linkify": False}).render(f"| {escaped(text)} | b |\n|---|---|\n")
    tree = ElementTree.fromstring(page)
    head = tree.find(".//th")
    assert head is not None
    assert [*head] == []
    assert head.text == text


FORMULAS = [
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(1)",
    "=cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "\t=1",
    " =1",
    "\uff1d1+1",
]
WORDS = ["-0.5", "+3", "-1e-05", "-aB3_x-", "@name", "-", "bm25", "a=b", "1-1", "'quoted", ""]


@pytest.mark.parametrize("name", [*FORMULAS, *WORDS])
def test_formulas_in_csv(name: str) -> None:
    one = Table((Column(name), Column("gain")), ((name, -0.5),))
    expected = f"'{name}" if name in FORMULAS else name
    assert [*csv.reader(io.StringIO(render(one, "csv")))] == [[expected, "gain"], [expected, "-0.5"]]
    assert [*csv.reader(io.StringIO(render(one, "tsv")), delimiter="\t")] == [[name, "gain"], [name, "-0.5"]]


@pytest.mark.parametrize("form", ["csv", "tsv"])
@pytest.mark.parametrize("name", ["a\rb", "a\r\nb", "\r", "a\nb", "a\tb", 'a"b', "a,b", "a\r"])
def test_delimited_text_is_read_as_it_was_written(form: str, name: str) -> None:
    text = render(Table((Column("run"), Column("x")), ((name, 1), ("last", 2))), form)
    read = csv.reader(io.StringIO(text, newline=""), delimiter="," if form == "csv" else "\t")
    assert [*read] == [["run", "x"], [name, "1"], ["last", "2"]]


@pytest.mark.parametrize("form", ["json", "svg", "png", "pdf", "html"])
def test_figures(form: str) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    qrels = {f"q{n}": {"a": 1} for n in range(4)}
    runs = {name: {f"q{n}": {"a": 1.0, "d": 2.0} for n in range(4)} for name in (HOSTILE, "b\ud800", "c\uffff")}
    drawn = tr.compare(qrels, runs, "AP").plot().render(form)
    assert drawn
    if form == "svg":
        assert "\\x1b[31m" in "".join(ElementTree.fromstring(drawn).itertext())
    if form == "json":
        assert not any(sign in json.loads(drawn)["description"] for sign in ACTS)


def on_terminal(*words: str, cwd: Path) -> str:
    """What a terminal gets, of standard output and of standard error."""
    pty = pytest.importorskip("pty", reason="needs a terminal")
    here, there = pty.openpty()
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "200"}
    with subprocess.Popen(
        [sys.executable, "-m", "truerank", *words], cwd=cwd, stdin=there, stdout=there, stderr=there, env=environment
    ):
        os.close(there)
        printed = b""
        try:
            while chunk := os.read(here, 1 << 16):
                printed += chunk
        except OSError:
            pass  # Linux reports the end of a terminal as an error.
    os.close(here)
    return printed.decode().replace("\r\n", "\n")


@pytest.mark.parametrize(
    "words",
    first(
        4,
        [
            ["evaluate", "qrels.txt", "RUN", "good.run", "-m", "AP"],
            ["evaluate", "qrels.txt", "RUN", "-m", "AP", "--per-topic", "--format", "tsv"],
            ["evaluate", "qrels.txt", "RUN", "-m", "AP", "--format", "csv"],
            ["evaluate", "qrels.txt", "RUN", "-m", "AP", "--format", "json"],
            ["evaluate", "RUN", "RUN"],
            ["evaluate", "none-RUN", "RUN"],
            ["evaluate", "qrels.txt", "RUN", "-m", "RUN"],
            ["evaluate", "qrels.txt", "RUN", "-m", "RUN", "--debug"],
            ["evaluate", "qrels.txt", "RUN", "--out", "RUN/x"],
            ["evaluate", "qrels.txt", "RUN", "--ties", "RUN"],
            ["lint", "qrels.txt", "RUN"],
            ["explain", "qrels.txt", "RUN", "--topic", "q1", "-m", "AP"],
            ["compare", "qrels.txt", "RUN", "good.run"],
            ["compare", "qrels.txt", "RUN", "good.run", "--summary", "-"],
            ["diff", "qrels.txt", "RUN", "good.run"],
            ["stop", "apply", "RUN", "RUN"],
            ["trec_eval", "-q", "qrels.txt", "RUN"],
            ["pool", "qrels.txt", "RUN", "--depth", "5", "--to-judge", "-"],
            ["simulate", "--systems", "1", "--topics", "1", "--depth", "5", "--out", "folder-RUN"],
            ["RUN"],
        ],
    ),
    ids=" ".join,
)
def test_on_a_terminal(files: Path, words: list[str]) -> None:
    name = "\x1b]0;title\x07\x1b[31m\x9b.run"
    with (files / "qrels.txt").open("a") as qrels:
        qrels.write("q\x1b[2J 0 a 1\n")
    (files / name).write_text("q\x1b[2J Q0 a 1 3 t\x1b[1m\nq1 Q0 a\x1b[7m 1 3 t\nq1 Q0 b 2 2 t\nq1 Q0 a 3 1.0 t\n")
    printed = on_terminal(*(word.replace("RUN", name) for word in words), cwd=files)
    assert printed
    assert "\x1b" not in printed.replace("\x1b[?25l", "").replace("\x1b[?25h", "")
    assert not any(sign in printed for sign in ("\x07", "\x9b"))
    if words[0] != "trec_eval" and "json" not in words:
        assert "\\x1b" in printed


def test_a_pipe_gets_names_as_they_are(truerank: Any, files: Path) -> None:
    (files / "bell\x1b[1m.run").write_text("q1 Q0 a 1 3 t\n")
    done = truerank("evaluate", files / "qrels.txt", files / "bell\x1b[1m.run", "-m", "AP", "--format", "tsv")
    assert done.stdout.splitlines()[1].startswith("bell\x1b[1m\t")
    assert "\x1b" not in done.stderr


def test_progress_shows_names_as_text(monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.console import Console

    from truerank.cli import progress

    text = io.StringIO()
    monkeypatch.setattr("rich.console.Console", lambda **_: Console(file=text, force_terminal=True, width=80))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    with progress.stages() as step:
        assert step is not None
        step("[/b]\x1b]0;title\x07", 1, 3)
    assert "[/b]\\x1b]0;title\\x07" in text.getvalue()
