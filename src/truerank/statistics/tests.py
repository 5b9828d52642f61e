"""The tests by name, all called in the same way."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy.typing as npt

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.statistics.bootstrap import bootstrap_shift
from truerank.statistics.dunnett import dunnett, randomized_dunnett
from truerank.statistics.paired import PValues
from truerank.statistics.randomization import Drawing, randomization
from truerank.statistics.signs import sign, wilcoxon
from truerank.statistics.student import student
from truerank.statistics.tukey import randomized_tukey, tukey

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Procedure:
    """A test of every pair of systems, or of every system against one."""

    title: str
    """What it is called in a sentence."""
    function: Callable[..., PValues]
    draws: bool = False
    """It draws at random: it takes ``permutations``, ``seed``, ``progress`` and ``threads``."""
    simultaneous: bool = False
    """It allows for all pairs by itself, so that its p-values want no correction."""
    against_one: bool = False
    """It is of every system against a baseline, and of no other pair."""

    def __call__(self, scores: npt.ArrayLike, baseline: int = 0, **draws: Unpack[Drawing]) -> PValues:
        """p-values of every pair, from scores (systems x topics); a test that draws nothing ignores the keywords.

        ``baseline`` is the position of the system that others are held against, for tests that have one.

        >>> TESTS["sign"]([[1, 2, 3], [0, 0, 0]], seed=7).p[0, 1].item()
        0.25
        """
        function = partial(self.function, baseline=baseline) if self.against_one else self.function
        return function(scores, **draws) if self.draws else function(scores)


TESTS: dict[str, Procedure] = {
    "student": Procedure("paired t-test", student),
    "wilcoxon": Procedure("Wilcoxon signed-rank test", wilcoxon),
    "sign": Procedure("sign test", sign),
    "randomization": Procedure("randomisation test", randomization, draws=True),
    "bootstrap-shift": Procedure("bootstrap test, shift method", bootstrap_shift, draws=True),
    "tukey": Procedure("Tukey's HSD, blocked by topic", tukey, simultaneous=True),
    "randomized-tukey": Procedure("randomised Tukey HSD", randomized_tukey, draws=True, simultaneous=True),
}
"""Tests of every pair by name."""

BASELINE_TESTS: dict[str, Procedure] = {
    "dunnett": Procedure("Dunnett's test, blocked by topic", dunnett, simultaneous=True, against_one=True),
    "randomized-dunnett": Procedure(
        "randomised Dunnett test", randomized_dunnett, draws=True, simultaneous=True, against_one=True
    ),
}
"""Tests of every system against one, by name."""


def procedure(name: str, *, baseline: bool = False) -> Procedure:
    """The test of a name, or an error that lists the names; with a ``baseline``, those against one are among them.

    >>> procedure("tukey").simultaneous, procedure("dunnett", baseline=True).against_one
    (True, True)
    """
    known = TESTS | BASELINE_TESTS if baseline else TESTS
    if name not in known:
        raise InputError(f"test={name!r} is not known; take one of {', '.join(known)}")
    return known[name]
