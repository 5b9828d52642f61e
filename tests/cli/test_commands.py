"""measures, simulate and demo."""

from __future__ import annotations

import json
from typing import Any

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
