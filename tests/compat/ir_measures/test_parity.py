"""The numbers of the installed ir_measures, topic by topic."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from tests.parity.shared import need

from truerank.compat import ir_measures as ours

theirs = pytest.importorskip("ir_measures")

SAME = """
    P@5 P(rel=2)@10 P(judged_only=True)@10 R@10 R(rel=2)@20 R(judged_only=True)@10 AP AP@20 AP(rel=2)
    AP(judged_only=True) AP(rel=2,judged_only=True)@30 nDCG nDCG@10 nDCG(judged_only=True)@10
    nDCG(gains={1:3,2:9})@10 nDCG(gains={1:3,2:9},judged_only=True) nDCG(gains={0:1,1:4}) nDCG(gains={0:3,2:1})@10
    nDCG(gains={0:2},judged_only=True)@5 RR RR(rel=2) RR(judged_only=True) Rprec
    Rprec(rel=2) Rprec(judged_only=True) Bpref Bpref(rel=2) infAP infAP(rel=2) SetP SetP(rel=2) SetRelP
    SetP(relative=True,judged_only=True) SetR SetR(rel=2) SetF SetF(beta=2.0) SetF(beta=0.5,rel=2)
    SetF(judged_only=True) SetAP SetAP(judged_only=True) Success@5 Success(rel=2)@1 Success(judged_only=True)@3
    NumRet NumRet(rel=1) NumRet(rel=2) NumRel NumQ IPrec@0.0 IPrec@0.1 IPrec@0.7 IPrec(rel=2)@0.35
    IPrec(judged_only=True)@0.5 IPrec@1.0
"""
EXACT = SAME.split()
ROUNDED = ("ERR@20", "nDCG(dcg='exp-log2')@10", "nDCG(dcg='exp-log2')@3")
"""ir_measures prints and reads these with five decimals."""
OTHER_TIES = (
    *("RR@10", "RR(rel=2)@5", "Judged@10", "Judged", "Compat", "Compat(p=0.8)", "Compat(normalize=False)"),
    *("Accuracy", "Accuracy(rel=2)", "Accuracy@10"),
)
"""ir_measures has another order of ties for these than for the rest."""

TREC_EVAL = """
    map P P_5 P.5,10 ndcg ndcg_cut.10 ndcg_cut set_F set_F.1.0,0.5,2.4 recall_100 success iprec_at_recall_0.10
    official recip_rank Rprec bpref num_q num_rel_ret set_relative_P map_cut_30 infAP set all_trec
"""

Values = dict[tuple[str, str], float]
RUNS = ("tfidf_cos", "coord_match", "boolean_and", "bm25_top10", "raw_tf")


def collection(seed: int, *, ties: bool, grades: int) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Ties, unjudged documents, negative grades, topics only judged, only retrieved, and with nothing relevant."""
    rng = random.Random(seed)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(14):
        docs = [f"d{rng.randrange(10**5):05d}" for _ in range(60)]
        if topic != 3:
            qrels[str(topic)] = {doc: rng.choice([-1, 0, 0, *range(grades + 1)]) for doc in rng.sample(docs, 30)}
        if topic == 7:
            qrels[str(topic)] = dict.fromkeys(qrels[str(topic)], 0)
        if topic not in (5, 11):
            listed = rng.sample(docs, rng.randrange(1, 50))
            run[str(topic)] = {doc: float(rng.randrange(12) if ties else place) for place, doc in enumerate(listed, 1)}
    return qrels, run


def calculated(tool: Any, names: Any, qrels: Any, run: Any) -> tuple[Values, dict[str, float]]:
    """Values by topic and measure, and means; each of theirs alone, as some depend on what else is asked for."""
    calls = [[name] for name in names] if tool is theirs else [names]
    found = [tool.calc([tool.parse_measure(name) for name in call], qrels, run) for call in calls]
    topics = [metric for each in found for metric in each.per_query]
    means = {measure: value for each in found for measure, value in each.aggregated.items()}
    values = {(metric.query_id, str(metric.measure)): metric.value for metric in topics}
    assert len(values) == len(topics)
    return values, {str(measure): value for measure, value in means.items()}


def same(names: Any, qrels: Any, run: Any, tolerance: float = 1e-12) -> None:
    for found, expected in zip(calculated(ours, names, qrels, run), calculated(theirs, names, qrels, run), strict=True):
        assert found == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("seed", range(8))
def test_random_data(seed: int) -> None:
    same(EXACT, *collection(seed, ties=True, grades=1 + seed % 4))


@pytest.mark.parametrize("seed", range(4))
def test_random_data_where_ir_measures_rounds(seed: int) -> None:
    same(ROUNDED, *collection(seed, ties=True, grades=4), tolerance=0.6e-5)


