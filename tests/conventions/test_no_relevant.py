"""Topics without relevant documents: which topics are skipped, for which measures, and what is said of them."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.measures.grammar import parse
from truerank.measures.table import TABLE
from truerank.track.engines.executor import Here

QRELS: dict[str, dict[str, float]] = {"q1": {"d1": 1}, "q2": {}, "q3": {"x": 2}, "q4": {"d3": 0, "d4": -1}}
RUN = {"q1": ["d2", "d1"], "q2": ["d3"], "q3": ["x"], "q4": ["d3", "d4"]}


def skipped(measures: str, qrels: Any = QRELS, **given: Any) -> dict[str, tuple[str, ...]]:
    """The topics that each measure has a value for."""
    found = tr.evaluate(qrels, RUN, measures, no_relevant="skip", **given)["run"]
    return {name: score.names for name, score in found.items()}


def test_measures_of_single_answers_are_means_over_the_same_topics() -> None:
    qrels = {"q1": ["d1"], "q2": [], "q3": ["x"]}
    run = {"q1": ["d1", "d2"], "q2": ["d3"], "q3": ["x"]}
    found = tr.evaluate(qrels, run, "Hit@1 RR R@1 nDCG@1", no_relevant="skip")["run"]
    assert {score.mean for score in found.values()} == {1.0}


@pytest.mark.parametrize(
    ("measures", "given", "counting"),
    [
        ("RR", {}, "q1 q3"),
        ("AP", {}, "q1 q3"),
        ("P@3 DCG NumRet Judged@3", {}, "q1 q3"),
        # What is made for such topics leaves them out, too: that is what was asked for.
        ("RBPU c@1 RRT", {}, "q1 q3"),
        ("RR RBP", {"ending": "terminal"}, "q1 q3"),
        # Relevant is what is relevant to one of the measures, whichever it is.
        ("RR(rel=2)", {}, "q3"),
        ("RR(rel=2) P(rel=2)@3", {}, "q3"),
        ("RR(rel=2) Hit@1", {}, "q1 q3"),
        ("RR(rel=2) NumRet", {}, "q3"),
        ("RRT NumRet c@1", {}, "q1 q3"),
        ("nDCG(gains={2: 1, 1: 0})", {}, "q3"),
        # NIL is the right answer where there is no other, and counts as one.
        ("RR", {"nil": "answer"}, "q1 q2 q3 q4"),
        ("RR", {"relevant": "run"}, "q1 q3"),
    ],
)
def test_which_topics_are_skipped(measures: str, given: dict[str, Any], counting: str) -> None:
    found = skipped(measures, **given)
    assert set(found.values()) == {tuple(counting.split())}


def test_losses_beside_other_measures_follow_these() -> None:
    qrels = {"q1": {"a": 1, "b": 0}, "q2": {}}
    found = tr.evaluate(qrels, {"q1": ["a", "b"]}, "PrefLoss APT", no_relevant="skip")["run"]
    assert {score.names for score in found.values()} == {("q1",)}


def test_preferences_need_no_relevant_documents() -> None:
    rows = [("q1", "a", "b"), ("q2", "b", "a")]
    found = tr.evaluate(tr.read_preferences(rows), {"q1": ["a", "b"], "q2": ["a", "b"]}, "PrefLoss", no_relevant="skip")
    assert found["run"]["PrefLoss"].per_topic == {"q1": 0.0, "q2": 1.0}


def test_a_measure_that_lacks_more_is_undefined_on_its_own() -> None:
    assert skipped("AP(rel=2) RR(rel=2) nDCG") == {
        "AP(rel=2)": ("q3",),
        "RR(rel=2)": ("q1", "q3"),
        "nDCG": ("q1", "q3"),
    }


def test_all_questions_leave_out_the_same_topics() -> None:
    runs = {"a": RUN, "b": {topic: docs[::-1] for topic, docs in RUN.items()}}
    kept = {topic: QRELS[topic] for topic in ("q1", "q3")}
    given: dict[str, Any] = {"no_relevant": "skip"}
    whole, alone = (tr.compare(qrels, runs, "RR AP", settled=False, **given) for qrels in (QRELS, kept))
    for measure in ("RR", "AP"):
        assert whole[measure].topics == alone[measure].topics == ("q1", "q3")
        assert whole[measure].systems["b"].mean == alone[measure].systems["b"].mean
    assert tr.diff(QRELS, runs["a"], runs["b"], "RR", **given)["RR"].topics == ("q1", "q3")
    by_depth = [tr.depth(qrels, runs, "P RR", max_depth=2, **given) for qrels in (QRELS, kept)]
    assert by_depth[0]["a"]["RR"].tolist() == by_depth[1]["a"]["RR"].tolist() == [0.5, 0.75]
    groups = {"q1": "x", "q2": "x", "q3": "y", "q4": "y"}
    rows = tr.evaluate(QRELS, runs, "RR", group=groups, **given).groups
    assert [(row.group, row.num_topics) for row in rows if row.run == "a"] == [("x", 1), ("y", 1), ("all", 2)]
    offsets, grades = [0, 2, 3], [0.0, 1.0, 0.0]
    assert str(tr.score_arrays([2.0, 1.0, 1.0], grades, offsets, "RR", **given).tolist()) == "[0.5, nan]"
    with pytest.raises(InputError, match="leaves out the topics on which an empty list is correct"):
        tr.nil(QRELS, RUN, "RR", **given)


@pytest.mark.parametrize("how", ["workers", "pieces"])
def test_pieces_and_workers_leave_out_the_same_topics(how: str, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("".join(f"t{n} 0 d {n % 3}\n" for n in range(60)))
    rows = [f"t{n} Q0 {doc} 1 {score} x\n" for n in range(50) for doc, score in (("u", 2), ("d", 1))]
    paths = [str(tmp_path / f"{name}.run") for name in "abc"]
    for path in paths:
        Path(path).write_text("".join(rows))
    engine = tr.Engine(workers=2 if how == "workers" else None)
    if how == "pieces":
        vars(engine)["executor"] = Here(cuts_at=300)
    plain, other = (
        tr.evaluate(str(tmp_path / "qrels"), paths, "RR Hit@1 AP(rel=2)", no_relevant="skip", engine=one)
        for one in (None, engine)
    )
    assert plain.to_json() == other.to_json()
    assert len(plain["a"]["RR"].names) == len(plain["a"]["Success@1"].names) == 40


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("measures", ["Hit@1 RR AP RRT RBPU nDCG@2 P@2 AP(rel=2) GM", "Hit(rel=2)@1 RRT"])
def test_a_topic_comes_into_the_bounds_of_a_mean_with_its_first_relevant_document(measures: str, seed: int) -> None:
    """Every judgment of what is not judged gives means within the bounds."""
    rng = random.Random(seed)
    run = {f"q{n}": rng.sample("abc", 2) for n in range(3)} | {"z": ["z"]}
    qrels: dict[str, dict[str, float]] = {topic: {} for topic in run} | {"z": {"z": 2}}
    for topic, docs in rng.sample([(t, d) for t, listed in run.items() if t != "z" for d in listed], 3):
        qrels[topic][docs] = rng.choice([0, 0, 1, 2])
    free = [(topic, doc) for topic, listed in run.items() for doc in listed if doc not in qrels[topic]]
    assert len(free) == 3
    bounded = tr.evaluate(qrels, run, measures, unjudged="bounds", no_relevant="skip")["run"]
    for grades in product([None, 0, 1, 2], repeat=len(free)):
        judged = {topic: {**docs} for topic, docs in qrels.items()}
        for (topic, doc), grade in zip(free, grades, strict=True):
            if grade is not None:
                judged[topic][doc] = grade
        for name, score in tr.evaluate(judged, run, measures, no_relevant="skip")["run"].items():
            low, high = bounded[name].low, bounded[name].high
            assert low is not None
            assert high is not None
            assert low - 1e-12 <= score.mean <= high + 1e-12, (name, judged)


def test_a_topic_with_nothing_left_to_judge_stays_out() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"c": 0}}, {"q1": ["a"], "q2": ["c"]}
    for name, score in tr.evaluate(qrels, run, "Hit@1 RBPU AP", unjudged="bounds", no_relevant="skip")["run"].items():
        assert score.low == score.mean, name


EVERY = [name for name, one in TABLE.items() if name not in ("Own",)]


@pytest.mark.parametrize(
    ("measures", "note"),
    [
        ("Hit@1", "2 topics have no relevant document: no run can score above 0.50 (topics q2 and q4)"),
        ("AP RR R@3", "2 topics have no relevant document: no run can score above 0.50 (topics q2 and q4)"),
        ("DCG", "2 topics have no relevant document (topics q2 and q4)"),
        ("NumRel", "2 topics have no relevant document (topics q2 and q4)"),
        ("RR DCG", "2 topics have no relevant document: no run can score above 0.50 by RR (topics q2 and q4)"),
        ("RR RRT", "2 topics have no relevant document: no run can score above 0.50 by RR (topics q2 and q4)"),
        (
            "RR(rel=2)",
            "3 topics have no document of grade 2 or higher: no run can score above 0.25 (topics q1, q2 and q4)",
        ),
        ("RRT", ""),
        ("c@1", ""),
        ("RBPU ERRU", ""),
        ("OIE(size=100)", ""),
        ("NumRet NumQ Judged@3", ""),
        # An empty list has precision 1.
        ("P", ""),
    ],
)
def test_the_highest_score_that_is_possible_is_said(measures: str, note: str) -> None:
    said = [str(one) for one in tr.evaluate(QRELS, RUN, measures).notices if one.code == "TR104"]
    assert said == ([note] if note else [])


def test_what_is_said_of_more_topics_and_other_conventions() -> None:
    many = {**QRELS, **{f"r{n}": {"a": 1} for n in range(6)}, **{f"z{n}": {} for n in range(8)}}
    found = tr.evaluate(many, RUN, "Hit@1 nDCG@10")
    [note] = [one for one in found.notices if one.code == "TR104"]
    assert note == "10 topics have no relevant document: no run can score above 0.4444 (topics q2, q4, z0 and 7 others)"
    assert note.facts["highest"] == {"Success@1": 8 / 18, "nDCG@10": 8 / 18}
    for choice, said in (
        ("skip", "10 topics have no relevant document: left out of every mean (topics q2, q4, z0 and 7 others)"),
        (
            "nan",
            "10 topics have no relevant document: the mean of nDCG@10 is undefined (topics q2, q4, z0 and 7 others)",
        ),
    ):
        assert said in tr.evaluate(many, RUN, "Hit@1 nDCG@10", no_relevant=choice).notices
    # Bounds allow for relevant documents that are not found yet.
    bounded = tr.evaluate(QRELS, RUN, "RR", unjudged="bounds")
    assert "2 topics have no relevant document (topics q2 and q4)" in bounded.notices


@pytest.mark.parametrize("name", EVERY)
def test_no_list_scores_where_a_measure_says_that_none_does(name: str) -> None:
    """Every measure that says so, with lists of any kind on a topic without relevant documents."""
    for text in (name, f"{name}@2", f"{name}@1"):
        try:
            measure = parse(text)
        except InputError:
            continue
        if not measure.is_zero_without_relevant or measure.ending != "none" or measure.needs_pool:
            continue
        qrels = {f"q{n}": judged for n, judged in enumerate([{}, {"a": 0}, {"a": 0, "b": -1}])} | {"r": {"a": 1}}
        for docs in (["a"], ["b", "a"], ["u", "a", "b"], ["u"]):
            run = dict.fromkeys(qrels, docs)
            values = tr.evaluate(qrels, run, [measure])["run"][str(measure)].per_topic
            assert {values[f"q{n}"] for n in range(3)} == {0.0}, (text, docs)


def test_what_a_reader_has_to_know_comes_first() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(10)} | {"none": {}}
    runs = {"good": {topic: ["a"] for topic in qrels}, "stray": {"q1": ["u"]}}
    for found in (tr.evaluate(qrels, runs, "RR"), tr.ties(qrels, runs, "RR"), tr.unjudged(qrels, runs, "RR", draws=0)):
        first, second = found.notes()[:2]
        assert first == "stray: lists 1 of 11 judged topics; the others count as empty lists"
        assert second == "stray: no document is judged; check that ids match"
        assert [note["text"] for note in found.to_dict()["notes"][:2]] == [first, second]
    few = {"good": runs["good"], "gap": {topic: ["a"] for topic in qrels if topic != "q3"}}
    assert "missing" not in tr.evaluate(qrels, few, "RR").notes()[0]


@pytest.mark.parametrize(
    ("judges", "means"), [("bounds", [0.75, 0.875, 0.75]), ("expected", [2 / 3, 5 / 6, 2 / 3]), ("a", [1.0, 1.0, 1.0])]
)
def test_judges_leave_out_topics_that_are_empty_to_them(judges: str, means: list[float]) -> None:
    """By a the first and the third topic count, by b the first two, and the last one by neither."""
    a = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}, "q4": {"d": 0}}
    b = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 0}, "q4": {"d": 0}}
    run = {"q1": ["a"], "q2": ["x", "b"], "q3": ["c"], "q4": ["d"]}
    found = tr.evaluate({"a": a, "b": b}, run, "Hit@1 RR R@1", judges=judges, no_relevant="skip")["run"]
    assert [score.mean for score in found.values()] == pytest.approx(means)
    assert {len(score.names) for score in found.values()} == {2 if judges == "a" else 3}


def test_each_run_has_the_number_of_its_own_topics() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(8)}
    runs = {"x": {f"q{n}": ["a", "b"] for n in range(5)}, "y": {f"q{n}": ["a", "b"] for n in (2, 3)}}
    notes = [note for note in tr.evaluate(qrels, runs, "AUC", missing="skip").notices if note.code == "TR104"]
    assert [note.facts["topics"] for note in notes] == [5, 2]
    assert ["for 5 topics (q0, q1, q2 and 2 others)" in notes[0], "for 2 topics (q2 and q3)" in notes[1]] == [
        True,
        True,
    ]
