"""Systems compared, in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, p_value
from truerank.measures.core.typed import as_typed
from truerank.questions.compare.answer import (
    BETTER,
    FAILED,
    OPEN,
    PASSED,
    SAME,
    UNDECIDED,
    WORSE,
    Comparison,
    GateOutcome,
    MeasureComparison,
    OtherReading,
    PairRow,
)
from truerank.questions.compare.gates import EQUIVALENT, NO_WORSE, NOT_SIGNIFICANTLY_WORSE
from truerank.report.digits import APART, LARGE, WrittenNumber, decimals, probability, rounded
from truerank.statistics.level import above
from truerank.statistics.power import exaggeration, power_of

_TOPICS = "{topics:topic}[ in {groups:group}]"
_FURTHER = (
    "[; {run} is equivalent within {equivalent:g}][; {run} is no worse by {no_worse:g}]"
    "[; {run} may be worse by {not_no_worse:g} or more]"
    "[ ({guarded_low} to {guarded_high} with unseen topics allowed for)]"
)
_DEPENDS = "[; depends on conventions: {changes}][; the verdict is the same in {tie_share:%} of random orders of ties]"
_FOUND = (
    ": {difference} {measure}[, {confidence:%} CI {low} to {high}][ by {interval_by}][ for {interval_of}], {p} "
    f"({{test}}), {{wins:win}}, {{losses:loss/losses}}, {{ties:tie}} on {_TOPICS}"
)
_AGAINST = "; the means are the other way round, for this test does not look at them"
_BY_T_TEST = " (t-test at {alpha}[ over {pairs:pair}][ by {measures:measure}])"

HOW = Code(
    "TR301",
    "how runs were compared: topics, test, correction, level, intervals, conventions",
    f"{_TOPICS}, {{tests}}, significant below {{alpha}}, {{confidence:%}} intervals, of means by t and of "
    f"differences "
    "by {intervals}[, margin {margin:g} by the same intervals, with unseen topics allowed for][, {conventions}]",
    by_measure="{counts}, {tests}, significant below {alpha}, {confidence:%} intervals, of means by t and of "
    "differences by {intervals}[, margin {margin:g} by the same intervals, with unseen topics allowed for]"
    "[, {conventions}]",
    across="{counts}, bootstrap of topics within collections, {permutations:,} samples drawn with seed {seed}, all "
    "pairs of a measure at once, significant below {alpha}, {confidence:%} intervals, each for itself alone[, "
    "{conventions}]",
    brief="[{topics:topic}][{counts}][ in {groups:group}][, {tests_in_brief}][, {deciding}]",
    each={"counts": f"{{name}}: {_TOPICS}"},
)
VERDICT = Code(
    "TR302",
    "the verdict on a pair of runs, and what it depends on",
    f"no significant difference between {{run}} and {{compared_with}}{_FOUND}{_FURTHER}{_DEPENDS}",
    higher=f"{{run}} scores higher than {{compared_with}}{_FOUND}{_FURTHER}{_DEPENDS}",
    lower=f"{{run}} scores lower than {{compared_with}}{_FOUND}{_FURTHER}{_DEPENDS}",
    higher_is_worse=f"{{run}} scores higher, so worse, than {{compared_with}}{_FOUND}{_FURTHER}{_DEPENDS}",
    lower_is_better=f"{{run}} scores lower, so better, than {{compared_with}}{_FOUND}{_FURTHER}{_DEPENDS}",
    ahead=f"{{run}} is ahead of {{compared_with}} by this test{_FOUND}{_AGAINST}{_FURTHER}{_DEPENDS}",
    behind=f"{{run}} is behind {{compared_with}} by this test{_FOUND}{_AGAINST}{_FURTHER}{_DEPENDS}",
    same=f"{{run}} and {{compared_with}} have the same {{measure}} on {{topics:|all }}{_TOPICS}{_DEPENDS}",
    brief="[{in_table}: {run} against {compared_with}: {verdict}][; depends on {reasons:names}]",
    each={
        "changes": "[by {depth} the verdict is][with {what} in favour of {favours}][ in some topics and of {other} "
        "in others]"
        '[ the verdict {exact:would|could} be][ "{then}" ({difference}, {p})][; the two differences differ, {p_change}]'
        "[{either} could decide it either way ({low} to {high})]"
    },
)
DIFFER = Code(
    "TR303",
    "how many pairs of runs differ significantly",
    "{measure}: {significant:,} of {pairs:,} pairs differ significantly",
    some_same="{measure}: {significant:,} of {pairs:,} pairs differ significantly; {same:pair} {same:has|have} the "
    "same scores",
    baseline="{measure}: {better:,} better than {baseline}, {worse:,} worse, {open:,} not significantly different "
    "from it",
    baseline_same="{measure}: {better:,} better than {baseline}, {worse:,} worse, {open:,} not significantly "
    "different; {same:run} {same:has|have} the same scores",
)
UNSETTLED = Code(
    "TR304",
    "how many verdicts depend on ties, unjudged documents or depth",
    "{measure}: {unsettled} of {pairs:verdict} {unsettled:depends|depend} on: {reasons}[; how likely unjudged "
    "documents change verdicts: truerank {see}]",
    all_settled="{measure}: {pairs:the verdict holds|all {pairs} verdicts hold} under every other convention that was "
    "tried",
    brief="[{measure}: {unsettled} of {pairs:verdict} {unsettled:depends|depend} on: {reasons}][, see truerank {see}]",
    each={"reasons": "{what} ({verdicts})"},
)
BEST = Code(
    "TR305",
    "the best run, and those that it is not significantly better than",
    "{measure}: the best, {run}, is significantly better than {better} of {runs}, not than {rest:names}",
    all_others="{measure}: the best, {run}, is significantly better than all others",
    brief="{measure}: {run} is the best, significantly better than [{some} of {runs}][all {every} others]",
)
POWER = Code(
    "TR306",
    "the difference that so many topics can show",
    f"{{measure}}: with {_TOPICS}, power is below 80% for true differences under {{least}} to {{most}}, depending on "
    f"the pair{_BY_T_TEST}",
    alike=f"{{measure}}: with {_TOPICS}, power is below 80% for true differences under {{most}}{_BY_T_TEST}",
    too_few=f"{{measure}}: {_TOPICS} {{topics:is|are}} too few to find any difference{_BY_T_TEST}",
    brief=f"[{{measure}}: with {_TOPICS}, a real difference under {{missed}} is missed more than 20% of the time]",
    together=f"With {_TOPICS}, real differences are missed more than 20% of the time if they are under {{each}}",
    worst="most",
    apart=("topics", "groups"),
    each={"each": "{missed} ({measure})"},
    likelihood=0.5,
    consequence=0.7,
    command="truerank design",
)
LITTLE = Code("TR307", "what a test or an interval has to work with, where that is little", "{warning}")
LEFT_OUT = Code(
    "TR308",
    "topics that are left out for all runs",
    "{topics:topic} ({names:names}) left out for all runs, missing in some of them",
    undefined="{topics:topic} ({names:names}) left out for all runs, undefined for some of them",
)
EXAGGERATED = Code(
    "TR309",
    "significant differences that are likely to be smaller than they look",
    "{measure}: {pairs} of {significant:significant difference} {pairs:is|are} smaller than so few topics reliably "
    "show, and probably overestimated: one of {half}, half of the weakest, would be found {power:%} of the time, and "
    "would then look {times:.1f} times as large on average",
    brief=f"{{measure}}: {{pairs:significant difference}} {{pairs:is|are}} smaller than {_TOPICS} reliably detect; "
    "{pairs:its size is|their sizes are} probably overestimated",
    together=f"{{each}}: these significant differences are smaller than {_TOPICS} reliably detect; their sizes are "
    "probably overestimated",
    worst="pairs",
    apart=("topics", "groups"),
    likelihood=0.5,
    consequence=0.3,
    each={"each": "{pairs} by {measure}"},
)
LOST = Code(
    "TR311",
    "the topics that got worse most where a gate is not passed",
    "{worse:,} of {topics:topic} got worse, most of all {most:all names}",
    several='"{run}" against "{baseline}" by {measure}: {worse:,} of {topics:topic} got worse, most of all '
    "{most:all names}",
    consequence=1.0,
)

EACH = 1
"""Pairs of a measure up to which each has a sentence; more have a table, and a few sentences for all."""
WORST = 3
"""Topics that a line names."""
_ALWAYS = ("ties", "unjudged", "ending")
"""Conventions that programs are told whatever they are; the others where they are not the usual ones."""
_INTERVALS = {
    "tukey": "Tukey's method, for all pairs at once",
    "randomized-tukey": "permutations, for all pairs at once",
    "dunnett": "Dunnett's method, for all pairs with the baseline at once",
    "randomized-dunnett": "randomisation, for all pairs with the baseline at once",
    "bootstrap-t": "the bootstrap of t",
    "randomization": "randomisation",
}
_WHAT = {"ties": "ties", "unjudged": "unjudged documents"}


def said(answer: Comparison) -> Iterator[Note]:
    """The verdicts: a sentence each, or a few for all where there are many."""
    for each in answer.values():
        if len(each.asked) > EACH:
            yield from _together(each, answer.baselines)
        else:
            yield from (verdict(each, pair, in_table=True) for pair in each.pairs)


def verdict(each: MeasureComparison, pair: PairRow, *, in_table: bool = False) -> Note:
    """The verdict on a pair in one sentence, and what it depends on.

    "dense scores higher than bm25: +0.042 nDCG@10, 95% CI +0.018 to +0.066, p = .0008 (randomisation test, Holm over 3
    pairs of 3 systems), 31 wins, 15 losses, 4 ties on 50 topics".
    """
    tabled = in_table and pair.verdict != SAME
    return VERDICT(
        _form(each, pair),
        measure=pair.measure,
        run=pair.run,
        compared_with=pair.compared_with,
        verdict=pair.verdict,
        settled=pair.settled,
        topics=len(each.topics),
        groups=each.num_groups,
        difference=_difference(each, pair, pair.difference),
        p=_p(each, pair.p_corrected),
        test=method(each),
        wins=pair.wins,
        losses=pair.losses,
        ties=pair.ties,
        changes=_changes(each, pair) or None,
        tie_share=pair.tie_share,
        in_table=pair.measure if tabled else None,
        reasons=_reasons(pair) or None if tabled else None,
        **interval_facts(each, pair),
        **margin_facts(each, pair),
    )


def _form(each: MeasureComparison, pair: PairRow) -> str:
    if pair.verdict == SAME:
        return "same"
    if pair.verdict == OPEN:
        return ""
    if pair.against_mean:
        return "ahead" if pair.verdict == BETTER else "behind"
    if each.sign > 0:
        return "higher" if pair.verdict == BETTER else "lower"
    return "lower_is_better" if pair.verdict == BETTER else "higher_is_worse"


def _reasons(pair: PairRow) -> list[str]:
    return [*dict.fromkeys(_WHAT.get(check.convention, check.convention) for check in pair.open)]


def interval_facts(each: MeasureComparison, pair: PairRow) -> dict[str, Any]:
    """The interval; if it leaves out 0 where nothing is shown, of what it is: it goes with no test, or with one "
    "pair."""
    known, settings = not math.isnan(pair.low), each.settings
    apart = known and pair.verdict == OPEN and pair.low * pair.high > 0
    by = _INTERVALS.get(settings.interval_method, settings.interval_method)
    return {
        "confidence": settings.confidence,
        "low": _difference(each, pair, pair.low) if known else None,
        "high": _difference(each, pair, pair.high) if known else None,
        "interval_by": by if apart and not settings.own_interval else None,
        "interval_of": "this pair alone" if apart and each.corrected.size > 1 else None,
    }


