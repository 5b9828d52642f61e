"""Coefficients between orders of a whole collection, and what they and others have."""

from __future__ import annotations

import math

import numpy as np
import pytest

from truerank.measures.grammar import parse
from truerank.questions.properties.examples import Example
from truerank.questions.properties.question import properties
from truerank.questions.properties.scoring import OnScale, blocks, score
from truerank.statistics.correlations import kendall_b, spearman


@pytest.mark.parametrize("seed", range(3))
def test_collections_are_counted_as_if_they_were_listed(seed: int) -> None:
    """Closed forms over counts of documents, against coefficients over every document."""
    rng = np.random.default_rng(seed)
    examples = []
    for _ in range(60):
        collection = rng.integers(0, 3, int(rng.integers(2, 12)))
        listed = tuple(rng.permutation(collection)[: rng.integers(1, len(collection) + 1)].tolist())
        pool = tuple(sorted(collection[collection > 0].tolist(), reverse=True))
        examples.append(Example(listed, pool, int((collection == 0).sum()), top=2))
    for row, of in (("Spearman", spearman), ("Kendall", kendall_b), ("AUC", _area)):
        [scale] = [OnScale("", dict.fromkeys((1, 2), parse(row)), {2: (0.0, 1.0, 2.0)})]
        for example, value in zip(examples, score(blocks(examples), scale).tolist(), strict=True):
            grades = [*example.grades, *example.missing]
            grades += [0] * (example.documents - len(grades))
            order = [*range(len(example.grades), 0, -1), *[0] * (len(grades) - len(example.grades))]
            assert value == pytest.approx(of(order, grades), nan_ok=True)


def _area(order: list[int], grades: list[int]) -> float:
    pairs = [(a, b) for a, one in zip(order, grades, strict=True) if one > 0
             for b, other in zip(order, grades, strict=True) if other == 0]  # fmt: skip
    return sum((a > b) + (a == b) / 2 for a, b in pairs) / len(pairs) if pairs else math.nan


def test_a_correlation_below_0_rises_with_noise() -> None:
    """Six documents, one of them relevant: tau-b is -1 / sqrt(70), and then -1 / sqrt(75)."""
    short, long = (Example(grades, (1,), 5) for grades in ((0, 0, 0, 1), (0, 0, 0, 1, 0)))
    [scale] = [OnScale("", {1: parse("Kendall")}, {1: (0.0, 1.0)})]
    assert score(blocks([short, long]), scale).tolist() == pytest.approx([-1 / math.sqrt(70), -1 / math.sqrt(75)])
    for row in ("Kendall", "Spearman"):
        [found] = properties(row, property="Confidence").verdicts
        assert found.verdict == "reversed"
        assert "0001, R = 1: -0.1" in str(found.witness)
        assert "(of 6 documents)" in str(found.witness)


@pytest.mark.parametrize("measure", ["RBP(p=0.98)", "iRBU(p=0.98)", "RBU(p=0.98)", "RBP(p=0.95)"])
def test_measures_without_r_do_not_depend_on_it(measure: str) -> None:
    for found in properties(measure, property="Deepness, Shallowness").verdicts:
        for scale in found.scales:
            by_reading = {one.reading: one.verdict for one in scale.readings}
            for kind in ("truncated", "padded"):
                assert by_reading[f"R = n {kind}"] == by_reading[f"R = 2000 {kind}"]
    assert properties(measure, property="Deepness").verdicts[0].verdict == "strict"
