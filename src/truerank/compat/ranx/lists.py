"""What Qrels and Run have in common: for each topic, documents with numbers."""

from __future__ import annotations

from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, Generic, TypeVar

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids, one_id
from truerank.data.qrels import Qrels as Judgments
from truerank.data.run import Run as Ranking

Prepared = TypeVar("Prepared", Judgments, Ranking)
Self = TypeVar("Self", bound="Lists[Any]")
Table = dict[str, dict[str, Any]]


class Lists(Mapping[str, dict[str, Any]], Generic[Prepared]):
    """Topics with documents, best first; kept as arrays, and as dicts from when they are asked for or changed."""

    name: str | None

    def __init__(self, data: Any = None, name: str | None = None) -> None:
        self.name = name
        self._prepared: Prepared | None = self._prepare(data) if data is not None and len(data) else None
        self._table: Table | None = None if self._prepared is not None else {}
        self._lent = False

    @classmethod
    def _of(cls: type[Self], prepared: Any, name: str | None = None) -> Self:
        """Lists of arrays."""
        made = cls(None, name)
        made._prepared, made._table = prepared, None
        return made

    @abstractmethod
    def _prepare(self, data: Any) -> Prepared:
        """Arrays of any data."""

    @abstractmethod
    def _values(self, prepared: Prepared) -> Floats:
        """The numbers of the documents."""

    def prepared(self) -> Prepared:
        """The arrays that are evaluated."""
        if self._prepared is not None:
            return self._prepared
        table = self.table()
        if not table:
            raise InputError(f"the {type(self).__name__} is empty; add at least one query")
        made = self._prepare(table)
        # What was lent may be changed without our knowing.
        self._prepared = None if self._lent else made
        return made

    def table(self) -> Table:
        """The dicts."""
        if self._table is None:
            assert self._prepared is not None
            self._table = self._tabled(self._prepared)
        return self._table

    def _lend(self) -> Table:
        """The dicts, to be changed by whoever asked for them."""
        table = self.table()
        self._lent, self._prepared = True, None
        return table

    def _tabled(self, prepared: Prepared) -> Table:
        values = self._values(prepared)
        whole = bool((values == np.floor(values)).all()) and isinstance(prepared, Judgments)
        table: Table = {}
        for index, topic in enumerate(prepared.topics):
            rows = slice(int(prepared.offsets[index]), int(prepared.offsets[index + 1]))
            order = np.argsort(-values[rows], kind="stable") + rows.start
            docs = prepared.docs.take(order)
            numbers = values[order].astype(np.int64) if whole else values[order]
            table[_text(topic)] = dict(zip(_texts(docs), numbers.tolist(), strict=True))
        return table

    def _changed(self) -> Table:
        """The dicts, to be changed here."""
        table = self.table()
        self._prepared = None
        return table

    def add_score(self, q_id: str, doc_id: str, score: float) -> None:
        """Give a document of a query a number, in place of the one it has."""
        self._changed().setdefault(q_id, {})[doc_id] = score

    def add(self, q_id: str, doc_ids: Iterable[str], scores: Iterable[float]) -> None:
        """Give a query its documents, in place of those it has."""
        self.add_multi([q_id], [doc_ids], [scores])

    def add_multi(
        self, q_ids: Iterable[str], doc_ids: Iterable[Iterable[str]], scores: Iterable[Iterable[float]]
    ) -> None:
        """Give several queries their documents."""
        table = self._changed()
        for query, docs, numbers in zip(q_ids, doc_ids, scores, strict=True):
            table[query] = dict(zip(docs, numbers, strict=True))
        self.sort()

    def sort(self) -> None:
        """Put queries in order, and documents by their numbers, highest first."""
        table = self.table()
        ordered = {
            query: dict(sorted(table[query].items(), key=lambda pair: -pair[1]))
            for query in sorted(table, key=lambda query: one_id(query, "topic"))
        }
        table.clear()
        table.update(ordered)

    def get_query_ids(self) -> list[str]:
        """The queries."""
        return list(self)

    def get_doc_ids_and_scores(self) -> list[dict[str, Any]]:
        """The documents of each query with their numbers."""
        return list(self.values())

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """A copy as dicts."""
        return defaultdict(dict, {query: dict(docs) for query, docs in self.table().items()})

    def to_dataframe(self) -> Any:
        """A DataFrame of pandas with the columns q_id, doc_id and score."""
        rows = [(query, doc, number) for query, docs in self.table().items() for doc, number in docs.items()]
        return pandas("to_dataframe").DataFrame(rows, columns=["q_id", "doc_id", "score"])

    @property
    def size(self) -> int:
        """Number of queries."""
        return len(self)

    def __getitem__(self, q_id: str) -> dict[str, Any]:
        return dict(self.table()[q_id])

    def __iter__(self) -> Iterator[str]:
        return iter(self.table())

    def __len__(self) -> int:
        return len(self.table() if self._prepared is None else self._prepared.topics)

    def __repr__(self) -> str:
        return repr(self.table())

    __eq__ = object.__eq__
    __hash__ = object.__hash__


def pandas(wanted_by: str) -> Any:
    """The library, where it is installed."""
    try:
        library = import_module("pandas")
    except ImportError:
        raise ImportError(f"{wanted_by} needs pandas; install it with: pip install pandas") from None
    return library


def _text(identifier: bytes) -> str:
    return identifier.decode("utf-8", "surrogateescape")


def _texts(docs: Ids) -> list[str]:
    return [_text(doc) for doc in docs.tolist()]
