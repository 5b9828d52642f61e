"""F-measure of the retrieved set."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.measures.f import F


@dataclass(frozen=True, kw_only=True, repr=False)
class SetF(F):
    """F-measure of everything retrieved.

    >>> SetF().of([1, 0, 1, 0], pool=[1, 1, 1, 1])
    0.5
    """

    name = "SetF"
    formula = "(1 + beta^2) hits / (n + beta^2 R)"
    takes_cutoff = False
    takes_terminal = False