def margin_facts(each: MeasureComparison, pair: PairRow) -> dict[str, Any]:
    """What is shown of a margin, where one was given; nothing where the verdict says more."""
    margin = each.settings.margin
    known = margin is not None and pair.guarded_low is not None and pair.guarded_high is not None
    more = not pair.equivalent and (pair.verdict == BETTER or (pair.verdict == WORSE and not pair.no_worse))
    if not known or more or pair.verdict == SAME:
        return dict.fromkeys(("equivalent", "no_worse", "not_no_worse", "guarded_low", "guarded_high"))
    low, high = (
        None if end is None or math.isnan(end) else _difference(each, pair, end)
        for end in (pair.guarded_low, pair.guarded_high)
    )
    return {
        "equivalent": margin if pair.equivalent else None,
        "no_worse": margin if pair.no_worse and not pair.equivalent else None,
        "not_no_worse": margin if not (pair.equivalent or pair.no_worse) else None,
        "guarded_low": low,
        "guarded_high": high,
    }


def _changes(each: MeasureComparison, pair: PairRow) -> list[dict[str, Any]]:
    """What other readings do to the verdict; of two bounds that change it both and need not be reached, the range."""
    parts: dict[str, list[OtherReading]] = {}
    for check in pair.open:
        parts.setdefault(f"{check.convention} {check.favours}" if check.exact else check.convention, []).append(check)
    nothing = dict.fromkeys(
        ("depth", "what", "favours", "other", "exact", "then", "difference", "p", "p_change", "either", "low", "high")
    )
    changes = []
    for some in parts.values():
        if len(some) > 1:
            low, high = (_difference(each, pair, check.difference) for check in (some[0], some[-1]))
            changes.append({**nothing, "either": _WHAT[some[0].convention], "low": low, "high": high})
            continue
        [check] = some
        at_depth = check.convention == "depth"
        turned = check.verdict == OPEN and check.difference * pair.difference < 0
        changes.append(
            {
                **nothing,
                "depth": check.favours if at_depth else None,
                "what": None if at_depth else _WHAT[check.convention],
                "favours": None if at_depth else pair.compared_with if check.mixed else check.favours,
                "other": pair.run if check.mixed else None,
                "exact": None if at_depth else check.exact,
                "then": f"reversed, {check.verdict}" if turned else check.verdict,
                "difference": _difference(each, pair, check.difference),
                "p": _p(each, check.p),
                "p_change": None if check.p_change is None else _p(each, check.p_change),
            }
        )
    return changes


