"""Every question on screens of 80 and 120 columns: no line is wider, and no cell is broken."""

from __future__ import annotations

import html
import io
import json
from typing import Any

import pytest
from rich.console import Console
from tests.quick import first

import truerank as tr
from truerank.questions.demo.question import demo
from truerank.questions.measures.question import catalogue
from truerank.report import terminal
from truerank.report.answer import Answer
from truerank.report.fitting import fitted
from truerank.report.table import Table, more_notes

WIDTHS = (80, 120)


@pytest.fixture(scope="module")
def track(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, dict[str, Any]]:
    found = tr.simulate(systems=6, topics=12, seed=3)
    return found.qrels, {f"{name}-of-a-laboratory": run for name, run in found.runs.items()}


def answers(qrels: Any, runs: dict[str, Any]) -> dict[str, Answer]:
    first, second = list(runs)[:2]
    topic = qrels.topics[0].decode()
    two = (runs[first], runs[second])
    return {
        "evaluate": tr.evaluate(qrels, runs, "nDCG@10 AP RBP P@5 P@10 P@20 R@100 RR ERR@20 Q", unjudged="bounds"),
        "compare": tr.compare(qrels, runs, "nDCG@10 AP", settled=False),
        "diff": tr.diff(qrels, *two, "nDCG@10 AP"),
        "explain": tr.explain(qrels, runs[first], "AP nDCG@10", topic=topic),
        "depth": tr.depth(qrels, runs, "nDCG AP", condensed=True),
        "ties": tr.ties(qrels, runs, "nDCG@10 AP"),
        "unjudged": tr.unjudged(qrels, runs, "nDCG@10 AP", next=5),
        "nil": tr.nil(qrels, runs, "nDCG@5", limit=5),
        "truncate": tr.truncate(qrels, runs, "F RBPU nDCGT"),
        "meta": tr.meta(qrels, runs, "AP nDCG P@10", splits=4, pairs=10, permutations=10),
        "lint": tr.lint(qrels, runs),
        "pool": tr.pools(qrels, runs),
        "curves": tr.precision_recall(qrels, runs),
        "stop": tr.stop(qrels, runs, "F RBPU", folds=2),
        "calibrate": tr.calibrate(
            "RBP INSQ", ranking="0010", qrels=qrels, run=runs, reading=[(topic, first, 2), (topic, second, 9)]
        ),
        "properties": tr.properties("P@2", longest=3),
        "reproduce": tr.reproduce("liu", qrels, runs),
        "agreement": tr.agreement(["a", "b", "c"], ["b", "a", "d"]),
        "gates": tr.compare(qrels, dict(zip("ab", two, strict=True)), "nDCG@10", gate="no worse than 0.01"),
        "design": tr.design(qrels, runs, "nDCG@10 AP", difference=0.05),
        "judges": tr.judges({"people": qrels, "machine": qrels}, runs=runs, measures="nDCG@10"),
        "negatives": tr.negatives(qrels, runs, "RR", negatives=9),
        "preferences": tr.preferences({topic: [("a", "b"), ("b", "c"), ("c", "a")]}, runs),
        "choose": tr.choose(length=False, top=True, exactly=False, single=False, recall=True, graded=True),
        "measures": catalogue(),
        "measure": catalogue("AP nDCG RBP"),
        "agreement by topic": tr.agreement_by_topic({topic: ["a", "b"]}, runs),
        "audit": tr.audit(qrels, runs, "P@10", people=qrels),
        "why": tr.why(qrels, runs[first], "AP", 0.1234),
        "demo": demo(systems=3, topics=5),
    }


@pytest.fixture(scope="module")
def tables(track: tuple[Any, dict[str, Any]]) -> dict[str, Table]:
    return {f"{name}, {show}": answer.table(show) for name, answer in answers(*track).items() for show in answer.sheets}


@pytest.mark.parametrize("width", first(1, WIDTHS))
def test_no_line_is_wider_than_the_screen_and_no_cell_is_broken(tables: dict[str, Table], width: int) -> None:
    for name, table in tables.items():
        text = io.StringIO()
        terminal.show(table, Console(file=text, width=width), notes=True)
        lines = text.getvalue().splitlines()
        wide = [line for line in lines if len(line) > width]
        assert not wide, (name, wide)
        if table.words:
            assert {*" ".join(table.words).split()} <= {*" ".join(lines).split()}, name
        if not table.drawn or table.words or len(table.rows) > terminal.LONGEST:
            continue
        fit = fitted(table, width)
        seen = [line.split() for line in lines]
        for row in fit.table.text():
            whole = [cell.split() for cell, folds in zip(row, fit.folds, strict=True) if cell and not folds]
            assert any(all(_within(words, line) for words in whole) for line in seen), (name, row)
        gone = len(table.columns) - len(fit.table.columns)
        assert bool(gone) == ("not shown here: " in fit.unseen), name


