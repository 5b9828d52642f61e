"""How long lists are, before and after they are ended at their NIL."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from truerank.analysis.views import Views
from truerank.conventions.ending import nil_rows
from truerank.data.arrays import Mask, Rows
from truerank.questions.truncate.bins import Bin, bins, counts

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
    ended: Mask
    """Which lists the system ended: those with a NIL and those shorter than the limit; without a limit, all."""

    @classmethod
    def of(cls, views: Views) -> Lists:
        """The lists of a run; a convention that drops documents does not make a list one that was ended early."""
        run, topic = views.whole, views.judged.run_topic[views.topics]
        marked = np.zeros(len(run.topics) + 1, np.bool_)
        marked[run.topic_of(nil_rows(run))] = True
        before = np.append(np.diff(run.offsets), 0)[topic]
        return cls(before, views.lengths("terminal"), marked[topic], views.ended)

    @property
    def share_ended(self) -> float:
        """Share of lists that the system ended."""
        return float(self.ended.mean()) if len(self.ended) else np.nan


@dataclass(frozen=True)
class Spread:
    """How many lists of all runs have a length in a bin."""

    bin: Bin
    before: int
    """As they were handed in."""
    after: int
    """Ended at their NIL."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {"low": self.bin.low, "high": self.bin.high, "before": self.before, "after": self.after}


def spread(lists: Iterable[Lists]) -> tuple[Spread, ...]:
    """The lengths of all lists, each by itself where they are short, in bins that grow twofold where they are long."""
    every = [*lists]
    before, after = (np.concatenate([getattr(one, when) for one in every]) for when in ("before", "after"))
    longest = int(before.max(initial=0))
    found = tuple(Bin(n, n) for n in range(longest + 1)) if longest <= PLAIN else bins(longest)
    both = (counts(some, found).tolist() for some in (before, after))
    return tuple(Spread(*row) for row in zip(found, *both, strict=True))
