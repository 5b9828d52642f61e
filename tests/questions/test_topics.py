"""topics= in every question: the same values of a topic whichever others are asked for, and other topics nowhere."""

import json

import numpy as np
import pytest

import truerank as tr
from truerank.data.errors import InputError
from truerank.data.qrels import Preferences
from truerank.io.load import as_preferences, as_qrels

SIMULATED = tr.simulate(systems=4, topics=12, seed=3, depth=40)
QRELS = SIMULATED.qrels
RUNS = SIMULATED.runs
SOME = ["402", "405", "410"]
MEASURES = "nDCG@10 AP ERR Q NERR9@10 RBP(p=0.8)"


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("track")
    qrels, *runs = map(str, SIMULATED.write(folder / "track"))
    return qrels, runs


def test_a_topic_has_the_value_that_it_has_among_all_others():
    whole, some = (tr.evaluate(QRELS, RUNS, MEASURES, topics=topics) for topics in (None, SOME))
    assert some.topics == tuple(SOME)
    for run, found in some.items():
        for measure, score in found.items():
            assert score.per_topic == {topic: whole[run][measure].per_topic[topic] for topic in SOME}


def test_the_highest_grade_is_that_of_the_collection():
    qrels = {"q1": {"a": 1}, "q2": {"b": 3}}
    found = tr.evaluate(qrels, {"q1": ["a"], "q2": ["b"]}, "ERR", topics="q1")
    assert found.max_rel == 3
    assert found["run"]["ERR"].per_topic == {"q1": pytest.approx(1 / 8)}


@pytest.mark.parametrize(
    "asked",
    ["402,405,410", SOME, [402, 405, 410], ("402,405", "410"), " 402, 405 ,410,", [b"402", "405", np.int64(410)]],
)
def test_topics_are_named_as_people_like(asked):
    assert tr.evaluate(QRELS, RUNS, "AP", topics=asked).topics == tuple(SOME)


def test_a_file_names_one_on_each_line(tmp_path):
    (tmp_path / "topics.tsv").write_text("# hard ones\n402\tforeign minorities\n405 x\n\n410,y\n")
    assert tr.evaluate(QRELS, RUNS, "AP", topics=f"@{tmp_path / 'topics.tsv'}").topics == tuple(SOME)


def test_an_id_with_a_comma_is_one_topic():
    qrels = {"a,b": {"x": 1}, "a": {"y": 1}}
    assert tr.evaluate(qrels, {"a,b": ["x"], "a": ["z"]}, "RR", topics="a,b").topics == ("a,b",)


def test_topics_that_are_not_judged_are_told_and_none_is_refused():
    found = tr.evaluate(QRELS, RUNS, "AP", topics="402,999")
    [note] = [note for note in found.notices if note.code == "TR118"]
    assert note == "1 of 12 judged topics, as asked; topic 999 is not judged"
    assert not [note for note in found.notices if note.code == "TR105"]
    for asked, said in (
        ("999", "topic '999' is not judged; topics are such as '40"),
        ("998,999", "none of the 2 topics is judged"),
        ([], "names none"),
        (",", "names none"),
        ("@", "path of a file"),
    ):
        with pytest.raises(InputError, match=said):
            tr.evaluate(QRELS, RUNS, "AP", topics=asked)


def test_a_run_without_the_topics_is_refused():
    with pytest.raises(InputError, match="run 'run' has no documents for q2; ask for other topics"):
        tr.evaluate({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}, "AP", topics="q2", missing="skip")


ASKED = {
    "compare": lambda **how: tr.compare(QRELS, RUNS, "AP", test="t", **how),
    "depth": lambda **how: tr.depth(QRELS, RUNS, "AP", **how),
    "ties": lambda **how: tr.ties(QRELS, RUNS, "AP", **how),
    "unjudged": lambda **how: tr.unjudged(QRELS, RUNS, "AP@10", **how),
    "truncate": lambda **how: tr.truncate(QRELS, RUNS, "RBPU(p=0.8)", **how),
    "precision_recall": lambda **how: tr.precision_recall(QRELS, RUNS, **how),
    "roc": lambda **how: tr.roc(QRELS, RUNS, **how),
    "nil": lambda **how: tr.nil(QRELS, RUNS, **how),
    "meta": lambda **how: tr.meta(QRELS, RUNS, "AP P@10", **how),
    "pools": lambda **how: tr.pools(QRELS, RUNS, **how),
    "leave_out": lambda **how: tr.leave_out(QRELS, RUNS, "AP", depth=10, contributors="all", **how),
    "diff": lambda **how: tr.diff(QRELS, *[{name: run} for name, run in [*RUNS.items()][:2]], "AP", **how),
    "report": lambda **how: tr.report(QRELS, RUNS, "AP", **how).parts.scores,
}


