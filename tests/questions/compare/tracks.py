"""Runs whose reciprocal ranks are what a test wants them to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def listed(rank: int) -> list[str]:
    """A list with its one relevant document at a rank, 0 for nowhere."""
    others = [f"n{at}" for at in range(max(rank, 3))]
    return [*others[: rank - 1], "x", *others[rank:]] if rank else others


def judged(topics: int, *, depth: int = 30) -> dict[str, dict[str, int]]:
    """One relevant document a topic, everything else that is listed judged not to be."""
    return {f"t{at:02}": {"x": 1, **{f"n{other}": 0 for other in range(depth)}} for at in range(topics)}


def run(ranks: Sequence[int]) -> dict[str, list[str]]:
    """A run with its relevant documents at these ranks."""
    return {f"t{at:02}": listed(rank) for at, rank in enumerate(ranks)}


def values(ranks: Sequence[int]) -> np.ndarray[Any, Any]:
    """The reciprocal ranks."""
    return np.array([1 / rank if rank else 0.0 for rank in ranks])


def track(seed: int, systems: int, topics: int) -> tuple[dict[str, Any], dict[str, Any], np.ndarray[Any, Any]]:
    """Judgments, runs and reciprocal ranks: systems of different quality on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    hard, poor = rng.uniform(1, 5, topics), np.linspace(1.0, 2.0, systems)[:, None]
    ranks = np.ceil(rng.gamma(1.5, hard * poor / 2)).astype(int).clip(1, 20)
    runs = {f"s{at:02}": run(row) for at, row in enumerate(ranks.tolist())}
    return judged(topics), runs, 1.0 / ranks
