"""The sentence that answers each question: good news, bad news, and nothing to say."""

from __future__ import annotations

from typing import Any

import pytest

import truerank as tr

TOPICS = [f"q{n}" for n in range(10)]
QRELS = {topic: {"a": 1, "b": 0, "c": 0} for topic in TOPICS}
GOOD = {topic: {"a": 3.0, "b": 2.0, "c": 1.0} for topic in TOPICS}
BAD = {topic: {"b": 3.0, "c": 2.0, "a": 1.0} for topic in TOPICS}
TIED = {topic: {"a": 1.0, "b": 1.0, "c": 1.0} for topic in TOPICS}
SECOND = {topic: {"b": 3.0, "a": 2.0, "c": 1.0} for topic in TOPICS}
LATE = {topic: {"b": 3.0, "c": 2.0, "d": 1.5, "a": 1.0} for topic in TOPICS}


@pytest.mark.parametrize(
    ("runs", "said"),
    [
        ({"good": GOOD, "bad": BAD}, "Ties cannot change the order of these 2 runs."),
        ({"x": GOOD, "y": GOOD}, "These 2 runs have equal scores, whatever the order of ties."),
        (
            {"tied": TIED, "second": SECOND},
            "Ties could swap 1 of 1 pair, with a chance above 5%; that pair is 0.11 apart.",
        ),
        ({"good": GOOD}, 'Ties cannot change the score of "good".'),
        (
            {"tied": TIED},
            'The order of ties can move "tied" from 0.33 to 1.00; its mean over all orders is 0.61.',
        ),
    ],
)
def test_ties(runs: Any, said: str) -> None:
    assert tr.ties(QRELS, runs, "RR").verdict("runs") == said


def test_ties_by_several_measures() -> None:
    found = tr.ties(QRELS, {"tied": TIED, "second": SECOND}, "RR P@3")
    assert found.verdict("runs").startswith("RR: Ties could swap 1 of 1 pair")
    assert found.verdict("runs").endswith("P@3: These 2 runs have equal scores, whatever the order of ties.")


def test_unjudged() -> None:
    decided = tr.unjudged(QRELS, {"good": GOOD, "bad": BAD}, "nDCG@10")
    said = "Unjudged documents cannot change the order of these 2 runs: all documents in their top 10 are judged."
    assert decided.verdict("runs") == said
    new = {topic: {"z": 3.0, "b": 2.0} for topic in TOPICS}
    two = tr.unjudged(QRELS, {"bad": BAD, "new": new}, "RR", draws=0)
    assert two.verdict("runs") == (
        "In the worst case unjudged documents could reverse 1 of 1 pair; how likely that is is not known."
    )
    assert tr.unjudged(QRELS, {"bad": BAD}, "RR").verdict("runs") == (
        'Unjudged documents cannot change the score of "bad".'
    )


def test_depth() -> None:
    found = tr.simulate(systems=6, topics=30, seed=1)
    curves = tr.depth(found.qrels, found.runs, "nDCG", max_depth=100)
    stable = curves.stability()[0].stable_from
    said = curves.verdict("stability")
    assert stable is not None
    assert said.startswith(f"The ranking is stable from depth {stable} on" if stable <= 50 else "The ranking depends")
    assert "at depth 10, " in said
    alike = tr.depth(QRELS, {"x": GOOD, "y": GOOD}, "nDCG", max_depth=5)
    assert alike.verdict("stability") == "No two runs differ significantly at depth 3."
    assert tr.depth(QRELS, {"x": GOOD}, "nDCG", max_depth=5).verdict("curves") == ""


NO_ANSWER: dict[str, dict[str, int]] = {**QRELS, "n1": {"a": 0}, "n2": {"a": 0}}
EMPTY: dict[str, dict[str, float]] = {"n1": {}, "n2": {}}


@pytest.mark.parametrize(
    ("qrels", "runs", "said"),
    [
        (QRELS, {"x": GOOD, "y": BAD}, "Every topic has an answer and no run leaves one empty"),
        (
            NO_ANSWER,
            {"x": {**GOOD, "n1": {"a": 1.0}, "n2": {"a": 1.0}}},
            "2 of 12 topics have no answer, and no run leaves any of them empty.",
        ),
        (NO_ANSWER, {"x": GOOD}, '"x" leaves 2 of 2 topics without an answer empty.'),
        (
            NO_ANSWER,
            {"x": {**GOOD, "n1": {"a": 1.0}}, "y": {"q0": {"a": 1.0}, "n2": {"a": 1.0}}},
            '"x" knows best when there is no answer: it leaves 1 of 2 topics without an answer empty.',
        ),
        (
            QRELS,
            {"x": GOOD, "shy": {"q0": {"a": 1.0}}},
            'Every topic has an answer, so each empty list is wrong: "shy" leaves 9 of 10 topics empty, '
            "the other run fewer.",
        ),
    ],
)
def test_nil(qrels: Any, runs: Any, said: str) -> None:
    answer = tr.nil(qrels, runs, "RR", limit=5)
    assert answer.verdict("cases").startswith(said)
    assert answer.verdict("runs") == ""


def test_nil_has_no_table_of_zeros() -> None:
    answer = tr.nil(QRELS, {"x": GOOD, "y": BAD}, "RR", limit=5)
    assert "wrongly unanswered" not in str(answer)
    assert len(answer.to_records()) == 2


def test_truncate() -> None:
    exact = {topic: {"a": 1.0} for topic in TOPICS}
    assert tr.truncate(QRELS, {"exact": exact}, "F").verdict("summary") == (
        'No list of "exact" would score better by F if it were cut.'
    )
    several = tr.truncate(QRELS, {"good": GOOD, "bad": BAD}, "F").verdict("summary")
    assert several.startswith("Cut at their best lengths, these 2 runs would rise from 0.500 to 0.750 F on average")
    assert several.endswith('"good" would gain most (0.500), "bad" least (0.000).')


def test_pool() -> None:
    found = tr.simulate(systems=4, topics=20, seed=1, pool_depth=10)
    pooled = tr.pools(found.qrels, found.runs).verdict("runs")
    assert " were pooled to depth " in pooled or "and nothing else." in pooled
    other = {topic: {f"z{n}": 1 for n in range(5)} for topic in TOPICS}
    assert tr.pools(other, {"x": GOOD, "y": BAD}).verdict("runs") == (
        "These runs were not pooled: documents are not judged more often above any depth than below it."
    )


def test_design() -> None:
    assert tr.design(deviation=0.2, difference=0.05).verdict("measures").startswith("About ")
    found = tr.simulate(systems=4, topics=30, seed=1)
    enough = tr.design(found.qrels, found.runs, "AP", difference=0.5, systems=10).verdict("measures")
    assert enough.startswith("Your 30 topics are enough to detect a difference of 0.5 AP between two systems 80%")
    short = tr.design(found.qrels, found.runs, "AP", difference=0.001).verdict("measures")
    assert short.startswith("About ")
    assert short.endswith("; you have 30.")


def test_lint(tmp_path: Any) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "good.run"
    qrels.write_text("q1 0 a 1\nq1 0 b 0\n")
    run.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\n")
    good = tr.lint(qrels, run)
    assert good.verdict("findings").startswith("All 2 files can be scored")
    run.write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b\n")
    bad = tr.lint(qrels, run)
    assert bad.verdict("findings").startswith(f'"{run}" cannot be scored: 1 error')
    assert bad.verdict("findings").endswith("; 1 other file can.")
