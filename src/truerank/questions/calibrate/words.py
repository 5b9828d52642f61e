"""What e and beta mean, in words, and the tables that people see."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.questions.calibrate.price import BreakEven
from truerank.questions.calibrate.question import Calibration, Meaning
from truerank.questions.depth.work import checkpoints
from truerank.report.table import DIGITS, Cell, Column, Table, shown

if TYPE_CHECKING:
    from truerank.data.arrays import Floats

_HIT = (
    "{label}: a hit at rank 1 [{any_number:pays for any number of documents|does not pay for itself}]"
    "[pays for {exactly:exactly |}{pays_for:document}, itself included{or_more:, or more|}]; a lone hit "
    "[{never_worse:is never worse than silence|is worse than silence even at rank 1}]"
    "[is no worse than silence down to rank {no_worse_to:,}, or further][equals silence at rank {equals_at:,}]"
    "[is better than silence down to rank {better_to:,}, and worse further down][ (break-even at {break_even:.4g})]; "
)
_LAST = ", any with at least {last} once a single relevant one is left to find"
MEANS = Code(
    "TR481",
    "what a measure says of a hit against silence",
    _HIT + "one more document pays if it is a hit with a chance of at least {chances}{so_on:; and so on|}"
    "[; never after {enough:hit}]",
    flat=_HIT + "a list is no worse than silence exactly if at least {chances} of it are hits",
    never=_HIT + "one more document never pays",
    single=_HIT + "one more document pays if it is the relevant one with a chance of at least {chances}",
    several=_HIT + "the first document pays if it is relevant with a chance of at least {chances}" + _LAST,
    last=_HIT + "the first document never pays" + _LAST,
    terminal="{label}: no parameter to choose; where there are relevant documents silence scores 0, the least there "
    "is, so a hit at any rank with weight beats it, however long the list; where there are none silence scores most",
    free="{label}: a beta below 1 rewards documents without relevance, so nothing has to be paid for",
    none="{label}: no e or beta to choose",
    each={"chances": "{chance}[ after {hits:hit}]"},
)
WORTH = Code(
    "TR482",
    "what a hit is worth to each measure, by its scale of gains",
    "a hit has grade {grade:g} where the highest is {max_grade:g}: worth {worth}",
    each={"worth": "{gain:.4g} to {measures} ({scale})"},
)
BEST_LENGTH = Code(
    "TR483",
    "the length at which a list scores best by a measure",
    "{label}: best cut after {length:document} ({score}; silence {silence})",
    silence="{label}: silence is best ({silence})",
    none="{label}: no score at any length, {lack}",
)
LEFT_OUT = Code("TR484", "a measure without a parameter that means what is asked", "{measure} is left out: {why}")
MISSED = Code(
    "TR485",
    "a parameter that cannot be told from one that means more",
    "{measure}: asked was {asked:,}, and no {parameter} can be told from one that means more",
)
_SHOWN = 4
"""Chances that a sentence lists."""
_EVERY = 20
"""Documents of a list up to which each of its lengths has a row."""
_HEADS = ("measure", "e or beta", "hit worth", "silence", "pays for", "equals silence at", "hit chance")


def charges(answer: Calibration) -> Table:
    """A row a measure: its parameter, and how far a hit goes."""
    columns = tuple(Column(name, number=name != "measure") for name in _HEADS)
    return Table(columns, tuple(_row(one) for one in answer.values()), _caption(answer))


def some_lengths(answer: Calibration) -> Table:
    """A row a length, a column a measure; at a few of many lengths, and at those that score best."""
    lengths = answer.by_length()
    longest = max(len(scores) for scores in lengths.values()) - 1
    some = {0, *checkpoints(max(longest, 1)).tolist(), *lengths.best.values()}
    if longest <= _EVERY:
        some |= {*range(longest + 1)}
    sides = ["high" if one.by.higher_is_better else "low" for one in answer.values()]
    named = (Column(one.label, number=True, best=side) for one, side in zip(answer.values(), sides, strict=True))
    rows = [(n, *(_at(scores, n) for scores in lengths.values())) for n in sorted(some) if 0 <= n <= longest]
    relevant = counted(lengths.num_rel, "relevant document")
    caption = f"scores of the list cut after so many documents: {lengths.name}; {relevant}"
    if len(rows) <= longest:
        caption += f"; {len(rows)} of {longest + 1:,} lengths are shown"
    return Table((Column("length", number=True), *named), tuple(rows), caption)


def meanings(answer: Calibration) -> Iterator[Note]:
    """What each measure says of a hit, and what the hit is worth."""
    yield from map(meaning_note, answer.values())
    yield from _worths(answer)


def best_lengths(answer: Calibration) -> Iterator[Note]:
    """Where each measure would cut the list."""
    if answer.lengths is None:
        return
    for one, scores, length in zip(answer.values(), answer.lengths.values(), answer.lengths.best.values(), strict=True):
        facts = {"measure": one.measure, "label": one.label}
        if length < 0:
            yield BEST_LENGTH("none", **facts, length=None, lack=one.by.undefined_because)
            continue
        silence = shown(float(scores[0]))
        yield BEST_LENGTH(
            "" if length else "silence", **facts, length=length, score=shown(float(scores[length])), silence=silence
        )


def said(one: Meaning) -> str:
    """What a measure says of a hit against silence, in a sentence that is true to the letter."""
    return str(meaning_note(one))


def meaning_note(one: Meaning) -> Note:
    """What a measure says of a hit against silence, as a note."""
    facts: dict[str, Any] = {"measure": one.measure, "label": one.label}
    if one.kind == "terminal":
        return MEANS("terminal", **facts)
    if one.pays_for is None or one.silence_at is None:
        return MEANS("free" if one.kind == "information" else "none", **facts)
    facts |= {**_paid(one.pays_for), **_equalled(one.silence_at)}
    if not one.chances:
        return MEANS("never", **facts)
    first = {"chance": _chance(one.chances[0]), "hits": None}
    if one.kind == "information" and one.hit.num_rel > 1:
        last = _chance(one.chances[1])
        if one.chances[0] > 1:
            return MEANS("last", **facts, last=last)
        return MEANS("several", **facts, chances=[first], last=last)
    if one.kind in ("flat", "information"):
        return MEANS("flat" if one.kind == "flat" else "single", **facts, chances=[first])
    later = one.chances[1:_SHOWN] if one.kind == "cascade" else ()
    chances = [first, *({"chance": _briefly(chance), "hits": hits} for hits, chance in enumerate(later, 1))]
    so_on = one.kind == "cascade" and len(one.chances) > _SHOWN
    return MEANS(**facts, chances=chances, so_on=so_on, enough=one.enough)


def _paid(reach: BreakEven) -> dict[str, Any]:
    known = 0 < reach.last < math.inf
    return {
        "any_number": None if known else math.isinf(reach.last),
        "pays_for": int(reach.last) if known else None,
        "exactly": reach.equal,
        "or_more": reach.at_least,
    }


def _equalled(reach: BreakEven) -> dict[str, Any]:
    known = 0 < reach.last < math.inf
    rank = int(reach.last) if known else None
    better = known and not (reach.at_least or reach.equal)
    return {
        "never_worse": None if known else math.isinf(reach.last),
        "no_worse_to": rank if reach.at_least else None,
        "equals_at": rank if reach.equal and not reach.at_least else None,
        "better_to": rank if better else None,
        "break_even": reach.exact if better else None,
    }


def _chance(chance: float) -> str:
    return f"{_briefly(chance)} (1 in {1 / chance:.3g})" if 0.001 <= chance < 1 else _briefly(chance)


def _briefly(chance: float) -> str:
    """A chance in per cent, or that of one in many."""
    return f"1 in {1 / chance:,.0f}" if 0 < chance < 0.001 else percent(chance)


def _row(one: Meaning) -> tuple[Cell, ...]:
    chance: Cell = "never" if one.pays_for is not None else None
    if one.chances and one.chances[0] <= 1:
        chance = one.chances[0]
    # Small ones would lose their digits.
    value: Cell = f"{one.value:.{DIGITS}g}" if one.value is not None and one.value < 0.01 else one.value
    reached = (_number(one.pays_for), _number(one.silence_at, exact=True))
    return (one.family, value, one.gain, None if one.value is None else one.silence, *reached, chance)


def _number(reach: BreakEven | None, *, exact: bool = False) -> str:
    if reach is None:
        return ""
    if math.isinf(reach.last):
        return "never" if exact else "any number"
    if reach.last == 0:
        return "none"
    whole = f"{int(reach.last):,}+" if reach.at_least else f"{int(reach.last):,}"
    if reach.equal or not exact or reach.at_least:
        return whole
    return f"{reach.exact:.2f}" if reach.exact is not None else f"{whole}-{int(reach.last) + 1:,}"


def _worths(answer: Calibration) -> Iterator[Note]:
    by_scale: dict[tuple[str, float], list[str]] = {}
    for one in answer.values():
        if one.gain is not None:
            by_scale.setdefault((one.hit.scale(one.by), one.gain), []).append(one.by.name)
    worth = [
        {"gain": gain, "measures": ", ".join(dict.fromkeys(names)), "scale": scale}
        for (scale, gain), names in by_scale.items()
    ]
    if worth:
        hit = next(iter(answer.values())).hit
        yield WORTH(grade=hit.grade, max_grade=hit.max_grade, worth=worth)


def _caption(answer: Calibration) -> str:
    aim = "a hit against silence"
    if answer.pays_for is not None:
        documents = counted(answer.pays_for, "document")
        aim = f"e and beta with which a hit at rank 1 pays for just {documents}, itself included"
    if answer.silence_at is not None:
        aim = f"e and beta with which a lone hit at rank {answer.silence_at:,} equals silence"
    relevant = {one.hit.num_rel for one in answer.values() if one.kind == "information"}
    return aim + "".join(f"; for OIE with {counted(count, 'relevant document')}" for count in relevant)


def _at(scores: Floats, length: int) -> Cell:
    return float(scores[length]) if length < len(scores) else None
