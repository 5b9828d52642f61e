"""What a measure adds up, where it is a sum."""

from __future__ import annotations

from typing import Any

from truerank.data.rankings import Rankings
from truerank.measures.base import Measure


def summands(measure: Measure, r: Rankings, *kinds: type) -> tuple[Any, ...]:
    """The terms of a measure, if it is what they add up to over a normaliser, and all are of some kinds; else none.

    >>> from truerank.expectation.gain import Gain
    >>> from truerank.measures.ap import AP
    >>> from truerank.measures.rbp import RBP
    >>> r = Rankings.single([1, 0])
    >>> len(summands(RBP(), r, Gain)), len(summands(AP(), r, Gain))
    (1, 0)
    """
    if type(measure).score is not Measure.score:
        return ()
    terms = tuple(measure.terms(r))
    return terms if all(isinstance(term, kinds) for term in terms) else ()
