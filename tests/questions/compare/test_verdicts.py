"""The verdict in one sentence, for every kind of comparison."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run

from truerank.questions.compare.question import compare

pytest.importorskip("scipy")

QRELS = judged(20)
"""One relevant document a topic."""


def said(runs: dict[str, Any], measures: str = "RR", show: str = "systems", **given: Any) -> str:
    return compare(QRELS, runs, measures, settled=False, **given).verdict(show)


def noisy(first: int, seed: int) -> list[int]:
    """Ranks around one, with a topic here and there that is far off."""
    return [first + int(more) for more in np.random.default_rng(seed).integers(0, 2, 20)]


BASE, SAME, LOW = run(noisy(3, 1)), run([1, *noisy(3, 2)[1:]]), run(noisy(8, 3))
HIGH = run(noisy(1, 4))


@pytest.mark.parametrize(
    ("new", "measures", "text"),
    [
        (HIGH, "RR", '"new" is better than "base": +0.354 RR (95% CI '),
        (LOW, "RR", '"new" is worse than "base": -0.1'),
        (SAME, "RR", 'No significant difference in RR: "new" is 0.0'),
        (BASE, "RR", '"base" and "new" have the same RR on all 20 topics.'),
        (HIGH, "RR AP", '"new" is better than "base" by both measures.'),
        (HIGH, "RR P@20", '"new" is better than "base" by RR; "base" and "new" have the same scores by P@20.'),
        (SAME, "RR AP", 'No significant difference between "base" and "new" by both measures.'),
        (LOW, "P@1 RR", '"base" and "new" have the same scores by P@1; "new" is worse than "base" by RR.'),
    ],
)
def test_of_two_runs(new: Any, measures: str, text: str) -> None:
    found = said({"base": BASE, "new": new}, measures)
    assert found.startswith(text)
    assert found.endswith(".")


def test_the_measure_typed_first_opens_the_sentence() -> None:
    # Better in the middle, worse at the top.
    base, new = run([2] * 4 + [6] * 16), run([3] * 20)
    assert said({"base": base, "new": new}, "RR Success@3") == '"new" is better than "base" by both measures.'
    top, wide = run([1] * 10 + [0] * 10), run([3] * 20)
    text = 'Measures contradict each other: "new" is worse than "base" by P@1, and better by Success@3.'
    assert said({"base": top, "new": wide}, "P@1 Success@3") == text
    text = 'Measures contradict each other: "new" is better than "base" by Success@3, and worse by P@1.'
    assert said({"base": top, "new": wide}, "Success@3 P@1") == text


def test_a_margin_has_a_sentence_of_its_own() -> None:
    found = said({"base": BASE, "new": SAME}, margin=0.2)
    assert "Both are equivalent within 0.2 (-0." in found
    assert found.endswith("with unseen topics allowed for).")


@pytest.mark.parametrize(
    ("runs", "measures", "text"),
    [
        (
            {"a": BASE, "b": HIGH, "c": LOW, "d": SAME},
            "RR",
            '"b" is better than "a" by RR; "c" is worse; "d" does not differ significantly.',
        ),
        ({"a": BASE, "d": SAME, "e": BASE}, "RR", 'No run differs significantly from "a" by RR.'),
        (
            {"a": BASE, "b": HIGH, "c": LOW},
            "RR P@1",
            '"b" is better than "a" by both measures; "c" is worse by RR only.',
        ),
        (
            {"a": BASE, "b": HIGH, "b2": HIGH, "c": LOW, "d": SAME},
            "RR P@1",
            'Of 4 runs, 2 are better than "a" by RR and 1 worse; by P@1, 2 are better and 0 worse.',
        ),
    ],
)
def test_against_a_baseline(runs: dict[str, Any], measures: str, text: str) -> None:
    assert said(runs, measures, baseline="a") == text


@pytest.mark.parametrize(
    ("runs", "measures", "text"),
    [
        ({"a": BASE, "b": HIGH, "c": LOW}, "RR", '"b" is the best of these 3 runs by RR (95%).'),
        ({"a": BASE, "d": SAME, "c": LOW}, "RR", '"d" leads by RR; the best run is among it and "a" (95%).'),
        (
            {"a": BASE, "e": BASE, "c": LOW},
            "RR",
            '"a" and "e" lead by RR with equal means; the best run is one of them (95%).',
        ),
        ({"a": BASE, "e": BASE, "f": BASE}, "RR", "All 3 runs have the same mean RR."),
        ({"a": BASE, "b": HIGH, "c": LOW}, "RR AP", '"b" is the best by both measures (95%).'),
        (
            {"a": BASE, "d": SAME, "c": LOW},
            "RR AP",
            '"d" leads by both measures; 2 runs could be the best by both measures (95%).',
        ),
        (
            {"a": BASE, "b": HIGH, "c": LOW},
            "P@5 RR",
            '"a" and "b" lead by P@5, "b" is the best by RR; 2 runs could be the best by P@5 (95%).',
        ),
    ],
)
def test_of_several_runs(runs: dict[str, Any], measures: str, text: str) -> None:
    assert said(runs, measures) == text


def test_many_runs_name_three_that_could_be_the_best() -> None:
    runs = {f"r{at:02}": run(noisy(3, at)) for at in range(14)}
    found = compare(QRELS, runs, "RR")
    could = [row for row in found["RR"].systems.values() if row.could_be_best]
    assert len(could) in (13, 14)
    text = found.verdict("systems")
    assert text.startswith(f'"{could[0].run}" leads by RR')
    assert "better than" not in text


def test_without_ranks_it_says_how_many_pairs_differ() -> None:
    text = said({"a": BASE, "b": HIGH, "c": LOW}, correction="none")
    assert text == '"b" leads by RR; 3 of 3 pairs differ significantly (uncorrected).'


def test_gates_come_out_in_one_sentence() -> None:
    one = compare(QRELS, {"a": BASE, "b": HIGH}, "RR", gate="no worse", settled=False)
    assert one.verdict("gates") == one.gates[0].sentence
    passed = compare(QRELS, {"a": BASE, "b": HIGH}, "RR", gate=["no worse", "better"], settled=False)
    assert passed.verdict("gates") == "PASSED: all 2 gates."
    runs = {"a": BASE, "b": HIGH, "c": LOW, "d": SAME}
    failed = compare(QRELS, runs, "RR", gate="no worse than 0.001", settled=False)
    outcomes = [gate.outcome for gate in failed.gates]
    assert outcomes == ["PASSED", "FAILED", "UNDECIDED"]
    text = failed.verdict("gates")
    assert text.startswith('FAILED: 1 of 3 gates failed and 1 is undecided. "c" loses more than 0.001')
    open_ = compare(QRELS, {"a": BASE, "b": HIGH, "d": SAME}, "RR", gate="no worse than 0.001", settled=False)
    assert open_.verdict("gates").startswith('UNDECIDED: 1 of 2 gates is undecided. "d" against "a": ')
    assert failed.verdict("systems").startswith('"b" is better than "a" by RR; "c" is worse')
