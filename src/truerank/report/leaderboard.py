"""A leaderboard laid out: the table, and what is to be seen in it."""

from __future__ import annotations

from collections.abc import Callable

from truerank.analysis.leaderboard import Leaderboard, Standing
from truerank.report.table import Cell, Column, Table

SCALE = 24
"""Width of the picture, for scores from 0 to 1."""


def leaderboard_table(board: Leaderboard, *, picture: bool) -> Table:
    """A row a run, best first, each convention in columns of its own."""
    names = ("worst", "best", "low", "high", "terminal")
    columns = [Column("run"), Column(str(board.measure), number=True, best="high")]
    columns += [Column(name, number=True) for name in names]
    columns += [Column(str(board.deeper), number=True, best="high")]
    columns += [Column("0" + "1".rjust(SCALE - 1))] * picture
    rows: list[tuple[Cell, ...]] = []
    for one in board.standings:
        numbers = (one.mean, one.worst, one.best, one.low, one.high, one.terminal, one.deep)
        rows.append((one.run, *numbers, *([drawn(one)] * picture)))
    return Table(tuple(columns), tuple(rows))


def drawn(one: Standing) -> str:
    """The score as a point, on the range of ties (thick) and of unjudged documents (thin).

    >>> drawn(Standing("bm25", 0.5, 0.25, 0.75, 0.5, 1.0, 0.5, 0.5)).strip()
    '━━━━━━●━━━━━━─────'
    """
    marks = [" "] * SCALE
    for sign, low, high in (("─", one.low, one.high), ("━", one.worst, one.best), ("●", one.mean, one.mean)):
        first, last = (min(SCALE - 1, max(0, int(end * SCALE))) for end in (low, high))
        marks[first : last + 1] = [sign] * (last + 1 - first)
    return "".join(marks)


def seen(board: Leaderboard) -> list[tuple[str, str]]:
    """What each choice does, told by the run that it moves most."""
    measure, place = str(board.measure), board.place

    def most(moved: Callable[[Standing], float]) -> Standing:
        return max(board.standings, key=lambda one: abs(moved(one)))

    tied = most(lambda one: one.best - one.worst)
    unseen = most(lambda one: one.high - one.low)
    ended = most(lambda one: one.terminal - one.mean)
    deep = most(lambda one: place("mean", one.run) - place("deep", one.run))
    return [
        (
            "ties",
            f"documents with equal scores have no order; worst and best are the extremes, {measure} the mean over all "
            f"orders. {tied.run} is at place {place('mean', tied.run)}, and could be reported anywhere from "
            f"{place('mean', tied.run, tied.worst)} ({tied.worst:.4f}) to "
            f"{place('mean', tied.run, tied.best)} ({tied.best:.4f}).",
        ),
        (
            "unjudged",
            f"nobody looked at every document; low and high are the score if none or all of the unjudged ones are "
            f"relevant. {unseen.run} is at place {place('mean', unseen.run)} with {unseen.mean:.4f}; judging the rest "
            f"could raise it to {unseen.high:.4f}.",
        ),
        (
            "ending",
            f"a list may stop early, or should have; terminal counts the end of a list as an answer. {ended.run} goes "
            f"from {ended.mean:.4f} to {ended.terminal:.4f}.",
        ),
        (
            "depth",
            f"{board.deeper} is the same measure looked at deeper. {deep.run} is at place {place('mean', deep.run)} by "
            f"{measure}, and at {place('deep', deep.run)} by {board.deeper}.",
        ),
    ]
