"""The tests by name, all called in the same way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy.typing as npt

from truerank.data.errors import InputError
from truerank.statistics.bootstrap import bootstrap_percentile, bootstrap_shift
from truerank.statistics.paired import PValues
from truerank.statistics.randomization import Drawing, randomization
from truerank.statistics.signs import sign, wilcoxon
from truerank.statistics.student import student
from truerank.statistics.tukey import randomized_tukey, tukey

if TYPE_CHECKING:
    from typing_extensions import Unpack


@dataclass(frozen=True)
class Procedure:
    """A test of every pair of systems."""

    title: str
    """What it is called in a sentence."""
    function: Callable[..., PValues]
    draws: bool = False
    """It draws at random: it takes ``permutations``, ``seed``, ``progress`` and ``threads``."""
    simultaneous: bool = False
    """It allows for all pairs by itself, so that its p-values want no correction."""

    def __call__(self, scores: npt.ArrayLike, **draws: Unpack[Drawing]) -> PValues:
        """p-values of every pair, from scores (systems x topics); a test that draws nothing ignores the keywords.

        >>> TESTS["sign"]([[1, 2, 3], [0, 0, 0]], seed=7).p[0, 1].item()
        0.25
        """
        return self.function(scores, **draws) if self.draws else self.function(scores)


TESTS: dict[str, Procedure] = {
    "student": Procedure("paired t-test", student),
    "wilcoxon": Procedure("Wilcoxon signed-rank test", wilcoxon),
    "wilcoxon-pratt": Procedure("Wilcoxon signed-rank test with Pratt's zeros", partial(wilcoxon, zeros="pratt")),
    "sign": Procedure("sign test", sign),
    "randomization": Procedure("randomisation test", randomization, draws=True),
    "bootstrap-shift": Procedure("bootstrap test, shift method", bootstrap_shift, draws=True),
    "bootstrap-percentile": Procedure("bootstrap test, percentiles", bootstrap_percentile, draws=True),
    "tukey": Procedure("Tukey's HSD, blocked by topic", tukey, simultaneous=True),
    "randomized-tukey": Procedure("randomised Tukey HSD", randomized_tukey, draws=True, simultaneous=True),
}
"""Tests by name."""


def procedure(name: str) -> Procedure:
    """The test of a name, or an error that lists the names.

    >>> procedure("tukey").simultaneous
    True
    """
    if name not in TESTS:
        raise InputError(f"test={name!r} is not known; take one of {', '.join(TESTS)}")
    return TESTS[name]
