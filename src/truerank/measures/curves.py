"""A measure at every depth, or for every length of a list, in one pass where it is a sum over ranks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Protocol, runtime_checkable

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.rankings import Rankings
from truerank.data.shares import Shares
from truerank.expectation.ranks import picked
from truerank.measures.base import Measure, ratio
from truerank.measures.summands import summands


@runtime_checkable
class Running(Protocol):
    """A kernel that knows its sums down to every depth."""

    def curve(self, r: Rankings, deepest: int) -> Floats:
        """Expected sums over the list down to every depth from 0 to ``deepest``, shape (rows, deepest + 1)."""


@runtime_checkable
class Ending(Running, Protocol):
    """A kernel that also knows what a terminal document adds, wherever the list is cut."""

    def terminal(self, adds: Any, r: Rankings, length: Rows, depth: Rows) -> Floats:
        """Expected worth of the document that ends lists cut at ``length``, read down to ``depth``."""


def curve(measure: Measure, r: Rankings, deepest: int) -> Floats:
    """Values of a measure at the depths 1 to ``deepest``, one row a topic; NaN where undefined.

    >>> from truerank.measures.ap import AP
    >>> curve(AP(), Rankings.single([1, 0, 1], pool=[1, 1]), 4).round(4).tolist()
    [[0.5, 0.5, 0.8333, 0.8333]]
    """
    if not measure.takes_cutoff:
        raise InputError(f"{measure} looks at the whole list and has no value at a depth; choose another measure")
    endless = replace(measure, cutoff=None)
    terms = running_terms(endless, r)
    if not terms:
        every = [replace(measure, cutoff=depth).score(r) for depth in range(1, deepest + 1)]
        return np.stack(every, axis=-1) if every else np.empty((len(r.length), 0))
    depths = np.broadcast_to(np.arange(1, deepest + 1), (len(r.length), deepest))
    return values(endless, terms, r, r.length[:, None], depths)


def running_terms(measure: Measure, r: Rankings) -> Sequence[Running]:
    """The terms of a measure, if it is their sum and they know it at every depth; otherwise none."""
    # A terminal document has no more than all there is, though more be found where unjudged ones are relevant.
    assumed = bool(r.terminal) and bool((r.grade[r.judgment < 0] > 0).any())
    if not np.isnan(r.beyond) or assumed:
        return ()
    return summands(measure, r, Ending if r.terminal else Running)


def values(measure: Measure, terms: Sequence[Running], r: Rankings, length: Rows, depth: Rows) -> Floats:
    """Values of a measure for lists cut at ``length`` and read down to ``depth``, whose columns are one or as many."""
    read = np.minimum(length, depth)
    deepest = int(read.max(initial=0))
    total = np.zeros((len(r.length), deepest + 1))
    for term in terms:
        total += term.curve(r, deepest)
    total = picked(total, read)
    if r.terminal:
        for term, adds in zip(terms, measure.terms(Shares.of(r)), strict=True):
            assert isinstance(term, Ending)
            total += np.where(length < depth, term.terminal(adds, r, length, depth), 0.0)
    below = measure.normaliser(replace(r, cuts=length), depth)
    if below is None:
        return total
    return ratio(total, np.broadcast_to(np.asarray(below, np.float64), total.shape), measure.at_zero)
