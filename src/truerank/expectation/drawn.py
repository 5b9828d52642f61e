"""Documents drawn one after the other from a tie group, some of which are marked: means of what was drawn so far."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows, offsets


def mean_reciprocals(count: Rows, marked: Rows, base: Floats, drawn: Rows) -> Floats:
    """The mean of 1 / (base + k) for 0, 1, ..., ``drawn`` - 1 documents drawn of ``count``, k of the ``marked`` ones.

    One number each of several groups is given; returned are the means of one group after the other. ``base`` is above
    0, and ``drawn`` from 1 to ``count`` + 1.

    With h_t the mean for t documents, J of M marked and base b,

        (t + b) h_t = t (1 - (J + b) / (M - t + 1)) h_(t-1) + (M + 1) / (M - t + 1),

    which follows from the differential equation of its generating function. It is followed upwards from h_0 = 1 / b as
    long as an error becomes smaller by that, and downwards from h_M = 1 / (J + b) where it would become larger.

    >>> mean_reciprocals(np.array([2]), np.array([1]), np.array([1.0]), np.array([3])).tolist()
    [1.0, 0.75, 0.5]
    """
    # Those that are only followed upwards need not be followed to their ends.
    last = drawn - 1
    through = np.abs(_factor(last, count, marked, base)) <= 1
    length = np.where(through, drawn, count + 1)
    group = np.repeat(np.arange(len(count)), length)
    t = np.arange(len(group)) - offsets(length)[:-1][group]
    m, j, b = count[group], marked[group], base[group]
    factor = _factor(t, m, j, b)
    term = (m + 1) / ((m - t + 1) * (t + b))
    up = np.abs(factor) <= 1
    found = np.empty(len(t))
    # The factor of h_0 is 0, so that every group begins anew.
    found[up] = _followed(factor[up], term[up])
    if not up.all():
        # The step from t down to t - 1 stands at t - 1, and h_M at M.
        down = np.flatnonzero(~up)
        end = t[down] == m[down]
        above = np.where(end, down, down + 1)
        back = np.where(end, 0.0, 1 / factor[above])
        rest = np.where(end, 1 / (j[down] + b[down]), -term[above] / factor[above])
        found[down] = _followed(back[::-1], rest[::-1])[::-1]
    # Without any that are marked there is nothing to follow, and no rounding to add up.
    return np.where(j == 0, 1 / b, found)[t < drawn[group]]


def _factor(t: Rows, count: Rows, marked: Rows, base: Floats) -> Floats:
    """What h_(t-1) is multiplied with; whole numbers first, since the base may be next to nothing."""
    left = count - t + 1
    factor: Floats = t * ((left - marked) - base) / (left * (t + base))
    return factor


def _followed(factor: Floats, term: Floats) -> Floats:
    """Each number times the factor of the next, and its term added."""
    found, h = [], 0.0
    for times, plus in zip(factor.tolist(), term.tolist(), strict=True):
        h = times * h + plus
        found.append(h)
    return np.array(found)
