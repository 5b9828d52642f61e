"""Two runs of which one has no results for some topics."""

from __future__ import annotations

import pytest
from tests.questions.compare.tracks import judged, run

from truerank.questions.compare.question import compare

QRELS = judged(20)
BASE = run([1, 2, 1, 3, 1, 4, 2, 1, 5, 1] * 2)
CUT = {topic: docs for topic, docs in BASE.items() if topic in [*BASE][:10]}


def test_what_a_run_lacks_comes_first_and_the_verdict_without_it_follows() -> None:
    found = compare(QRELS, {"base": BASE, "cut": CUT}, "RR", settled=False)
    assert found.verdict("systems") == (
        '"cut" has no results for 10 of 20 topics; that alone makes it worse than "base" (-0.339 RR). On the 10 topics '
        "that both answer, their scores are identical."
    )
    [row] = found.rows("common")
    assert (row.run, row.missing_topics, row.compared_missing_topics, row.num_topics) == ("cut", 10, 0, 10)
    assert (row.verdict, row.difference, row.mean) == ("the same", 0.0, row.compared_mean)
    assert found.to_dict()["common"][0]["num_topics"] == 10


def test_on_common_topics_the_verdict_is_that_of_skipping() -> None:
    better = {topic: [docs[-1], *docs[:-1]] for topic, docs in CUT.items()}
    runs = {"base": BASE, "cut": better}
    found = compare(QRELS, runs, "RR P@1", settled=False)
    skipped = compare(QRELS, runs, "RR P@1", missing="skip", settled=False)
    for measure, row in zip(skipped, found.rows("common"), strict=True):
        pair = skipped[measure].pairs[0]
        assert (row.low, row.high, row.p_corrected) == pytest.approx((pair.low, pair.high, pair.p_corrected))
        assert (row.verdict, row.num_topics) == (pair.verdict, skipped[measure].num_topics)
    assert skipped.rows("common") == []
    assert "On the 10 topics that both answer: " in found.verdict("systems")


def test_a_gate_says_so_too() -> None:
    found = compare(QRELS, {"base": BASE, "cut": CUT}, "RR", gate="no worse", settled=False)
    assert found.verdict("gates").startswith("FAILED: ")
    assert '"cut" has no results for 10 of 20 topics. On the 10 topics that both' in found.verdict("gates")


def test_three_runs_and_whole_ones_have_none() -> None:
    assert compare(QRELS, {"base": BASE, "cut": CUT, "other": CUT}, "RR", settled=False).rows("common") == []
    assert compare(QRELS, {"base": BASE, "same": BASE}, "RR", settled=False).rows("common") == []


def test_a_data_frame_has_the_differences_that_the_table_has() -> None:
    other = {topic: docs[1:] for topic, docs in BASE.items()}
    found = compare(QRELS, {"base": BASE, "new": other}, "RR", settled=False)
    rows = {row["run"]: row for row in found.to_records()}
    pair = found["RR"].pairs[0]
    assert rows["base"]["compared_with"] is None
    new = rows["new"]
    assert (new["compared_with"], new["difference"], new["verdict"]) == ("base", pair.difference, pair.verdict)
    assert (new["difference_low"], new["difference_high"]) == (pair.low, pair.high)
    assert (new["wins"], new["losses"], new["p_corrected"]) == (pair.wins, pair.losses, pair.p_corrected)
