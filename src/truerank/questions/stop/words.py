"""What a comparison of stopping rules comes to, and what is said of a rule, in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Code, Note
from truerank.questions.stop.answer import ALPHA, RuleComparison, Stopping

if TYPE_CHECKING:
    from truerank.questions.stop.rule import Rule

FEW = 4
"""Runs up to which each has its verdict; more of them are counted."""
_HARM = "[; {harming:names}, fitted to other topics, {harmful:is|are} worse than not truncating]"

VERDICT = Code(
    "TR461",
    "whether rules help on a run, and which does most",
    "{measure}, {run}: {rule} does most, from {whole:.4f} as it is to {mean:.4f}, where the best cuts have "
    "{oracle:.4f}: {share:.0%} of the possible improvement (p = {p:.2g})[; better than a fixed length: "
    "{beyond_fixed:names}][; none of {others:other rule} is better than a fixed length by more than chance][; what is "
    "left to the best cuts may be chance (p = {p_oracle:.2g})]" + _HARM,
    no_room="{measure}, {run}: no list gains by being cut, {whole:.4f} as it is: there is nothing for a rule to learn",
    none_helps="{measure}, {run}: no rule is better than not truncating by more than chance: {whole:.4f} as it is, "
    "{mean:.4f} with {rule}, the best of them (p = {p:.2g}), where the best cuts have {oracle:.4f}" + _HARM,
)
HELPING = Code(
    "TR462",
    "on how many runs rules help, and which do most",
    "{measure}: in {helped} of {runs:run} a rule is better than not truncating[, in {beyond_fixed} of these one that "
    "looks at scores is better than a fixed length; most often best: {best}][; in {harmed:run} a rule is worse than "
    "not truncating: {harming}]",
    each={"best": "{rule} ({runs})", "harming": "{rule} ({runs})"},
)
FOLDS = Code(
    "TR463",
    "fewer topics than folds",
    "there are {topics} topics, so that there are as many folds, not {folds}",
)
READY = Code(
    "TR464",
    "rules that were not fitted here",
    "{rules:names}: used as it is, which is too good to be true on topics that it was fitted to",
)
UNLIKE = Code(
    "TR465",
    "conventions of a tool that are no choice here",
    "rules cut lists as they are, unlike in {tool}: {conventions}",
    each={"conventions": "{axis} is {value}"},
)
RULE = Code(
    "TR466",
    "what a rule does",
    "it {does}",
    applied="the rule {does}: {kept:,} of {documents:document} are left",
)
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
OTHER_WAY = Code(
    "TR469",
    "a run that is read the other way than the one that a rule was fitted to",
    "the rule was fitted to a run whose low scores are best (--lower-is-better), and this one is read the other way",
    high="the rule was fitted to a run whose high scores are best (--higher-is-better), and this one is read the other "
    "way",
)
EMPTIED = Code(
    "TR470",
    "topics that nothing is left of",
    "{empty} of {topics:topic} {empty:has|have} nothing left and {empty:is|are} not in the file; --nil writes a NIL "
    "for {empty:it|them}",
    nil="{empty} of {topics:topic} {empty:has|have} nothing left and {empty:has|have} a NIL",
)


def verdict(comparison: RuleComparison, alpha: float = ALPHA) -> Note:
    """Whether the rules help, which does most, and whether looking at scores is worth it."""
    helps = comparison.helping(alpha)
    facts: dict[str, Any] = {
        "measure": comparison.measure,
        "run": comparison.run,
        "whole": comparison.mean_whole,
        "oracle": comparison.mean_oracle,
        "helping": helps,
    }
    if not comparison.has_room:
        return VERDICT("no_room", **facts)
    top = comparison[(helps or comparison.ranking)[0]]
    harming = [rule for rule in comparison.ranking if comparison.effect(rule, alpha) < 0]
    facts |= {
        "rule": top.name,
        "mean": top.mean,
        "share": top.share,
        "p": top.p_whole,
        "harming": harming or None,
        "harmful": len(harming),
    }
    if not helps:
        return VERDICT("none_helps", **facts)
    others = sum(outcome.p_fixed is not None for outcome in comparison.values())
    beyond = [rule for rule in helps if comparison.beats_fixed(rule, alpha)]
    return VERDICT(
        **facts,
        beyond_fixed=beyond or None,
        others=others if others and not beyond else None,
        p_oracle=top.p_oracle if top.p_oracle is not None and top.p_oracle >= alpha else None,
    )


def verdicts(answer: Stopping) -> Iterator[Note]:
    """What it comes to: for each run where they are few, otherwise how many."""
    if len(answer) > FEW:
        yield from (_helping(answer, measure) for measure in answer.measures)
    else:
        yield from (verdict(comparison) for _, _, comparison in answer.comparisons())


def _helping(answer: Stopping, measure: str) -> Note:
    """How often rules help, over many runs."""
    every = [run[measure] for run in answer.values()]
    best = Counter(helps[0] for one in every if (helps := one.helping()))
    harming = [[rule for rule in one if one.effect(rule) < 0] for one in every]
    times = Counter(rule for rules in harming for rule in rules)
    beyond = sum(any(one.beats_fixed(rule) for rule in one.helping()) for one in every)
    return HELPING(
        measure=measure,
        runs=len(every),
        helped=best.total(),
        beyond_fixed=beyond if best else None,
        best=[{"rule": rule, "runs": count} for rule, count in best.most_common(3)],
        harmed=sum(map(bool, harming)) or None,
        harming=[{"rule": rule, "runs": count} for rule, count in times.most_common()],
    )


def unlike(tool: str | None, overruled: Mapping[str, Any]) -> Iterator[Note]:
    """Conventions of a tool that are others here."""
    if overruled:
        conventions = [{"axis": axis, "value": value} for axis, value in overruled.items()]
        yield UNLIKE(tool=tool, conventions=conventions)


def fit_notes(rule: Rule) -> Iterator[Note]:
    """What a rule does, and what its scores are worth."""
    yield RULE(rule=rule.name, does=rule.said())
    if rule.fitted is not None and rule.fitted.higher_is_better is False:
        yield NEGATED()
    yield SEEN()


def apply_notes(rule: Rule, *, kept: int, documents: int, low: bool) -> Iterator[Note]:
    """What a rule did to a run; ``low`` where low scores of the run are best."""
    yield RULE("applied", rule=rule.name, does=rule.said(), kept=kept, documents=documents)
    if low:
        yield NEGATED()
    if rule.fitted is not None and rule.fitted.higher_is_better not in (None, not low):
        yield OTHER_WAY("high" if low else "")


def emptied(empty: int, topics: int, *, nil: bool) -> Iterator[Note]:
    """Topics that nothing is left of."""
    if empty:
        yield EMPTIED("nil" if nil else "", empty=empty, topics=topics)
