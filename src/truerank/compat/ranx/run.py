"""ranx's Run."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from truerank.compat.ranx import files
from truerank.compat.ranx.lists import Lists, Table, pandas
from truerank.compat.ranx.qrels import Qrels
from truerank.data.arrays import Floats
from truerank.data.run import Run as Ranking
from truerank.io.load import as_run

_LINE = 1 << 16


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
        lines = (
            f"{query} Q0 {doc} {rank} {score} {self.name}" for query, doc, rank, score in files.ranked(self.table())
        )
        files.save(self, path, kind, lines)

    @staticmethod
    def from_dict(d: Mapping[str, Mapping[str, float]], name: str | None = None) -> Run:
        """A run of {query: {document: score}}."""
        return Run(d, name)

    @staticmethod
    def from_file(path: str | os.PathLike[str], kind: str | None = None, name: str | None = None) -> Run:
        """A run of a file: JSON, TREC text (gzip, bzip2, xz or zstd), Parquet or LZ4; TREC text has a name in it."""
        form = files.kind_of(path, kind)
        if form == "lz4":
            return Run(files.unpacked(path), name)
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
        frame = pandas("from_parquet").read_parquet(path, **(pd_kwargs or {}))
        return Run.from_df(frame, q_id_col, doc_id_col, score_col, name)


def _tag(read: Ranking) -> str | None:
    """The tag of the first line, in the text behind its document."""
    begin = int(read.docs.start.min())
    line = read.docs.buffer[begin : begin + _LINE].tobytes().partition(b"\n")[0].split()
    return line[3].decode("utf-8", "replace") if len(line) > 3 else None
