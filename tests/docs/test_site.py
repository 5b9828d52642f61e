"""The site is built from the pages without a warning."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    for module in ("sphinx", "furo", "myst_parser", "vl_convert", "altair", "scipy"):
        pytest.importorskip(module, reason="builds the site")
    # Pages are copied into the sources, which are not to be written to here.
    shutil.copytree(ROOT / "docs", tmp_path / "docs", ignore=shutil.ignore_patterns("images", "_build"))
    for page in ROOT.glob("*.md"):
        shutil.copy(page, tmp_path)
    build = [sys.executable, "-m", "sphinx", "-E", "-W", "--keep-going", "-q", "-b", "html", "docs", "site"]
    done = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    pages = {page.relative_to(ROOT / "docs").with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if not (tmp_path / "site" / page).exists()} == set()
    home = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert "<title>truerank" in home
    assert (tmp_path / "site/_images/depth.svg").exists()
