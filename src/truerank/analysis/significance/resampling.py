"""Draws at random, which are the same whatever the number of threads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import TypedDict, TypeVar

import numpy as np

from truerank.data.arrays import Floats, Rows
from truerank.data.errors import InputError
from truerank.data.parallel import blocks, parallel

Result = TypeVar("Result")
Progress = Callable[[int, int], None]
"""Called with how many draws are done, and of how many; perhaps from another thread, but never from two at once."""

CLOSE = 1e-10
"""Relative to the sum of sizes: a draw that gives the same sum counts as far, however it was rounded."""
_BLOCK = 1024
"""Draws from one generator. Another number would give other draws."""


class Drawing(TypedDict, total=False):
    """The keywords of all that draws at random."""

    permutations: int
    """How often to draw: permutations, assignments, or bootstrap samples."""
    seed: int
    """The same seed gives the same numbers, to the last bit."""
    progress: Progress | None
    threads: int | None
    """At most so many threads; by default as many as there are processors."""


@dataclass(frozen=True)
class Draws:
    """How often to draw, and from which seed."""

    permutations: int = 10_000
    seed: int = 0
    progress: Progress | None = None
    threads: int | None = None

    def __post_init__(self) -> None:
        for name, value, least in (("permutations", self.permutations, 1), ("seed", self.seed, 0)):
            if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
                raise InputError(f"{name}={value!r}; give a whole number from {least} on")

    @property
    def samples(self) -> str:
        """How bootstrap samples were drawn, in words.

        >>> Draws(seed=7).samples
        '10,000 bootstrap samples drawn with seed 7'
        """
        return f"{self.permutations:,} bootstrap samples drawn with seed {self.seed}"

    def over(self, work: Callable[[slice], Result], count: int | None = None) -> list[Result]:
        """What ``work`` returns for each stretch of draws, in their order; stretches run side by side.

        >>> Draws(1500).over(lambda part: part.stop - part.start)
        [1024, 476]
        """
        lock = Lock()
        every = self.permutations if count is None else count
        done = 0

        def step(part: slice) -> Result:
            nonlocal done
            result = work(part)
            if self.progress is not None:
                with lock:
                    done += part.stop - part.start
                    self.progress(done, every)
            return result

        return parallel(step, blocks(every, _BLOCK), self.threads)

    def total(self, work: Callable[[slice], Rows], count: int | None = None) -> Rows:
        """What ``work`` counts in each stretch of draws, added up."""
        found: Rows = np.sum(self.over(work, count), axis=0)
        return found

    def generator(self, part: slice) -> np.random.Generator:
        """The generator of one stretch of draws, which depends on where it begins and on nothing else.

        >>> bool(Draws(9).generator(slice(0, 9)).random() == Draws(5000).generator(slice(0, 1024)).random())
        True
        """
        return np.random.default_rng(np.random.SeedSequence(self.seed, spawn_key=(part.start // _BLOCK,)))

    def resamples(self, topics: int, part: slice) -> Floats:
        """How often each topic is among as many drawn with replacement, a draw a row.

        >>> Draws().resamples(5, slice(0, 3)).sum(axis=1).tolist()
        [5.0, 5.0, 5.0]
        """
        rows = part.stop - part.start
        drawn = self.generator(part).integers(0, topics, (rows, topics))
        drawn += topics * np.arange(rows)[:, None]
        return np.bincount(drawn.ravel(), minlength=rows * topics).reshape(rows, topics).astype(np.float64)
