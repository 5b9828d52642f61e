"""Judgments and runs from one of ir_measures' forms into another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

from truerank.compat.ir_measures.reading import FIELDS, rows_of
from truerank.compat.ir_measures.records import Qrel, ScoredDoc


class Converter:
    """Rows in any form that ir_measures takes, which may be read more than once."""

    kind: ClassVar[str]
    record: ClassVar[type[Any]]

    def __init__(self, data: Any, strict: bool = True) -> None:
        self._data = data if isinstance(data, Mapping) or hasattr(data, "columns") else list(data)

    def as_namedtuple_iter(self) -> Iterator[Any]:
        """Records."""
        for row in rows_of(self._data, self.kind):
            names = getattr(row, "_fields", ())
            yield row if names else self.record(*row)

    def as_dict_of_dict(self) -> dict[str, dict[str, Any]]:
        """Documents with their values, by topic."""
        topics: dict[str, dict[str, Any]] = {}
        for row in self.as_namedtuple_iter():
            topics.setdefault(row.query_id, {})[row.doc_id] = getattr(row, FIELDS[self.kind][-1])
        return topics

    def as_pd_dataframe(self) -> Any:
        """A DataFrame."""
        return import_module("pandas").DataFrame(list(self.as_namedtuple_iter()), columns=list(self.record._fields))


class QrelsConverter(Converter):
    """Judgments in any form.

    >>> QrelsConverter([Qrel("q1", "d1", 1)]).as_dict_of_dict()
    {'q1': {'d1': 1}}
    """

    kind = "qrels"
    record = Qrel


class RunConverter(Converter):
    """A run in any form.

    >>> list(RunConverter({"q1": {"d1": 0.5}}).as_namedtuple_iter())
    [ScoredDoc(query_id='q1', doc_id='d1', score=0.5)]
    """

    kind = "run"
    record = ScoredDoc
