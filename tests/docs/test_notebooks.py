"""Notebooks hold what their code gives."""

from __future__ import annotations

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

DOCS = Path(__file__).parents[2] / "docs"
NOTEBOOKS = sorted((DOCS / "notebooks").glob("*.ipynb"))


def runner() -> Any:
    spec = importlib.util.spec_from_file_location("docs_notebooks", DOCS / "notebooks.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def shown(notebook: dict[str, Any]) -> list[str]:
    """What cells print and return; of figures what is written in them, since letters are as wide as fonts have them."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            data = output.get("data", {"text/plain": output.get("text", [])})
            svg = "".join(data.get("image/svg+xml", []))
            text = "".join(data.get("text/html", data["text/plain"]))
            found += re.findall(r"<text[^>]*>([^<]+)", svg) if svg else [text]
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_what_its_code_gives(path: Path) -> None:
    pytest.importorskip("vl_convert")
    pytest.importorskip("scipy")
    stored = json.loads(path.read_text(encoding="utf-8"))
    given = runner().executed(stored)
    assert len(shown(stored)) >= 4
    assert shown(given) == shown(stored)
    assert "/home/" not in path.read_text(encoding="utf-8")


def test_there_are_three() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["first", "judges", "retrieval"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_answers_are_tables_of_the_page(path: Path) -> None:
    """What is printed as text runs out of its box on a narrow screen."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert any("text/html" in output.get("data", {}) for output in outputs)
    assert not any("text" in output for output in outputs)
