"""Ties broken: each tied document gets one rank of its group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from truerank.conventions.axes import USUAL_ORDERS
from truerank.data.arrays import Floats, Rows, begins, distinct, ordered, spans, stretches
from truerank.data.judge import JudgedRun
from truerank.data.run import Run
from truerank.data.ties import before

Merit = Callable[[Floats], Floats]


def orders_of(run: Run) -> tuple[str, ...]:
    """The orders that tools take for ties and that a run can be put in: by rank only with a rank column."""
    return tuple(order for order in USUAL_ORDERS if order != "rank" or run.rank is not None)


def broken_by_order(judged: JudgedRun, order: str, seed: int = 0) -> JudgedRun:
    """Ties in one of the orders that do not look at judgments: by document, by input, by chance."""
    tied = np.flatnonzero(judged.size > 1)
    if not len(tied):
        return judged
    place = before(judged.run, judged.row[tied], judged.first[tied], judged.size[tied], order, seed)
    group, _ = groups(judged, tied)
    sorted_ = ordered(group, place)
    return _placed(judged, tied, tied[sorted_], place[sorted_])


def broken_by_merit(judged: JudgedRun, merit: Merit, *, best: bool) -> JudgedRun:
    """Ties in the best order, or the worst; documents that are not listed here are unjudged and stand between."""
    tied = np.flatnonzero(judged.size > 1)
    if not len(tied):
        return judged
    value, unlisted = _merits(judged.grade[tied], merit)
    if best:
        value, unlisted = int(value.max()) - value, int(value.max()) - unlisted
    group, members = groups(judged, tied)
    sorted_ = ordered(group, value)
    place = spans(np.zeros_like(members), members)
    from_below = judged.size[tied] - np.repeat(members, members) + place
    return _placed(judged, tied, tied[sorted_], np.where(value[sorted_] < unlisted, place, from_below))


def _merits(grade: Floats, merit: Merit) -> tuple[Rows, int]:
    """The merit of each grade as a number from 0 on, higher is better, and that of unjudged documents among them.

    There are few grades and many documents.
    """
    levels = np.append(distinct(grade[~np.isnan(grade)]), np.nan)
    worth = merit(levels)
    code = np.searchsorted(distinct(worth), worth)
    # NaN is found behind all grades.
    return code[np.searchsorted(levels[:-1], grade)], int(code[-1])


def by_grade(judged: JudgedRun) -> JudgedRun:
    """Tied documents by their grades, so that sums over them have the same bits whatever order the rows came in."""
    tied = np.flatnonzero(judged.size > 1)
    if not len(tied):
        return judged
    # A run is evaluated again and again, and sorting its documents takes as long as several measures.
    known = next(
        (one for one in judged.run.placed if all(one.columns[name] is getattr(judged, name) for name in _ORDERED)), None
    )
    if known is None:
        return taken(judged, _by_grade(judged, tied))
    if known.by_grade is None:
        known.by_grade = _by_grade(judged, tied)
    return taken(judged, known.by_grade)


_ORDERED = ("offsets", "grade", "above", "size")
"""The columns that the order by grade depends on."""


def _by_grade(judged: JudgedRun, tied: Rows) -> Rows:
    group, _ = groups(judged, tied)
    rows = np.arange(len(judged.row))
    grade = judged.grade[tied]
    rows[tied] = tied[ordered(group, np.searchsorted(distinct(grade[~np.isnan(grade)]), grade))]
    return rows


def groups(judged: JudgedRun, documents: Rows) -> tuple[Rows, Rows]:
    """Number of each document's tie group among some documents, and how many of them each group has."""
    new = begins(judged.above[documents], topics_of(judged)[documents])
    return np.cumsum(new) - 1, np.diff(np.flatnonzero(new), append=len(documents))


def taken(judged: JudgedRun, rows: Rows) -> JudgedRun:
    """The documents at ``rows``, which keep every topic's documents together."""
    columns = {name: getattr(judged, name)[rows] for name in ("row", "judgment", "grade", "above", "size")}
    return replace(judged, **columns)


def topics_of(judged: JudgedRun) -> Rows:
    """Index of each document's topic."""
    return stretches(judged.offsets)


def tied_topics(judged: JudgedRun, topics: Rows, merit: Merit | None = None) -> Rows:
    """Those of some topics that have ties; with ``merit``, between documents that it tells apart."""
    documents = np.flatnonzero(judged.size > 1)
    if merit is not None and len(documents):
        value, unlisted = _merits(judged.grade[documents], merit)
        group, members = groups(judged, documents)
        first = np.cumsum(members) - members
        # Documents of the group that are not listed here are unjudged.
        alone = judged.size[documents][first] > members
        low, high = np.minimum.reduceat(value, first), np.maximum.reduceat(value, first)
        differ = (low != high) | (alone & (low != unlisted))
        documents = documents[differ[group]]
    tied = np.zeros(len(judged.length), bool)
    tied[topics_of(judged)[documents]] = True
    return topics[tied[topics]]


def _placed(judged: JudgedRun, at: Rows, documents: Rows, place: Rows) -> JudgedRun:
    """``documents`` put where those ``at`` stood, at places counted from the top of their groups, and untied."""
    rows = np.arange(len(judged.row))
    rows[at] = documents
    above = judged.above.copy()
    above[at] += place
    return replace(taken(judged, rows), above=above, size=np.ones(len(above), np.intp))
