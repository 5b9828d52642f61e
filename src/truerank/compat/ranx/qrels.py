"""ranx's Qrels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from truerank.compat.ranx import files
from truerank.compat.ranx.lists import Lists, Table, pandas
from truerank.data.arrays import Floats
from truerank.data.qrels import Qrels as Judgments
from truerank.io.load import as_qrels


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
        lines = (f"{query} 0 {doc} {grade}" for query, doc, _, grade in files.ranked(self.table()))
        files.save(self, path, kind, lines)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]]) -> Qrels:
        """Judgments of {query: {document: grade}}."""
        return Qrels(d)

    @staticmethod
    def from_file(path: str | os.PathLike[str], kind: str | None = None) -> Qrels:
        """Judgments of a file: JSON, TREC text (gzip, bzip2, xz or zstd), Parquet or LZ4."""
        form = files.kind_of(path, kind)
        return Qrels(files.unpacked(path)) if form == "lz4" else Qrels._of(as_qrels(path, form=form))

    @staticmethod
    def from_df(df: Any, q_id_col: str = "q_id", doc_id_col: str = "doc_id", score_col: str = "score") -> Qrels:
        """Judgments of a DataFrame, of whatever library, with ids of whatever type."""
        return Qrels._of(as_qrels(df, columns={"topic": q_id_col, "doc": doc_id_col, "grade": score_col}))

    @staticmethod
    def from_parquet(
        path: str | os.PathLike[str],
        q_id_col: str = "q_id",
        doc_id_col: str = "doc_id",
        score_col: str = "score",
        pd_kwargs: Mapping[str, Any] | None = None,
    ) -> Qrels:
        """Judgments of a Parquet file."""
        frame = pandas("from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Qrels.from_df(frame, q_id_col, doc_id_col, score_col)

    @staticmethod
    def from_ir_datasets(dataset_id: str) -> Qrels:
        """Judgments of a dataset of ir_datasets."""
        try:
            import ir_datasets  # type: ignore[import-untyped]
        except ImportError:
            raise ImportError("from_ir_datasets needs ir_datasets; install it with: pip install ir_datasets") from None
        return Qrels(ir_datasets.load(dataset_id).qrels_dict(), name=dataset_id)
