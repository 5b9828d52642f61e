"""What cutting lists at their best lengths would do, in a sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from truerank.data.printing import sentence
from truerank.report.digits import decimals, rounded
from truerank.report.verdicts import per_measure

if TYPE_CHECKING:
    from truerank.questions.truncate.question import Cuts

NEARLY = 0.01
"""Share of the best score that a run may lack and stop at nearly the right place."""
ONE = "Cut at its best lengths, {run:quoted} would {way} from {whole} to {best} {measure}."
ONE_NEARLY = (
    "{run:quoted} stops at nearly the right places: cut at its best lengths it would {way} from {whole} to {best} "
    "{measure}."
)
ONE_BEST = "No list of {run:quoted} would score better by {measure} if it were cut."
SEVERAL = (
    "Cut at their best lengths, these {runs} runs would {way} from {whole} to {best} {measure} on average; "
    "{most:quoted} would gain most ({largest}), {least:quoted} least ({smallest})."
)
SEVERAL_ALIKE = "Cut at their best lengths, these {runs} runs would {way} from {whole} to {best} {measure} on average."
SEVERAL_BEST = "No list of these {runs} runs would score better by {measure} if it were cut."
NO_VALUE = "{measure} has no value in any list."


def verdict(cuts: Cuts, show: str) -> str:
    """What the best lengths would gain over lists as they are, and which run would gain most."""
    return per_measure({measure: _of(cuts, measure) for measure in cuts.measures}) if show == "summary" else ""


def _of(cuts: Cuts, measure: str) -> str:
    row = cuts.summary(measure)
    if not row.lists or math.isnan(row.loss):
        return sentence(NO_VALUE, measure=measure)
    gains = {name: abs(float(cut.best.mean() - cut.whole.mean())) for name, cut in cuts.cuts(measure).items()}
    facts = {"measure": measure, "runs": len(cuts), "run": next(iter(gains))}
    digits = decimals(abs(row.best - row.whole) / 10)
    whole, best = (rounded(value, digits) for value in (row.whole, row.best))
    if row.best == row.whole or whole == best:
        return sentence(SEVERAL_BEST if len(cuts) > 1 else ONE_BEST, **facts)
    facts |= {"whole": whole, "best": best, "way": "rise" if row.best > row.whole else "fall"}
    if len(cuts) == 1:
        near = abs(row.best - row.whole) <= NEARLY * abs(row.best)
        return sentence(ONE_NEARLY if near else ONE, **facts)
    most, least = (end(gains, key=lambda name: gains[name]) for end in (max, min))
    ends = [rounded(gains[name], digits) for name in (most, least)]
    if ends[0] == ends[1]:
        return sentence(SEVERAL_ALIKE, **facts)
    return sentence(SEVERAL, **facts, most=most, least=least, largest=ends[0], smallest=ends[1])
