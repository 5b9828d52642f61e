"""A script that uses ir_measures works after one changed line."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import truerank as tr
from truerank.compat import ir_measures
from truerank.compat.ir_measures import AP, NumRet, P, nDCG
from truerank.compat.ir_measures.records import ranked
from truerank.io.load import as_run

from .test_parity import collection

SCRIPT = """
import ir_measures
from ir_measures import AP, P, R, RR, nDCG, Success, Qrel, ScoredDoc, Bpref, NumRet, SetF

qrels = [Qrel("q1", "d1", 2), Qrel("q1", "d2", 0), Qrel("q1", "d3", 1), Qrel("q2", "d1", 1), Qrel("q3", "d9", 1)]
run = [ScoredDoc("q2", "d4", 3.5), ScoredDoc("q2", "d1", 3.5), ScoredDoc("q1", "d2", 1.5), ScoredDoc("q1", "d3", 1.0)]
measures = [AP, AP(rel=2), nDCG @ 10, P(judged_only=True) @ 2, R @ 1, Bpref, SetF(beta=2.0)]
means = ir_measures.calc_aggregate(measures, qrels, iter(run))
for measure in measures:
    print(measure, f"{means[measure]:.10f}")
print(ir_measures.calc_aggregate([nDCG(gains={1: 4}) @ 3], qrels, run))
for metric in ir_measures.iter_calc([RR], iter(qrels), run):
    print(*metric)
found, topics = ir_measures.calc([Success @ 1, ir_measures.parse_measure("NumRelRet")], qrels, run)
print(sorted(map(str, found)), sorted((m.query_id, str(m.measure), m.value) for m in topics))
scorer = ir_measures.evaluator(ir_measures.parse_trec_measure("P.1,2"), qrels)
print([scorer.calc_aggregate(run)[P @ 1] for _ in range(2)], (P @ 1).calc_aggregate(qrels, run))
print([m.value for m in AP.iter_calc(qrels, run)], AP.calc(qrels, run).aggregated, AP["rel"], (P @ 5)["cutoff"])
print(NumRet.NAME, NumRet.AT_PARAM, (P @ 5).params, sorted(AP.SUPPORTED_PARAMS), AP == ir_measures.MAP)
print({"q1"} <= scorer.qrel_qids, ir_measures.util.Metric is ir_measures.Metric, ir_measures.measures.registry["MRR"])
for wrong in ("Foo@10", "AP("):
    try:
        ir_measures.parse_measure(wrong)
    except (NameError, ValueError) as error:
        print(NameError in type(error).__mro__)
