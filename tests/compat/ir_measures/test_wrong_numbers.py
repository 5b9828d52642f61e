"""Where ir_measures goes wrong without a word."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from pathlib import Path

import pytest

from truerank.compat import ir_measures
from truerank.compat.ir_measures import AP, RR, Accuracy, NumRel, P, Qrel, ScoredDoc, alpha_nDCG, nDCG
from truerank.data.errors import InputError

QRELS = {"q1": {"a": 1, "b": 0}, "q2": {"c": 1}}
RUN = {"q1": {"b": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def lines(tmp_path: Path) -> Path:
    path = tmp_path / "run"
    path.write_text("".join(f"{q} Q0 {d} 1 {s} x\n" for q, docs in RUN.items() for d, s in docs.items()))
    return path


def test_reciprocal_rank_with_and_without_cutoff_agree_on_ties() -> None:
    qrels, run = {"q": {"b": 1}}, {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    scores = ir_measures.calc_aggregate([RR, RR @ 10, ir_measures.RR_TA @ 10], qrels, run)
    assert scores == {RR: 0.5, RR @ 10: 0.5, ir_measures.RR_TA @ 10: pytest.approx((1 + 1 / 2 + 1 / 3) / 3)}


def test_measures_do_not_depend_on_what_else_is_asked_for() -> None:
    qrels, run = {"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.5, "c": 1.0}}
    plain, mapped, retrieved = nDCG @ 10, nDCG(gains={1: 9, 2: 1}) @ 10, ir_measures.NumRet
    together = [mapped, plain, P(judged_only=True) @ 5, retrieved]
    for measures in (together, together[::-1]):
        scores = ir_measures.calc_aggregate(measures, qrels, run)
        assert [scores[m] for m in (mapped, retrieved)] == [1.0, 4.0]
        assert scores == {m: m.calc_aggregate(qrels, run) for m in measures}


def test_measures_of_subtopics_are_refused() -> None:
    for measures in ([alpha_nDCG @ 10], [alpha_nDCG @ 10, alpha_nDCG @ 20], [AP, ir_measures.ERR_IA]):
        with pytest.raises(InputError, match=r"subtopics.*pyndeval"):
            ir_measures.calc_aggregate(measures, QRELS, RUN)


def test_a_path_is_read(tmp_path: Path) -> None:
    path = lines(tmp_path)
    assert len(list(ir_measures.read_trec_run(path))) == 3
    for run in (path, str(path), ir_measures.read_trec_run(path), ir_measures.read_trec_run(str(path))):
        assert ir_measures.calc_aggregate([AP], QRELS, run) == {AP: 0.75}


def test_a_path_to_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        ir_measures.calc_aggregate([AP], QRELS, tmp_path / "absent")
    with pytest.raises(InputError, match="no such file"):
        list(ir_measures.read_trec_run(tmp_path / "absent"))


def test_a_file_can_be_read_twice(tmp_path: Path) -> None:
    run = ir_measures.read_trec_run(str(lines(tmp_path)))
    with lines(tmp_path).open() as file:
        for each in (run, ir_measures.read_trec_run(file)):
            assert [ir_measures.calc_aggregate([AP], QRELS, each)[AP] for _ in range(2)] == [0.75, 0.75]
            assert len(list(each)) == len(list(each)) == 3


def records() -> Iterator[ScoredDoc]:
    return (ScoredDoc(topic, doc, score) for topic, docs in RUN.items() for doc, score in docs.items())


def test_a_generator_is_read_once_for_all_measures() -> None:
    qrels = (Qrel(topic, doc, grade) for topic, docs in QRELS.items() for doc, grade in docs.items())
    scores = ir_measures.calc_aggregate([AP, RR @ 10, ir_measures.OIE, ir_measures.AP_TA], qrels, records())
    assert scores[AP] == scores[RR @ 10] == scores[ir_measures.AP_TA] == 0.75


def test_a_generator_that_was_read_before_is_refused() -> None:
    run = records()
    assert ir_measures.calc_aggregate([AP], QRELS, run) == {AP: 0.75}
    with pytest.raises(InputError, match="generator"):
        ir_measures.calc_aggregate([AP], QRELS, run)


def test_a_run_in_the_place_of_judgments_is_refused() -> None:
    with pytest.raises(InputError, match="relevance"):
        ir_measures.calc_aggregate([AP], list(records()), list(records()))
    Other = namedtuple("Other", "query_id docno score")
    with pytest.raises(InputError, match="doc_id"):
        ir_measures.calc_aggregate([AP], QRELS, [Other("q1", "a", 1.0)])


def test_judgments_that_contradict_one_another_are_refused() -> None:
    with pytest.raises(InputError, match="keep one"):
        ir_measures.calc_aggregate([AP], [Qrel("q1", "a", 1, "1"), Qrel("q1", "a", 0, "2")], RUN)


def test_a_document_that_is_listed_twice_is_refused() -> None:
    with pytest.raises(InputError, match=r"twice|duplicate|again"):
        ir_measures.calc_aggregate([AP], QRELS, [ScoredDoc("q1", "a", 1.0), ScoredDoc("q1", "a", 0.0)])


@pytest.mark.parametrize("run", [7, None, b"q1 Q0 a 1 1 x", [1, 2], ["q1"]])
def test_other_things_are_refused(run: object) -> None:
    with pytest.raises((InputError, TypeError)):
        ir_measures.calc_aggregate([AP], QRELS, run)


def test_nothing_changes_its_input() -> None:
    qrels, run = {t: dict(d) for t, d in QRELS.items()}, {t: dict(d) for t, d in RUN.items()}
    ir_measures.calc_aggregate([AP, P @ 5], qrels, run)
    assert (qrels, run) == (QRELS, RUN)


def test_missing_topics_count_as_nothing() -> None:
    measures = [AP, NumRel, ir_measures.NumQ]
    assert list(ir_measures.calc_aggregate(measures, QRELS, {"q1": RUN["q1"]}).values()) == [0.25, 1.0, 1.0]


def test_empty_data() -> None:
    assert list(ir_measures.iter_calc([AP], QRELS, [])) == [("q1", AP, 0.0), ("q2", AP, 0.0)]
    assert list(ir_measures.iter_calc([AP], {}, RUN)) == []
    assert ir_measures.calc_aggregate([AP], [], RUN)[AP] != ir_measures.calc_aggregate([AP], [], RUN)[AP]  # NaN


def test_accuracy_is_over_topics_that_have_it_whatever_else_is_asked_for() -> None:
    qrels = {"q1": {"a": 1, "b": 0, "c": 1}, "q2": {"a": 1}, "q3": {"a": 1}, "q4": {"a": 1}}
    run = {"q1": {"a": 4.0, "b": 3.0, "x": 2.0, "c": 1.0}, "q2": {"a": 1.0}, "q3": {"b": 1.0}}
    alone = ir_measures.calc([Accuracy], qrels, run)
    assert alone == ({Accuracy: 0.5}, [("q1", Accuracy, 0.5)])
    assert ir_measures.calc_aggregate([AP, Accuracy], qrels, run)[Accuracy] == 0.5
    assert ir_measures.calc_aggregate([Accuracy @ 3], qrels, run) == {Accuracy @ 3: 1.0}


def test_measures_that_are_not_here_say_so() -> None:
    with pytest.raises(InputError, match="ERR_IA is not a measure of truerank; it needs judgments of subtopics"):
        ir_measures.calc_aggregate([ir_measures.ERR_IA @ 10], QRELS, RUN)
