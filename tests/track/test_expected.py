"""The mean over random judgments, beside all judgments gone through one by one."""

from itertools import product
from math import prod
from typing import Any, cast

import numpy as np
import pytest
from tests.quick import first

import truerank as tr
from truerank.conventions.axes import Given
from truerank.data.chances import Chances
from truerank.data.draws import DRAWS, JudgmentDraws
from truerank.expectation.random_count import counted, without
from truerank.io.judges import as_judges
from truerank.measures.grammar import parse
from truerank.questions.evaluate.question import RULES
from truerank.track.expected import exact
from truerank.track.track import Track

TOP = 3
ALWAYS = {"zz": {"sure": [0.0, 0.0, 0.0, 1.0]}}
"""A topic that is sure: so the highest grade is the same under all judgments."""
PROBABLE = {
    "q1": {
        "a": [0.5, 0.25, 0.0, 0.25],
        "b": [0.2, 0.8],
        "c": [0.0, 0.0, 1.0],
        "d": [0.7, 0.0, 0.3],
        "not-listed": [0.4, 0.6],
    },
    "q2": {"a": [0.5, 0.5], "d": [0.9, 0.0, 0.1]},
    "q3": {"e": [1.0, 0.0], "f": [0.25, 0.75]},
    "q4": {"a": [1.0, 0.0]},
    **ALWAYS,
}
RUNS = {
    "plain": {
        "q1": ["b", "x", "a", "c", "y", "d"],
        "q2": ["d", "a"],
        "q3": ["x", "f"],
        "q4": ["a"],
        "zz": ["x", "sure"],
    },
    "tied": {
        "q1": {"a": 3.0, "b": 2.0, "c": 2.0, "x": 2.0, "d": 2.0, "y": 1.0},
        "q2": {"a": 1.0, "d": 1.0},
        "q3": {"e": 1.0, "f": 1.0, "x": 1.0},
        "zz": {"sure": 1.0, "x": 1.0},
    },
}
EXACT = (
    "P@3 P DCG@3 CG@4 RBP(p=0.8) RBP(p=0.8,rel=2) RR RR@2 RR(rel=2) ERR@5 ERR Success@2 IRBU SDCG@3 INSQ R@2 R "
    "R(rel=2)@3 AP AP@3 AP(rel=2) Rprec Rprec(mult=2) nDCG(rel=1)@3 nDCG(rel=2) P(relative=True)@2 F@3 SetR SetF"
)
SAMPLED = "nDCG@3 bpref BPM Q AP(norm='min')@2"


def judgments_of(probable: dict[str, dict[str, list[float]]], topic: str) -> list[tuple[float, dict[str, int]]]:
    """Every judgment of the documents of a topic, with its probability."""
    docs = probable[topic]
    options = [[(chance, grade) for grade, chance in enumerate(one) if chance > 0] for one in docs.values()]
    return [
        (prod(chance for chance, _ in taken), {doc: grade for doc, (_, grade) in zip(docs, taken, strict=True)})
        for taken in product(*options)
    ]


