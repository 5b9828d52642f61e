"""What people would say: against all of their judgments, and on a track with several judges."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.quick import first

import truerank as tr

pytest.importorskip("scipy.special")
RNG = np.random.default_rng(5)
DOCS = [f"d{at}" for at in range(30)]
PEOPLE = {f"q{topic}": {doc: int(RNG.integers(0, 3)) for doc in DOCS} for topic in range(8)}
MACHINE = {
    topic: {doc: grade if RNG.random() < 0.8 else int(RNG.integers(0, 3)) for doc, grade in docs.items()}
    for topic, docs in PEOPLE.items()
}
RUNS = {
    name: {topic: {doc: float(round(RNG.random(), 1)) for doc in DOCS} for topic in PEOPLE} for name in ("one", "two")
}
SOME = {topic: {doc: grade for doc, grade in docs.items() if RNG.random() < 0.4} for topic, docs in PEOPLE.items()}
MEASURES = "P@5 DCG@5 RBP(p=0.5) P(rel=2)@5"


def test_what_people_judged_in_full_is_what_they_say() -> None:
    found = tr.audit(
        MACHINE, RUNS, MEASURES, people=PEOPLE, sample={t: dict.fromkeys(d, 1.0) for t, d in PEOPLE.items()}
    )
    people, machine = (tr.evaluate(judged, RUNS, MEASURES).means() for judged in (PEOPLE, MACHINE))
    for run in RUNS:
        for measure, score in found[run].items():
            assert score.score == pytest.approx(people[run][measure], abs=1e-12)
            assert score.low == score.high == score.score
            assert score.machine == pytest.approx(machine[run][measure], abs=1e-12)


def test_people_who_judged_all_topics_need_no_machine() -> None:
    found = tr.audit(MACHINE, RUNS, "nDCG@5 AP", people=PEOPLE)
    assert (found.unit, found.judged, found.population) == ("topics", 8, 8)
    people = tr.evaluate(PEOPLE, RUNS, "nDCG@5 AP").means()
    for run in RUNS:
        for measure, score in found[run].items():
            assert score.score == pytest.approx(people[run][measure], abs=1e-12)
            assert score.low == pytest.approx(score.high, abs=1e-12)


def test_whole_topics_tell_of_any_measure() -> None:
    found = tr.audit(MACHINE, RUNS, "nDCG@5", people={topic: PEOPLE[topic] for topic in ("q1", "q2", "q4", "q5", "q7")})
    assert found.unit == "topics"
    assert found["one"]["nDCG@5"].judged == 5
    truth = tr.evaluate(PEOPLE, RUNS, "nDCG@5").means()["one"]["nDCG@5"]
    score = found["one"]["nDCG@5"]
    assert score.low is not None
    assert score.low < truth < (score.high or 0)


def test_a_sample_is_drawn_judged_and_read_again(tmp_path: Path, truerank: Any) -> None:
    machine = tmp_path / "machine.qrels"
    machine.write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in MACHINE.items() for d, g in docs.items()))
    for name, run in RUNS.items():
        rows = (f"{t} Q0 {d} 1 {s} x\n" for t, docs in run.items() for d, s in docs.items())
        (tmp_path / f"{name}.run").write_text("".join(rows))
    given = [machine, tmp_path / "one.run", tmp_path / "two.run", "-m", "P@5"]
    sample = tmp_path / "sample.tsv"
    assert truerank("audit", *given, "--next", 40, "--out", sample).exit_code == 0
    again = truerank("audit", *given, "--next", 40, "--format", "tsv")
    lines = [line.split("\t") for line in sample.read_text().splitlines()]
    assert lines[0] == ["topic", "doc", "probability", "grade"]
    assert [line.split("\t")[:2] for line in again.stdout.splitlines()] == [line[:2] for line in lines]
    assert len(lines) == 41
    people = tmp_path / "people.qrels"
    people.write_text("".join(f"{t} 0 {d} {PEOPLE[t][d]}\n" for t, d, *_ in lines[1:]))
    done = truerank("audit", *given, "--people", people, "--sample", sample, "--format", "json")
    assert done.exit_code == 0
    by_hand = tr.audit(MACHINE, RUNS, "P@5", people=str(people), sample=str(sample))
    assert '"unit": "documents"' in done.stdout
    assert by_hand.judged == 40
    # Half of them judged are a random part of what was drawn.
    people.write_text("".join(f"{t} 0 {d} {PEOPLE[t][d]}\n" for t, d, *_ in lines[1:21]))
    half = truerank("audit", *given, "--people", people, "--sample", sample)
    assert "20 of the 40 documents that were drawn are not judged" in half.stderr


def deep(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]], dict[str, dict[str, list[str]]]]:
    """People, a machine that errs in one document of five, and lists of 200 documents with the relevant ones high."""
    rng = np.random.default_rng(seed)
    people = {f"q{topic}": {f"d{at}": int(rng.random() < 0.6 * 0.97**at) for at in range(200)} for topic in range(10)}
    machine = {
        topic: {doc: grade if rng.random() < 0.8 else 1 - grade for doc, grade in docs.items()}
        for topic, docs in people.items()
    }
    runs = {
        name: {
            topic: sorted(docs, key=lambda doc: int(doc[1:]) + rng.normal(0, noise)) for topic, docs in people.items()
        }
        for name, noise in (("near", 2.0), ("far", 30.0))
    }
    return people, machine, runs


def sampled(
    machine: Any, runs: Any, drawn_for: str, measure: str, people: dict[str, dict[str, int]], seed: int
) -> tr.Audit:
    """What is estimated from 100 documents that were drawn for a measure, the same one or another."""
    chance: dict[str, dict[str, float]] = {}
    for row in tr.audit(machine, runs, drawn_for, next=100, seed=seed).next:
        chance.setdefault(row.topic, {})[row.doc] = row.probability
    judged = {topic: {doc: people[topic][doc] for doc in docs} for topic, docs in chance.items()}
    return tr.audit(machine, runs, measure, people=judged, sample=chance)


@pytest.mark.parametrize(
    ("drawn_for", "measure"), first(1, [("RBP", "RBP"), ("P@10", "P@10"), ("P@10", "RBP"), ("RBP", "DCG")])
)
def test_estimates_from_a_drawn_sample_are_right_on_average(drawn_for: str, measure: str) -> None:
    people, machine, runs = deep(1)
    truth = tr.evaluate(people, runs, measure).means()
    every = [sampled(machine, runs, drawn_for, measure, people, seed) for seed in range(40)]
    for run in runs:
        rows = [found[run][measure] for found in every]
        scores = np.array([row.score for row in rows])
        assert abs(scores.mean() - truth[run][measure]) < 3.5 * scores.std() / np.sqrt(len(scores))
        alone = np.array([row.alone for row in rows])
        assert abs(alone.mean() - truth[run][measure]) < 3.5 * alone.std() / np.sqrt(len(scores))
        held = [(row.low or 0) <= truth[run][measure] <= (row.high or 0) for row in rows]
        # 40 samples show a share to within .1; samples for another measure have few documents that count most.
        assert np.mean(held) >= (0.85 if drawn_for == measure else 0.75)


def test_every_document_has_a_chance_to_be_drawn() -> None:
    _, machine, runs = deep(2)
    drawn = [row for seed in range(5) for row in tr.audit(machine, runs, "RBP", next=100, seed=seed).next]
    assert min(row.probability for row in drawn) >= 0.1 * 100 / 2000
    # Also one that counts in no run now.
    top = {(topic, doc) for run in runs.values() for topic, docs in run.items() for doc in docs[:5]}
    rows = tr.audit(machine, runs, "P@5", next=100).next
    assert 0 < sum((row.topic, row.doc) not in top for row in rows) < 20


def test_differences_are_those_of_scores_and_what_compare_finds() -> None:
    people, machine, runs = deep(3)
    judged = {topic: {doc: grade for doc, grade in docs.items() if int(doc[1:]) % 3} for topic, docs in people.items()}
    chance = {topic: dict.fromkeys(docs, 2 / 3) for topic, docs in judged.items()}
    found = tr.audit(machine, runs, "RBP P@10", people=judged, sample=chance)
    compared = tr.compare(machine, runs, "RBP P@10", people=judged, sample=chance)
    for measure in ("RBP", "P@10"):
        pair = next(row for row in found.pairs if row.measure == measure)
        scores = {run: found[run][measure].score for run in runs}
        assert pair.difference == pytest.approx(scores[pair.run] - scores[pair.compared_with], abs=1e-12)
        means = {row.run: row.mean for row in compared.every_system if row.measure == measure}
        assert means == pytest.approx(scores, abs=1e-12)


def test_the_gate() -> None:
    best = {topic: sorted(DOCS, key=lambda doc: -PEOPLE[topic][doc]) for topic in PEOPLE}
    worst = {topic: best[topic][::-1] for topic in PEOPLE}
    runs = {"best": best, "worst": worst}
    good = tr.audit(MACHINE, runs, "P@5", people=SOME, gate="worst")
    assert good.exit_code == 0
    bad = tr.audit(MACHINE, runs, "P@5", people=SOME, gate="best")
    assert bad.exit_code == 1
    assert next(iter(bad.closing())).startswith("gate failed: P@5 of worst against best, as people would say: -")
    assert tr.audit(MACHINE, runs, "P@5", people=SOME, gate="best", margin=0.1).exit_code == 1
    assert tr.audit(MACHINE, runs, "P@5", people=SOME, gate="worst", margin=0.1).exit_code == 0


def test_what_is_said() -> None:
    found = tr.audit(MACHINE, RUNS, "P@5", people={**SOME, "q99": {"x": 1}}, width=0.02)
    text = " ".join(map(str, found.notes()))
    assert "are taken for a random sample of the 240 documents that the machine judged" in text
    assert "1 human judgment is of documents that the machine did not judge" in text
    assert "intervals no wider than 0.02 take about" in text
    assert [row.judgments for row in found.plan][:2] == [50, 100]
    widths = [row.width for row in found.plan]
    assert widths == sorted(widths, reverse=True)
    assert all(row.width <= row.random + 1e-9 for row in found.plan)
    assert widths[-1] == 0.0
    assert sum(row.documents for row in found.grades) == 240


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "there are no judgments of people"),
        ({"sample": {"q1": {"d1": 0.5}}}, "sample= says how people's documents were drawn"),
        ({"people": {"q77": {"d1": 1}}}, "have judged no document of the same topic"),
        ({"people": tr.read_preferences([("q1", "d1", "d2")])}, "people= has preferences"),
        ({"people": SOME, "sample": {"q1": {"d1": 1.5}}}, "has the probability 1.5; give probabilities above 0"),
        ({"people": SOME, "measures": "nDCG@5"}, "nDCG@5 is no sum over documents with a fixed divisor"),
        ({"people": SOME, "measures": "AP"}, "AP is no sum over documents"),
        ({"people": PEOPLE, "measures": "GM"}, "GM is no mean over topics"),
        ({"people": PEOPLE, "next": 3}, "people judged whole topics"),
        ({"people": SOME, "width": 0.0}, "give a width above 0"),
        ({"people": SOME, "confidence": 1.5}, "confidence"),
        ({"people": SOME, "margin": 0.1}, "goes with gate=RUN"),
        ({"people": SOME, "gate": "three"}, "gate='three' is no run; there are one, two"),
        ({"gate": "one", "next": 5}, "gate= needs people's judgments"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=message.replace("(", r"\(")):
        tr.audit(MACHINE, RUNS, given.pop("measures", "P@5"), **given)
