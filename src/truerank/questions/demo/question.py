"""The question: what does a score hide?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated

from truerank.questions.signature import question
from truerank.report.answer import Answer, Sheet, Written
from truerank.report.rows import Row, column
from truerank.report.signature import Option
from truerank.report.table import Table

if TYPE_CHECKING:
    from truerank.data.notes import Note
    from truerank.questions.simulate.track import SimulatedTrack

PAGE = "truerank-demo.html"
OPENS = {"darwin": "open", "win32": "start"}
"""The command that opens a page in a browser; elsewhere it is xdg-open."""
NEXT = (
    "truerank simulate --out track --systems 6      the files of this track",
    "truerank compare track/qrels.txt track/*.run   the table above",
    "truerank --help                                all commands",
)


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


class Leaderboard(Answer):
    """Standings, best first; columns of tables are named after the measures."""

    question = "demo"
    sheets = {"runs": Sheet(LeaderboardRow, "scores of runs, with each convention changed alone", of="standings")}

    measure: str = column("the measure")
    deeper: str = column("the same measure looked at deeper")
    num_topics: int = column("how many topics are judged")
    judgments: int = column("how many judgments there are")
    standings: tuple[LeaderboardRow, ...]
    track: SimulatedTrack
    page: str = PAGE
    """The file that the command writes a report to."""

    @property
    def form(self) -> str:
        """It reads as a page, in a pipe, too."""
        return "table"

    def rank_of(self, column: str, run: str) -> int:
        """The rank of a run by a column."""
        values: dict[str, float] = {one.run: getattr(one, column) for one in self.standings}
        return 1 + sum(other > values[run] for other in values.values())

    @cached_property
    def block(self) -> Answer:
        """What ``compare`` says of the runs; of a single one, ``evaluate``."""
        from truerank.questions.compare.question import compare
        from truerank.questions.evaluate.question import evaluate

        ask = compare if len(self.standings) > 1 else evaluate
        return ask(self.track.qrels, self.track.runs, self.measure)

    def verdict(self, show: str) -> str:
        """Which run is best."""
        return self.block.verdict(self.block.usual())

    def own_notes(self, show: str) -> Iterable[Note]:
        """What is worth knowing about the runs."""
        return self.block.notes()

    def caption(self, show: str) -> str:
        """How the runs were compared."""
        return self.block.caption(self.block.usual())

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """The table of the runs compared; below it the choices, and what to type next."""
        made = f"{len(self.standings)} simulated systems, {self.num_topics} topics, {self.judgments:,} judgments"
        after = (
            f"This was truerank compare on {made}.",
            "",
            "A score hides four choices. What each of them changes here:",
            "",
            *(f"  {line}" for line in self._choices()),
            "",
            "Next, with this track or with your own files:",
            "",
            *(f"  {line}" for line in NEXT),
        )
        return replace(self.block.layout(self.block.usual()), after=after)

    def whole_layout(self, show: str) -> Table:
        """A row a run."""
        table = super().whole_layout(show)
        names = {"mean": self.measure, "deep": self.deeper}
        columns = [replace(each, name=names.get(each.name, each.name)) for each in table.columns]
        return replace(table, columns=tuple(columns))

    def writes(self) -> Iterable[Written]:
        """The report, with the command that opens it."""
        opened = f"{OPENS.get(sys.platform, 'xdg-open')} {self.page}"
        return [Written(self.page, self._report(), f"wrote a report to share: {opened}")]

    def _report(self) -> Iterator[str]:
        from truerank.questions.report.question import report

        yield report(self.track.qrels, self.track.runs, self.measure, title="A simulated track").page()

    def _choices(self) -> Iterator[str]:
        """Each choice as a question, and below it what the answer changes most."""

        def most(moved: Callable[[LeaderboardRow], float]) -> LeaderboardRow:
            return max(self.standings, key=lambda one: abs(moved(one)))

        tied = most(lambda one: one.best - one.worst)
        yield "Ties: documents with equal scores have no order. Which one comes first?"
        spread = f"{tied.worst:.3f} to {tied.best:.3f}"
        yield f'  "{tied.run}" scores {tied.mean:.3f} on average over all orders, {spread} in one.'
        open_ = most(lambda one: one.high - one.low)
        yield "Unjudged: nobody judged all documents. Do the others count as not relevant?"
        bounds = f"{open_.low:.3f} to {open_.high:.3f}"
        yield f'  "{open_.run}" scores {open_.mean:.3f} if so; judging them could make it {bounds}.'
        ended = most(lambda one: one.terminal - one.mean)
        yield "End of list: a system may stop early. Is that an answer?"
        yield f'  "{ended.run}" scores {ended.mean:.3f} if the end is ignored, {ended.terminal:.3f} if it counts.'
        yield "Depth: how many documents does a reader look at?"
        first, deepest = self.standings[0].run, max(self.standings, key=lambda one: one.deep).run
        if first != deepest:
            yield f'  "{first}" is best by {self.measure}, "{deepest}" by {self.deeper}.'
        else:
            lost = most(lambda one: self.rank_of("deep", one.run) - self.rank_of("mean", one.run))
            before, after = (self.rank_of(column, lost.run) for column in ("mean", "deep"))
            yield f'  "{lost.run}" is at rank {before} by {self.measure}, at rank {after} by {self.deeper}.'


@question()
def demo(
    systems: Annotated[int, Option("How many systems take part.")] = 6,
    topics: Annotated[int, Option("How many topics there are.")] = 50,
    seed: Annotated[int, Option("The same seed gives the same track.")] = 7,
    *,
    page: Annotated[str, Option("The command writes a report to FILE.", metavar="FILE", file=True)] = PAGE,
) -> Leaderboard:
    """See what truerank does, on a simulated track.

    It compares the systems, and shows what ties, unjudged documents, the end of lists and depth change. The command
    also writes a report, which opens in any browser.

    Example:
      truerank demo
      truerank demo --systems 20 --seed 3 --page demo.html

    >>> board = demo(systems=3, topics=5)
    >>> [row.run for row in board.standings], board.rank_of("deep", "dense-01")
    (['dense-01', 'bm25-01', 'boolean-01'], 1)
    """
    from truerank.measures.grammar import parse
    from truerank.questions.demo.work import leaderboard
    from truerank.questions.simulate.question import simulate

    return leaderboard(simulate(systems, topics, seed), parse("nDCG@10"), depth=1000, page=page)
