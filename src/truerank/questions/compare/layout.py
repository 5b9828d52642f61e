"""Systems compared, laid out for people: tables, and the page of a pull request in Markdown."""

from __future__ import annotations

import math

from truerank.data.printing import counted
from truerank.questions.compare.answer import PAIRS, TOPICS, Comparison, GateOutcome, MeasureComparison, PairRow
from truerank.questions.compare.words import how, interval, pair_digits, percent_of
from truerank.report import html, markdown
from truerank.report.digits import decimals, p_value, rounded
from truerank.report.letters import letters, listed
from truerank.report.table import Cell, Column, Rounded, Table


def leaderboard(found: Comparison, _: int | None = None) -> Table:
    """Systems by the first measure, with letters for those that each is significantly better than."""
    first, *others = found.values()
    place = {system: at for at, system in enumerate(first.order)}
    columns = [Column(""), Column("run")]
    for each in found.values():
        columns.append(Column(each.measure, best="high" if each.sign > 0 else "low"))
        if not others:
            columns.append(Column(f"{percent_of(found)} interval"))
            if each.ranks is not None:
                columns.append(Column("ranks", number=True))
    rows: list[tuple[Cell, ...]] = []
    for system in first.order:
        cells: list[Cell] = [letters(place[system]), found.runs[system]]
        for each in found.values():
            digits = decimals(each.std_errors.tolist())
            below = [place[other] for other in range(len(found.runs)) if each.better[system, other]]
            cells.append(Rounded(each.means.estimate[system].item(), digits, listed(below, len(found.runs))))
            if not others:
                cells.append(interval(each.means.low[system], each.means.high[system], digits))
                if each.ranks is not None:
                    cells.append("-".join(dict.fromkeys(str(end[system]) for end in each.ranks)))
        rows.append(tuple(cells))
    meaning = "letters after a score are those of the runs that it is significantly better than"
    if found.baselines:
        meaning += f", of those compared with {' or '.join(found.baselines)}"
    if not others and first.ranks is not None:
        meaning += f"; ranks are those that it can have, {percent_of(found)} for all runs at once"
    return Table(tuple(columns), tuple(rows), f"{how(found)}; {meaning}")


def pairs(found: Comparison, top: int | None = None) -> Table:
    """A row a pair, each number with as many digits as it is worth."""
    several, margin, rope = len(found) > 1, found.settings.margin is not None, found.settings.rope is not None
    checked = any(each.checks is not None for each in found.values())
    columns = [Column("measure")] if several else []
    columns += [Column("run"), Column("compared with")]
    columns += [
        Column(name, number=True)
        for name in ("difference", f"{percent_of(found)} interval", "p", "d_z", "wins", "losses", "ties")
    ]
    columns.append(Column("verdict"))
    if margin:
        columns.append(Column("within margin"))
    if rope:
        columns += [Column(f"chance {what}", number=True) for what in ("better", "within", "worse")]
    if checked:
        columns.append(Column("settled"))
    rows: list[tuple[Cell, ...]] = []
    for name, each in found.items():
        for pair in each.pairs[: top or PAIRS]:
            digits = pair_digits(each, pair)
            cells: list[Cell] = [name] if several else []
            cells += [pair.run, pair.compared_with, rounded(pair.difference, digits, sign=True)]
            cells += [interval(pair.low, pair.high, digits), _p(pair.p_corrected, found.settings.alpha)]
            cells += [rounded(pair.d_z, 2), pair.wins, pair.losses, pair.ties, pair.verdict]
            if margin:
                cells.append(_within(pair))
            if rope:
                chances = (pair.chance_better, pair.chance_within, pair.chance_worse)
                cells += [rounded(math.nan if chance is None else chance, 3) for chance in chances]
            if checked:
                cells.append("yes" if pair.settled else f"no: {', '.join(pair.depends_on)}")
            rows.append(tuple(cells))
    return Table(tuple(columns), tuple(rows))


def topics(found: Comparison, top: int | None = None) -> Table:
    """The topics of each pair that got worse, the largest losses first."""
    columns = [Column("measure"), Column("topic"), Column("run"), Column("score", number=True)]
    columns += [Column("compared with"), Column("score", number=True), Column("difference", number=True)]
    rows = [
        (each.measure, one.topic, each.runs[b], one.b, each.runs[a], one.a, f"{one.difference:+.4f}")
        for each in found.values()
        for a, b in each.asked
        for one in each.worse(each.runs[a], each.runs[b], top or TOPICS)
    ]
    return Table(tuple(columns), tuple(rows))


def gates(found: Comparison, _: int | None = None) -> Table:
    """A row a gate and run."""
    numbers = ("difference", "low", "high", "p", "topics", "got worse")
    names = ("gate", "measure", "run", "baseline", *numbers, "outcome")
    rows = tuple(_gate(outcome, found[outcome.measure]) for outcome in found.gates)
    return Table(tuple(Column(name, number=name in numbers) for name in names), rows)


LAYOUTS = {"systems": leaderboard, "pairs": pairs, "topics": topics, "gates": gates}
"""By sheet."""


def _gate(outcome: GateOutcome, each: MeasureComparison) -> tuple[Cell, ...]:
    digits = pair_digits(each, each.pair(outcome.baseline, outcome.run))
    return (
        outcome.gate,
        outcome.measure,
        outcome.run,
        outcome.baseline,
        rounded(outcome.difference, digits, sign=True),
        rounded(outcome.low, digits),
        rounded(outcome.high, digits),
        _p(outcome.p, outcome.alpha),
        outcome.topics,
        outcome.num_worse,
        "passed" if outcome.passed else "failed",
    )


def _p(p: float, level: float) -> str:
    return p_value(p, level).removeprefix("p ").removeprefix("= ")


def _within(pair: PairRow) -> str:
    return "equivalent" if pair.equivalent else "no worse" if pair.no_worse else ""


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
    head = f"<details><summary>{html.escaped(title)}</summary>"
    return [head, "", *lines, "", "</details>", ""] if lines else []
