"""Grades that are large numbers: nothing is made for every grade below them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from truerank.compat.trec_eval.graded import _unordered
from truerank.compat.trec_eval.program import trec_eval
from truerank.compat.trec_eval.quirks import Rbp


@pytest.mark.parametrize("grade", ["2000000000", "100000000000000"])
@pytest.mark.parametrize("wanted", ["all_trec", "rbp.1=0.5", "ndcg.1=0.5"])
def test_memory_does_not_grow_with_the_grade(here: Path, grade: str, wanted: str) -> None:
    (here / "qrels").write_text(f"q 0 a {grade}\nq 0 b 1\n")
    (here / "run").write_text("q Q0 a 1 2 t\nq Q0 b 2 1 t\n")
    outcome = trec_eval(["-m", wanted, "qrels", "run"])
    assert outcome.code == 0
    if wanted == "all_trec":
        values = dict(line.split()[::2] for line in outcome.text.splitlines())
        assert (values["ndcg"], values["rbp"]) == ("1.0000", "0.1000")


def test_a_drop_in_takes_a_persistence_of_1(here: Path) -> None:
    (here / "qrels").write_text("q 0 a 1\n")
    (here / "run").write_text("q Q0 a 1 2 t\n")
    outcome = trec_eval(["-m", "rbp.p=1", "qrels", "run"])
    assert (outcome.code, outcome.text.split()[2]) == (0, "0.0000")


OWN = [None, ((1, 3.0),), ((1, 0.5), (2, 9.0)), ((3, 0.0),), ((3, 0.5), (2, 0.25), (1, 0.125)), ((2, 1.0), (9, 2.5))]


@pytest.mark.parametrize("own", OWN)
@pytest.mark.parametrize("top", [0, 1, 2, 3, 5])
def test_the_highest_gain_is_that_of_going_through_all_grades(
    own: tuple[tuple[int, float], ...] | None, top: int
) -> None:
    named = dict(own or ())
    every = [named.get(grade, grade) for grade in range(1, top + 1)]
    slow = max([1.0, *every, *named.values()])
    measure = Rbp(p=0.5, gains=own)
    grades = [float(top), 0.0]
    gain = named.get(top, top) if top else 0.0
    assert measure.of(grades) == pytest.approx(0.5 * gain / slow)


@pytest.mark.parametrize("own", OWN[1:])
@pytest.mark.parametrize("top", [0, 1, 2, 3, 5])
def test_gains_that_are_near_are_those_of_going_through_all_grades(
    own: tuple[tuple[int, float], ...], top: int
) -> None:
    every = {**{grade: float(grade) for grade in range(top + 1)}, **dict(own)}
    slow = any(high - low < 1 for low, high in pairwise(np.unique([*every.values()])))
    assert _unordered(tuple((str(grade), gain) for grade, gain in own), top) == slow
