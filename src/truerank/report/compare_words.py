"""Systems compared, in words."""

from __future__ import annotations

import math
from collections import Counter

from truerank.analysis.comparing.compared import Compared
from truerank.analysis.comparing.pair import BETTER, OPEN, SAME, WORSE, Check, Pair
from truerank.analysis.comparing.results import Comparison
from truerank.data.printing import counted
from truerank.report.digits import decimals, p_value, probability, rounded

EACH = 6
"""Pairs of a measure up to which each has a sentence."""
NAMED = 3
"""Systems that a sentence names."""
_OPEN = {"ties": "ties", "unjudged": "unjudged documents"}
_CHANGES = {
    "is": ("the order is the other", "the difference is not significant", "{b} is significantly {verdict} than {a}"),
    "would": (
        "the order would turn",
        "the difference would not be significant",
        "{b} would be significantly {verdict} than {a}",
    ),
    "may": ("turn the order", "leave no significant difference", "make {b} significantly {verdict} than {a}"),
}
"""The order turns, significance is lost, or gained: found so, known to be possible, or not known to be impossible."""


def said(found: Comparison) -> list[str]:
    """The verdicts: a sentence each, or a few for all where there are many."""
    return [line for each in found.values() for line in (_together(each) if len(each.asked) > EACH else _each(each))]


def _each(found: Compared) -> list[str]:
    """A sentence a pair; what is true of all of them is said once."""
    unknown = [any(check.convention == "unjudged" and not check.exact for check in pair.open) for pair in found.pairs]
    if len(unknown) < 2 or not all(unknown):
        return [sentence(found, pair) for pair in found.pairs]
    lines = [sentence(found, pair, but="unjudged") for pair in found.pairs]
    return [*lines, f"{found.measure}: no pair is settled, as far as bounds of unjudged documents tell"]


def further(found: Comparison) -> list[str]:
    """What else there is to know: what the topics can show, and where tests had little to work with."""
    lines = [line for each in found.values() for line in _power(each)]
    alike: dict[str, list[str]] = {}
    for name, each in found.items():
        for note in each.notes:
            alike.setdefault(note, []).append(name)
    return lines + [f"{', '.join(names)}: {note}" for note, names in alike.items()]


def sentence(found: Compared, pair: Pair, *, but: str = "") -> str:
    """The verdict on a pair in one sentence, and what it depends on; of one convention it may be said elsewhere.

    "dense is better than bm25: +0.042 nDCG@10 [0.018, 0.066], p = .0008 (randomisation test, Holm over 3 pairs of 3
    systems), 31 wins, 15 losses, 4 ties on 50 topics".
    """
    topics = counted(len(found.topics), "topic")
    if pair.verdict == SAME:
        every = f"on {topics}" if len(found.topics) == 1 else f"on all {topics}"
        same = f"{pair.b} and {pair.a} have the same {pair.measure} {every}"
        return "; ".join(filter(None, (same, settled(found, pair, but=but))))
    head = {
        BETTER: f"{pair.b} is better than {pair.a}",
        WORSE: f"{pair.b} is worse than {pair.a}",
        OPEN: f"{pair.b} and {pair.a} do not differ significantly",
    }[pair.verdict]
    counts = ", ".join((counted(pair.wins, "win"), counted(pair.losses, "loss", "losses"), counted(pair.ties, "tie")))
    parts = [f"{head}: {difference(found, pair)}", f"{_p(found, pair.p_corrected)} ({method(found)})"]
    whole = f"{', '.join(parts)}, {counts} on {topics}"
    return "; ".join(filter(None, (whole, _margin(found, pair), settled(found, pair, but=but))))


def difference(found: Compared, pair: Pair) -> str:
    """The difference with its interval, in as many digits as it is worth."""
    digits = pair_digits(found, pair)
    text = f"{rounded(pair.difference, digits, sign=True)} {pair.measure}"
    return text if math.isnan(pair.low) else f"{text} [{rounded(pair.low, digits)}, {rounded(pair.high, digits)}]"


def pair_digits(found: Compared, pair: Pair) -> int:
    """Decimals of a difference, from its standard error."""
    deviation = found.effects.deviation[found.runs.index(pair.b), found.runs.index(pair.a)].item()
    return decimals(deviation / math.sqrt(len(found.topics)))


def method(found: Compared) -> str:
    """The test, what it drew, and the correction."""
    settings = found.settings
    drawn = f", {found.how}" * bool(found.how)
    if settings.procedure.simultaneous or len(found.asked) == 1:
        return settings.title + drawn
    corrected = settings.correction_title
    over = f"{corrected} over {found.family}" if settings.correction != "none" else f"{corrected}, {found.family}"
    return f"{settings.title}{drawn}, {over}"


def settled(found: Compared, pair: Pair, *, but: str = "") -> str:
    """What the verdict depends on; nothing where it is settled, or not known to be."""
    parts: dict[str, list[Check]] = {}
    for check in (check for check in pair.open if check.convention != but):
        parts.setdefault(f"{check.convention} {check.favours}" if check.exact else check.convention, []).append(check)
    clauses = [
        _either_way(found, pair, some) if len(some) > 1 else _clause(found, pair, *some) for some in parts.values()
    ]
    return f"not settled: {'; '.join(clauses)}" if clauses else ""


