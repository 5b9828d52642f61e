"""What ties can do, in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from truerank.data.printing import sentence
from truerank.report.digits import decimals, rounded
from truerank.report.verdicts import per_measure

if TYPE_CHECKING:
    from truerank.questions.ties.question import Ties

LIKELY = 0.05
"""The chance from which on a reversal is worth naming."""
STAY = "Ties cannot change the order of these {runs} runs."
UNLIKELY = (
    "Ties are unlikely to change the order of runs: {reversible:,} of {pairs:pair} could swap, each with a chance of "
    "at most {chance:%}."
)
SWAP = (
    "Ties could swap {reversible:,} of {pairs:pair}, [{some:,} of them ]with a chance above {chance:%}; "
    "{likely:that pair is|those pairs are at most} {apart} apart."
)
EQUAL = "These {runs} runs have equal scores, whatever the order of ties."
SAME = "Ties cannot change the score of {run:quoted}."
MOVES = "The order of ties can move {run:quoted} from {worst} to {best}; its mean over all orders is {expected}."


def verdict(ties: Ties) -> str:
    """Whether ties can change the order of runs; of a single run, how far they move it."""
    return per_measure({measure: _of(ties, measure) for measure in ties.measures})


def _of(ties: Ties, measure: str) -> str:
    runs = [row for row in ties.board if row.measure == measure]
    if len(runs) == 1:
        [row] = runs
        if row.best == row.worst or math.isnan(row.expected):
            return sentence(SAME, run=row.run)
        digits = decimals(abs(row.best - row.worst))
        ends = {name: rounded(getattr(row, name), digits) for name in ("worst", "best", "expected")}
        return sentence(MOVES, run=row.run, **ends)
    pairs, swaps = ties.ordered_pairs[measure], [pair for pair in ties.pairs if pair.measure == measure]
    if not swaps:
        return sentence(STAY if pairs else EQUAL, runs=len(runs))
    likely = [pair for pair in swaps if pair.chance > LIKELY]
    facts = {"reversible": len(swaps), "pairs": pairs, "likely": len(likely), "chance": LIKELY}
    if not likely:
        return sentence(UNLIKELY, **facts)
    apart = max(abs(pair.difference) for pair in likely)
    some = len(likely) if len(likely) < len(swaps) else None
    return sentence(SWAP, **facts, some=some, apart=rounded(apart, decimals(apart)))
