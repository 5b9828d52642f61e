"""What of a topic a judgment is about: the second column of qrels, asked for only where a document is judged twice."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np

from truerank.data.arrays import Rows
from truerank.data.classes import dataclass
from truerank.data.ids import Ids
from truerank.data.stated_ranks import IS_SPACE


@dataclass(frozen=True, slots=True, eq=False)
class SecondColumn:
    """The column before each document's id in the text of a TREC file.

    Few judgments repeat a document, and only for those it is read: to read it for all would make every reader wait.

    >>> docs = Ids(np.frombuffer(b"q 3  d7 1", np.uint8), np.array([5]), np.array([2]))
    >>> SecondColumn(docs).read().tolist()
    [b'3']
    """

    docs: Ids

    def take(self, rows: Rows) -> SecondColumn:
        """The column with some of its rows only."""
        return SecondColumn(self.docs.take(rows))

    def read(self) -> Ids:
        """What stands there; a line has at least a topic before it, so that there is something."""
        text, end = self.docs.buffer, self.docs.start.astype(np.intp)
        while (blank := IS_SPACE[text[end - 1]]).any():
            end = end - blank
        begin = end
        while (inside := ~IS_SPACE[text[begin - 1]]).any():
            begin = begin - inside
        return Ids(text, begin, end - begin)


Subtopics: TypeAlias = Ids | SecondColumn
"""What each row is about: a column of a table, or text."""


class Repeats(NamedTuple):
    """Judgments of documents that are judged more than once in a topic."""

    pairs: Rows
    """Rows (earlier, later) that are about the same thing, by the later row."""
    documents: int
    """How many documents are judged for several subtopics."""


def by_subtopic(pairs: Rows, subtopics: Subtopics | None) -> Repeats:
    """Tell apart rows of one document that are about different subtopics; ``pairs`` are (its first row, a later one).

    >>> rows = np.array([[0, 1], [0, 2], [0, 3]])
    >>> by_subtopic(rows, Ids.pack(["1", "2", "1", "2"]))
    Repeats(pairs=array([[0, 2],
           [1, 3]]), documents=1)
    """
    if subtopics is None or not len(pairs):
        return Repeats(pairs, 0)
    first = np.unique(pairs[:, 0])
    row, document = np.concatenate([first, pairs[:, 1]]), np.concatenate([first, pairs[:, 0]])
    some = subtopics.take(row)
    number: dict[bytes, int] = {}
    labels = (some if isinstance(some, Ids) else some.read()).tolist()
    label = np.fromiter((number.setdefault(one, len(number)) for one in labels), np.intp, len(labels))
    order = np.lexsort((row, label, document))
    row, document, label = row[order], document[order], label[order]
    new = np.append(True, (np.diff(document) != 0) | (np.diff(label) != 0))
    head = row[new][np.cumsum(new) - 1]
    same = np.column_stack([head, row])[~new]
    several = np.bincount(np.searchsorted(first, document[new])) > 1
    return Repeats(same[np.argsort(same[:, 1], kind="stable")], int(several.sum()))
