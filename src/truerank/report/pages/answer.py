"""An answer that is a page: written as HTML or Markdown, it is the whole page and not one of its tables."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from truerank.report.answer import Answer

if TYPE_CHECKING:
    from truerank.report.pages.html import Page


class PageAnswer(Answer):
    """What a question found that is best read as a page."""

    def paged(self) -> Page:
        """Everything that is on the page."""
        raise NotImplementedError

    def written_to(self, path: str) -> str:
        """Where the page is."""
        return f"wrote {path}: open it in a browser" if path.lower().endswith((".html", ".htm")) else f"wrote {path}"

    def page(self) -> str:
        """The page: one HTML file that needs nothing else."""
        from truerank.report.pages.html import render

        return render(self.paged())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page; one that ends in .md is written as Markdown."""
        from truerank.io.writing import put

        form = "markdown" if Path(path).suffix.lower() == ".md" else "html"
        put(self.render(form).encode("utf-8", "surrogateescape"), path)
        return Path(path)

    def render(self, form: str, show: str | None = None, *, quiet: Collection[str] | None = (), **options: Any) -> str:
        """The text of a format: in HTML and Markdown the whole page, unless a sheet is asked for."""
        if show is None and form == "html":
            return self.page().removesuffix("\n")
        if show is None and form == "markdown":
            from truerank.report.pages.markdown import render

            return render(self.paged()).removesuffix("\n")
        return super().render(form, show, quiet=quiet, **options)
