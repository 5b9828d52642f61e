"""Who judged: leaderboards by judge against plain evaluations, bias that was put in, and five judges of one track."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

import truerank as tr

pytest.importorskip("scipy.special")
RNG = np.random.default_rng(9)
DOCS = [f"d{at}" for at in range(20)]
PEOPLE = {f"q{topic}": {doc: int(RNG.integers(0, 3)) for doc in DOCS} for topic in range(30)}
RUNS = {
    name: {topic: {doc: grade + RNG.normal(0, noise) for doc, grade in docs.items()} for topic, docs in PEOPLE.items()}
    for name, noise in (("good", 0.8), ("fair", 1.5), ("poor", 3.0))
}


def friend(run: str) -> dict[str, dict[str, int]]:
    """A judge who calls highly relevant whatever a run has at its top."""
    found = {}
    for topic, docs in PEOPLE.items():
        top = sorted(docs, key=lambda doc: -RUNS[run][topic][doc])[:5]
        found[topic] = {doc: 2 if doc in top else grade for doc, grade in docs.items()}
    return found


def noisy(share: float) -> dict[str, dict[str, int]]:
    """A judge who errs at random."""
    return {
        topic: {doc: int(RNG.integers(0, 3)) if RNG.random() < share else grade for doc, grade in docs.items()}
        for topic, docs in PEOPLE.items()
    }


JUDGES = {"people": PEOPLE, "friend": friend("poor"), "noisy": noisy(0.3)}


def test_scores_by_each_judge_are_those_of_plain_evaluations() -> None:
    found = tr.judges(JUDGES, "nDCG@5 AP", runs=RUNS)
    for judge, judged in JUDGES.items():
        means = tr.evaluate(judged, RUNS, "nDCG@5 AP").means()
        for row in found.board:
            assert row.scores[judge] == means[row.run][row.measure]
            better = sum(means[run][row.measure] > means[row.run][row.measure] + 1e-12 for run in RUNS)
            assert row.ranks[judge] == 1 + better


def test_a_judge_who_favours_a_run_is_found_and_one_who_errs_at_random_is_not() -> None:
    found = tr.judges(JUDGES, "nDCG@5", runs=RUNS)
    assert found.tests["nDCG@5"]["friend"] < 0.001 < found.tests["nDCG@5"]["noisy"]
    friends = [row for row in found.bias if row.judge == "friend"]
    assert friends[0].run == "poor"
    assert (friends[0].p_corrected or 1) < 0.001
    assert friends[0].low is not None
    assert friends[0].low > 0
    assert sum(row.favour for row in friends) == pytest.approx(0, abs=1e-12)
    notes = " ".join(map(str, found.notes()))
    assert "compared with people, friend favours poor most" in notes


def test_what_depends_on_the_judge() -> None:
    found = tr.judges(JUDGES, "nDCG@5", runs=RUNS)
    assert found.leaders["nDCG@5"] == {"people": "good", "friend": "poor", "noisy": "good"}
    turned = {(row.run, row.compared_with): row.depends for row in found.dependent}
    assert turned[("good", "poor")] == "contradicted"
    orders = {(row.variant, row.other): row for row in found.orders}
    assert orders[("people", "noisy")].reversed == 0
    assert (orders[("people", "friend")].contradicted or 0) >= 1
    assert "ranked first: good by people and noisy; poor by friend" in str(found.notes())


@pytest.mark.thorough
def test_false_alarms_of_bias_are_as_rare_as_said() -> None:
    # Runs that are equally good: where one is better, errors at random cost it more, and that is no equal shift.
    even = {
        name: {
            topic: {doc: grade + RNG.normal(0, 1.5) for doc, grade in docs.items()} for topic, docs in PEOPLE.items()
        }
        for name in "abcd"
    }
    found = [tr.judges({"people": PEOPLE, "noisy": noisy(0.3)}, "nDCG@5", runs=even) for _ in range(60)]
    # 60 judges who err at random: at most 8 of them at a level of .05, but for one time in a thousand.
    assert sum(one.tests["nDCG@5"]["noisy"] < 0.05 for one in found) <= 8


def test_judges_without_runs() -> None:
    found = tr.judges(JUDGES)
    assert not found.has_runs
    [first, *_] = found.agreement
    a = np.array([grade for docs in PEOPLE.values() for grade in docs.values()])
    b = np.array([grade for docs in JUDGES["friend"].values() for grade in docs.values()])
    assert (first.judge, first.other, first.documents) == ("people", "friend", 600)
    assert first.same == pytest.approx(np.mean(a == b))
    assert first.more_lenient == pytest.approx(np.mean(b > 0) - np.mean(a > 0))
    assert sum(row.documents for row in found.grades if row.other == "friend") == 600
    assert found.rows("topics")
    assert "all 3 judges agree by an alpha of" in str(found.notes())
    json.loads(found.to_json())


def test_documents_that_only_some_judged() -> None:
    part = {"q0": dict(list(PEOPLE["q0"].items())[:7]), "q1": PEOPLE["q1"]}
    found = tr.judges({"people": PEOPLE, "part": part}, "AP", runs=RUNS)
    assert (found.documents, found.shared) == (600, 27)
    assert found.agreement[0].documents == 27
    assert "27 of 600 documents are judged by all judges" in str(found.notes())
    # Pairs of runs are compared on topics that both judged.
    assert {row.topic for row in found.by_topic if row.documents} == {"q0", "q1"}
    assert {row.topic for row in found.by_topic if row.moved} == {"q0", "q1"}


def test_what_a_judge_makes_of_runs_is_said_by_judge() -> None:
    old = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
    new = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}, "q3": {"e": 1}}
    runs = {"x": {"q1": ["a", "b"], "q2": ["c"], "q4": ["a"]}}
    found = tr.judges({"old": old, "new": new}, "RR", runs=runs)
    missing = [note for note in found.notices if note.code == "TR103"]
    assert missing == ["by new: 1 topic (q3) of 3 missing: counted as empty lists"]
    assert {name: missing[0].facts[name] for name in ("topics", "missing", "judged", "judges")} == {
        "topics": 1,
        "missing": ["q3"],
        "judged": 3,
        "judges": ["new"],
    }
    # What is true of the runs whoever judged is said once, without a name.
    assert [note for note in found.notices if note.code == "TR105"] == ["1 topic without judgments: ignored"]
    third = tr.judges({"old": old, "new": new, "newer": new}, "RR", runs=runs)
    assert "by new and newer: 1 topic (q3) of 3 missing" in str(third.notes())


def test_lower_is_better() -> None:
    found = tr.judges(JUDGES, "PrefLoss", runs=RUNS)
    assert found.board[0].run == "good"
    favoured = next(row for row in found.bias if row.judge == "friend")
    assert favoured.run == "poor"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"judges": {"people": PEOPLE}}, "there is one judge, 'people', and nobody to compare with"),
        ({"reference": "nobody"}, "reference='nobody' is no judge; there are people, friend, noisy"),
        ({"alpha": 1.5}, "alpha=1.5"),
        ({"judges": {"a": {"q1": {"x": 1}}, "b": {"q2": {"y": 1}}}}, "has no pair of topic and document in common"),
        ({"ties": "bounds"}, "judges are compared by single ones"),
    ],
)
def test_what_cannot_be_asked(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=message):
        tr.judges(given.pop("judges", JUDGES), given.pop("measures", "AP"), runs=RUNS, **given)


def test_the_command(tmp_path: Path, truerank: Any) -> None:
    for name, judged in JUDGES.items():
        rows = (f"{topic} 0 {doc} {grade}\n" for topic, docs in judged.items() for doc, grade in docs.items())
        (tmp_path / f"{name}.qrels").write_text("".join(rows))
    (tmp_path / "runs").mkdir()
    for name, run in RUNS.items():
        lines = (f"{t} Q0 {d} 1 {s} x\n" for t, docs in run.items() for d, s in docs.items())
        (tmp_path / "runs" / f"{name}.run").write_text("".join(lines))
    files = [tmp_path / "people.qrels", f"kind={tmp_path / 'friend.qrels'}"]
    done = truerank("judges", *files, "--runs", tmp_path / "runs", "-m", "nDCG@5", "--show", "orders")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.splitlines()[1].startswith("nDCG@5\tpeople\tkind\t")
    for figure in ("--plot", "--plot-bias"):
        drawn = truerank("judges", *files, "--runs", tmp_path / "runs", "-m", "nDCG@5", figure, tmp_path / "f.svg")
        assert drawn.exit_code == 0, drawn.stderr
        assert "poor" in (tmp_path / "f.svg").read_text()
    assert truerank("judges", *files, "--plot", tmp_path / "a.svg").exit_code == 0
    lost = truerank("judges", *files, "--out", tmp_path / "friend.qrels", "--format", "tsv")
    assert lost.exit_code == 2
    assert "is the input" in lost.stderr


def test_five_judges_of_a_track() -> None:
    """Kendall's tau with people: .92, .92, .86 and .79, as those who collected the judgments have it."""
    folder = need("dl21")
    found = tr.judges(str(folder / "judges"), "nDCG@10", runs=str(folder / "runs"), reference="nist")
    taus = {frozenset((row.variant, row.other)): row.tau_b for row in found.orders}
    wanted = {"umbrela-gpt4": 0.92, "binary-gpt4": 0.92, "exam-mean-gpt4": 0.86, "binary-llama3.2": 0.79}
    for judge, tau in wanted.items():
        assert round(taus[frozenset(("nist", judge))], 2) == tau
    assert len(found.board) == 32


def test_a_report_says_who_judged() -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    found = tr.report(tr.read_judges(JUDGES, given="people"), RUNS, "nDCG@5", judges="people")
    text = found.render("markdown")
    assert "## Who judged" in text
    known = text.partition("Worth knowing:")[2].partition("## ")[0]
    assert "nDCG@5 rests on one judge, people, by whom good is first; by friend poor." in known
    assert "pairs of runs change order with the judge" in known
    alone = tr.report(PEOPLE, RUNS, "nDCG@5").render("markdown")
    assert "Who judged" not in alone
