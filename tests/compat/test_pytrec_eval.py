"""The stand-in for pytrec_eval: the same keys and values, and none of its crashes."""

from __future__ import annotations

import gzip
import json
import math
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

from truerank.compat import pytrec_eval as ours
from truerank.compat.pytrec_eval import RelevanceEvaluator
from truerank.data.errors import InputError

theirs = pytest.importorskip("pytrec_eval")

Qrels = dict[str, dict[str, int]]
Run = dict[str, dict[str, float]]


def collection(seed: int, *, top: int = 3, topics: int = 15) -> tuple[Qrels, Run]:
    """Ties, unjudged documents, negative grades, topics of one side only, topics and documents in no order."""
    rng = random.Random(seed)
    qrels: Qrels = {}
    run: Run = {}
    for topic in rng.sample(range(1000), topics):
        docs = [f"d{rng.randrange(10**6)}" for _ in range(120)]
        judged = rng.sample(docs, rng.randrange(1, 60))
        if rng.random() < 0.9:
            qrels[f"q{topic}"] = {doc: rng.choice([0, 0, *range(top + 1), -1]) for doc in judged}
        if rng.random() < 0.9:
            listed = rng.sample(docs, rng.choice([0, 1, 7, 60, 110]))
            run[f"q{topic}"] = {doc: rng.randrange(30) / rng.choice([1, 7]) for doc in listed}
    return qrels, run


def same(found: dict[str, dict[str, float]], expected: dict[str, dict[str, float]]) -> None:
    """The same keys in the same order, and values that differ by rounding at most."""
    assert list(found) == list(expected)
    for topic, values in expected.items():
        assert list(found[topic]) == list(values)
        assert found[topic] == pytest.approx(values, abs=1e-12, nan_ok=True), topic
        assert {type(value) for value in found[topic].values()} <= {float}


def sorted_text(names: Any) -> str:
    """The id of a test, which a set does not change from process to process."""
    return " ".join(sorted(names)) or "nothing"


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("judged_only", [False, True])
def test_every_measure(seed: int, level: int, judged_only: bool) -> None:
    qrels, run = collection(seed, top=1 + seed % 3)
    arguments = (qrels, theirs.supported_measures, level, judged_only)
    same(RelevanceEvaluator(*arguments).evaluate(run), theirs.RelevanceEvaluator(*arguments).evaluate(run))


@pytest.mark.parametrize("system", ["bm25_int", "raw_tf", "lmdir1000", "boolean_and"])
@pytest.mark.parametrize("data", ["cranfield", "cisi"])
def test_real_runs(data: str, system: str) -> None:
    with need("classic", data, "qrels.txt").open() as file:
        lines = file.readlines()
    assert ours.parse_qrel(lines) == theirs.parse_qrel(lines)
    with gzip.open(need("classic", data, "runs", f"{system}.run.gz"), "rt") as file:
        run = theirs.parse_run(file)
    measures = {"all_trec"}
    qrels = ours.parse_qrel(lines)
    expected = theirs.RelevanceEvaluator(qrels, measures).evaluate(run)
    same(RelevanceEvaluator(qrels, measures).evaluate(run), expected)


@pytest.mark.parametrize("name", ["map", "ndcg", "ndcg_cut_10", "recip_rank", "P_10", "recall_100", "bpref", "set_F"])
def test_the_same_bits(name: str) -> None:
    qrels, run = collection(9, topics=40)
    expected = theirs.RelevanceEvaluator(qrels, {name}).evaluate(run)
    assert RelevanceEvaluator(qrels, {name}).evaluate(run) == expected


def test_what_is_supported() -> None:
    assert ours.supported_measures == theirs.supported_measures
    assert {name: members for name, members in ours.supported_nicknames.items() if name != "all_trec"} == {
        name: members for name, members in theirs.supported_nicknames.items() if name != "all_trec"
    }
    assert ours.supported_nicknames["all_trec"] == theirs.supported_nicknames["all_trec"]
    assert set(theirs.__all__) <= set(ours.__all__)


