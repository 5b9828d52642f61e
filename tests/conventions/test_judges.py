"""Whose judgments count: the axis, in the questions that take it."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.conventions.axes import Conventions

JUDGES = {
    "people": {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"a": 0, "d": 1}},
    "gpt": {"q1": {"a": 1, "b": 1, "c": 0}, "q2": {"a": 1, "d": 1}},
    "llama": {"q1": {"a": 2, "b": 1, "e": 1}},
}
RUNS = {"x": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}, "q2": {"d": 2.0, "a": 1.0}}, "y": {"q1": ["e", "b"], "q2": ["a"]}}
TOGETHER = {
    "majority": {"q1": {"a": 2, "b": 1, "c": 0, "e": 1}, "q2": {"a": 0, "d": 1}},
    "median": {"q1": {"a": 2, "b": 1, "c": 0.5, "e": 1}, "q2": {"a": 0.5, "d": 1}},
    "mean": {"q1": {"a": 5 / 3, "b": 2 / 3, "c": 0.5, "e": 1}, "q2": {"a": 0.5, "d": 1}},
}
MEASURES = "nDCG@2 AP RR"


def means(found: tr.Scores) -> dict[str, dict[str, float]]:
    return found.means()


@pytest.mark.parametrize("how", TOGETHER)
@pytest.mark.parametrize("ties", ["expected", "docid", "best"])
@pytest.mark.parametrize("unjudged", ["nonrelevant", "condensed"])
def test_one_grade_of_all(how: str, ties: str, unjudged: str) -> None:
    found = tr.evaluate(JUDGES, RUNS, MEASURES, judges=how, ties=ties, unjudged=unjudged)
    wanted = means(tr.evaluate(TOGETHER[how], RUNS, MEASURES, ties=ties, unjudged=unjudged))
    assert {run: pytest.approx(scores) for run, scores in wanted.items()} == means(found)


@pytest.mark.parametrize("name", JUDGES)
def test_one_judge_by_name(name: str) -> None:
    found = tr.evaluate(JUDGES, RUNS, MEASURES, judges=name)
    assert means(found) == means(tr.evaluate(JUDGES[name], RUNS, MEASURES))
    assert found.conventions.judge == name


def test_a_result_for_each_judge() -> None:
    found = tr.evaluate(JUDGES, RUNS, MEASURES, judges="each")
    assert {name: means(scores) for name, scores in found.by_judge.items()} == {
        name: means(tr.evaluate(judged, RUNS, MEASURES)) for name, judged in JUDGES.items()
    }
    assert found.by_name["gpt"]["x"]["AP"].mean == tr.evaluate(JUDGES["gpt"], RUNS, "AP")["x"]["AP"].mean
    assert [row.judge for row in found.scores] == [name for name in JUDGES for _ in range(6)]


@pytest.mark.parametrize("no_relevant", ["zero", "skip"])
@pytest.mark.parametrize("ties", ["expected", "bounds"])
def test_bounds_over_judges(no_relevant: str, ties: str) -> None:
    found = tr.evaluate(JUDGES, RUNS, MEASURES, judges="bounds", no_relevant=no_relevant, ties=ties)
    each = [tr.evaluate(one, RUNS, MEASURES, no_relevant=no_relevant, ties=ties) for one in JUDGES.values()]
    for run in RUNS:
        for measure in MEASURES.split():
            score, by = found[run][measure], [one[run][measure] for one in each]
            assert score.mean == pytest.approx(np.mean([one.mean for one in by]))
            assert score.low == min(one.mean if one.low is None else one.low for one in by)
            assert score.high == max(one.mean if one.high is None else one.high for one in by)
            low, high = score.low_values, score.high_values
            assert low is not None
            assert high is not None
            for at, topic in enumerate(score.names):
                values = [one.per_topic[topic] for one in by if topic in one.per_topic]
                assert score.values[at] == pytest.approx(np.mean(values))
                if ties == "expected":
                    assert (low[at], high[at]) == (min(values), max(values))


@pytest.mark.parametrize("judges", ["given", "majority", "median", "mean", "each", "bounds", "expected"])
def test_of_one_judge_all_are_one(judges: str) -> None:
    plain = tr.evaluate(JUDGES["people"], RUNS, MEASURES)
    for given in (JUDGES["people"], {"people": JUDGES["people"]}):
        assert means(tr.evaluate(given, RUNS, MEASURES, judges=judges)) == means(plain)


@pytest.mark.parametrize("question", [tr.compare, tr.depth, tr.ties, tr.unjudged])
def test_every_question_takes_one_grade_of_all(question: Any) -> None:
    found = question(JUDGES, RUNS, "AP", judges="majority")
    assert found.to_dict()["conventions"]["judges"] == "majority"
    assert found.to_records() == question(TOGETHER["majority"], RUNS, "AP").to_records()
    with pytest.raises(
        tr.InputError, match="judges='each' gives a result for each judge, which evaluate takes; choose"
    ):
        question(JUDGES, RUNS, "AP", judges="each")


def test_a_report_takes_one_judge(files: Path) -> None:
    pytest.importorskip("altair")
    pytest.importorskip("vl_convert")
    found = tr.report(JUDGES, RUNS, "AP", judges="gpt")
    assert {row.run: row.mean for row in found.standings} == {
        run: scores["AP"] for run, scores in means(tr.evaluate(JUDGES["gpt"], RUNS, "AP")).items()
    }


@pytest.mark.parametrize(
    ("judgments", "given", "said"),
    [
        (JUDGES, {}, "there are 3 judges .people, gpt, llama.; say with judges= whose judgments count: one of them by"),
        (JUDGES, {"judges": "bard"}, "there is no judge 'bard'; there are people, gpt, llama"),
        (
            JUDGES["gpt"],
            {"judges": "gpt"},
            "judges='gpt' is no judge here: these judgments are by one, who has no name",
        ),
        ({"q1": {"a": [0.5, 0.5]}}, {"judges": "given", "probabilities": True}, "these judgments are probabilities of"),
    ],
)
def test_refused(judgments: Any, given: dict[str, Any], said: str) -> None:
    with pytest.raises(tr.InputError, match=said):
        tr.evaluate(judgments, RUNS, "AP", **given)


def test_further_judges_beside_the_judgments() -> None:
    people, gpt = JUDGES["people"], JUDGES["gpt"]
    plain = means(tr.evaluate(people, RUNS, MEASURES))
    assert means(tr.evaluate(people, RUNS, MEASURES, judge={"gpt": gpt})) == plain
    assert means(tr.evaluate(people, RUNS, MEASURES, judge={"gpt": gpt}, judges="gpt")) == means(
        tr.evaluate(gpt, RUNS, MEASURES)
    )
    assert [*tr.evaluate(people, RUNS, MEASURES, judge={"gpt": gpt}, judges="each")] == ["qrels", "gpt"]


def test_on_the_command_line(truerank: Any, files: Path) -> None:
    (files / "gpt.qrels").write_text("q1 0 a 0\nq1 0 b 1\nq1 0 c 1\nq2 0 d 1\n")
    args = ("evaluate", files / "qrels.txt", files / "good.run", files / "tied.run", "-m", "RR")
    judge = ("--judge", f"gpt={files / 'gpt.qrels'}")
    plain, further = truerank(*args), truerank(*args, *judge)
    assert further.stdout == plain.stdout
    assert truerank(*args, *judge, "--judges", "each").stdout.splitlines()[0] == "judge\trun\tRR"
    table = truerank(*args, *judge, "--judges", "each", "--format", "table").stdout
    assert "run qrels gpt" in " ".join(table.split())
    gpt = truerank("evaluate", files / "gpt.qrels", *args[2:]).stdout
    assert truerank(*args, *judge, "--judges", "gpt").stdout == gpt
    twice = truerank(*args, *judge, *judge, "--judges", "each")
    assert (twice.exit_code, twice.stdout) == (2, "")
    assert "the judge 'gpt' is given twice" in twice.stderr
    refused = truerank("depth", *args[1:], *judge, "--judges", "expected")
    assert "'expected' is a mean over random judgments, which evaluate and compare take" in refused.stderr


def test_names_are_checked_with_the_data_and_words_before() -> None:
    assert Conventions(judges="nist").judge == "nist"
    assert Conventions(judges="mean").judge is None
    with pytest.raises(tr.InputError, match="judges=3 is not a choice"):
        Conventions(judges=3)  # type: ignore[arg-type]


def test_runs_are_compared_by_the_mean_over_random_judgments() -> None:
    pytest.importorskip("scipy")
    found = tr.compare(JUDGES, RUNS, "AP P@2", judges="expected")
    scores = tr.evaluate(JUDGES, RUNS, "AP P@2", judges="expected")
    for measure in ("AP", "P@2"):
        pair = found[measure].pair("x", "y")
        assert pair.difference == pytest.approx(scores["y"][measure].mean - scores["x"][measure].mean)
        assert pair.settled is None
    with pytest.raises(tr.InputError, match="leave settled out"):
        tr.compare(JUDGES, RUNS, "AP", judges="expected", settled=True)


def test_a_best_run_that_another_judge_would_not_have_first_is_told() -> None:
    people, machine = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0, "b": 1}}
    runs = {"x": {"q": ["a", "b"]}, "y": {"q": ["b", "a"]}}
    found = tr.evaluate(machine, runs, "RR", judge={"people": people})
    [note] = [note for note in found.notices if note.code == "TR115"]
    assert note == "RR rests on one judge, qrels, by whom y is first; by people x"
    for judges in ("each", "mean", "bounds"):
        found = tr.evaluate({"m": machine, "p": people}, runs, "RR", judges=judges)
        assert not [note for note in found.notices if note.code == "TR115"]
    alike = tr.evaluate(machine, runs, "RR", judge={"people": machine})
    assert not [note for note in alike.notices if note.code == "TR115"]


def test_pairs_that_only_some_judged_are_counted() -> None:
    for judges in ("mean", "each", "bounds", "gpt"):
        found = tr.evaluate(JUDGES, RUNS, "RR", judges=judges)
        [note] = [note for note in found.notices if note.code == "TR114"]
        assert note == "6 pairs judged, 2 of them by all judges: people 5; gpt 5; llama 3"


def test_probabilities_that_nobody_chose_what_to_make_of(truerank: Any, files: Path) -> None:
    (files / "p.csv").write_text("qid,docid,p0,p1\nq1,a,0.5,0.5\n")
    done = truerank("evaluate", files / "p.csv", files / "good.run")
    assert done.exit_code == 2
    assert "'p0' and 'p1' look like probabilities of grades: choose --judges expected" in done.stderr


def test_topics_that_are_asked_for_are_scored_as_among_all_others() -> None:
    for judges in ("gpt", "mean", "bounds", "expected"):
        every = tr.evaluate(JUDGES, RUNS, "ERR AP nDCG@2", judges=judges)
        some = tr.evaluate(JUDGES, RUNS, "ERR AP nDCG@2", judges=judges, topics=["q2"])
        for measure in ("ERR", "AP"):
            assert some["x"][measure].per_topic == {"q2": every["x"][measure].per_topic["q2"]}
