"""Runs compared as people would, by a machine's judgments of all documents and people's of some."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr

pytest.importorskip("scipy.special")
RNG = np.random.default_rng(11)
DOCS = [f"d{at}" for at in range(20)]
PEOPLE = {f"q{topic}": {doc: int(RNG.random() < 0.4) for doc in DOCS} for topic in range(25)}
RUNS = {
    name: {topic: {doc: grade + RNG.normal(0, noise) for doc, grade in docs.items()} for topic, docs in PEOPLE.items()}
    for name, noise in (("good", 0.5), ("poor", 3.0))
}
FRIEND = {topic: {doc: int(RUNS["poor"][topic][doc] > 0.5) for doc in docs} for topic, docs in PEOPLE.items()}
"""A machine that calls relevant what the poor run likes."""
SOME = {topic: {doc: grade for doc, grade in docs.items() if RNG.random() < 0.5} for topic, docs in PEOPLE.items()}


def test_people_who_judged_everything_decide() -> None:
    sure = {topic: dict.fromkeys(docs, 1.0) for topic, docs in PEOPLE.items()}
    found = tr.compare(FRIEND, RUNS, "P@5 RBP", people=PEOPLE, sample=sure)
    wanted = tr.compare(PEOPLE, RUNS, "P@5 RBP", settled=False)
    for measure in ("P@5", "RBP"):
        pair, theirs = found[measure].pair("good", "poor"), wanted[measure].pair("good", "poor")
        assert pair.difference == pytest.approx(theirs.difference, abs=1e-12)
        assert pair.p == pytest.approx(theirs.p, rel=1e-9)
        assert (pair.verdict, pair.settled) == (theirs.verdict, None)


def test_a_machine_that_favours_a_run_is_overruled_by_a_sample() -> None:
    by_machine = tr.compare(FRIEND, RUNS, "P@5", settled=False, gate="no worse")
    by_people = tr.compare(FRIEND, RUNS, "P@5", people=SOME, gate="no worse")
    assert by_machine["P@5"].pair("good", "poor").verdict == "better"
    assert by_people["P@5"].pair("good", "poor").verdict == "worse"
    assert (by_machine.exit_code, by_people.exit_code) == (0, 1)
    assert [note.code for note in by_people.notices][-2:] == ["TR281", "TR290"]


def test_scores_are_those_by_the_machine_and_the_inverse_of_chances() -> None:
    """P@2 by hand: what the machine's grades mean to people, and each error over the chance that it was seen."""
    people, drawn = (
        {"q1": {"a": 1, "c": 0}, "q2": {"b": 1, "d": 1}},
        {"q1": {"a": 0.5, "c": 0.25}, "q2": {"b": 1.0, "d": 0.5}},
    )
    machine = {topic: {"a": 1, "b": 0, "c": 1, "d": 0} for topic in ("q1", "q2")}
    runs = {"x": {"q1": ["a", "b"], "q2": ["b", "c"]}, "y": {"q1": ["c", "a"], "q2": ["d", "c"]}}
    found = tr.compare(machine, runs, "P@2", people=people, sample=drawn)
    # Grade 1: a of q1, relevant, counts by 2 (1/2 / 0.5)^2, in both runs; c of q1, which is not, by (1/2 / 0.25)^2.
    one, one_without_a, none = (2 * 1 + 4 * 0) / 6, 0.0, 1.0
    q1 = (one_without_a + (1 - one_without_a) / 0.5) + none
    q2 = 1 + one
    assert next(row.mean for row in found.every_system if row.run == "x") == pytest.approx((q1 + q2) / 4, abs=1e-12)


def test_few_judgments_that_count_are_said() -> None:
    """Of the sample, ``few`` documents count in P@5 of both runs."""

    def told(few: int) -> list[str]:
        first = {topic: max(docs, key=docs.__getitem__) for topic, docs in RUNS["good"].items()}
        runs = {"one": {t: [doc] for t, doc in first.items()}, "two": {t: [doc, "z"] for t, doc in first.items()}}
        chosen = {topic: {first[topic]: PEOPLE[topic][first[topic]]} for topic in list(PEOPLE)[:few]}
        chance = {topic: dict.fromkeys(docs, few / 25) for topic, docs in chosen.items()}
        found = tr.compare(FRIEND, runs, "P@5", people=chosen, sample=chance)
        return [str(note) for note in found.notices if note.code == "TR280"]

    assert len(told(14)) == 1
    assert told(14)[0].startswith("P@5: few human judgments count in 2 runs, as much as 14 of equal weight")
    assert told(16) == []
    assert told(25) == []


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"test": "wilcoxon"}, "test='wilcoxon' looks at scores of single topics"),
        ({"settled": True}, "other readings are tried of judgments by one judge"),
        ({"measures": "nDCG@5"}, "nDCG@5 is no sum over documents"),
        ({"ending": "terminal"}, "the end of a list is no document that people could judge"),
        ({"people": PEOPLE}, "people judged whole topics: compare runs by their judgments, or ask audit"),
        ({"people": None, "sample": {"q1": {"d1": 0.5}}}, "people= is not given"),
        ({"people": {"q1": {"z": 1}}}, "have judged no document of the same topic"),
    ],
)
def test_refused(given: dict[str, Any], said: str) -> None:
    asked = {"people": SOME, "measures": "P@5", **given}
    with pytest.raises(tr.InputError, match=said):
        tr.compare(FRIEND, RUNS, **asked)


def test_the_command_in_one_process_and_in_two(tmp_path: Path, truerank: Any) -> None:
    files = {"machine": FRIEND, "people": SOME}
    for name, judged in files.items():
        rows = (f"{topic} 0 {doc} {grade}\n" for topic, docs in judged.items() for doc, grade in docs.items())
        (tmp_path / f"{name}.qrels").write_text("".join(rows))
    for name, run in RUNS.items():
        lines = (f"{t} Q0 {d} 1 {s} x\n" for t, docs in run.items() for d, s in docs.items())
        (tmp_path / f"{name}.run").write_text("".join(lines))
    args = ("compare", tmp_path / "machine.qrels", tmp_path / "good.run", tmp_path / "poor.run", "-m", "P@5")
    args = (*args, "--people", tmp_path / "people.qrels", "--gate", "no worse", "--show", "pairs")
    here, apart = truerank(*args), truerank(*args, "--workers", 2)
    assert (here.exit_code, apart.exit_code) == (1, 1), here.stderr
    assert here.stdout == apart.stdout
    assert 'FAILED: "poor" is worse than "good": -0.' in here.stderr
