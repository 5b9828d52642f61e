"""What e and beta mean, in words, and the tables that people see."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.data.printing import counted, percent
from truerank.questions.calibrate.answer import Calibration, Meaning
from truerank.questions.calibrate.price import Reach
from truerank.questions.depth.work import checkpoints
from truerank.report.table import DIGITS, Cell, Column, Table, shown

if TYPE_CHECKING:
    from truerank.data.arrays import Floats

MEANS = Code("TR481", "what a measure says of a hit against silence")
WORTH = Code("TR482", "what a hit is worth to each measure, by its scale of gains")
BEST_LENGTH = Code("TR483", "the length at which a list scores best by a measure")
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


def charges(found: Calibration) -> Table:
    """A row a measure: its parameter, and how far a hit goes."""
    columns = tuple(Column(name, number=name != "measure") for name in _HEADS)
    return Table(columns, tuple(_row(one) for one in found.values()), _caption(found))


def some_lengths(found: Calibration) -> Table:
    """A row a length, a column a measure; at a few of many lengths, and at those that score best."""
    lengths = found.by_length()
    longest = max(len(scores) for scores in lengths.values()) - 1
    some = {0, *checkpoints(max(longest, 1)).tolist(), *lengths.best.values()}
    if longest <= _EVERY:
        some |= {*range(longest + 1)}
    sides = ["high" if one.by.higher_is_better else "low" for one in found.values()]
    named = (Column(one.label, number=True, best=side) for one, side in zip(found.values(), sides, strict=True))
    rows = [(n, *(_at(scores, n) for scores in lengths.values())) for n in sorted(some) if 0 <= n <= longest]
    relevant = counted(lengths.num_rel, "relevant document")
    caption = f"scores of the list cut after so many documents: {lengths.name}; {relevant}"
    if len(rows) <= longest:
        caption += f"; {len(rows)} of {longest + 1:,} lengths are shown"
    return Table((Column("length", number=True), *named), tuple(rows), caption)


def meanings(found: Calibration) -> Iterator[Note]:
    """What each measure says of a hit, and what the hit is worth."""
    for one in found.values():
        yield MEANS(said(one), measure=one.measure)
    yield from _worths(found)


def best_lengths(found: Calibration) -> Iterator[Note]:
    """Where each measure would cut the list."""
    if found.lengths is None:
        return
    for one, scores, place in zip(found.values(), found.lengths.values(), found.lengths.best.values(), strict=True):
        text = _best(place, float(scores[0]), float(scores[place]), one.by.undefined_because)
        yield BEST_LENGTH(f"{one.label}: {text}", measure=one.measure, length=place if place >= 0 else None)


def said(one: Meaning) -> str:
    """What a measure says of a hit against silence, in a sentence that is true to the letter."""
    return f"{one.label}: {_said(one)}"


def _said(one: Meaning) -> str:
    if one.kind == "terminal":
        return (
            "no parameter to choose; where there are relevant documents silence scores 0, the least there is, so a hit "
            "at any rank with weight beats it, however long the list; where there are none silence scores most"
        )
    if one.pays_for is None or one.silence_at is None:
        below = "a beta below 1 rewards documents without relevance, so nothing has to be paid for"
        return below if one.kind == "information" else "no e or beta to choose"
    return f"a hit at rank 1 {_paid(one.pays_for)}; a lone hit {_silent(one.silence_at)}; {_worth(one)}"


def _paid(reach: Reach) -> str:
    if math.isinf(reach.last):
        return "pays for any number of documents"
    if reach.last == 0:
        return "does not pay for itself"
    count = counted(int(reach.last), "document")
    exactly = "exactly " if reach.equal else ""
    more = ", or more" if reach.at_least else ""
    return f"pays for {exactly}{count}, itself included{more}"


def _silent(reach: Reach) -> str:
    if math.isinf(reach.last):
        return "is never worse than silence"
    if reach.last == 0:
        return "is worse than silence even at rank 1"
    rank = f"{int(reach.last):,}"
    if reach.at_least:
        return f"is no worse than silence down to rank {rank}, or further"
    if reach.equal:
        return f"equals silence at rank {rank}"
    exact = "" if reach.exact is None else f" (break-even at {reach.exact:.4g})"
    return f"is better than silence down to rank {rank}, and worse further down{exact}"


def _worth(one: Meaning) -> str:
    """How probable a hit one more document must be."""
    if not one.chances:
        return "one more document never pays"
    first = _chance(one.chances[0])
    if one.kind == "flat":
        return f"a list is no worse than silence exactly if at least {first} of it are hits"
    if one.kind == "additive":
        return f"one more document pays if it is a hit with a chance of at least {first}"
    if one.kind == "information":
        return _worth_information(one, first)
    after = [f"{_briefly(chance)} after {counted(hits, 'hit')}" for hits, chance in enumerate(one.chances[1:_SHOWN], 1)]
    more = ["and so on"] if len(one.chances) > _SHOWN else []
    never = "" if one.enough is None else f"; never after {counted(one.enough, 'hit')}"
    return f"one more document pays if it is a hit with a chance of at least {', '.join([first, *after, *more])}{never}"


def _worth_information(one: Meaning, first: str) -> str:
    if one.hit.num_rel == 1:
        return f"one more document pays if it is the relevant one with a chance of at least {first}"
    start = f"pays if it is relevant with a chance of at least {first}" if one.chances[0] <= 1 else "never pays"
    last = _chance(one.chances[1])
    return f"the first document {start}, any with at least {last} once a single relevant one is left to find"


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


def _number(reach: Reach | None, *, exact: bool = False) -> str:
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


def _worths(found: Calibration) -> Iterator[Note]:
    """What the hit is worth, by scale."""
    by_scale: dict[tuple[str, float], list[str]] = {}
    for one in found.values():
        if one.gain is not None:
            by_scale.setdefault((one.hit.scale(one.by), one.gain), []).append(one.by.name)
    worth = [f"{gain:.4g} to {', '.join(dict.fromkeys(names))} ({scale})" for (scale, gain), names in by_scale.items()]
    if worth:
        hit = next(iter(found.values())).hit
        highest = f"a hit has grade {hit.grade:g} where the highest is {hit.max_grade:g}"
        yield WORTH(f"{highest}: worth {'; '.join(worth)}", grade=hit.grade, max_grade=hit.max_grade)


def _caption(found: Calibration) -> str:
    aim = "a hit against silence"
    if found.pays_for is not None:
        documents = counted(found.pays_for, "document")
        aim = f"e and beta with which a hit at rank 1 pays for just {documents}, itself included"
    if found.silence_at is not None:
        aim = f"e and beta with which a lone hit at rank {found.silence_at:,} equals silence"
    relevant = {one.hit.num_rel for one in found.values() if one.kind == "information"}
    return aim + "".join(f"; for OIE with {counted(count, 'relevant document')}" for count in relevant)


def _best(place: int, silent: float, score: float, why: str) -> str:
    if place < 0:
        return f"no score at any length, {why}"
    if place == 0:
        return f"silence is best ({shown(silent)})"
    return f"best cut after {counted(place, 'document')} ({shown(score)}; silence {shown(silent)})"


def _at(scores: Floats, length: int) -> Cell:
    return float(scores[length]) if length < len(scores) else None
