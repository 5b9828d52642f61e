"""The demo."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from truerank.questions.demo.question import NEXT, PAGE, demo

SMALL = ("--systems", 3, "--topics", 6)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command writes a page."""
    monkeypatch.chdir(tmp_path)


def test_the_demo_compares_and_shows_what_choices_change(truerank: Any) -> None:
    text = truerank("demo", *SMALL).stdout
    board = demo(systems=3, topics=6)
    assert text.startswith(str(board.block)), "the answer block of compare comes first"
    lines = [line.strip() for line in text.removeprefix(str(board.block)).splitlines()]
    for choice in ("Ties", "Unjudged", "End of list", "Depth"):
        [at] = (at for at, line in enumerate(lines) if line.startswith(f"{choice}: "))
        assert lines[at].endswith("?")
        assert lines[at + 1].startswith('"')
    assert all(line in lines for line in NEXT)
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("path", [PAGE, "other.html"])
def test_the_command_writes_a_report_and_says_how_to_open_it(truerank: Any, path: str) -> None:
    done = truerank("demo", "--systems", 2, "--topics", 4, *(() if path == PAGE else ("--page", path)))
    assert done.stderr.startswith("wrote a report to share: ")
    assert done.stderr.endswith(f" {path}\n")
    assert Path(path).read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


def test_in_python_nothing_is_written() -> None:
    str(demo(systems=2, topics=5))
    assert not list(Path().iterdir())


def test_one_system_is_not_compared(truerank: Any) -> None:
    assert truerank("demo", "--systems", 1, "--topics", 5).exit_code == 0


@pytest.mark.parametrize("form", ["tsv", "json"])
def test_the_demo_for_programs(truerank: Any, form: str) -> None:
    text = truerank("demo", "--systems", 6, "--topics", 10, "--format", form).stdout
    if form == "json":
        document = json.loads(text)
        rows, mean = document["runs"], "mean"
        assert (document["measure"], document["deeper"]) == ("nDCG@10", "nDCG@1000")
        assert document["verdict"].startswith('"rerank-01"')
    else:
        head, *lines = (line.split("\t") for line in text.splitlines())
        rows = [dict(zip(head, [line[0], *map(float, line[1:])], strict=True)) for line in lines]
        mean = "nDCG@10"
        assert head == ["run", "nDCG@10", "worst", "best", "low", "high", "terminal", "nDCG@1000"]
    for row in rows:
        assert row["worst"] <= row[mean] + 1e-12
        assert row[mean] <= row["best"] + 1e-12
        assert row["low"] <= row[mean] <= row["high"]
    assert any(row["best"] - row["worst"] > 0.05 for row in rows)
    assert any(row["high"] - row["low"] > 0.05 for row in rows)


@pytest.mark.parametrize(("form", "begin"), [("markdown", '**"'), ("html", "<!DOCTYPE")])
def test_the_choices_are_in_pages_too(truerank: Any, form: str, begin: str) -> None:
    text = truerank("demo", *SMALL, "--format", form).stdout
    assert text.startswith(begin)
    assert "End of list:" in text