def enumerated(run: Any, measures: str, **given: Any) -> dict[str, dict[str, float]]:
    """The mean over all judgments of each topic, by the value of each under plain ones."""
    worst = given.get("no_relevant", "zero")
    found: dict[str, dict[str, float]] = {}
    for topic in PROBABLE:
        chances, values, empty = [], [], []
        for chance, judged in judgments_of(PROBABLE, topic):
            sure = {"sure": TOP, **(judged if topic == "zz" else {})}
            qrels = {topic: judged, "zz": sure}
            lists = {one: run[one] for one in (topic, "zz") if one in run}
            scores = tr.evaluate(qrels, {"x": lists}, measures, **{**given, "no_relevant": "nan"})["x"]
            chances.append(chance)
            empty.append(not any(judged.values()))
            values.append([scores[name].per_topic[topic] for name in scores])
        table, weight = np.array(values), np.array(chances)[:, None]
        undefined = np.isnan(table)
        for at, measure in enumerate(scores):
            counts_as = parse(measure).undefined_counts_as
            column, lost, w = table[:, at], undefined[:, at], weight[:, 0]
            if worst == "zero":
                value = float((np.where(lost, counts_as, column) * w).sum())
            elif worst == "skip":
                # Judgments without a relevant document are left out for every measure.
                lost = lost | np.array(empty)
                value = float((column[~lost] * w[~lost]).sum() / w[~lost].sum()) if not lost.all() else np.nan
            else:
                value = np.nan if lost.any() else float((column * w).sum())
            found.setdefault(measure, {})[topic] = value
    return found


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    "given",
    first(
        2,
        [
            {},
            {"no_relevant": "skip"},
            {"no_relevant": "nan"},
            {"ties": "docid"},
            {"unjudged": "condensed"},
            {"unjudged": "condensed", "ties": "input", "no_relevant": "skip"},
        ],
    ),
    ids=str,
)
def test_closed_forms_are_the_mean_over_all_judgments(run: str, given: dict[str, Any]) -> None:
    found = tr.evaluate(PROBABLE, {"x": RUNS[run]}, EXACT, judges="expected", **given)["x"]
    wanted = enumerated(RUNS[run], EXACT, **given)
    for measure, score in found.items():
        values = {topic: value for topic, value in wanted[measure].items() if topic in score.per_topic}
        left_out = [value for topic, value in wanted[measure].items() if topic not in score.per_topic]
        assert all(np.isnan(left_out)), measure
        assert score.per_topic == pytest.approx(values, abs=1e-12, nan_ok=True), measure


@pytest.mark.parametrize("measure", EXACT.split())
def test_none_of_them_is_sampled(measure: str) -> None:
    track = Track.of(PROBABLE, RUNS["tied"], measure, {"judges": "expected"}, RULES)
    assert isinstance(track.judgments, Chances)
    for block in track.lens(0).rankings(track.measures[0], ties="expected", unjudged="nonrelevant"):
        assert exact(track.measures[0], block, track.judgments) is not None


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize(
    "given",
    first(
        2,
        [
            {},
            {"no_relevant": "skip"},
            {"unjudged": "condensed"},
            {"ending": "terminal"},
            {"ties": "best"},
            {"unjudged": "residual"},
        ],
    ),
    ids=str,
)
def test_others_are_near_the_mean_over_all_judgments(run: str, given: dict[str, Any]) -> None:
    measures = "AP RR nDCG@3" if "ending" in given or "ties" in given else SAMPLED
    track = Track.of(PROBABLE, {"x": RUNS[run]}, measures, cast("Given", {"judges": "expected", **given}), RULES)
    wanted = enumerated(RUNS[run], measures, **given)
    for measure in track.measures:
        value, error = track.lens(0).estimate(measure)
        assert error is not None
        left_out = {*track.topics} - {*track.lens(0).names}
        assert left_out == ({"q4"} if given.get("no_relevant") == "skip" else set())
        for topic, one, off in zip(track.lens(0).names, value, error, strict=True):
            count = 1 - measure.undefined_counts_as if measure.counts else 0
            right = wanted[str(measure)][topic]
            if np.isnan(one):
                one = measure.undefined_counts_as if given.get("no_relevant") != "skip" else one
            assert one == pytest.approx(right, abs=5 * off + 1e-12 + count, nan_ok=True), (measure, topic)


def test_with_probabilities_of_0_and_1_it_is_plain_judgments_to_the_bit() -> None:
    rng = np.random.default_rng(7)
    plain = {f"q{t}": {f"d{d}": int(rng.integers(4)) for d in range(20)} for t in range(5)}
    sure = {t: {d: [float(g == k) for k in range(4)] for d, g in docs.items()} for t, docs in plain.items()}
    run = {t: {f"d{d}": float(rng.integers(6)) for d in range(30)} for t in plain}
    measures = f"{EXACT} {SAMPLED}"
    found = tr.evaluate(sure, {"x": run}, measures, judges="expected")["x"]
    wanted = tr.evaluate(plain, {"x": run}, measures)["x"]
    # One topic that is not sure leaves the others as they are.
    sure["unsure"] = {"d1": [0.5, 0.5], "d2": [0.0, 0.0, 0.0, 1.0]}
    beside = tr.evaluate(sure, {"x": run}, measures, judges="expected")["x"]
    for name, score in wanted.items():
        assert found[name].values.tobytes() == score.values.tobytes()
        assert {topic: beside[name].per_topic[topic] for topic in plain} == score.per_topic


