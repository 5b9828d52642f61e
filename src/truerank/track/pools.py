"""What the judgments alone say of each topic, under any conventions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from truerank.conventions.axes import Conventions
from truerank.conventions.plan import answers, listed
from truerank.conventions.ties import broken_by_order
from truerank.data.arrays import Rows
from truerank.data.block import Pool, pool_of
from truerank.data.judge import judge
from truerank.data.qrels import Qrels
from truerank.io.runs import Named, one_by_one
from truerank.measures.core.base import Measure


class JudgmentPools:
    """The pool of each topic by conventions, made when first asked for, and kept.

    Where a measure asks how deep a document stood in the runs that were pooled, it holds the best rank of each document
    in all of ``runs``.
    """

    def __init__(self, judgments: Qrels, runs: Sequence[Named], measures: Sequence[Measure]) -> None:
        self._judgments = judgments
        self._contributors = runs if any(measure.needs_pool for measure in measures) else None
        self._made: dict[Conventions, Pool] = {}

    def under(self, choice: Conventions) -> Pool:
        """The pool under some conventions."""
        # It does not depend on what becomes of unjudged documents, nor on how ties are read.
        alike = replace(choice, unjudged="nonrelevant", ties="expected")
        if alike not in self._made:
            judgments = answers(self._judgments, choice)
            best = None if self._contributors is None else _best_ranks(judgments, self._contributors, choice)
            self._made[alike] = pool_of(judgments, negative_judged=choice.negative_judged, best_rank=best)
        return self._made[alike]


class OnePool(JudgmentPools):
    """A pool that is known, whatever the conventions."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    def under(self, choice: Conventions) -> Pool:
        """The pool."""
        return self._pool


def _best_ranks(judgments: Qrels, runs: Sequence[Named], choice: Conventions) -> Rows:
    """For each judgment, the best rank at which a run lists the document."""
    best = np.full(len(judgments.grade), np.iinfo(np.int64).max)
    for _, run in one_by_one(runs):
        # Pools are made of single rankings, so ties are in the order that trec_eval has for them.
        judged = broken_by_order(judge(judgments, listed(run, choice), precision=choice.precision), "docid")
        np.minimum.at(best, judged.judgment, judged.above + 1)
    return best
