"""The formats by name; a renderer is imported when it is used."""

from __future__ import annotations

from importlib import import_module

from truerank.report.table import Table

RENDERERS: dict[str, tuple[str, str]] = {
    "table": ("truerank.report.text", "render"),
    "tsv": ("truerank.report.delimited", "tsv"),
    "csv": ("truerank.report.delimited", "csv_"),
    "markdown": ("truerank.report.markdown", "render"),
    "latex": ("truerank.report.latex", "render"),
    "html": ("truerank.report.html", "render"),
}
FORMATS = ("table", "tsv", "csv", "json", "markdown", "latex", "html")
"""What an answer can be written as; JSON is made of its rows, the others of a table."""
MACHINE = ("tsv", "csv", "json")
"""Formats for programs, whose shape does not depend on how many runs there are."""
ENDINGS = {".tsv": "tsv", ".csv": "csv", ".json": "json", ".md": "markdown", ".tex": "latex", ".html": "html"}
"""Formats that file names stand for."""


def render(table: Table, form: str) -> str:
    """A table as text in a format, without a final newline."""
    module, name = RENDERERS[form]
    text: str = getattr(import_module(module), name)(table)
    return text
