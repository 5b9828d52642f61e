"""The verdict: one sentence that answers which run is better."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from truerank.data.printing import counted
from truerank.measures.core.typed import as_typed
from truerank.questions.common_topics import MissingTopics
from truerank.questions.compare.answer import (
    BETTER,
    FAILED,
    OPEN,
    PASSED,
    SAME,
    UNDECIDED,
    WORSE,
    Comparison,
    MeasureComparison,
    PairRow,
)
from truerank.questions.compare.words import interval_facts, margin_facts, pair_digits, percent_of
from truerank.report.digits import rounded

NAMED = 3
"""Runs, and measures, that a sentence names; of more, how many others there are."""


def verdict(answer: Comparison) -> str:
    """Which run is better, by all measures; the measure typed first comes first, whatever it says."""
    every = [*answer.values()]
    if answer.lacking is not None:
        return _with_missing(answer.lacking, every, answer.on_common)
    if len(every) == 1:
        return measure_verdict(answer, every[0])
    if len(every[0].asked) == 1:
        return _pair_by_measures(every)
    if len(answer.baselines) == 1:
        return _against_by_measures(answer, every)
    if answer.baselines:
        return _against_several(answer, every)
    return _leads_by_measures(answer, every)


def measure_verdict(answer: Comparison, each: MeasureComparison) -> str:
    """Which run is better by a measure."""
    if len(each.asked) == 1:
        return of_pair(each, each.pairs[0])
    if len(answer.baselines) == 1:
        return _against(answer, each)
    if answer.baselines:
        return _against_several(answer, [each])
    return _leads(answer, each)


def gate_verdict(answer: Comparison) -> str:
    """How the gates came out; of several, the first of those that decide."""
    if not answer.gates or answer.outcome is None:
        return ""
    first = next(one for one in answer.gates if one.outcome == answer.outcome)
    if len(answer.gates) == 1:
        if answer.lacking is None:
            return first.sentence
        again = next(each for each in answer.on_common if each.measure == first.measure)
        return f"{first.sentence} {answer.lacking.sentence}. {_on_common(answer.lacking, [again])}"
    count, every = Counter(one.outcome for one in answer.gates), len(answer.gates)
    if answer.outcome == PASSED:
        return f"{PASSED}: all {every} gates."
    parts = [f"{count[FAILED]} of {every} gates failed"] if count[FAILED] else []
    if count[UNDECIDED]:
        undecided = f"{count[UNDECIDED]}{'' if parts else f' of {every} gates'}"
        parts.append(f"{undecided} {'is' if count[UNDECIDED] == 1 else 'are'} undecided")
    return f"{answer.outcome}: {' and '.join(parts)}. {first.sentence.removeprefix(f'{first.outcome}: ')}"


def _with_missing(
    lacking: MissingTopics, every: Sequence[MeasureComparison], again: Sequence[MeasureComparison]
) -> str:
    """Two runs of which one has no results for some topics: what is missing, the verdict, and that without it."""
    said = _pair_by_measures(every) if len(every) > 1 else of_pair(every[0], every[0].pairs[0])
    if len(every) > 1 and _pair_by_measures(again) == said:
        same = "the verdicts are the same"
        return f"{lacking.sentence}, which count as empty lists. {said} {lacking.where}, {same}."
    pair, then = every[0].pairs[0], again[0].pairs[0]
    better = pair.compared_with if pair.verdict == WORSE else pair.run
    alone = pair.verdict in (BETTER, WORSE) and then.verdict in (OPEN, SAME) and not lacking.missing[better]
    if len(every) == 1 and alone:
        size = rounded(-every[0].sign * abs(pair.difference), pair_digits(every[0], pair), sign=True)
        first = f'{lacking.sentence}; that alone makes it worse than "{better}" ({size} {pair.measure}).'
        return f"{first} {_on_common(lacking, again)}"
    return f"{lacking.sentence}, which count as empty lists. {said} {_on_common(lacking, again)}"


def _on_common(lacking: MissingTopics, again: Sequence[MeasureComparison]) -> str:
    """The verdict on the topics that both runs have results for."""
    if len(again) > 1:
        return f"{lacking.where}: {_pair_by_measures(again)}"
    each, pair = again[0], again[0].pairs[0]
    if pair.verdict == SAME:
        return f"{lacking.where}, their scores are identical."
    ends, digits = _interval(each, pair), pair_digits(each, pair)
    if pair.verdict == OPEN:
        size = rounded(abs(pair.difference), digits)
        lower = f': "{pair.run}" is {size} {"lower" if pair.difference < 0 else "higher"}' if float(size) else ""
        return f"{lacking.where}, there is no significant difference{lower}{ends}."
    size = rounded(pair.difference, digits, sign=True)
    return f'{lacking.where}, "{pair.run}" is {pair.verdict}: {size} {pair.measure}{ends}.'


def quoted(runs: Sequence[str]) -> str:
    """Runs by name, at most three of them.

    >>> quoted(["a"]), quoted(["a", "b"]), quoted(["a", "b", "c", "d", "e"])
    ('"a"', '"a" and "b"', '"a", "b", "c" and 2 others')
    """
    return _joined([f'"{run}"' for run in runs], "other")


def _joined(names: Sequence[str], others: str) -> str:
    few = [*map(as_typed, names[:NAMED]), *([counted(len(names) - NAMED, others)] if len(names) > NAMED else [])]
    return " and ".join(filter(None, (", ".join(few[:-1]), few[-1])))


def _by(measures: Sequence[str], of: int) -> str:
    """By which of so many measures.

    >>> _by(["AP"], 2), _by(["AP", "RR"], 2), _by(["AP", "RR", "P@5"], 3), _by(["AP", "RR"], 3)
    ('by AP', 'by both measures', 'by all 3 measures', 'by AP and RR')
    """
    if len(measures) == of > 1:
        return "by both measures" if of == 2 else f"by all {of} measures"
    return f"by {_joined(measures, 'other')}"


def of_pair(each: MeasureComparison, pair: PairRow) -> str:
    """A run compared with another by one measure.

    '"new" is better than "base": +0.042 nDCG@10 (95% CI +0.018 to +0.066).'
    """
    if pair.verdict == SAME:
        topics = "the only topic" if len(each.topics) == 1 else f"all {counted(len(each.topics), 'topic')}"
        return f'"{pair.compared_with}" and "{pair.run}" have the same {pair.measure} on {topics}.'
    digits = pair_digits(each, pair)
    ends, size = _interval(each, pair), rounded(abs(pair.difference), digits)
    lower = "lower" if pair.difference < 0 else "higher"
    margin = _margin(each, pair)
    if pair.verdict == OPEN:
        found = f'"{pair.run}" is {size} {lower}' if float(size) else rounded(pair.difference, digits, sign=True)
        return f"No significant difference in {pair.measure}: {found}{ends}.{margin}"
    both = f'"{pair.run}" is {pair.verdict} than "{pair.compared_with}"'
    if pair.against_mean:
        return f"{both} by the {each.settings.title}, although its mean {pair.measure} is {size} {lower}{ends}.{margin}"
    less = ", where lower is better" if each.sign < 0 else ""
    return f"{both}: {rounded(pair.difference, digits, sign=True)} {pair.measure}{less}{ends}.{margin}"


def _interval(each: MeasureComparison, pair: PairRow) -> str:
    if math.isnan(pair.low):
        return ""
    facts = interval_facts(each, pair)
    by = f" by {facts['interval_by']}" if facts["interval_by"] else ""
    alone = " of this pair alone" if facts["interval_of"] else ""
    return f" ({100 * facts['confidence']:.4g}% CI{by}{alone} {facts['low'].text} to {facts['high'].text})"


def _margin(each: MeasureComparison, pair: PairRow) -> str:
    """What is shown of a margin, where one was given."""
    facts = margin_facts(each, pair)
    if facts["equivalent"] is not None:
        said = f"Both are equivalent within {facts['equivalent']:g}"
    elif facts["no_worse"] is not None:
        said = f'"{pair.run}" is no worse by {facts["no_worse"]:g}'
    elif facts["not_no_worse"] is not None:
        said = f'"{pair.run}" may be worse by {facts["not_no_worse"]:g} or more'
    else:
        return ""
    ends = (facts["guarded_low"], facts["guarded_high"])
    if None in ends:
        return f" {said}."
    return f" {said} ({ends[0].text} to {ends[1].text} with unseen topics allowed for)."


def _pair_by_measures(every: Sequence[MeasureComparison]) -> str:
    """A pair by several measures: those that say the same join."""
    pairs = {each.measure: each.pairs[0] for each in every}
    first = next(iter(pairs.values()))
    a, b = first.compared_with, first.run
    by = _grouped((pair.verdict, measure) for measure, pair in pairs.items())
    names = {what: _by(measures, len(pairs)) for what, measures in by.items()}
    if BETTER in by and WORSE in by:
        rest = "".join(
            f"; {said} {names[what]}"
            for what, said in ((OPEN, "no significant difference"), (SAME, "equal"))
            if what in by
        )
        ways = [what for what in by if what in (BETTER, WORSE)]
        return (
            f'Measures contradict each other: "{b}" is {ways[0]} than "{a}" {names[ways[0]]}, and {ways[1]} '
            f"{names[ways[1]]}{rest}."
        )
    parts: list[str] = []
    for what in by:
        than = "" if any(f'than "{a}"' in part for part in parts) else f' than "{a}"'
        if what in (BETTER, WORSE):
            parts.append(f'"{b}" is {what}{than} {names[what]}')
        elif what == OPEN:
            between = f' between "{a}" and "{b}"' if len(by) == 1 else ""
            parts.append(f"no significant difference{between} {names[what]}")
        else:
            parts.append(f'"{a}" and "{b}" have the same scores {names[what]}')
    return _sentence(parts)


def _grouped(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def _sentence(parts: Sequence[str]) -> str:
    text = "; ".join(parts)
    return f"{text[:1].upper()}{text[1:]}."


def _against_baseline(answer: Comparison, each: MeasureComparison) -> dict[str, str]:
    """The verdict on each other run, the best first."""
    [baseline] = answer.baselines
    base = each.runs.index(baseline)
    return {each.runs[at]: each.of(at, base).verdict for at in each.order if at != base}


def _against(answer: Comparison, each: MeasureComparison) -> str:
    """Runs compared with a baseline by one measure."""
    [baseline] = answer.baselines
    found = _grouped((what, run) for run, what in _against_baseline(answer, each).items())
    if BETTER not in found and WORSE not in found:
        return f'No run differs significantly from "{baseline}" by {each.measure}.'
    parts: list[str] = []
    for what in (BETTER, WORSE):
        if what in found:
            than = "" if parts else f' than "{baseline}" by {each.measure}'
            parts.append(f"{quoted(found[what])} {_are(len(found[what]))} {what}{than}")
    if rest := [*found.get(OPEN, []), *found.get(SAME, [])]:
        parts.append(f"{quoted(rest)} {'does' if len(rest) == 1 else 'do'} not differ significantly")
    return _sentence(parts)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _against_by_measures(answer: Comparison, every: Sequence[MeasureComparison]) -> str:
    """Runs compared with a baseline by several measures: a clause for each run, or of many for each measure."""
    [baseline] = answer.baselines
    found = {each.measure: _against_baseline(answer, each) for each in every}
    runs = [*next(iter(found.values()))]
    parts: list[str] = []
    if len(runs) > NAMED:
        for measure, verdicts in found.items():
            count = Counter(verdicts.values())
            better, worse = count[BETTER], count[WORSE]
            if parts:
                parts.append(f"by {measure}, {better:,} {_are(better)} better and {worse:,} worse")
            else:
                first = f'{better:,} {_are(better)} better than "{baseline}" by {measure} and {worse:,} worse'
                parts.append(f"of {len(runs):,} runs, {first}")
        return _sentence(parts)
    equal = []
    for run in runs:
        by = _grouped((verdicts[run], measure) for measure, verdicts in found.items())
        ways = [what for what in by if what in (BETTER, WORSE)]
        if not ways:
            equal.append(run)
            continue
        clauses: list[str] = []
        for what in ways:
            than = f' than "{baseline}"' if not parts and not clauses else ""
            only = " only" if len(by[what]) == 1 and len(ways) == 1 else ""
            clauses.append(f"{what}{than} {_by(by[what], len(every))}{only}")
        parts.append(f'"{run}" is {" and ".join(clauses)}')
    if not parts:
        return f'No run differs significantly from "{baseline}" {_by([*found], len(found))}.'
    if equal:
        parts.append(f"{quoted(equal)} {'does' if len(equal) == 1 else 'do'} not differ significantly")
    return _sentence(parts)


def _against_several(answer: Comparison, every: Sequence[MeasureComparison]) -> str:
    """Runs compared with several baselines: how many pairs differ."""
    parts: list[str] = []
    for each in every:
        count = sum(what in (BETTER, WORSE) for what in each.verdicts)
        pairs = f"{count:,} of {counted(len(each.asked), 'pair')}"
        what = f" with the {len(answer.baselines)} baselines differ significantly" if not parts else ""
        parts.append(f"{pairs}{what} by {each.measure}")
    return _sentence(parts)


def _best(each: MeasureComparison) -> tuple[list[str], list[str]]:
    """The runs that lead, which have equal means, and all that could be the best, the best mean first."""
    top = each.levels.max()
    leaders = [each.runs[at] for at in each.order if each.levels[at] == top]
    if each.ranks is None:
        return leaders, []
    return leaders, [each.runs[at] for at in each.order if each.ranks[0][at] == 1]


def _leads(answer: Comparison, each: MeasureComparison) -> str:
    """Who leads by a measure, and which runs could be the best."""
    leaders, could = _best(each)
    runs = len(each.runs)
    if len(leaders) == runs:
        return f"All {runs} runs have the same mean {each.measure}."
    lead = f"{quoted(leaders)} {'leads' if len(leaders) == 1 else 'lead'} by {each.measure}"
    if each.ranks is None:
        count = sum(what in (BETTER, WORSE) for what in each.verdicts)
        return (
            f"{lead}; {count:,} of {len(each.asked):,} pairs differ significantly ({each.settings.correction_title})."
        )
    sure = f"({percent_of(answer)})"
    if len(could) == 1:
        return f'"{could[0]}" is the best of these {runs} runs by {each.measure} {sure}.'
    if len(could) == runs:
        return f"{lead}, but each of these {runs} runs could be the best {sure}."
    if len(leaders) > 1:
        others = could[len(leaders) :]
        among = f"among them and {quoted(others)}" if others else "one of them"
        return f"{lead} with equal means; the best run is {among} {sure}."
    return f"{lead}; the best run is among {_joined(['it', *(_quote(could[1:]))], 'other')} {sure}."


def _quote(runs: Sequence[str]) -> Iterator[str]:
    yield from (f'"{run}"' for run in runs)


def _leads_by_measures(answer: Comparison, every: Sequence[MeasureComparison]) -> str:
    """Who leads by which measures, and how many runs could be the best."""
    found = {each.measure: _best(each) for each in every}
    ranked = answer.settings.at_once
    sure = [measure for measure, (_, could) in found.items() if len(could) == 1]
    by = _grouped(
        (f"{quoted(leaders)}\t{_verb(leaders, best=measure in sure)}", measure)
        for measure, (leaders, _) in found.items()
    )
    parts: list[str] = []
    before = ("", "")
    for key, measures in by.items():
        who, verb = key.split("\t")
        joint = "" if not parts else " and " if who == before[0] else ", "
        name = [] if who == before[0] else [who]
        does = [] if verb == before[1] else [verb]
        parts.append(joint + " ".join([*name, *does, _by(measures, len(found))]))
        before = (who, verb)
    said = "".join(parts)
    open_ = {measure: len(could) for measure, (_, could) in found.items() if measure not in sure}
    if ranked and open_:
        said += f"; {_could(open_, len(found))}"
    confidence = f" ({percent_of(answer)})" if ranked else ""
    return f"{'Measures contradict each other: ' if _contradict(every) else ''}{said}{confidence}."


def _verb(leaders: Sequence[str], *, best: bool) -> str:
    if best:
        return "is the best"
    return "leads" if len(leaders) == 1 else "lead"


def _could(sizes: Mapping[str, int], of: int) -> str:
    """How many runs could be the best by which measures.

    >>> _could({"AP": 3, "RR": 5, "P@5": 3}, 3)
    '3 runs could be the best by AP and P@5, 5 by RR'
    """
    parts: list[str] = []
    for size, measures in _grouped((str(size), measure) for measure, size in sizes.items()).items():
        what = f"{counted(int(size), 'run')} could be the best" if not parts else size
        parts.append(f"{what} {_by(measures, of)}")
    return ", ".join(parts)


def _contradict(every: Sequence[MeasureComparison]) -> bool:
    """Whether the leader by one measure is better than that by another, and by the other one worse."""
    tops = [(each, each.order[0]) for each in every]
    return any(
        each.decided[top, other_top] and other.decided[other_top, top]
        for each, top in tops
        for other, other_top in tops
    )
