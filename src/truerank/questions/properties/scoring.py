"""Scores of many rankings at once: the scales they are on, the blocks they are laid out in, what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.rankings import TERMINAL, Rankings
from truerank.expectation import gain_maps as gains
from truerank.expectation.gain_maps import Scale
from truerank.measures.core.base import Measure
from truerank.measures.core.collection import OfCollection
from truerank.questions.properties.examples import MOST, Example
from truerank.statistics.level import EQUAL

TOPS = (1, 2)
"""Highest levels of relevance that are tried."""
SATISFACTION = "Rel' = (2^grade - 1) / 2^max"
LINEAR = "Rel = grade / max"
BINARY = "Rel = 1"
AS_THEY_ARE = "grades as they are"
_NAMES: dict[Scale, str] = {
    gains.identity: "Rel = grade",
    gains.exponential: "Rel = 2^grade - 1",
    gains.linear: LINEAR,
    gains.satisfaction: SATISFACTION,
}


@dataclass(frozen=True)
class Highest:
    """What a gain map asks a collection for."""

    max_grade: float


@dataclass(frozen=True)
class OnScale:
    """A measure on a scale of relevance: for each top level, the measure and the grades of the levels from 0 on."""

    name: str
    measure: dict[int, Measure]
    grades: dict[int, tuple[float, ...]]


def scales(measure: Measure) -> tuple[OnScale, ...]:
    """The measure's own scale and, of a graded one, the other one that the literature states properties on.

    >>> from truerank.measures.grammar import parse
    >>> [scale.name for scale in scales(parse("ERR"))], [scale.name for scale in scales(parse("AP"))]
    (["Rel' = (2^grade - 1) / 2^max", 'Rel = grade / max'], ['Rel = 1'])
    """
    inner = measure.core
    if inner.level is not None:
        return (OnScale(BINARY, {1: measure}, {1: (0.0, float(inner.level))}),)
    if not inner.takes_gains:
        return (_plain(AS_THEY_ARE, measure),)
    if inner.own_gains:
        return (_own_gains(measure, inner),)
    own = _NAMES.get(inner.gain(Highest(1.0)).scale, "gains of its own")
    if inner.top is not None:
        return (_plain(own, measure, most=inner.top),)
    name, other = (LINEAR, gains.linear) if own == SATISFACTION else (SATISFACTION, gains.satisfaction)
    return _plain(own, measure), _mapped(name, measure, other)


def _plain(name: str, measure: Measure, most: float = np.inf) -> OnScale:
    tops = [top for top in TOPS if top <= max(most, 1)]
    return OnScale(name, dict.fromkeys(tops, measure), {top: tuple(map(float, range(top + 1))) for top in tops})


def _mapped(name: str, measure: Measure, scale: Scale) -> OnScale:
    def on(top: int) -> Measure:
        levels = np.arange(1.0, top + 1.0)
        mapped = tuple(zip(levels.tolist(), scale(levels, float(top)).tolist(), strict=True))
        return measure.with_core(lambda inner: inner(gains=mapped))

    return replace(_plain(name, measure), measure={top: on(top) for top in TOPS})


def _own_gains(measure: Measure, inner: Measure) -> OnScale:
    """Levels in the order of the gains that were given, which need not be that of the grades."""
    grades = sorted({1.0, 2.0, *(float(grade) for grade, _ in inner.own_gains)})
    worth = inner.gain(Highest(inner.top or grades[-1]))(np.array(grades))
    by_gain = {float(gain): grade for gain, grade in zip(worth, grades, strict=True) if gain > 0}
    levels = [by_gain[gain] for gain in sorted(by_gain)]
    tops = [top for top in TOPS if top <= len(levels)]
    return OnScale(
        "Rel = gains",
        dict.fromkeys(tops, measure),
        {top: (0.0, *(levels[-1:] if top == 1 else [levels[0], levels[-1]])) for top in tops},
    )


ROOM = 1 << 18
"""Slots of a block."""
_NO_LEVEL = -1


@dataclass(frozen=True, eq=False)
class Block:
    """Cases of one top level and depth, and of similar length."""

    rows: Rows
    """Where the examples stand among all."""
    examples: tuple[Example, ...]
    length: Rows
    level: Rows
    """Levels in rank order, a row an example; -1 past the end."""
    pool: Rows
    """Levels of the relevant documents, descending, padded with 0."""
    judged: Rows
    _made: dict[tuple[tuple[float, ...], str], Rankings] = field(default_factory=dict)

    @classmethod
    def of(cls, examples: Sequence[Example], rows: Sequence[int]) -> Block:
        some = tuple(examples[row] for row in rows)
        level, length = _padded([example.grades for example in some], _NO_LEVEL)
        pool, relevant = _padded([example.pool for example in some], 0)
        judged = relevant + np.array([example.others for example in some], np.intp)
        return cls(np.array(rows, np.intp), some, length, level, pool, judged)

    @property
    def top(self) -> int:
        return self.examples[0].top

    @property
    def depth(self) -> int | None:
        return self.examples[0].depth

    def within(self, size: int) -> Block:
        """The examples that a collection of some size has room for: their documents are listed or relevant."""
        documents = self.length + (self.pool > 0).sum(axis=-1) - (self.level > 0).sum(axis=-1)
        if (documents <= size).all():
            return self
        fits = np.flatnonzero(documents <= size)
        return replace(Block.of(self.examples, fits.tolist()), rows=self.rows[fits])

    def rankings(self, grades: tuple[float, ...], terminal: str = "") -> Rankings:
        """What a measure sees; ``grades`` are those of the levels from 0 on."""
        if (grades, terminal) not in self._made:
            self._made[grades, terminal] = self._rankings(np.array(grades), terminal)
        # Rankings keep the gains that they were asked for, which differ from measure to measure.
        return replace(self._made[grades, terminal])

    def _rankings(self, grades: Floats, terminal: str) -> Rankings:
        level = np.pad(self.level, ((0, 0), (0, bool(terminal))), constant_values=_NO_LEVEL)
        rank = np.arange(1, level.shape[1] + 1)
        # Padding stands past the list and past a terminal document.
        start = np.where(level >= 0, rank, self.length[:, None] + 2)
        if terminal:
            start[:, -1] = self.length + 1
        return Rankings(
            topic=np.arange(len(level)),
            start=start,
            stop=start,
            grade=np.where(level >= 0, grades[level], np.nan),
            judgment=np.where(level >= 0, rank - 1, -1),
            length=self.length,
            pool=-np.sort(-grades[self.pool], axis=-1),
            judged=self.judged,
            max_grade=float(grades.max()),
            terminal=terminal,
        )


def blocks(examples: Sequence[Example]) -> tuple[Block, ...]:
    """All examples, in as few blocks as padding allows.

    >>> from truerank.questions.properties.examples import drawn
    >>> [block.rows.tolist() for block in blocks([drawn((1,)), drawn((0,) * 9), drawn((0,)), drawn((0, 1)).at(1)])]
    [[0, 2], [1], [3]]
    """
    alike: dict[tuple[int, int | None, int], list[int]] = {}
    for row, example in enumerate(examples):
        size = max(len(example.grades), len(example.pool))
        alike.setdefault((example.top, example.depth, size.bit_length()), []).append(row)
    return tuple(
        Block.of(examples, rows[first : first + at_once])
        for (_, _, bits), rows in alike.items()
        for at_once in [max(ROOM >> bits, 1)]
        for first in range(0, len(rows), at_once)
    )


def _padded(lists: list[tuple[int, ...]], padding: int) -> tuple[Rows, Rows]:
    """Lists as rows of one array, and their lengths."""
    length = np.array([len(each) for each in lists], np.intp)
    table = np.full((len(lists), int(length.max(initial=0))), padding, np.intp)
    table[np.arange(table.shape[1]) < length[:, None]] = [level for each in lists for level in each]
    return table, length


FAINT = 1e-9
"""Share of the most that a document is worth, below which the worth of another is too close to rounding."""
_ANY = 1 << 30


@dataclass(frozen=True, eq=False)
class ExampleScores:
    """The scores of examples by a measure on a scale."""

    value: Floats
    measure: Measure
    scale: str
    unit: float
    """The size of scores: what one document alone is worth."""
    resolved: int
    """Length of rankings up to which the last document is worth enough to be told from rounding."""

    def margin(self, more: Rows, less: Rows) -> Floats:
        """1 where the first side, a sum of scores, is better, 0 if equal, -1 if worse, NaN if undefined."""
        padded = np.append(self.value, 0.0)
        left, right = padded[more], padded[less]
        with np.errstate(invalid="ignore"):
            difference = left.sum(axis=-1) - right.sum(axis=-1)
        size = np.maximum(np.abs(np.concatenate([left, right], axis=-1)).max(axis=-1), self.unit)
        # Rounding is relative to the size of the scores.
        differs = np.abs(difference) > EQUAL * np.where(np.isinf(size), 1.0, size)
        found: Floats = np.where(np.isnan(difference), np.nan, self.measure.sign * np.sign(difference) * differs)
        return found


def orders_all(measure: Measure) -> bool:
    """Whether a measure orders the whole collection, so that it matters how many documents are not retrieved."""
    return isinstance(measure.core, OfCollection)


def scores(layout: Sequence[Block], scale: OnScale, measure: Measure) -> ExampleScores:
    """Scores of all examples, with their size and resolution."""
    worth = score(_probes(), scale).reshape(2, -1)
    hit, miss = np.nan_to_num(worth, posinf=0.0, neginf=0.0)
    gained = np.abs(hit - miss)
    faint = np.flatnonzero((gained > 0) & (gained < FAINT * gained.max()))
    unit = float(max(abs(hit[0]), abs(miss[0])))
    return ExampleScores(score(layout, scale), measure, scale.name, unit, int(faint[0]) if len(faint) else _ANY)


def score(layout: Sequence[Block], scale: OnScale) -> Floats:
    """Scores of examples in blocks; NaN where the measure is undefined or the example is none for it.

    >>> from truerank.questions.properties.examples import drawn
    >>> from truerank.questions.properties.scoring import scales
    >>> from truerank.measures.grammar import parse
    >>> score(blocks([drawn((0, 1)), drawn((1,), missing=(1,))]), scales(parse("AP"))[0]).tolist()
    [0.5, 0.5]
    """
    values = np.full(sum(len(block.rows) for block in layout), np.nan)
    for block in layout:
        measure = _at(scale.measure.get(block.top), block.depth)
        if measure is None:
            continue
        room = getattr(measure.core, "size", None)
        fitting = block if room is None else block.within(room)
        if len(fitting.rows):
            values[fitting.rows] = _values(measure, fitting, scale.grades[block.top])
    return values


def _at(measure: Measure | None, depth: int | None) -> Measure | None:
    """The measure at a depth; None where it takes no cutoff."""
    if depth is None or measure is None:
        return measure
    inner = measure.core
    # A measure that has a cutoff by definition, as c@1, takes no other.
    if not inner.takes_cutoff or type(inner).cutoff is not None:
        return None
    return measure.with_core(lambda inner: replace(inner, cutoff=depth))


def _values(measure: Measure, block: Block, grades: tuple[float, ...]) -> Floats:
    if measure.core.reads_orders:
        return _explicit(measure.core, block.examples, np.array(grades))
    terminal = TERMINAL[measure.ending] if measure.takes_terminal else ""
    return measure.estimate(block.rankings(grades, terminal)).value


def _explicit(measure: Measure, examples: Sequence[Example], grades: Floats) -> Floats:
    """A function of a whole ranking takes all those of one length and pool at once."""
    alike: dict[tuple[int, tuple[int, ...]], list[int]] = {}
    for row, example in enumerate(examples):
        alike.setdefault((len(example.grades[: measure.cutoff]), example.pool), []).append(row)
    values = np.full(len(examples), np.nan)
    for (length, pooled), rows in alike.items():
        levels = np.array([examples[row].grades[:length] for row in rows], np.intp).reshape(len(rows), length)
        pool = grades[np.array(pooled, np.intp)]
        values[rows] = measure.explicit(grades[levels], pool, Highest(float(grades.max())))
    return values


def _probes() -> tuple[Block, ...]:
    """Rankings that tell what a document at each rank is worth: a relevant one at the end, and none."""
    ends = [Example((0,) * (n - 1) + (last,), (1,), n + 1) for last in (1, 0) for n in range(1, 3 * MOST + 1)]
    return blocks(ends)
