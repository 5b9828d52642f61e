"""measures, simulate and demo."""

from __future__ import annotations

import json
from typing import Any

import pytest

import truerank as tr


def test_the_catalogue_lists_every_measure(truerank: Any) -> None:
    lines = truerank("measures").stdout.splitlines()
    assert lines[0].split("\t") == ["measure", "formula", "range", "parameters", "citation"]
    assert [line.split("\t")[0] for line in lines[1:]] == [entry.written for entry in tr.measures()]


def test_a_measure_in_full(truerank: Any) -> None:
    text = truerank("measures", "MAP").stdout
    [entry] = [entry for entry in tr.measures() if entry.name == "AP"]
    for part in ("AP[@k]", entry.formula, "0 to 1", "norm='R'", entry.citation, "MAP = AP", ">>> tr.AP.of("):
        assert part in text


def test_a_measure_in_json(truerank: Any) -> None:
    [entry] = json.loads(truerank("measures", "nDCG@10", "--format", "json").stdout)["measures"]
    assert entry["name"] == "nDCG"
    assert entry["range"] == [0.0, 1.0]
    assert entry["parameters"]["dcg"] == "log2"


def test_infinite_ranges_are_null_in_json(truerank: Any) -> None:
    [entry] = json.loads(truerank("measures", "OIE", "--format", "json").stdout)["measures"]
    assert entry["range"] == [None, None]


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
        rows = json.loads(text)["rows"]
    else:
        head, *lines = (line.split("\t") for line in text.splitlines())
        rows = [dict(zip(head, [line[0], *map(float, line[1:])], strict=True)) for line in lines]
    for row in rows:
        assert row["worst"] <= row["nDCG@10"] + 1e-12
        assert row["nDCG@10"] <= row["best"] + 1e-12
        assert row["low"] <= row["nDCG@10"] <= row["high"]
    assert any(row["best"] - row["worst"] > 0.05 for row in rows)
    assert any(row["high"] - row["low"] > 0.05 for row in rows)