@pytest.mark.parametrize(
    "measures",
    [
        {"P.3,7"},
        {"P_3", "P.2", "P_100", "P_20"},
        ["recall_5", "map", "P_5", "ndcg"],
        {"official"},
        {"set", "P_1"},
        {"set_F.2.0", "iprec_at_recall.0.25,0.5", "Rprec_mult_0.50", "ndcg_cut_3", "success_2"},
        {"P", "P_3"},
        {"map.5"},
        {"11pt_avg.0.5"},
        {"num_q", "runid", "relstring"},
        ("ndcg_cut.5,10", "ndcg_cut_1", "map_cut_10"),
        set(),
    ],
    ids=sorted_text,
)
def test_names_and_parameters(measures: Any) -> None:
    qrels, run = collection(10)
    same(RelevanceEvaluator(qrels, measures).evaluate(run), theirs.RelevanceEvaluator(qrels, measures).evaluate(run))


def test_gain_maps_do_not_crash() -> None:
    qrels, run = {"q": {"a": 1, "b": 2, "c": 0}}, {"q": {"a": 3.0, "c": 2.0, "b": 1.0}}
    for text in ("ndcg.1=0.2,2=0.9", "ndcg_1=0.2,2=0.9"):
        [[name, value]] = RelevanceEvaluator(qrels, {text}).evaluate(run)["q"].items()
        assert name == "ndcg"
        assert value == pytest.approx((0.2 + 0.9 / 2) / (0.9 + 0.2 / math.log2(3)))
    assert RelevanceEvaluator(qrels, {"ndcg.1=0.2,2=0.9"}).evaluate({"q": {"b": 2.0, "a": 1.0}})["q"]["ndcg"] == 1.0


def test_utility_takes_its_four_weights() -> None:
    found = RelevanceEvaluator({"q": {"a": 1, "b": 0}}, {"utility.2,-1,0,0"}).evaluate({"q": {"a": 1.0, "b": 2.0}})
    assert found == {"q": {"utility": 1.0}}


@pytest.mark.parametrize(
    "measures",
    [{"foo"}, {"P_x"}, "map", {"rbp"}, {"prefs"}, {"yaap"}, {"P_0"}, [7], {"utility.1"}, {"ndcg.1"}],
    ids=str,
)
def test_measures_that_there_are_not(measures: Any) -> None:
    with pytest.raises(ValueError, match=r"measure|cutoffs|utility|pairs"):
        RelevanceEvaluator({"q": {"a": 1}}, measures)


def test_two_gain_maps_at_once_are_refused() -> None:
    with pytest.raises(InputError, match="use an evaluator for each"):
        RelevanceEvaluator({"q": {"a": 1}}, {"ndcg.1=2", "ndcg.1=3"})


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.float16, np.int64, np.int8, int, bool])
def test_numbers_of_any_kind(kind: type) -> None:
    qrels = {"q": {"a": 1, "b": 0}}
    grades = {"q": {doc: kind(grade) for doc, grade in qrels["q"].items()}}
    found = RelevanceEvaluator(qrels, {"map"}).evaluate({"q": {"a": kind(0), "b": kind(1)}})
    assert found == {"q": {"map": 0.5}}
    assert RelevanceEvaluator(grades, {"map"}).evaluate({"q": {"a": 1.0}}) == {"q": {"map": 1.0}}


def test_grades_with_decimals_count_as_they_are() -> None:
    qrels = {"q": {"a": 0.5, "b": 1.5, "c": 1.0}}
    found = RelevanceEvaluator(qrels, {"num_rel", "ndcg"}).evaluate({"q": {"b": 3.0, "a": 2.0, "c": 1.0}})["q"]
    gained = 1.5 + 0.5 / math.log2(3) + 1 / 2
    assert found["num_rel"] == 2
    assert found["ndcg"] == pytest.approx(gained / (1.5 + 1 / math.log2(3) + 0.5 / 2), abs=1e-15)
    for wrong in (math.nan, math.inf):
        with pytest.raises(ValueError, match="'a' has the grade"):
            RelevanceEvaluator({"q": {"a": wrong}}, {"map"})
    with pytest.raises(TypeError, match="a grade is not a number"):
        RelevanceEvaluator({"q": {"a": "1"}}, {"map"})


