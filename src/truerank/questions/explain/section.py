"""How the score of one list comes about, as a part of a page."""

from __future__ import annotations

from truerank.questions.explain.question import Explanation, ScoreExplanation
from truerank.questions.explain.words import header


def lines(found: Explanation) -> tuple[str, ...]:
    """For each measure, the formula with the numbers of the list put in."""
    return tuple(f"{found.run}: {_put_in(one)}" for one in found.explained)


def _put_in(one: ScoreExplanation) -> str:
    if one.undefined:
        return f"{one.measure} is undefined {one.undefined}"
    last = header(one)[-1]
    # Without a gain there is nothing to put in, and the line before says what the letters stand for.
    return (
        last if last.startswith(f"{one.measure} = ") and last != header(one)[0] else f"{one.measure} = {one.score:.4f}"
    )