@pytest.mark.parametrize("name", ASKED)
def test_every_question_looks_at_them_alone(name):
    if name == "report":
        pytest.importorskip("altair")
    ids = [str(topic) for topic in SIMULATED.topics]
    some = [*SOME, "401", "403", "404"]
    document = json.dumps(ASKED[name](topics=some).to_dict())
    whole = json.dumps(ASKED[name]().to_dict())
    assert document != whole
    for topic in {*ids} - {*some}:
        assert f'"{topic}"' not in document


@pytest.mark.parametrize("engine", ["processes", tr.Engine(memory="40G")])
def test_whatever_does_the_work(written, engine):
    qrels, runs = written
    here = tr.compare(qrels, runs, "AP ERR", test="t", topics="402,405,999")
    assert str(tr.compare(qrels, runs, "AP ERR", test="t", topics="402,405,999", engine=engine)) == str(here)


def test_groups_are_of_these_topics():
    found = tr.evaluate(QRELS, RUNS, "AP", topics=SOME, group={"402": "a", "405": "b", "410": "a"})
    assert {(row.group, row.num_topics) for row in found.groups} == {("a", 2), ("b", 1), ("all", 3)}


def test_preferences_of_some_topics_keep_their_pairs():
    rows = [("q1", "a", "b"), ("q2", "c", "d"), ("q2", "c", "e"), ("q3", "f", "g")]
    found = as_preferences(rows)
    some = found.only(np.array([1, 2]))
    assert isinstance(some, Preferences)
    named = [tuple(some.docs[row] for row in pair) for pair in some.pairs.tolist()]
    assert sorted(named) == [(b"c", b"d"), (b"c", b"e"), (b"f", b"g")]
    assert some.pair_offsets.tolist() == [0, 2, 3]
    assert tr.preferences(rows, {"q2": ["c", "d"]}, topics="q2").total.preferences == 2


def test_judgments_are_read_with_them():
    assert tr.read_qrels({401: ["a"], 402: ["b"]}, topics=402).topics == (b"402",)
    assert as_qrels({401: ["a"]}).rest is None


def test_where_there_are_no_judgments_they_are_refused():
    with pytest.raises(InputError, match="topics= is about judgments, and there are none"):
        tr.pool(RUNS, 5, topics="401")


def test_the_command_line_has_them(written, truerank):
    qrels, runs = written
    for asked in (["--topics", "402,405"], ["--topic", "402", "--topic", "405"]):
        lines = truerank("evaluate", qrels, runs[0], "-m", "AP", "--per-topic", *asked).stdout.splitlines()
        assert [line.split("\t")[1] for line in lines] == ["topic", "402", "405", "all"]


def test_a_file_of_topics_is_not_written_over(written, truerank, tmp_path):
    qrels, runs = written
    (tmp_path / "topics.tsv").write_text("402\n")
    path = tmp_path / "topics.tsv"
    done = truerank("evaluate", qrels, runs[0], "--topics", f"@{path}", "--out", path)
    assert done.exit_code == 2
    assert "which would be lost" in done.stderr
    assert path.read_text() == "402\n"


def test_pools_to_judge_are_of_these_topics(written, truerank, tmp_path):
    qrels, runs = written
    args = ["pool", qrels, *runs, "--depth", 5, "--to-judge", tmp_path / "more.qrels", "--topics", "402,405"]
    assert truerank(*args).exit_code == 0
    assert {line.split()[0] for line in (tmp_path / "more.qrels").read_text().splitlines()} <= {"402", "405"}
