"""Systems compared, laid out for people: tables, and the page of a pull request in Markdown."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from truerank.data.printing import counted
from truerank.measures.core.typed import as_typed
from truerank.questions.compare.answer import (
    BETTER,
    FEW,
    PAIRS,
    TOPICS,
    WORSE,
    Comparison,
    GateOutcome,
    MeasureComparison,
    PairRow,
)
from truerank.questions.compare.words import interval, pair_digits, percent_of
from truerank.report import html, markdown
from truerank.report.digits import decimals, p_number, ranks, rounded
from truerank.report.table import Cell, Column, Rounded, Table, hidden


def leaderboard(answer: Comparison, top: int | None = None) -> Table:
    """Runs, best first, compared with the baseline or the best one; or their possible ranks; or a row per measure."""
    every = [*answer.values()]
    if len(answer.runs) == 2 and len(every) > 1 and not answer.settings.ranks:
        return _measures(answer)
    ends = [reference(answer, each) for each in every]
    if None in ends or (len(every) > 1 and len(every) * len(answer.runs) > ROWS):
        return _ranked(answer, every[0], top) if len(every) == 1 else _means(answer, top)
    return _against(answer, every, ends, top)


def reference(answer: Comparison, each: MeasureComparison) -> int | None:
    """The run that others are compared with in a table: the baseline, of a few runs the best one; None for neither."""
    if len(answer.baselines) == 1:
        return answer.runs.index(answer.baselines[0])
    if answer.baselines or answer.settings.ranks or len(answer.runs) > FEW:
        return None
    # Of two runs, the sentence above the table compares the second with the first.
    return each.baseline if len(answer.runs) == 2 else each.order[0]


def _against(
    answer: Comparison, every: Sequence[MeasureComparison], ends: Sequence[int | None], top: int | None
) -> Table:
    """A row per measure and run, with its difference from one of them."""
    several = len(every) > 1
    whom = f"vs {answer.baselines[0]}" if answer.baselines else "vs best"
    if len(answer.runs) == 2:
        whom = "diff"
    best = "high" if every[0].sign > 0 else "low"
    columns = [
        *([Column("measure", whole=True)] if several else []),
        Column("run"),
        Column("mean" if several else every[0].measure, number=True, best="" if several else best),
        Column("difference", number=True, head=whom),
        *_tested(answer),
    ]
    rows: list[tuple[Cell, ...]] = []
    for each, against in zip(every, ends, strict=True):
        alone = each.ranks is not None and against is not None and each.ranks[1][against] == 1
        word = "baseline" if answer.baselines or len(answer.runs) == 2 else "best" if alone else "leads"
        for system in each.order[:top]:
            cells: list[Cell] = [each.measure] if several else []
            cells += [answer.runs[system], Rounded(each.means.estimate[system].item(), _digits(each))]
            if system == against or against is None:
                cells += [None, None, None, None, word]
            else:
                cells += _differing(answer, each, each.of(system, against))
            rows.append(tuple(cells))
    there = len(every) * len(answer.runs)
    few = hidden(len(rows), there, "rows" if several else "runs", len(answer.runs))
    return Table(tuple(columns), tuple(rows), hidden=few)


def _tested(answer: Comparison) -> list[Column]:
    """What stands after a difference."""
    return [
        Column(f"{percent_of(answer)} CI", number=True),
        Column("p", number=True, minor=2),
        Column("won:lost", number=True, minor=3),
        Column("verdict", head=" ", whole=True),
    ]


def _differing(answer: Comparison, each: MeasureComparison, pair: PairRow) -> list[Cell]:
    """A difference, its interval, p, topics won and lost, and the verdict."""
    digits = pair_digits(each, pair)
    return [
        rounded(pair.difference, digits, sign=True),
        ends_of(pair.low, pair.high, digits),
        p_number(pair.p_corrected, answer.settings.alpha),
        f"{pair.wins}:{pair.losses}",
        pair.verdict,
    ]


def ends_of(low: float, high: float, digits: int) -> str:
    """Both ends of the interval of a difference; nothing if it is undefined."""
    return "" if math.isnan(low) else f"{rounded(low, digits, sign=True)} to {rounded(high, digits, sign=True)}"


def _measures(answer: Comparison) -> Table:
    """Two runs: a row per measure, with the second minus the first."""
    first = next(iter(answer.values()))
    a = first.baseline
    columns = [
        Column("measure", whole=True),
        *(Column(answer.runs[run], number=True) for run in (a, 1 - a)),
        Column("difference", number=True, head="diff"),
        *_tested(answer),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            each.measure,
            *(Rounded(each.means.estimate[run].item(), _digits(each)) for run in (a, 1 - a)),
            *_differing(answer, each, each.of(1 - a, a)),
        )
        for each in answer.values()
    ]
    return Table(tuple(columns), tuple(rows))


def _digits(each: MeasureComparison) -> int:
    """Decimals of means: as many as the error of most of them is worth."""
    known = [error for error in each.std_errors.tolist() if math.isfinite(error) and error > 0]
    return decimals(median(known) if known else math.nan)


def _ranked(answer: Comparison, each: MeasureComparison, top: int | None) -> Table:
    """A row per system, with its possible ranks; without these, with the interval of its mean."""
    digits = _digits(each)
    ranked = each.ranks is not None
    columns = [
        Column("rank", number=True, minor=1),
        Column("run"),
        Column(each.measure, number=True, best="high" if each.sign > 0 else "low"),
        *([] if ranked else [Column(f"{percent_of(answer)} CI", number=True)]),
        *([Column("possible ranks", number=True), Column("could be best", head=" ", whole=True)] if ranked else []),
    ]
    rows: list[tuple[Cell, ...]] = [
        (
            each.systems[answer.runs[system]].rank,
            answer.runs[system],
            Rounded(each.means.estimate[system].item(), digits),
            *([] if ranked else [interval(each.means.low[system], each.means.high[system], digits)]),
            *_possible(each, system),
        )
        for system in each.order[: top or SHOWN]
    ]
    return Table(tuple(columns), tuple(rows), hidden=_hidden(answer, rows))


def _possible(each: MeasureComparison, system: int) -> list[Cell]:
    """The possible ranks of a system, and whether it could be the best."""
    if each.ranks is None:
        return []
    low, high = (int(ends[system]) for ends in each.ranks)
    return [ranks((low, high)), "could be best" if low == 1 else ""]


def _means(answer: Comparison, top: int | None) -> Table:
    """A row per run and a column per measure, with a mark after each score."""
    every = [*answer.values()]
    columns = [Column("run")]
    columns += [Column(each.measure, best="high" if each.sign > 0 else "low") for each in every]
    rows: list[tuple[Cell, ...]] = [
        (
            answer.runs[system],
            *(
                Rounded(each.means.estimate[system].item(), _digits(each), _mark(answer, each, system))
                for each in every
            ),
        )
        for system in every[0].order[: top or SHOWN]
    ]
    meaning = ""
    if len(answer.baselines) == 1:
        [baseline] = answer.baselines
        meaning = f"{MARK}: significantly better than {baseline}; {WORSE_MARK}: significantly worse"
    elif not answer.baselines and answer.settings.at_once:
        meaning = f"{MARK}: could be the best run by this measure ({percent_of(answer)})"
    return Table(tuple(columns), tuple(rows), key=meaning, hidden=_hidden(answer, rows))


def _mark(answer: Comparison, each: MeasureComparison, system: int) -> str:
    """What is known of a run by a measure: whether it differs from the baseline, or could be the best."""
    if len(answer.baselines) == 1:
        base = answer.runs.index(answer.baselines[0])
        return "" if system == base else _MARKS.get(each.of(system, base).verdict, "")
    if answer.baselines or each.ranks is None:
        return ""
    return MARK if each.ranks[0][system] == 1 else ""


def _hidden(answer: Comparison, rows: Sequence[object]) -> str:
    return hidden(len(rows), len(answer.runs), "runs")


def pairs(answer: Comparison, top: int | None = None) -> Table:
    """A row per pair, each number with as many digits as it is worth."""
    several, margin = len(answer) > 1, answer.settings.margin is not None
    checked = any(each.checks is not None for each in answer.values())
    columns = [Column("measure", whole=True)] if several else []
    columns += [Column("run"), Column("compared with", head="vs"), Column("difference", number=True, head="diff")]
    columns += _tested(answer)[:-1]
    columns.append(Column("d_z", number=True, minor=4))
    columns.append(Column("verdict", head=" ", whole=True))
    if margin:
        columns.append(Column("within margin", whole=True))
    if checked:
        columns.append(Column("depends on"))
    rows: list[tuple[Cell, ...]] = []
    for name, each in answer.items():
        for pair in sorted(each.pairs, key=_size)[: top or PAIRS]:
            cells: list[Cell] = [name] if several else []
            *numbers, verdict = _differing(answer, each, pair)
            cells += [pair.run, pair.compared_with, *numbers, rounded(pair.d_z, 2), verdict]
            if margin:
                cells.append(_within(pair))
            if checked:
                cells.append(", ".join(pair.depends_on) or "nothing")
            rows.append(tuple(cells))
    there = [len(each.asked) for each in answer.values()]
    few = hidden(len(rows), sum(there), "pairs", max(there, default=0))
    return Table(tuple(columns), tuple(rows), hidden=few)


def _size(pair: PairRow) -> float:
    """Where a pair stands among others: the largest difference first, what is not known last."""
    return math.inf if math.isnan(pair.difference) else -abs(pair.difference)


def topics(answer: Comparison, top: int | None = None) -> Table:
    """The topics of each pair that got worse, the largest losses first."""
    columns = [Column("measure"), Column("topic"), Column("run"), Column("score", number=True)]
    columns += [Column("compared with", head="vs"), Column("score", number=True)]
    columns.append(Column("difference", number=True, head="diff"))
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
    """A row per gate and run; the sentence of a single one says all of it."""
    columns = (
        Column("gate"),
        Column("measure", whole=True, minor=1 if len(answer) == 1 else 0),
        Column("run"),
        Column("baseline", head="vs", minor=1),
        Column("difference", number=True, head="diff"),
        Column("interval", head=f"{percent_of(answer)} CI", number=True),
        Column("topics", number=True, minor=4),
        Column("got worse", number=True, minor=3),
        Column("outcome", whole=True),
    )
    return Table(columns, tuple(map(_gate, answer.gates)), spoken=len(answer.gates) == 1)


MARK, WORSE_MARK = "+", "-"
"""After a score: the run could be the best, or is better than the baseline; or is worse."""
_MARKS = {BETTER: MARK, WORSE: WORSE_MARK}
ROWS, SHOWN = 24, 12
"""Rows of several measures up to which runs have a row for each, and runs with their ranks that people see."""
LAYOUTS = {"systems": leaderboard, "pairs": pairs, "topics": topics, "gates": gates}
"""By sheet."""


def _gate(outcome: GateOutcome) -> tuple[Cell, ...]:
    return (
        outcome.gate,
        outcome.measure,
        outcome.run,
        outcome.baseline,
        rounded(outcome.difference, outcome.digits, sign=True),
        "" if math.isnan(outcome.low) else " to ".join(outcome.ends),
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
