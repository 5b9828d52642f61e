"""Runs in pieces that fit into memory, whatever they are given as; and what has to be written to disk for it."""

from __future__ import annotations

import os
import tempfile
from functools import cached_property

from truerank.data.errors import InputError
from truerank.data.run import Run
from truerank.io.compression import compression, decompressed_pieces
from truerank.io.parquet import is_parquet
from truerank.io.partition import row_partition, text_partition
from truerank.io.pieces import TextForm, is_grouped, text_form, text_pieces, topic_slices
from truerank.io.row_groups import RowGroups, row_pieces
from truerank.io.runs import Named, is_lasting
from truerank.io.source import refusing
from truerank.io.temporary import folder_for

COST = 6
"""Bytes of memory that a byte of text takes until all is known of it."""
ROW = 200
"""Bytes of memory that a row of a table takes, or one that is in memory already."""
PACKED = 20
"""How much longer text may be than what it is compressed to, as far as one should expect."""


SPREAD = 2
"""How many times more files rows are sorted into than they would fill: topics do not fall into them alike."""


class Cutting:
    """How large the pieces are that runs are cut into, and a folder for what is written; it goes when this goes."""

    def __init__(self, room: int, *, writes: bool = True) -> None:
        """``room`` is the memory for each piece, in bytes; ``writes`` whether others can read what is written."""
        self.room, self.writes = room, writes
        self.regrouped: list[tuple[str, int]] = []
        """Runs whose rows were not grouped by topic, and how many files they were sorted into."""

    @property
    def _text(self) -> int:
        return max(self.room // COST, 1)

    @property
    def _rows(self) -> int:
        return max(self.room // ROW, 1)

    def pieces(self, named: Named) -> list[Named]:
        """A run in pieces, each with whole topics where rows are grouped by topic; the run itself where it is small."""
        if isinstance(named.data, Run):
            return [named] if len(named.data) <= self._rows else topic_slices(named, named.data, self._rows)
        if not is_lasting(named.data) or not os.path.isfile(named.data):
            return [named]
        if is_parquet(named.data):
            groups = RowGroups(named)
            if groups.rows <= self._rows:
                return [named]
            return row_pieces(named, groups, self._rows) if groups.is_grouped() else self.by_topic(named)
        form = self._form(named)
        if form is None:
            return [named]
        return text_pieces(named, form, self._text) if is_grouped(form) else self.by_topic(named)

    def by_topic(self, named: Named) -> list[Named]:
        """A run whose rows are not grouped by topic, in pieces that are sorted on disk first."""
        if not self.writes:
            raise InputError(
                f"rows of the run {named.name!r} are not grouped by topic, and other machines cannot read what is "
                "sorted here; sort it by topic first, or give it as a data frame of Spark"
            )
        folder = tempfile.mkdtemp(dir=self._folder)
        if is_parquet(named.data):
            groups = RowGroups(named)
            found = row_partition(named, groups, SPREAD * groups.rows // self._rows + 1, folder)
        else:
            form = self._form(named)
            assert form is not None
            found = text_partition(named, form, SPREAD * form.size // self._text + 1, folder)
        self.regrouped.append((named.name, len(found)))
        return found

    def _form(self, named: Named) -> TextForm | None:
        """How a file of text is to be cut; None where it is small enough."""
        path = os.fspath(named.data)
        with refusing(path), open(path, "rb") as file:
            size, packed = os.fstat(file.fileno()).st_size, compression(file.read(16)) is not None
        if size * (PACKED if packed else 1) <= self._text or (packed and not self.writes):
            return None
        form = text_form(named, self._unpacked(path) if packed else path)
        if form is None:
            raise InputError(
                f"a file of this form is read as a whole, in {size * COST >> 20:,} MB or more; give more memory, "
                "or write it as lines of TREC, CSV or parquet",
                path,
            )
        return form if form.size > self._text else None

    def _unpacked(self, path: str) -> str:
        """A copy on disk of what is compressed."""
        if path not in self._copies:
            file, copy = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(file, "wb") as target:
                    target.writelines(decompressed_pieces(path))
            except BaseException:
                os.unlink(copy)
                raise
            self._copies[path] = copy
        return self._copies[path]

    @cached_property
    def _copies(self) -> dict[str, str]:
        return {}

    @cached_property
    def _folder(self) -> str:
        return folder_for(self)