def further(answer: Comparison) -> Iterator[Note]:
    """What else there is to know: what the topics can show."""
    from truerank.questions.compare.by_group import said_of_groups

    for each in answer.values():
        shown = shown_pairs(answer, each)
        yield from (note.weighed(share=_concerned(each, note, shown)) for note in _power(each))
        yield from said_of_groups(each)


def shown_pairs(answer: Comparison, each: MeasureComparison) -> list[PairRow]:
    """The pairs that the usual table shows, or that its verdict is about: those with the baseline, or with the best."""
    if answer.baselines or len(each.asked) == 1:
        return [*each.pairs]
    top = each.order[0]
    there = {run for pair in each.asked if top in pair for run in pair} - {top}
    return [each.of(other, top) for other in sorted(there)]


def _concerned(each: MeasureComparison, note: Note, shown: Sequence[PairRow]) -> float:
    """The share of shown pairs that a note is about: power those that are open, exaggeration those that are not."""
    if note.code == POWER.code:
        open_ = sum(pair.verdict == OPEN for pair in shown)
        return open_ / len(shown) if shown else 1.0
    weak = sum(pair.verdict in (BETTER, WORSE) and abs(pair.difference) < pair.detectable for pair in shown)
    return weak / len(shown) if shown else 1.0


def of_measures(compared: Sequence[MeasureComparison]) -> Iterator[Note]:
    """The notes of all measures, each once and with the measures that it is about."""
    alike: dict[Note, list[str]] = {}
    for each in compared:
        for note in each.notes:
            alike.setdefault(note, []).append(each.measure)
    for note, names in alike.items():
        yield note.about(", ".join(map(as_typed, names)))