@pytest.mark.parametrize("measure", [*SAMPLED.split(), "gAP", "PrefLoss", "WPrefLoss"])
@pytest.mark.parametrize("run", RUNS)
def test_a_topic_alone_is_what_it_is_among_others(run: str, measure: str) -> None:
    # The sure topic stays: the highest grade of the judgments is that of all topics.
    among = tr.evaluate(PROBABLE, {"x": RUNS[run]}, measure, judges="expected", no_relevant="nan")["x"][measure]
    for topic, judged in PROBABLE.items():
        alone = tr.evaluate(
            {topic: judged, **ALWAYS}, {"x": RUNS[run]}, measure, judges="expected", topics=[topic], no_relevant="nan"
        )
        assert alone["x"][measure].per_topic[topic] == pytest.approx(among.per_topic[topic], abs=0, nan_ok=True)


@pytest.mark.thorough
def test_closed_forms_of_a_topic_do_not_depend_on_the_size_of_others() -> None:
    """Neither on how many documents of others may be relevant, nor on how many grades these may have."""
    rng = np.random.default_rng(3)
    probable = {
        f"q{topic}": {f"d{d}": rng.dirichlet(np.ones(grades)).tolist() for d in range(documents)}
        for topic, (documents, grades) in enumerate([(6, 3), (5, 2), (60, 12), (17, 9)])
    }
    highest = {"top": {"d1": [0.0] * 11 + [1.0]}}
    run = {topic: {f"d{d}": float(rng.integers(6)) for d in range(40)} for topic in probable}
    measures = f"{EXACT} {SAMPLED}"
    among = tr.evaluate({**probable, **highest}, {"x": run}, measures, judges="expected")["x"]
    for topic, judged in probable.items():
        alone = tr.evaluate({topic: judged, **highest}, {"x": run}, measures, judges="expected", topics=[topic])["x"]
        for name, score in among.items():
            assert repr(alone[name].per_topic[topic]) == repr(score.per_topic[topic]), (name, topic)


def test_ties_of_a_topic_are_averaged_as_if_it_were_alone() -> None:
    """Documents of one topic stop every reader, or none; those of the other one may stop a reader."""
    first = {"q0": {"a": 1, "b": 1, "c": 1, "d": 0, "e": 2}, "q1": {"a": 1, "b": 0, "c": 0, "d": 3, "e": 0}}
    second = {"q0": {"a": 0, "b": 2, "c": 2, "d": 0, "e": 1}, "q1": {"a": 2, "b": 0, "c": 2, "d": 2, "e": 1}}
    run = {"q0": {"a": 2.0, "b": 3.0, "c": 2.0, "d": 3.0, "e": 3.0}, "q1": dict.fromkeys("abcde", 1.0)}
    asked: Any = {"measures": "RR ERR Success@2", "judges": "expected"}
    among = tr.evaluate({"x": first, "y": second}, {"r": run}, **asked)["r"]
    for topic in run:
        alone = tr.evaluate({"x": first, "y": second}, {"r": run}, topics=[topic], **asked)["r"]
        assert {name: one.per_topic[topic].hex() for name, one in alone.items()} == {
            name: one.per_topic[topic].hex() for name, one in among.items()
        }


def test_one_uncertain_topic_with_ties_stays_between_its_judges() -> None:
    judges = {"a": {"q": {"a": 1, "b": 1, "c": 0, "z": 1}}, "b": {"q": {"a": 1, "b": 1, "c": 0, "z": 0}}}
    run = {"r": {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}}
    found = tr.evaluate(judges, run, "AP Q gAP PrefLoss AP(norm='min')@2", judges="expected")["r"]
    wanted = {"AP": 0.6713, "Q": 0.6935, "gAP": 0.6713, "PrefLoss": 0.4583, "AP(norm='min')@2": 0.5833}
    assert {name: score.mean for name, score in found.items()} == pytest.approx(wanted, abs=0.03)


