"""Gates: what may be written."""

from __future__ import annotations

import pytest

from truerank.questions.compare.gates import FORMS, gate


@pytest.mark.parametrize(
    ("text", "form", "difference", "relative", "alpha", "measure"),
    [
        ("no worse than 0.005 at 0.05", "no worse than", 0.005, False, 0.05, None),
        ("no worse than .005", "no worse than", 0.005, False, 0.1, None),
        ("No  Worse than 1 % at 1%", "no worse than", 0.01, True, 0.01, None),
        ("better", "better", 0.0, False, 0.1, None),
        ("better by 2e-3", "better", 0.002, False, 0.1, None),
        ("better by 2% at 0.2", "better", 0.02, True, 0.2, None),
        ("better at 0.2", "better", 0.0, False, 0.2, None),
        ("equivalent within 0.01", "equivalent within", 0.01, False, 0.1, None),
        ("not significantly worse at 0.05", "not significantly worse", 0.0, False, 0.05, None),
        ("nDCG@10: better", "better", 0.0, False, 0.1, "nDCG@10"),
        ("nDCG(gains={1: 3})@5: no worse than 5%", "no worse than", 0.05, True, 0.1, "nDCG(gains={1:3})@5"),
    ],
)
def test_grammar(text: str, form: str, difference: float, relative: bool, alpha: float, measure: str | None) -> None:
    found = gate(text, 0.1)
    assert (found.form, found.relative, found.alpha) == (form, relative, alpha)
    assert found.difference == pytest.approx(difference)
    assert (None if found.measure is None else str(found.measure)) == measure


@pytest.mark.parametrize("text", FORMS)
def test_the_forms_that_an_error_names_are_understood(text: str) -> None:
    assert gate(text).text == text
