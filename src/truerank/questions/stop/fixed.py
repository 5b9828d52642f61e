"""Stop after the same number of documents, whatever the list."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.printing import counted
from truerank.measures.core.parameters import whole
from truerank.questions.stop.lists import ScoreLists
from truerank.questions.stop.rule import Rule
from truerank.questions.stop.sweep import reaching, sweep


@dataclass(frozen=True, kw_only=True)
class FixedRule(Rule):
    """Keep the first ``k`` documents, and those that tie with the last of them; all where ``k`` is None.

    Fitted, it is the length that does best on average, which Lien, Cohen & Croft (2019) call greedy: what a rule that
    looks at scores has to beat.

    >>> from truerank.io.load import as_run
    >>> FixedRule(k=2).lengths(as_run({"q1": {"a": 3, "b": 2, "c": 2, "d": 1}, "q2": {"e": 1}})).tolist()
    [3, 1]
    """

    k: int | None = None

    name = "fixed"

    def __post_init__(self) -> None:
        if self.k is not None:
            whole("k", self.k, least=0)

    @classmethod
    def fit(cls, lists: ScoreLists, values: Floats, topics: Rows) -> FixedRule:
        """The length with the highest mean."""
        at, _ = sweep(lists, _ranks(lists), values, topics)
        return cls(k=None if at == -np.inf else 0 if at == np.inf else int(-at))

    def cut(self, lists: ScoreLists) -> Rows:
        """The first ``k``, and ties of the last."""
        return lists.whole if self.k is None else reaching(_ranks(lists), -float(self.k))

    def said(self) -> str:
        """The length."""
        if self.k is None:
            return "keeps every document"
        if self.k == 0:
            return "shows nothing"
        return f"keeps the first {counted(self.k, 'document')}"


def _ranks(lists: ScoreLists) -> list[Floats]:
    """For each document, less the rank at which its group of equal scores begins."""
    return lists.once("fixed", lambda scores: -1.0 - np.searchsorted(-scores, -scores).astype(np.float64))
