"""What every target is: a maker of inputs, and what is done with one."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from fuzz.case import Case


class Disagreement(AssertionError):
    """Two ways to the same answer, and two answers; or an answer that is not as it has to be."""

    def __init__(self, what: str, detail: str = "") -> None:
        super().__init__(f"{what}: {detail}" if detail else what)
        self.what = what
        """The same for all inputs that show it."""


class Target(Protocol):
    """Something that takes inputs."""

    name: str
    share: int
    """Of a thousand inputs, how many go here."""
    heavy: bool
    """Whether it is left to long runs."""
    patience: float
    """How many times the usual time one input may take."""
    room: float
    """How many times the usual memory one input may take."""

    def missing(self) -> str:
        """What it needs and is not there; "" where nothing is."""

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A new input, from nothing or from one of its own that were kept."""

    def run(self, case: Case, folder: Path) -> str:
        """Try it; return what kind of answer came, in a few words. What is refused raises."""


class Light:
    """A target that needs nothing and is quick."""

    heavy = False
    patience = 1.0
    room = 1.0

    def missing(self) -> str:
        """Nothing."""
        return ""


def pattern(text: str) -> str:
    """A message without the names and numbers in it, so that what is said twice counts once."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|/\S+", "_", text)
    return re.sub(r"[-+]?\d[\d.,e+]*", "0", text)[:160]
