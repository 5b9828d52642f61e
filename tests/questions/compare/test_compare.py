"""compare: the numbers are those of scipy on evaluated scores, and nothing gives a NaN without a sentence."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.questions.compare.tracks import judged, run, track, values

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions.compare.answer import BETTER, OPEN, SAME, WORSE
from truerank.questions.compare.question import compare
from truerank.statistics.tests import TESTS

stats = pytest.importorskip("scipy.stats")

QRELS, RUNS, SCORES = track(1, 4, 20)
FOUND = compare(QRELS, RUNS, "RR P@5", settled=False)


def test_scores_are_those_of_evaluate() -> None:
    scores = tr.evaluate(QRELS, RUNS, "RR P@5")
    for measure, found in FOUND.items():
        assert {name: one.mean for name, one in found.systems.items()} == {
            name: pytest.approx(scores[name][measure].mean, abs=1e-15) for name in RUNS
        }
    assert FOUND["RR"].values.tolist() == SCORES.tolist()


def test_systems_best_first_with_intervals() -> None:
    found = FOUND["RR"]
    means = [one.mean for one in found.systems.values()]
    assert means == sorted(means, reverse=True)
    for at, name in enumerate(RUNS):
        one, own = found.systems[name], SCORES[at]
        expected = stats.t.interval(0.95, len(own) - 1, own.mean(), stats.sem(own))
        assert (one.low, one.high) == pytest.approx(expected, abs=1e-12)
        assert one.std_error == pytest.approx(stats.sem(own), abs=1e-12)
        assert one.bootstrap_low < one.mean < one.bootstrap_high
        assert (one.bootstrap_low, one.bootstrap_high) == pytest.approx(expected, abs=0.03)


@pytest.mark.parametrize(
    ("test", "theirs"),
    [
        ("t", lambda a, b: stats.ttest_rel(b, a).pvalue),
        ("sign", lambda a, b: stats.binomtest(int((b > a).sum()), int((b != a).sum())).pvalue),
        pytest.param(
            "wilcoxon",
            lambda a, b: (
                stats.permutation_test(
                    (stats.rankdata(np.abs(d := np.round(b - a, 12)[np.round(b - a, 12) != 0])) * np.sign(d),),
                    np.sum,
                    permutation_type="samples",
                    n_resamples=np.inf,
                ).pvalue
            ),
            marks=pytest.mark.thorough,
        ),
    ],
)
def test_p_values_are_those_of_scipy(test: str, theirs: Any) -> None:
    found = compare(QRELS, RUNS, "RR", test=test, correction="none", settled=False)["RR"]
    assert len(found.pairs) == 6
    for pair in found.pairs:
        a, b = (SCORES[[*RUNS].index(name)] for name in (pair.a, pair.b))
        assert pair.difference == pytest.approx((b - a).mean(), abs=1e-12)
        assert pair.p == pytest.approx(theirs(a, b), abs=1e-9)
        assert (pair.wins, pair.ties, pair.losses) == ((b > a).sum(), (b == a).sum(), (b < a).sum())
        assert pair.superiority == pytest.approx(((b > a).sum() + (b == a).sum() / 2) / 20)
        assert pair.d_z == pytest.approx((b - a).mean() / (b - a).std(ddof=1))


def test_intervals_of_differences_and_the_correction() -> None:
    found = compare(QRELS, RUNS, "RR", settled=False, interval="t")["RR"]
    p = [pair.p for pair in found.pairs]
    ordered = np.maximum.accumulate(np.sort(p) * np.arange(len(p), 0, -1)).clip(max=1)
    assert sorted(pair.p_corrected for pair in found.pairs) == pytest.approx(ordered.tolist())
    for pair in found.pairs:
        a, b = (SCORES[[*RUNS].index(name)] for name in (pair.a, pair.b))
        theirs = stats.ttest_rel(b, a).confidence_interval()
        assert (pair.low, pair.high) == pytest.approx((theirs.low, theirs.high), abs=1e-12)
        assert pair.significant == (pair.p_corrected < 0.05)


def test_power_is_that_of_statsmodels() -> None:
    power = pytest.importorskip("statsmodels.stats.power")
    solve = power.TTestPower().solve_power
    for pair in compare(QRELS, RUNS, "RR", settled=False, interval="t")["RR"].pairs:
        level = 0.05 / len(FOUND["RR"].pairs)
        exact = solve(effect_size=abs(pair.d_z), alpha=level, power=0.8, alternative="two-sided")
        assert pair.needed_topics == pytest.approx(math.ceil(exact), abs=1)
        assert pair.needed_topics_low < pair.needed_topics < pair.needed_topics_high
        assert math.isinf(pair.needed_topics_high) == (pair.low < 0 < pair.high)
        deviation = abs(pair.difference / pair.d_z)
        assert pair.detectable / deviation == pytest.approx(solve(nobs=20, alpha=level, power=0.8), rel=1e-6)


def test_pairs_with_baselines() -> None:
    found = compare(QRELS, RUNS, "RR", baseline="s02", settled=False)
    assert [(pair.a, pair.b) for pair in found["RR"].pairs] == [("s02", name) for name in ("s00", "s01", "s03")]
    assert found["RR"].family == "3 pairs with the baseline"
    every = {(pair.a, pair.b): pair for pair in FOUND["RR"].pairs}
    assert found["RR"].pair("s02", "s00").difference == -every["s00", "s02"].difference
    assert found["RR"].pair("s02", "s00").p == every["s00", "s02"].p
    two = compare(QRELS, RUNS, "RR", baseline=["s02", "s00"], settled=False)
    assert [(pair.a, pair.b) for pair in two["RR"].pairs] == [
        ("s02", "s01"),
        ("s02", "s03"),
        ("s00", "s01"),
        ("s00", "s02"),
        ("s00", "s03"),
    ]


def everything(found: tr.Comparison) -> str:
    """What people see, and all notes, in one line."""
    return " ".join(" ".join((str(found), *found.notes())).split())


@pytest.mark.parametrize("test", TESTS)
def test_every_test_is_named_and_gives_the_same_bits(test: str) -> None:
    first, second = (compare(QRELS, RUNS, "RR", test=test, permutations=500, seed=3, settled=False) for _ in range(2))
    assert first.to_json() == second.to_json()
    assert first.settings.title in everything(first)
    assert "20 topics" in str(first)
    if first.settings.procedure.draws:
        assert "500 " in everything(first)
        assert "seed 3" in everything(first)


def test_a_margin() -> None:
    found = compare(QRELS, {**RUNS, "copy": RUNS["s00"]}, "RR", margin=0.2, settled=False)["RR"]
    for pair in found.pairs:
        assert pair.guarded_low is not None
        assert pair.guarded_high is not None
        assert pair.no_worse == (pair.guarded_low > -0.2)
        assert pair.equivalent == (pair.guarded_low > -0.2 and pair.guarded_high < 0.2)
        assert pair.verdict != "better" or pair.no_worse
    assert found.pair("s00", "copy").equivalent


@pytest.mark.parametrize("runs", [("s00", "s01"), ("s01", "s00"), ("s00", "s03"), ("s00", "s01", "s02")])
def test_a_margin_and_a_gate_go_by_one_interval(runs: tuple[str, ...]) -> None:
    given = {name: RUNS[name] for name in runs}
    gates = ["no worse than 0.15", "equivalent within 0.15"]
    found = compare(QRELS, given, "RR", margin=0.15, gate=gates, baseline=runs[0], settled=False)
    for one in found.gates:
        pair = found["RR"].pair(one.baseline, one.run)
        assert (pair.guarded_low, pair.guarded_high) == (one.low, one.high)
        assert one.passed == (pair.no_worse if one.gate.startswith("no worse") else pair.equivalent)


def test_low_values_can_be_good() -> None:
    qrels = {f"t{at}": {"x": 1, "y": 0, "z": 0} for at in range(8)}
    lists = {"good": "xyz", "poor": "yzx"}
    runs = {
        name: {topic: list(order if at else reversed(order)) for at, topic in enumerate(qrels)}
        for name, order in lists.items()
    }
    pair = compare(qrels, runs, "PrefLoss", settled=False)["PrefLoss"].pair("good", "poor")
    assert pair.verdict == WORSE
    assert pair.difference > 0
    assert (pair.wins, pair.losses) == (1, 7)
    assert pair.superiority == 1 / 8


@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize(
    ("ranks", "verdict", "said"),
    [
        (([1, 2, 3, 4], [1, 2, 3, 4]), SAME, '"a" and "b" have the same RR on all 4 topics.'),
        (([1, 1, 1, 1], [2, 2, 2, 2]), None, "0.5000"),
        (([1], [2]), OPEN, "there is one topic"),
        (([1], [1]), SAME, '"a" and "b" have the same RR on the only topic.'),
        (([1, 2], [2, 1]), OPEN, "No significant difference in RR: 0.00 (95% CI "),
    ],
    ids=["identical", "constant", "one topic", "one topic, equal", "no mean difference"],
)
def test_degenerate_cases_have_a_sentence(test: str, ranks: Any, verdict: str | None, said: str) -> None:
    qrels = judged(len(ranks[0]))
    found = compare(qrels, {"a": run(ranks[0]), "b": run(ranks[1])}, "RR", test=test, margin=0.1, permutations=99)
    [pair] = found["RR"].pairs
    assert verdict is None or pair.verdict == verdict
    assert said in everything(found)
    assert not math.isnan(pair.p)
    assert not math.isnan(pair.p_corrected)
    for show in found.sheets:
        assert "nan" not in (found.to_csv(show=show) or "").replace("not significant", "").split(",")[:4]
    document = json.loads(found.to_json())
    assert document["pairs"][0]["p"] == pair.p
    assert "TR302" in [note["code"] for note in document["notes"]]


def test_topics_without_a_value_are_left_out_for_all_and_said() -> None:
    qrels = {**judged(4), "nil": {"x": 0}}
    runs = {"a": {**run([1, 2, 3, 4]), "nil": ["x"]}, "b": {**run([2, 1, 1, 4]), "nil": ["x"]}}
    kept = compare(qrels, runs, "AP RR")
    assert len(kept["AP"].topics) == len(kept["RR"].topics) == 5
    skipped, undefined = (compare(qrels, runs, "AP RR", no_relevant=choice) for choice in ("skip", "nan"))
    for found in (skipped, undefined):
        assert found["AP"].topics == ("t00", "t01", "t02", "t03")
        assert found["AP"].systems["a"].mean == pytest.approx(values([1, 2, 3, 4]).mean())
    assert skipped["RR"].topics == skipped.topics == ("t00", "t01", "t02", "t03")
    assert "1 topic has no relevant document: left out of every mean (topic nil)" in str(skipped)
    assert "missing in some of them" not in str(skipped)
    assert len(undefined["RR"].topics) == 5
    assert "AP: 4 topics; RR: 5 topics, paired t-test" in str(undefined)
    assert "1 topic has no relevant document: left out of the mean of AP (topic nil)" in str(undefined)
    with pytest.raises(InputError, match="nothing to compare"):
        compare({"nil": {"x": 0}}, runs, "AP", no_relevant="skip")


def test_topics_that_a_run_lacks() -> None:
    runs = {"a": run([1, 2, 3, 4]), "b": {topic: docs for topic, docs in run([2, 1, 1, 4]).items() if topic != "t03"}}
    found = compare(judged(4), runs, "RR", missing="skip")
    assert found["RR"].topics == ("t00", "t01", "t02")
    assert "1 topic (t03) left out for all runs, missing in some of them" in found.notices
    assert compare(judged(4), runs, "RR")["RR"].systems["b"].mean == pytest.approx((0.5 + 1 + 1) / 4)
    apart = {"a": {"t00": ["x"]}, "b": {"t01": ["x"]}}
    with pytest.raises(InputError, match="no judged topic in common"):
        compare(judged(4), apart, "RR", missing="skip")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"test": "z"}, "take one of student, wilcoxon"),
        ({"correction": "z"}, "take one of holm"),
        ({"test": "tukey", "correction": "holm"}, "allows for all pairs by itself"),
        ({"interval": "z"}, "take one of t, bootstrap"),
        ({"alpha": 0}, "between 0 and 1"),
        ({"margin": 0}, "above 0"),
        ({"baseline": "z"}, "there is no run 'z'"),
        ({"baseline": []}, "no baseline is named"),
        ({"ties": "bounds"}, "two numbers"),
        ({"measures": "GM"}, "no mean over topics"),
        ({"measures": "NumRet"}, "no mean over topics"),
        ({"runs": {"s00": RUNS["s00"]}}, "two runs or more"),
        ({"permutations": 0}, "whole number from 1"),
        ({"depths": [0]}, "whole number from 1"),
        ({"seed": -1}, "whole number from 0"),
    ],
)
def test_what_is_refused(given: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        compare(**{"qrels": QRELS, "runs": RUNS, "measures": "RR", **given})


def test_without_scipy_no_file_is_read_for_tukeys_test(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(InputError, match=r"needs scipy; install truerank\[stats\]"):
        compare("no such qrels", ["no such.run", "other.run"], "RR", test="tukey")


@pytest.mark.parametrize("test", ["student", "wilcoxon", "sign", "randomization", "dunnett"])
def test_other_tests_need_numpy_alone(test: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, Any] = {"permutations": 50} if test == "randomization" else {}
    given |= {"baseline": "s00"} if test == "dunnett" else {}
    expected = compare(QRELS, RUNS, "RR", test=test, **given).to_records("pairs")
    monkeypatch.setitem(sys.modules, "scipy", None)
    monkeypatch.setitem(sys.modules, "scipy.special", None)
    assert compare(QRELS, RUNS, "RR", test=test, **given).to_records("pairs") == expected


def test_a_baseline_that_is_a_file_is_compared_with_whatever_runs_there_are(tmp_path: Path) -> None:
    path = tmp_path / "base.run"
    path.write_text("".join(f"{topic} Q0 {doc} 0 {-at} t\n" for topic in QRELS for at, doc in enumerate(["n1", "x"])))
    found = compare(QRELS, {"s00": RUNS["s00"]}, "RR", baseline=path, settled=False)
    assert (found.runs, found.baselines) == (("base", "s00"), ("base",))
    assert found["RR"].systems["base"].mean == 0.5
    again = compare(QRELS, {"mine": str(path), "s00": RUNS["s00"]}, "RR", baseline=str(path), settled=False)
    assert (again.runs, again.baselines) == (("mine", "s00"), ("mine",)), "it is among the runs"


def test_results_are_found_and_exported() -> None:
    pandas = pytest.importorskip("pandas")
    assert list(FOUND) == ["RR", "P@5"]
    assert isinstance(FOUND.to_pandas("pairs"), pandas.DataFrame)
    assert len(FOUND.to_records()) == 8
    assert len(FOUND.to_records("pairs")) == 12
    assert FOUND.to_records("gates") == []
    worse = FOUND.to_records("topics")
    assert all(record["difference"] < 0 for record in worse)
    with pytest.raises(InputError, match="systems, pairs, topics, gates, changes, common, measures"):
        FOUND.to_records("z")
    with pytest.raises(InputError, match="was not compared with"):
        FOUND["RR"].pair("s01", "s00")
    assert len(FOUND.verdicts) == 12
    assert repr(FOUND) == "Comparison(4 runs, 20 topics, 2 measures)"


def test_json_has_everything_unrounded() -> None:
    document = json.loads(FOUND.to_json())
    assert document["settings"] == FOUND.settings.as_dict()
    assert document["conventions"]["ties"] == "expected"
    [system] = [row for row in document["systems"] if (row["measure"], row["run"]) == ("RR", "s01")]
    assert system["topics"] == dict(zip(FOUND["RR"].topics, SCORES[1].tolist(), strict=True))
    pairs = [row["p_corrected"] for row in document["pairs"] if row["measure"] == "RR"]
    assert pairs == [pair.p_corrected for pair in FOUND["RR"].pairs]
    assert (document["passed"], document["gates"]) == (None, [])
    assert "topics" not in document, "systems have the score of every topic"


def test_the_verdict_is_that_of_the_test_and_says_where_the_means_are_otherwise() -> None:
    found = compare(judged(15), {"far": run([3] * 12 + [1] * 3), "often": run([2] * 12 + [0] * 3)}, "RR", test="sign")
    [pair] = found["RR"].pairs
    assert (pair.verdict, pair.wins, pair.losses, pair.difference < 0, pair.against_mean) == (BETTER, 12, 3, True, True)
    assert "often is ahead of far by this test: -0." in found.verdicts[0]
    assert "the means are the other way round" in found.verdicts[0]
    assert not compare(judged(15), {"far": run([3] * 15), "often": run([2] * 15)}, "RR")["RR"].pairs[0].against_mean


@pytest.mark.parametrize("test", [name for name in TESTS if name not in ("tukey", "randomized-tukey")])
@pytest.mark.parametrize("won", [4, 5, 6])
def test_verdict_note_and_gate_agree_where_few_topics_differ(test: str, won: int) -> None:
    """Of so many topics that are won and none lost an exact test has p = 2^(1 - n), and .05 takes six of them."""
    runs = {"a": run([3, 2] * (won // 2) + [2] * (won % 2) + [1] * (50 - won)), "b": run([1] * 50)}
    found = compare(judged(50), runs, "RR", test=test, gate="better", settled=False)
    [pair], [gate] = found["RR"].pairs, found.gates
    enough = won == 6
    told = any("differs on 5 topics or fewer, too few for p below 0.05 by any test" in note for note in found.notices)
    assert (pair.verdict == "better", gate.passed, not told) == (enough, enough, enough)
    assert pair.p >= 2.0 ** (1 - won) or enough
    assert enough or not pair.low > 0 or not found.settings.about_means


@pytest.mark.parametrize("alpha", [0.2, 0.05, 0.01])
def test_how_few_topics_are_too_few_depends_on_alpha(alpha: float) -> None:
    won = next(count for count in range(2, 12) if 2.0 ** (1 - count) < alpha)
    for count, expected in ((won, "better"), (won - 1, "not significant")):
        runs = {"a": run([2] * count + [1] * (60 - count)), "b": run([1] * 60)}
        assert compare(judged(60), runs, "RR", alpha=alpha, settled=False)["RR"].pairs[0].verdict == expected


def test_few_topics_of_all_collections_show_nothing_either() -> None:
    runs = {"a": run([2] * 2 + [1] * 48), "b": run([1] * 50)}
    found = compare(judged(50), runs, "RR", also={"other": (judged(50), runs)}, settled=False)
    [pair] = found.every_across_pair
    assert (pair.verdict, pair.p, pair.p_corrected) == ("not significant", 0.125, 0.125)


@pytest.mark.parametrize("test", ["student", "sign", "wilcoxon"])
@pytest.mark.parametrize("seed", range(4))
def test_a_rank_is_inside_its_interval(test: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    # Many small wins and a few large losses: signs and means disagree.
    ranks = [np.where(rng.random(40) < 0.1, 20, rng.integers(1, 2 + at, 40)).tolist() for at in range(4)]
    runs = {f"s{at}": run(each) for at, each in enumerate(ranks)} | {"even": run([2] * 40)}
    for one in compare(judged(40), runs, "RR", test=test, settled=False)["RR"].systems.values():
        assert one.rank_low is not None
        assert one.rank_high is not None
        assert one.rank_low <= one.rank <= one.rank_high


def test_notes_of_a_measure_are_those_of_the_answer() -> None:
    runs = {"a": run([2] * 4 + [1] * 46), "b": run([1] * 50)}
    found = compare(judged(50), runs, "RR P@1", settled=False)
    assert found["RR"].notes
    for each in found.values():
        assert all(any(str(note) in said and each.measure in said for said in found.notices) for note in each.notes)
    assert len({*map(str, found.notes("systems"))}) == len(found.notes("systems"))


SHORT = {"t00": ["x"]}
STRANGE = {f"t{at:02}": ["elsewhere"] for at in range(50)}


@pytest.mark.parametrize(
    ("new", "said"),
    [
        (SHORT, ["new: lists 1 of 50 judged topics; the others count as empty lists"]),
        (STRANGE, ["new: no document is judged; check that ids match"]),
        (
            {"t00": ["elsewhere"]},
            [
                "new: lists 1 of 50 judged topics; the others count as empty lists",
                "new: no document is judged; check that ids match",
            ],
        ),
        (run([2] * 25), []),
    ],
)
def test_what_makes_a_verdict_doubtful_is_said_before_it(new: Any, said: list[str]) -> None:
    found = compare(judged(50), {"base": run([1] * 50), "new": new}, "RR", gate="no worse", settled=False)
    assert [*found.doubts] == said
    if said:
        sentences = " ".join(f"{each}." for each in said)
        assert found.verdict("gates").startswith(f"{sentences} FAILED: ")
        plain = compare(judged(50), {"base": run([1] * 50), "new": new}, "RR", settled=False)
        assert plain.verdict("systems").startswith(f'{sentences} "new" is worse than "base": -')
        assert all(" ".join(str(plain).split()).count(each) == 1 for each in said)
        assert [note["text"] for note in plain.to_dict()["notes"]][: len(said)] == said
        summary = found.summary()
        assert summary.index("judged") < summary.index("FAILED: ")


def test_doubts_of_each_collection_are_said_before_verdicts_over_all() -> None:
    runs = {"base": run([1] * 50), "new": run([2] * 50)}
    found = compare(judged(50), runs, "RR", also={"other": (judged(50), {**runs, "new": SHORT})}, settled=False)
    assert str(found).startswith("other: new: lists 1 of 50 judged topics")


def test_many_doubtful_runs_are_counted() -> None:
    runs = {"base": run([1] * 50)} | {f"s{at}": SHORT for at in range(5)}
    found = compare(judged(50), runs, "RR", settled=False)
    assert [*found.doubts] == ["5 runs, such as s0: lists 1 of 50 judged topics; the others count as empty lists"]
