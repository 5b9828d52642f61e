"""A comparison in Markdown, for the page of a pull request."""

from __future__ import annotations

from html import escape

from truerank.data.printing import counted
from truerank.questions.compare.answer import TOPICS, Comparison, GateOutcome
from truerank.questions.compare.layout import leaderboard, pairs
from truerank.report import markdown
from truerank.report.table import Column, Table


def summary(found: Comparison, top: int | None = None) -> str:
    """A heading with the outcome, what was found in words, the runs, and the topics that got worse."""
    lines = [f"### {_heading(found)}", ""]
    if found.gates:
        lines += [*(f"- {markdown.escaped(outcome.sentence)}" for outcome in found.gates), ""]
    lines += [_table(pairs(found)), ""]
    lines += [_table(leaderboard(found)), "", f"({markdown.escaped(found.caption('systems'))})", ""]
    for outcome in _once(found.gates):
        lines += _worse(outcome, top or TOPICS)
    notes = (*found.lead("systems"), *found.says("systems"), *found.notices)
    lines += _folded("Details", [f"- {markdown.escaped(note)}" for note in notes])
    return "\n".join(lines).rstrip() + "\n"


def _heading(found: Comparison) -> str:
    measures = markdown.escaped(", ".join(found.measures))
    runs = markdown.escaped(" and ".join(found.runs) if len(found.runs) == 2 else counted(len(found.runs), "run"))
    outcome = {None: "comparison", True: "gate passed", False: "gate failed"}[found.passed]
    return f"{outcome.capitalize()}: {runs} by {measures}"


def _once(outcomes: tuple[GateOutcome, ...]) -> list[GateOutcome]:
    """One outcome for each pair and measure, however many gates there are."""
    return [*{(one.measure, one.baseline, one.run): one for one in outcomes}.values()]


def _worse(outcome: GateOutcome, top: int) -> list[str]:
    if not outcome.worse:
        return [f"No topic got worse by {markdown.escaped(outcome.measure)}.", ""]
    columns = (Column("topic"), *(Column(name, number=True) for name in (outcome.baseline, outcome.run, "difference")))
    rows = tuple((one.topic, one.compared_score, one.score, f"{one.difference:+.4f}") for one in outcome.worse[:top])
    more = [f"\n... and {len(outcome.worse) - top} more"] if len(outcome.worse) > top else []
    both = f"from {outcome.baseline} to {outcome.run}"
    title = f"{counted(len(outcome.worse), 'topic')} got worse {both} by {outcome.measure}"
    return _folded(title, [_table(Table(columns, rows)), *more])


def _table(table: Table) -> str:
    return markdown.render(Table(table.columns, table.rows))


def _folded(title: str, lines: list[str]) -> list[str]:
    """What is shown when asked for; the empty lines have what is inside read as Markdown."""
    head = f"<details><summary>{escape(title)}</summary>"
    return [head, "", *lines, "", "</details>", ""] if lines else []
