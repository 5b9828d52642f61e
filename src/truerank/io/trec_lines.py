"""Runs and judgments as lines of TREC files."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator

import numpy as np

from truerank.data.errors import InputError
from truerank.data.ids import text
from truerank.data.qrels import Preferences, Qrels
from truerank.data.run import NIL, Run
from truerank.io.direction import low_is_best
from truerank.io.trec import read_tag
from truerank.io.writing import put

_BLANK = re.compile(r"[\x00-\x20]|^$")
_BLOCK = 1 << 16


def write_run(run: Run, path: str | os.PathLike[str], *, nil: bool = False) -> None:
    """Write a run as a TREC file, which appears when it is complete; see ``run_lines``.

    Its high scores are best, also those of a run that was read with ``higher_is_better=False``.
    """
    put(run_lines(run, tag_of(run), nil=nil), path)


def run_lines(run: Run, tag: str, *, nil: bool = False, as_given: bool = False) -> Iterator[bytes]:
    """The text of each list as lines of topic, Q0, document, rank, score and tag.

    Ranks are those of the run's own rank column, or count from 1. Such lines cannot show an empty list, so that its
    topic is left out; with ``nil`` it has a line with the document NIL. Where low scores were declared to be best,
    ``as_given`` writes them as they were, not negated.

    >>> from truerank.io.load import as_run
    >>> print(b"".join(run_lines(as_run({"q1": {"a": 0.5, "b": 2.0}}), "mine")).decode(), end="")
    q1 Q0 b 1 2.0 mine
    q1 Q0 a 2 0.5 mine
    """
    name = re.sub(rb"[\x00-\x20]+", b"_", tag.encode("utf-8", "surrogateescape")) or b"run"
    given = 0.0 - run.score if as_given and low_is_best(run) else run.score
    ranks, docs, scores = _ranks(run), run.docs.tolist(), given.tolist()
    _refuse_blank(map(text, (*run.topics, *docs)), "a run")
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


def qrels_lines(qrels: Qrels) -> str:
    """Judgments as text: a line each with topic, 0, document and grade.

    >>> from truerank.io.load import as_qrels
    >>> print(qrels_lines(as_qrels({"q1": {"a": 1, "b": 0.5}})), end="")
    q1 0 a 1
    q1 0 b 0.5
    """
    topic = np.repeat(np.arange(len(qrels.topics)), np.diff(qrels.offsets)).tolist()
    names = [*map(text, qrels.topics)]
    rows = zip(topic, map(text, qrels.docs.tolist()), qrels.grade.tolist(), strict=True)
    return judgment_lines((names[place], document, grade) for place, document, grade in rows)


def judgment_lines(judgments: Iterable[tuple[str, str, float]]) -> str:
    """(topic, document, grade) as text; refused where an id has a blank, which such a line cannot hold."""
    lines = []
    for topic, document, grade in judgments:
        _refuse_blank((topic, document), "judgments")
        number = int(grade) if float(grade).is_integer() else grade
        lines.append(f"{topic} 0 {document} {number}\n")
    return "".join(lines)


def preference_lines(preferences: Preferences) -> Iterator[str]:
    """Preferences as text, some lines at a time: topic, better and worse document, or with a sign if there are ties.

    >>> from truerank.io.load import as_preferences
    >>> print("".join(preference_lines(as_preferences([("q", "b", "a")]))), end="")
    q b a
    >>> print("".join(preference_lines(as_preferences([("q", "b", ">", "a"), ("q", "a", "=", "c")]))), end="")
    q b > a
    q a = c
    """
    docs, topics = [*map(text, preferences.docs.tolist())], [*map(text, preferences.topics)]
    _refuse_blank((*topics, *docs), "judgments")
    between = " > " if len(preferences.ties) else " "
    for rows, bounds, sign in (
        (preferences.pairs, preferences.pair_offsets, between),
        (preferences.ties, preferences.tie_offsets, " = "),
    ):
        topic = np.repeat(np.arange(len(topics)), np.diff(bounds))
        for begin in range(0, len(rows), _BLOCK):
            some = zip(topic[begin : begin + _BLOCK].tolist(), rows[begin : begin + _BLOCK].tolist(), strict=True)
            yield "".join([f"{topics[place]} {docs[one]}{sign}{docs[other]}\n" for place, (one, other) in some])


def _refuse_blank(ids: Iterable[str], where: str) -> None:
    """Refuse an id that would be several columns of a line, or none."""
    for one in ids:
        if _BLANK.search(one):
            raise InputError(
                f"the id {one!r:.80} is blank or has a blank, which no line of {where} can hold; rename it"
            )
