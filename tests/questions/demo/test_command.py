"""The demo."""

from __future__ import annotations

import json
from typing import Any

import pytest


def test_the_demo_ranks_and_explains(truerank: Any) -> None:
    text = truerank("demo", "--systems", 6, "--topics", 10).stdout
    lines = text.splitlines()
    assert lines[2].split()[:5] == ["run", "nDCG@10", "worst", "best", "low"]
    means = [float(line.split()[1]) for line in lines[4:10]]
    assert means == sorted(means, reverse=True)
    for choice in ("ties", "unjudged", "ending", "depth"):
        assert any(line.startswith(choice) for line in lines)
    assert "truerank evaluate track/qrels.txt" in text


@pytest.mark.parametrize("form", ["tsv", "json"])
def test_the_demo_for_programs(truerank: Any, form: str) -> None:
    text = truerank("demo", "--systems", 6, "--topics", 10, "--format", form).stdout
    if form == "json":
        document = json.loads(text)
        rows, mean = document["runs"], "mean"
        assert (document["measure"], document["deeper"]) == ("nDCG@10", "nDCG@1000")
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


@pytest.mark.parametrize(("columns", "drawn"), [(120, True), (80, False)])
def test_the_picture_needs_room(truerank: Any, monkeypatch: pytest.MonkeyPatch, columns: int, drawn: bool) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    done = truerank("demo", "--systems", 3, "--topics", 5)
    assert ("●" in done.stdout) is drawn
    story = done.stdout.partition("\nties ")[2].partition("\nTry next:")[0]
    assert max(map(len, story.splitlines())) <= min(columns, 104)
    assert "●" not in truerank("demo", "--systems", 3, "--topics", 5, "--format", "markdown").stdout
