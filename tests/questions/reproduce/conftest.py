"""Two simulated collections, one with NIL in its lists."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import truerank as tr

Collection = tuple[Any, dict[str, Any]]
Reproduced = Callable[[str], tr.Reproduction]


@pytest.fixture(scope="package")
def track() -> Collection:
    """So many systems that ten of them make the pool, whose order can be compared."""
    found = tr.simulate(systems=14, topics=12, seed=3, documents=2_000, depth=150, pool_depth=40)
    return found.qrels, found.runs


@pytest.fixture(scope="package")
def reproduced(track: Collection) -> Reproduced:
    """A paper on the first collection, once for all tests."""
    return cache(lambda paper: tr.reproduce(paper, *track, name="sim"))


@pytest.fixture(scope="package")
def answers() -> Collection:
    """Short lists of questions, some with a NIL; the last question has no answer."""
    qrels = {f"q{n}": {f"a{n}": 1, f"b{n}": 1} for n in range(8)} | {"q8": {"x": 0}}
    sure = {f"q{n}": [f"a{n}", f"b{n}", "u", "v", "w"] for n in range(9)}
    wary = {f"q{n}": [f"a{n}", f"b{n}", "NIL"] for n in range(8)} | {"q8": ["NIL"]}
    early = {f"q{n}": ["u", "NIL" if n else "w", f"a{n}", f"b{n}", "v"] for n in range(9)}
    return qrels, {"sure": sure, "wary": wary, "early": early}
