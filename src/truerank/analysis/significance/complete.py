"""The topics on which every system has a score."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truerank.analysis.significance.paired import rectangular
from truerank.data.arrays import Floats, Mask
from truerank.data.errors import InputError
from truerank.data.printing import counted


@dataclass(frozen=True, eq=False)
class Complete:
    """Scores (systems x topics) that are all finite, and what was left out for it."""

    scores: Floats
    kept: Mask
    """For each topic that was given, whether it is among the scores."""
    notes: tuple[str, ...] = ()


def complete(scores: npt.ArrayLike) -> Complete:
    """Leave out the topics that have no value for some system, for all systems, and say how many.

    Dropping them for one pair at a time would compare each pair on topics of its own, and the differences of three
    systems would no longer add up.

    >>> found = complete([[0.5, float("nan"), 0.2], [0.1, 0.3, 0.4]])
    >>> found.scores.tolist(), found.notes
    ([[0.5, 0.2], [0.1, 0.4]], ('1 topic of 3 is left out, where system 0 has no value',))
    """
    values = rectangular(scores)
    finite = np.isfinite(values)
    kept = np.asarray(finite.all(axis=0))
    if not kept.any():
        raise InputError(
            f"no topic has a value for all of {counted(len(values), 'system')}; leave out systems that lack topics"
        )
    lost = int((~kept).sum())
    if not lost:
        return Complete(values, kept)
    lacking = np.flatnonzero(~finite.all(axis=1))
    who = f"system {lacking[0]} has" if len(lacking) == 1 else f"one of {len(lacking)} systems has"
    verb = "is" if lost == 1 else "are"
    note = f"{counted(lost, 'topic')} of {len(kept):,} {verb} left out, where {who} no value"
    return Complete(values[:, kept], kept, (note,))