def _either_way(found: Compared, pair: Pair, checks: list[Check]) -> str:
    """Two bounds that need not be reached, each of them with another verdict."""
    digits = pair_digits(found, pair)
    ends = " to ".join(rounded(check.difference, digits, sign=True) for check in checks)
    return f"{_OPEN[checks[0].convention]} may decide it either way ({ends})"


def _clause(found: Compared, pair: Pair, check: Check) -> str:
    """What another reading does to the verdict."""
    subject = _OPEN.get(check.convention, "")
    if check.convention == "depth":
        mood, how = "is", f"by {check.favours}"
    elif check.exact:
        mood, how = "would", f"with {subject} in favour of {check.favours}"
    else:
        mood, how = "may", f"{subject} in favour of {check.favours} may"
    turns, leaves, makes = _CHANGES[mood]
    change = makes if check.verdict != OPEN else turns if check.difference * pair.difference < 0 else leaves
    then = f"{rounded(check.difference, pair_digits(found, pair), sign=True)}, {_p(found, check.p)}"
    return f"{how} {change.format(a=pair.a, b=pair.b, verdict=check.verdict)} ({then})"


def _margin(found: Compared, pair: Pair) -> str:
    margin = found.settings.margin
    if margin is None or pair.p_equivalent is None or pair.p_no_worse is None:
        return ""
    if pair.equivalent:
        return f"equivalent within {margin:g} ({_p(found, pair.p_equivalent)})"
    if pair.verdict == BETTER or (pair.verdict == WORSE and not pair.no_worse):
        return ""
    if pair.no_worse:
        return f"{pair.b} is no worse by {margin:g} ({_p(found, pair.p_no_worse)})"
    return f"not shown to be no worse by {margin:g} ({_p(found, pair.p_no_worse)})"


def _p(found: Compared, p: float) -> str:
    return p_value(p, found.settings.alpha)


def _together(found: Compared) -> list[str]:
    """Many pairs in a few sentences."""
    verdicts = Counter(found.verdicts)
    some = verdicts[BETTER] + verdicts[WORSE]
    level = probability(found.settings.alpha)
    total = f"{len(found.asked):,}"
    lines = [f"{found.measure}: {some:,} of {total} pairs differ significantly at {level} ({method(found)})"]
    if verdicts[SAME]:
        lines[0] += f"; {counted(verdicts[SAME], 'pair')} {'has' if verdicts[SAME] == 1 else 'have'} the same scores"
    lines += _unsettled(found)
    top = found.order[0]
    if not found.corrected.tested[top].any():
        return lines
    beaten = int(found.better[top].sum())
    asked = int(found.corrected.tested[top].sum())
    rest = [found.runs[at] for at in found.order if found.corrected.tested[top, at] and not found.better[top, at]]
    others = f"; not significantly better than {named(rest)}" if rest else ""
    lines.append(
        f"{found.measure}: the best, {found.runs[top]}, is significantly better than {beaten} of {asked}{others}"
    )
    return lines


def _unsettled(found: Compared) -> list[str]:
    """How many verdicts depend on what."""
    if found.checks is None:
        return []
    open_ = [{check.convention for check in some if not check.settles} for some in found.checks.values()]
    by = Counter(convention for each in open_ for convention in each)
    some = sum(map(bool, open_))
    reasons = ", ".join(f"{_OPEN.get(convention, convention)} ({number})" for convention, number in by.items())
    return [f"{found.measure}: {some} of {len(open_)} verdicts are not settled" + f", by {reasons}" * bool(some)]


def _power(found: Compared) -> list[str]:
    """What the topics at hand can show, and how many would show what was seen."""
    if len(found.topics) < 2 or not found.asked:
        return []
    found_by = f"by a t-test of one pair at {probability(found.settings.alpha)} with power .80"
    varied = found.detectable[found.detectable > 0]
    if not len(varied):
        return []
    least, most = float(varied.min()), float(varied.max())
    digits = decimals(most / 2)
    topics = counted(len(found.topics), "topic")
    if least > found.measure.range[1] - found.measure.range[0]:
        return [f"{found.measure}: {topics} are too few to find any difference, {found_by}"]
    ends = dict.fromkeys(rounded(end, digits) for end in (least, most))
    text = f"{found.measure}: {topics} are enough to find a true difference of {' to '.join(ends)}, {found_by}"
    if len(found.asked) == 1 and math.isfinite(needed := float(found.needed_topics[0])):
        text += f"; one as large as observed would take {counted(int(needed), 'topic')}"
    return [text]


def named(runs: list[str]) -> str:
    """Systems by name, or a few of them and how many more."""
    if len(runs) <= NAMED + 1:
        return " and ".join(filter(None, (", ".join(runs[:-1]), runs[-1])))
    return f"{', '.join(runs[:NAMED])} and {len(runs) - NAMED} others"
