"""Gates in words."""

from __future__ import annotations

import math

from truerank.analysis.comparing.outcomes import Outcome
from truerank.data.printing import counted
from truerank.report.digits import decimals, p_value, probability, rounded

_CLAIMS = {
    "no worse than": "no worse than that of {baseline} by {margin}",
    "better": "better than that of {baseline}{by}",
    "equivalent within": "equivalent to that of {baseline} within {margin}",
}


def gate_sentence(outcome: Outcome) -> str:
    """Whether a system passed, what was to be shown, and what was found."""
    gate = outcome.gate
    digits = decimals((outcome.high - outcome.low) / 4)
    margin = f"{gate.difference:.6g}" if not gate.relative else _share(outcome, digits)
    by = f" by {margin}" * bool(gate.difference)
    subject = f"{outcome.measure} of {outcome.run}"
    if gate.form in _CLAIMS:
        shown = "is" if outcome.passed else "is not shown to be"
        claim = f"{subject} {shown} {_CLAIMS[gate.form].format(baseline=outcome.baseline, margin=margin, by=by)}"
    else:
        claim = f"{subject} is {'not ' * outcome.passed}significantly worse than that of {outcome.baseline}"
    found = rounded(outcome.difference, digits, sign=True) + _interval(outcome, digits)
    # The interval is by t whatever the test and the intervals of pairs are, and needs two topics.
    interval = f"{100 - 200 * gate.alpha:g}% interval by t, " * (not math.isnan(outcome.low))
    how = f"{outcome.test} at {probability(gate.alpha)}, {interval}{counted(outcome.topics, 'topic')}"
    outcome_p = p_value(outcome.p, gate.alpha)
    parts = [f"gate {'passed' if outcome.passed else 'failed'}: {claim}: {found}, {outcome_p} ({how})"]
    if not outcome.passed and outcome.needed_topics is not None and outcome.needed_topics > outcome.topics:
        parts.append(f"a run just as good would pass four times of five on {outcome.needed_topics:,} topics")
    return "; ".join((*parts, *outcome.notes))


def _share(outcome: Outcome, digits: int) -> str:
    return f"{100 * outcome.gate.difference:.6g}% ({rounded(outcome.margin, digits)})"


def _interval(outcome: Outcome, digits: int) -> str:
    if math.isnan(outcome.low):
        return ""
    return f" [{rounded(outcome.low, digits)}, {rounded(outcome.high, digits)}]"
