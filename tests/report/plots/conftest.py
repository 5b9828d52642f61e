from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from truerank.analysis.depth import depths
from truerank.analysis.depths.curves import Curves
from truerank.conventions.choices import Conventions

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
    choices = [Conventions(), Conventions(unjudged="condensed")]
    plain, condensed = depths(qrels, runs, MEASURES, choices, max_depth=DEEPEST)
    return replace(plain, pool_depth=POOL), replace(condensed, pool_depth=POOL)
