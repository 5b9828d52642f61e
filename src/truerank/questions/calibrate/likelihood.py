"""How likely what people did is: by differences of scores, by examination, and by going on."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows

_STEPS = 14
"""Of Newton's method for how strongly differences decide: the function is concave in one number."""
_HALVINGS = 40
_SURE = 40.0
"""The log of odds past which nothing is surer."""


def of_preferences(difference: Floats, preferred: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """The log of the likelihood of preferences (values x cases), and how strongly a difference decides in each.

    The first list is preferred with a chance of 1 / (1 + exp(-s d)), where d is its score less that of the second and s
    is as it makes the preferences likeliest (Bradley & Terry 1952). ``difference`` is values x pairs, ``weight`` cases
    x pairs; a tie counts as half a preference for each.

    >>> likelihood, strength = of_preferences(np.ones((1, 4)), np.array([1.0, 1.0, 1.0, 0.0]), np.ones((1, 4)))
    >>> round(float(strength[0, 0]), 4), round(float(np.exp(likelihood[0, 0] / 4)), 4)  # odds of 3 to 1
    (1.0986, 0.5699)
    """
    values, cases = len(difference), len(weight)
    likelihood, strength = np.empty((values, cases)), np.empty((values, cases))
    for at, d in enumerate(difference):
        size = float(np.abs(d).max(initial=0.0))
        if not size:
            likelihood[at], strength[at] = -np.log(2.0) * weight.sum(axis=-1), 0.0
            continue
        unit = d / size
        s = np.zeros(cases)
        for _ in range(_STEPS):
            chance = 1.0 / (1.0 + np.exp(-s[:, None] * unit))
            slope = (weight * unit * (preferred - chance)).sum(axis=-1)
            bend = (weight * unit**2 * chance * (1.0 - chance)).sum(axis=-1)
            s = np.clip(s + np.divide(slope, bend, out=np.zeros(cases), where=bend > 1e-12), 0.0, _SURE)
        z = s[:, None] * unit
        likelihood[at] = (weight * (preferred * z - np.logaddexp(0.0, z))).sum(axis=-1)
        strength[at] = s / size
    return likelihood, strength


def of_clicks(examined: Floats, kind: Rows, cluster: Rows, shown: Floats, clicks: Floats, weight: Floats) -> Floats:
    """The log of the likelihood of clicks (values x cases).

    A document is clicked with the chance that it is examined (values x documents, 1 at rank 1) times that of its kind,
    which is as it makes the clicks likeliest. ``weight`` is cases x clusters.
    """
    likelihood = np.zeros((len(examined), len(weight)))
    for one in np.unique(kind):
        mine = np.flatnonzero(kind == one)
        # Documents that are examined alike for all values are one.
        patterns, group = np.unique(examined[:, mine], axis=1, return_inverse=True)
        totals = np.zeros((2, int(cluster.max()) + 1, patterns.shape[1]))
        np.add.at(totals[0], (cluster[mine], group.ravel()), shown[mine])
        np.add.at(totals[1], (cluster[mine], group.ravel()), clicks[mine])
        seen, hit = weight @ totals[0], weight @ totals[1]
        for at, v in enumerate(patterns):
            low, high = np.zeros(len(weight)), np.ones(len(weight))
            for _ in range(_HALVINGS):
                a = (low + high) / 2.0
                miss = (seen - hit) * v / np.maximum(1.0 - v * a[:, None], 1e-300)
                rising = hit.sum(axis=-1) > a * miss.sum(axis=-1)
                low, high = np.where(rising, a, low), np.where(rising, high, a)
            chance = np.clip(v * ((low + high) / 2.0)[:, None], 1e-300, 1.0 - 1e-15)
            likelihood[at] += (hit * np.log(chance) + (seen - hit) * np.log1p(-chance)).sum(axis=-1)
    return likelihood


def of_reading(going_on: Floats, lists: Rows, read: Rows, length: Rows, cluster: Rows, weight: Floats) -> Floats:
    """The log of the likelihood of how many documents were read (values x cases).

    ``going_on`` is values x lists x ranks: the chance of going on after each. Who comes to the end of a list may have
    gone on.
    """
    kept = np.log(np.clip(going_on, 1e-300, 1.0)).cumsum(axis=-1)
    before = np.concatenate([np.zeros((*kept.shape[:2], 1)), kept], axis=-1)
    last = np.minimum(read, length)
    each = before[:, lists, last - 1]
    stops = np.log(np.clip(1.0 - going_on[:, lists, last - 1], 1e-300, 1.0))
    each = each + np.where(read < length, stops, 0.0)
    totals = np.zeros((int(cluster.max()) + 1, len(going_on)))
    np.add.at(totals, cluster, each.T)
    found: Floats = (weight @ totals).T
    return found
