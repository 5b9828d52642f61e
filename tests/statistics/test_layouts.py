"""Statistics give the same bits, however the scores lie in memory, and write into none of what they are given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.layouts import LAYOUTS, bits
from tests.quick import first
from tests.statistics.tracks import precisions, scores

from truerank.data.arrays import Floats
from truerank.statistics import correlations as rank
from truerank.statistics.anova import anova, same_means, sources
from truerank.statistics.clusters import Clusters, intraclass
from truerank.statistics.corrections import CORRECTIONS
from truerank.statistics.effects import effects
from truerank.statistics.intervals import difference_intervals, mean_intervals
from truerank.statistics.level import level
from truerank.statistics.randomization import Draws
from truerank.statistics.raters import alpha, kappa, ordered_alike
from truerank.statistics.replicates import Replicates
from truerank.statistics.strata import Strata
from truerank.statistics.student import significant
from truerank.statistics.tests import BASELINE_TESTS, TESTS
from truerank.statistics.unseen import safe_loss, unseen_means

GROUPS = np.repeat(np.arange(8), 4)[:30]
SYSTEM = np.array([0, 0, 1, 1, 2])
DRAWS: dict[str, Any] = {"permutations": 200, "seed": 3}


def both(of: Callable[..., Any]) -> Callable[[Floats], Any]:
    """Of every two rows, at once and one by one."""
    return lambda x: [of(x, x[::-1]), of(x[0], x[1])]


STATISTICS: dict[str, Callable[[Floats], Any]] = {
    **{name: lambda x, of=test: of(x, **DRAWS) for name, test in (TESTS | BASELINE_TESTS).items()},
    **{name: lambda x, of=of: of(np.abs(x) / np.abs(x).max()) for name, of in CORRECTIONS.items()},
    **{
        of.__name__: both(of)
        for of in (rank.kendall, rank.kendall_b, rank.spearman, rank.tau_ap, rank.tau_ap_b, rank.weighted_tau)
    },
    "places": lambda x: rank.Places.of(x),
    "anova": anova,
    "same means": same_means,
    "sources": sources,
    "sources of systems": lambda x: sources(x, SYSTEM),
    "clusters": lambda x: [Clusters(GROUPS).of(x), Clusters(GROUPS).around_means(x)],
    "intraclass": lambda x: intraclass(x, GROUPS),
    "effects": effects,
    "unseen topics": lambda x: [unseen_means(x, np.full(len(x), 0.05), **DRAWS), safe_loss(x[0], 0.02, **DRAWS)],
    "intervals of means": lambda x: [mean_intervals(x, method=how, **DRAWS) for how in ("t", "bca")],
    "intervals of differences": lambda x: [difference_intervals(x, method=how, **DRAWS) for how in ("t", "bca")],
    "level": level,
    "level of columns": lambda x: level(x, axis=0),
    "significant": significant,
    "replicates": lambda x: [Replicates(x, SYSTEM).student(), Replicates(x, SYSTEM).mean_intervals(0.95)],
    "strata": lambda x: [Strata([x, x[:, ::2]]).pairs(0.95, Draws(**DRAWS)), Strata([x]).mean],
    "kappa": lambda x: kappa(x[0] > 0.4, x[1] > 0.4, GROUPS),
    "alpha": lambda x: alpha(np.round(4 * x), GROUPS),
    "ordered alike": lambda x: ordered_alike(x[0], x[1], GROUPS),
}


@pytest.mark.parametrize("layout", first(2, LAYOUTS))
@pytest.mark.parametrize("name", STATISTICS)
def test_layouts(name: str, layout: str) -> None:
    for given in (scores(5, 5, 30), precisions(6, 5, 30)):
        found = STATISTICS[name](LAYOUTS[layout](given.copy()))
        assert bits(found) == bits(STATISTICS[name](given))
