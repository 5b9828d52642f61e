"""Gates: what may be written, what is refused, what they mean, and who passes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run, track, values

from truerank.data.errors import InputError
from truerank.questions.compare.answer import FAILED, PASSED, UNDECIDED, GateOutcome
from truerank.questions.compare.gates import FORMS, gate
from truerank.questions.compare.outcomes import GainInterval
from truerank.questions.compare.question import compare
from truerank.questions.compare.words import end_digits
from truerank.statistics.unseen import unseen_means

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


def slow(base: np.ndarray, new: np.ndarray, level: float = 0.05, losses: float = 0.0) -> tuple[float, float]:
    """The one interval of a gate: by t, with the topics that were not seen where it shows nothing."""
    difference = new - base
    reach = stats.t.ppf(1 - level / 2, len(base) - 1) * stats.sem(difference)
    low, high = difference.mean() - reach, difference.mean() + reach
    if 2.0 ** (1 - np.count_nonzero(difference)) >= level:
        low, high = min(low, 0.0), max(high, 0.0)
    rare, often = (end[0] for end in unseen_means(difference[None], np.full(1, level), losses=losses))
    return low if low > 0 else min(low, rare), high if high < 0 else max(high, often)


@pytest.mark.parametrize(("base", "new"), [(RANKS, NEARLY), (RANKS, WORSE), (WORSE, RANKS)])
@pytest.mark.parametrize(
    ("text", "level", "losses"),
    [
        ("no worse than 0.05", 0.05, 0.0),
        ("no worse than 10%", 0.05, 0.0),
        ("better", 0.05, 0.0),
        ("better by 0.1 at 0.2", 0.2, 0.0),
        ("equivalent within 0.05 over 4 looks", 0.0125, 0.0),
        ("no worse", 0.05, 0.0),
        ("no worse than 0.1 with losses up to 0.9", 0.05, 0.9),
    ],
)
def test_one_interval_decides_every_gate(text: str, level: float, losses: float, base: Any, new: Any) -> None:
    found = outcome(text, base, new)
    assert (found.low, found.high) == pytest.approx(slow(values(base), values(new), level, losses), abs=1e-12)
    low, high, margin = found.low, found.high, found.margin
    passed, failed = {
        "no worse than": (low > -margin, high < -margin),
        "better": (low > margin, high < margin),
        "equivalent within": (-margin < low and high < margin, high < -margin or low > margin),
        "not significantly worse": (high >= 0, high < 0),
    }[found.asked.form]
    assert found.outcome == (PASSED if passed else FAILED if failed else UNDECIDED)
    assert found.passed == passed
    if found.asked.relative:
        assert margin == pytest.approx(0.1 * values(base).mean())


RUNGS = (0.001, 0.005, 0.02, 0.05, 0.2)
"""Margins, from small to large."""


def contradictions(interval: GainInterval) -> list[str]:
    """What one outcome says that another one denies, whatever the margins are."""
    found = []
    better, weak = interval.decides("better"), interval.decides("not significantly worse")
    for at, size in enumerate(RUNGS):
        no_worse, by, within = (
            interval.decides(form, size) for form in ("no worse than", "better", "equivalent within")
        )
        rules = {
            "better, and not no worse": better == PASSED and no_worse != PASSED,
            "better by D, and not better": by == PASSED and better != PASSED,
            "equivalent, and not no worse": within == PASSED and no_worse != PASSED,
            "loses D, and does not lose": no_worse == FAILED and weak != FAILED,
            "loses D, and is better": no_worse == FAILED and better == PASSED,
            "not better, and better by D": better == FAILED and by != FAILED,
            "no worse than D, and not than more": no_worse == PASSED
            and any(interval.decides("no worse than", more) != PASSED for more in RUNGS[at:]),
        }
        found += [rule for rule, broken in rules.items() if broken]
    return found


def odd_sample(rng: np.random.Generator) -> np.ndarray:
    """Differences of 2 to 50 topics: rounded, mostly zero, all of one sign, or all the same."""
    topics = int(rng.integers(2, 51))
    row = rng.normal(rng.choice([-0.1, 0.0, 0.0, 0.1]), rng.choice([0.02, 0.1, 0.3]), topics)
    row = row.round(int(rng.integers(0, 4)))
    row[rng.random(topics) < rng.choice([0.0, 0.5, 0.9])] = 0.0
    if rng.random() < 0.1:
        row[:] = row[0]
    return np.abs(row) if rng.random() < 0.15 else row


@pytest.mark.parametrize("seed", range(8))
def test_gates_of_odd_samples_contradict_neither_each_other_nor_the_table(seed: int) -> None:
    """Many runs of the same topics at once, each of which has its own differences from the baseline."""
    rng = np.random.default_rng(seed)
    for given in ({}, {"correction": "none"}, {"test": "randomization", "permutations": 200}, {"test": "sign"}):
        row = odd_sample(rng)
        found = compared([row, *(rng.permuted(row) * rng.choice([1, 1, -1], len(row)) for _ in range(2))], **given)
        verdicts = {pair.run: pair.verdict for pair in found["CG@1"].pairs}
        by_run: dict[str, dict[str, GateOutcome]] = {}
        for one in found.gates:
            by_run.setdefault(one.run, {})[one.gate] = one
        for name, gates in by_run.items():
            assert (gates["better"].outcome == PASSED) <= (verdicts[name] == "better")
            assert (gates["not significantly worse"].outcome == FAILED) <= (verdicts[name] == "worse")
            if given.get("test") != "sign":
                assert (gates["better"].outcome == PASSED) == (verdicts[name] == "better")
                assert (gates["not significantly worse"].outcome == PASSED) == (verdicts[name] != "worse")
            any_one = gates["better"]
            low, high = any_one.low, any_one.high
            if np.isnan(low):
                low, high = -np.inf, np.inf
            assert not contradictions(GainInterval(low, high, any_one.shown))
            for gate_ in gates.values():
                assert (gate_.low, gate_.high) == pytest.approx((any_one.low, any_one.high), nan_ok=True)
                assert gate_.outcome == GainInterval(low, high, gate_.shown).decides(gate_.asked.form, gate_.margin)
                assert_the_text_agrees(gate_)


def compared(rows: list[np.ndarray], **given: Any) -> Any:
    """Runs that differ from a baseline so: each lists one document of its own, whose grade is the score."""
    topics = [f"t{at:02}" for at in range(len(rows[0]))]
    names = [f"s{at}" for at in range(len(rows))]
    grades = {"base": np.zeros(len(topics))} | dict(zip(names, rows, strict=True))
    qrels = {topic: {name: 5.0 + each[at] for name, each in grades.items()} for at, topic in enumerate(topics)}
    runs = {name: {topic: [name] for topic in topics} for name in grades}
    sized = [f"{form} {size}" for form in ("no worse than", "better by", "equivalent within") for size in RUNGS[::2]]
    return compare(qrels, runs, "CG@1", gate=["better", "not significantly worse", *sized], settled=False, **given)


def assert_the_text_agrees(found: GateOutcome) -> None:
    """The ends as they are printed are on the same side of the margin, and of 0, as they are."""
    for text, end in zip(found.ends, (found.low, found.high), strict=True):
        if text in ("undefined", "above 0", "below 0"):
            continue
        for edge in (-found.margin, 0.0, found.margin):
            if abs(end - edge) > 1e-12:
                assert (float(text) > edge) == (end > edge), found.sentence
                assert float(text) != edge
        assert np.isnan(found.low) or text in found.sentence
    assert found.sentence.startswith(f"{found.outcome}: ")


def test_better_is_passed_by_what_is_better() -> None:
    assert outcome("better", WORSE, RANKS).passed
    assert outcome("better by 0.05 at 0.05", WORSE, RANKS).passed
    assert not outcome("better by 0.5 at 0.05", WORSE, RANKS).passed


def test_not_significantly_worse_fails_only_what_is_shown_to_be_worse() -> None:
    theirs = stats.ttest_rel(NEW, BASE).pvalue
    assert outcome("not significantly worse", RANKS, WORSE).outcome == FAILED
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
    assert (found.low, found.high) == (0.0, 0.0)
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
    found = outcome("no worse than 0.5", [1], [1])
    assert (found.outcome, np.isnan(found.low)) == (UNDECIDED, True)
    assert '"new" against "base": 0.0000 RR; 1 topic cannot show anything at this level;' in found.sentence
    weak = outcome("not significantly worse", [1], [5])
    assert weak.passed
    assert weak.sentence.endswith("1 topic cannot show anything at this level.")


@pytest.mark.parametrize("text", ["better", "no worse than 0.005", "equivalent within 0.9"])
@pytest.mark.parametrize("topics", [2, 5, 6])
def test_a_difference_that_does_not_vary_takes_as_many_topics_as_its_signs(text: str, topics: int) -> None:
    found = outcome(text, [2] * topics, [1] * topics)
    assert found.outcome == (PASSED if topics == 6 else UNDECIDED)
    if topics == 6:
        assert (found.low, found.high) == (0.5, 0.5)


def test_low_values_can_be_good() -> None:
    qrels = {f"t{at}": {"x": 1, "y": 0, "z": 0} for at in range(24)}
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
    low = drawn.mean(axis=1) - stats.t.ppf(0.975, topics - 1) * stats.sem(drawn, axis=1)
    rare, _ = unseen_means(drawn, np.full(300, 0.05), permutations=400)
    assert np.mean(np.where(low > 0, low, np.minimum(low, rare)) > -0.02) == pytest.approx(0.8, abs=0.06)


SAID = [
    (
        "no worse than 0.05",
        NEARLY,
        'PASSED: "new" is no worse than "base" by 0.0500: 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics allowed '
        "for); holds if no topic loses more than 0.19.",
    ),
    (
        "no worse than 10%",
        NEARLY,
        'PASSED: "new" is no worse than "base" by 10% (0.0690): 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics '
        "allowed for); holds if no topic loses more than 0.26.",
    ),
    (
        "no worse than 0.01",
        NEARLY,
        'UNDECIDED: "new" against "base": 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics allowed for) leaves room '
        'for a loss of 0.0100; "not significantly worse" and "no worse than 0.018" would pass; with about 47 topics, '
        "an equally good run would pass 80% of the time.",
    ),
    (
        "no worse than 0.05",
        WORSE,
        'FAILED: "new" loses more than 0.050 against "base": -0.229 RR (95% CI -0.387 to -0.071); "no worse than 0.39" '
        "would pass.",
    ),
    ("better", WORSE, 'FAILED: "new" is worse than "base": -0.229 RR (95% CI'),
    (
        "better",
        NEARLY,
        'UNDECIDED: "new" against "base": 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics allowed for) does not '
        "show a gain;",
    ),
    (
        "better by 0.05",
        NEARLY,
        'FAILED: "new" is not better than "base" by 0.0500: 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics '
        "allowed for);",
    ),
    ("equivalent within 0.2", NEARLY, 'PASSED: "new" is equivalent to "base" within 0.2000: 0.0000 RR (95% CI'),
    ("equivalent within 0.05", WORSE, 'FAILED: "new" differs from "base" by more than 0.050: -0.229 RR (95% CI'),
    ("equivalent within 0.01", NEARLY, "leaves room for a difference of 0.0100;"),
    ("not significantly worse", WORSE, 'FAILED: "new" is worse than "base": -0.229 RR (95% CI -0.387 to -0.071);'),
    (
        "not significantly worse",
        NEARLY,
        'PASSED: "new" is not significantly worse than "base": 0.0000 RR (95% CI -0.0170 to +0.0173, unseen topics '
        "allowed for); true losses below 0.0189 are missed more than 20% of the time.",
    ),
]


@pytest.mark.parametrize(("text", "new", "said"), SAID)
def test_the_outcome_is_one_line(text: str, new: list[int], said: str) -> None:
    line = outcome(text, RANKS, new).sentence
    assert said in line
    assert "\n" not in line
    assert line.endswith(".")


@pytest.mark.parametrize(
    ("low", "high", "edge", "digits"),
    [(-0.052, 0.019, 0.02, 3), (-0.01996, 0.019, 0.02, 5), (0.00004, 0.19, 0.0, 5), (-0.02, 0.1, 0.02, 3)],
)
def test_an_end_is_printed_on_its_side_of_the_margin(low: float, high: float, edge: float, digits: int) -> None:
    assert end_digits(low, high, (-edge, edge)) == digits


def test_the_interval_is_that_of_the_test_and_says_so() -> None:
    usual = outcome("no worse than 0.05", RANKS, NEARLY)
    shown = outcome("no worse than 0.05", RANKS, NEARLY, interval="bca")
    assert (shown.low, shown.high) == (usual.low, usual.high)
    other = outcome("no worse than 0.05", RANKS, NEARLY, test="bootstrap-shift")
    assert other.low < usual.low
    assert "CI" in other.sentence
    assert "by the bootstrap of t" in other.sentence


def test_several_runs_have_the_intervals_of_the_table() -> None:
    qrels, runs, _ = track(3, 5, 20)
    found = compare(qrels, runs, "RR", gate="better", settled=False)
    assert len(found.gates) == 4
    for one in found.gates:
        pair = found["RR"].pair(one.baseline, one.run)
        if pair.verdict == "better":
            assert one.low == pair.low
        if pair.verdict == "worse":
            assert one.high == pair.high
        assert one.low <= pair.low
        assert one.high >= pair.high
        assert "Holm over 4" in one.sentence


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


def test_nothing_that_changed_is_told_by_what_topics_not_seen_may_lose() -> None:
    ranks = RANKS * 4
    line = outcome("no worse than 0.005", ranks, ranks).sentence
    assert line == (
        'PASSED: "new" is no worse than "base" by 0.0050: no topic differs by RR (95% CI 0.0000 to 0.0000, unseen '
        "topics allowed for); holds if no topic loses more than 0.067."
    )
    assert outcome("no worse than 0.005 with losses up to 0.05", ranks, ranks).passed
    open_ = outcome("no worse than 0.005 with losses up to 0.4", ranks, ranks)
    assert open_.outcome == UNDECIDED
    assert open_.low == pytest.approx(-0.4 * (1 - 0.025 ** (1 / 48)), rel=0.05)


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
    assert "(99.5% CI" in often.sentence
    assert ".05 over 10 looks" in often.sentence


def quoted(rule: str) -> str:
    return f'"{rule}"'


@pytest.mark.parametrize("text", ["no worse than 0.005", "better", "equivalent within 0.01", "no worse than 1%"])
@pytest.mark.parametrize("ranks", [NEARLY, WORSE])
def test_a_failure_names_rules_that_pass(text: str, ranks: list[int]) -> None:
    judgments, runs = judged(len(RANKS)), {"base": run(RANKS), "new": run(ranks)}
    [found] = compare(judgments, runs, "RR", gate=text, settled=False).gates
    assert not found.passed
    assert found.would_pass
    assert f"{' and '.join(map(quoted, found.would_pass))} would pass" in found.sentence
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
            assert f"true losses below {found.missed:.3f} are missed more than 20% of the time" in found.sentence
    assert stopped <= 3
    assert found is not None
    deviation = (values(new) - values(ranks)).std(ddof=1)
    t = stats.nct(29, found.missed / deviation * np.sqrt(30))
    critical = stats.t.ppf(0.975, 29)
    assert t.sf(critical) + t.cdf(-critical) == pytest.approx(0.8, abs=1e-6)
