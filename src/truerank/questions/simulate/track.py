"""A simulated track: its judgments and submissions as columns, as objects to evaluate, and as TREC files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from truerank.data.arrays import Floats, Rows, offsets
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.qrels import Qrels, collect
from truerank.data.run import Run, arrange
from truerank.io.writing import put


@dataclass(frozen=True, eq=False)
class Submission:
    """What one system handed in: the list of the first topic, best document first, then that of the second, ..."""

    name: str
    contributes: bool
    """Whether its documents went into the pool."""
    decimals: int
    """Decimals of a printed score; scores are already rounded to them."""
    length: Rows
    """Documents retrieved for each topic; 0 where the system found no answer, and the topic is missing from its run."""
    document: Rows
    """Their numbers; -1 is NIL."""
    score: Floats

    def lines(self, topics: tuple[str, ...], documents: list[str]) -> Iterator[str]:
        """Yield the text of each list as lines of a TREC run file."""
        names = [documents[number] for number in self.document.tolist()]
        scores = self.score.tolist()
        begin = offsets(self.length).tolist()
        form = f" Q0 %s %d %.{self.decimals}f {self.name}\n"
        for topic, first, last in zip(topics, begin[:-1], begin[1:], strict=True):
            line = topic + form
            rows = zip(names[first:last], range(1, last - first + 1), scores[first:last], strict=True)
            yield "".join([line % row for row in rows])


@dataclass(frozen=True, eq=False)
class SimulatedTrack:
    """Topics, pooled judgments and submissions; documents are numbers until somebody asks for their names."""

    topics: tuple[str, ...]
    documents: int
    """Size of the collection."""
    judged_topic: Rows
    judged_document: Rows
    judged_grade: Rows
    submissions: tuple[Submission, ...]

    @property
    def contributing(self) -> tuple[str, ...]:
        """Names of the systems whose documents were pooled; the others may retrieve unjudged documents."""
        return tuple(submission.name for submission in self.submissions if submission.contributes)

    @property
    def says_nil(self) -> tuple[str, ...]:
        """Names of the systems that list NIL."""
        return tuple(submission.name for submission in self.submissions if (submission.document < 0).any())

    @property
    def nil_topics(self) -> tuple[str, ...]:
        """Topics without a relevant document."""
        relevant = np.bincount(self.judged_topic, weights=self.judged_grade, minlength=len(self.topics))
        return tuple(topic for topic, total in zip(self.topics, relevant, strict=True) if total == 0)

    @cached_property
    def qrels(self) -> Qrels:
        """The judgments, ready to evaluate with."""
        count = np.bincount(self.judged_topic, minlength=len(self.topics))
        return collect(*self._segments(count), self._document_ids.take(self.judged_document), self.judged_grade)

    @cached_property
    def runs(self) -> dict[str, Run]:
        """The runs by name, ready to evaluate."""
        ids = self._document_ids
        keys = ids.keys()
        return {
            one.name: arrange(
                one.name, *self._segments(one.length), ids.take(one.document), one.score, key=keys[one.document]
            )
            for one in self.submissions
        }

    def write(self, directory: str | os.PathLike[str], *, force: bool = False) -> list[Path]:
        """Write `qrels.txt` and a TREC run file for each system; return their paths, the judgments first.

        A file appears under its name only when complete, so that a reader never meets half of it. A folder that has
        files is refused, since some might be overwritten and others taken for runs of this track; unless `force` is
        given, which overwrites those that have the names of new ones and leaves the rest.
        """
        directory = Path(directory)
        if not force:
            refuse_full(directory)
        # One by one: with ``parents`` pathlib calls itself for each, and there may be more than Python allows.
        for folder in (*reversed(directory.parents), directory):
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
        names = [name.decode() for name in self._document_ids.tolist()]
        texts = {"qrels.txt": self._judgment_lines(names)}
        texts |= {f"{one.name}.run": one.lines(self.topics, names) for one in self.submissions}
        for name, text in texts.items():
            put((piece.encode("ascii") for piece in text), directory / name)
        return [directory / name for name in texts]

    def _segments(self, count: Rows) -> tuple[list[bytes], Rows]:
        """Return topics and bounds of their rows; a topic without rows is absent, as it would be from a file."""
        present = np.flatnonzero(count)
        return [self.topics[topic].encode() for topic in present.tolist()], offsets(count[present])

    def _judgment_lines(self, names: list[str]) -> Iterator[str]:
        columns = (self.judged_topic.tolist(), self.judged_document.tolist(), self.judged_grade.tolist())
        for topic, document, grade in zip(*columns, strict=True):
            yield f"{self.topics[topic]} 0 {names[document]} {grade}\n"

    @cached_property
    def _document_ids(self) -> Ids:
        """D00000000, D00000001, ... and last NIL: made as digits in one array, since a collection may have millions."""
        number = np.arange(self.documents)
        buffer = np.full((self.documents, 9), ord("D"), dtype=np.uint8)
        for column in range(1, 9):
            buffer[:, column] = number // 10 ** (8 - column) % 10 + ord("0")
        nil = np.frombuffer(b"NIL", np.uint8)
        start = np.arange(0, buffer.size + 1, 9, dtype=np.uint32)
        length = np.append(np.full(self.documents, 9, dtype=np.uint16), np.uint16(len(nil)))
        return Ids(np.concatenate([buffer.ravel(), nil]), start, length)


def refuse_full(directory: str | os.PathLike[str]) -> None:
    """Refuse a folder with files in it; hidden ones are nobody's runs."""
    if os.path.isdir(directory):
        there = sorted(name for name in os.listdir(directory) if not name.startswith("."))
        if there:
            raise InputError(
                f"the folder has files, such as {there[0]}; give another, or write into it with --force (force=True)",
                os.fspath(directory),
            )
