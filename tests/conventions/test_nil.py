"""NIL and the limit on lengths: Table 2 of Liu et al. (2016), and NIL as the document that it was in TREC 2001."""

from __future__ import annotations

import io
import random
from typing import Any

import numpy as np
import pytest

import truerank as tr
from truerank.compat.trec_eval.program import trec_eval
from truerank.conventions.axes import AXES
from truerank.conventions.ending import stopped, with_nil, without_nil
from truerank.data.errors import InputError
from truerank.io.load import as_qrels, as_run
from truerank.questions.lint.question import lint_files

QRELS = {"has": {"a": 1, "b": 2, "c": 0, "m": 1}, "nil": {"a": 0}}
MEASURES = "RR RBP(p=0.5) nDCG AP ERR P@5 R CG FlatU nDCG@5"
LIMIT = 5

TABLE_2 = [
    # list, what is left of it, whether a terminal document follows
    (["a", "NIL", "b", "x", "y"], ["a"], True),
    (["NIL", "a", "b"], [], True),
    (["NIL"], [], True),
    (["x", "a", "b", "y", "NIL"], ["x", "a", "b", "y"], True),
    (["x", "a", "b", "y", "z", "NIL"], ["x", "a", "b", "y", "z"], True),
    (["x", "a"], ["x", "a"], True),
    ([], [], True),
    (["x", "a", "b", "y", "z"], ["x", "a", "b", "y", "z"], False),
    (["x", "a", "b", "y", "z", "c"], ["x", "a", "b", "y", "z", "c"], False),
]


def values(run: Any, measures: str = MEASURES, qrels: Any = QRELS, **conventions: Any) -> Any:
    [found] = tr.evaluate(qrels, run, measures, **conventions).values()
    return {
        (measure, topic): (value, low, high)
        for measure, score in found.items()
        for topic, value, low, high in zip(
            score.topics,
            score.values.tolist(),
            score.topics if score.low_values is None else score.low_values.tolist(),
            score.topics if score.high_values is None else score.high_values.tolist(),
            strict=True,
        )
    }


@pytest.mark.parametrize("other", [{}, {"unjudged": "condensed"}, {"unjudged": "bounds"}, {"relevant": "run"}], ids=str)
@pytest.mark.parametrize("ending", ["terminal", "terminal-once"])
@pytest.mark.parametrize(("given", "left", "ended"), TABLE_2)
def test_table_2(given: list[str], left: list[str], ended: bool, ending: str, other: dict[str, str]) -> None:
    read = values({"has": given, "nil": given}, ending=ending, limit=LIMIT, **other)
    assert read == values({"has": left, "nil": left}, ending=ending if ended else "none", **other)


def test_lists_of_one_run_are_ended_or_not_one_by_one() -> None:
    qrels = {f"{kind}{row}": grades for kind, grades in QRELS.items() for row in range(len(TABLE_2))}
    run = {f"{kind}{row}": given for kind in QRELS for row, (given, _, _) in enumerate(TABLE_2)}
    for ties in ("expected", "best", "docid", "bounds"):
        together = values(run, qrels=qrels, ending="terminal", limit=LIMIT, ties=ties)
        for kind in QRELS:
            for row, (given, _, _) in enumerate(TABLE_2):
                alone = values({"has": given, "nil": given}, ending="terminal", limit=LIMIT, ties=ties)
                for measure in MEASURES.split():
                    one, other = together[measure, f"{kind}{row}"], alone[measure, kind]
                    assert one == pytest.approx(other, abs=1e-15) if ties == "bounds" else one[0] == other[0]


@pytest.mark.parametrize("ties", ["expected", "worst", "bounds"])
def test_a_list_at_the_limit_keeps_its_ties(ties: str) -> None:
    full, short = {"a": 2.0, "x": 1.0, "b": 1.0, "y": 1.0, "z": 0.0}, {"a": 1.0, "x": 1.0}
    read = values({"has": full, "nil": short}, ending="terminal", limit=LIMIT, ties=ties)
    plain = values({"has": full, "nil": short}, ties=ties)
    ended = values({"has": full, "nil": short}, ending="terminal", ties=ties)
    assert read == {key: (plain if key[1] == "has" else ended)[key] for key in read}


