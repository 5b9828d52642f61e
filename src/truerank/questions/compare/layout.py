"""Systems compared, laid out for people: tables, and the page of a pull request in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from truerank.data.printing import counted
from truerank.measures.core.typed import as_typed
from truerank.questions.compare.answer import (
    FEW,
    OPEN,
    PAIRS,
    TOPICS,
    Comparison,
    GateOutcome,
    MeasureComparison,
    PairRow,
)
from truerank.questions.compare.words import interval, pair_digits, percent_of
from truerank.report import html, markdown
from truerank.report.digits import decimals, p_number, ranks, rounded
from truerank.report.letters import letters, listed
from truerank.report.table import Cell, Column, Rounded, Table, hidden


def leaderboard(answer: Comparison, top: int | None = None) -> Table:
    """Systems, best first: against the baseline or the best one, with their possible ranks, or by measures."""
    if len(answer) > 1:
        return _measures(answer) if len(answer.runs) == 2 else _means(answer, top)
    [each] = answer.values()
    against = answer.runs.index(answer.baselines[0]) if len(answer.baselines) == 1 else None
    if against is None and not answer.baselines and not answer.settings.ranks and len(answer.runs) <= FEW:
        # Of two runs, the sentence above the table holds the second against the first.
        against = each.baseline if len(answer.runs) == 2 else each.order[0]
    return _ranked(answer, each, top) if against is None else _against(answer, each, against, top)


def _against(answer: Comparison, each: MeasureComparison, against: int, top: int | None) -> Table:
    """A row a system, with what sets it apart from one of them."""
    whom = answer.runs[against]
    columns = [
        Column("run"),
        Column(each.measure, number=True, best="high" if each.sign > 0 else "low"),
        Column("difference", number=True, head=f"vs {whom}"),
        Column(f"{percent_of(answer)} interval", number=True),
        Column("p", number=True),
        Column("won:lost", number=True, minor=1),
        Column("", whole=True),
    ]
    digits = _digits(each)
    rows: list[tuple[Cell, ...]] = []
    for system in each.order[:top]:
        mean = Rounded(each.means.estimate[system].item(), digits)
        cells: list[Cell] = [answer.runs[system], mean, *[None] * 5]
        if system != against:
            pair = each.of(system, against)
            apart = pair_digits(each, pair)
            cells[2:] = [
                rounded(pair.difference, apart, sign=True),
                interval(pair.low, pair.high, apart),
                p_number(pair.p_corrected, answer.settings.alpha),
                f"{pair.wins}:{pair.losses}",
                "" if pair.verdict == OPEN else pair.verdict,
            ]
        rows.append(tuple(cells))
    meaning = f"differences from {whom}{', the best' if against == each.order[0] else ''}, with their intervals"
    return Table(tuple(columns), tuple(rows), key=meaning, hidden=_hidden(answer, rows))


def _measures(answer: Comparison) -> Table:
    """Two systems: a row a measure, with what sets the second apart from the first."""
    first = next(iter(answer.values()))
    a = first.baseline
    names = [answer.runs[a], answer.runs[1 - a]]
    columns = [
        Column("measure", whole=True),
        *(Column(name, number=True) for name in names),
        Column("difference", number=True),
        Column(f"{percent_of(answer)} interval", number=True),
        Column("p", number=True),
        Column("won:lost", number=True, minor=1),
        Column("", whole=True),
    ]
    rows: list[tuple[Cell, ...]] = []
    for each in answer.values():
        pair, digits = each.of(1 - a, a), _digits(each)
        apart = pair_digits(each, pair)
        rows.append(
            (
                each.measure,
                *(Rounded(each.means.estimate[system].item(), digits) for system in (a, 1 - a)),
                rounded(pair.difference, apart, sign=True),
                interval(pair.low, pair.high, apart),
                p_number(pair.p_corrected, answer.settings.alpha),
                f"{pair.wins}:{pair.losses}",
                "" if pair.verdict == OPEN else pair.verdict,
            )
        )
    return Table(tuple(columns), tuple(rows), key=f"differences are {names[1]} less {names[0]}, with their intervals")


def _digits(each: MeasureComparison) -> int:
    """Decimals of means: as many as the error of most of them is worth."""
    known = [error for error in each.std_errors.tolist() if math.isfinite(error) and error > 0]
    return decimals(median(known) if known else math.nan)


def _ranked(answer: Comparison, each: MeasureComparison, top: int | None) -> Table:
    """A row per system, with its possible ranks."""
    digits = _digits(each)
    columns = [
        Column("rank", number=True),
        Column("run"),
        Column(each.measure, number=True, best="high" if each.sign > 0 else "low"),
        Column(f"{percent_of(answer)} interval", number=True),
        *([] if each.ranks is None else [Column("possible ranks", number=True), Column("", whole=True)]),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            each.systems[answer.runs[system]].rank,
            answer.runs[system],
            Rounded(each.means.estimate[system].item(), digits),
            interval(each.means.low[system], each.means.high[system], digits),
            *_possible(each, system),
        )
        for system in each.order[: top or PAIRS]
    ]
    meaning = "intervals of means"
    if each.ranks is not None:
        whose = "each run; for all at once: --ranks all" if each.ranked_by_own else "all runs at once"
        meaning = f"possible ranks: {percent_of(answer)} for {whose}"
    return Table(tuple(columns), tuple(rows), key=meaning, hidden=_hidden(answer, rows))


def _possible(each: MeasureComparison, system: int) -> list[Cell]:
    """The possible ranks of a system, and whether it could be the best."""
    if each.ranks is None:
        return []
    low, high = (int(ends[system]) for ends in each.ranks)
    return [ranks((low, high)), "could be best" if low == 1 else ""]


def _means(answer: Comparison, top: int | None) -> Table:
    """Systems by the first measure, with letters for those that each is significantly better than.

    Of many systems a mark says which could be the best; letters would be more than anybody reads.
    """
    first = next(iter(answer.values()))
    place = {system: at for at, system in enumerate(first.order)}
    lettered = len(answer.runs) <= FEW and not answer.settings.ranks
    marked = not lettered and answer.settings.at_once and not answer.baselines
    columns = [*([Column("")] if lettered else []), Column("run")]
    columns += [Column(each.measure, best="high" if each.sign > 0 else "low") for each in answer.values()]
    rows: list[tuple[Cell, ...]] = []
    for system in first.order[: top or PAIRS]:
        cells: list[Cell] = [*([letters(place[system])] if lettered else []), answer.runs[system]]
        for each in answer.values():
            digits = _digits(each)
            below = [place[other] for other in range(len(answer.runs)) if each.better[system, other]]
            marks = listed(below, len(answer.runs)) if lettered else ""
            if marked and each.ranks is not None:
                marks = MARK if each.ranks[0][system] == 1 else ""
            cells.append(Rounded(each.means.estimate[system].item(), digits, marks))
        rows.append(tuple(cells))
    meaning = "letters after a score are those of the runs that it is significantly better than"
    if answer.baselines:
        meaning += f", of those compared with {' or '.join(answer.baselines)}"
    if not lettered:
        meaning = f"{MARK}: could be the best run by this measure ({percent_of(answer)})" if marked else ""
    return Table(tuple(columns), tuple(rows), key=meaning, hidden=_hidden(answer, rows))


def _hidden(answer: Comparison, rows: Sequence[object]) -> str:
    return hidden(len(rows), len(answer.runs), "runs")


def pairs(answer: Comparison, top: int | None = None) -> Table:
    """A row a pair, each number with as many digits as it is worth."""
    several, margin = len(answer) > 1, answer.settings.margin is not None
    checked = any(each.checks is not None for each in answer.values())
    columns = [Column("measure")] if several else []
    columns += [Column("run"), Column("compared with")]
    columns += [Column(name, number=True) for name in ("difference", f"{percent_of(answer)} interval", "p")]
    columns += [Column(name, number=True, minor=minor) for name, minor in _MINOR.items()]
    columns.append(Column("verdict", whole=True))
    if margin:
        columns.append(Column("within margin"))
    if checked:
        columns.append(Column("settled"))
    rows: list[tuple[Cell, ...]] = []
    for name, each in answer.items():
        for pair in sorted(each.pairs, key=_size)[: top or PAIRS]:
            digits = pair_digits(each, pair)
            cells: list[Cell] = [name] if several else []
            cells += [pair.run, pair.compared_with, rounded(pair.difference, digits, sign=True)]
            cells += [interval(pair.low, pair.high, digits), p_number(pair.p_corrected, answer.settings.alpha)]
            cells += [rounded(pair.d_z, 2), pair.wins, pair.losses, pair.ties, pair.verdict]
            if margin:
                cells.append(_within(pair))
            if checked:
                cells.append("yes" if pair.settled else f"no: {', '.join(pair.depends_on)}")
            rows.append(tuple(cells))
    there = [len(each.asked) for each in answer.values()]
    few = hidden(len(rows), sum(there), "pairs", max(there, default=0))
    return Table(tuple(columns), tuple(rows), key="largest differences first", hidden=few)


def _size(pair: PairRow) -> float:
    """Where a pair stands among others: the largest difference first, what is not known last."""
    return math.inf if math.isnan(pair.difference) else -abs(pair.difference)


def topics(answer: Comparison, top: int | None = None) -> Table:
    """The topics of each pair that got worse, the largest losses first."""
    columns = [Column("measure"), Column("topic"), Column("run"), Column("score", number=True)]
    columns += [Column("compared with"), Column("score", number=True), Column("difference", number=True)]
    losses = [len(each.losses(each.runs[a], each.runs[b])) for each in answer.values() for a, b in each.asked]
    rows = [
        (each.measure, one.topic, each.runs[b], one.b, each.runs[a], one.a, f"{one.difference:+.4f}")
        for each in answer.values()
        for a, b in each.asked
        for one in each.worse(each.runs[a], each.runs[b], top or TOPICS)
    ]
    few = hidden(len(rows), sum(losses), "losses", max(losses, default=0))
    return Table(tuple(columns), tuple(rows), hidden=few)


def gates(answer: Comparison, _: int | None = None) -> Table:
    """A row a gate and run."""
    numbers = ("difference", "low", "high", "topics", "got worse")
    names = ("gate", "measure", "run", "baseline", *numbers, "outcome")
    rows = tuple(map(_gate, answer.gates))
    return Table(
        tuple(Column(name, number=name in numbers, minor=_MINOR_OF_GATES.get(name, 0)) for name in names), rows
    )


MARK = "+"
"""After a score: the run could be the best."""
_MINOR = {"d_z": 4, "wins": 2, "losses": 2, "ties": 3}
"""Columns of pairs that a narrow screen can do without, and how soon."""
_MINOR_OF_GATES = {"topics": 4, "got worse": 3, "measure": 2, "baseline": 1}
"""Those of gates; how they ended is shown last."""
LAYOUTS = {"systems": leaderboard, "pairs": pairs, "topics": topics, "gates": gates}
"""By sheet."""


def _gate(outcome: GateOutcome) -> tuple[Cell, ...]:
    low, high = outcome.ends
    return (
        outcome.gate,
        outcome.measure,
        outcome.run,
        outcome.baseline,
        rounded(outcome.difference, outcome.digits, sign=True),
        low,
        high,
        outcome.topics,
        outcome.num_worse,
        outcome.outcome,
    )


def _within(pair: PairRow) -> str:
    return "equivalent" if pair.equivalent else "no worse" if pair.no_worse else ""


def summary(answer: Comparison, top: int | None = None) -> str:
    """A heading with the outcome, what was answer in words, the runs, and the topics that got worse."""
    lines = [f"### {_heading(answer)}", ""]
    if answer.doubts:
        lines += [*(f"- {markdown.escaped(note)}" for note in answer.doubts), ""]
    if answer.gates:
        lines += [*(f"- {markdown.escaped(outcome.sentence)}" for outcome in answer.gates), ""]
    lines += [f"{markdown.escaped(answer.verdict('systems'))}", ""]
    lines += [_table(pairs(answer)), ""]
    lines += [_table(leaderboard(answer)), "", f"({markdown.escaped(answer.caption('systems'))})", ""]
    for outcome in _once(answer.gates):
        lines += _worse(outcome, top or TOPICS)
    notes = (*answer.own_notes("systems"), *answer.notices)
    lines += _folded("Details", [f"- {markdown.escaped(note)}" for note in notes if note not in answer.doubts])
    return "\n".join(lines).rstrip() + "\n"


def _heading(answer: Comparison) -> str:
    measures = markdown.escaped(", ".join(map(as_typed, answer.measures)))
    runs = markdown.escaped(" and ".join(answer.runs) if len(answer.runs) == 2 else counted(len(answer.runs), "run"))
    outcome = f"Gate {answer.outcome.lower()}" if answer.outcome else "Comparison"
    return f"{outcome}: {runs} by {measures}"


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