def left_out(topics: Sequence[str], form: str = "") -> list[Note]:
    """Where topics count for no run, what to say about it.

    >>> left_out(["401", "402"])
    ['2 topics (401 and 402) left out for all runs, missing in some of them']
    """
    return [LEFT_OUT(form, topics=len(topics), names=list(topics))] if topics else []


def how(answer: Comparison, show: str = "") -> Note:
    """How the numbers came about: topics, test, correction, level, intervals, conventions.

    In brief, what people read below a table: topics, test and correction, and what is not as by default.
    """
    settings, compared = answer.settings, [*answer.values()]
    tests = "; or ".join(dict.fromkeys(method(each) for each in compared))
    corrects = settings.correction != "none" or settings.procedure.simultaneous
    by_measure = " for each measure" if len(compared) > 1 and corrects and settings.family == "measure" else ""
    ranked = compared[0].ranked_by_own
    alike = len({each.counted for each in compared}) == 1
    nothing = dict.fromkeys(("topics", "groups", "counts"))
    counts: dict[str, Any] = {"counts": [_count(each.measure, each) for each in compared]}
    if alike:
        counts = {"topics": len(compared[0].topics), "groups": compared[0].num_groups}
    return HOW(
        "" if alike else "by_measure",
        **settings.as_dict() | {"alpha": _level(answer.settings.alpha)},
        **nothing | counts,
        tests=f"{tests}{by_measure}" + (f"; possible ranks: {_own_comparisons(compared[0])}" if ranked else ""),
        confidence=settings.confidence,
        intervals=intervals_by(answer),
        conventions=_listed(answer, _ALWAYS),
        tests_in_brief=_tests_in_brief(answer, show),
        deciding=", ".join(_deciding(answer)) or None,
    )


