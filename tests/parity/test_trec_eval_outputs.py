"""trec_eval's own test inputs against its expected outputs, for the measures that we have."""

from __future__ import annotations

import pytest

import truerank as tr

from . import known_differences as known
from .names import MEANS, NAMES
from .shared import need

CASES = {
    "out.test.aq": ("qrels.test", "results.test", {}),
    "out.test.aqc": ("qrels.test", "results.trunc", {"missing": "empty"}),
    "out.test.a": ("qrels.test", "results.test", {}),
    "out.test": ("qrels.test.with-comments", "results.test", {}),
    "out.comment.test": ("qrels.comment.test", "results.comment.test", {}),
}


@pytest.mark.parametrize("expected", CASES)
def test_expected_output(expected: str) -> None:
    qrels, results, given = CASES[expected]
    theirs: dict[tuple[str, str], str] = {}
    for line in need("trec_eval", expected).read_text().splitlines():
        name, topic, value = line.split()
        theirs[name, topic] = value
    listed = {name for name, _ in theirs if not known.differs("trec_eval-10", name)}
    names = {n: ours for n, ours in {**NAMES, **MEANS}.items() if n in listed}
    run = next(iter(tr.evaluate(need("trec_eval", qrels), need("trec_eval", results), names.values(),
                                like="trec_eval-10", **given).values()))
    compared = 0
    for their_name, our_name in names.items():
        score = run[our_name]
        values = {"all": score.mean} | ({} if their_name in MEANS else score.per_topic)
        for topic, value in values.items():
            expected_value = theirs.get((their_name, topic))
            if expected_value is not None:
                compared += 1
                printed = f"{value:.4f}" if "." in expected_value else f"{value:.0f}"
                assert printed == expected_value, (their_name, topic)
    assert compared >= 18
