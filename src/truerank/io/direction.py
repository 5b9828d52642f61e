"""Runs from columns: which documents are best, those with high scores, with low ones, or those listed first."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parallel import parallel, topic_blocks
from truerank.data.run import Run, arrange
from truerank.io.columns import Columns

LISTED = "documents have no scores: taken to be listed best first"
RANKED = "scores are made of ranks: the first rank is best"
NEGATED = "low scores are best, as declared: scores are negated"
LOWEST = "scores are negated, so that the lowest is best"
RISING = "scores rise down the lists, which are taken to be best first"

_BLOCK = 1 << 16


def run_from(columns: Columns, name: str, higher_is_better: bool | None = None, *, nil_once: bool = False) -> Run:
    """Make a run of documents with a number each, or listed best first; the columns are given away.

    ``nil_once`` as in ``arrange``.

    >>> from truerank.data.errors import Origin
    >>> from truerank.data.ids import Ids
    >>> columns = Columns([b"q"], np.array([0]), np.array([0, 2]), [Ids.pack("ab")], np.array([2.0, 1.0]), Origin())
    >>> run_from(columns, "distances", higher_is_better=False).ranking("q")
    [('b', -1.0), ('a', -2.0)]
    """
    score, notes = columns.number, columns.notes
    low = higher_is_better is False or (higher_is_better is None and columns.lowest_first)
    if columns.holds != "score":
        refuse_listed(higher_is_better)
    if columns.holds == "nothing":
        score, notes = np.zeros(len(columns.ids[0])), (*notes, LISTED)
    elif columns.holds == "rank" or low:
        notes = (*notes, RANKED if columns.holds == "rank" else NEGATED if higher_is_better is False else LOWEST)
        np.subtract(0.0, score, out=score)
    run = arrange(
        name,
        columns.topics,
        columns.bounds,
        columns.ids[0],
        score,
        segment=columns.segment,
        key=columns.key,
        rank=columns.rank,
        origin=columns.origin,
        reuse=True,
        nil_once=nil_once,
    )
    if columns.holds == "nothing":
        run = replace(run, score=places(run.offsets))
    return replace(run, notes=(*notes, *run.notes)) if notes else run


def negated(run: Run) -> Run:
    """Reverse a run whose low scores are best; documents with equal scores keep their order.

    >>> from truerank.data.ids import Ids
    >>> run = arrange("dense", [b"q1"], [0, 3], Ids.pack("abc"), [0.5, 0.1, 0.5])
    >>> negated(run).ranking("q1")
    [('b', -0.1), ('a', -0.5), ('c', -0.5)]
    """
    order = input_order(run)
    score, docs, key = 0.0 - run.score[order], run.docs.take(order), run.key[order]
    rank = None if run.rank is None else run.rank.take(order)
    turned = arrange(run.name, run.topics, run.offsets, docs, score, key=key, rank=rank, reuse=True)
    return replace(turned, notes=(*run.notes, NEGATED))


def low_is_best(run: Run) -> bool:
    """Whether low scores of a run were declared to be best, so that it has them negated.

    >>> from truerank.data.ids import Ids
    >>> run = arrange("dense", [b"q1"], [0, 1], Ids.pack("a"), [0.5])
    >>> low_is_best(run), low_is_best(negated(run)), low_is_best(negated(negated(run)))
    (False, True, False)
    """
    return (run.notes.count(NEGATED) + run.notes.count(LOWEST)) % 2 == 1


def lowest_first(score: Floats, bounds: Rows) -> tuple[bool, tuple[str, ...]]:
    """Whether low scores are best, of lists that are best first, and what to say of it.

    Scores that fall down all lists need no word; refused where some fall and some rise.

    >>> lowest_first(np.array([0.1, 0.4, 0.2, 0.2]), np.array([0, 2, 4]))[0]
    True
    >>> lowest_first(np.array([0.4, 0.1, 0.2]), np.array([0, 2, 3]))
    (False, ())
    """
    step = np.diff(score)
    inside = np.ones(len(step), np.bool_)
    # Between two lists there is no step.
    ends = bounds[1:-1] - 1
    inside[ends[(ends >= 0) & (ends < len(step))]] = False
    falls, rises = bool((step[inside] < 0).any()), bool((step[inside] > 0).any())
    if falls and rises:
        raise InputError(
            "scores rise in some places and fall in others, so that lists are not best first; say whether a high score "
            "is good: higher_is_better=True or False"
        )
    return rises, (RISING,) if rises else ()


def input_order(run: Run) -> Rows:
    """Return the rows of a run topic by topic, as they came."""
    if run.arrival is None:
        return np.arange(len(run))
    order = np.arange(len(run))

    def sort(block: tuple[int, int]) -> None:
        for begin, end in zip(bounds[slice(*block)], bounds[block[0] + 1 : block[1] + 1], strict=True):
            order[begin:end] = np.argsort(arrival[begin:end]) + begin

    arrival, bounds = run.arrival, run.offsets.tolist()
    parallel(sort, topic_blocks(bounds, _BLOCK))
    return order


def places(bounds: Rows) -> Floats:
    """Scores by place in a list: n for the first of n documents, down to 1.

    >>> places(np.array([0, 3, 4])).tolist()
    [3.0, 2.0, 1.0, 1.0]
    """
    ends = np.repeat(bounds[1:], np.diff(bounds))
    return (ends - np.arange(len(ends))).astype(np.float64)


def refuse_listed(higher_is_better: bool | None) -> None:
    """Refuse to reverse what has no scores."""
    if higher_is_better is False:
        raise InputError(
            "there are no scores for higher_is_better=False to reverse, only places in a list; leave it out"
        )