def _tests_in_brief(answer: Comparison, show: str) -> str:
    """The test and what is corrected; of ranks of many runs, what these are corrected for."""
    first, compared = next(iter(answer.values())), [*answer.values()]
    if first.ranked_by_own and show in ("", "systems"):
        sure = f"{percent_of(answer)}, {_own_comparisons(first)}"
        return f"{_test(first)}; possible ranks: {sure}; for all runs at once: --ranks all"
    tests = "; or ".join(dict.fromkeys(method(each, brief=True) for each in compared))
    corrected = any(each.corrected.size > 1 for each in compared)
    tests += " per measure" * (corrected and len(compared) > 1 and answer.settings.family == "measure")
    if answer.settings.ranks and first.ranks is not None and show in ("", "systems"):
        tests += f"; possible ranks: {percent_of(answer)} for all runs at once"
    return tests


def _deciding(answer: Comparison) -> Iterator[str]:
    """What is not as by default: the level, intervals, a margin, conventions."""
    settings = answer.settings
    if settings.alpha != type(settings)().alpha:
        yield f"significant below {_level(settings.alpha)}"
    if not (settings.own_interval and (settings.corrects_intervals or settings.correction == "none")):
        yield f"intervals by {intervals_by(answer)}"
    if settings.margin is not None:
        yield f"margin {settings.margin:g}, unseen topics allowed for"
    if listed := _listed(answer):
        yield listed


def how_across(collections: Mapping[str, Comparison]) -> Note:
    """How numbers over several collections came about."""
    first = next(iter(collections.values()))
    return HOW(
        "across",
        **first.settings.as_dict() | {"alpha": _level(first.settings.alpha)},
        **dict.fromkeys(("topics", "groups", "tests_in_brief", "deciding")),
        counts=[_count(name, next(iter(one.values()))) for name, one in collections.items()],
        confidence=first.settings.confidence,
        conventions=_listed(first, _ALWAYS),
    )


def _count(name: str, each: MeasureComparison) -> dict[str, Any]:
    return {"name": name, "topics": len(each.topics), "groups": each.num_groups}


def _listed(answer: Comparison, always: Sequence[str] = ()) -> str | None:
    return ", ".join(f"{axis} {value}" for axis, value in answer.conventions.unusual(*always).items()) or None


def intervals_by(answer: Comparison) -> str:
    """How intervals of differences are found, and for how many pairs each of them holds."""
    settings = answer.settings
    by = _INTERVALS.get(settings.interval_method, settings.interval_method)
    if all(each.corrected.size == 1 for each in answer.values()):
        return by
    if settings.alone:
        return f"{by}, each for its pair alone"
    return f"{by}, corrected as verdicts are" if settings.corrects_intervals else by


def percent_of(answer: Comparison) -> str:
    """The confidence of intervals."""
    return f"{100 * answer.settings.confidence:.4g}%"


def interval(low: float, high: float, digits: int) -> str:
    """Both ends of an interval; nothing where it is undefined."""
    return "" if math.isnan(low) else f"[{rounded(low, digits)}, {rounded(high, digits)}]"


def pair_digits(comparison: MeasureComparison, pair: PairRow) -> int:
    """Decimals of a difference, from its standard error."""
    deviation = comparison.effects.deviation[comparison.runs.index(pair.b), comparison.runs.index(pair.a)].item()
    return decimals(deviation / math.sqrt(comparison.sample.drawn))


def method(comparison: MeasureComparison, *, brief: bool = False) -> str:
    """The test, what it drew, and the correction; in brief, without the number of runs."""
    settings, test = comparison.settings, _test(comparison)
    if settings.procedure.simultaneous:
        if brief and not comparison.beside:
            return f"{test}, all pairs{' with the baseline' * ('dunnett' in settings.test)} at once"
        return f"{test}, {comparison.family}" if comparison.beside else test
    if comparison.corrected.size == 1:
        return test
    corrected, family = settings.correction_title, comparison.family
    if brief:
        family = family.replace(f" of {counted(len(comparison.runs), 'system')}", "")
    over = f"{corrected} over {family}" if settings.correction != "none" else f"{corrected}, {family}"
    return f"{test}, {over}"