def test_nan_is_refused_and_infinity_is_not() -> None:
    evaluator = RelevanceEvaluator({"q": {"a": 1}}, {"recip_rank"})
    with pytest.raises(ValueError, match="'b' has the score nan"):
        evaluator.evaluate({"q": {"a": 1.0, "b": math.nan}})
    run = {"q": {"a": 1.0, "b": math.inf, "c": -math.inf, "d": 1e300}}
    assert evaluator.evaluate(run) == theirs.RelevanceEvaluator({"q": {"a": 1}}, {"recip_rank"}).evaluate(run)
    assert evaluator.evaluate(run)["q"]["recip_rank"] == 1 / 3


@pytest.mark.parametrize(
    "scores",
    [{"q": {"a": "x"}}, {"q": {"a": None}}, {"q": {1: 1.0}}, {1: {"a": 1.0}}, {"q": ["a"]}, {"q": "a"}, ["q"], "q"],
    ids=str,
)
def test_runs_of_wrong_types(scores: Any) -> None:
    with pytest.raises(TypeError):
        theirs.RelevanceEvaluator({"q": {"a": 1}}, {"map"}).evaluate(scores)
    with pytest.raises(TypeError, match=r"give|not a"):
        RelevanceEvaluator({"q": {"a": 1}}, {"map"}).evaluate(scores)


@pytest.mark.parametrize(
    "qrels",
    [{"q": {"a": None}}, {"q": {"a": "1"}}, {"q": {1: 1}}, {1: {"a": 1}}, {"q": ["a"]}],
    ids=str,
)
def test_judgments_of_wrong_types(qrels: Any) -> None:
    with pytest.raises(TypeError):
        theirs.RelevanceEvaluator(qrels, {"map"})
    with pytest.raises(TypeError, match="give"):
        RelevanceEvaluator(qrels, {"map"})


def test_levels_of_wrong_types() -> None:
    for level in ("2", 1.5, None):
        with pytest.raises(TypeError):
            RelevanceEvaluator({"q": {"a": 1}}, {"map"}, relevance_level=level)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "run", [{}, None, {"other": {"a": 1.0}}, {"q": {}}, {"empty": {"a": 1.0}, "q": {"b": 1.0}}], ids=str
)
@pytest.mark.parametrize("qrels", [{"q": {"a": 1}, "empty": {}}, {}], ids=str)
def test_next_to_nothing(run: Any, qrels: Any) -> None:
    measures = {"map", "ndcg", "num_ret", "gm_map", "P_5"}
    same(RelevanceEvaluator(qrels, measures).evaluate(run), theirs.RelevanceEvaluator(qrels, measures).evaluate(run))


def test_nothing_given_is_changed_and_runs_follow_one_another() -> None:
    qrels, run = collection(11)
    before = json.dumps([qrels, run])
    evaluator = RelevanceEvaluator(qrels, {"map", "bpref"})
    first = evaluator.evaluate(run)
    _, other = collection(12)
    evaluator.evaluate({topic: other[next(iter(other))] for topic in qrels})
    assert evaluator.evaluate(run) == first
    assert json.dumps([qrels, run]) == before
    qrels.clear()
    assert evaluator.evaluate(run) == first


def test_ids_that_are_not_ascii() -> None:
    qrels, run = {"é\udcff": {"ü": 1, "日本": 0, "a\nb": 1}}, {"é\udcff": {"ü": 1.0, "日本": 1.0, "a\nb": 3.0}}
    assert RelevanceEvaluator(qrels, {"map"}).evaluate(run) == {"é\udcff": {"map": pytest.approx((1 + 2 / 3) / 2)}}


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"\ud800": {"d": 1}}, {}),
        ({"q": {"\ud800": 1}}, {}),
        ({"q": {"d": 1}}, {"q": {"\ud800": 1.0}}),
    ],
)
def test_half_a_character_is_refused(qrels: Any, run: Any) -> None:
    with pytest.raises(InputError, match="has half a character in it; mend the id"):
        RelevanceEvaluator(qrels, {"map"}).evaluate(run)


