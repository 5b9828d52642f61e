"""What a paper should report of a comparison, as a block to paste: plain text, Markdown or LaTeX."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace

from truerank.data.printing import counted, p_value
from truerank.questions.compare.answer import OPEN, SAME, Comparison, MeasureComparison, PairRow, PaperLine
from truerank.questions.compare.plan import CompareSettings
from truerank.questions.compare.words import POWER, further, interval, intervals_by, method, pair_digits
from truerank.report import latex, markdown
from truerank.report.digits import decimals, probability, rounded
from truerank.report.table import Table, caption
from truerank.version import __version__

MOST = 12
"""Systems, and pairs of a measure, up to which each is reported."""
SOFTWARE = "Software"
"""What has the command."""
_WIDTH = 100
_WRITTEN = ("test", "correction", "alpha")
"""What a command names whatever it is."""


def lines(answer: Comparison) -> Iterator[PaperLine]:
    """What is to be reported, an item a line (Sakai 2016, 2018; Fuhr 2017; Dror et al. 2018)."""
    every = answer.values()
    topics = " or ".join(dict.fromkeys(counted(len(each.topics), "topic") for each in every))
    against = f", all against {' and '.join(answer.baselines)}" if answer.baselines else ""
    yield PaperLine(item="Data", text=f"{counted(len(answer.runs), 'system')} on {topics}{against}")
    chosen = {axis: value for axis, value in answer.conventions.as_dict().items() if value is not None}
    yield PaperLine(item="Conventions", text=caption(conventions=chosen))
    tests = dict.fromkeys(f"{method(each)}, two-sided, significant below {_level(answer)}" for each in every)
    asked = sum(each.corrected.size for each in every) if answer.settings.family == "measure" else 0
    several = " for each measure" if len(answer) > 1 and asked > len(answer) else ""
    yield PaperLine(item="Test", text="; ".join(tests) + several)
    for each in every:
        yield PaperLine(item=f"Means, {each.measure}", text=_means(each))
    for each in every:
        for head, text in _differences(each):
            yield PaperLine(item=head, text=text)
    percent = f"{100 * answer.settings.confidence:.4g}%"
    yield PaperLine(item="Intervals", text=f"{percent}, of means by t, of differences by {intervals_by(answer)}")
    for note in further(answer):
        if note.code == POWER.code:
            yield PaperLine(item="Power", text=str(note))
    yield PaperLine(item="Robustness", text=" ".join(_settled(each) for each in every))
    for note in answer.notices:
        yield PaperLine(item="Note", text=str(note))
    yield PaperLine(item=SOFTWARE, text=f"truerank {__version__}: {command(answer)}")


def _level(answer: Comparison) -> str:
    return probability(answer.settings.alpha)


def _means(each: MeasureComparison) -> str:
    digits = decimals(each.std_errors.tolist())
    systems = [*each.systems.values()]
    shown = [
        f"{one.run} {rounded(one.mean, digits)} {interval(one.low, one.high, digits)}".rstrip()
        for one in systems[:MOST]
    ]
    more = [f"and {len(systems) - MOST} others"] if len(systems) > MOST else []
    return ", ".join(shown + more)


def _differences(each: MeasureComparison) -> Iterator[tuple[str, str]]:
    """A line a pair; of many, how many are shown."""
    if len(each.asked) > MOST:
        shown = sum(pair.significant for pair in each.pairs)
        least, most = min(each.of_pairs(each.effects.d_z), key=abs), max(each.of_pairs(each.effects.d_z), key=abs)
        text = f"{shown:,} of {len(each.asked):,} pairs differ; d_z from {abs(least):.2f} to {abs(most):.2f} in size"
        yield f"Differences, {each.measure}", f"{text}; all of them with --show pairs"
        return
    for pair in each.pairs:
        yield f"{pair.run} minus {pair.compared_with}, {each.measure}", _pair(each, pair)


def _pair(each: MeasureComparison, pair: PairRow) -> str:
    if pair.verdict == SAME:
        return "equal on every topic"
    digits = pair_digits(each, pair)
    parts = [f"{rounded(pair.difference, digits, sign=True)} {interval(pair.low, pair.high, digits)}".rstrip()]
    parts.append(p_value(pair.p_corrected, each.settings.alpha))
    parts.append(f"d_z = {rounded(pair.d_z, 2)}")
    parts.append(f"{counted(pair.wins, 'win')}, {counted(pair.losses, 'loss', 'losses')}, {counted(pair.ties, 'tie')}")
    if pair.verdict == OPEN:
        parts.append("no significant difference")
    return "; ".join(parts)


def _settled(each: MeasureComparison) -> str:
    """Whether verdicts depend on what the data leave open."""
    if each.checks is None:
        return f"{each.measure}: other orders of ties, judgments and depths were not tried."
    open_ = [pair for pair in each.pairs if not pair.settled]
    if not open_:
        return f"{each.measure}: all verdicts hold for the orders of ties, judgments and depths that were tried."
    named = ", ".join(f"{pair.run} and {pair.compared_with} ({', '.join(pair.depends_on)})" for pair in open_[:MOST])
    return f"{each.measure}: {len(open_)} of {counted(len(each.asked), 'verdict')} not robust: {named}."


def command(answer: Comparison) -> str:
    """A command that gives the same, with the names of runs in place of their files."""
    settings, usual = answer.settings, CompareSettings()
    words = ["truerank", "compare", "QRELS", *answer.runs]
    words += [word for measure in answer.measures for word in ("-m", f"{measure}")]
    words += [word for run in answer.baselines for word in ("--baseline", run)]
    for name, value in settings.as_dict().items():
        drawn = name in ("permutations", "seed") and settings.procedure.draws
        if value is not None and (drawn or name in _WRITTEN or value != getattr(usual, name)):
            words += [f"--{name}", f"{value:g}" if isinstance(value, float) else str(value)]
    options = [word for option in answer.conventions.options() for word in option.split(" ", 1)]
    return shlex.join([*words, *options])


def _text(rows: list[PaperLine]) -> str:
    return "\n".join(textwrap.fill(f"{row.item}: {row.text}", _WIDTH, subsequent_indent="    ") for row in rows)


def _markdown(rows: list[PaperLine]) -> str:
    return "\n".join(f"- **{markdown.escaped(row.item)}.** {markdown.escaped(row.text)}" for row in rows)


def _latex(rows: list[PaperLine]) -> str:
    items = (f"  \\item[{latex.escaped(row.item)}] {_in_latex(row)}" for row in rows)
    # Long names and commands may be broken at blanks alone.
    return "\n".join(["{\\raggedright", "\\begin{description}", *items, "\\end{description}}"])


def _in_latex(row: PaperLine) -> str:
    if row.item != SOFTWARE:
        return latex.escaped(row.text)
    name, _, typed = row.text.partition(": ")
    return f"{latex.escaped(name)}: {latex.typewriter(typed)}"


def in_words(table: Table) -> Table:
    """The lines as people read them on a screen, where sentences in columns would be cut."""
    return replace(table, words=tuple(f"{item}: {text}" for item, text in table.rows))


FORMS: dict[str, Callable[[list[PaperLine]], str]] = {"table": _text, "markdown": _markdown, "latex": _latex}
"""By format; the others have a row an item."""


def block(answer: Comparison, form: str) -> str:
    """The text to paste."""
    return FORMS[form]([*lines(answer)])
