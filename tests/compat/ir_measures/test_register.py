"""truerank's measures inside ir_measures and PyTerrier."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

import truerank as tr
from truerank.compat.ir_measures import register
from truerank.compat.ir_measures.families import FAMILIES, TIE_AWARE
from truerank.measures.table import TABLE

from .test_parity import collection

ir_measures = pytest.importorskip("ir_measures")

OURS = [name for name, family in FAMILIES.items() if family.like is None]
QRELS, RUN = collection(3, ties=True, grades=3)
RUN = {topic: docs for topic, docs in RUN.items() if topic in QRELS}


@pytest.fixture(autouse=True)
def measures() -> Any:
    return register()


def in_our_grammar(text: str) -> str:
    return text.replace(TIE_AWARE, "")


@pytest.mark.parametrize("name", OURS)
def test_every_measure_has_the_value_that_evaluate_gives(name: str) -> None:
    text = f"{name}@0.3" if name == "IPrec_TA" else name
    measure = ir_measures.parse_measure(text)
    expected = tr.evaluate(QRELS, RUN, in_our_grammar(text))["run"][in_our_grammar(text)]
    found = ir_measures.calc([measure], QRELS, RUN)
    assert {metric.query_id: metric.value for metric in found.per_query} == same(expected.per_topic)
    assert found.aggregated[measure] == same(expected.mean)
    assert str(measure) == text


def same(values: Any) -> Any:
    """The same bits, or undefined both."""
    return pytest.approx(values, rel=0, abs=0, nan_ok=True)


def test_every_measure_that_ir_measures_lacks_is_there() -> None:
    lacking = set(TABLE) - {name for name, family in FAMILIES.items() if family.like}
    assert lacking <= set(ir_measures.measures.registry)
    assert {"RBPU", "OIE", "nDCGT", "Q", "c", "GM"} <= lacking


PARAMETERS = (
    ("RBPU(p=0.9,e=0.1)@10", "RBPU(p=0.9,e=0.1)@10", {}),
    ("nDCGT(dcg='exp-log2')@10", "nDCGT(dcg='exp-log2')@10", {}),
    ("nDCG_TA(gains={1:5,2:7})@5", "nDCG(gains={1:5,2:7})@5", {}),
    ("AP_TA(norm='min')@10", "AP(norm='min')@10", {}),
    ("AP_TA(ties='worst')", "AP", {"ties": "worst"}),
    ("nDCG_TA(ties='best',judged_only=True)@10", "nDCG@10", {"ties": "best", "unjudged": "condensed"}),
    ("OIE(size=1000,ties='docid')", "OIE(size=1000)", {"ties": "docid"}),
    ("Q(judged_only=True)", "Q", {"unjudged": "condensed"}),
    ("GM(measure='nDCG@10')", "GM(measure=nDCG@10)", {}),
    ("RR_TA(ties='sample(3)')", "RR", {"ties": "sample(3)"}),
)


@pytest.mark.parametrize(("theirs", "ours", "conventions"), PARAMETERS, ids=[row[0] for row in PARAMETERS])
def test_parameters(theirs: str, ours: str, conventions: dict[str, str]) -> None:
    measure = ir_measures.parse_measure(theirs)
    assert repr(measure) == theirs
    expected = tr.evaluate(QRELS, RUN, ours, **conventions)["run"][ours].mean
    assert ir_measures.calc_aggregate([measure], QRELS, RUN) == {measure: expected}


def test_registering_again_changes_nothing() -> None:
    before = list(ir_measures.DefaultPipeline.providers), dict(ir_measures.measures.registry)
    assert register() is register()
    assert before == (ir_measures.DefaultPipeline.providers, ir_measures.measures.registry)


def test_beside_ir_measures_own() -> None:
    mixed = [ir_measures.AP, ir_measures.P @ 5, register().RBPU, register().AP_TA, ir_measures.RR @ 10]
    alone = {m: ir_measures.calc_aggregate([m], QRELS, RUN)[m] for m in mixed}
    assert ir_measures.calc_aggregate(mixed, QRELS, RUN) == pytest.approx(alone)
    assert len(list(ir_measures.iter_calc(mixed, QRELS, RUN))) == len(mixed) * len(QRELS)
    generator = (ir_measures.ScoredDoc(q, d, s) for q, docs in RUN.items() for d, s in docs.items())
    assert ir_measures.calc_aggregate(mixed, QRELS, generator) == pytest.approx(alone)


def test_ir_measures_own_are_read_as_before() -> None:
    assert ir_measures.DefaultPipeline.providers[-1].NAME == "truerank"
    tied = {"q": {"a": 1.0, "b": 1.0, "c": 1.0}}
    found = ir_measures.calc_aggregate([ir_measures.RR, ir_measures.RR @ 2], {"q": {"c": 1}}, tied)
    assert found == {ir_measures.RR: 1.0, ir_measures.RR @ 2: 0.0}


@pytest.mark.parametrize(
    "text",
    [
        "RBP(p=0.5)",
        "RBP(rel=1)",
        "ERR",
        "RR(judged_only=True)@10",
        "NumRel(rel=2)",
        "SDCG(max_rel=3)@10",
        "INST(max_rel=3)",
    ],
)
def test_measures_that_no_provider_of_ir_measures_calculates(text: str) -> None:
    measure = ir_measures.parse_measure(text)
    with pytest.raises(ValueError, match="Unsupported"):
        ir_measures.providers.FallbackProvider(ir_measures.DefaultPipeline.providers[:-1]).calc_aggregate(
            [measure], QRELS, RUN
        )
    assert ir_measures.calc_aggregate([measure], QRELS, RUN)[measure] > 0


def test_wrong_parameters_say_what_is_wrong() -> None:
    with pytest.raises(ValueError, match="RBPU: p is a number from 0 to less than 1"):
        ir_measures.calc_aggregate([register().RBPU(p=2)], QRELS, RUN)
    with pytest.raises(ValueError, match="Unsupported measures"):
        ir_measures.calc_aggregate([ir_measures.alpha_nDCG @ 10], QRELS, RUN)


def test_command_line(tmp_path: Path) -> None:
    run = need("classic", "cranfield", "runs", "coord_match.run.gz")
    qrels = need("classic", "cranfield", "qrels.txt")
    command = [sys.executable, "-m", "truerank.compat.ir_measures", str(qrels), str(run), "AP", "nDCG_TA@10 OIE"]
    done = subprocess.run([*command, "-p", "9"], capture_output=True, text=True, check=True)
    printed = dict(line.split("\t") for line in done.stdout.splitlines())
    expected = tr.evaluate(qrels, run, "nDCG@10 OIE")["coord_match"]
    assert printed["nDCG_TA@10"] == f"{expected['nDCG@10'].mean:.9f}"
    assert printed["OIE"] == f"{expected['OIE'].mean:.9f}"
    assert printed["AP"] == f"{tr.evaluate(qrels, run, 'AP', like='ir_measures')['coord_match']['AP'].mean:.9f}"


@pytest.mark.filterwarnings("ignore")
def test_experiment_of_pyterrier() -> None:
    pt = pytest.importorskip("pyterrier")
    pd = pytest.importorskip("pandas")
    topics = pd.DataFrame({"qid": list(QRELS), "query": "words"})
    qrels = pd.DataFrame(
        [(q, d, g) for q, docs in QRELS.items() for d, g in docs.items()], columns=["qid", "docno", "label"]
    )
    rows = [(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]
    results = pd.DataFrame(rows, columns=["qid", "docno", "score"])
    results["rank"] = results.groupby("qid")["score"].rank(ascending=False, method="first").astype(int)
    ours = register()
    wanted = [ours.OIE, ours.RBPU, ours.nDCGT @ 10, ours.nDCG_TA @ 10, "map"]
    table = pt.Experiment([pt.Transformer.from_df(results)], topics, qrels, wanted, names=["mine"])
    expected = tr.evaluate(QRELS, RUN, "OIE RBPU nDCGT@10 nDCG@10")["run"]
    for name in ("OIE", "RBPU", "nDCGT@10", "nDCG_TA@10"):
        assert table.loc[0, name] == pytest.approx(expected[in_our_grammar(name)].mean, abs=1e-12)
    assert np.isfinite(table.loc[0, "map"])