def test_aggregation() -> None:
    values = [0.25, 0.5, 1.0]
    for name in ("num_ret", "gm_map", "map", "P_5"):
        expected = theirs.compute_aggregated_measure(name, values)
        assert ours.compute_aggregated_measure(name, values) == pytest.approx(expected, abs=1e-15)
    with pytest.raises(InputError, match="no values of map"):
        ours.compute_aggregated_measure("map", [])


def test_lines() -> None:
    run = ["q1 Q0 d1 1 2.5 x\n", "q1 Q0 d2 2 1e-3 x\n", "q2\tQ0\td1\t1\t-1\tx"]
    assert ours.parse_run(run) == theirs.parse_run(run)
    assert type(ours.parse_run(run)) is type(theirs.parse_run(run))
    for reader, lines, kind, message in (
        (ours.parse_run, [run[0], run[0]], AssertionError, "2: document 'd1' stands twice"),
        (ours.parse_qrel, ["q 0 d 1", "q 0 d 1"], AssertionError, "2: document 'd' stands twice"),
        (ours.parse_run, ["q1 d1 2.5"], ValueError, "1: there are 3 fields"),
        (ours.parse_qrel, ["q 0 d 1.5"], ValueError, "1: '1.5' is not a whole number; correct column 4"),
        (ours.parse_run, ["q Q0 d 1 x t"], ValueError, "1: 'x' is not a number; correct column 5"),
    ):
        with pytest.raises(kind, match=message):
            reader(lines)


SCRIPT = """
{changed}
import json, sys
with open(sys.argv[1]) as file:
    qrel = pytrec_eval.parse_qrel(file)
with open(sys.argv[2]) as file:
    run = pytrec_eval.parse_run(file)
measures = {{"map", "ndcg", "ndcg_cut.5,10", "P_10", "gm_map", "num_ret", "official"}}
evaluator = pytrec_eval.RelevanceEvaluator(qrel, measures)
results = evaluator.evaluate(run)
def print_line(measure, scope, value):
    print("{{:25s}}{{:8s}}{{:.9f}}".format(measure, scope, value))
for query_id, query_measures in results.items():
    for measure, value in query_measures.items():
        print_line(measure, query_id, value)
for measure in query_measures:
    values = [query_measures[measure] for query_measures in results.values()]
    print_line(measure, "all", pytrec_eval.compute_aggregated_measure(measure, values))
print(sorted(pytrec_eval.supported_measures), sorted(pytrec_eval.supported_nicknames))
print(json.dumps(pytrec_eval.RelevanceEvaluator(qrel, ["P_5", "map"], relevance_level=2).evaluate(run)))
"""


def test_a_script_works_after_one_changed_line(tmp_path: Path) -> None:
    qrels, run = collection(13)
    (tmp_path / "qrels").write_text("".join(f"{q} 0 {d} {g}\n" for q, docs in qrels.items() for d, g in docs.items()))
    (tmp_path / "run").write_text("".join(f"{q} Q0 {d} 0 {s} x\n" for q, docs in run.items() for d, s in docs.items()))
    printed = []
    for changed in ("import pytrec_eval", "from truerank.compat import pytrec_eval"):
        command = [sys.executable, "-c", SCRIPT.format(changed=changed), str(tmp_path / "qrels"), str(tmp_path / "run")]
        printed.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert printed[1] == printed[0]
    assert len(printed[0].splitlines()) > 100


def test_the_peer_is_not_needed() -> None:
    code = "import sys; sys.modules['pytrec_eval'] = None; from truerank.compat import pytrec_eval, ranx"
    subprocess.run([sys.executable, "-c", "import sys; sys.modules['ranx'] = None; " + code], check=True)
