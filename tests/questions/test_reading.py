"""Keywords of read_run in every question: one place takes them, so that runs are read alike everywhere."""

import inspect
import json

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.questions import signature
from truerank.report.signature import parameters

QRELS = {"q1": {"d1": 1, "d2": 0}, "q2": {"d2": 1}}
FAR = {"q1": {"d1#0": 0.5, "d1#1": 0.9, "d2#0": 0.7}, "q2": {"d1#0": 0.1, "d2#4": 0.2}}
TOLD = {"chunks": "#", "higher_is_better": False}
ASKED = {
    "evaluate": lambda runs, **how: tr.evaluate(QRELS, runs, "RR", **how),
    "compare": lambda runs, **how: tr.compare(QRELS, runs, "RR", test="none", **how),
    "depth": lambda runs, **how: tr.depth(QRELS, runs, "RR", **how),
    "ties": lambda runs, **how: tr.ties(QRELS, runs, "RR", **how),
    "unjudged": lambda runs, **how: tr.unjudged(QRELS, runs, "RR", **how),
    "truncate": lambda runs, **how: tr.truncate(QRELS, runs, "RBPU(p=0.8)", **how),
    "curves": lambda runs, **how: tr.curves(QRELS, runs, **how),
    "precision_recall": lambda runs, **how: tr.precision_recall(QRELS, runs, **how),
    "roc": lambda runs, **how: tr.roc(QRELS, runs, **how),
    "pools": lambda runs, **how: tr.pools(QRELS, runs, **how),
    "pool": lambda runs, **how: tr.pool(runs, 1, **how),
}


@pytest.mark.parametrize("name", [name for name in ASKED if name != "compare"])
def test_a_question_reads_runs_as_read_run_does(name):
    read = {"far": tr.read_run(FAR, "far", **TOLD)}
    assert str(ASKED[name]({"far": FAR}, **TOLD)) == str(ASKED[name](read))


def test_how_to_read_and_what_does_the_work_are_told_together():
    asked = ASKED["evaluate"]
    assert str(asked({"far": FAR}, engine="here", **TOLD)) == str(asked({"far": FAR}, **TOLD))


def test_every_question_about_runs_takes_them():
    for name in (
        "evaluate",
        "compare",
        "depth",
        "ties",
        "diff",
        "explain",
        "why",
        "meta",
        "nil",
        "stop",
    ):
        function = getattr(tr, name)
        assert hasattr(function, "description"), name
        assert any(each.told.holds == "runs" for each in parameters(inspect.unwrap(function))), name
    assert {"columns", "chunks", "higher_is_better", "topic_ids"} <= {*signature.KEYWORDS}


@pytest.mark.parametrize("container", [lambda run: run, lambda run: {"x": run}, lambda run: [run]])
def test_whatever_holds_the_runs(container):
    rows = [{"question": "q1", "passage": "d2", "s": 1.0}, {"question": "q1", "passage": "d1", "s": 2.0}]
    told = {"topic": "question", "doc": "passage", "score": "s"}
    if container(1) == [1]:
        rows = iter(rows)
    [means] = tr.evaluate(QRELS, container(rows), "RR", columns=told).means().values()
    assert means == {"RR": 0.5}


def test_files_are_read_when_they_are_needed_with_options(tmp_path):
    (tmp_path / "far.run").write_text("q1 Q0 d2#1 1 0.1 t\nq1 Q0 d1#1 2 0.9 t\nq2 Q0 d2#1 1 1 t\n")
    path = str(tmp_path / "far.run")
    for runs in (path, [path], {"far": path}):
        assert tr.evaluate(QRELS, runs, "RR", **TOLD).means() == {"far": {"RR": 0.75}}


def test_matrices_have_the_same_ids_in_every_run():
    near, numbers = np.array([[0.1, 0.2], [0.1, 0.2]]), np.array([[0, 1], [1, 0]])
    runs = {"dense": (near, numbers), "turned": (near, numbers[:, ::-1])}
    found = tr.evaluate(QRELS, runs, "RR", topic_ids=["q1", "q2"], doc_ids=["d1", "d2"])
    assert found.means() == {"dense": {"RR": 1.0}, "turned": {"RR": 0.5}}


def test_columns_of_judgments():
    rows = [{"question": "q1", "passage": "d1", "stars": 2}]
    told = {"topic": "question", "doc": "passage", "grade": "stars"}
    assert tr.evaluate(rows, {"q1": ["d1"]}, "RR", qrels_columns=told).means() == {"run": {"RR": 1.0}}


def test_a_run_that_is_read_already_has_its_columns():
    with pytest.raises(InputError, match="columns= says how to read data, and these are read already"):
        tr.evaluate(QRELS, tr.read_run(FAR, chunks="#"), "RR", columns={"doc": "x"})


def test_curves_are_the_command_of_that_name():
    assert str(tr.curves(QRELS, {"q1": ["d1"]})) == str(tr.precision_recall(QRELS, {"q1": ["d1"]}))
    assert str(tr.curves(QRELS, {"q1": ["d1"]}, kind="roc")) == str(tr.roc(QRELS, {"q1": ["d1"]}))


