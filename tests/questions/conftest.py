"""A browser to look at pages with, one for all tests of a process."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

import truerank as tr

FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync"),
)
NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser that the system has; playwright would bring another one from elsewhere."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="drives a browser")
    path = next((found for name in NAMES if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("no Chromium here; Debian's package is called chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS])
        yield browser
        browser.close()


@dataclass
class Seen:
    """A page in the browser, and what happened while it was loaded."""

    page: Any
    requests: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    def cells(self, table: str, column: int, *, visible: bool = True) -> list[str]:
        """The texts of a column, of the rows that are shown."""
        found: list[str] = self.page.evaluate(
            """([table, column, visible]) => [...document.querySelectorAll(`#${table} tbody tr`)]
            .filter((row) => !visible || !row.hidden).map((row) => row.cells[column].textContent.trim())""",
            [table, column, visible],
        )
        return found


Look = Callable[..., Seen]


@pytest.fixture
def look(chromium: Any, tmp_path: Path) -> Iterator[Look]:
    """Opens a report from a file, without a network."""
    contexts = []

    def opened(found: tr.Report, *, at: str = "", width: int = 1400, **context: Any) -> Seen:
        path = found.save(tmp_path / "report.html")
        made = chromium.new_context(viewport={"width": width, "height": 1000}, offline=True, **context)
        contexts.append(made)
        seen = Seen(made.new_page())
        seen.page.on("request", lambda request: seen.requests.append(request.url))
        seen.page.on("console", lambda message: seen.said.append(message.text))
        seen.page.on("pageerror", lambda error: seen.said.append(str(error)))
        seen.page.goto(f"{path.as_uri()}{at}")
        return seen

    yield opened
    for made in contexts:
        made.close()
