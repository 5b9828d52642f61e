"""The literature's names under both readings of the terminal document."""

from __future__ import annotations

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.grammar import parse

QRELS = {"q": {"a": 2, "b": 1, "c": 0, "d": 1}, "nothing": {"a": 0}}
RUN = {"q": {"a": 3.0, "x": 2.0, "b": 2.0, "c": 1.0}, "nothing": {"z": 1.0}}
READINGS = ("terminal", "terminal-once")


@pytest.mark.parametrize("plain", ["RR", "RBP(p=0.98)", "nDCG", "nDCG@3", "AP", "ERR"])
@pytest.mark.parametrize("ending", READINGS)
def test_the_ending_is_a_parameter(plain: str, ending: str) -> None:
    measure = parse(plain)
    named = parse(f"{measure.name}T")(**measure.parameters(), ending=ending)
    named = named if measure.cutoff is None else named @ measure.cutoff
    expected = tr.evaluate(QRELS, RUN, plain, ending=ending)["run"][plain].per_topic
    # Its own ending is what counts, whatever the others are read with.
    for other in ("none", *READINGS):
        assert tr.evaluate(QRELS, RUN, [named], ending=other)["run"][str(named)].per_topic == expected


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("RBPT(ending='terminal')", "RBPT"),
        ("RBPT(p=0.98, ending='terminal-once')", "RBPT(p=0.98,ending='terminal-once')"),
        ("nDCGT(ending='terminal-once')@10", "nDCGT(ending='terminal-once')@10"),
        ("RBPT(ending='terminal-once')(p=0.5)", "RBPT(p=0.5,ending='terminal-once')"),
        ("GM(measure=APT(ending='terminal-once'))", "GM(measure=APT(ending='terminal-once'))"),
    ],
)
def test_text_form(text: str, written: str) -> None:
    measure = parse(text)
    assert str(measure) == written
    assert parse(written) == measure
    assert measure.ending == ("terminal-once" if "once" in text else "terminal")


def test_both_readings_side_by_side() -> None:
    scores = tr.evaluate(QRELS, RUN, "RBPT RBPT(ending='terminal-once')")["run"]
    assert scores["RBPT"].mean > scores["RBPT(ending='terminal-once')"].mean


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RBPT(ending='none')", "ending is 'terminal' or 'terminal-once', not 'none'"),
        ("RBP(ending='terminal')", "no parameter 'ending'"),
        ("RBPT(q=1)", "no parameter 'q'"),
    ],
)
def test_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        parse(text)


def test_the_catalogue_names_it() -> None:
    assert {entry.parameters.get("ending") for entry in tr.measures() if entry.name.endswith("T")} >= {"terminal"}


@pytest.mark.parametrize("plain", ["RR", "RBP(p=0.5)", "nDCG", "nDCG@3", "AP", "AP(norm='min')", "ERR"])
@pytest.mark.parametrize("ending", READINGS)
@pytest.mark.parametrize("tied", [False, True])
def test_the_score_of_one_ranking_has_the_terminal_document(plain: str, ending: str, tied: bool) -> None:
    measure = parse(plain)
    named = parse(f"{measure.name}T")(**measure.parameters(), ending=ending)
    named = named if measure.cutoff is None else named @ measure.cutoff
    qrels = {"q": {"a": 2, "b": 0, "c": 1, "d": 1}}
    run = {"q": {"a": 3.0, "b": 2.0, "c": 2.0 if tied else 1.0}}
    expected = tr.evaluate(qrels, run, [named])["run"][str(named)].mean
    groups = [0, 1, 1] if tied else None
    assert named.of([2, 0, 1], pool=[2, 0, 1, 1], groups=groups) == pytest.approx(expected, abs=1e-15)
    assert tr.GM(measure=named).of([2, 0, 1], pool=[2, 0, 1, 1], groups=groups) == pytest.approx(expected, abs=1e-15)


def test_the_example_of_the_paper() -> None:
    assert tr.RBPT(p=0.5).of([1, 0, 1], pool=[1, 1, 1]) == pytest.approx(0.5 + 0.125 + 0.125 * 2 / 3)
    # Nothing to find, and nothing listed: all that could be said was said.
    assert tr.RBPT(p=0.5).of([], pool=[0]) == 1.0
