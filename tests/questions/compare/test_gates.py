"""Gates: what may be written, what is refused, what they mean, and who passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run, track, values

from truerank.data.errors import InputError
from truerank.questions.compare.answer import GateOutcome
from truerank.questions.compare.gates import FORMS, gate
from truerank.questions.compare.question import compare
from truerank.statistics.equivalence import Guard, no_worse

stats = pytest.importorskip("scipy.stats")

RANKS = [1, 2, 1, 3, 1, 4, 2, 1, 5, 1, 2, 1]
WORSE = [2, 2, 2, 3, 2, 4, 4, 2, 5, 2, 2, 1]
NEARLY = [1, 2, 1, 3, 1, 5, 2, 1, 4, 1, 2, 1]


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
        ("no worse", "not significantly worse", 0.0, False, 0.1, None),
        ("not worse at 0.2", "not significantly worse", 0.0, False, 0.2, None),
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


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not understood"),
        ("worse than 0.1", "is not understood"),
        ("no worse than -0.1", "is not understood"),
        ("no worse than", "'no worse than 0.005 at 0.05', 'better by 1% at 0.05'"),
        ("better by 0.1 at", "is not understood"),
        ("no worse than 0 at 0.05", "allows for no difference"),
        ("equivalent within 0%", "allows for no difference"),
        ("no worse than 1e300%", "past all scores"),
        ("better by 1e101", "past all scores"),
        ("better at 0.5", "between 0 and 0.5"),
        ("better at 0", "between 0 and 0.5"),
        ("nDGC: better", "nDGC"),
        ("P@5: better", "add the measure"),
    ],
)
def test_what_is_refused(text: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare(judged(12), {"base": run(RANKS), "new": run(NEARLY)}, "RR", gate=text)


def outcome(text: str, base: list[int], new: list[int], **given: Any) -> GateOutcome:
    found = compare(judged(len(base)), {"base": run(base), "new": run(new)}, "RR", gate=text, settled=False, **given)
    [one] = found.gates
    assert found.passed == one.passed
    return one


BASE, NEW, NEAR = values(RANKS), values(WORSE), values(NEARLY)


@pytest.mark.parametrize(
    ("text", "new", "rows", "sides"),
    [
        ("no worse than 0.05", NEARLY, lambda a, b: b - a + 0.05, 1),
        ("no worse than 0.05", WORSE, lambda a, b: b - a + 0.05, 1),
        ("no worse than 10%", NEARLY, lambda a, b: b - 0.9 * a, 1),
        ("better by 0.1", NEARLY, lambda a, b: b - a - 0.1, 2),
        ("better by 10%", NEARLY, lambda a, b: b - 1.1 * a, 2),
    ],
)
def test_tests_against_a_margin_are_those_of_scipy(text: str, new: list[int], rows: Any, sides: int) -> None:
    found = outcome(text, RANKS, new)
    theirs = stats.ttest_1samp(rows(BASE, values(new)), 0, alternative="greater").pvalue
    assert found.p_test == pytest.approx(min(1.0, sides * theirs), abs=1e-9)
    assert found.p >= found.p_test
    assert found.passed == (found.p < 0.05)


def test_better_is_passed_by_what_is_better() -> None:
    assert outcome("better", WORSE, RANKS).passed
    assert outcome("better by 0.05 at 0.05", WORSE, RANKS).passed
    assert not outcome("better by 0.5 at 0.05", WORSE, RANKS).passed


@pytest.mark.parametrize("text", ["no worse than {}", "equivalent within {}", "better by {}"])
@pytest.mark.parametrize("size", ["0.008", "0.015", "0.05", "1%", "2%", "8%"])
def test_the_test_alone_is_passed_just_where_the_interval_is_within_the_margin(text: str, size: str) -> None:
    base, new = (RANKS, NEARLY) if text != "better by {}" else (WORSE, RANKS)
    found = outcome(text.format(size), base, new)
    within = {
        "no worse than {}": found.low > -found.margin,
        "equivalent within {}": -found.margin < found.low and found.high < found.margin,
        "better by {}": found.low > found.margin,
    }[text]
    assert (found.p_test < 0.05) == within


@pytest.mark.parametrize("margin", ["0.05", "5%"])
def test_equivalence_is_no_worse_both_ways(margin: str) -> None:
    found = outcome(f"equivalent within {margin}", RANKS, NEARLY)
    size = 0.05 * (BASE if margin.endswith("%") else 1.0)
    both = [stats.ttest_1samp(size + sign * (NEAR - BASE), 0, alternative="greater").pvalue for sign in (1, -1)]
    assert found.p_test == pytest.approx(max(both), abs=1e-9)


def test_not_significantly_worse_fails_only_what_is_shown_to_be_worse() -> None:
    worse = outcome("not significantly worse", RANKS, WORSE)
    theirs = stats.ttest_rel(NEW, BASE).pvalue
    assert worse.p == pytest.approx(theirs, abs=1e-9)
    assert not worse.passed
    assert outcome("not significantly worse", RANKS, NEARLY).passed
    assert outcome(f"not significantly worse at {theirs / 2:.12f}", RANKS, WORSE).passed


@pytest.mark.parametrize("text", ["no worse than 1%", "better by 1%", "equivalent within 1%"])
def test_a_share_needs_a_mean_above_0(text: str) -> None:
    with pytest.raises(InputError, match="share of the mean of base, which is 0 by RR; name a difference"):
        outcome(text, [0] * 12, RANKS)


@pytest.mark.parametrize("measure", ["OIE", "FlatU", "RBU"])
def test_a_share_needs_a_measure_from_0_on(measure: str) -> None:
    runs = {"base": run(RANKS), "new": run(RANKS)}
    with pytest.raises(InputError, match=f"{measure}.* may be below 0"):
        compare(judged(12), runs, f"RR {measure}", gate="no worse than 5%")
    assert compare(judged(12), runs, f"RR {measure}", gate=["RR: no worse than 5%", "no worse than 0.01"]).passed


@pytest.mark.parametrize("ranks", [RANKS, [1, 0, 0, 0, 0, 0]], ids=["many", "one"])
@pytest.mark.parametrize("text", ["no worse than 1%", "equivalent within 1%"])
def test_a_run_is_no_worse_than_itself_by_a_share(ranks: list[int], text: str) -> None:
    found = outcome(text, ranks, ranks)
    assert found.passed
    assert np.isnan([found.low, found.high]).all()
    assert found.margin == pytest.approx(values(ranks).mean() / 100)


@pytest.mark.parametrize("test", ["student", "randomization", "bootstrap-shift", "wilcoxon", "tukey"])
@pytest.mark.parametrize(
    ("text", "passed"),
    [
        ("no worse than 0.01", True),
        ("equivalent within 1%", True),
        ("better", False),
        ("not significantly worse", True),
    ],
)
def test_what_is_the_same_is_no_worse(test: str, text: str, passed: bool) -> None:
    assert outcome(text, RANKS, RANKS, test=test).passed is passed


def test_one_topic_shows_nothing() -> None:
    assert not outcome("no worse than 0.5", [1], [1]).passed
    assert outcome("not significantly worse", [1], [5]).passed
    line = outcome("no worse than 0.5", [1], [1]).sentence
    assert "there is one topic" in line
    assert "interval" not in line


def test_low_values_can_be_good() -> None:
    qrels = {f"t{at}": {"x": 1, "y": 0, "z": 0} for at in range(12)}
    base, new = ({topic: list("xyz" if at % every else "zyx") for at, topic in enumerate(qrels)} for every in (2, 4))

    def passes(text: str, one: Any, other: Any) -> bool | None:
        return compare(qrels, {"base": one, "new": other}, "PrefLoss", gate=text, settled=False).passed

    assert passes("not significantly worse", base, new)
    assert passes("better by 1% at 0.2", base, new)
    assert passes("no worse than 10%", base, base)
    assert not passes("better", new, base)
    assert not passes("no worse than 10%", new, base)


def test_every_run_every_measure_every_gate() -> None:
    runs = {"base": run(RANKS), "near": run(NEARLY), "worse": run(WORSE)}
    found = compare(judged(12), runs, "RR P@1", gate=["no worse than 0.05", "RR: not significantly worse"])
    assert [(one.asked.form, one.measure, one.run, one.passed) for one in found.gates] == [
        ("no worse than", "RR", "near", True),
        ("no worse than", "RR", "worse", False),
        ("no worse than", "P@1", "near", True),
        ("no worse than", "P@1", "worse", False),
        ("not significantly worse", "RR", "near", True),
        ("not significantly worse", "RR", "worse", False),
    ]
    assert found.passed is False
    assert found.baselines == ("base",)
    other = compare(judged(12), runs, "RR", gate="not significantly worse", baseline="worse")
    assert [one.run for one in other.gates] == ["base", "near"]


def test_topics_that_got_worse_come_with_the_largest_loss_first() -> None:
    found = outcome("no worse than 0.05", RANKS, WORSE)
    differences = [one.difference for one in found.worse]
    assert differences == sorted(differences)
    assert differences == sorted(d for d in (NEW - BASE).tolist() if d < 0)
    first = found.worse[0]
    assert (first.topic, first.compared_score, first.score, first.difference) == ("t00", 1.0, 0.5, -0.5)


def test_topics_needed_let_a_run_that_is_as_good_pass() -> None:
    found = outcome("no worse than 0.02", RANKS, WORSE)
    spread = (NEW - BASE).std(ddof=1)
    rng, topics = np.random.default_rng(0), found.needed_topics
    assert topics is not None
    drawn = rng.normal(0, spread, (300, topics))
    pairs = (np.stack([one, np.zeros(topics)]) for one in drawn)
    passed = [no_worse(pair, 0.02, guard=Guard(), permutations=400, threads=1).p[0, 1] < 0.05 for pair in pairs]
    assert np.mean(passed) == pytest.approx(0.8, abs=0.06)
    assert f"pass four times of five on {topics:,} topics" in found.sentence


@pytest.mark.parametrize(
    ("text", "new", "said"),
    [
        ("no worse than 0.05", NEARLY, "gate passed: RR of new is no worse than that of base by 0.05: "),
        ("no worse than 10%", NEARLY, "by 10% (0.06"),
        ("better", WORSE, "gate failed: RR of new is not shown to be better than that of base: -0.2"),
        ("equivalent within 0.2", NEARLY, "gate passed: RR of new is equivalent to that of base within 0.2"),
        ("not significantly worse", WORSE, "gate failed: RR of new is significantly worse than that of base: "),
        ("not significantly worse", NEARLY, "gate passed: RR of new is not significantly worse than that of base: "),
    ],
)
def test_the_verdict_is_one_line(text: str, new: list[int], said: str) -> None:
    line = outcome(text, RANKS, new).sentence
    assert said in line
    if text.startswith(("no worse", "equivalent")):
        assert "(one-sided paired t-test at .05, 90% interval by t, 12 topics)" in line
    else:
        assert "(paired t-test at .05, 95% interval by t, 12 topics)" in line
    assert "\n" not in line


@pytest.mark.parametrize("given", [{"test": "bootstrap-shift"}, {"interval": "bca"}], ids=str)
def test_the_interval_of_a_verdict_is_by_t_and_says_so(given: Any) -> None:
    found, usual = (outcome("no worse than 0.05", RANKS, NEARLY, **more) for more in (given, {}))
    assert (found.low, found.high) == (usual.low, usual.high)
    assert "90% interval by t" in found.sentence


def test_a_gate_of_any_length_is_refused_in_a_line() -> None:
    with pytest.raises(InputError, match="a gate of 5,000 characters is none; write one like") as refused:
        gate("x" * 5000)
    assert len(str(refused.value)) < 200


def test_clauses() -> None:
    found = gate("no worse than 1% against a release.run with losses up to 0.4 at 5% over 20 looks")
    assert (found.references, found.losses, found.alpha, found.looks) == (("a release.run",), 0.4, 0.05, 20)
    assert found.level == 0.05 / 20
    assert gate("better over 2 looks").level == 0.025


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("test", ["student", "sign", "tukey"])
def test_a_gate_does_not_contradict_the_verdict(seed: int, test: str) -> None:
    qrels, runs, _ = track(seed, 4, 20)
    wanted = ["better", "better by 0.0001", "not significantly worse"]
    found = compare(qrels, runs, "RR", gate=wanted, test=test, settled=False)
    for one in found.gates:
        verdict = found["RR"].pair(one.baseline, one.run).verdict
        if one.asked.form == "better":
            assert not one.passed or verdict == "better"
        else:
            assert one.passed == (verdict != "worse")


def test_nothing_that_changed_is_told_without_p_and_interval() -> None:
    ranks = RANKS * 4
    line = outcome("no worse than 0.005", ranks, ranks).sentence
    assert line.startswith("gate passed: RR of new is no worse than that of base by 0.005: no topic differs (")
    assert "holds if no topic loses more than 0.08" in line
    assert "up to 6.1% of all may be of a kind not seen here" in line
    assert "p <" not in line
    assert "[" not in line
    assert outcome("no worse than 0.005 with losses up to 0.05", ranks, ranks).passed
    failed = outcome("no worse than 0.005 with losses up to 0.4", ranks, ranks)
    assert not failed.passed
    assert "the test alone has p < .0001, but topics not seen may lose 0.4" in failed.sentence


def test_a_reference_stays_the_same_beside_the_baseline() -> None:
    runs = {"last": run(RANKS), "release": run(NEARLY), "new": run(RANKS), "newer": run(WORSE)}
    wanted = ["no worse than 0.02", "RR: no worse than 0.05 against release"]
    found = compare(judged(12), runs, "RR", gate=wanted, settled=False)
    assert [(one.baseline, one.run) for one in found.gates] == [
        ("last", "new"),
        ("last", "newer"),
        ("release", "new"),
        ("release", "newer"),
    ]
    only = compare(judged(12), runs, "RR", gate="better against release", settled=False)
    assert only.baselines == ("release",)
    with pytest.raises(InputError, match="no run 'nothing' to be the baseline"):
        compare(judged(12), runs, "RR", gate="better against nothing")


def test_every_gate_is_tried_where_a_reference_is_the_first_run() -> None:
    runs = {"base": run(RANKS), "new": run(WORSE), "newer": run(NEARLY)}
    found = compare(judged(12), runs, "RR", gate=["better", "no worse than 0.05 against base"], settled=False)
    assert [(one.baseline, one.run) for one in found.gates] == [("base", "new"), ("base", "newer")] * 2
    two = compare(
        judged(12), {"base": run(RANKS), "new": run(WORSE)}, "RR", gate=["no worse than 0.05 against base", "better"]
    )
    assert (len(two.gates), two.passed) == (2, False)


def test_gates_that_no_run_is_left_for_are_refused() -> None:
    runs = {"base": run(RANKS), "new": run(WORSE)}
    for given in (
        {"baseline": ["base", "new"], "gate": "better"},
        {"gate": ["better against base", "better against new"]},
    ):
        with pytest.raises(InputError, match="against base, new, and there is no other run that could pass"):
            compare(judged(12), runs, "RR", **given)


def test_looks_share_the_level() -> None:
    once, often = (outcome(f"no worse than 0.05{more}", RANKS, NEARLY) for more in ("", " over 10 looks"))
    assert (once.alpha, often.alpha) == (0.05, 0.005)
    assert often.low < once.low
    assert "at .005, .05 over 10 looks, 99% interval by t" in often.sentence


def test_a_share_is_of_what_the_baseline_scores_and_not_of_a_mean_taken_as_known() -> None:
    rng = np.random.default_rng(5)
    base = rng.beta(0.8, 1.2, (300, 50))
    new = base - 0.05 * 0.4 + rng.normal(0, 0.01, base.shape)
    passed = [no_worse(np.stack([b, a]), 0.05 * a).p[0, 1] < 0.05 for a, b in zip(base, new, strict=True)]
    known = [no_worse(np.stack([b, a]), 0.05 * a.mean()).p[0, 1] < 0.05 for a, b in zip(base, new, strict=True)]
    assert np.mean(passed) < 0.075 < 0.12 < np.mean(known)


@pytest.mark.parametrize("text", ["no worse than 0.005", "better", "equivalent within 0.01", "no worse than 1%"])
@pytest.mark.parametrize("ranks", [NEARLY, WORSE])
def test_a_failure_names_rules_that_pass(text: str, ranks: list[int]) -> None:
    judgments, runs = judged(len(RANKS)), {"base": run(RANKS), "new": run(ranks)}
    [found] = compare(judgments, runs, "RR", gate=text, settled=False).gates
    assert not found.passed
    assert found.would_pass
    assert all(f'"{rule}" would pass' in found.sentence for rule in found.would_pass)
    for rule in found.would_pass:
        assert compare(judgments, runs, "RR", gate=rule, settled=False).passed, rule
    usual = compare(judgments, runs, "RR", gate="no worse", settled=False).passed
    assert ("not significantly worse" in found.would_pass) == usual
    # The least margin: a digit less does not pass.
    form, _, size = found.would_pass[-1].rpartition(" ")
    share = size.endswith("%")
    least = float(size.rstrip("%"))
    if least > (0.1 if share else 0.001):
        less = f"{form} {0.89 * least:.6g}{'%' if share else ''}"
        assert not compare(judgments, runs, "RR", gate=less, settled=False).passed


def test_the_usual_rule_serves_thirty_topics_and_says_what_it_misses() -> None:
    rng = np.random.default_rng(3)
    stopped, found = 0, None
    for _ in range(20):
        ranks = rng.integers(1, 6, 30).tolist()
        new = [max(1, rank + int(step)) for rank, step in zip(ranks, rng.integers(-1, 2, 30), strict=True)]
        both = compare(judged(30), {"base": run(ranks), "new": run(new)}, "RR", gate="no worse", settled=False)
        [found] = both.gates
        stopped += not found.passed
        assert found.passed == (not found.would_pass)
        if found.passed:
            assert f"a true loss below {found.missed:.3f} is missed more than one time of five" in found.sentence
    assert stopped <= 3
    assert found is not None
    deviation = (values(new) - values(ranks)).std(ddof=1)
    t = stats.nct(29, found.missed / deviation * np.sqrt(30))
    critical = stats.t.ppf(0.975, 29)
    assert t.sf(critical) + t.cdf(-critical) == pytest.approx(0.8, abs=1e-6)
