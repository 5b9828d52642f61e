"""What ties do, as a part of a page: a sentence for the verdict, and a column of the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.questions.ties.question import Ties
from truerank.report.pages.section import could_swap


def verdict(found: Ties, measure: str, ranked: Sequence[str]) -> tuple[str, ...]:
    """Whether the order of ties could swap runs, and the leader among them."""
    pairs = found.ordered_pairs[measure]
    reversible = [(pair.run, pair.compared_with) for pair in found.pairs if pair.measure == measure]
    return could_swap("Ties", reversible, pairs, ranked)


def ranges(found: Ties, measure: str) -> dict[str, tuple[float, float]]:
    """By run, the score in the worst and in the best order of its ties."""
    return {row.run: (row.worst, row.best) for row in found.board if row.measure == measure}
