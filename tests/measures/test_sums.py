"""A measure says whether it is a sum, and one that is written as CONTRIBUTING says has its bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.data.arrays import Floats
from truerank.data.rankings import Rankings
from truerank.measures.ap import AP
from truerank.measures.core.base import Binary, Estimate, Measure
from truerank.measures.core.lengths import curve
from truerank.measures.table import TABLE

CONTRIBUTING = (Path(__file__).parents[2] / "CONTRIBUTING.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", CONTRIBUTING, re.DOTALL | re.MULTILINE)
[HALVING] = [code for code in BLOCKS if "class Halving" in code]


def halving(written: str) -> Measure:
    """The measure of CONTRIBUTING, with its gain written another way."""
    assert HALVING.count("self.gain(r)") == 1
    names: dict[str, Any] = {"__name__": __name__}
    exec(HALVING.replace("self.gain(r)", written), names)
    made: Measure = names["Halving"]()
    return made


@pytest.mark.parametrize("written", ["self.gain(r)", "1.0 * self.gain(r)", "1 - (1 - self.gain(r))"])
def test_bounds_are_those_of_the_gain_however_it_is_written(written: str) -> None:
    found = tr.evaluate({"q": {"a": 1, "b": 0}}, {"q": ["a", "b"]}, halving(written), unjudged="bounds")
    score = found["run"]["Halving"]
    assert (score.mean, score.low, score.high) == (0.5, 0.5, 0.75)


def test_an_array_is_refused() -> None:
    with pytest.raises(TypeError, match="Gain takes a gain map for gain"):
        halving("r.gains(self.gain(r))").of([1, 0])


def test_a_score_of_its_own_has_to_say_whether_it_is_a_sum() -> None:
    with pytest.raises(TypeError, match="Silent has a score of its own; say is_sum = False"):

        @dataclass(frozen=True, kw_only=True, repr=False)
        class Silent(Binary):
            def score(self, r: Rankings) -> Floats:
                return np.ones(len(r.length))

    with pytest.raises(TypeError, match="Guessed has a score of its own"):

        @dataclass(frozen=True, kw_only=True, repr=False)
        class Guessed(AP):
            def estimate(self, r: Rankings) -> Estimate:
                return Estimate(np.ones(len(r.length)))


def test_a_measure_without_terms_and_score_says_so() -> None:
    @dataclass(frozen=True, kw_only=True, repr=False)
    class Empty(Binary):
        name = "Empty"

    with pytest.raises(NotImplementedError, match="Empty says neither"):
        Empty().of([1])


@pytest.mark.parametrize("name", TABLE)
def test_sums_are_what_they_say(name: str) -> None:
    """Where a measure says that it is a sum, running sums of its terms give its scores."""
    measure, r = TABLE[name], Rankings.single([1, 0, 2, float("nan"), 1], pool=[2, 1, 1, 1, 0], groups=[0, 0, 1, 2, 2])
    assert bool(measure.summands(r)) == measure.is_sum
    if measure.is_sum and measure.takes_cutoff and name != "c":
        expected = [(measure @ depth).score(r)[0] for depth in range(1, 8)]
        assert curve(measure, r, 7)[0] == pytest.approx(expected, abs=1e-13)