def test_the_named_measures_have_the_limit_too() -> None:
    run = {"has": ["x", "a", "b", "y", "z"], "nil": ["x"]}
    read = values(run, "RR RRT RBPT(p=0.5)", limit=LIMIT)
    assert read["RRT", "has"] == read["RR", "has"]
    assert read["RBPT(p=0.5)", "has"][0] == values(run, "RBP(p=0.5)")["RBP(p=0.5)", "has"][0]
    assert (read["RRT", "nil"][0], read["RR", "nil"][0]) == (0.5, 0.0)


def test_a_document_that_is_dropped_does_not_make_a_list_short() -> None:
    docs = ["x", "has", "a", "b", "y"]
    read = values({"has": docs}, "RR AP", ending="terminal", limit=LIMIT, identical="drop")
    plain = values({"has": docs}, "RR AP", identical="drop")
    assert read["AP", "has"] == plain["AP", "has"]


@pytest.mark.parametrize("measure", ["RRT", "RBPT", "nDCGT", "APT", "ERRT"])
@pytest.mark.parametrize("limit", [None, 1, 5])
@pytest.mark.parametrize("run", [{"has": ["a"]}, {"has": ["a"], "nil": []}, {"has": ["a"], "nil": ["NIL", "a"]}])
def test_silence_is_the_perfect_answer_to_a_nil_topic(run: dict[str, Any], limit: int | None, measure: str) -> None:
    assert values(run, measure, limit=limit)[measure, "nil"][0] == 1.0
    assert values({"nil": ["a"]}, measure, limit=limit)[measure, "has"][0] == 0.0


