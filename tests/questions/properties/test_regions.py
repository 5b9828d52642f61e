"""Regions of parameters, and the scale of scores."""

from __future__ import annotations

import json
from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest
from tests.quick import first

from truerank.data.errors import InputError
from truerank.measures.grammar import parse
from truerank.questions.properties.question import properties
from truerank.questions.properties.regions import EVERYWHERE, PROVED, SPANS, parameters_of


@pytest.mark.parametrize(("measure", "parameter", "name"), first(3, [*PROVED, *EVERYWHERE]))
def test_what_is_proved_is_what_the_search_finds_on_both_sides(measure: str, parameter: str, name: str) -> None:
    found = properties(measure, property=name, regions=True).by_value
    mine = [each for each in found if each.parameter == parameter]
    assert [each.how for each in mine] == ["proved"] * len(mine)
    key = (measure, parameter, name)
    bounds = [PROVED[key].at] if key in PROVED else []
    assert [each.high for each in mine[:-1]] == bounds
    for bound in bounds:
        below, above = (properties(f"{measure}({parameter}={bound + step})", property=name) for step in (-1e-6, 1e-6))
        assert [one.verdicts[0].holds for one in (below, above)] == [False, True]


@pytest.mark.parametrize(
    ("measure", "name"), first(1, [("RBPU", "shallowness"), ("RBPU", "confidence"), ("OIE(size=20000)", "conf")])
)
def test_stretches_cover_all_values_and_neighbours_differ(measure: str, name: str) -> None:
    found = properties(measure, property=name, regions=True).by_value
    for parameter in parameters_of(parse(measure)):
        mine = [each for each in found if each.parameter == parameter]
        assert mine[0].low == SPANS[parameter].points[0]
        assert mine[-1].high == SPANS[parameter].points[-1]
        for one, other in pairwise(mine):
            assert one.high == other.low
            assert one.verdict != other.verdict


def test_a_verdict_inside_of_a_stretch_is_that_of_the_stretch() -> None:
    found = properties("RBPU", property="shallowness", regions=True).by_value
    for each in found:
        value = (each.low + 2 * each.high) / 3
        [alone] = properties(f"RBPU({each.parameter}={value})", property="shallowness").verdicts
        assert alone.outcome == each.verdict


def test_a_cutoff_is_counted_in_documents() -> None:
    found = properties("F@10", property="shallowness", regions=True).by_value
    assert [(one.low, one.high, one.verdict) for one in found if one.parameter == "cutoff"] == [
        (1.0, 1.0, "reversed"),
        (2.0, 3.0, "equal"),
        (4.0, 100.0, "strict"),
    ]


def test_regions_are_written_and_drawn(tmp_path: Path) -> None:
    found = properties("RBP", property="interval", regions=True)
    written = json.loads(found.to_json())["regions"]
    assert [one["verdict"] for one in written] == ["fails", "holds", "fails"]
    assert written[1]["low"] == written[1]["high"] == 0.5
    pytest.importorskip("altair")
    text = found.plot().save(tmp_path / "regions.json").read_text()
    assert '"Interval scale"' in text
    with pytest.raises(InputError, match="regions=True"):
        properties("RBP", property="interval").plot()


def test_measures_without_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="no measure has a parameter to vary"):
        properties("AP", regions=True)
    with pytest.raises(InputError, match="regions are those of measures that are named"):
        properties(regions=True)


EQUIDISTANT = ["P@10", "R", "RBP(p=0.5)", "FlatU", "F", "SetP", "CG"]
UNEVEN = ["AP", "RR", "nDCG", "RBP", "ERR", "DCG", "OIE"]


@pytest.mark.parametrize("measure", [*EQUIDISTANT, *UNEVEN])
def test_the_interval_scale(measure: str) -> None:
    """Against all scores of lists of one length, counted here."""
    [found] = properties(measure, property="interval").verdicts
    assert found.holds == (measure in EQUIDISTANT)
    one = parse(measure)
    even = True
    for k in range(2, 6):
        values = {round(one.of(list(map(float, grades)), pool=[1.0] * k), 12) for grades in product((0, 1), repeat=k)}
        steps = np.diff(sorted(values))
        even &= bool(len(steps) == 0 or np.allclose(steps, steps[0], rtol=1e-9))
    assert even == found.holds
