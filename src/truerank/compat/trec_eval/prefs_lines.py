"""trec_eval's judgments by groups: files in which several people, or one several times, judge the same topic."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Array, Floats, Rows
from truerank.data.errors import InputError, Origin
from truerank.data.grouping import group
from truerank.data.ids import Ids
from truerank.data.printing import shown
from truerank.data.qrels import Qrels, collect
from truerank.io.columns import Layout, read_columns
from truerank.io.source import Readable, open_source
from truerank.io.trec import GROUPED

PREFS = GROUPED
QRELS = Layout(
    kind="qrels with groups",
    columns=("topic", "group", "document", "grade"),
    ids=(2, 1),
    number=3,
    alike={3: "pairs of preferences", 5: "grouped preferences", 6: "a run"},
)


@dataclass(frozen=True, slots=True, eq=False)
class Lines:
    """The lines of a file, those of one topic together and in the order of the file."""

    topics: tuple[bytes, ...]
    """Distinct, in bytewise order."""
    offsets: Rows
    """The lines of topic t are offsets[t] to offsets[t + 1] - 1."""
    docs: Ids
    grade: Floats
    group: list[bytes]
    subgroup: list[bytes]
    """Empty ids where the format has no such column."""
    origin: Origin

    def groups(self, topic: int) -> dict[bytes, dict[bytes, Rows]]:
        """Lines of a topic by group and subgroup; groups are in bytewise order."""
        found: dict[bytes, dict[bytes, list[int]]] = {}
        for line in range(int(self.offsets[topic]), int(self.offsets[topic + 1])):
            found.setdefault(self.group[line], {}).setdefault(self.subgroup[line], []).append(line)
        return {
            name: {part: np.array(lines, dtype=np.int64) for part, lines in found[name].items()}
            for name in sorted(found)
        }

    def documents(self) -> Qrels:
        """The documents of each topic, every one once; all have grade 0."""
        return collect(self.topics, self.offsets, self.docs, np.zeros(len(self.docs)))

    def error(self, line: int, problem: str) -> InputError:
        """The error to raise about a line of a group."""
        topic = self.topics[int(np.searchsorted(self.offsets, line, side="right")) - 1]
        where = f"in group {shown(self.group[line])} of topic {shown(topic)} "
        return self.origin.error(where + problem, int(self.docs.start[line]))


def read_lines(source: Readable | Lines, layout: Layout) -> Lines:
    """Read a file with the columns of ``layout``; lines that were read before are returned as they are.

    >>> import io
    >>> lines = read_lines(io.StringIO("q1 ann s1 d1 2\\nq1 bob s1 d1 0\\nq1 ann s1 d2 1"), PREFS)
    >>> {group: {part: rows.tolist() for part, rows in parts.items()} for group, parts in lines.groups(0).items()}
    {b'ann': {b's1': [0, 2]}, b'bob': {b's1': [1]}}
    """
    if isinstance(source, Lines):
        return source
    columns = read_columns(open_source(source), layout)
    names, offsets, move = group(columns.topics, columns.bounds, columns.segment)
    order = np.arange(len(columns.number))
    if move is not None:
        together: list[Array] = [order]
        move(together)
    docs, groups, *subgroups = (ids.take(order) for ids in columns.ids)
    return Lines(
        topics=names,
        offsets=offsets,
        docs=docs,
        grade=columns.number[order],
        group=groups.tolist(),
        subgroup=subgroups[0].tolist() if subgroups else [b""] * len(order),
        origin=columns.origin,
    )