def _test(comparison: MeasureComparison) -> str:
    """The test, and what it drew."""
    title = comparison.settings.title
    if comparison.num_groups is not None:
        title += " by group"
    if comparison.sample.replicates is not None:
        title += " over topics and runs"
    return f"{title}, {comparison.how}" if comparison.how else title


def _own_comparisons(comparison: MeasureComparison) -> str:
    """What possible ranks are corrected for, where each run is compared with all others."""
    return f"each run against {len(comparison.runs) - 1:,} others, {comparison.settings.correction_title}"


def interval_kind(comparison: MeasureComparison) -> str:
    """How the intervals of gates are found, and for how many pairs; nothing for those by t of one pair."""
    settings, kind = comparison.settings, comparison.settings.test_interval
    parts = [] if kind == "t" else [f"by {_INTERVALS.get(kind, kind)}"]
    if comparison.num_groups is not None:
        parts.append("by group")
    if comparison.sample.replicates is not None:
        parts.append("over topics and runs")
    if not settings.about_means:
        parts.append("by t")
    if comparison.corrected.size > 1 and settings.correction != "none":
        parts.append(f"{settings.correction_title} over {comparison.corrected.size:,}")
    return ", ".join(parts)


def _level(alpha: float) -> WrittenNumber:
    return WrittenNumber(alpha, probability(alpha))


def _p(each: MeasureComparison, p: float) -> WrittenNumber:
    return WrittenNumber(p, p_value(p, each.settings.alpha))


def _difference(each: MeasureComparison, pair: PairRow, value: float) -> WrittenNumber:
    """A difference, or an end of its interval, in as many digits as it is worth."""
    return WrittenNumber(value, rounded(value, pair_digits(each, pair), sign=True))


def _together(each: MeasureComparison, baselines: Sequence[str]) -> Iterator[Note]:
    """Many pairs in a few sentences; how they were tested is told below the table."""
    verdicts = Counter(each.verdicts)
    same = verdicts[SAME]
    facts: dict[str, Any] = {"measure": each.measure, "significant": verdicts[BETTER] + verdicts[WORSE], "same": same}
    if len(baselines) == 1:
        form = "baseline_same" if same else "baseline"
        facts |= {
            "baseline": baselines[0],
            "better": verdicts[BETTER],
            "worse": verdicts[WORSE],
            "open": verdicts[OPEN],
        }
    else:
        form = "some_same" if same else ""
    yield DIFFER(form, **facts, pairs=len(each.asked))
    yield from _unsettled(each)
    top = each.order[0]
    tested = each.corrected.tested[top]
    if int(tested.sum()) < len(each.runs) - 1:
        return
    rest = [each.runs[at] for at in each.order if tested[at] and not each.better[top, at]]
    yield BEST(
        "" if rest else "all_others",
        measure=each.measure,
        run=each.runs[top],
        better=int(each.better[top].sum()),
        runs=len(each.runs) - 1,
        rest=rest,
        some=int(each.better[top].sum()) if rest else None,
        every=None if rest else len(each.runs) - 1,
    )


def _unsettled(each: MeasureComparison) -> Iterator[Note]:
    """How many verdicts depend on what."""
    if each.checks is None:
        return
    open_ = [dict.fromkeys(check.convention for check in some if not check.settles) for some in each.checks.values()]
    by = Counter(convention for one in open_ for convention in one)
    some = sum(map(bool, open_))
    reasons = [{"what": _WHAT.get(convention, convention), "verdicts": count} for convention, count in by.most_common()]
    yield UNSETTLED(
        "" if some else "all_settled",
        measure=each.measure,
        unsettled=some,
        pairs=len(open_),
        reasons=reasons or None,
        # What unjudged documents could do at most is seldom what they do, and there is a question about that.
        see="unjudged" if by.get("unjudged") else None,
        **by,
    )


