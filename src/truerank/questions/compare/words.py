"""Systems compared, in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, named
from truerank.questions.compare.answer import (
    BETTER,
    OPEN,
    SAME,
    WORSE,
    Comparison,
    MeasureComparison,
    OtherReading,
    PairRow,
)
from truerank.report.digits import decimals, p_value, probability, rounded
from truerank.report.table import caption
from truerank.statistics.power import exaggeration, power_of

if TYPE_CHECKING:
    from truerank.questions.compare.plan import CompareSettings

HOW = Code("TR301", "how runs were compared: topics, test, correction, level, intervals, conventions")
VERDICT = Code("TR302", "the verdict on a pair of runs, and what it depends on")
DIFFER = Code("TR303", "how many pairs of runs differ significantly")
UNSETTLED = Code("TR304", "how many verdicts depend on ties, unjudged documents or depth")
BEST = Code("TR305", "the best run, and those that it is not significantly better than")
POWER = Code("TR306", "the difference that so many topics can show")
LITTLE = Code("TR307", "what a test or an interval has to work with, where that is little")
LEFT_OUT = Code("TR308", "topics that are left out for all runs")
EXAGGERATED = Code("TR309", "significant differences that are likely to be smaller than they look")
LIKELY = Code("TR310", "how many pairs are likely to differ by more than a region of practical equivalence, or less")

EACH = 1
"""Pairs of a measure up to which each has a sentence; more have a table, and a few sentences for all."""
NAMED = 3
"""Systems that a sentence names."""
_ALWAYS = ("ties", "unjudged", "ending")
"""Conventions that are named whatever they are; the others where they are not the usual ones."""
_DECIDE = ("ties", "unjudged")
"""Those that a line has room for."""
_INTERVALS = {
    "tukey": "Tukey's method, for all pairs at once",
    "randomized-tukey": "permutations, for all pairs at once",
    "dunnett": "Dunnett's method, for all pairs with the baseline at once",
    "randomized-dunnett": "randomisation, for all pairs with the baseline at once",
    "bootstrap-t": "the bootstrap of t",
    "randomization": "randomisation",
}
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


def said(found: Comparison) -> Iterator[Note]:
    """The verdicts: a sentence each, or a few for all where there are many."""
    for each in found.values():
        # Of two runs by several measures the table has the numbers.
        brief = len(found) > 1 and len(found.runs) == 2
        yield from _together(each, found.baselines) if len(each.asked) > EACH else _each(each, brief=brief)


def _each(found: MeasureComparison, *, brief: bool) -> Iterator[Note]:
    """A sentence a pair; ``brief`` on a screen."""
    for pair in found.pairs:
        said = VERDICT(
            sentence(found, pair),
            measure=pair.measure,
            run=pair.run,
            compared_with=pair.compared_with,
            verdict=pair.verdict,
            settled=pair.settled,
        )
        yield said.in_brief(_in_brief(found, pair)) if brief and pair.verdict != SAME else said


def _in_brief(found: MeasureComparison, pair: PairRow) -> str:
    """What is shown of a pair, and what could change it."""
    by = ", ".join(dict.fromkeys(_OPEN.get(check.convention, check.convention) for check in pair.open))
    return f"{pair.measure}: {_head(found, pair)}{f'; not settled: {by}' if by else ''}"


def further(found: Comparison) -> Iterator[Note]:
    """What else there is to know: what the topics can show."""
    from truerank.questions.compare.by_group import said_of_groups

    for each in found.values():
        yield from _power(each)
        yield from said_of_groups(each)


def of_measures(compared: Sequence[MeasureComparison]) -> Iterator[Note]:
    """The notes of all measures, each once and with the measures that it is about."""
    alike: dict[Note, list[str]] = {}
    for each in compared:
        for note in each.notes:
            alike.setdefault(note, []).append(each.measure)
    for note, names in alike.items():
        yield note.about(", ".join(names))


def left_out(topics: Sequence[str], why: str) -> list[Note]:
    """Where topics count for no run, what to say about it.

    >>> left_out(["401", "402"], "missing in some of them")
    ['2 topics (401, 402) left out for all runs, missing in some of them']
    """
    if not topics:
        return []
    said = f"{counted(len(topics), 'topic')} ({named(topics)}) left out for all runs, {why}"
    return [LEFT_OUT(said, topics=len(topics))]


def how(found: Comparison) -> Note:
    """How the numbers came about: topics, test, correction, level, intervals, conventions."""
    settings = found.settings
    counts = {name: each.counted for name, each in found.items()}
    tests = "; or ".join(dict.fromkeys(method(each) for each in found.values()))
    corrects = settings.correction != "none" or settings.procedure.simultaneous
    if len(found) > 1 and corrects and settings.family == "measure":
        tests += " for each measure"
    alike = len({*counts.values()}) == 1
    parts = [
        *([*counts.values()][:1] if alike else (f"{name} on {topics}" for name, topics in counts.items())),
        f"{tests}, significant below {probability(settings.alpha)}",
        f"{percent_of(found)} intervals, of means by t and of differences by {intervals_by(found)}",
    ]
    if settings.margin is not None:
        parts.append(f"margin {settings.margin:g} by the same intervals, with unseen topics allowed for")
    if settings.rope is not None:
        parts.append(f"chances by the normal model with {prior(settings)}, each for its pair alone")
    named = found.conventions.unusual(*_ALWAYS)
    said = HOW(caption(*parts, conventions=named), **settings.as_dict())
    brief = "; or ".join(dict.fromkeys(method(each, brief=True) for each in found.values()))
    return said.in_brief(caption(parts[0], brief, conventions=found.conventions.unusual(*_DECIDE))) if alike else said


def how_across(collections: Mapping[str, Comparison]) -> Note:
    """How numbers over several collections came about."""
    found = next(iter(collections.values()))
    settings = found.settings
    counts = [f"{name}: {next(iter(one.values())).counted}" for name, one in collections.items()]
    parts = [
        *counts,
        f"bootstrap of topics within collections, {settings.permutations:,} samples drawn with seed {settings.seed}, "
        f"all pairs of a measure at once, significant below {probability(settings.alpha)}",
        f"{percent_of(found)} intervals, each for itself alone",
    ]
    return HOW(caption(*parts, conventions=found.conventions.unusual(*_ALWAYS)), **settings.as_dict())


def intervals_by(found: Comparison) -> str:
    """How intervals of differences are found, and for how many pairs each of them holds."""
    settings = found.settings
    by = _INTERVALS.get(settings.interval_method, settings.interval_method)
    if all(each.corrected.size == 1 for each in found.values()):
        return by
    if settings.alone:
        return f"{by}, each for its pair alone"
    return f"{by}, corrected as verdicts are" if settings.corrects_intervals else by


def percent_of(found: Comparison) -> str:
    """The confidence of intervals."""
    return f"{100 * found.settings.confidence:.4g}%"


def sentence(found: MeasureComparison, pair: PairRow) -> str:
    """The verdict on a pair in one sentence, and what it depends on.

    "dense scores higher than bm25: +0.042 nDCG@10 [0.018, 0.066], p = .0008 (randomisation test, Holm over 3 pairs of 3
    systems), 31 wins, 15 losses, 4 ties on 50 topics".
    """
    topics = found.counted
    if pair.verdict == SAME:
        every = f"on {topics}" if len(found.topics) == 1 else f"on all {topics}"
        same = f"{pair.b} and {pair.a} have the same {pair.measure} {every}"
        return "; ".join(filter(None, (same, settled(found, pair))))
    head = _head(found, pair)
    counts = ", ".join((counted(pair.wins, "win"), counted(pair.losses, "loss", "losses"), counted(pair.ties, "tie")))
    parts = [f"{head}: {difference(found, pair)}", f"{_p(found, pair.p_corrected)} ({method(found)})"]
    whole = f"{', '.join(parts)}, {counts} on {topics}"
    otherwise = "the means are the other way round, for this test does not look at them" if pair.against_mean else ""
    parts = [whole, otherwise, _margin(found, pair), chances(found, pair), settled(found, pair)]
    return "; ".join(filter(None, parts))


def _head(found: MeasureComparison, pair: PairRow) -> str:
    """What is shown of a pair."""
    if pair.verdict == OPEN:
        return f"no difference shown between {pair.b} and {pair.a}"
    if pair.against_mean:
        return f"{pair.b} is {'ahead of' if pair.verdict == BETTER else 'behind'} {pair.a} by this test"
    if found.sign > 0:
        return f"{pair.b} scores {'higher' if pair.verdict == BETTER else 'lower'} than {pair.a}"
    return f"{pair.b} scores {'lower' if pair.verdict == BETTER else 'higher'}, so {pair.verdict}, than {pair.a}"


def difference(found: MeasureComparison, pair: PairRow) -> str:
    """The difference with its interval, in as many digits as it is worth."""
    digits = pair_digits(found, pair)
    text = f"{rounded(pair.difference, digits, sign=True)} {pair.measure}"
    if pair.verdict == OPEN and not math.isnan(pair.low):
        low, high = (rounded(end, digits, sign=True) for end in (pair.low, pair.high))
        alone = ""
        if pair.low * pair.high > 0:
            # 0 is outside, and the test shows nothing: the interval is of something else, or of one pair of several.
            settings = found.settings
            if not settings.own_interval:
                alone = f" by {_INTERVALS.get(settings.interval_method, settings.interval_method)}"
            if found.corrected.size > 1:
                alone += " for this pair alone"
        return f"{text}, which{alone} may be anything from {low} to {high}"
    return f"{text} {interval(pair.low, pair.high, digits)}".rstrip()


def interval(low: float, high: float, digits: int) -> str:
    """Both ends of an interval; nothing where it is undefined."""
    return "" if math.isnan(low) else f"[{rounded(low, digits)}, {rounded(high, digits)}]"


def pair_digits(found: MeasureComparison, pair: PairRow) -> int:
    """Decimals of a difference, from its standard error."""
    deviation = found.effects.deviation[found.runs.index(pair.b), found.runs.index(pair.a)].item()
    return decimals(deviation / math.sqrt(found.sample.drawn))


def method(found: MeasureComparison, *, brief: bool = False) -> str:
    """The test, what it drew, and the correction; in brief, with the number of pairs alone."""
    settings = found.settings
    title = settings.title
    if found.num_groups is not None:
        title += " by group"
    if found.sample.replicates is not None:
        title += " over topics and runs"
    test = f"{title}, {found.how}" if found.how else title
    if settings.procedure.simultaneous:
        return f"{test}, {found.family}" if found.beside else test
    if found.corrected.size == 1:
        return test
    corrected = settings.correction_title
    if brief:
        return f"{test}, {corrected} over {found.corrected.size:,}"
    over = f"{corrected} over {found.family}" if settings.correction != "none" else f"{corrected}, {found.family}"
    return f"{test}, {over}"


def interval_kind(found: MeasureComparison) -> str:
    """How the intervals of gates are found, and for how many pairs; nothing for those by t of one pair."""
    settings, kind = found.settings, found.settings.test_interval
    parts = [] if kind == "t" else [f"by {_INTERVALS.get(kind, kind)}"]
    if found.num_groups is not None:
        parts.append("by group")
    if found.sample.replicates is not None:
        parts.append("over topics and runs")
    if not settings.about_means:
        parts.append("by t")
    if found.corrected.size > 1 and settings.correction != "none":
        parts.append(f"{settings.correction_title} over {found.corrected.size:,}")
    return ", ".join(parts)


def settled(found: MeasureComparison, pair: PairRow) -> str:
    """What the verdict depends on; nothing where it is settled, or not known to be."""
    parts: dict[str, list[OtherReading]] = {}
    for check in pair.open:
        parts.setdefault(f"{check.convention} {check.favours}" if check.exact else check.convention, []).append(check)
    clauses = [
        _either_way(found, pair, some) if len(some) > 1 else _clause(found, pair, *some) for some in parts.values()
    ]
    if pair.tie_share is not None:
        clauses.append(f"the verdict is the same in {_share(pair.tie_share)}")
    return f"not settled: {'; '.join(clauses)}" if clauses else ""


def _share(share: float) -> str:
    """A share that was counted in some hundred random orders of ties, as people read it."""
    if share in (0.0, 1.0):
        return f"{'all' if share else 'none'} of the random orders of ties that were tried"
    return f"{share:.0%} of random orders of ties"


def _either_way(found: MeasureComparison, pair: PairRow, checks: list[OtherReading]) -> str:
    """Two bounds that need not be reached, each of them with another verdict."""
    digits = pair_digits(found, pair)
    ends = " to ".join(rounded(check.difference, digits, sign=True) for check in checks)
    return f"{_OPEN[checks[0].convention]} may decide it either way ({ends})"


def _clause(found: MeasureComparison, pair: PairRow, check: OtherReading) -> str:
    """What another reading does to the verdict."""
    subject = _OPEN.get(check.convention, "")
    if check.convention == "depth":
        mood, how = "is", f"by {check.favours}"
    elif check.mixed:
        one = f"{subject} in favour of {pair.a} in some topics and of {pair.b} in others"
        mood, how = ("would", f"with {one}") if check.exact else ("may", f"{one} may")
    elif check.exact:
        mood, how = "would", f"with {subject} in favour of {check.favours}"
    else:
        mood, how = "may", f"{subject} in favour of {check.favours} may"
    turns, leaves, makes = _CHANGES[mood]
    change = makes if check.verdict != OPEN else turns if check.difference * pair.difference < 0 else leaves
    then = f"{rounded(check.difference, pair_digits(found, pair), sign=True)}, {_p(found, check.p)}"
    if check.p_change is not None:
        then += f"; the difference is another one, {_p(found, check.p_change)}"
    return f"{how} {change.format(a=pair.a, b=pair.b, verdict=check.verdict)} ({then})"


def _margin(found: MeasureComparison, pair: PairRow) -> str:
    margin = found.settings.margin
    if margin is None or pair.guarded_low is None or pair.guarded_high is None:
        return ""
    if not pair.equivalent and (pair.verdict == BETTER or (pair.verdict == WORSE and not pair.no_worse)):
        return ""
    what = f"equivalent within {margin:g}" if pair.equivalent else f"no worse by {margin:g}"
    said = f"{pair.b} is {what}" if pair.equivalent or pair.no_worse else f"{pair.b} is not shown to be {what}"
    if math.isnan(pair.guarded_low):
        return said
    low, high = (rounded(end, pair_digits(found, pair), sign=True) for end in (pair.guarded_low, pair.guarded_high))
    return f"{said} ({low} to {high} with unseen topics allowed for)"


def chances(found: MeasureComparison, pair: PairRow) -> str:
    """How likely the run is better, about the same, and worse; nothing where it was not asked, or cannot be told."""
    rope = found.settings.rope
    if rope is None or pair.chance_better is None or pair.chance_within is None or pair.chance_worse is None:
        return ""
    if math.isnan(pair.chance_better):
        return "how likely a difference is cannot be told"
    better, within, worse = map(_chance, (pair.chance_better, pair.chance_within, pair.chance_worse))
    if not rope:
        return f"chance {better} that it is better, {worse} that it is worse"
    return f"chance {better} that it is better by more than {rope:g}, {within} that it is within, {worse} worse"


def prior(settings: CompareSettings) -> str:
    """What was taken to be likely before scores were seen."""
    return "a flat prior" if settings.prior is None else f"a normal prior of standard deviation {settings.prior:g}"


def _chance(chance: float) -> str:
    """A chance in three digits, without a zero that is none."""
    return "< .001" if chance < 0.0005 else "> .999" if chance >= 0.9995 else f"{chance:.3f}".removeprefix("0")


SURE = 0.95
"""Chance from which on something is called likely."""


def _likely(found: MeasureComparison) -> Iterator[Note]:
    """Many pairs: how many are likely to differ by more than the region, or to be within it."""
    rope = found.settings.rope
    if rope is None or found.posterior is None:
        return
    above, within, below = (
        found.of_pairs(each) for each in (found.posterior.above, found.posterior.within, found.posterior.below)
    )
    apart, same = int(((above >= SURE) | (below >= SURE)).sum()), int((within >= SURE).sum())
    pairs = len(found.asked)
    text = (
        f"{found.measure}: {apart:,} of {pairs:,} pairs differ by more than {rope:g} with a chance of "
        f"{probability(SURE)} or more, {same:,} by less, given these topics and {prior(found.settings)}"
    )
    yield LIKELY(text, measure=found.measure, apart=apart, within=same, pairs=pairs)


def _p(found: MeasureComparison, p: float) -> str:
    return p_value(p, found.settings.alpha)


def _together(found: MeasureComparison, baselines: Sequence[str]) -> Iterator[Note]:
    """Many pairs in a few sentences; how they were tested is told below the table."""
    verdicts, measure = Counter(found.verdicts), found.measure
    some, same, pairs = verdicts[BETTER] + verdicts[WORSE], verdicts[SAME], len(found.asked)
    if len(baselines) == 1:
        text = (
            f"{measure}: {verdicts[BETTER]:,} better than {baselines[0]}, {verdicts[WORSE]:,} worse, "
            f"{verdicts[OPEN]:,} not told apart from it"
        )
        same_of = f"; {counted(same, 'run')} {'has' if same == 1 else 'have'} the same scores"
    else:
        text = f"{measure}: {some:,} of {pairs:,} pairs differ significantly"
        same_of = f"; {counted(same, 'pair')} {'has' if same == 1 else 'have'} the same scores"
    yield DIFFER(text + same_of * bool(same), measure=measure, significant=some, same=same, pairs=pairs)
    yield from _likely(found)
    yield from _unsettled(found)
    top = found.order[0]
    tested = found.corrected.tested[top]
    if int(tested.sum()) < len(found.runs) - 1:
        return
    beaten = int(found.better[top].sum())
    rest = [found.runs[at] for at in found.order if tested[at] and not found.better[top, at]]
    text = f"{measure}: the best, {found.runs[top]}, is significantly better than "
    text += f"{beaten} of {len(found.runs) - 1}, not than {listed(rest)}" if rest else "all others"
    said = BEST(text, measure=measure, run=found.runs[top], better=beaten, runs=len(found.runs) - 1)
    others = "all others" if not rest else f"{beaten} of {len(found.runs) - 1}"
    yield said.in_brief(f"{measure}: {found.runs[top]} is the best, significantly better than {others}")


def _unsettled(found: MeasureComparison) -> Iterator[Note]:
    """How many verdicts depend on what."""
    if found.checks is None:
        return
    open_ = [dict.fromkeys(check.convention for check in some if not check.settles) for some in found.checks.values()]
    by = Counter(convention for each in open_ for convention in each)
    some = sum(map(bool, open_))
    which = f"{found.measure}: {some} of {len(open_)} verdicts"
    reasons = ", ".join(f"{_OPEN.get(convention, convention)} ({number})" for convention, number in by.most_common())
    because = f": {reasons}" if some else ""
    text, brief = f"{which} are not settled{because}", ""
    if by.get("unjudged"):
        # What unjudged documents could do at most is seldom what they do, and there is a question about that.
        text, brief = f"{text}; how likely those turn: truerank unjudged", f"{which} not settled{because}"
        brief += ", see truerank unjudged"
    yield UNSETTLED(text, measure=found.measure, unsettled=some, pairs=len(open_), **by).in_brief(brief)


def _power(found: MeasureComparison) -> Iterator[Note]:
    """What the topics at hand can show, and where what was found is likely to be less."""
    varied = found.detectable[found.detectable > 0]
    if not len(varied):
        return
    level = f"at {probability(found.settings.alpha)}"
    if found.strict < found.settings.alpha:
        level += f" over {counted(len(found.asked), 'pair')}"
        if found.beside:
            level += f" by {1 + len(found.beside)} measures"
    by = f"by a t-test {level}"
    widest = found.by.range[1] - found.by.range[0]
    least, most = float(varied.min()), min(float(varied.max()), widest)
    topics = found.counted
    facts = {"measure": found.measure, "topics": len(found.topics), "least": least, "most": most}
    if least > widest:
        yield POWER(f"{found.measure}: {topics} are too few to find any difference, {by}", **facts)
        return
    digits = decimals(most / 2)
    ends = " to ".join(dict.fromkeys(rounded(end, digits) for end in (least, most)))
    which = ", by pair," if " to " in ends else ""
    text = f"{found.measure}: with {topics}, true differences below {ends}{which} are missed more than one time of five"
    brief = f"{found.measure}: {topics} can miss differences below {rounded(most, digits)}"
    yield POWER(f"{text}, {by}", **facts).in_brief(brief)
    yield from _exaggerated(found)


def _exaggerated(found: MeasureComparison) -> Iterator[Note]:
    """Differences that were found where so small ones mostly are not: those found are the ones that came out large."""
    sizes, verdicts = np.abs(found.of_pairs(found.effects.difference)), np.array(found.verdicts)
    shown = np.flatnonzero(np.isin(verdicts, (BETTER, WORSE)) & (sizes > 0))
    weak = shown[sizes[shown] < found.detectable[shown]]
    # How far a difference over runs is exaggerated depends on how few of them there are, too; and tests of ranks and
    # signs find what is no difference of means.
    if not len(weak) or found.sample.replicates is not None or not found.settings.about_means:
        return
    smallest = weak[np.argmin(sizes[weak] / found.detectable[weak])]
    deviation = found.of_pairs(found.effects.deviation)[smallest].item()
    half = sizes[smallest].item() / 2
    chance = float(power_of(found.sample.drawn, half, deviation, alpha=found.strict))
    times = exaggeration(found.sample.drawn, half, deviation, alpha=found.strict)
    which = f"{len(weak)} of {counted(len(shown), 'significant difference')} {'is' if len(weak) == 1 else 'are'}"
    text = (
        f"{found.measure}: {which} below that, and likely to be exaggerated: one of "
        f"{rounded(half, pair_digits(found, found.pairs[int(smallest)]))}, half of the weakest, would be found in "
        f"{100 * chance:.0f}% of cases, and then look {times:.1f} times as large on average"
    )
    said = EXAGGERATED(text, measure=found.measure, pairs=len(weak), half=half, power=chance, times=times)
    yield said.in_brief(f"{found.measure}: {which} likely to be exaggerated")


def listed(runs: Sequence[str]) -> str:
    """Systems by name, or a few of them and how many more."""
    if len(runs) <= NAMED + 1:
        return " and ".join(filter(None, (", ".join(runs[:-1]), runs[-1])))
    return f"{', '.join(runs[:NAMED])} and {len(runs) - NAMED} others"
