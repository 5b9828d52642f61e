"""trec_eval's own test inputs against its expected outputs, for the measures that we have."""

from __future__ import annotations

import pytest

from .printed import agree, parse
from .shared import need

CASES = {
    "out.test": ("qrels.test.with-comments", "results.test", "error", 18),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", "error", 18),
    "out.test.a": ("qrels.test", "results.test", "error", 80),
    "out.test.aq": ("qrels.test", "results.test", "error", 300),
    "out.test.aqc": ("qrels.test", "results.trunc", "empty", 300),
}


@pytest.mark.parametrize("expected", CASES)
def test_expected_output(expected: str) -> None:
    qrels, results, missing, least = CASES[expected]
    theirs = parse(need("trec_eval", expected).read_text())
    assert agree(theirs, need("trec_eval", qrels), need("trec_eval", results), missing=missing) >= least
