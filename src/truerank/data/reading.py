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


OF_QRELS = "qrels_columns"
"""The keyword for the columns of judgments, which some questions have among their own."""
KEYWORDS = (*Reading.__annotations__, OF_QRELS)
