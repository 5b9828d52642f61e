"""What papers give a name of its own: OIE's entropies, r_t, discordant pairs, the residual of RBP."""

from __future__ import annotations

import math
import random
from itertools import permutations

import pytest

import truerank as tr
from truerank.data.errors import InputError

from .test_liu_table1 import ROWS


def documents(seed: int) -> tuple[list[float], list[float]]:
    rng = random.Random(seed)
    grades = [float(rng.choice([0, 0, 1, 2])) for _ in range(rng.randint(0, 7))]
    return grades, [*grades, *(float(rng.choice([1, 2])) for _ in range(rng.randint(1, 3)))]


@pytest.mark.parametrize("seed", range(20))
def test_entropies_are_sums_over_all_documents(seed: int) -> None:
    grades, pool = documents(seed)
    size = 40
    missing = pool[len(grades) :]
    # Every document of the collection by rank, those that were not retrieved at the last one; and by grade.
    ranks = [*range(1, len(grades) + 1), *[size] * (size - len(grades))]
    worth = [*grades, *missing, *[0.0] * (size - len(grades) - len(missing))]

    def told(*views: list[float]) -> float:
        found = 0.0
        for one in range(size):
            at_or_above = sum(all(view[other] >= view[one] for view in views) for other in range(size))
            found += math.log(size / at_or_above)
        return found

    by_rank = [-float(rank) for rank in ranks]
    found = tr.OIE(size=size).entropies(grades, pool=pool)
    assert found == pytest.approx((told(by_rank), told(worth), told(by_rank, worth)), abs=1e-9)
    for beta in (0.5, 1.05):
        value = tr.OIE(size=size, beta=beta).of(grades, pool=pool)
        assert value == pytest.approx(found.system + found.gold - beta * found.joint, abs=1e-9)


@pytest.mark.parametrize(("ranking", "relevant", "gain"), [row[:3] for row in ROWS])
def test_the_gain_of_the_terminal_document_is_that_of_table_1(ranking: str, relevant: int, gain: float) -> None:
    for measure in (tr.RRT, tr.RBPT, tr.nDCGT, tr.APT):
        found = measure.terminal_gain([float(one) for one in ranking], pool=[1.0] * relevant)
        assert round(found, 3) == gain


@pytest.mark.parametrize("seed", range(20))
def test_discordant_pairs_are_the_area_between_ideal_and_actual(seed: int) -> None:
    rng = random.Random(seed)
    grades = [float(rng.random() < 0.4) for _ in range(8)]
    groups = sorted(rng.randint(1, 5) for _ in range(8))
    counted = sum(grades[i] < grades[j] for i in range(8) for j in range(i + 1, 8))
    assert tr.AUC.discordant(grades) == counted
    hits = [sum(grades[: depth + 1]) for depth in range(8)]
    assert counted == sum(min(depth + 1, sum(grades)) - hit for depth, hit in enumerate(hits))
    if 0 < sum(grades) < 8:
        assert tr.AUC.of(grades) == pytest.approx(1 - counted / (sum(grades) * (8 - sum(grades))))
    tied = sum(
        1.0 if groups[i] < groups[j] else 0.5
        for i, j in permutations(range(8), 2)
        if groups[i] <= groups[j] and grades[i] < grades[j]
    )
    assert tr.AUC.discordant(grades, groups=groups) == pytest.approx(tied)


@pytest.mark.parametrize("p", [0.0, 0.5, 0.8, 0.95])
def test_the_residual_is_what_documents_could_still_add(p: float) -> None:
    measure = tr.RBP(p=p)
    for depth in (0, 1, 5, 20):
        assert measure.residual(depth) == pytest.approx(p**depth)
    best, worst = measure.of([1, 1, 0, 1] + [1] * 3000), measure.of([1, 0, 0, 0], pool=[1, 1])
    assert measure.residual(4, unjudged=[2, 4]) == pytest.approx(best - worst, abs=1e-12)
    for wrong in ({"depth": -1}, {"depth": 3, "unjudged": [4]}, {"depth": 3, "unjudged": [0, 2]}):
        with pytest.raises(InputError):
            measure.residual(**wrong)