def test_any_of_several_judges() -> None:
    judges = {"a": {"q": {"x": 1, "y": 0, "z": 1}}, "b": {"q": {"x": 0, "y": 0}}, "c": {"q": {"x": 1, "y": 1}}}
    shares = {"q": {"x": [1 / 3, 2 / 3], "y": [2 / 3, 1 / 3], "z": [0.0, 1.0]}}
    run = {"r": {"q": ["y", "x", "z"]}}
    found, wanted = (tr.evaluate(one, run, "AP P@2 RR", judges="expected")["r"] for one in (judges, shares))
    assert {name: score.mean for name, score in found.items()} == pytest.approx(
        {name: score.mean for name, score in wanted.items()}, abs=1e-15
    )


def test_draws_depend_on_ids_alone() -> None:
    (one,) = as_judges(PROBABLE).each
    (other,) = as_judges({t: dict(reversed(docs.items())) for t, docs in reversed(PROBABLE.items())}).each
    assert isinstance(one, Chances)
    assert isinstance(other, Chances)
    drawn = []
    for judged in (one, other):
        topics = np.repeat(np.arange(len(judged.topics)), np.diff(judged.offsets))
        grades = JudgmentDraws(judged).grades(0, 50).T.tolist()
        drawn.append({(int(t), doc): g for t, doc, g in zip(topics, judged.docs.tolist(), grades, strict=True)})
    assert drawn[0] == drawn[1]


def test_draws_have_the_probabilities_that_are_given() -> None:
    (judged,) = as_judges(PROBABLE).each
    assert isinstance(judged, Chances)
    grades = JudgmentDraws(judged).grades(0, 20_000)
    for column, options, chances in zip(grades.T, judged.options, judged.chance, strict=True):
        for grade, chance in zip(options, chances, strict=True):
            if chance:
                assert (column == grade).mean() == pytest.approx(
                    chance, abs=4 * np.sqrt(chance * (1 - chance) / 20_000)
                )
    # Neither two documents nor two draws have anything in common.
    free = [at for at, chances in enumerate(judged.chance) if chances.max() < 1]
    assert np.abs(np.corrcoef(grades[:, free].T) - np.eye(len(free))).max() < 0.03


def test_a_standard_error_is_told() -> None:
    found = tr.evaluate(PROBABLE, {"x": RUNS["plain"]}, "nDCG@3 P@3", judges="expected")
    [note] = [note for note in found.notices if note.code == "TR109"]
    assert str(note).startswith(f"nDCG@3 is the mean over {DRAWS:,} draws of judgments, standard error 0.00")
    assert "P@3" not in str(note)


@pytest.mark.parametrize("seed", range(5))
def test_how_many_are_relevant(seed: int) -> None:
    rng = np.random.default_rng(seed)
    chance = np.concatenate([rng.random(7), [0.5, 1.0, 0.0, 1e-9, 1 - 1e-9]])
    wanted = np.zeros(len(chance) + 1)
    for taken in product((0, 1), repeat=len(chance)):
        wanted[sum(taken)] += prod(p if one else 1 - p for p, one in zip(chance, taken, strict=True))
    found = counted(chance)
    assert found == pytest.approx(wanted, abs=1e-14)
    for place, row in enumerate(without(found, chance)):
        assert row == pytest.approx(counted(np.delete(chance, place)), abs=1e-13)


@pytest.mark.parametrize(
    ("given", "measures", "said"),
    [
        ({"relevant": "run"}, "AP", "relevant='run'"),
        ({"unjudged": "bounds"}, "AP", "unjudged='bounds'"),
        ({"nil": "answer"}, "AP", "nil='answer'"),
        ({}, "AP(norm='pool')", "AP.norm='pool'. asks which runs made the pool"),
    ],
)
def test_what_has_no_mean_over_judgments_is_refused(given: dict[str, Any], measures: str, said: str) -> None:
    with pytest.raises(tr.InputError, match=said):
        tr.evaluate(PROBABLE, {"x": RUNS["plain"]}, measures, judges="expected", **given)