def _power(each: MeasureComparison) -> Iterator[Note]:
    """What the topics can show, and which differences are probably overestimated."""
    varied = each.detectable[each.detectable > 0]
    if not len(varied):
        return
    corrects = each.strict < each.settings.alpha
    widest = each.by.range[1] - each.by.range[0]
    least, most = float(varied.min()), min(float(varied.max()), widest)
    digits = decimals(most / 2)
    ends = [WrittenNumber(end, rounded(end, digits)) for end in (least, most)]
    facts = {
        "measure": each.measure,
        "topics": len(each.topics),
        "groups": each.num_groups,
        "least": ends[0],
        "most": ends[1],
        "alpha": _level(each.settings.alpha),
        "pairs": len(each.asked) if corrects else None,
        "measures": 1 + len(each.beside) if corrects and each.beside else None,
    }
    if least > widest:
        yield POWER("too_few", **facts, missed=None)
        return
    yield POWER("" if ends[0].text != ends[1].text else "alike", **facts, missed=ends[1])
    yield from _exaggerated(each)


def _exaggerated(each: MeasureComparison) -> Iterator[Note]:
    """Differences that were found where so small ones mostly are not: those found are the ones that came out large."""
    sizes, verdicts = np.abs(each.of_pairs(each.effects.difference)), np.array(each.verdicts)
    shown = np.flatnonzero(np.isin(verdicts, (BETTER, WORSE)) & (sizes > 0))
    weak = shown[sizes[shown] < each.detectable[shown]]
    # How far a difference over runs is exaggerated depends on how few of them there are, too; and tests of ranks and
    # signs find what is no difference of means.
    if not len(weak) or each.sample.replicates is not None or not each.settings.about_means:
        return
    smallest = weak[np.argmin(sizes[weak] / each.detectable[weak])]
    deviation = each.of_pairs(each.effects.deviation)[smallest].item()
    half = sizes[smallest].item() / 2
    note = EXAGGERATED(
        measure=each.measure,
        topics=len(each.topics),
        groups=each.num_groups,
        pairs=len(weak),
        significant=len(shown),
        half=WrittenNumber(half, rounded(half, pair_digits(each, each.pairs[int(smallest)]))),
        power=float(power_of(each.sample.drawn, half, deviation, alpha=each.strict)),
        times=exaggeration(each.sample.drawn, half, deviation, alpha=each.strict),
    )
    if len(each.asked) == 1:
        size = f"this difference is smaller than {each.counted} reliably detect"
        note = note.in_brief(f"{each.measure}: {size}; its size is probably overestimated")
    yield note


def gate_sentence(outcome: GateOutcome) -> str:
    """How a gate came out, by which difference, and what that rests on.

    'PASSED: "new" is no worse than "base" by 0.020: +0.004 nDCG@10 (95% CI -0.011 to +0.019, unseen topics allowed
    for); holds if no topic loses more than 0.34.'
    """
    found = f"{rounded(outcome.difference, outcome.digits, sign=True)} {outcome.measure}"
    if not outcome.num_changed and outcome.topics > 1:
        found = f"no topic differs by {outcome.measure}"
    form, result, sized = outcome.asked.form, outcome.outcome, bool(outcome.margin)
    claim = _CLAIMS.get((form, result, sized)) or _UNDECIDED[form, sized]
    if math.isnan(outcome.low):
        claim = (claim if result == PASSED else '"{run}" against "{baseline}": {found}') + _TOO_FEW
    said = claim.format(
        run=outcome.run,
        baseline=outcome.baseline,
        by=_margin_text(outcome),
        found=f"{found}{_gate_interval(outcome)}",
        test=outcome.test,
        topics=counted(outcome.topics, "topic"),
        groups="" if outcome.num_groups is None else f" in {counted(outcome.num_groups, 'group')}",
    )
    return f"{'; '.join((f'{result}: {said}', *_further(outcome)))}."


_CLAIMS = {
    (NO_WORSE, PASSED, True): '"{run}" is no worse than "{baseline}" by {by}: {found}',
    (NO_WORSE, FAILED, True): '"{run}" loses more than {by} against "{baseline}": {found}',
    (BETTER, PASSED, False): '"{run}" is better than "{baseline}": {found}',
    (BETTER, PASSED, True): '"{run}" is better than "{baseline}" by {by}: {found}',
    (BETTER, FAILED, False): '"{run}" is worse than "{baseline}": {found}',
    (BETTER, FAILED, True): '"{run}" is not better than "{baseline}" by {by}: {found}',
    (EQUIVALENT, PASSED, True): '"{run}" is equivalent to "{baseline}" within {by}: {found}',
    (EQUIVALENT, FAILED, True): '"{run}" differs from "{baseline}" by more than {by}: {found}',
    (NOT_SIGNIFICANTLY_WORSE, PASSED, False): '"{run}" is not significantly worse than "{baseline}": {found}',
    (NOT_SIGNIFICANTLY_WORSE, FAILED, False): '"{run}" is worse than "{baseline}": {found}',
}
"""What is said, by form, outcome, and whether there is a margin."""
_UNDECIDED = {
    (NO_WORSE, True): '"{run}" against "{baseline}": {found} leaves room for a loss of {by}',
    (BETTER, False): '"{run}" against "{baseline}": {found} does not show a gain',
    (BETTER, True): '"{run}" against "{baseline}": {found} leaves room for a gain of less than {by}',
    (EQUIVALENT, True): '"{run}" against "{baseline}": {found} leaves room for a difference of {by}',
    (NOT_SIGNIFICANTLY_WORSE, False): '"{run}" against "{baseline}": {found}; the mean does not show the loss that '
    "the {test} shows",
}
_TOO_FEW = "; {topics}{groups} cannot show anything at this level"


