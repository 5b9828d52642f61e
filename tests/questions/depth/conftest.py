from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import truerank as tr
from truerank.questions.depth.question import Curves

MEASURES = "AP nDCG P"
SYSTEMS, DEEPEST, POOL = 9, 30, 7


@pytest.fixture(scope="session")
def both() -> tuple[Curves, Curves]:
    """Scores of the lists as they are, and of condensed lists."""
    random = np.random.default_rng(5)
    documents = [f"d{place}" for place in range(60)]
    qrels = {f"q{topic}": {one: int(random.integers(3)) for one in documents[:40]} for topic in range(4)}
    runs = {
        f"system{place}": {topic: [documents[one] for one in random.permutation(60)[:DEEPEST]] for topic in qrels}
        for place in range(SYSTEMS)
    }
    plain = tr.depth(qrels, runs, MEASURES, max_depth=DEEPEST, condensed=True)
    assert plain.condensed is not None
    return replace(plain, pool_depth=POOL, condensed=None), replace(plain.condensed, pool_depth=POOL)
