"""How long lists are, before and after they are ended at their NIL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.cuts.bins import Bin, bins
from truerank.analysis.views import Views
from truerank.conventions.ending import nil_rows
from truerank.data.arrays import Mask, Rows

PLAIN = 20
"""Lengths up to which each has a bin of its own."""


@dataclass(frozen=True, eq=False)
class Lists:
    """The lists of a run, one a topic."""

    before: Rows
    """Documents as they were handed in, NIL included; 0 where the topic is left out."""
    after: Rows
    """Documents down to the NIL."""
    nil: Mask
    """Which lists have a NIL."""

    @classmethod
    def of(cls, views: Views) -> Lists:
        """The lists of a run; a convention that drops documents does not make a list one that was ended early."""
        run, topic = views.whole, views.judged.run_topic[views.topics]
        marked = np.zeros(len(run.topics) + 1, np.bool_)
        marked[np.searchsorted(run.offsets, nil_rows(run), side="right") - 1] = True
        return cls(np.append(np.diff(run.offsets), 0)[topic], views.lengths("terminal"), marked[topic])

    def ended(self, limit: int) -> Mask:
        """Which lists the system ended, if it could list ``limit`` documents: those with a NIL, and shorter ones."""
        return self.nil | (self.before < limit)

    def share_ended(self, limit: int) -> float:
        """Share of lists that the system ended."""
        return float(self.ended(limit).sum() / len(self.before)) if len(self.before) else np.nan


@dataclass(frozen=True)
class Spread:
    """How many lists of all runs have a length in a bin."""

    bin: Bin
    before: int
    """As they were handed in."""
    after: int
    """Ended at their NIL."""

    @property
    def name(self) -> str:
        """The lengths in words."""
        return str(self.bin.low) if self.bin.low == self.bin.high else str(self.bin)

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {"low": self.bin.low, "high": self.bin.high, "before": self.before, "after": self.after}


def spread(lists: Iterable[Lists]) -> tuple[Spread, ...]:
    """The lengths of all lists, each by itself where they are short, in bins that grow twofold where they are long."""
    every = [*lists]
    before, after = (np.concatenate([getattr(one, when) for one in every]) for when in ("before", "after"))
    longest = int(before.max(initial=0))
    found = tuple(Bin(n, n) for n in range(longest + 1)) if longest <= PLAIN else bins(longest)
    ends = [one.high for one in found]
    counts = [np.bincount(np.searchsorted(ends, some), minlength=len(found)).tolist() for some in (before, after)]
    return tuple(Spread(*row) for row in zip(found, *counts, strict=True))
