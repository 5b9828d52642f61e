"""Runs as lines of a TREC file."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import numpy as np

from truerank.conventions.ending import NIL
from truerank.data.errors import InputError
from truerank.data.printing import shown
from truerank.data.run import Run
from truerank.io.trec import read_tag
from truerank.io.writing import put

_BLANK = re.compile(rb"[\x00-\x20]|^$")


def write_run(run: Run, path: str | os.PathLike[str], *, nil: bool = False) -> None:
    """Write a run as a TREC file, which appears when it is complete; see ``run_lines``."""
    put(run_lines(run, tag_of(run), nil=nil), path)


def run_lines(run: Run, tag: str, *, nil: bool = False) -> Iterator[bytes]:
    """The text of each list as lines of topic, Q0, document, rank, score and tag.

    Ranks are those of the run's own rank column, or count from 1. Such lines cannot show an empty list, so that its
    topic is left out; with ``nil`` it has a line with the document NIL.

    >>> from truerank.io.load import as_run
    >>> print(b"".join(run_lines(as_run({"q1": {"a": 0.5, "b": 2.0}}), "mine")).decode(), end="")
    q1 Q0 b 1 2.0 mine
    q1 Q0 a 2 0.5 mine
    """
    name = re.sub(rb"[\x00-\x20]+", b"_", tag.encode("utf-8", "surrogateescape")) or b"run"
    ranks, docs, scores = _ranks(run), run.docs.tolist(), run.score.tolist()
    for one in (*run.topics, *docs):
        if _BLANK.search(one):
            raise InputError(f"the id {shown(one)} is blank or has a blank, which no line of a run can hold; rename it")
    bounds = run.offsets.tolist()
    for topic, begin, end in zip(run.topics, bounds[:-1], bounds[1:], strict=True):
        rows = zip(docs[begin:end], ranks[begin:end], scores[begin:end], strict=True)
        if nil and begin == end:
            rows = zip([NIL], ["1"], [0.0], strict=True)
        yield b"".join(b"%b Q0 %b %b %b %b\n" % (topic, d, r.encode(), repr(s).encode(), name) for d, r, s in rows)


def tag_of(run: Run) -> str:
    """The tag in a TREC file that the run was read from, or else its name."""
    return read_tag(run.docs) if run.rank is not None and len(run) else run.name


def _ranks(run: Run) -> list[str]:
    if run.rank is not None and len(run):
        try:
            return [f"{rank:.0f}" if rank.is_integer() else repr(rank) for rank in run.rank(run.docs).tolist()]
        except InputError:
            pass  # A column that holds no numbers has no ranks to keep.
    return [
        str(rank + 1) for rank in (np.arange(len(run)) - np.repeat(run.offsets[:-1], np.diff(run.offsets))).tolist()
    ]
