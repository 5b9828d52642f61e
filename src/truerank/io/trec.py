"""TREC files: runs, qrels and preferences."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats
from truerank.data.errors import InputError
from truerank.data.ids import Ids
from truerank.data.printing import shown
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import Run
from truerank.io.columns import CHUNK, read_columns
from truerank.io.decimals import decimals
from truerank.io.fields import SPACE
from truerank.io.from_columns import preferences_from_columns, qrels_from_columns, run_from_columns
from truerank.io.grouped import preferences_from_groups
from truerank.io.layout import BY_RANK, COMPARED, GROUPED, PREFERENCES, QRELS, RUN
from truerank.io.relations import is_sign
from truerank.io.source import Readable, Source, open_source

_LINE = 1 << 16


def read_run(
    source: Readable,
    name: str | None = None,
    *,
    higher_is_better: bool | None = None,
    by_rank: bool = False,
    chunk: int = CHUNK,
    threads: int | None = None,
) -> Run:
    """Read a run: lines of topic, Q0, document, rank, score and tag.

    ``source`` is a path, ``"-"`` or an open file, compressed or not. The name is that of the file, without endings such
    as ``.run.gz``, or the tag of the first line where there is no file. ``higher_is_better=False`` says that low scores
    are best, ``by_rank`` that the rank column orders documents instead of scores. ``chunk`` and ``threads`` change how
    the text is read, never what is read.

    >>> import io
    >>> read_run(io.StringIO("q1 Q0 d1 1 2.5 bm25")).ranking("q1")
    [('d1', 2.5)]
    """
    opened = open_source(source)
    columns = read_columns(opened, BY_RANK if by_rank else RUN, chunk=chunk, threads=threads)
    return run_from_columns(
        columns,
        name or opened.stem or read_tag(columns.ids[0]),
        is_rank=by_rank,
        higher_is_better=higher_is_better,
        rank=read_ranks,
    )


def read_qrels(source: Readable) -> Qrels:
    """Read judgments: lines of topic, iteration, document and grade.

    >>> import io
    >>> read_qrels(io.StringIO("q1 0 d1 2")).grade.tolist()
    [2.0]
    """
    return qrels_from_columns(read_columns(open_source(source), QRELS))


def read_preferences(source: Readable) -> Preferences:
    """Read preferences: lines of topic, better document and worse document.

    Or of topic, two documents and a relation: the better document, a sign (> < =, also between the two), or -1 where
    the first is better, 1 where the second is, and 0. Or lines of trec_eval's preferences: topic, group, subgroup,
    document and grade, where the higher of two grades of a subgroup is a preference.

    >>> import io
    >>> read_preferences(io.StringIO("q1 d2 d1")).pairs.tolist()
    [[0, 1]]
    >>> read_preferences(io.StringIO("q1 d1 < d2\\nq1 d2 = d3"))
    Preferences(1 topics, 1 preferences, 1 ties)
    """
    opened = open_source(source)
    count = len(_first_line(opened))
    if count == len(GROUPED.columns):
        return preferences_from_groups(read_columns(opened, GROUPED))
    return preferences_from_columns(read_columns(opened, COMPARED if count == len(COMPARED.columns) else PREFERENCES))


def read_judgments(source: Readable) -> Qrels:
    """Read qrels, or preferences where the first line has their three columns, or a sign between documents.

    >>> import io
    >>> read_judgments(io.StringIO("q1 d2 d1"))
    Preferences(1 topics, 1 preferences)
    """
    opened = open_source(source)
    first = _first_line(opened)
    compared = len(first) == len(COMPARED.columns) and any(map(is_sign, first[2:]))
    return read_preferences(opened) if compared or len(first) == len(PREFERENCES.columns) else read_qrels(opened)


def _first_line(source: Source) -> list[bytes]:
    """The fields of the first line that says something."""
    lines = (line.split() for line in source.text[:_LINE].tobytes().splitlines())
    return next((line for line in lines if line and not line[0].startswith(b"#")), [])


def read_ranks(docs: Ids) -> Floats:
    """Return the rank column of lines of a run, found in the text behind each document id."""
    text, last = docs.buffer, docs.buffer.size - 1
    start = docs.start.astype(np.int64) + docs.length
    while (blank := text[start] <= SPACE).any():
        start += blank
    end = start.copy()
    while (inside := text[np.minimum(end, last)] > SPACE).any():
        end += inside & (end <= last)
    ranks, bad = decimals(text, start, end)
    if len(bad):
        field = text[start[bad[0]] : end[bad[0]]].tobytes()
        raise InputError(f"the rank of document {shown(docs[int(bad[0])])} is {shown(field)}; give a number")
    return ranks


def read_tag(docs: Ids) -> str:
    """Return the tag of the first line of a run, found in the text behind its document id."""
    begin = int(docs.start[0])
    line = docs.buffer[begin : begin + _LINE].tobytes().partition(b"\n")[0].split()
    return line[3].decode("utf-8", "replace") if len(line) > 3 else "run"