"""
WITHOUT = "import sys; sys.modules['ir_measures'] = sys.modules['pandas'] = sys.modules['pytrec_eval'] = None\n"


def printed(script: str) -> str:
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def test_a_script_works_after_one_changed_line() -> None:
    pytest.importorskip("ir_measures")
    changed = SCRIPT.replace("import ir_measures\n", "from truerank.compat import ir_measures\n", 1)
    changed = changed.replace("from ir_measures import", "from truerank.compat.ir_measures import", 1)
    expected = printed(SCRIPT)
    assert len(expected.splitlines()) > 15
    assert printed(changed) == expected
    assert printed(WITHOUT + changed) == expected


@pytest.mark.parametrize(
    ("emptied", "order"),
    [("", "q3 q1 q2"), ("q3", "q1 q2 q3"), ("q1", "q3 q2 q1"), ("q1 q2", "q3 q1 q2"), ("q1 q2 q3", "q1 q2 q3")],
)
def test_topics_without_documents_come_last(emptied: str, order: str) -> None:
    run = as_run(io.StringIO("".join(f"{topic} Q0 {doc} 1 1 t\n" for topic in ("q3", "q1", "q2") for doc in "ab")))
    left = [topic.decode() not in emptied.split() for topic in run.topics]
    run = run.take(np.flatnonzero(np.repeat(left, 2)), np.cumsum([0, *(2 * one for one in left)]))
    assert ranked(run).order == tuple(order.split())
    found = ir_measures.iter_calc([NumRet], {topic: {"a": 1} for topic in ("q1", "q2", "q3")}, run)
    assert {one.query_id: one.value for one in found} == {f"q{i}": 2.0 * one for i, one in enumerate(left, 1)}


def test_forms_of_data(tmp_path: Path) -> None:
    pd, pl = pytest.importorskip("pandas"), pytest.importorskip("polars")
    qrels, run = collection(5, ties=True, grades=2)
    judged = [ir_measures.Qrel(q, d, g) for q, docs in qrels.items() for d, g in docs.items()]
    listed = [ir_measures.ScoredDoc(q, d, s) for q, docs in run.items() for d, s in docs.items()]
    expected = ir_measures.calc([AP, nDCG @ 10], qrels, run)
    forms = [
        (judged, listed),
        (iter(judged), (row for row in listed)),
        (pd.DataFrame(judged), pd.DataFrame(listed)),
        (pd.DataFrame(judged)[["doc_id", "relevance", "query_id"]], pd.DataFrame(listed).assign(rank=0, docid=7)),
        (pl.DataFrame(judged), pl.DataFrame(listed)),
        (tr.read_qrels(qrels), tr.read_run(run)),
        (
            ir_measures.util.QrelsConverter(judged).as_dict_of_dict(),
            ir_measures.util.RunConverter(listed).as_pd_dataframe(),
        ),
    ]
    for each in forms:
        found = ir_measures.calc([AP, nDCG @ 10], *each)
        assert found.aggregated == pytest.approx(expected.aggregated, abs=1e-15)
        assert sorted(found.per_query, key=str) == sorted(expected.per_query, key=str)


def test_objects_of_ir_datasets() -> None:
    formats = pytest.importorskip("ir_datasets.formats")
    qrels = [formats.TrecQrel("q1", "d1", 1, "0"), formats.TrecQrel("q1", "d2", 0, "0")]
    run = [formats.GenericScoredDoc("q1", "d2", 2.0), formats.GenericScoredDoc("q1", "d1", 1.0)]
    assert ir_measures.calc_aggregate([AP], iter(qrels), iter(run)) == {AP: 0.5}


def test_measures_of_ours_and_tie_aware_ones() -> None:
    qrels, run = collection(6, ties=True, grades=2)
    found = ir_measures.calc_aggregate(["RBPU(p=0.9)", "nDCG_TA@10", "MAP_TA"], qrels, run)
    expected = tr.evaluate(qrels, run, "RBPU(p=0.9) nDCG@10 AP")["run"]
    assert list(found.values()) == pytest.approx([score.mean for score in expected.values()], abs=1e-15)


@pytest.mark.parametrize("topic", ["q\udcff", b"q\xff", 7, "é"])
def test_ids_of_any_kind(topic: object) -> None:
    [metric] = ir_measures.iter_calc([AP], {topic: {"a": 1}}, {topic: {"a": 1.0}})
    assert metric == ("q\udcff" if isinstance(topic, bytes) else str(topic), AP, 1.0)


def test_equal_measures_are_one() -> None:
    assert AP(rel=2, judged_only=True) == AP(judged_only=True, rel=2)
    assert len({AP(rel=2, judged_only=True), AP(judged_only=True, rel=2), AP(rel=1), AP}) == 2
    assert P @ 5 != P @ 10
    assert list(ir_measures.calc_aggregate([AP, AP(rel=1)], {"q": {"d": 1}}, {"q": {"d": 1.0}})) == [AP]


def test_measures_made_of_functions() -> None:
    pytest.importorskip("pandas")
    depth = ir_measures.define_byquery(lambda qrels, run: len(run), name="Depth")
    assert str(depth @ 2) == "Depth@2"
    scores = ir_measures.calc_aggregate(
        [depth, depth @ 2, AP], {"q": {"d": 1}, "r": {"d": 1}}, {"q": dict.fromkeys("abc", 1.0)}
    )
    assert scores == {depth: 1.5, depth @ 2: 1.0, AP: 0.0}


def test_measures_made_of_functions_say_what_they_need() -> None:
    def nothing(qrels: object, run: object) -> list[tuple[str, float]]:
        return []

    some = ir_measures.define(
        nothing, "Some", run_inputs=["query_id"], qrel_inputs=["query_id", "x"], pretty_name="Some of it"
    )
    usual = ir_measures.define_byquery(lambda qrels, run: 0.0, "Usual", short_desc="nothing")
    assert (some.PRETTY_NAME, some.SHORT_DESC, usual.SHORT_DESC) == ("Some of it", None, "nothing")
    assert ir_measures.run_inputs([some @ 5]) == ["query_id"]
    assert ir_measures.qrel_inputs([some]) == ["query_id", "x"]
    for other in (usual, P @ 5):
        assert set(ir_measures.providers.RuntimeProvider().run_inputs([some, other])) == {"query_id", "doc_id", "score"}
        assert set(ir_measures.qrel_inputs([some, other])) == {"query_id", "doc_id", "relevance", "x"}


def test_a_measure_made_without_cutoff_refuses_one() -> None:
    pytest.importorskip("pandas")
    whole = ir_measures.define_byquery(lambda qrels, run: len(run), "Whole", support_cutoff=False)
    assert whole.calc_aggregate({"q": {"d": 1}}, {"q": {"a": 1.0, "b": 2.0}}) == 2.0
    for call in (ir_measures.calc_aggregate, lambda measures, *data: measures[0].calc_aggregate(*data)):
        with pytest.raises(AssertionError, match="Whole@5 was defined with support_cutoff=False"):
            call([whole @ 5], {"q": {"d": 1}}, {"q": {"a": 1.0}})


def test_converters() -> None:
    rows = [ir_measures.ScoredDoc(*row) for row in (("2", "a", 3.5), ("1", "b", 0.9), ("2", "c", 4.0), ("1", "a", 1.2))]
    expected = {"2": [rows[2], rows[0]], "1": [rows[3], rows[1]]}
    for form in (rows, iter(rows), {"2": {"a": 3.5, "c": 4.0}, "1": {"b": 0.9, "a": 1.2}}):
        assert ir_measures.util.RunConverter(form).as_sorteddict() == expected
    for kind in (ir_measures.util.QrelsConverter, ir_measures.util.RunConverter):
        unreadable = kind(object())
        with pytest.raises(ValueError, match=r"unknown .* format: object; give a dict of dicts"):
            unreadable.as_dict_of_dict()


def test_expected_reciprocal_rank_has_the_scale_of_gdeval() -> None:
    qrels, run = {"q": {"a": 2}}, {"q": {"a": 1.0}}
    assert ir_measures.ERR.calc_aggregate(qrels, run) == 3 / 16
    assert ir_measures.ERR(max_rel=2).calc_aggregate(qrels, run) == 3 / 4


@pytest.mark.parametrize("space", ["\xa0", "\x85", "\u2028", "\x1c"], ids=ascii)
def test_ids_of_files_keep_what_is_whitespace_beyond_ascii(space: str) -> None:
    read = ir_measures.read_trec_qrels(f"q1 0 d{space}1 2\r\n\nq1\t0\td2 1\n")
    assert [(each.doc_id, each.relevance) for each in read] == [(f"d{space}1", 2), ("d2", 1)]
    run = ir_measures.read_trec_run(f"q1 Q0 d{space}1 1 0.5 t\n")
    assert [each.doc_id for each in run] == [doc for doc, _ in as_run(run.whole).ranking("q1")] == [f"d{space}1"]
