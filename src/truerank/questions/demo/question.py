"""The question: what does a score hide?"""

from __future__ import annotations

from typing import Annotated

from truerank.questions.demo.answer import Leaderboard
from truerank.questions.signature import question
from truerank.report.signature import Option


@question()
def demo(
    systems: Annotated[int, Option("How many systems take part.")] = 12,
    topics: Annotated[int, Option("How many topics there are.")] = 50,
    seed: Annotated[int, Option("The same seed gives the same track.")] = 7,
) -> Leaderboard:
    """Rank the systems of a simulated track, and see what moves them.

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
