"""ranx's Qrels and Run: for each topic, documents with numbers, in arrays, dicts, data frames and files."""

from __future__ import annotations

import json
import os
from abc import abstractmethod
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np

from truerank.compat.subtopics import plain
from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.ids import one_id, text
from truerank.data.qrels import Qrels as Judgments
from truerank.data.run import Run as Ranking
from truerank.io.load import as_qrels, as_run
from truerank.io.writing import put

Prepared = TypeVar("Prepared", Judgments, Ranking)
Self = TypeVar("Self", bound="Lists[Any]")
Table = dict[str, dict[str, Any]]
_KINDS = {"json": "json", "lz4": "lz4", "parquet": "parquet", "parq": "parquet", "trec": "trec", "txt": "trec"}
_LINE = 1 << 16


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
            docs = map(text, prepared.docs.take(order).tolist())
            numbers = values[order].astype(np.int64) if whole else values[order]
            table[text(topic)] = dict(zip(docs, numbers.tolist(), strict=True))
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
        return needed("pandas", "to_dataframe").DataFrame(rows, columns=["q_id", "doc_id", "score"])

    def _save(self, path: str | os.PathLike[str], kind: str | None, lines: Iterable[str]) -> None:
        """Write a file; ``lines`` are those of the TREC form."""
        form = kind_of(path, kind)
        if form == "parquet":
            content: bytes = self.to_dataframe().to_parquet(index=False)
        elif form == "lz4":
            content = _packed(self.table())
        elif form == "json":
            content = _encoded(json.dumps(self.table(), indent=2, ensure_ascii=False))
        else:
            content = _encoded("\n".join(lines))
        put(content, path)

    def _ranked(self) -> Iterator[tuple[str, str, int, Any]]:
        """Query, document, rank and number, row by row."""
        for query, docs in self.table().items():
            for rank, (doc, number) in enumerate(docs.items(), 1):
                yield query, doc, rank, number

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


