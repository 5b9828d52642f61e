"""What documents add to scores, against every order of ties and every set of relevant documents."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import combinations, groupby, pairwise, permutations, product

import numpy as np
import pytest

import truerank as tr
from truerank.data.rankings import Rankings
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE
from truerank.questions.diff.documents import contributions

NAN = float("nan")
SUMS = [
    "P@3",
    "R",
    "R@3",
    "F@3",
    "nDCG@3",
    "nDCG",
    "DCG(dcg='exp-log2')@4",
    "RBP(p=0.5)",
    "CG@2",
    "SDCG@3",
    "Rprec",
    "nRBP@3",
]
PAIRS = ["AP", "AP@3", "AP(norm='min')@3", "Q", "Q(beta=2.5)@4"]
READERS = ["RR", "RR@3", "ERR", "ERR@2", "iRBU(p=0.5)", "Success@2", "Bpref", "Bpref(norm='R')"]
OTHERS = ["IPrecAvg", "infAP", "G", "Compat(p=0.8)", "BPM(T=2)"]
EXTRA = [1.0, 2.0, 0.0]
"""Judged documents that were not retrieved."""


def rankings(count: int, *, tied: bool, longest: int = 6) -> Iterator[tuple[list[float], list[int]]]:
    """Random grades in rank order, and the tie groups they are in."""
    rng = random.Random(7)
    for _ in range(count):
        length = rng.randint(1, longest)
        groups = [0]
        while len(groups) < length:
            groups.append(groups[-1] + (not tied or rng.random() < 0.5))
        yield [rng.choice([0.0, 1.0, 2.0, NAN, 1.0]) for _ in range(length)], groups


def of(measure: Measure, grades: list[float], kept: set[int], pool: list[float]) -> float:
    """The score where only some documents are judged."""
    value = measure.of([grade if at in kept else NAN for at, grade in enumerate(grades)], pool=pool)
    return 0.0 if math.isnan(value) else value


def orders(groups: list[int]) -> list[list[int]]:
    """Every order of ties, as the documents in it."""
    blocks = [list(permutations([at for at, _ in some])) for _, some in groupby(enumerate(groups), lambda one: one[1])]
    return [[at for block in choice for at in block] for choice in product(*blocks)]


def over_orders(grades: list[float], groups: list[int], each: object) -> list[float]:
    """The mean over the orders of ties of what documents add, for one order given by ``each``."""
    total = np.zeros(len(grades))
    every = orders(groups)
    for order in every:
        total[order] += np.array(each([grades[at] for at in order]))  # type: ignore[operator]
    return list(total / len(every))


def relevant(grades: list[float]) -> list[int]:
    return [at for at, grade in enumerate(grades) if grade > 0]


@pytest.mark.parametrize("name", [*SUMS, *PAIRS])
def test_sums_of_documents_and_of_pairs_have_the_value_of_shapley(name: str) -> None:
    measure = tr.parse(name)
    for grades, groups in rankings(4, tied=True, longest=5):
        pool = [grade for grade in grades if grade == grade] + EXTRA

        def shapley(grades: list[float], pool: list[float] = pool) -> list[float]:
            players = relevant(grades)
            found = [0.0] * len(grades)
            for player in players:
                others = [one for one in players if one != player]
                for size in range(len(players)):
                    for some in combinations(others, size):
                        chance = (
                            math.factorial(size) * math.factorial(len(others) - size) / math.factorial(len(players))
                        )
                        gain = of(measure, grades, {*some, player}, pool) - of(measure, grades, {*some}, pool)
                        found[player] += chance * gain
            return found

        expected = over_orders(grades, groups, shapley)
        [got] = contributions(measure, Rankings.single(grades, pool=pool, groups=groups)).tolist()
        assert got == pytest.approx(expected, abs=1e-12), (grades, groups)


@pytest.mark.parametrize(("name", "tied"), [*((name, True) for name in READERS), *((name, False) for name in OTHERS)])
def test_a_reader_meets_documents_from_the_top(name: str, tied: bool) -> None:
    measure = tr.parse(name)
    for grades, groups in rankings(8, tied=tied, longest=5):
        pool = [grade for grade in grades if grade == grade] + EXTRA

        def steps(grades: list[float], pool: list[float] = pool) -> list[float]:
            down_to = [of(measure, grades, {*range(at)}, pool) for at in range(len(grades) + 1)]
            return [after - before for before, after in pairwise(down_to)]

        expected = over_orders(grades, groups, steps)
        [got] = contributions(measure, Rankings.single(grades, pool=pool, groups=groups)).tolist()
        assert got == pytest.approx(expected, abs=1e-12), (grades, groups)


PAIRED = ("AUC", "PrefLoss")
"""Measures of pairs, one of which need not have gain; undefined where there is none."""


@pytest.mark.parametrize("measure", [one for one in TABLE.values() if one.name not in PAIRED], ids=str)
def test_parts_add_up(measure: Measure) -> None:
    """To the score, less what the list would score without gain: what reading it costs, say."""
    for grades, groups in rankings(5, tied=True):
        pool = [grade for grade in grades if grade == grade] + EXTRA
        whole = Rankings.single(grades, pool=pool, groups=groups)
        # What is judged and has no gain counts here too: it stays, below the last document with gain it is unjudged.
        bare = Rankings.single([NAN] * len(grades), pool=pool, groups=groups)
        score, nothing = (float(np.nan_to_num(measure.estimate(r).value)[0]) for r in (whole, bare))
        parts = float(contributions(measure, whole).sum())
        assert parts == pytest.approx(score - nothing, abs=1e-9), (grades, groups)


@pytest.mark.parametrize("name", PAIRED)
def test_parts_add_up_to_what_the_groups_with_gain_do(name: str) -> None:
    """From a list without judgments on, group by group: what stands below the last of them is in the rest."""
    for grades, groups in rankings(20, tied=True):
        pool = [grade for grade in grades if grade == grade] + EXTRA

        values = []
        for last in (-1, *sorted({groups[at] for at in relevant(grades)})):
            judged = [grade if group <= last else NAN for grade, group in zip(grades, groups, strict=True)]
            values += TABLE[name].score(Rankings.single(judged, pool=pool, groups=groups)).tolist()
        parts = float(contributions(TABLE[name], Rankings.single(grades, pool=pool, groups=groups)).sum())
        assert parts == pytest.approx(np.nan_to_num(np.diff(values)).sum(), abs=1e-9), (grades, groups)


def test_a_measure_of_ones_own() -> None:
    best = tr.measure(lambda ranking: max([0.0, *ranking.grades[:3]]), name="best")
    assert contributions(best, Rankings.single([1, 2, 0, 2])).tolist() == [[1.0, 1.0, 0.0, 0.0]]


def test_tied_documents_share_a_step_by_their_gains() -> None:
    total = tr.measure(lambda ranking: float(ranking.grades.sum() ** 2), name="squared")
    [got] = contributions(total, Rankings.single([1, 2, 1], groups=[0, 0, 1])).tolist()
    assert got == pytest.approx([3.0, 6.0, 7.0])


def test_nothing_is_added_where_a_measure_is_undefined() -> None:
    assert contributions(tr.nDCG, Rankings.single([0.0, NAN])).tolist() == [[0.0, 0.0]]
    assert contributions(tr.parse("GM"), Rankings.single([1.0])).tolist() == [[1.0]]


def test_rows_of_a_block() -> None:
    r = Rankings.single([1, 0], groups=[0, 0])
    assert r.take(np.array([0])).grade.tolist() == r.grade.tolist()
    assert len(r.take(np.zeros(0, np.int64)).length) == 0
