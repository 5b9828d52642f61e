"""A measure at every depth: M@1, M@2, ... in one pass where it is a sum over ranks."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.measures.base import Measure, ratio


@runtime_checkable
class Running(Protocol):
    """A kernel that knows its sums down to every depth."""

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums down to every depth from 1 to ``deepest``, shape (rows, deepest)."""


def curve(measure: Measure, r: Rankings, deepest: int) -> Floats:
    """Values of a measure at the depths 1 to ``deepest``, one row a topic; NaN where undefined.

    >>> from truerank.measures.ap import AP
    >>> curve(AP(), Rankings.single([1, 0, 1], pool=[1, 1]), 4).round(4).tolist()
    [[0.5, 0.5, 0.8333, 0.8333]]
    """
    if not measure.takes_cutoff:
        raise InputError(f"{measure} looks at the whole list and has no value at a depth; choose another measure")
    endless = replace(measure, cutoff=None)
    plain = type(measure).score is Measure.score and not r.terminal and np.isnan(r.beyond)
    terms = list(endless.terms(r)) if plain else []
    if not terms or not all(isinstance(term, Running) for term in terms):
        every = [replace(measure, cutoff=depth).score(r) for depth in range(1, deepest + 1)]
        return np.stack(every, axis=-1) if every else np.empty((len(r.length), 0))
    total = np.zeros((len(r.length), deepest))
    for term in terms:
        assert isinstance(term, Running)
        total += term.curve(r, deepest)
    depths: Rows = np.broadcast_to(np.arange(1, deepest + 1), total.shape)
    below = endless.normaliser(r, depths)
    if below is None:
        return total
    return ratio(total, np.broadcast_to(np.asarray(below, np.float64), total.shape), measure.at_zero)
