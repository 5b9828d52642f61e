"""Scores to test with."""

from __future__ import annotations

import numpy as np


def scores(seed: int, systems: int, topics: int) -> np.ndarray:
    """Systems of different quality on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    return rng.normal(0.4, 0.2, topics) + rng.normal(0, 0.05, (systems, 1)) + rng.normal(0, 0.1, (systems, topics))


def precisions(seed: int, systems: int, topics: int) -> np.ndarray:
    """Precision at 10: many topics on which systems differ by the same, or not at all."""
    rng = np.random.default_rng(seed)
    return rng.binomial(10, rng.beta(1, 1, topics), (systems, topics)) / 10


def alike(seed: int, systems: int, topics: int) -> np.ndarray:
    """Systems without a difference in quality, on topics of different difficulty."""
    rng = np.random.default_rng(seed)
    return rng.normal(0.4, 0.2, topics) + rng.normal(0, 0.1, (systems, topics))
