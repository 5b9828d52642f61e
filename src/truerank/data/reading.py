"""How to read what a question is given: keywords of ``read_run``, which questions take too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict


class Reading(TypedDict, total=False):
    """How runs are read; None is not given."""

    columns: Mapping[str, str] | None
    higher_is_better: bool | None
    chunks: str | Mapping[str, str] | Callable[[str], str] | None
    aggregate: str | None
    topic_ids: Sequence[Any] | None
    doc_ids: Sequence[Any] | None
    topics: Any
    """Those that count, of the judged ones."""


OF_QRELS = "qrels_columns"
"""The keyword for the columns of judgments, which some questions have among their own."""
TOPICS = "topics"
"""The keyword for the topics that count."""
FILE = "@"
"""Precedes the path of a file of topics."""
KEYWORDS = (*Reading.__annotations__, OF_QRELS)
