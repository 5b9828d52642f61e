"""The catalogue as a command."""

from __future__ import annotations

import json
from pathlib import Path
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
        assert part in " ".join(text.split())


def test_a_measure_in_json(truerank: Any) -> None:
    [entry] = json.loads(truerank("measures", "nDCG@10", "--format", "json").stdout)["measures"]
    assert entry["name"] == "nDCG"
    assert entry["range"] == [0.0, 1.0]
    assert entry["parameters"]["dcg"] == "log2"


def test_infinite_ranges_are_null_in_json(truerank: Any) -> None:
    [entry] = json.loads(truerank("measures", "OIE", "--format", "json").stdout)["measures"]
    assert entry["range"] == [None, None]


def test_a_page_goes_to_people_and_a_table_to_programs(truerank: Any, tmp_path: Path) -> None:
    assert truerank("measures", "AP", "--format", "tsv").stdout.startswith("measure\tformula")
    assert truerank("measures", "AP", "--format", "markdown").stdout.startswith("| measure | formula |")
    truerank("measures", "AP", "--out", tmp_path / "ap.csv")
    assert (tmp_path / "ap.csv").read_text().startswith("measure,formula")
    truerank("measures", "AP", "--format", "table", "--out", tmp_path / "ap.txt")
    assert (tmp_path / "ap.txt").read_text() == truerank("measures", "AP").stdout


def test_a_measure_inside_a_measure_is_written_in_json_as_people_write_it(truerank: Any) -> None:
    [entry] = json.loads(truerank("measures", "GM", "--format", "json").stdout)["measures"]
    assert entry["parameters"] == {"measure": "AP", "floor": 1e-05}
