"""Levels of relevance as grades, and the scales on which a graded measure reads them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from truerank.expectation import gain_maps as gains
from truerank.expectation.gain_maps import Scale
from truerank.measures.core.base import Measure

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
