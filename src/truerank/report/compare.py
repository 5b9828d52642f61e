"""Systems compared, laid out: a leaderboard with letters, pairs, topics that got worse, and gates."""

from __future__ import annotations

from typing import Any

from truerank.analysis.comparing.compared import Compared
from truerank.analysis.comparing.outcomes import Outcome
from truerank.analysis.comparing.pair import Pair
from truerank.analysis.comparing.results import Comparison
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.compare_words import further, method, pair_digits, said
from truerank.report.digits import decimals, p_value, probability, rounded
from truerank.report.letters import letters, listed
from truerank.report.table import Cell, Column, Rounded, Table

PAIRS, TOPICS = 50, 10
"""Pairs of a measure, and topics of a pair, that a person reads."""
_PAIR = ("measure", "run", "compared_with")
_WORDS = (*_PAIR, "verdict", "better_than", "depends_on", "topic", "gate", "baseline", "test")
_ALWAYS = ("ties", "unjudged", "ending")
"""Conventions that are named whatever they are; the others where they are not the usual ones."""
_EMPTY = {"pairs": _PAIR, "topics": (*_PAIR, "topic"), "gates": ("gate", "measure")}

_Parts = tuple[tuple[Column, ...], tuple[tuple[Cell, ...], ...]]


def compare_table(found: Comparison, show: str | None = None, *, top: int | None = None, whole: bool = False) -> Table:
    """A row a system, a pair, a topic that got worse or a gate; ``whole`` has all there is, for programs."""
    show = show or ("gates" if found.gates else "systems")
    verdicts, notes = said(found), (*further(found), *found.notices)
    if whole:
        columns, rows = _records(found.to_records(show), show)
        # Values alone do not say how they came about.
        return Table(columns, rows, notes=(how(found), *verdicts, *notes), document=found.to_dict)
    layout = {"pairs": _pairs, "topics": _topics, "gates": _gates}
    columns, rows = layout[show](found, top) if show in layout else _leaderboard(found)
    below = how(found, _meaning(found) if show == "systems" else "")
    return Table(columns, rows, below, notes, lead=tuple(verdicts), document=found.to_dict)


def _leaderboard(found: Comparison) -> _Parts:
    """Systems by the first measure, with letters for those that each is significantly better than."""
    first, *others = found.values()
    place = {system: at for at, system in enumerate(first.order)}
    columns = [Column(""), Column("run")]
    for each in found.values():
        columns.append(Column(str(each.measure), best="high" if each.sign > 0 else "low"))
        columns += [] if others else [Column(f"{_percent(found)} interval")]
    rows: list[tuple[Cell, ...]] = []
    for system in first.order:
        cells: list[Cell] = [letters(place[system]), found.runs[system]]
        for each in found.values():
            digits = decimals(each.std_errors.tolist())
            below = [place[other] for other in range(len(found.runs)) if each.better[system, other]]
            cells.append(Rounded(each.means.estimate[system].item(), digits, listed(below, len(found.runs))))
            cells += [] if others else [_interval(each.means.low[system], each.means.high[system], digits)]
        rows.append(tuple(cells))
    return tuple(columns), tuple(rows)


def _pairs(found: Comparison, top: int | None) -> _Parts:
    several, margin = len(found.scores) > 1, found.settings.margin
    checked = any(each.checks is not None for each in found.values())
    names = ["run", "compared with", "difference", f"{_percent(found)} interval", "p", "d_z"]
    names += ["wins", "losses", "ties", "verdict"]
    names += ["within margin"] * (margin is not None) + ["settled"] * checked
    text = ("run", "compared with", "verdict", "within margin", "settled")
    columns = [Column("measure")] * several + [Column(name, number=name not in text) for name in names]
    rows: list[tuple[Cell, ...]] = []
    for name, each in found.items():
        for pair in each.pairs[: top or PAIRS]:
            digits = pair_digits(each, pair)
            cells: list[Cell] = [
                pair.b,
                pair.a,
                rounded(pair.difference, digits, sign=True),
                _interval(pair.low, pair.high, digits),
                _p(pair.p_corrected, found.settings.alpha),
                rounded(pair.d_z, 2),
                *(pair.wins, pair.losses, pair.ties),
                pair.verdict,
                *([_within(pair)] if margin is not None else []),
                *([_settled(pair)] if checked else []),
            ]
            rows.append((*([name] * several), *cells))
    return tuple(columns), tuple(rows)