def test_lint_and_rules_read_as_told(tmp_path):
    qrels = [{"qid": "q1", "pid": "d1", "label": 1}, {"qid": "q1", "pid": "d2", "label": 0}]
    rows = [{"q": "q1", "passage": "d1#1", "s": 0.2}, {"q": "q1", "passage": "d2#4", "s": 0.9}]
    how = {
        "columns": {"topic": "q", "doc": "passage", "score": "s"},
        "chunks": "#",
        "higher_is_better": False,
        "qrels_columns": {"topic": "qid", "doc": "pid", "grade": "label"},
    }
    assert [finding.check for finding in tr.lint(qrels, rows, **how)] == ["list-lengths"]
    assert tr.fit_rule(qrels, rows, "F", "fixed", **how).k == 1
    assert tr.fit_rule(qrels, rows, "F", "fixed", **{**how, "higher_is_better": True}).k is None
    with pytest.raises(InputError, match="leave topics= out"):
        tr.lint(qrels, rows, topics="q1", **how)


def test_lint_reads_files_as_told(truerank, tmp_path):
    (tmp_path / "qrels.csv").write_text("qid,pid,label\nq1,d1,1\nq1,d2,0\n")
    (tmp_path / "run.csv").write_text("q,passage,s\nq1,d1#1,.2\nq1,d2#4,.9\n")
    told = ["--columns", "topic=q,doc=passage,score=s", "--chunks", "#", "--lower-is-better"]
    told += ["--qrels-columns", "topic=qid,doc=pid,grade=label"]
    done = truerank("lint", tmp_path / "qrels.csv", tmp_path / "run.csv", *told, "--format", "json")
    assert done.exit_code == 0, done.stderr
    assert [finding["check"] for finding in json.loads(done.stdout)["findings"]] == ["list-lengths"]


LENGTH = np.timedelta64(1, "s")
SEVERAL = ["q1", 1, 2.5]
STRANGE = {
    "columns that are text": (lambda: tr.evaluate(QRELS, FAR, columns="a"), "columns='a' is no dict; say which"),
    "columns that are a list": (lambda: tr.read_run(FAR, columns=["a"]), "columns=['a'] is no dict"),
    "columns of judgments": (lambda: tr.evaluate(QRELS, FAR, qrels_columns=5), "qrels_columns=5 is no dict"),
    "columns of judges": (lambda: tr.read_judges({"a": QRELS}, columns="a"), "columns='a' is no dict"),
    "a length of time, a document": (lambda: tr.evaluate(QRELS, {"q1": [LENGTH]}), "is a timedelta64; give ids as str"),
    "a length of time, a topic": (lambda: tr.evaluate(QRELS, {LENGTH: ["d1"]}), "is a timedelta64; give ids as str"),
    "a length of time, judged": (lambda: tr.evaluate({"q1": {LENGTH: 1}}, FAR), "is a timedelta64; give ids as str"),
    "a length of time in rows": (lambda: tr.read_run([("q1", LENGTH, 1.0)]), "is a timedelta64; give ids as str"),
    "a number, a run": (lambda: tr.evaluate(QRELS, np.array(5)), "a run cannot be made of an array without dimensions"),
    "a number among runs": (lambda: tr.evaluate(QRELS, {"a": np.array(5)}), "an array without dimensions; give a path"),
    "a number, judgments": (lambda: tr.evaluate(np.array(5), FAR), "qrels cannot be made of an array without"),
    "a number, judged": (lambda: tr.evaluate({"q1": np.array(5)}, FAR), "topic 'q1' holds a ndarray; give a dict"),
    "text, a score": (lambda: tr.evaluate(QRELS, {"q1": {"d1": np.array("x")}}), "has the score array('x'"),
    "a number, measures": (lambda: tr.evaluate(QRELS, FAR, np.array(5)), "measures are text such as 'AP nDCG@10'"),
    "a number, ids": (lambda: tr.read_run([["a"]], topic_ids=np.array(5)), "topic_ids=array(5) is no list of ids"),
    "a number, ids of neighbours": (
        lambda: tr.read_run((np.ones((1, 1), "f4"), np.zeros((1, 1), "i8")), topic_ids=["q"], doc_ids=np.array(5)),
        "doc_ids=array(5) is no list of ids",
    ),
}


@pytest.mark.parametrize(("ask", "said"), STRANGE.values(), ids=STRANGE)
def test_what_is_no_data_is_refused(ask, said):
    with pytest.raises(InputError) as error:
        ask()
    assert said in str(error.value)


def test_a_column_of_objects_of_several_types_is_refused():
    pd, _ = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    with pytest.raises(InputError, match=r"a Series cannot be read .*; give columns of text or numbers"):
        tr.evaluate(QRELS, pd.Series(SEVERAL, dtype=object))
    frame = pd.DataFrame({"topic": "q1", "doc": ["a", "b", "c"], "score": pd.Series(["x", 1, {}], dtype=object)})
    with pytest.raises(InputError, match=r"column 'score' has a dict in row 2 \(the first is 0\), {}; convert it"):
        tr.evaluate(QRELS, frame)


@pytest.mark.parametrize("of", [list, tuple, np.array])
def test_ids_by_place_may_be_arrays(of):
    scores = np.array([[0.5, 0.25]])
    found = tr.evaluate(QRELS, scores, "RR", topic_ids=of(["q1"]), doc_ids=of(["d2", "d1"]), missing="skip")
    assert found.means() == {"run": {"RR": 0.5}}