@pytest.mark.parametrize("beta", [0.25, 1.0, 2.0, 2.4])
def test_set_f_has_the_same_bits(beta: float) -> None:
    # Of three documents two are relevant, and of four relevant ones two are found.
    data = {"q": dict.fromkeys("abcd", 1)}, {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}
    assert ours.SetF(beta=beta).calc_aggregate(*data) == theirs.SetF(beta=beta).calc_aggregate(*data)
    for seed in range(4):
        names = [f"SetF(beta={beta})", f"SetF(rel=2,beta={beta},judged_only=True)"]
        same(names, *collection(seed, ties=True, grades=3), tolerance=0.0)


@pytest.mark.parametrize("seed", range(4))
def test_random_data_without_ties(seed: int) -> None:
    same(OTHER_TIES, *collection(seed, ties=False, grades=2))


@pytest.mark.parametrize("name", RUNS)
def test_cranfield(name: str) -> None:
    qrels = list(theirs.read_trec_qrels(str(need("classic", "cranfield", "qrels.txt"))))
    run = list(theirs.read_trec_run(str(need("classic", "cranfield", "runs", f"{name}.run.gz"))))
    same(EXACT, qrels, run)
    same(ROUNDED, qrels, run, tolerance=0.6e-5)


def test_a_single_measure_comes_in_the_same_order() -> None:
    qrels, run = collection(1, ties=True, grades=2)
    run = dict(reversed(run.items()))
    for name in ("AP", "nDCG@10", "P@5"):
        found, expected = (
            [(metric.query_id, metric.value) for metric in tool.iter_calc([tool.parse_measure(name)], qrels, run)]
            for tool in (ours, theirs)
        )
        assert found == [(topic, pytest.approx(value, abs=1e-12)) for topic, value in expected]


def test_files(tmp_path: Path) -> None:
    qrels, run = collection(2, ties=True, grades=3)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()))
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 1 {s} x\n" for q, docs in run.items() for d, s in docs.items()))
    for name in ("qrels", "run"):
        read = f"read_trec_{name}"
        assert list(getattr(ours, read)(tmp_path / name)) == list(getattr(theirs, read)(str(tmp_path / name)))
    files = (tmp_path / "qrels", tmp_path / "run")
    expected = calculated(ours, EXACT, qrels, run)
    assert calculated(ours, EXACT, ours.read_trec_qrels(files[0]), ours.read_trec_run(files[1])) == expected
    assert calculated(ours, EXACT, *files) == expected


@pytest.mark.parametrize("name", [name for name in theirs.measures.registry if name not in vars(theirs.providers)])
def test_every_measure_is_known_and_prints_alike(name: str) -> None:
    assert repr(ours.parse_measure(name)) == repr(theirs.parse_measure(name))
    assert getattr(ours, name) == ours.parse_measure(name)
    assert name in ours.__all__


@pytest.mark.parametrize("text", [*EXACT, *ROUNDED, *OTHER_TIES, "RBP(p=0.5,rel=1)@10", "IPrec(rel=2,recall=0.4)@0.2"])
def test_every_text_prints_alike(text: str) -> None:
    assert repr(ours.parse_measure(text)) == repr(theirs.parse_measure(text))
    assert ours.parse_measure(repr(ours.parse_measure(text))) == ours.parse_measure(text)


@pytest.mark.parametrize("text", TREC_EVAL.split())
def test_names_of_trec_eval(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert list(map(repr, ours.parse_trec_measure(text))) == list(map(repr, theirs.parse_trec_measure(text)))
    assert len(set(theirs.__all__) - set(ours.__all__) - {"CwlMetric", "lazylibs"}) == 0


@pytest.mark.parametrize(
    "text", ["AP(", "AP@", "AP(1)", "nDCG(dcg=log2)", "AP; RR", "1", "Foo", "Foo@10", "P(rel=2", ""]
)
def test_what_is_no_measure_raises_the_same(text: str) -> None:
    with pytest.raises((ValueError, NameError)) as expected:
        theirs.parse_measure(text)
    with pytest.raises(expected.type):
        ours.parse_measure(text)


@pytest.mark.parametrize("text", ["foo", "gm_map", "11pt_avg", "G", "ndcg_5", "map.3"])
def test_what_is_no_name_of_trec_eval_raises_the_same(text: str) -> None:
    for tool in (theirs, ours):
        with pytest.raises(ValueError, match=r"."):
            tool.parse_trec_measure(text)


@pytest.mark.parametrize("text", ["P", "Success", "IPrec", "nDCG(dcg='other')", "P(judged_only=1)@5"])
def test_parameters_that_a_measure_cannot_have_raise_the_same(text: str) -> None:
    for tool in (theirs, ours):
        measure = tool.parse_measure(text)
        with pytest.raises(AssertionError):
            tool.calc_aggregate([measure], {"q": {"d": 1}}, {"q": {"d": 1.0}})


def test_parameters_that_nobody_knows_are_named() -> None:
    assert str(ours.parse_measure("AP(foo=1)")) == "AP(foo=1)"
    with pytest.raises(AssertionError, match=r"no parameter 'foo'; it takes cutoff, rel, judged_only"):
        ours.calc_aggregate([ours.AP(foo=1)], {"q": {"d": 1}}, {"q": {"d": 1.0}})
