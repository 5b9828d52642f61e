"""Results that are tables of records: as data frames, as files, and on a page."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from truerank.analysis.exports import library, readable, written
from truerank.data.errors import InputError

if TYPE_CHECKING:
    from truerank.report.table import Table


class Tabular(ABC):
    """A result with records of one or more kinds, the first of them the usual one, and a layout for people."""

    kinds: tuple[str, ...]
    """What there are records of."""

    @abstractmethod
    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """The records of a kind, which all have the same keys."""

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""

    @abstractmethod
    def _table(self, show: str | None) -> Table:
        """The layout for people."""

    def kind(self, show: str | None) -> str:
        """The kind of records that is asked for; the first one where none is."""
        if show not in (None, *self.kinds):
            raise InputError(f"show={show!r} is not one of {', '.join(self.kinds)}")
        return show or self.kinds[0]

    def to_pandas(self, show: str | None = None) -> Any:
        """``to_records`` as a DataFrame of pandas."""
        return library("pandas", "to_pandas").DataFrame(self._plain(show))

    def to_polars(self, show: str | None = None) -> Any:
        """``to_records`` as a DataFrame of polars."""
        return library("polars", "to_polars").DataFrame(self._plain(show), infer_schema_length=None)

    def to_arrow(self, show: str | None = None) -> Any:
        """``to_records`` as a Table of pyarrow."""
        return library("pyarrow", "to_arrow").Table.from_pylist(self._plain(show))

    def to_csv(self, path: str | os.PathLike[str] | None = None, show: str | None = None) -> str | None:
        """``to_records`` as comma-separated values: the text, or None where it is written to a file."""
        return self._delimited("csv", path, show)

    def to_tsv(self, path: str | os.PathLike[str] | None = None, show: str | None = None) -> str | None:
        """``to_records`` as tab-separated values: the text, or None where it is written to a file."""
        return self._delimited("tsv", path, show)

    def to_markdown(self, show: str | None = None) -> str:
        """A Markdown table."""
        return self._rendered("markdown", show)

    def to_latex(self, show: str | None = None) -> str:
        """A LaTeX table, for the package booktabs."""
        return self._rendered("latex", show)

    def to_html(self, show: str | None = None) -> str:
        """An HTML table, to be put into a page."""
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.html import fragment

        return fragment(self._table(show))

    def to_json(self) -> str:
        """``to_dict`` as JSON."""
        return self._rendered("json", None)

    def _plain(self, show: str | None) -> list[dict[str, Any]]:
        return [
            {key: readable(value) if isinstance(value, str) else value for key, value in record.items()}
            for record in self.to_records(show)
        ]

    def _rendered(self, form: str, show: str | None) -> str:
        from truerank.report.formats import render

        return render(self._table(show), form)

    def _delimited(self, form: str, path: str | os.PathLike[str] | None, show: str | None) -> str | None:
        from truerank.report.formats import render
        from truerank.report.table import Column, Table

        records = self._plain(show)
        table = Table(tuple(map(Column, records[0] if records else ())), tuple(tuple(r.values()) for r in records))
        return written(f"{render(table, form)}\n", path)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self._rendered("table", None)
