"""Judgments by subtopic, which other tools take for repeated lines."""

from __future__ import annotations

from truerank.data.errors import RepeatedError
from truerank.data.printing import counted
from truerank.data.qrels import Qrels


def plain(qrels: Qrels, tool: str) -> Qrels:
    """The judgments; refused if documents have several grades, by subtopic, of which a tool takes the last.

    >>> from truerank.io.load import as_qrels
    >>> plain(as_qrels({"q1": {"d1": 1}}), "ranx")
    Qrels(1 topics, 1 judgments)
    """
    if qrels.several_grades:
        several = f"{counted(qrels.several_grades, 'document')} with several grades, by subtopic"
        raise RepeatedError(
            f"{several}, of which {tool} takes the last; keep one of the judgments, or use truerank.evaluate, which "
            "takes the best"
        )
    return qrels
