"""Judgments as lines of a TREC file."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from truerank.analysis.views import text
from truerank.data.errors import InputError
from truerank.data.qrels import Qrels

_BLANK = re.compile(r"[\x00-\x20]|^$")


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
        refuse_blank(topic)
        refuse_blank(document)
        number = int(grade) if float(grade).is_integer() else grade
        lines.append(f"{topic} 0 {document} {number}\n")
    return "".join(lines)


def refuse_blank(identifier: str) -> None:
    """Refuse an id that would be several columns of a line, or none."""
    if _BLANK.search(identifier):
        raise InputError(
            f"the id {identifier!r:.80} is blank or has a blank, which no line of judgments can hold; rename it"
        )
