"""What a comparison of stopping rules comes to, and what is said of a rule, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from truerank.data.notes import Code, Note
from truerank.questions.stop.answer import ALPHA, RuleComparison, Stopping
from truerank.questions.stop.rule import Rule
from truerank.report.table import DIGITS
from truerank.statistics.level import EQUAL

FEW = 4
"""Runs up to which each has its verdict; more of them are counted."""

VERDICT = Code("TR461", "whether rules help on a run, and which does most")
HELPING = Code("TR462", "on how many runs rules help, and which do most")
FOLDS = Code(
    "TR463",
    "fewer topics than folds",
    "there are {topics} topics, so that there are as many folds, not {folds}",
)
READY = Code(
    "TR464",
    "rules that were not fitted here",
    "{rules}: used as it is, which is too good to be true on topics that it was fitted to",
)
UNLIKE = Code("TR465", "conventions of a tool that are no choice here")
RULE = Code("TR466", "what a rule does")
NEGATED = Code(
    "TR467",
    "a rule about negated scores",
    "low scores are best, so that the rule is about negated scores",
)
SEEN = Code(
    "TR468",
    "scores on the topics that a rule was fitted to",
    "these are the topics that it was fitted to; what to expect of others, truerank stop compare tells",
)
OTHER_WAY = Code("TR469", "a run that is read the other way than the one that a rule was fitted to")
SILENCED = Code("TR470", "topics that nothing is left of")


def verdict(found: RuleComparison, alpha: float = ALPHA) -> str:
    """Whether the rules help, which does most, and whether looking at scores is worth it."""
    whole, oracle = f"{found.mean_whole:.{DIGITS}f}", f"{found.mean_oracle:.{DIGITS}f}"
    if found.room <= EQUAL:
        return f"no list gains by being cut, {whole} as it is: there is nothing for a rule to learn"
    helps = found.helping(alpha)
    top = found[(helps or found.ranking)[0]]
    mean, p = f"{top.mean:.{DIGITS}f}", shown_p(top.p_whole)
    if helps:
        text = (
            f"{top.name} does most, from {whole} as it is to {mean}, where the best cuts have {oracle}: "
            f"{top.share:.0%} of the possible improvement ({p}){_beyond_fixed(found, helps, alpha)}"
        )
        if top.p_oracle is not None and top.p_oracle >= alpha:
            text += f"; what is left to the best cuts may be chance ({shown_p(top.p_oracle)})"
    else:
        text = (
            f"no rule is better than not truncating by more than chance: {whole} as it is, {mean} with {top.name}, the "
            f"best of them ({p}), where the best cuts have {oracle}"
        )
    harms = [rule for rule in found.ranking if found.effect(rule, alpha) < 0]
    if harms:
        are = "is" if len(harms) == 1 else "are"
        text += f"; {', '.join(harms)}, fitted to other topics, {are} worse than not truncating"
    return text


def _beyond_fixed(found: RuleComparison, helps: Sequence[str], alpha: float) -> str:
    """Whether a rule that looks at scores is better than one that does not."""
    if all(one.p_fixed is None for one in found.values()):
        return ""
    better = [f"{rule} ({shown_p(found[rule].p_fixed)})" for rule in helps if found.beats_fixed(rule, alpha)]
    if better:
        return f"; better than a fixed length: {', '.join(better)}"
    return "; none that looks at scores is better than a fixed length by more than chance"


def shown_p(p: float | None) -> str:
    """A p-value in words.

    >>> shown_p(0.0001), shown_p(0.25)
    ('p < 0.001', 'p = 0.250')
    """
    if p is None:
        return ""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def verdicts(found: Stopping) -> Iterator[Note]:
    """What it comes to: for each run where they are few, otherwise how many."""
    if len(found) > FEW:
        yield from (_helping(found, measure) for measure in found.measures)
        return
    for measure, run, one in found.comparisons():
        text = f"{measure}, {run}: {verdict(one)}"
        yield VERDICT(text, measure=measure, run=run, helping=one.helping())


def _helping(found: Stopping, measure: str) -> Note:
    """How often rules help, over many runs."""
    every = [run[measure] for run in found.values()]
    first = [helps[0] for one in every if (helps := one.helping())]
    harm = Counter(rule for one in every for rule in one if one.effect(rule) < 0)
    beyond = sum(any(one.beats_fixed(rule) for rule in one.helping()) for one in every)
    text = f"{measure}: in {len(first)} of {len(every)} runs a rule is better than not truncating"
    if first:
        text += f", most often {', '.join(f'{rule} ({count})' for rule, count in Counter(first).most_common(3))}"
        text += f"; in {beyond} one that looks at scores is better than a fixed length"
    if harm:
        text += f"; worse than not truncating: {', '.join(f'{rule} in {count}' for rule, count in harm.most_common())}"
    return HELPING(text, measure=measure, runs=len(every), helped=len(first), beyond_fixed=beyond)


def unlike(tool: str | None, overruled: Mapping[str, Any]) -> Iterator[Note]:
    """Conventions of a tool that are others here."""
    if overruled:
        said = " and ".join(f"{axis} is {value}" for axis, value in overruled.items())
        yield UNLIKE(f"unlike in {tool}, {said} here: rules cut lists as they are", tool=tool, **overruled)


def fitted(rule: Rule) -> Iterator[Note]:
    """What a rule does, and what its scores are worth."""
    yield RULE(f"it {rule.said()}", rule=rule.name)
    if rule.fitted is not None and rule.fitted.higher_is_better is False:
        yield NEGATED()
    yield SEEN()


def applied(rule: Rule, *, kept: int, documents: int, low: bool) -> Iterator[Note]:
    """What a rule did to a run; ``low`` where low scores of the run are best."""
    text = f"the rule {rule.said()}: {kept:,} of {documents:,} documents are left"
    yield RULE(text, rule=rule.name, kept=kept, documents=documents)
    if low:
        yield NEGATED()
    if rule.fitted is not None and rule.fitted.higher_is_better not in (None, not low):
        were, option = ("high", "--higher-is-better") if low else ("low", "--lower-is-better")
        yield OTHER_WAY(
            f"the rule was fitted to a run whose {were} scores are best ({option}), and this one is read the other way"
        )


def silenced(topics: int, before: int, *, nil: bool) -> Iterator[Note]:
    """Topics that nothing is left of, of so many."""
    if topics:
        shown = "have a NIL" if nil else "are not in the file; --nil writes a NIL for them"
        yield SILENCED(f"{topics} of {before} topics have nothing left and {shown}", silent=topics, topics=before)