def _gate_interval(outcome: GateOutcome) -> str:
    """The interval that decided, how it was found, and at which level; why there is none."""
    if math.isnan(outcome.low):
        return ""
    low, high = outcome.ends
    parts = [f"{100 * (1 - outcome.alpha):.12g}% CI {low} to {high}", outcome.interval]
    if outcome.looks > 1:
        parts.append(f"{probability(outcome.asked.alpha)} over {outcome.looks} looks")
    if outcome.guarded:
        parts.append("unseen topics allowed for")
    return f" ({', '.join(filter(None, parts))})"


def end_digits(low: float, high: float, edges: Iterable[float]) -> int:
    """Decimals of the ends of an interval: down to a tenth of its error, and more where an end would look like an edge.

    >>> end_digits(-0.052, 0.019, [0.02]), end_digits(-0.01996, 0.019, [-0.02])
    (3, 5)
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return decimals(math.nan)
    digits, borders = decimals((high - low) / 4), list(edges)

    def stays(end: float) -> bool:
        text = float(f"{end:.{digits}f}")
        return all((above(text, edge), above(edge, text)) == (above(end, edge), above(edge, end)) for edge in borders)

    while digits < APART and not (stays(low) and stays(high)):
        digits += 1
    return digits


def _margin_text(outcome: GateOutcome) -> str:
    """The margin as text: ``0.0070``, with as many digits as the interval has, or ``1% (0.0070)`` if it is a share."""
    gate, digits = outcome.asked, outcome.digits
    size = f"{outcome.margin:.{digits}f}" if outcome.margin < LARGE else f"{outcome.margin:g}"
    if gate.relative:
        return f"{100 * gate.difference:.6g}% ({size})"
    return size if float(size) == gate.difference else f"{gate.difference:.6g}"


def _further(outcome: GateOutcome) -> Iterator[str]:
    """What a claim rests on; of a gate that is not passed, what would be, and with how many topics."""
    digits = outcome.digits
    if outcome.passed:
        if outcome.missed is not None and outcome.missed < outcome.width:
            yield f"true losses below {rounded(outcome.missed, digits)} are missed more than 20% of the time"
        safe = outcome.safe_loss
        if safe is not None and safe < outcome.width:
            what = "topic" if outcome.num_groups is None else "group"
            does = "changes by" if outcome.asked.form == EQUIVALENT else "loses"
            yield f"holds if no {what} {does} more than {safe:.2g}"
        return
    if outcome.would_pass:
        rules = " and ".join(f'"{rule}"' for rule in outcome.would_pass)
        yield f"{rules} would pass"
    if outcome.outcome == UNDECIDED and outcome.needed_topics is not None and outcome.needed_topics > outcome.topics:
        yield f"with about {outcome.needed_topics:,} topics, an equally good run would pass 80% of the time"


def lost_topics(outcomes: Sequence[GateOutcome]) -> Iterator[Note]:
    """How many topics got worse where gates are not passed, and those that lost most."""
    lost = {(one.measure, one.baseline, one.run): one for one in outcomes if not one.passed and one.worse}
    for one in lost.values():
        yield LOST(
            "several" if len(outcomes) > 1 else "",
            measure=one.measure,
            run=one.run,
            baseline=one.baseline,
            worse=one.num_worse,
            topics=one.topics,
            most=[f"{each.topic} ({each.difference:+.2f})" for each in one.worse[:WORST]],
        ).weighed(sure=True, command=f"truerank diff QRELS {one.baseline} {one.run}")