def collection(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    rng = random.Random(seed)
    docs = [*"abcdefg", "NIL"]
    qrels = {f"q{t}": {doc: rng.choice([-1, 0, 0, 1, 3]) for doc in rng.sample(docs[:-1], 5)} for t in range(4)}
    qrels["none"] = {"a": 0, "b": -1}
    run = {t: {d: float(rng.choice([1, 2, 3])) for d in rng.sample(docs, rng.randint(1, 7))} for t in [*qrels, "other"]}
    return qrels, run


def with_an_answer(qrels: dict[str, dict[str, int]]) -> dict[str, dict[str, int]]:
    top = max(grade for grades in qrels.values() for grade in grades.values())
    return {
        topic: {**grades, "NIL": 0 if max(grades.values(), default=0) > 0 else top} for topic, grades in qrels.items()
    }


@pytest.mark.parametrize(
    "other",
    [
        {},
        {"ties": "worst"},
        {"unjudged": "condensed"},
        {"unjudged": "bounds"},
        {"negative": "unjudged"},
        {"relevant": "run"},
        {"ties": "docid", "precision": "float32"},
        {"missing": "skip"},
    ],
    ids=str,
)
@pytest.mark.parametrize("seed", range(2))
def test_nil_as_an_answer_is_a_judgment_of_every_topic(seed: int, other: dict[str, str]) -> None:
    qrels, run = collection(seed)
    measures = "RR AP nDCG RBP ERR P@3 R Bpref Rprec Judged@3 AP(norm='pool') AP(rel=2) c@1 infAP"
    read = values(run, measures, qrels, nil="answer", **other)
    # c@1 reads a NIL as silence unless it is told that it is an answer.
    judged = values(run, measures.replace("c@1 ", ""), with_an_answer(qrels), **other)
    assert {key: value for key, value in read.items() if key[0] != "c@1"} == judged


def test_of_a_nil_as_an_answer_the_list_goes_on() -> None:
    read = values({"has": ["NIL", "a"], "nil": ["a", "NIL", "b"]}, "RR AP", nil="answer")
    assert {key: value[0] for key, value in read.items()} == {
        ("RR", "has"): 0.5,
        ("AP", "has"): pytest.approx(1 / 6),
        ("RR", "nil"): 0.5,
        ("AP", "nil"): 0.5,
    }


@pytest.mark.parametrize("analysis", [tr.ties, tr.unjudged, tr.depth])
def test_other_analyses_read_nil_so_too(analysis: Any) -> None:
    qrels, run = collection(1)
    one = analysis(qrels, run, "AP RBP", nil="answer")
    other = analysis(with_an_answer(qrels), run, "AP RBP")
    assert {show: one.to_records(show) for show in one.sheets} == {show: other.to_records(show) for show in one.sheets}


@pytest.mark.parametrize("analysis", [tr.ties, tr.unjudged])
def test_other_analyses_have_the_limit_too(analysis: Any) -> None:
    qrels, run = {"has": QRELS["has"]}, {"has": {"a": 2.0, "x": 1.0, "b": 1.0, "y": 1.0, "z": 0.0}}
    limited, plain, ended = (
        analysis(qrels, run, "AP RBP", **given).to_dict()["runs"]
        for given in ({"ending": "terminal", "limit": 5}, {}, {"ending": "terminal", "limit": 6})
    )
    assert limited == plain != ended


@pytest.mark.parametrize("limit", [None, 2, 3, 4, 9])
@pytest.mark.parametrize("docs", [["a", "u", "x"], ["u", "a", "NIL", "v"], ["u", "a", "v", "NIL"]], ids=str)
def test_what_to_judge_next_keeps_the_limit(docs: list[str], limit: int | None) -> None:
    def width(qrels: dict[str, dict[str, int]]) -> float:
        found = tr.evaluate(qrels, {"q": docs}, "APT", unjudged="bounds", limit=limit)["run"]["APT"]
        return float(found.high) - float(found.low)  # type: ignore[arg-type]

    qrels = {"q": {"a": 1, "x": 0}}
    found = tr.unjudged(qrels, {"q": docs}, "APT", next=9, limit=limit).next
    after = {one.doc: [width({"q": {**qrels["q"], one.doc: grade}}) for grade in (0, 1)] for one in found}
    gains = {doc: width(qrels) - sum(some) / 2 for doc, some in after.items()}
    assert {one.doc: one.gain for one in found} == pytest.approx(gains)


def test_nil_among_the_judgments_names_a_topic_without_answers() -> None:
    named, empty = {**QRELS, "nil": {"NIL": 1}}, {**QRELS, "nil": {}}
    for run in ({"has": ["a"]}, {"has": ["NIL"], "nil": ["x", "NIL", "y"]}):
        assert values(run, qrels=named, ending="terminal") == values(run, qrels=empty, ending="terminal")
        assert values(run, qrels=named, nil="answer") == values(run, qrels=empty, nil="answer")
    assert values({"nil": ["NIL"]}, "RR RRT", named)["RR", "nil"][0] == 1.0  # a document like any other
    with pytest.raises(InputError, match="NIL is judged relevant"):
        values({"has": ["a"]}, "APT(norm='pool')", named)
    of_pool = [values({"has": ["a"]}, "AP(norm='pool')", qrels, ending="terminal") for qrels in (named, empty)]
    assert of_pool[0] == of_pool[1]
    asked = tr.unjudged(named, {"nil": ["u"]}, "APT", next=1).next
    assert asked == tr.unjudged(empty, {"nil": ["u"]}, "APT", next=1).next
    assert asked


@pytest.mark.parametrize("grade", [0, 1, 3])
def test_the_grade_of_a_judged_nil_moves_nothing(grade: int) -> None:
    qrels, run = {"has": {"a": 1, "z": 0}, "nil": {"NIL": grade}}, {"has": ["a", "b"], "nil": ["x"]}
    found = tr.evaluate(qrels, run, "RBP(p=0.5) ERR AP", ending="terminal", limit=1, no_relevant="skip")["run"]
    assert {name: score.mean for name, score in found.items()} == {"RBP(p=0.5)": 0.5, "ERR": 0.5, "AP": 1.0}


def test_a_nil_is_not_an_unjudged_document() -> None:
    scores = tr.evaluate(QRELS, {"has": ["NIL", "x"], "nil": ["NIL"]}, "RR@5", ending="terminal")
    assert not any("unjudged" in notice for notice in scores.notices)


def test_judgments_that_need_no_change_stay_what_they_are() -> None:
    plain = as_qrels(QRELS)
    assert without_nil(plain) is plain
    assert with_nil(with_nil(plain)).grade.tolist() == with_nil(plain).grade.tolist()
    assert [len(one) for one in (plain, with_nil(plain))] == [5, 7]
    nothing = with_nil(as_qrels({"p": {}, "q": {}, "r": {"a": 0}}))
    assert (nothing.docs.tolist(), nothing.grade.tolist()) == ([b"NIL", b"NIL", b"a", b"NIL"], [1, 1, 0, 1])
    assert nothing.offsets.tolist() == [0, 1, 2, 4]


def test_which_lists_were_ended() -> None:
    run = as_run({"full": ["a", "b"], "short": ["a"], "nil": ["a", "NIL"], "long": ["a", "b", "c"]})
    assert dict(zip(run.topics, stopped(run, 2).tolist(), strict=True)) == {
        b"full": False,
        b"short": True,
        b"nil": True,
        b"long": False,
    }
    assert stopped(run, None).all()


def test_silence_is_what_c_at_1_counts() -> None:
    qrels = {"p": {"a": 1}, "q": {"a": 1}, "r": {"a": 1}, "s": {"a": 1}}
    said = {"p": ["a"], "q": ["x"], "r": ["NIL", "a"], "s": ["a", "NIL"]}
    left_out = {"p": ["a"], "q": ["x"], "s": ["a"]}
    for given, expected in ((said, 0.625), (left_out, 0.625), ({**said, "r": ["x", "a"]}, 0.5)):
        assert tr.evaluate(qrels, given, "c@1")["run"]["c@1"].mean == expected
    assert tr.evaluate(qrels, said, "c@1", nil="answer")["run"]["c@1"].mean == 0.5


REFUSED = [
    ({"limit": 5}, "RR AP", "limit=5 says which lists were ended by their systems"),
    ({"nil": "answer", "ending": "terminal"}, "RR", "RR with a terminal document takes the end of a list"),
    ({"nil": "answer"}, "RR APT", "APT with a terminal document"),
    ({"nil": "first"}, "RR", "nil='first' is not a choice; take one of end, answer"),
    *(
        ({"limit": wrong, "ending": "terminal"}, "RR", f"limit={wrong!r} is no length")
        for wrong in (0, -1, True, 2.5, "5")
    ),
]


@pytest.mark.parametrize(("given", "measures", "message"), REFUSED)
def test_combinations_without_meaning_are_refused(given: dict[str, Any], measures: str, message: str) -> None:
    with pytest.raises(InputError) as refused:
        tr.evaluate(QRELS, {"has": ["a"]}, measures, **given)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


def test_depths_have_no_limit() -> None:
    with pytest.raises(InputError, match="limit=5 cannot be chosen here"):
        tr.depth(QRELS, {"has": ["a"]}, "AP", limit=5)


def test_preferences_have_no_nil() -> None:
    with pytest.raises(InputError, match="preferences have none"):
        tr.evaluate(tr.read_preferences([("q", "a", "b")]), {"q": ["a", "b"]}, "PrefLoss", nil="answer")


def test_results_name_them_and_presets_keep_them() -> None:
    scores = tr.evaluate(QRELS, {"has": ["a"]}, "RR", like="trec_eval-9", ending="terminal", limit=np.intp(5))
    assert (scores.conventions.limit, scores.conventions.ties) == (5, "docid")
    assert type(scores.conventions.limit) is int
    assert "ending terminal, limit 5" in str(scores)
    assert '"limit": 5' in scores.to_json().replace('":5', '": 5')
    assert "nil answer" in str(tr.evaluate(QRELS, {"has": ["a"]}, "RR", nil="answer"))
    assert {"limit", "nil"} < {*AXES}


REPEATED = {
    "file": "q Q0 a 1 4 t\nq Q0 NIL 2 3 t\nq Q0 b 3 2 t\nq Q0 NIL 4 1 t\n",
    "unsorted": "q Q0 NIL 4 1 t\nq Q0 b 3 2 t\nq Q0 NIL 2 3 t\nq Q0 a 1 4 t\n",
    "ranks": "q a 1\nq NIL 2\nq b 3\nq NIL 4\n",
    "list": "q a\nq NIL\nq b\nq NIL\n",
    "csv": "qid,docno,score\nq,a,4\nq,NIL,3\nq,b,2\nq,NIL,1\n",
}


@pytest.mark.parametrize("data", REPEATED.values(), ids=REPEATED)
def test_of_a_repeated_nil_the_first_counts_and_a_note_says_so(data: str) -> None:
    qrels = {"q": {"a": 1, "b": 1}}
    run = tr.read_run(io.StringIO(data), "run")
    assert [doc for doc, _ in run.ranking("q")] == ["a", "NIL", "b"]
    for given in ({"ending": "terminal"}, {"nil": "answer"}):
        scores = tr.evaluate(qrels, run, "RR AP", **given)
        assert "NIL is listed more than once for a topic: the first one counts" in str(scores.notices)
        once = tr.evaluate(qrels, {"q": ["a", "NIL", "b"]}, "RR AP", **given)
        assert [scores["run"][m].mean for m in ("RR", "AP")] == [once["run"][m].mean for m in ("RR", "AP")]


def test_other_documents_beside_a_repeated_nil_are_refused() -> None:
    with pytest.raises(InputError, match=":5: document 'a' is listed twice"):
        tr.read_run(io.StringIO(REPEATED["file"] + "q Q0 a 5 0 t\n"))


def test_trec_eval_refuses_a_repeated_nil(tmp_path: Any) -> None:
    (tmp_path / "run").write_text(REPEATED["file"])
    (tmp_path / "qrels").write_text("q 0 a 1\n")
    done = trec_eval([str(tmp_path / "qrels"), str(tmp_path / "run")])
    assert (done.code, "run:4: document 'NIL' is listed twice" in done.notes[0]) == (4, True)


def test_a_repeated_nil_is_mended_to_the_first(tmp_path: Any) -> None:
    path = tmp_path / "twice.run"
    path.write_text(REPEATED["file"])
    (tmp_path / "qrels.txt").write_text("q 0 a 1\nq 0 b 1\n")
    found = lint_files([str(tmp_path / "qrels.txt"), str(path)], fix=True)
    assert ("info", 4) in [(one.severity, one.places[0].line) for one in found if one.check == "duplicates"]
    assert "nil-documents" in {one.check for one in found}
    [mended] = tmp_path.glob("*.fixed.run")
    qrels = str(tmp_path / "qrels.txt")
    assert values(str(mended), "RRT APT", qrels) == values({"q": ["a", "NIL"]}, "RRT APT", qrels)
    assert values(str(path), "RRT APT", qrels) == values({"q": ["a", "NIL"]}, "RRT APT", qrels)
    [again] = [one for one in tr.lint({"q": {"a": 1}}, {"q": ["a", "NIL", "NIL"]}) if one.check == "duplicates"]
    assert again.message == "NIL is listed more than once for a topic"


def test_silence_of_c_goes_with_any_ending() -> None:
    run = {"has": ["a", "x"], "nil": ["NIL", "a"]}
    alone = values(run, "c@1")
    for ending in ("terminal", "terminal-once"):
        both = values(run, "RR c@1", ending=ending)
        assert {key: value for key, value in both.items() if key[0] == "c@1"} == alone
