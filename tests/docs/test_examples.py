"""Every example in the README and in docs/ runs, and prints what it says it prints."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest


def _examples() -> Any:
    spec = importlib.util.spec_from_file_location("examples", Path(__file__).parents[2] / "docs/examples.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


EXAMPLES = _examples()


@pytest.mark.parametrize(
    "page", [page for page in EXAMPLES.PAGES if EXAMPLES.BLOCK.search(page.read_text())], ids=lambda page: page.name
)
def test_examples_of_a_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pty", reason="a terminal is needed to run console examples")
    monkeypatch.chdir(tmp_path)
    wrong = [f"{where}{got}" for where, _, got in EXAMPLES.mistakes(page)]
    assert not wrong, "\n".join([*wrong, f"write what commands print now: python docs/examples.py {page}"])
