"""How many of the marked a sample without replacement has: exact chances."""

from __future__ import annotations

import numpy as np

from truerank.data.arrays import Floats, Rows


def hypergeometric(total: Rows, marked: Rows, drawn: int) -> Floats:
    """For each row, the chances that 0, 1, ..., ``drawn`` of the drawn are marked, of so many in total.

    >>> hypergeometric(np.array([4, 4]), np.array([2, 0]), 2).round(4).tolist()
    [[0.1667, 0.6667, 0.1667], [1.0, 0.0, 0.0]]
    """
    every, some = (np.asarray(each, np.float64)[:, None] for each in (total, marked))
    count = np.arange(drawn + 1.0)[None, :]
    least, most = np.maximum(0.0, drawn - (every - some)), np.minimum(some, drawn)
    possible = (count >= least) & (count <= most)
    # From each count to the next, times (marked - i)(drawn - i) / ((i + 1)(total - marked - drawn + i + 1)).
    before = count[:, :-1]
    steps = possible[:, 1:] & possible[:, :-1]
    up = np.where(steps, (some - before) * (drawn - before), 1.0)
    down = np.where(steps, (before + 1) * (every - some - drawn + before + 1), 1.0)
    logs = np.concatenate([np.zeros((len(every), 1)), np.cumsum(np.log(up) - np.log(down), axis=1)], axis=1)
    logs = np.where(possible, logs, -np.inf)
    chance = np.exp(logs - logs.max(axis=1, keepdims=True))
    found: Floats = chance / chance.sum(axis=1, keepdims=True)
    return found


def above_in_sample(total: int, above: int, tied: int, drawn: int) -> Floats:
    """The probabilities that 0, 1, ..., ``drawn`` documents of a sample rank above a given one that is not in it.

    Of ``total`` documents, ``above`` have a higher score than the given one and ``tied`` the same; ties fall at random.

    >>> above_in_sample(2, 0, 2, 1).tolist(), above_in_sample(3, 1, 0, 3).tolist()
    ([0.5, 0.5], [0.0, 1.0, 0.0, 0.0])
    """
    first: Floats
    [first] = hypergeometric(np.array([total]), np.array([above]), drawn)
    if not tied:
        return first
    found = np.zeros(drawn + 1)
    for count in np.flatnonzero(first).tolist():
        [mates] = hypergeometric(np.array([total - above]), np.array([tied]), drawn - count)
        each = mates / np.arange(1.0, drawn - count + 2)
        found[count:] += first[count] * np.cumsum(each[::-1])[::-1]
    return found