def _topics(found: Comparison, top: int | None) -> _Parts:
    columns = [Column("measure"), Column("topic"), Column("run"), Column("score", number=True)]
    columns += [Column("compared with"), Column("score", number=True), Column("difference", number=True)]
    rows = [
        (name, one.topic, b, one.b, a, one.a, f"{one.difference:+.4f}")
        for name, each in found.items()
        for a, b in ((each.runs[a], each.runs[b]) for a, b in each.asked)
        for one in each.worse(a, b, top or TOPICS)
    ]
    return tuple(columns), tuple(rows)


def _gates(found: Comparison, _: int | None) -> _Parts:
    numbers = ("difference", "low", "high", "p", "topics", "got worse")
    names = ("gate", "measure", "run", "baseline", *numbers, "outcome")
    rows = tuple(_gate(outcome, found[outcome.measure]) for outcome in found.gates)
    return tuple(Column(name, number=name in numbers) for name in names), rows


def _gate(outcome: Outcome, each: Compared) -> tuple[Cell, ...]:
    digits = pair_digits(each, each.pair(outcome.baseline, outcome.run))
    return (
        outcome.gate.text,
        outcome.measure,
        outcome.run,
        outcome.baseline,
        rounded(outcome.difference, digits, sign=True),
        rounded(outcome.low, digits),
        rounded(outcome.high, digits),
        _p(outcome.p, outcome.gate.alpha),
        outcome.topics,
        len(outcome.worse),
        "passed" if outcome.passed else "failed",
    )


def how(found: Comparison, meaning: str = "") -> str:
    """How the numbers came about: topics, test, correction, level, intervals, conventions; and what they mean."""
    settings = found.settings
    counts = {name: counted(len(each.topics), "topic") for name, each in found.items()}
    alike = len({*counts.values()}) == 1
    tests = dict.fromkeys(method(each) for each in found.values())
    several = len(found) > 1 and any(len(each.asked) > 1 for each in found.values())
    family = " for each measure" * (several and settings.correction != "none")
    interval = {"tukey": "Tukey's method, for all pairs at once"}.get(settings.interval, settings.interval)
    parts = [
        *([*counts.values()][:1] if alike else (f"{name} on {topics}" for name, topics in counts.items())),
        f"{'; or '.join(tests)}{family}, significant below {probability(settings.alpha)}",
        f"{_percent(found)} intervals, of means by t and of differences by {interval}",
    ]
    if settings.margin is not None:
        parts.append(f"margin {settings.margin:g} by {settings.margin_title}, {settings.margin_correction_title}")
    return caption(*parts, conventions=found.conventions.unusual(*_ALWAYS), meaning=meaning)


def _percent(found: Comparison) -> str:
    return f"{100 * found.settings.confidence:.4g}%"


def _meaning(found: Comparison) -> str:
    asked = f", of those compared with {' or '.join(found.baselines)}" * bool(found.baselines)
    return f"letters after a score are those of the runs that it is significantly better than{asked}"


def _interval(low: float, high: float, digits: int) -> str:
    return "" if low != low else f"[{rounded(float(low), digits)}, {rounded(float(high), digits)}]"


def _p(p: float, level: float) -> str:
    return p_value(p, level).removeprefix("p ").removeprefix("= ")


def _within(pair: Pair) -> str:
    return "equivalent" if pair.equivalent else "no worse" if pair.no_worse else ""


def _settled(pair: Pair) -> str:
    return "yes" if pair.settled else f"no: {', '.join(dict.fromkeys(check.convention for check in pair.open))}"


def _records(records: list[dict[str, Any]], show: str) -> _Parts:
    names = tuple(records[0]) if records else _EMPTY[show]
    columns = tuple(Column(name, number=name not in _WORDS) for name in names)
    return columns, tuple(tuple(record.values()) for record in records)
