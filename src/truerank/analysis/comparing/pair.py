"""A system, and two of them side by side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

BETTER, WORSE, OPEN, SAME = "better", "worse", "not significant", "the same"
"""What a comparison can say of the second of two systems; of one that has the same scores, that it is the same."""


@dataclass(frozen=True)
class System:
    """The mean of a system over topics, with confidence intervals by Student's t and by the bootstrap."""

    run: str
    mean: float
    std_error: float
    low: float
    high: float
    bootstrap_low: float
    bootstrap_high: float
    better_than: tuple[str, ...]
    """The systems that it is significantly better than."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return {**vars(self), "better_than": list(self.better_than)}


@dataclass(frozen=True)
class Check:
    """What becomes of a pair if something that the data leave open is read in another way."""

    convention: str
    """Which choice: "ties", "unjudged" or "depth"."""
    favours: str
    """The system that everything open is read in favour of; for a depth, the measure looked at."""
    difference: float
    p: float
    """Corrected, with all other pairs as they are."""
    verdict: str
    settles: bool
    """Whether the verdict is the same."""
    exact: bool = True
    """Whether the data can be read so; otherwise this is a bound: for unjudged documents one that they need not reach,
    for ties one that other orders may pass."""

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return dict(vars(self))


@dataclass(frozen=True)
class Pair:
    """Two systems: ``a`` is what ``b`` is compared with, and differences are scores of b less scores of a."""

    measure: str
    a: str
    b: str
    verdict: str
    """What b is: "better" or "worse" if that is significant, "not significant", or "the same" on every topic."""
    difference: float
    low: float
    """The difference has a confidence interval; NaN from one topic."""
    high: float
    wins: int
    """Topics on which b is better."""
    ties: int
    losses: int
    p: float
    p_corrected: float
    d_z: float
    """Cohen's d_z: the difference in standard deviations of differences; NaN where they do not vary."""
    g_z: float
    """Hedges' correction of it."""
    d_av: float
    """The difference in standard deviations of scores."""
    superiority: float
    """Share of topics on which b is better, where equal ones count half."""
    detectable: float
    """The true difference that a t-test of this pair alone would find on so many topics, four times of five."""
    needed_topics: float
    """Topics on which it would so find the difference observed; infinite where that is 0."""
    p_equivalent: float | None
    """For means at least the margin apart, corrected; None where no margin was given."""
    p_no_worse: float | None
    """For b being worse by the margin or more, corrected."""
    equivalent: bool | None
    no_worse: bool | None
    checks: tuple[Check, ...] | None
    """Other readings of the data; None where none were tried."""

    @property
    def significant(self) -> bool:
        """Whether the systems differ by the test, after correction."""
        return self.verdict in (BETTER, WORSE)

    @property
    def settled(self) -> bool | None:
        """Whether every other reading has the same verdict; None where none were tried."""
        return None if self.checks is None else all(check.settles for check in self.checks)

    @property
    def open(self) -> tuple[Check, ...]:
        """The other readings that change the verdict."""
        return tuple(check for check in self.checks or () if not check.settles)

    def as_record(self) -> dict[str, Any]:
        """Everything that is one value, by name; of other readings those conventions that change the verdict.

        ``run`` is b, which the verdict and the difference are of, and ``compared_with`` is a.
        """
        values = {name: value for name, value in vars(self).items() if name not in ("measure", "a", "b", "checks")}
        found = {"measure": self.measure, "run": self.b, "compared_with": self.a, **values}
        if math.isfinite(self.needed_topics):
            found["needed_topics"] = int(self.needed_topics)
        found["significant"] = self.significant
        found["settled"] = self.settled
        found["depends_on"] = " ".join(dict.fromkeys(check.convention for check in self.open))
        return found

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        checks = None if self.checks is None else [check.as_dict() for check in self.checks]
        return {**self.as_record(), "checks": checks}