@pytest.mark.parametrize("width", first(1, WIDTHS))
def test_three_notes_are_shown_and_never_cut_and_the_others_are_counted(tables: dict[str, Table], width: int) -> None:
    for name, table in tables.items():
        text = io.StringIO()
        terminal.show(table, Console(file=text, width=width))
        lines = text.getvalue().splitlines()
        if not table.notes or len(table.rows) > terminal.LONGEST:
            continue
        block = bool(table.verdict)
        said = [line for line in lines if line.startswith("  - " if block else "note: ")]
        said = said[sum(line.startswith("  - ") for line in table.words) :]
        shown = table.worth if block else [note.brief or note for note in table.notes[:3]]  # type: ignore[attr-defined]
        assert len(said) == len(shown) <= 3, name
        together = "".join("".join(lines).split())
        assert all("".join(note.split()) in together for note in shown), name
        more = [line.strip() for line in lines if line.endswith("add --notes")]
        others = table.more if block else more_notes(len(table.notes) - len(shown))
        assert more == [*filter(None, [others])], name


def test_an_answer_block_has_its_four_parts_in_this_order(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    answer = tr.evaluate(qrels, runs, "nDCG@10 AP")
    lines = _screen(answer.table()).splitlines()
    assert lines[:2] == [answer.table().verdict, ""]
    worth = [place for place, line in enumerate(lines) if line.startswith("  - ")]
    assert lines[2].split() == ["run", "nDCG@10", "AP"]
    assert lines[worth[0] - 1] == ""
    assert lines[-1] == "12 topics"
    asked = json.loads(answer.to_json())
    assert (asked["verdict"], asked["method"]) == (lines[0], "12 topics")
    assert [one["text"] for one in asked["worth_knowing"]] == [
        line.partition("  [")[0] for line in answer.table().worth
    ]
    for text in (str(answer), answer.to_markdown(), html.unescape(answer.to_html()), answer.to_latex()):
        plain = " ".join(text.replace("\\", "").split())
        places = [plain.index(part) for part in (lines[0], asked["worth_knowing"][0]["text"], asked["method"])]
        assert places[0] < places[1]


def _within(words: list[str], line: list[str]) -> bool:
    """Whether the words stand in a line, one after the other."""
    return any(line[at : at + len(words)] == words for at in range(len(line)))


def test_rows_that_are_not_shown_are_counted(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    assert "5 of 12 topics shown: --top 12" in tr.diff(qrels, *[*runs.values()][:2]).table().below
    few = tr.evaluate(qrels, runs, "AP").table(top=2)
    assert "2 of 6 runs shown: --top 6" in few.below


def _screen(table: Table, width: int = 80) -> str:
    text = io.StringIO()
    terminal.show(table, Console(file=text, width=width))
    return text.getvalue()


def test_what_decides_is_not_left_out(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    topic, run = qrels.topics[0].decode(), next(iter(runs.values()))
    explained = _screen(tr.explain(qrels, run, "AP", topic=topic).table())
    assert [*explained.splitlines()[3].split()][-3:] == ["precision", "contribution", "score"]


def test_the_key_is_about_columns_that_show(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    table = tr.diff(qrels, *list(runs.values())[:2], "nDCG@10").table()
    key = " ".join(_screen(table).split())
    assert "not shown here: out" in key
    assert "out: that left it" not in key
    assert "unjudged: that entered without a judgment" in key
    assert "out: that left it" in " ".join(_screen(table, 200).split())


def test_two_runs_by_several_measures_have_a_row_for_each(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    first, second = list(runs.values())[:2]
    found = tr.compare(qrels, {"a": first, "b": second}, "nDCG@10 AP", settled=False)
    table = found.table()
    assert [column.title for column in table.columns][:4] == ["measure", "a", "b", "diff"]
    assert [row[0] for row in table.rows] == ["nDCG@10", "AP"]
    for row, each in zip(table.rows, found.values(), strict=True):
        assert float(str(row[3])) == pytest.approx(each.systems["b"].mean - each.systems["a"].mean, abs=0.006)
    assert _screen(table).splitlines()[0].startswith('"b" is better than "a" by ')


def test_rows_are_sorted_by_what_was_asked(track: tuple[Any, dict[str, Any]]) -> None:
    qrels, runs = track
    pairs = [abs(float(str(row[2]))) for row in tr.compare(qrels, runs, "AP", settled=False).table("pairs").rows]
    assert pairs == sorted(pairs, reverse=True)
    found = tr.ties(qrels, runs, "nDCG@10")
    moved = [row.best - row.worst for run in found.table().rows for row in found.board if row.run == run[1]]
    assert moved == sorted(moved, reverse=True)
    assert moved[0] > moved[-1]
