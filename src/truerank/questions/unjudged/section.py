"""What unjudged documents leave open, as a part of a page: a sentence for the verdict, columns of the leaderboard."""

from __future__ import annotations

from collections.abc import Sequence

from truerank.questions.unjudged.question import OpenScore, Unjudged
from truerank.report.pages.section import could_swap


def verdict(found: Unjudged, measure: str, ranked: Sequence[str]) -> tuple[str, ...]:
    """Whether judging what these runs list could swap runs, and the leader; nothing by a measure without bounds."""
    pairs = [pair for pair in found.pairs if pair.measure == measure]
    undecided = [(pair.run, pair.compared_with) for pair in pairs if pair.can_reverse]
    return could_swap("Judging the unjudged documents that these runs list", undecided, len(pairs), ranked)


def scores(found: Unjudged, measure: str) -> dict[str, OpenScore]:
    """By run, its score with what is open of it, and the share of judged documents."""
    return {row.run: row for row in found.open_scores if row.measure == measure}
