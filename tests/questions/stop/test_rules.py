"""Each rule on scores made by hand, and what all of them promise."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from truerank.data.errors import InputError
from truerank.io.load import as_run
from truerank.questions.stop import rules
from truerank.questions.stop.learned import FEATURES, LearnedRule, features
from truerank.questions.stop.rule import Fit, Rule, ScoreLists
from truerank.questions.stop.rules import RULES, load_rule, rules_of
from truerank.questions.stop.thresholds import FixedRule, GapRule, TailRule, ThresholdRule, exponential, pareto

BINS = (1, 2, 3)


def learned(mean: tuple[float, ...] = (1.0, 1.0, -1.0), weights: dict[str, float] | None = None) -> LearnedRule:
    """A learned rule of three bins of ranks, whose features have a mean of 0 and a standard deviation of 1."""
    size = len(FEATURES)
    return LearnedRule(
        starts=BINS,
        mean=mean,
        spread=(1.0,) * 3,
        centre=((0.0,) * size,) * 3,
        width=((1.0,) * size,) * 3,
        weights=tuple((weights or {}).get(name, 0.0) for name in FEATURES),
    )


@pytest.mark.parametrize(
    ("rule", "scores", "kept"),
    [
        (FixedRule(k=0), [3, 2, 1], 0),
        (FixedRule(k=2), [3, 2, 1], 2),
        (FixedRule(k=2), [3, 2, 2, 2, 1], 4),
        (FixedRule(k=1), [2, 2, 2], 3),
        (FixedRule(k=9), [3, 2, 1], 3),
        (FixedRule(k=None), [3, 2, 1], 3),
        (ThresholdRule(at=2.5, scale="raw"), [3, 2.5, 2.4], 2),
        (ThresholdRule(at=-5, scale="raw"), [-3, -5, -5, -6], 3),
        (ThresholdRule(at=np.inf, scale="raw"), [3, 2], 0),
        (ThresholdRule(at=-np.inf, scale="z"), [3, 2], 2),
        (ThresholdRule(at=0.5, scale="top"), [8, 4, 3.9, -1], 2),
        (ThresholdRule(at=0.5, scale="top"), [-1, -2, -3], 3),
        (ThresholdRule(at=0.5, scale="range"), [-1, -2, -3], 2),
        (ThresholdRule(at=0.5, scale="range"), [7, 7, 7], 3),
        (ThresholdRule(at=0.99, scale="range"), [7], 1),
        (ThresholdRule(at=1.0, scale="z"), [3, 1, 1, 1], 1),
        (ThresholdRule(at=2.0, scale="z"), [3, 1, 1, 1], 0),
        (ThresholdRule(at=0.5, scale="range"), [1e308, 0, -1e308], 3),
        (GapRule(), [9, 8, 3, 2], 2),
        (GapRule(), [9, 8, 7], 1),
        (GapRule(), [5, 5, 5], 3),
        (GapRule(), [5], 1),
        (GapRule(first=2), [9, 1, 0.5, 0.4], 2),
        (GapRule(within=2), [9, 8, 6, 1], 2),
        (GapRule(weight=2.0), [9, 8, 7.2, 6.9], 2),
        (GapRule(weight=3.0), [9, 8, 7.2, 6.9, 6.6], 4),
        (GapRule(least=1.5), [9, 8, 7], 3),
        (GapRule(least=1.5), [9, 8, 3, 2], 2),
        (GapRule(least=np.inf), [9, 1], 2),
        (TailRule(alpha=0.05), [9, 7, 3, 2, 2, 1, 1, 0, 0, 0], 1),
        (TailRule(alpha=1.0), [9, 7, 3, 2, 2, 1, 1, 0, 0, 0], 10),
        (TailRule(alpha=0.0), [9, 7, 3, 2, 2, 1, 1, 0, 0, 0], 0),
        (TailRule(alpha=0.01), [4, 3, 2, 1], 4),
        (TailRule(alpha=0.01), [4, 4, 4, 4, 4, 4], 6),
        (learned(), [5, 4, 3, 2], 2),
        (learned(), [5, 5, 5, 4], 3),
        (learned((1.0, 1.0, -3.0)), [5, 5, 5, 4], 0),
        (learned((1.0, 1.0, 1.0)), [5, 4, 3, 2, 1], 5),
        (learned((0.0, 0.0, 0.0), {"z": 1.0}), [9, 8, 1, 1], 2),
        *((rule, [], 0) for rule in (FixedRule(k=3), ThresholdRule(at=0.0), GapRule(), TailRule(alpha=0.5), learned())),
    ],
)
def test_a_rule_on_one_list(rule: Rule, scores: list[float], kept: int) -> None:
    assert rule.cut(ScoreLists((np.array(scores, float),))).tolist() == [kept]


def lists_with_ties(seed: int) -> ScoreLists:
    rng = np.random.default_rng(seed)
    lengths = (0, 1, 2, 5, 12, 30)
    return ScoreLists(tuple(-np.sort(-rng.integers(0, 9, size)).astype(float) for size in lengths))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", RULES.values(), ids=RULES)
def test_no_rule_cuts_inside_a_group_of_equal_scores(kind: type[Rule], seed: int) -> None:
    lists = lists_with_ties(seed)
    values = np.random.default_rng(seed).normal(size=(len(lists), 31))
    cuts = kind.fit(lists, values, np.arange(len(lists))).cut(lists)
    allowed = [{0, *ends.tolist()} for ends in lists.ends]
    assert all(length in some for length, some in zip(cuts.tolist(), allowed, strict=True))


@pytest.mark.parametrize(
    "rule", [FixedRule(k=4), ThresholdRule(at=0.4), GapRule(), TailRule(alpha=0.3), learned()], ids=str
)
def test_a_cut_does_not_depend_on_rows_or_other_topics(rule: Rule) -> None:
    rng = np.random.default_rng(3)
    rows = [(f"q{q}", f"d{d}", float(s)) for q in range(4) for d, s in enumerate(rng.integers(0, 12, 20))]
    run = as_run(rows)
    expected = dict(zip(run.topics, rule.lengths(run).tolist(), strict=True))
    other = as_run([rows[place] for place in rng.permutation(len(rows))])
    assert dict(zip(other.topics, rule.lengths(other).tolist(), strict=True)) == expected
    for topic in ("q0", "q3"):
        alone = as_run([row for row in rows if row[0] == topic])
        assert rule.lengths(alone).tolist() == [expected[topic.encode()]]


def test_apply_keeps_the_topic_of_an_empty_list_and_the_run_as_it_was() -> None:
    run = as_run({"q1": {"a": 3.0, "b": 1.0}, "q2": {"c": 0.5}})
    cut = ThresholdRule(at=1.0, scale="raw").apply(run)
    assert (cut.topics, cut.ranking("q1"), cut.ranking("q2")) == (run.topics, [("a", 3.0), ("b", 1.0)], [])
    assert len(run) == 3


def test_the_pareto_tail_has_the_moments_of_the_scores() -> None:
    stats = pytest.importorskip("scipy.stats")
    scores = -np.sort(-np.random.default_rng(0).gamma(0.5, 2.0, 200))
    excess = scores - scores[-1]
    ratio = excess.mean() ** 2 / excess.var()
    fitted = stats.genpareto((1 - ratio) / 2, scale=excess.mean() * (1 + ratio) / 2)
    assert np.allclose(fitted.stats(), (excess.mean(), excess.var()))
    assert np.allclose(pareto(scores), -fitted.logsf(excess), atol=1e-12)
    assert np.allclose(exponential(scores), -stats.expon(scale=excess.mean()).logsf(excess))


def test_scores_past_the_end_of_a_pareto_tail_are_beyond_any_doubt() -> None:
    scores = np.array([9.0, 8.9, 8.8, 8.7, 8.6, 8.5, 0.1, 0.0])
    surprise = pareto(scores)
    assert (np.diff(surprise) <= 0).all()
    assert TailRule(alpha=0.0, shape="pareto").cut(ScoreLists((scores,))).tolist() == [int(np.isinf(surprise).sum())]


def test_features_of_a_group_are_those_of_its_last_document() -> None:
    found = features(np.array([6.0, 4.0, 4.0, 4.0, 1.0, 0.0]))
    assert (found[1] == found[3]).all()
    assert not (found[0] == found[1]).all()
    assert np.isfinite(found).all()


@pytest.mark.parametrize("scores", [[], [1.0], [2.0, 2.0, 2.0], [1e308, -1e308], [1.0, 1.0 - 1e-16]])
def test_features_are_finite_whatever_the_scores(scores: list[float]) -> None:
    with np.errstate(over="ignore"):
        found = features(np.array(scores))
    assert found.shape == (len(scores), len(FEATURES))
    assert np.isfinite(found).all()


def test_a_learned_width_next_to_nothing_is_far_and_no_warning() -> None:
    rule = replace(learned(weights={"z": 1.0}), width=((5e-324,) * len(FEATURES),) * 3)
    with np.errstate(over="raise"):
        assert rule.cut(ScoreLists((np.array([3.0, 2.0, 1.0]),))).tolist() == [2]


EVERY = [
    FixedRule(k=3),
    FixedRule(k=None),
    ThresholdRule(at=0.1 + 0.2, scale="top"),
    ThresholdRule(at=-np.inf),
    GapRule(first=2, within=50, weight=0.5, least=1.7),
    GapRule(least=np.inf),
    TailRule(alpha=1e-300, shape="pareto"),
    learned(weights={"z": 1 / 3}),
]


@pytest.mark.parametrize("rule", EVERY, ids=str)
def test_a_rule_survives_its_file(rule: Rule, tmp_path: Path) -> None:
    rule.save(tmp_path / "rule.json")
    json.loads((tmp_path / "rule.json").read_text(), parse_constant=lambda word: pytest.fail(word))
    assert load_rule(tmp_path / "rule.json") == rule


def test_a_file_says_what_the_rule_was_fitted_to(tmp_path: Path) -> None:
    fitted = Fit(measure="F", run="bm25", topics=3, mean=0.5, whole=0.25, oracle=1.0)
    FixedRule(k=3, fitted=fitted).save(tmp_path / "rule.json")
    assert load_rule(tmp_path / "rule.json").fitted == fitted


WHOLE: dict[str, Any] = {"truerank": "stopping rule", "version": 1, "rule": "fixed", "parameters": {"k": 3}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no JSON"),
        ("{", "no JSON"),
        ("\xff\xfe", "no JSON"),
        ("[1]", "no stopping rule"),
        ('{"rule": "fixed"}', "no stopping rule"),
        (json.dumps({**WHOLE, "version": 2}), "version 2"),
        (json.dumps({**WHOLE, "rule": "fuzzy"}), "no rule 'fuzzy'"),
        (json.dumps({**WHOLE, "rule": ["fixed"]}), "a name and parameters"),
        (json.dumps({**WHOLE, "parameters": None}), "a name and parameters"),
        (json.dumps({**WHOLE, "parameters": {"k": -1}}), "k is a whole number from 0 on"),
        (json.dumps({**WHOLE, "parameters": {"k": "3"}}), "k is a whole number from 0 on"),
        (json.dumps({**WHOLE, "parameters": {"k": 3, "j": 1}}), "no parameter 'j'"),
        (json.dumps({**WHOLE, "rule": "threshold", "parameters": {"scale": "z"}}), "parameter 'at', which is not"),
        (json.dumps({**WHOLE, "rule": "threshold", "parameters": {"at": None}}), "at is a number"),
        (json.dumps({**WHOLE, "rule": "threshold", "parameters": {"at": float("nan")}}), "at is a number"),
        (json.dumps({**WHOLE, "rule": "threshold", "parameters": {"at": 1, "scale": "log"}}), "scale is 'range' or"),
        (json.dumps({**WHOLE, "rule": "threshold", "parameters": {"at": 1, "scale": []}}), "scale is 'range' or"),
        (json.dumps({**WHOLE, "rule": "gap", "parameters": {"first": 5, "within": 4}}), "within is a whole number"),
        (json.dumps({**WHOLE, "rule": "gap", "parameters": {"least": "much"}}), "least is a number"),
        (json.dumps({**WHOLE, "rule": "tail", "parameters": {"alpha": 2}}), "alpha is a number from 0 to 1"),
        (
            json.dumps({**WHOLE, "rule": "tail", "parameters": {"alpha": 10**400}}),
            "alpha is a number from 0 to 1, not a whole number of about 400 digits",
        ),
        (
            json.dumps({**WHOLE, "rule": "threshold", "parameters": {"at": 10**400}}),
            "at is a number, not a whole number of about 400 digits",
        ),
        (json.dumps({**WHOLE, "rule": "learned", "parameters": {"starts": 1}}), "parameter 'mean'"),
        (json.dumps({**learned().to_dict(), "version": "1"}), "version '1'"),
    ],
)
def test_a_broken_file_is_refused_in_a_sentence(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "rule.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(InputError) as refused:
        load_rule(path)
    assert str(refused.value).startswith(f"{path}: ")
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("starts", [1, 3, 3], "begin with 1 and grow"),
        ("starts", [2, 3, 4], "begin with 1 and grow"),
        ("mean", [1.0], "a number for each bin"),
        ("weights", [1.0, "a"], "a value of weights is a number"),
        ("centre", [1.0, 2.0, 3.0], "centre is a list of numbers"),
        ("width", 3, "a list of lists"),
        ("spread", "abc", "spread is a list of numbers"),
    ],
)
def test_a_learned_rule_with_missing_parts_is_refused(name: str, value: object, said: str, tmp_path: Path) -> None:
    document = learned().to_dict()
    document["parameters"][name] = value
    (tmp_path / "rule.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=said):
        load_rule(tmp_path / "rule.json")


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(InputError, match=r"nowhere\.json: not readable"):
        load_rule("nowhere.json")


@pytest.mark.parametrize(
    ("given", "said"), [("fuzzy", "there is no rule 'fuzzy'"), ("", "no rule given"), ([3], "3 is no rule")]
)
def test_unknown_rules_are_refused(given: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        rules_of(given)


def test_rules_that_are_ready_keep_apart() -> None:
    assert [*rules_of([learned(), learned((0.0, 0.0, 0.0)), "learned"])] == [
        "learned(3 bins of ranks)",
        "learned(3 bins of ranks)#1",
        "learned",
    ]


def test_what_a_rule_was_fitted_to_can_be_written_again(tmp_path: Path) -> None:
    fitted = {"measure": "F", "run": "r", "topics": 3, "mean": 0.5, "whole": 0.25, "oracle": float("inf")}
    (tmp_path / "rule.json").write_text(json.dumps({**WHOLE, "fitted": fitted}))
    rule = load_rule(tmp_path / "rule.json")
    assert "fitted" not in json.loads(rule.to_json())


@pytest.mark.parametrize(
    "make",
    [
        lambda value: FixedRule(k=value),
        lambda value: ThresholdRule(at=value),
        lambda value: ThresholdRule(at=value, scale="raw"),
        lambda value: TailRule(alpha=value),
        lambda value: GapRule(weight=value),
        lambda value: GapRule(least=value),
        lambda value: GapRule(first=value),
        lambda value: GapRule(within=value),
        lambda value: replace(learned(), weights=(value,) * len(FEATURES)),
        lambda value: replace(learned(), mean=(value,) * len(learned().starts)),
        lambda value: replace(learned(), starts=(1, *(value + place for place in range(len(learned().starts) - 1)))),
    ],
)
@pytest.mark.parametrize("value", [10**9, 10**15, 10**18, 2**63, 10**21, 2**64, -(10**21), 10**99, 10**101, 10**400])
def test_a_rule_of_any_whole_number_cuts_or_is_refused(make: Callable[[int], Rule], value: int) -> None:
    """In Python as in a file: arrays hold numbers up to 2^63, and floats none past 10^308."""
    run = as_run({"q1": {f"d{place}": 9.0 - place for place in range(8)}, "q2": {"a": 1.0}})
    try:
        rule = make(value)
    except InputError:
        return
    assert all(0 <= length <= 8 for length in rule.lengths(run).tolist())
    assert rule.said()
    assert json.loads(rule.to_json())["rule"] == rule.name


def test_whole_numbers_are_numbers_to_a_learned_rule() -> None:
    run = as_run({"q1": {f"d{place}": 9.0 - place for place in range(8)}})
    size = len(FEATURES)
    whole = replace(learned(), centre=((0,) * size,) * 3, width=((1,) * size,) * 3, mean=(1, 1, -1), spread=(1, 1, 1))
    assert whole.lengths(run).tolist() == learned().lengths(run).tolist()


def test_a_threshold_of_a_large_whole_number_is_that_threshold() -> None:
    run = as_run({"q1": {"a": 3e21, "b": 1e21, "c": 5e20}})
    assert ThresholdRule(at=10**21, scale="raw").lengths(run).tolist() == [2]
    assert ThresholdRule(at=10**21) == ThresholdRule(at=1e21)


def test_a_file_that_is_too_long_for_a_rule_is_not_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "rule.json"
    with path.open("wb") as file:
        file.truncate(rules.LONGEST + 1)
    with pytest.raises(InputError, match="no longer than 64 MiB"):
        load_rule(path)
    with pytest.raises(InputError, match="no longer than 64 MiB"):
        load_rule("/dev/zero")
