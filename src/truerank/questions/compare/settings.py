"""How systems are compared: the test, the correction, the level, and what is drawn at random."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from truerank.data.errors import InputError
from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.intervals import METHODS
from truerank.statistics.randomization import Drawing, Draws, Progress
from truerank.statistics.tests import Procedure, procedure

POWER = 0.8
"""Chance of finding a difference that topics are counted for."""
_SHORT = {"t": "student"}
_NAMES = {"holm": "Holm", "bonferroni": "Bonferroni", "benjamini-hochberg": "Benjamini-Hochberg", "none": "uncorrected"}
_INTERVALS = {"bootstrap-shift": "bootstrap", "bootstrap-percentile": "bootstrap"}
_WAYS = {"randomization": "randomization", "bootstrap-shift": "bootstrap", "bootstrap-percentile": "bootstrap"}
_ONE_SIDED = {"student": "paired t-test", "randomization": "randomisation test", "bootstrap": "bootstrap test"}


@dataclass(frozen=True, kw_only=True)
class CompareSettings:
    """What was chosen; where the correction or the interval was not, they are those that go with the test.

    >>> CompareSettings(test="tukey").correction, CompareSettings(test="t").test, CompareSettings(test="t").correction
    ('none', 'student', 'holm')
    """

    test: str = "student"
    correction: str = ""
    """For the pairs of each measure; a test that allows for all pairs by itself has "none"."""
    alpha: float = 0.05
    margin: float | None = None
    """How far systems may be apart and still count as equivalent."""
    interval: str = ""
    """How intervals of differences are found: "t", "bootstrap", "bca" or "tukey"."""
    permutations: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        test = _SHORT.get(self.test, self.test)
        simultaneous = procedure(test).simultaneous
        correction = self.correction or ("none" if simultaneous else "holm")
        interval = self.interval or ("tukey" if simultaneous else _INTERVALS.get(test, "t"))
        for name, value in (("test", test), ("correction", correction), ("interval", interval)):
            object.__setattr__(self, name, value)
        if correction not in CORRECTIONS:
            raise InputError(f"correction={correction!r} is not known; take one of {', '.join(CORRECTIONS)}")
        if simultaneous and correction != "none":
            raise InputError(f"test={test!r} allows for all pairs by itself; leave correction={correction!r} out")
        if interval not in METHODS:
            raise InputError(f"interval={interval!r} is not known; take one of {', '.join(METHODS)}")
        if not 0 < self.alpha < 1:
            raise InputError(f"alpha={self.alpha!r}; give a number between 0 and 1, such as 0.05")
        if self.margin is not None and not 0 < self.margin < math.inf:
            raise InputError(f"margin={self.margin!r}; give a difference above 0 that does not matter")
        Draws(self.permutations, self.seed)

    @property
    def procedure(self) -> Procedure:
        """The test itself."""
        return procedure(self.test)

    @property
    def title(self) -> str:
        """The test in words."""
        return self.procedure.title

    @property
    def correction_title(self) -> str:
        """The correction in words."""
        return _NAMES[self.correction]

    @property
    def margin_correction_title(self) -> str:
        """The correction for margins in words."""
        return _NAMES[self.margin_correction]

    @property
    def confidence(self) -> float:
        """Of intervals."""
        return 1.0 - self.alpha

    @property
    def margin_test(self) -> str:
        """The test by which a difference is held against a margin: the one chosen, or else Student's."""
        return _WAYS.get(self.test, "student")

    @property
    def margin_correction(self) -> str:
        """The correction of p-values for margins, which no test allows for by itself."""
        return "holm" if self.procedure.simultaneous else self.correction

    @property
    def margin_title(self) -> str:
        """The test against a margin in words."""
        return f"one-sided {_ONE_SIDED[self.margin_test]}"

    def drawing(self, progress: Progress | None = None) -> Drawing:
        """The keywords of what draws at random."""
        return {"permutations": self.permutations, "seed": self.seed, "progress": progress}

    def as_dict(self) -> dict[str, Any]:
        """Everything by name."""
        return asdict(self)
