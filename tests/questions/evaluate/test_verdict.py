"""The sentence that answers how good runs are, and what is worth knowing below the scores."""

from __future__ import annotations

import json
from typing import Any

import pytest

import truerank as tr
from truerank.data.notes import Note, worth_knowing

QRELS = {f"q{n}": {"a": 1, "b": 0} for n in range(4)}
GOOD = {f"q{n}": ["a", "b"] for n in range(4)}
BAD = {f"q{n}": ["b", "a"] for n in range(4)}
LATE = {f"q{n}": ["b", "c", "a"] for n in range(4)}


def verdict(runs: Any, measures: str, **given: Any) -> str:
    return tr.evaluate(QRELS, runs, measures, **given).verdict("runs")


CASES = [
    ({"good": GOOD, "bad": BAD}, "RR", '"good" scores highest by RR (2 runs, 4 topics).'),
    ({"bad": BAD, "good": GOOD}, "RR AP", '"good" scores highest by both measures (2 runs, 4 topics).'),
    ({"bad": BAD, "good": GOOD}, "RR AP P@1", '"good" scores highest by all 3 measures (2 runs, 4 topics).'),
    (
        {"bad": BAD, "good": GOOD},
        "R@2 RR",
        '"bad" and "good" are equal by R@2; "good" scores highest by RR (2 runs, 4 topics).',
    ),
    ({"good": GOOD, "bad": BAD}, "NumRet", "2 runs scored on 4 topics."),
    (
        dict.fromkeys("abcde", GOOD),
        "RR",
        '"a", "b", "c" and 2 others are equal by RR (5 runs, 4 topics).',
    ),
    ({"good": GOOD}, "RR", '"good" scores 1.0000 RR on 4 topics.'),
]


@pytest.mark.parametrize(("runs", "measures", "said"), CASES, ids=[said for *_, said in CASES])
def test_the_sentence(runs: Any, measures: str, said: str) -> None:
    assert verdict(runs, measures) == said


def test_a_single_run_has_an_interval_where_it_says_something() -> None:
    pytest.importorskip("scipy")
    found = tr.simulate(systems=2, topics=20, seed=1)
    name, run = next(iter(found.runs.items()))
    answer = tr.evaluate(found.qrels, {name: run}, "nDCG@10")
    low, high = answer[name]["nDCG@10"].interval()
    assert f"20 topics (95% CI {low:.3f} to {high:.3f})." in answer.verdict("runs")
    assert "nDCG@10\n" not in str(answer)  # There is no table: the sentence has the number.
    assert "nDCG@10 &" in answer.to_latex()


def test_who_leads_elsewhere_is_said() -> None:
    runs = {"x": {**GOOD, "q0": ["b", "a"]}, "y": {**LATE, "q0": ["a"]}}
    groups = {"q0": "one", **{f"q{n}": "rest" for n in range(1, 4)}}
    assert verdict(runs, "RR", group=groups) == ('"x" scores highest by RR (2 runs, 4 topics), but "y" in "one".')
    same = {"x": GOOD, "y": BAD}
    assert verdict(same, "RR", group=groups).endswith("(2 runs, 4 topics), in both groups of topics too.")


def test_scores_with_a_highest_possible_score_below_one_say_so() -> None:
    qrels = {**QRELS, "q9": {"a": 0}}
    [first, *_] = json.loads(tr.evaluate(qrels, {"x": GOOD, "y": BAD}, "RR").to_json())["worth_knowing"]
    assert first["sure"]
    assert "no run can score above 0.80" in first["text"]


def test_which_notes_are_shown() -> None:
    sure = Note("sure", sure=True, consequence=0.1)
    likely, rare = Note("likely", likelihood=0.5, consequence=0.7), Note("rare", likelihood=0.04, consequence=1)
    few = Note("few rows", consequence=0.3, share=0.1)
    assert worth_knowing([rare, few, likely, sure]) == (["sure", "likely"], 2)
    typed = [Note(f"thing {n}") for n in range(5)]
    assert worth_knowing([*typed, sure]) == (["sure", "thing 0", "thing 1"], 3)
    many = [Note(f"Fact {n}.", f"TR{n}", sure=True) for n in range(5)]
    assert worth_knowing([likely, *many]) == (["Fact 0.", "Fact 1.", "Fact 2. Fact 3. Fact 4."], 1)


def test_bounds_that_overlap_are_said_with_the_command_that_says_more() -> None:
    flat = {topic: {"a": 1.0, "b": 1.0} for topic in QRELS}
    most = {**GOOD, "q0": ["b", "a"]}
    found = tr.evaluate(QRELS, {"most": most, "flat": flat}, "RR", ties="bounds")
    [overlap] = [note for note in found.notes("runs") if note.code == "TR123"]
    assert overlap == 'RR: the bounds of 1 run overlap with those of "most", so that it could be ahead.'
    assert overlap.command == "truerank ties"


def test_two_runs_are_scored_once_more_on_the_topics_that_both_answer() -> None:
    qrels = {f"q{at}": {"a": 1} for at in range(4)}
    whole = {topic: ["b", "a"] for topic in qrels}
    some = {topic: ["a"] for topic in [*qrels][:2]}
    found = tr.evaluate(qrels, {"whole": whole, "cut": some}, "RR")
    assert found.verdict("runs") == (
        '"cut" has no results for 2 of 4 topics, which count as empty lists. "whole" and "cut" are equal by RR (2 '
        'runs, 4 topics). On the 2 topics that both answer, "cut" scores highest by RR.'
    )
    [row] = found.rows("common")
    assert (row.num_topics, row.mean, row.compared_mean, row.difference, row.verdict) == (2, 1.0, 0.5, 0.5, None)
    assert tr.evaluate(qrels, {"whole": whole, "cut": some}, "RR", missing="skip").rows("common") == ()


def test_measures_have_the_names_that_were_typed() -> None:
    found = tr.evaluate({"q": {"a": 1}}, {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}, "HR@10 MRR ndcg_at_10 P@1")
    table = found.table()
    assert [column.title for column in table.columns] == ["run", "HR@10", "MRR", "ndcg_at_10", "P@1"]
    assert table.verdict == (
        '"x" and "y" are equal by HR@10; "x" scores highest by MRR, ndcg_at_10 and P@1 (2 runs, 1 topic).'
    )
    document = found.to_dict()
    assert document["verdict"] == table.verdict
    typed = {"Success@10": "HR@10", "RR": "MRR", "nDCG@10": "ndcg_at_10", "P@1": "P@1"}
    assert {row["measure"]: row["typed"] for row in document["runs"]} == typed
    assert found["y"]["MRR"].mean == found["y"]["RR"].mean == 0.5
