"""From which depth on the ranking of runs is stable, in a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from truerank.data.printing import sentence
from truerank.report.verdicts import per_measure
from truerank.statistics.level import level

if TYPE_CHECKING:
    from truerank.questions.depth.question import Curves, Stability

USUAL = 10
"""The depth whose order is compared with that at the last one."""
ORDER = "; at depth {usual}, {other:,} of {pairs:pair} {other:is|are} in another order than at depth {last:,}"
SAME_ORDER = "; at depth {usual}, all {pairs:pair} {pairs:is|are} in the same order as at depth {last:,}"
STABLE = (
    "The ranking is stable from depth {stable_from} on[, but documents are judged to depth {judged_to} only][{order}]."
)
LATE = (
    "The ranking depends on the depth: significant differences are reversed down to depth {before} of "
    "{last:,}[{order}]."
)
NONE = "No two runs differ significantly at depth {last:,}[{order}]."


def verdict(curves: Curves, show: str) -> str:
    """From which depth on no significant difference is reversed, and how many pairs have another order above it."""
    if show != "stability" or len(curves) < 2:
        return ""
    rows = [row for row in curves.every_stability if row.unjudged == curves.conventions.unjudged]
    by_measure = {row.measure: row for row in rows}
    return per_measure({name: _of(curves, by_measure[name]) for name in curves.measures if name in by_measure})


def _of(curves: Curves, row: Stability) -> str:
    last, stable = curves.max_depth, row.stable_from
    order = None
    if last > USUAL:
        scores = level(curves.means(row.measure)[:, [USUAL - 1, last - 1]], axis=0)
        one, other = (np.sign(scores[:, None, at] - scores[None, :, at]) for at in (0, 1))
        pairs = len(scores) * (len(scores) - 1) // 2
        changed = int((one * other < 0).sum()) // 2
        order = sentence(ORDER if changed else SAME_ORDER, usual=USUAL, other=changed, pairs=pairs, last=last)
    if stable is None:
        return sentence(NONE, last=last, order=order)
    if 2 * stable > last:
        return sentence(LATE, before=stable - 1, last=last, order=order)
    pool = curves.pool_depth
    shallow = pool if pool is not None and pool < stable else None
    return sentence(STABLE, stable_from=stable, order=order, judged_to=shallow)
