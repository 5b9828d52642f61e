"""The gallery is what the questions make of the simulated track now, and shows every exhibit."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def gallery() -> ModuleType:
    for needed in ("altair", "vl_convert", "scipy"):
        pytest.importorskip(needed, reason="draws figures")
    spec = importlib.util.spec_from_file_location("gallery", ROOT / "docs/gallery.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.thorough
def test_the_gallery_is_as_the_questions_make_it(gallery: ModuleType) -> None:
    assert (ROOT / "docs/gallery.md").read_text(encoding="utf-8") == gallery.page(), "run python docs/gallery.py"


@pytest.mark.thorough
def test_every_exhibit_and_figure_is_shown(gallery: ModuleType) -> None:
    text = (ROOT / "docs/gallery.md").read_text(encoding="utf-8")
    for paper, found in gallery.reproduced().items():
        for one in found.exhibits:
            assert f"### {paper}: {one.exhibit}" in text
    assert set(re.findall(r"images/([\w-]+)\.svg", text)) == set(gallery.figures())
