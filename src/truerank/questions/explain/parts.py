"""What each document adds to a score, and out of what factors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.data.arrays import Floats, Rows, distinct
from truerank.data.rankings import Rankings
from truerank.expectation.cascade import Cascade
from truerank.expectation.count import Count
from truerank.expectation.effort import Effort
from truerank.expectation.gain import Gain
from truerank.expectation.information import Information
from truerank.expectation.pair import Pair
from truerank.measures.base import Measure
from truerank.measures.weights import Harmonic
from truerank.questions.explain.divisor import Divisor, divisor

Ranked = Gain | Pair | Cascade


@dataclass(frozen=True, eq=False, kw_only=True)
class Parts:
    """A score slot by slot: start + sum of contributions + rest. A contribution is (gain x factor - cost) / divisor."""

    how: str
    """"sum" over documents, "information" that they add to silence, what is "revealed"; or "listless"."""
    contribution: Floats
    gain: Floats
    factor: Floats | None = None
    """What gain is multiplied by."""
    named: str = ""
    """What the factor is called."""
    weight: Floats | None = None
    """Of the rank, or the mean over the ranks that a tied document may have."""
    seen: Floats | None = None
    """What has been seen down to the document, so that the factor is weight x seen."""
    reached: Floats | None = None
    """The chance that the reader comes as far as the document, so that the factor is weight x reached."""
    cost: Floats | None = None
    start: float = 0.0
    """The score of a list in which nothing was found."""
    rest: float = 0.0
    """What documents add that are not in the list."""
    divisor: Divisor | None = None
    terms: tuple[tuple[str, float, float], ...] = ()
    """Name, coefficient and value of what the formula adds up, where that is not a sum over documents on paper."""


def summed(measure: Measure, terms: tuple[Any, ...], r: Rankings) -> Parts:
    """The parts of a sum over documents, given its terms."""
    depth = measure.depth(r)
    slots = r.start.shape[1]
    parts = Parts(how="sum", contribution=np.zeros(slots), gain=np.zeros(slots))
    for term in terms:
        if isinstance(term, Effort):
            cost = _cost(term, r, depth)
            parts = replace(parts, cost=cost, contribution=parts.contribution - cost)
        elif isinstance(term, Count):
            # It counts documents without gain, which have no place in the sum themselves.
            share = per_slot(term, r, depth, (term.x[0] != 0).astype(np.float64))
            total = parts.contribution + term.x[0] * share
            parts = replace(parts, gain=term.x[0], factor=share, named="share", contribution=total)
        else:
            parts = _ranked(parts, term, r, depth)
    below = measure.normaliser(r, depth)
    if below is None:
        return parts
    found = divisor(measure, r, depth, float(below[0, 0]))
    if not found.value:
        return replace(parts, contribution=np.zeros(slots), divisor=found, start=measure.at_zero)
    return replace(parts, contribution=parts.contribution / found.value, divisor=found)


def _ranked(parts: Parts, term: Ranked, r: Rankings, depth: Rows) -> Parts:
    x, every = term.x[0], np.ones(len(r.start[0]))
    weight = per_slot(Gain(term.weight, every[None, :]), r, depth, every)
    if isinstance(term, Gain):
        return replace(
            parts, gain=x, factor=weight, named="weight", weight=weight, contribution=parts.contribution + x * weight
        )
    if r.terminal:
        # The terminal document's weight is that of its rank; only sums of gains give it all that follow.
        last = r.start[:, -1:]
        weight[-1] = term.weight.apply(np.ones((1, 1)), last)[0, 0] if last[0, 0] <= depth[0, 0] else 0.0
    alike = term.y[0] if isinstance(term, Pair) else term.q[0]
    factor = np.zeros(len(x))
    for value in distinct(alike):
        factor += per_slot(term, r, depth, (alike == value).astype(np.float64))
    how_far = np.divide(factor, weight, out=np.full(len(x), np.nan), where=weight > 0)
    name, called = "reached", "weight x reached"
    if isinstance(term, Pair):
        name, called = "seen", "precision" if isinstance(term.weight, Harmonic) else "ratio"
    found = {"gain": x, "factor": factor, "weight": weight, "contribution": parts.contribution + x * factor}
    return replace(parts, **found, named=called, **{name: how_far})


def per_slot(term: Ranked | Count, r: Rankings, depth: Rows, which: Floats) -> Floats:
    """What each of some slots, tied ones alike among themselves, adds to a sum if it has the gain 1; 0 elsewhere."""
    x = which[None, :].copy()
    deepest = min(int(depth[0, 0]), int(r.length[0]))
    if r.terminal:
        x[0, -1] = 0.0
    sums = replace(term, x=x).curve(r, deepest)[0]
    mates = np.maximum(r.group_sum(x)[0], 1.0)
    found: Floats = (sums[np.minimum(r.stop[0], deepest)] - sums[np.minimum(r.start[0] - 1, deepest)]) / mates * x[0]
    if r.terminal and which[-1]:
        alone = np.zeros(x.shape)
        alone[0, -1] = 1.0
        found[-1] = replace(term, x=alone).total(r, depth)[0]
    return found


def _cost(term: Effort, r: Rankings, depth: Rows) -> Floats:
    deepest = min(int(depth[0, 0]), int(r.length[0]))
    sums = term.curve(r, deepest)[0]
    cost: Floats = (sums[np.minimum(r.start[0] - 1, deepest)] - sums[np.minimum(r.stop[0], deepest)]) / r.size[0]
    return cost


def informed(measure: Measure, term: Information, r: Rankings) -> Parts:
    """What each document adds to silence; where the depth cuts a tie group, its documents share what they add."""
    deepest = min(int(measure.depth(r)[0, 0]), int(r.length[0]))
    sums = term.curve(r, deepest)[0]
    together = (sums[np.minimum(r.stop[0], deepest)] - sums[np.minimum(r.start[0] - 1, deepest)]) / r.size[0]
    adds = np.where(r.stop[0] <= deepest, term.adds(r)[0], together)
    return Parts(
        how="information",
        contribution=adds,
        gain=term.gain[0],
        start=float(sums[0]),
        terms=_entropies(term, r, deepest),
    )


def _entropies(term: Information, r: Rankings, deepest: int) -> tuple[tuple[str, float, float], ...]:
    """What H(S) + H(G) - beta H(S, G) is made of: with beta = 0 the first two are left, and of silence the second."""
    apart, joint = (replace(term, beta=beta).curve(r, deepest)[0] for beta in (0.0, 1.0))
    of_list, of_grades, both = apart[-1] - apart[0], apart[0], apart[-1] - joint[-1]
    return ("H(S)", 1.0, float(of_list)), ("H(G)", 1.0, float(of_grades)), ("H(S, G)", -term.beta, float(both))