class Qrels(Lists[Judgments]):
    """Relevance judgments, with ranx's constructors and methods. Grades may have decimals, and keep them.

    >>> Qrels({"q_2": {"d_1": 1}, "q_1": {"d_1": 0, "d_2": 2}})
    {'q_1': {'d_2': 2, 'd_1': 0}, 'q_2': {'d_1': 1}}
    """

    def __init__(self, qrels: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None) -> None:
        super().__init__(qrels, name)

    def _prepare(self, data: Any) -> Judgments:
        return as_qrels(data)

    def _values(self, prepared: Judgments) -> Floats:
        return prepared.grade

    @property
    def qrels(self) -> Table:
        """The judgments as dicts; changing them changes the judgments."""
        return self._lend()

    def set_relevance_level(self, rel_lvl: int = 1) -> None:
        """Lower every grade, so that what had ``rel_lvl`` has 1."""
        for docs in self._changed().values():
            docs.update({doc: grade - (rel_lvl - 1) for doc, grade in docs.items()})

    def save(self, path: str | os.PathLike[str] = "qrels.json", kind: str | None = None) -> None:
        """Write JSON, TREC text, Parquet or LZ4, by the ending of the path or by ``kind``."""
        lines = (f"{query} 0 {doc} {grade}" for query, doc, _, grade in self._ranked())
        self._save(path, kind, lines)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]]) -> Qrels:
        """Judgments of {query: {document: grade}}."""
        return Qrels(d)

    @staticmethod
    def from_file(path: str | os.PathLike[str], kind: str | None = None) -> Qrels:
        """Judgments of a file: JSON, TREC text (gzip, bzip2, xz or zstd), Parquet or LZ4."""
        form = kind_of(path, kind)
        return Qrels(_unpacked(path)) if form == "lz4" else Qrels._of(plain(as_qrels(path, form=form), "ranx"))

    @staticmethod
    def from_df(df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score") -> Qrels:
        """Judgments of a DataFrame, of whatever library, with ids of whatever type."""
        named = {"topic": q_id_col, "doc": doc_id_col, "grade": score_col}
        return Qrels._of(plain(as_qrels(df, columns=named), "ranx"))

    @staticmethod
    def from_parquet(
        path: str | os.PathLike[str],
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None,
    ) -> Qrels:
        """Judgments of a Parquet file."""
        frame = needed("pandas", "from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Qrels.from_df(frame, q_id_col, doc_id_col, score_col)

    @staticmethod
    def from_ir_datasets(dataset_id: str) -> Qrels:
        """Judgments of a dataset of ir_datasets."""
        dataset = needed("ir_datasets", "from_ir_datasets").load(dataset_id)
        return Qrels(dataset.qrels_dict(), name=dataset_id)


class Run(Lists[Ranking]):
    """A system's scores, with ranx's constructors and methods; equal scores stand in the order they came in.

    >>> Run({"q_1": {"d_1": 0.5, "d_2": 2.5, "d_3": 0.5}}, name="bm25")["q_1"]
    {'d_2': 2.5, 'd_1': 0.5, 'd_3': 0.5}
    """

    def __init__(self, run: Mapping[str, Mapping[str, float]] | None = None, name: str | None = None) -> None:
        super().__init__(run, name)
        self.metadata: dict[str, Any] = {}
        self._forget()

    def _forget(self) -> None:
        """Drop results, which are those of what the run was."""
        self.scores: defaultdict[str, dict[str, np.float64]] = defaultdict(dict)
        self.mean_scores: dict[str, np.float64] = {}
        self.std_scores: dict[str, np.float64] = {}

    def _changed(self) -> Table:
        self._forget()
        return super()._changed()

    def _prepare(self, data: Any) -> Ranking:
        return as_run(data)

    def _values(self, prepared: Ranking) -> Floats:
        return prepared.score

    @property
    def run(self) -> Table:
        """The scores as dicts; changing them changes the run."""
        return self._lend()

    def make_comparable(self, qrels: Qrels) -> Run:
        """Change the run to have the queries of the judgments: missing ones become empty, others go."""
        table = self._changed()
        for query in qrels:
            table.setdefault(query, {})
        for query in [query for query in table if query not in qrels.table()]:
            del table[query]
        self.sort()
        return self

    def save(self, path: str | os.PathLike[str] = "run.json", kind: str | None = None) -> None:
        """Write JSON, TREC text, Parquet or LZ4, by the ending of the path or by ``kind``."""
        lines = (f"{query} Q0 {doc} {rank} {score} {self.name}" for query, doc, rank, score in self._ranked())
        self._save(path, kind, lines)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Run:
        """A run of {query: {document: score}}."""
        return Run(d, name)

    @staticmethod
    def from_file(path: str | os.PathLike[str], kind: str | None = None, name: str | None = None) -> Run:
        """A run of a file: JSON, TREC text (gzip, bzip2, xz or zstd), Parquet or LZ4; TREC text has a name in it."""
        form = kind_of(path, kind)
        if form == "lz4":
            return Run(_unpacked(path), name)
        read = as_run(path, form=form)
        return Run._of(read, name or (_tag(read) if form == "trec" else None))

    @staticmethod
    def from_df(
        df: Any,
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        name: str | None = None,
    ) -> Run:
        """A run of a DataFrame, of whatever library, with ids of whatever type."""
        return Run._of(as_run(df, columns={"topic": q_id_col, "doc": doc_id_col, "score": score_col}), name)

    @staticmethod
    def from_parquet(
        path: str | os.PathLike[str],
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None,
        name: str | None = None,
    ) -> Run:
        """A run of a Parquet file."""
        frame = needed("pandas", "from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Run.from_df(frame, q_id_col, doc_id_col, score_col, name)


def _tag(read: Ranking) -> str | None:
    """The tag of the first line, in the text behind its document."""
    begin = int(read.docs.start.min())
    line = read.docs.buffer[begin : begin + _LINE].tobytes().partition(b"\n")[0].split()
    return line[3].decode("utf-8", "replace") if len(line) > 3 else None


def kind_of(path: str | os.PathLike[str], kind: str | None) -> str:
    """The kind of a file: as given, or by its ending; what is not known otherwise is TREC text, compressed or not.

    >>> kind_of("run.json", None), kind_of("run.parq", None), kind_of("run.gz", None), kind_of("bm25.run", None)
    ('json', 'parquet', 'trec', 'trec')
    """
    if kind is None:
        return _KINDS.get(Path(path).suffix[1:].lower(), "trec")
    if kind == "gz":
        return "trec"
    if kind not in _KINDS:
        raise InputError(f"kind={kind!r} is not known; take one of json, trec, gz, lz4, parquet")
    return _KINDS[kind]


def _unpacked(path: str | os.PathLike[str]) -> Any:
    """The dicts in a file of LZ4."""
    frame, cbor2 = _lz4()
    try:
        return cbor2.loads(frame.decompress(frame.decompress(Path(path).read_bytes())))
    except FileNotFoundError:
        raise InputError("there is no such file; check the path", os.fspath(path)) from None
    except (ValueError, RuntimeError) as error:
        raise InputError(f"not ranx's LZ4 ({error}); check the file, or name its kind", os.fspath(path)) from None


def _packed(table: Table) -> bytes:
    frame, cbor2 = _lz4()
    packed: bytes = frame.compress(frame.compress(cbor2.dumps(table)))
    return packed


def _lz4() -> tuple[Any, Any]:
    try:
        import cbor2
        import lz4.frame  # type: ignore[import-untyped]
    except ImportError:
        raise ImportError("LZ4 files need lz4 and cbor2; install them with: pip install lz4 cbor2") from None
    return lz4.frame, cbor2


def _encoded(content: str) -> bytes:
    return content.encode("utf-8", "surrogateescape")
