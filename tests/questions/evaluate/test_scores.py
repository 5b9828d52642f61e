"""Scores laid out."""

from __future__ import annotations

import json

import pytest

import truerank as tr

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"d": 1}}
RUNS = {"one": {"q1": {"a": 3.0, "b": 2.0, "c": 2.0}, "q2": {"d": 1.0}}, "two": {"q1": ["b", "a"], "q2": ["x", "d"]}}


def test_one_run_has_a_row_a_measure() -> None:
    table = tr.evaluate(QRELS, {"one": RUNS["one"]}, "AP NumRet").table()
    assert [column.name for column in table.columns] == ["measure", "one"]
    assert [row[0] for row in table.rows] == ["AP", "NumRet"]
    assert table.rows[1][1] == 4
    assert isinstance(table.rows[1][1], int)


def test_runs_have_a_row_each_best_first_or_as_asked() -> None:
    table = tr.evaluate(QRELS, dict(reversed(RUNS.items())), "AP PrefLoss NumRet").table()
    assert [row[0] for row in table.rows] == ["one", "two"]
    assert [column.best for column in table.columns] == ["", "high", "low", ""]


def test_topics_of_one_run_need_no_column_of_runs() -> None:
    one = tr.evaluate(QRELS, {"one": RUNS["one"]}, "AP").table("topics")
    both = tr.evaluate(QRELS, RUNS, "AP").table("topics")
    assert [row[0] for row in one.rows] == ["q1", "q2", "all"]
    assert [row[:2] for row in both.rows] == [(run, topic) for run in RUNS for topic in ("q1", "q2", "all")]
    assert both.best() == set()


def test_counts_with_bounds_are_whole_numbers() -> None:
    text = str(tr.evaluate(QRELS, {"two": RUNS["two"]}, "NumRelRet", unjudged="bounds"))
    assert "2 [2, 3]" in text


def test_the_caption_names_conventions_that_matter() -> None:
    usual = tr.evaluate(QRELS, RUNS, "AP").table().caption
    assert usual == "2 topics"
    other = tr.evaluate(QRELS, RUNS, "AP", no_relevant="skip").table().caption
    assert other == f"{usual}, no_relevant skip"


def test_scores_render_themselves() -> None:
    scores = tr.evaluate(QRELS, RUNS, "AP")
    assert str(scores).splitlines()[4].split() == ["one", f"{scores['one']['AP'].mean:.4f}"]
    assert "\n| run | AP |\n" in scores.to_markdown()
    assert r"\begin{tabular}{lr}" in scores.to_latex()
    assert scores._repr_html_() == scores.to_html()
    assert "<html" not in scores.to_html()
    assert json.loads(scores.to_json())["runs"][0]["mean"] == scores["one"]["AP"].mean
    assert "q2" in scores.to_markdown(per_topic=True)


def test_a_score_is_found_by_any_way_to_write_its_measure() -> None:
    scores = tr.evaluate(QRELS, RUNS, "RBP(p=0.8) MAP")["one"]
    assert scores["RBP(p=0.8)"] is scores["RBP"]
    assert scores["MAP"] is scores["AP"] is scores[tr.AP]
    with pytest.raises(KeyError, match="was not evaluated"):
        scores["P@5"]
    with pytest.raises(KeyError, match="was not evaluated"):
        scores["no measure"]


def test_the_low_end_of_an_undefined_topic_is_not_its_high_end() -> None:
    score = tr.evaluate({"q": {"a": 0}}, {"q": ["x", "a"]}, "AP", unjudged="bounds")["run"]["AP"]
    assert (score.low, score.mean, score.high) == (0.0, 0.0, 1.0)


def test_the_caption_says_over_how_many_topics_the_numbers_are() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}, "q3": {"a": 0}}
    run = {"q1": ["a"], "q3": ["a"]}
    assert " 3 topics" in str(tr.evaluate(qrels, run, "AP"))
    assert " 2 of 3 topics" in str(tr.evaluate(qrels, run, "P@1", missing="skip"))
    assert "1 of 3 topics," in str(tr.evaluate(qrels, run, "AP P@1", missing="skip", no_relevant="skip"))
    assert "0 to 2 of 3 topics," in str(tr.evaluate(qrels, run, "PrefLoss P@1", no_relevant="skip"))


def test_what_an_error_advises_works() -> None:
    """Columns are told to what reads the data, and questions take what that returns."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"user": ["q1", "q1"], "movie": ["a", "b"], "score": [2.0, 1.0]})
    with pytest.raises(tr.InputError, match=r"say which, as in read_run\(\.\.\., columns=\{'doc': NAME\}\)"):
        tr.evaluate({"q1": {"a": 1}}, frame, "RR")
    run = tr.read_run(frame, columns={"doc": "movie"})
    assert tr.evaluate({"q1": {"a": 1}}, run, "RR")["run"]["RR"].mean == 1.0


def test_questions_take_keywords_about_reading() -> None:
    frame = [{"topic": "q1", "movie": "a#1", "score": 2.0}, {"topic": "q1", "movie": "b#1", "score": 1.0}]
    given = {"columns": {"doc": "movie"}, "chunks": "#", "higher_is_better": False}
    assert tr.evaluate({"q1": {"a": 1}}, {"mine": frame}, "RR", **given)["mine"]["RR"].mean == 0.5  # type: ignore[arg-type]
    with pytest.raises(tr.InputError, match="there are no scores for higher_is_better=False to reverse"):
        tr.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "RR", higher_is_better=False)
    with pytest.raises(tr.InputError, match="columns= names the parts of rows"):
        tr.evaluate({"q1": {"a": 1}}, {"q1": ["a"]}, "RR", columns={"doc": "movie"})


def test_rounding_is_no_order_of_runs_and_undefined_means_come_last() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
    # Means of 1/3, 1/3 and 1/3 in other orders of adding up, and one that is undefined.
    runs = {
        "none": {"q9": ["x"]},
        "late": {"q1": ["x", "x2", "a"], "q2": ["y", "b"], "q3": ["z1", "z2", "z3", "z4", "z5", "c"]},
        "early": {"q1": ["x", "a"], "q2": ["y1", "y2", "y3", "y4", "y5", "b"], "q3": ["z1", "z2", "c"]},
    }
    found = tr.evaluate(qrels, {name: run for name, run in runs.items() if name != "none"}, "RR")
    assert found.ranked() == ["late", "early"]
    assert found.ranked("mrr") == found.ranked("input")
    lost = tr.evaluate({**qrels, "q9": {}}, runs, "RR", no_relevant="nan", missing="skip")
    assert lost.ranked() == ["late", "early", "none"]
