"""Verdicts that depend on how ties, unjudged documents and depth are read."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run

from truerank.data.printing import percent
from truerank.questions.compare.answer import BETTER, OPEN, WORSE, PairRow
from truerank.questions.compare.question import compare
from truerank.questions.compare.settled import other_depths, shakiest, steadiest
from truerank.statistics.student import student, t_statistic

pytest.importorskip("scipy")

TOPICS = 10
QRELS = judged(TOPICS)
TOP = run([1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
THIRD = run([3, 3, 3, 3, 3, 3, 3, 3, 3, 4])


def pair(runs: dict[str, Any], measure: str = "RR@10", qrels: Any = QRELS, **given: Any) -> PairRow:
    [found] = compare(qrels, runs, measure, settled=True, **given)[measure].pairs
    return found


def sentence(runs: dict[str, Any], measure: str = "RR@10", qrels: Any = QRELS, **given: Any) -> str:
    return compare(qrels, runs, measure, settled=True, **given).verdicts[0]


def test_what_depends_on_nothing_is_settled() -> None:
    found = pair({"a": THIRD, "b": TOP})
    assert (found.verdict, found.settled, found.open) == (BETTER, True, ())
    assert {check.convention for check in found.checks or ()} == {"depth"}
    assert "settled" not in sentence({"a": THIRD, "b": TOP})


def test_it_is_not_tried_unless_asked_for() -> None:
    runs = {f"s{at}": run([at + 1, *[1] * (TOPICS - 1)]) for at in range(6)}
    found = compare(QRELS, runs, "RR")
    assert {(one.settled, one.checks) for one in found["RR"].pairs} == {(None, None)}
    assert all(one.settled is not None for one in compare(QRELS, runs, "RR", settled=True)["RR"].pairs)
    few = {name: runs[name] for name in ("s0", "s1", "s2")}
    assert {one.settled for one in compare(QRELS, few, "RR")["RR"].pairs} == {None}
    # A depth is one of the other readings, so that naming one asks for them.
    assert all(one.settled is not None for one in compare(QRELS, few, "RR@10", depths=3)["RR@10"].pairs)


def tied(ranks: list[int], size: int) -> dict[str, dict[str, float]]:
    """The first documents of every list have the same score."""
    return {topic: {doc: float(-max(at, size)) for at, doc in enumerate(docs, 1)} for topic, docs in run(ranks).items()}


def test_ties_that_turn_the_order() -> None:
    flat = tied([1] * TOPICS, 3)  # 1, 1/2 or 1/3: the mean is 11/18
    found = pair({"flat": flat, "second": run([2] * (TOPICS - 1) + [3])})
    assert found.verdict == WORSE
    checks = {check.favours: check for check in found.checks or () if check.convention == "ties"}
    assert checks["second"].difference == pytest.approx((0.5 * 9 + 1 / 3) / 10 - 1 / 3)
    assert checks["second"].verdict == BETTER
    assert checks["flat"].difference == pytest.approx((0.5 * 9 + 1 / 3) / 10 - 1)
    assert (checks["flat"].settles, checks["second"].settles, found.settled) == (True, False, False)
    said = sentence({"flat": flat, "second": run([2] * (TOPICS - 1) + [3])})
    assert '; depends on conventions: with ties in favour of second the verdict would be "better" (+0.1' in said


def test_ties_that_take_significance_away() -> None:
    flat = tied([1] * TOPICS, 2)  # 1 or 1/2: the mean is 3/4
    found = pair({"flat": flat, "second": run([2] * TOPICS)})
    assert found.verdict == WORSE
    [open_] = found.open
    assert (open_.convention, open_.favours, open_.verdict, open_.difference) == ("ties", "second", OPEN, 0.0)
    assert 'with ties in favour of second the verdict would be "not significant" (0.0000, p = 1)' in sentence(
        {"flat": flat, "second": run([2] * TOPICS)}
    )


def test_the_share_of_orders_in_which_a_verdict_stands() -> None:
    second = run([2] * TOPICS)
    runs = {"flat": tied([1] * TOPICS, 2), "second": second}  # Each list of flat is 1 or 1/2, as likely.
    found = pair(runs)
    same = [
        pair({"flat": run([1] * won + [2] * (TOPICS - won)), "second": second}).verdict for won in range(TOPICS + 1)
    ]
    ways = [math.comb(TOPICS, won) for won in range(TOPICS + 1)]
    expected = sum(way for way, verdict in zip(ways, same, strict=True) if verdict == found.verdict) / 2**TOPICS
    assert 0.3 < expected < 0.7
    assert found.tie_share == pytest.approx(expected, abs=0.1)
    assert found.tie_share == pair(dict(reversed(runs.items()))).tie_share
    share = percent(found.tie_share)
    assert f"the verdict is the same in {share} of random orders of ties" in sentence(runs)
    by_chance = compare(QRELS, runs, "RR", test="randomization", permutations=500, settled=True)["RR"].pair(
        "flat", "second"
    )
    # With six topics or more that differ, 2^(1 - n) is below 0.05.
    assert by_chance.tie_share == pytest.approx(sum(ways[6:]) / 2**TOPICS, abs=0.2)


def test_verdicts_that_ties_leave_alone_have_no_share() -> None:
    assert pair({"a": run([1] * TOPICS), "b": run([2] * TOPICS)}).tie_share is None


def unjudged_first(ranks: list[int]) -> dict[str, list[str]]:
    """Lists that begin with a document that nobody judged."""
    return {topic: [f"u{topic}", *docs] for topic, docs in run(ranks).items()}


def test_unjudged_documents_that_turn_the_order() -> None:
    runs = {"known": run([1] * 9 + [2]), "new": unjudged_first([1] * 9 + [2])}
    found = pair(runs, "DCG@10")
    assert found.verdict == WORSE
    [open_] = found.open
    assert (open_.convention, open_.favours, open_.verdict, open_.exact) == ("unjudged", "new", BETTER, True)
    # The document at the top adds 1 to what the list has.
    assert open_.difference == pytest.approx(found.difference + 1)
    assert 'depends on conventions: with unjudged documents in favour of new the verdict would be "better" (' in (
        sentence(runs, "DCG@10")
    )


def test_an_unjudged_document_that_both_lists_have_moves_neither() -> None:
    runs = {"a": unjudged_first([3] * 9 + [4]), "b": unjudged_first([1] * 9 + [2])}
    assert pair(runs, "P@1").checks is not None
    assert not [check for check in pair(runs, "DCG@20").checks or () if check.convention == "unjudged"]
    same = {"a": unjudged_first([2] * TOPICS), "b": unjudged_first([2] * TOPICS)}
    assert pair(same, "AP").settled


def test_bounds_that_need_not_be_reached_are_said_to_be_such() -> None:
    runs = {"known": run([1] * 9 + [2]), "new": unjudged_first([1] * 9 + [2])}
    found = pair(runs, "AP")
    assert [(check.convention, check.exact) for check in found.open] == [("unjudged", False)]
    assert "depends on conventions: with unjudged documents in favour of new the verdict could be " in sentence(
        runs, "AP"
    )
    level = {"known": run([1, 2] * 5), "new": unjudged_first([1, 1] * 5)}
    assert pair(level, "AP").verdict == OPEN or pair(level, "AP").open


def test_nothing_is_open_where_unjudged_documents_are_taken_out() -> None:
    runs = {"known": run([2] * 9 + [3]), "new": unjudged_first([1] * 9 + [2])}
    found = pair(runs, "DCG@10", unjudged="condensed")
    assert found.verdict == BETTER
    assert not [check for check in found.checks or () if check.convention == "unjudged"]


def test_depths_that_change_the_verdict() -> None:
    # By P@1 the one is better everywhere, by P@2 neither.
    runs = {"first": run([1] * 9 + [2]), "second": run([2] * 10)}
    found = pair(runs, "P@1")
    assert found.verdict == WORSE
    [open_] = found.open
    assert (open_.convention, open_.favours, open_.difference, open_.p) == ("depth", "P@2", 0.0, 1.0)
    assert 'depends on conventions: by P@2 the verdict is "not significant" (' in sentence(runs, "P@1")
    assert pair(runs, "P@1", depths=[1]).settled
    assert [check.favours for check in pair(runs, "P@1", depths=2).open] == ["P@2"]
    deeper = pair(runs, "P@2", depths=[1, 2, 5])
    assert deeper.verdict == "the same"
    assert [check.favours for check in deeper.open] == ["P@1"]
    assert 'the same P@2 on all 10 topics; depends on conventions: by P@1 the verdict is "worse" (' in sentence(
        runs, "P@2", depths=[1]
    )


def test_a_depth_with_another_verdict_but_no_other_difference_leaves_a_pair_settled() -> None:
    # RR@5 and RR@6 differ on one topic only: one is significant, the other one not.
    runs = {"first": run([5] * 6 + [6] + [1] * 3), "second": run([4] * 6 + [0] + [1] * 3)}
    found = pair(runs, "RR@5", depths=6, test="student")
    [check] = [check for check in found.checks or () if check.convention == "depth"]
    assert check.verdict != found.verdict
    assert check.p_change is not None
    assert check.p_change > 0.05
    assert check.settles


@pytest.mark.parametrize(("cutoff", "depths"), [(None, ()), (1, (2,)), (2, (1, 4)), (10, (5, 20)), (0, ())])
def test_other_depths(cutoff: int | None, depths: tuple[int, ...]) -> None:
    assert other_depths(cutoff) == depths


@pytest.mark.parametrize("test", ["student", "randomization", "tukey"])
def test_other_pairs_stay_as_they_are(test: str) -> None:
    flat = tied([1] * TOPICS, 3)
    runs = {"flat": flat, "second": run([2] * (TOPICS - 1) + [3]), "last": run([0] * 9 + [5])}
    found = compare(QRELS, runs, "RR@10", test=test, settled=True)["RR@10"]
    by_ties = {
        (one.a, one.b, check.favours): check
        for one in found.pairs
        for check in one.checks or ()
        if check.convention == "ties"
    }
    assert not by_ties["flat", "second", "second"].settles
    assert by_ties["flat", "last", "last"].settles
    assert ("second", "last", "last") not in by_ties
    assert found.pair("second", "last").settled


def test_low_values_can_be_good() -> None:
    qrels = {f"t{at}": {"x": 1, "y": 0, "z": 0} for at in range(TOPICS)}
    flat = {topic: {"x": 1.0, "y": 1.0, "z": 1.0} for topic in qrels}
    mixed = {topic: ["y", "x", "z"] if at else ["x", "y", "z"] for at, topic in enumerate(qrels)}
    found = pair({"mixed": mixed, "flat": flat}, "PrefLoss", qrels)
    ends = {check.favours: check for check in found.checks or () if check.convention == "ties"}
    assert ends["flat"].difference == pytest.approx(0.0 - 0.45)
    assert ends["flat"].verdict == BETTER
    assert ends["mixed"].difference == pytest.approx(1.0 - 0.45)
    assert ends["mixed"].verdict == WORSE


def test_between_two_ends_the_highest_t_is_found() -> None:
    draw = np.random.default_rng(5)
    for _ in range(20):
        low = draw.normal(0.05, 0.2, 6)
        high = low + draw.choice([0.0, 0.0, 0.5], 6)
        found = steadiest(low, high)
        tried = low + (high - low) * draw.random((3000, 6))
        if high.sum() > 0:
            assert t_statistic(found[None])[0] >= t_statistic(tried).max() - 1e-9
        assert ((low <= found) & (found <= high)).all()


def test_a_reading_in_between_is_tried() -> None:
    """One topic may be anything from far behind to far ahead; that both are not significant does not settle it."""
    low = np.array([0.1, 0.12, 0.08, 0.11, 0.09, 0.1, -0.9])
    high = np.where(low < 0, 1.0, low)
    zero = np.zeros(7)
    assert min(student(np.stack([end, zero])).p[0, 1] for end in (low, high)) > 0.05
    assert student(np.stack([steadiest(low, high), zero])).p[0, 1] < 0.001


@pytest.mark.parametrize("kind", range(3))
def test_of_all_choices_of_ends_the_lowest_t_is_found(kind: int) -> None:
    draw = np.random.default_rng(kind)
    for topics in range(2, 11):
        low = (draw.uniform(-0.1, 0.5, topics), draw.uniform(0.01, 0.02, topics), draw.integers(-1, 5, topics) / 10)[
            kind
        ]
        high = low + draw.choice([0.0, 0.1, 0.3, 0.5, 1.0], topics)
        if not low.sum() > 0:
            continue
        at_high = (np.arange(2**topics)[:, None] >> np.arange(topics)) & 1
        found = shakiest(low, high)
        assert ((found == low) | (found == high)).all()
        # t grows with this, which is defined where nothing varies, too.
        every = np.where(at_high, high, low)
        assert found.sum() / np.sqrt((found**2).sum()) == pytest.approx(
            (every.sum(1) / np.sqrt((every**2).sum(1))).min()
        )


@pytest.mark.parametrize("measure", ["RR", "ESL"])
@pytest.mark.parametrize("test", ["student", "tukey"])
def test_ties_that_help_either_run_may_take_significance_away(measure: str, test: str) -> None:
    """With all topics at either end, b is ahead in all of them alike; in a mix, one topic decides it all."""
    grades = {"r": 1, **{f"n{at}": 0 for at in range(40)}}
    qrels = {f"t{topic}": grades for topic in range(8)}
    runs = {
        "a": {topic: {**{f"n{at}": 99.0 - at for at in range(40)}, "r": 1.0} for topic in qrels},
        "b": {topic: {"r": 5.0, **{f"n{at}": 5.0 for at in range(32 + number)}} for number, topic in enumerate(qrels)},
    }
    found = pair(runs, measure, qrels, test=test)
    assert found.p < 0.001
    assert not found.settled
    [check] = found.open
    assert (check.convention, check.mixed, check.exact, check.favours, check.verdict) == ("ties", True, True, "a", OPEN)
    said = sentence(runs, measure, qrels, test=test)
    assert 'with ties in favour of a in some topics and of b in others the verdict would be "not significant"' in said
