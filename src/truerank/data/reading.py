"""How to read what a question is given: keywords of ``read_run``, which questions take too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

from truerank.data.errors import InputError
from truerank.data.printing import brief


class Reading(TypedDict, total=False):
    """How runs and judgments are read; None is not given."""

    columns: Mapping[str, str] | None
    higher_is_better: bool | None
    chunks: str | Mapping[str, str] | Callable[[str], str] | None
    aggregate: str | None
    topic_ids: Sequence[Any] | None
    doc_ids: Sequence[Any] | None
    judge: Mapping[str, Any] | None
    probabilities: bool | None
    topics: Any
    """Those that count, of the judged ones."""


TOPICS = "topics"
"""The keyword for the topics that count."""
OF_QRELS = {"qrels_columns": "columns", "judge": "judge", "probabilities": "probabilities", TOPICS: "topics"}
"""Keywords for judgments, which some questions have among their own, and what readers call them: their columns, further
judges by name, whether grades are probabilities of relevance, and the topics that count."""
FILE = "@"
"""Precedes the path of a file of topics."""
KEYWORDS = tuple(dict.fromkeys([*Reading.__annotations__, *OF_QRELS]))


def refuse_no_names(columns: object, keyword: str = "columns") -> None:
    """Refuse what does not say which column holds what.

    >>> refuse_no_names("qid")
    Traceback (most recent call last):
    truerank.data.errors.InputError: columns='qid' is no dict; say which column holds what: columns={'topic': 'qid'}
    """
    if columns is not None and not isinstance(columns, Mapping):
        raise InputError(
            f"{keyword}={brief(columns)} is no dict; say which column holds what: {keyword}={{'topic': 'qid'}}"
        )
