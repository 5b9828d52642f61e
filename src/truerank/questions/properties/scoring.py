"""Scores of many rankings at once, and how finely they can be told apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from truerank.conventions.ending import TERMINAL
from truerank.data.arrays import Floats, Rows
from truerank.measures.core.base import Measure
from truerank.questions.properties.blocks import Block, blocks
from truerank.questions.properties.examples import Example
from truerank.questions.properties.scales import Highest, OnScale
from truerank.questions.properties.search import MOST
from truerank.statistics.pairs import EQUAL

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
    >>> from truerank.questions.properties.scales import scales
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
        levels = np.array([examples[row].grades[:length] for row in rows], np.int64).reshape(len(rows), length)
        pool = grades[np.array(pooled, np.int64)]
        values[rows] = measure.explicit(grades[levels], pool, Highest(float(grades.max())))
    return values


def _probes() -> tuple[Block, ...]:
    """Rankings that tell what a document at each rank is worth: a relevant one at the end, and none."""
    ends = [Example((0,) * (n - 1) + (last,), (1,), n + 1) for last in (1, 0) for n in range(1, 3 * MOST + 1)]
    return blocks(ends)
