"""Stopping rules, laid out: scores, fitted parameters, lists, and what it comes to in words."""

from __future__ import annotations

from collections import Counter
from typing import Any

from truerank.analysis.stopping.base import Rule
from truerank.analysis.stopping.results import Stopping
from truerank.analysis.stopping.verdict import helping
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.table import Cell, Column, Table

FEW = 4
"""Runs up to which each has its verdict; more of them are counted."""
_WORDS = ("measure", "run", "rule", "topic", "fitted")
_SHOWN = ("measure", "run", "rule", "mean", "share", "mean_length", "p_whole", "p_fixed")
"""What a person reads of a rule."""
_MEANING = {
    "rules": "each list cut by a rule fitted to other folds; share of the improvement that the best cuts (oracle) "
    "would be; p by a {test} test against whole lists, and against a fixed length, corrected for the number of rules "
    "(Holm)",
    "fitted": "what each rule does once it is fitted to all topics",
    "topics": "each list cut by a rule fitted to other folds: how many documents are left, and their score",
}
NEGATED = "low scores are best, so that the rule is about negated scores"
_SHORT = {"mean_length": "length", "p_whole": "p"}


def stop_table(found: Stopping, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a rule, what it was fitted to, or a list; ``whole`` has all there is, for programs."""
    records = found.to_records(show)
    if show in (None, "rules") and not whole:
        records = [{name: record[name] for name in _SHOWN} for record in records]
    if not whole:
        alone = len(found) == 1
        records = [
            {
                _SHORT.get(name, name): _brief(name, value)
                for name, value in record.items()
                if name != "run" or not alone
            }
            for record in records
        ]
    return Table.of_records(
        records,
        _WORDS,
        broken=["fitted"],
        caption=_caption(found, show or "rules"),
        notes=(*said(found), *found.notices),
        document=found.to_dict,
    )


def said(found: Stopping) -> list[str]:
    """What it comes to, in words: for each run where they are few, otherwise how many."""
    if len(found) <= FEW:
        return [f"{one['measure']}, {one['run']}: {one['verdict']}" for one in found.verdicts()]
    return [_counted(found, measure) for measure in found.measures]


def rule_table(rule: Rule) -> Table:
    """A fitted rule: what it does, what it was fitted to, and how it did there."""
    row: dict[str, Cell] = {"rule": rule.name}
    if rule.fitted is not None:
        known = rule.fitted
        row |= {"measure": known.measure, "run": known.run, "topics": known.topics}
        row |= {"whole": known.whole, "mean": known.mean, "oracle": known.oracle}
    return Table(
        columns=tuple(Column(name, number=not isinstance(cell, str), whole=True) for name, cell in row.items()),
        rows=(tuple(row.values()),),
        caption="scores of the lists as they are, as the rule cuts them, and cut where they score best",
        notes=(
            f"it {rule.said()}",
            *([NEGATED] if rule.fitted is not None and rule.fitted.higher_is_better is False else []),
            "these are the topics that it was fitted to; what to expect of others, truerank stop compare tells",
        ),
        document=rule.to_dict,
    )


def direction(rule: Rule, *, low: bool) -> list[str]:
    """What to say where low scores of a run are best and those that a rule was fitted to were not, or conversely."""
    if rule.fitted is None or rule.fitted.higher_is_better in (None, not low):
        return []
    were, option = ("high", "--higher-is-better") if low else ("low", "--lower-is-better")
    return [f"the rule was fitted to a run whose {were} scores are best ({option}), and this one is read the other way"]


def _counted(found: Stopping, measure: str) -> str:
    """How often rules help, over many runs."""
    every = [run[measure] for run in found.values()]
    first = [helps[0] for one in every if (helps := helping(one))]
    harm = Counter(rule for one in every for rule in one if one.effect(rule) < 0)
    beyond = sum(any(one.beats_fixed(rule) for rule in helping(one)) for one in every)
    text = f"{measure}: in {len(first)} of {len(every)} runs a rule is better than not truncating"
    if first:
        text += f", most often {', '.join(f'{rule} ({count})' for rule, count in Counter(first).most_common(3))}"
        text += f"; in {beyond} one that looks at scores is better than a fixed length"
    if harm:
        text += f"; worse than not truncating: {', '.join(f'{rule} in {count}' for rule, count in harm.most_common())}"
    return text


def _brief(name: str, value: Any) -> Cell:
    """Lengths with one decimal; four would say more than there is to a mean of whole numbers."""
    return f"{value:.1f}" if name == "mean_length" else value


def _caption(found: Stopping, show: str) -> str:
    topics = f"{counted(len(found.topics), 'topic')} in {counted(found.folds, 'fold')} (seed {found.plan.seed})"
    return caption(
        next(iter(found)) if len(found) == 1 else counted(len(found), "run"),
        counted(len(found.topics), "topic") if show == "fitted" else topics,
        conventions=found.conventions.unusual(),
        meaning=_MEANING[show].format(test=found.plan.test),
    )
