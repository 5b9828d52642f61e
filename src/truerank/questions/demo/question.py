"""The question: what does a score hide?"""

from __future__ import annotations

import shutil
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Annotated

from truerank.questions.signature import question
from truerank.report import text
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column
from truerank.report.signature import Option
from truerank.report.table import Column, Table

WIDE = 104
"""Columns of a terminal from which on there is room for a picture."""
SCALE = 24
"""Width of the picture, for scores from 0 to 1."""
NEXT = """\
truerank simulate --out track                   the files of this track
truerank evaluate track/qrels.txt track/*.run   its scores, and what to know
truerank ties track/qrels.txt track/*.run       what the order of ties can do
truerank compare track/qrels.txt track/*.run    which differ by more than chance
truerank measures                               what else there is to measure"""


class LeaderboardRow(Row):
    """A run's score under the usual conventions, and under others."""

    run: str = column("the run")
    mean: float = column("its score by the measure", best="high")
    worst: float = column("in the worst order of ties")
    best: float = column("in the best order of ties")
    low: float = column("the lowest score that judging documents that these runs list can lead to")
    high: float = column("the highest such score")
    terminal: float = column("with the end of a list as an answer")
    deep: float = column("its score by the deeper measure", best="high")

    def drawn(self) -> str:
        """The score as a point, on the range of ties (thick) and of unjudged documents (thin).

        >>> LeaderboardRow(
        ...     run="a", mean=0.5, worst=0.25, best=0.75, low=0.5, high=1.0, terminal=0.5, deep=0.5
        ... ).drawn().strip()
        '━━━━━━●━━━━━━─────'
        """
        marks = [" "] * SCALE
        for sign, low, high in (("─", self.low, self.high), ("━", self.worst, self.best), ("●", self.mean, self.mean)):
            first, last = (min(SCALE - 1, max(0, int(end * SCALE))) for end in (low, high))
            marks[first : last + 1] = [sign] * (last + 1 - first)
        return "".join(marks)


class Leaderboard(Answer):
    """Standings, best first; columns of tables are named after the measures."""

    question = "demo"
    sheets = {"runs": Sheet(LeaderboardRow, "scores of runs, with each convention changed alone", of="standings")}

    measure: str = column("the measure")
    deeper: str = column("the same measure looked at deeper")
    num_topics: int = column("how many topics are judged")
    judgments: int = column("how many judgments there are")
    standings: tuple[LeaderboardRow, ...]

    @property
    def form(self) -> str:
        """It reads as a page, in a pipe, too."""
        return "table"

    def rank_of(self, column: str, run: str, value: float | None = None) -> int:
        """Where a run stands in the order of a column; or would, if it alone had another value."""
        values: dict[str, float] = {one.run: getattr(one, column) for one in self.standings}
        own = values.pop(run) if value is None else value
        return 1 + sum(other > own for name, other in values.items() if name != run)

    def lead(self, show: str) -> Iterator[str]:
        """What was made up."""
        count = len(self.standings)
        yield f"{count} simulated systems, {self.num_topics} topics, {self.judgments:,} pooled judgments"

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """A row a run; plain text goes on with what is to be seen in it."""
        table = self._named(super().layout(show))
        return replace(table, words=tuple(self._words(table)))

    def whole_layout(self, show: str) -> Table:
        """A row a run."""
        return self._named(super().whole_layout(show))

    def _named(self, table: Table) -> Table:
        names = {"mean": self.measure, "deep": self.deeper}
        columns = [replace(each, name=names.get(each.name, each.name)) for each in table.columns]
        return replace(table, columns=tuple(columns))

    def _words(self, table: Table) -> Iterator[str]:
        width = min(WIDE, shutil.get_terminal_size((WIDE, 24)).columns)
        if width == WIDE:
            drawn = zip(table.rows, self.standings, strict=True)
            table = Table(
                columns=(*table.columns, Column("0" + "1".rjust(SCALE - 1))),
                rows=tuple((*cells, one.drawn()) for cells, one in drawn),
            )
        yield from text.render(table).splitlines()
        yield ""
        for name, said in self._seen():
            yield from textwrap.wrap(f"{name:<10}{said}", width, subsequent_indent=" " * 10)
        yield from ("", "Try next:", *textwrap.indent(NEXT, "  ").splitlines())

    def _seen(self) -> Iterator[tuple[str, str]]:
        """What each choice does, told by the run that it moves most."""
        rank_of = self.rank_of

        def most(moved: Callable[[LeaderboardRow], float]) -> LeaderboardRow:
            return max(self.standings, key=lambda one: abs(moved(one)))

        tied = most(lambda one: one.best - one.worst)
        yield (
            "ties",
            f"documents with equal scores have no order; worst and best are the extremes, {self.measure} the mean over "
            f"all orders. {tied.run} is at rank {rank_of('mean', tied.run)}, and could be reported anywhere from "
            f"{rank_of('mean', tied.run, tied.worst)} ({tied.worst:.4f}) to "
            f"{rank_of('mean', tied.run, tied.best)} ({tied.best:.4f}).",
        )
        unseen = most(lambda one: one.high - one.low)
        yield (
            "unjudged",
            f"nobody looked at every document; low and high are the lowest and the highest score that judging what "
            f"these runs list can lead to. {unseen.run} is at rank {rank_of('mean', unseen.run)} with "
            f"{unseen.mean:.4f}, and could have anything from {unseen.low:.4f} to {unseen.high:.4f}.",
        )
        ended = most(lambda one: one.terminal - one.mean)
        yield (
            "ending",
            f"a list may stop early, or should have; terminal counts the end of a list as an answer. {ended.run} goes "
            f"from {ended.mean:.4f} to {ended.terminal:.4f}.",
        )
        deep = most(lambda one: rank_of("mean", one.run) - rank_of("deep", one.run))
        yield (
            "depth",
            f"{self.deeper} is the same measure looked at deeper. {deep.run} is at rank {rank_of('mean', deep.run)} by "
            f"{self.measure}, and at {rank_of('deep', deep.run)} by {self.deeper}.",
        )


@question()
def demo(
    systems: Annotated[int, Option("How many systems take part.")] = 12,
    topics: Annotated[int, Option("How many topics there are.")] = 50,
    seed: Annotated[int, Option("The same seed gives the same track.")] = 7,
) -> Leaderboard:
    """See what truerank does, on a simulated track.

    Example:
      truerank demo --systems 20 --seed 3

    >>> board = demo(systems=3, topics=5)
    >>> [row.run for row in board.standings], board.rank_of("deep", "dense-01")
    (['dense-01', 'bm25-01', 'boolean-01'], 1)
    """
    from truerank.measures.grammar import parse
    from truerank.questions.demo.work import leaderboard
    from truerank.questions.simulate.question import simulate

    return leaderboard(simulate(systems, topics, seed), parse("nDCG@10"), depth=1000)
