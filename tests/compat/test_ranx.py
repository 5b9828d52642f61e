"""The stand-in for ranx: the same numbers where ranx is right, and the right ones where it is not."""

from __future__ import annotations

import gzip
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.parity.shared import need

from truerank.compat import ranx as ours
from truerank.compat.ranx import Qrels, Run, compare, evaluate
from truerank.data.errors import InputError

METRICS = [
    *("hits", "hits@3", "hit_rate@1", "hit_rate@10", "hit_rate", "precision", "precision@5", "precision@1000"),
    *("recall", "recall@10", "f1", "f1@10", "r-precision", "mrr", "mrr@3", "map", "map@100", "map@5"),
    *("dcg", "dcg@10", "dcg_burges", "dcg_burges@5", "ndcg", "ndcg@10", "ndcg_burges", "ndcg_burges@10"),
    *("rbp.95", "rbp.8", "rbp@50", "map@100-l2", "ndcg@10-l2", "ndcg_burges-l2", "rbp.5-l2", "precision@5-l3"),
    *(
        "hits-l2",
        "hit_rate@5-l2",
        "recall@10-l2",
        "f1-l2",
        "r-precision-l2",
        "mrr-l3",
        "dcg@20-l3",
        "bpref",
        "bpref-l2",
    ),
]
Data = dict[str, dict[str, Any]]

# ranx is compiled anew for every length of ids, so that those here have four signs, as many as Cranfield's.
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*:Warning:.*(ranx|numba).*"),
    pytest.mark.filterwarnings("ignore:unsafe cast"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def ranx() -> Any:
    return pytest.importorskip("ranx")


def collection(seed: int, topics: int = 20) -> tuple[Data, Data]:
    """Judgments with grades 0 to 3 and a run without ties, in no order; each topic has all grades."""
    rng = random.Random(seed)
    qrels: Data = {}
    run: Data = {}
    for topic in rng.sample(range(1000), topics):
        docs = [f"d{n}" for n in rng.sample(range(100, 1000), 60)]
        judged = rng.sample(docs, rng.randrange(8, 30))
        qrels[f"q{topic}"] = {**{doc: rng.randrange(4) for doc in judged}, **dict(zip(judged, range(4), strict=False))}
        listed = rng.sample(docs, rng.randrange(1, 55))
        run[f"q{topic}"] = dict(zip(listed, rng.sample(range(-500, 500), len(listed)), strict=True))
    return qrels, {query: {doc: score / 7 for doc, score in docs.items()} for query, docs in run.items()}


@pytest.mark.parametrize("seed", range(3))
def test_every_metric_of_every_query(ranx: Any, seed: int) -> None:
    qrels, run = collection(seed)
    theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), METRICS, return_mean=False)
    found = evaluate(Qrels(qrels), Run(run), METRICS, return_mean=False)
    assert list(found) == list(theirs)
    for metric in METRICS:
        assert found[metric] == pytest.approx(theirs[metric], abs=1e-12), metric


@pytest.mark.parametrize("system", ["bm25_top10", "lmdir1000", "tfidf_cos", "lsi50", "bm25_thresh50pct"])
def test_cranfield(ranx: Any, system: str, tmp_path: Path) -> None:
    qrels = need("classic", "cranfield", "qrels.txt")
    text = gzip.decompress(need("classic", "cranfield", "runs", f"{system}.run.gz").read_bytes()).decode()
    untied = tmp_path / "untied.txt"
    # ranx has no order for ties that can be stated, so that scores are replaced by ranks.
    rows = [line.split() for line in text.splitlines()]
    untied.write_text("\n".join(f"{q} Q0 {d} {rank} {-int(rank)} {tag}" for q, _, d, rank, _, tag in rows))
    # A topic without relevant documents makes its bpref 0 for others too.
    metrics = [metric for metric in METRICS if metric != "bpref-l2"]
    theirs = ranx.evaluate(
        ranx.Qrels.from_file(str(qrels)), ranx.Run.from_file(str(untied)), metrics, make_comparable=True
    )
    found = evaluate(Qrels.from_file(qrels), Run.from_file(untied), metrics, make_comparable=True)
    assert found == pytest.approx(theirs, abs=1e-12)


def test_what_evaluate_returns(ranx: Any) -> None:
    qrels, run = collection(4)
    for given in (
        {"metrics": "mrr"},
        {"metrics": ["mrr"]},
        {"metrics": ["mrr", "map"]},
        {"metrics": "mrr", "return_mean": False},
        {"metrics": ["mrr", "map"], "return_mean": False, "return_std": True},
        {"metrics": ["mrr", "map"], "return_std": True, "threads": 1},
    ):
        theirs = ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), **given)
        found = evaluate(Qrels(qrels), Run(run), **given)
        assert type(found) is type(theirs)
        if isinstance(theirs, dict):
            assert {m: type(v) for m, v in found.items()} == {m: type(v) for m, v in theirs.items()}
            assert list(found) == list(theirs)
        np.testing.assert_allclose(_flat(found), _flat(theirs), atol=1e-12)


def _flat(found: Any) -> list[float]:
    return [x for v in found.values() for x in _flat(v)] if isinstance(found, dict) else np.ravel(found).tolist()


def test_results_in_the_run(ranx: Any) -> None:
    qrels, data = collection(5)
    theirs, run = ranx.Run(data), Run(data)
    ranx.evaluate(ranx.Qrels(qrels), theirs, ["mrr", "map"], return_std=True)
    evaluate(Qrels(qrels), run, ["mrr", "map"], return_std=True)
    assert {m: dict(v) for m, v in run.scores.items()} == {m: pytest.approx(dict(v)) for m, v in theirs.scores.items()}
    assert run.mean_scores == pytest.approx(theirs.mean_scores)
    assert run.std_scores == pytest.approx(theirs.std_scores)


def test_results_are_not_written_where_nobody_asked() -> None:
    qrels, data = collection(5)
    run = Run(data)
    evaluate(Qrels(qrels), run, "mrr", save_results_in_run=False)
    assert not run.mean_scores
    assert not run.scores
    evaluate(Qrels(qrels), run, "mrr")
    before = run.to_dict()
    del qrels[next(iter(qrels))]
    evaluate(Qrels(qrels), run, "mrr", make_comparable=True)
    assert run.to_dict() == before  # ranx drops the query from the run.
    run.add_score("new", "d", 1.0)
    assert not run.mean_scores, "results of what the run was"


@pytest.mark.parametrize("tied", [3, 15, 16, 60])
@pytest.mark.parametrize("place", [0, -1])
def test_ties_are_in_input_order_whatever_the_form(tied: int, place: int, tmp_path: Path) -> None:
    docs = [f"d{n:03d}" for n in range(tied)]
    qrels, run = {"q": {docs[place]: 1}}, {"q": dict.fromkeys(docs, 1.0)}
    expected = 1 / (1 + docs.index(docs[place]))
    Run(run).save(tmp_path / "run.json")
    Run(run, "r").save(tmp_path / "run.txt")
    forms: list[Any] = [run, Run(run), Run.from_file(tmp_path / "run.json"), Run.from_file(tmp_path / "run.txt")]
    assert [evaluate(qrels, form, "mrr") for form in forms] == [expected] * 4


def test_ranx_scores_ties_by_their_form(ranx: Any) -> None:
    """The reason for the test above: 1 as dict, 1/60 as Run, and input order neither."""
    docs = [f"d{n:03d}" for n in range(60)]
    qrels, run = {"q": {docs[-1]: 1}}, {"q": dict.fromkeys(docs, 1.0)}
    assert ranx.evaluate(qrels, run, "mrr") == 1.0
    assert ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "mrr") == pytest.approx(1 / 60)
    assert list(ranx.Run(run)["q"]) != docs


def test_dicts_in_another_order_are_matched() -> None:
    qrels, run = {"a": {"x": 1}, "b": {"y": 1}}, {"b": {"y": 1.0}, "a": {"z": 2.0, "x": 1.0}}
    assert evaluate(qrels, run, "mrr", return_mean=False).tolist() == [0.5, 1.0]  # ranx pairs queries by position: 0.
    assert evaluate(Qrels(qrels), run, "mrr") == 0.75


def test_arrays() -> None:
    found = evaluate(
        [np.array([[1, 1], [2, 3]])], [np.array([[3, 0.1], [1, 0.9], [2, 0.5]])], "ndcg", return_mean=False
    )
    assert found == evaluate({"q": {"1": 1, "2": 3}}, {"q": {"1": 0.9, "2": 0.5, "3": 0.1}}, "ndcg")


def test_grades_keep_their_decimals() -> None:
    qrels, run = {"q": {"a": 0.5, "b": 1.5}}, {"q": {"a": 2.0, "b": 1.0}}
    discount = 1 / np.log2(3)
    assert evaluate(Qrels(qrels), Run(run), "dcg") == pytest.approx(0.5 + 1.5 * discount)
    assert evaluate(Qrels(qrels), Run(run), "ndcg") == pytest.approx((0.5 + 1.5 * discount) / (1.5 + 0.5 * discount))
    assert evaluate(Qrels(qrels), Run(run), "mrr") == 0.5, "relevant from grade 1 on"
    assert evaluate(Qrels(qrels), Run(run), "mrr-l0.5") == 1.0
    assert Qrels(qrels)["q"] == {"b": 1.5, "a": 0.5}


def test_bpref_without_judged_non_relevant_documents(ranx: Any) -> None:
    qrels, run = {"q": {"d001": 1}}, {"q": {"d001": 1.0}}
    assert np.isnan(ranx.evaluate(ranx.Qrels(qrels), ranx.Run(run), "bpref"))
    assert evaluate(Qrels(qrels), Run(run), "bpref") == 1.0


def test_queries_must_agree() -> None:
    qrels = Qrels({"a": {"x": 1}, "b": {"x": 1}})
    for run in (Run({"a": {"x": 1.0}}), Run({"a": {"x": 1.0}, "b": {"x": 1.0}, "c": {"x": 1.0}})):
        with pytest.raises(AssertionError, match="make_comparable=True"):
            evaluate(qrels, run, "mrr")
    lacking = {"a": {"x": 1.0}, "c": {"x": 1.0}}
    assert evaluate(qrels, Run(lacking), "mrr", make_comparable=True) == 0.5
    assert evaluate(qrels, lacking, "mrr", make_comparable=True) == 0.5
    comparable = Run(lacking).make_comparable(qrels)
    assert comparable.to_dict() == {"a": {"x": 1.0}, "b": {}}
    assert evaluate(qrels, comparable, ["mrr", "precision"]) == {"mrr": 0.5, "precision": 0.5}


@pytest.mark.parametrize("metric", ["foo", "rbp", "mrr@x", "ndcg@-1", "ndcg.5", "", 7, "map@10-lx"])
def test_unknown_metrics_are_refused(metric: Any) -> None:
    with pytest.raises(ValueError, match=r"rbp needs|metric"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, [metric])


@pytest.mark.parametrize("name", ["fuse", "normalize", "optimize_fusion", "plot"])
def test_what_is_not_here_says_so(name: str) -> None:
    with pytest.raises(AttributeError, match=f"has no {name}; import it from ranx"):
        getattr(ours, name)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        ours.other  # noqa: B018


def test_building_by_hand(ranx: Any) -> None:
    found = []
    for module in (ranx, ours):
        qrels, run = module.Qrels(), module.Run(name="mine")
        qrels.add_multi(q_ids=["q2", "q1"], doc_ids=[["d100"], ["d200", "d300"]], scores=[[5], [1, 3]])
        qrels.add("q3", ["d400"], [1])
        qrels.add_score("q3", "d500", 2)
        qrels.set_relevance_level(2)
        run.add_multi(["q1", "q2"], [["d300", "d200"], ["d900", "d100"]], [[0.2, 0.4], [0.9, 0.8]])
        run.add_score("q3", "d500", 0.1)
        run.sort()
        scores = module.evaluate(qrels, run, ["map", "ndcg"], return_mean=False)
        found.append(
            (
                {q: dict(d) for q, d in qrels.to_dict().items()},
                {q: list(d.items()) for q, d in run.to_dict().items()},
                list(run.keys()),
                run.size,
                len(qrels),
                qrels.get_query_ids(),
                run["q1"],
                {m: v.tolist() for m, v in scores.items()},
            )
        )
    assert found[0] == found[1]


def test_a_dict_that_was_asked_for_may_be_changed() -> None:
    run = Run({"q": {"a": 1.0, "b": 0.5}})
    qrels = Qrels({"q": {"b": 1}})
    assert evaluate(qrels, run, "mrr") == 0.5
    held = run.run
    held["q"]["b"] = 2.0
    assert evaluate(qrels, run, "mrr") == 1.0
    held["q"]["b"] = 0.0
    assert evaluate(qrels, run, "mrr") == 0.5
    given = {"q": {"b": 1}}
    copied = Qrels(given)
    given["q"]["b"] = 0
    assert evaluate(copied, run, "mrr") == 0.5


@pytest.mark.parametrize("ending", ["json", "txt", "trec", "parquet", "lz4"])
def test_files_go_there_and_back(ending: str, tmp_path: Path) -> None:
    if ending == "lz4":
        pytest.importorskip("lz4")
    qrels, run = collection(6)
    for lists, kind in ((Run(run, "bm25"), Run), (Qrels(qrels), Qrels)):
        path = tmp_path / f"{kind.__name__}.{ending}"
        lists.save(path)
        assert kind.from_file(path).to_dict() == lists.to_dict()
    if ending in ("txt", "trec"):
        assert Run.from_file(tmp_path / f"Run.{ending}").name == "bm25"


@pytest.mark.parametrize("ending", ["json", "trec", "lz4"])
def test_files_of_ranx(ranx: Any, ending: str, tmp_path: Path) -> None:
    _, run = collection(7)
    there, back = str(tmp_path / f"theirs.{ending}"), str(tmp_path / f"ours.{ending}")
    ranx.Run(run, name="x").save(there)
    Run(run, "x").save(back)
    assert Run.from_file(there).to_dict() == Run(run).to_dict() == ranx.Run.from_file(back).to_dict()
    if ending == "trec":
        assert Path(there).read_text() == Path(back).read_text()


@pytest.mark.parametrize("ending", ["json", "trec"])
def test_ids_that_are_not_utf8_are_saved_as_they_came(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{ending}"
    path.write_text("old")
    Run({"q1": {"d\udcff": 1.0}}, "x").save(path)
    assert b"d\xff" in path.read_bytes()
    assert Run.from_file(path).to_dict() == {"q1": {"d\udcff": 1.0}}


def test_what_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text("old")
    run = Run({"q1": {"d": 1.0}})
    run.run["q1"]["e"] = object()
    with pytest.raises(TypeError, match="not JSON serializable"):
        run.save(path)
    assert [(file.name, file.read_text()) for file in tmp_path.iterdir()] == [("x.json", "old")]


def test_a_run_may_be_saved_over_the_file_it_was_read_from(tmp_path: Path) -> None:
    path, docs = tmp_path / "x.trec", {f"document-{number}": 5000.0 - number for number in range(5000)}
    Run({"q1": docs}, "x").save(path)
    script = """if True:
        import sys
        from truerank.compat.ranx import Run
        run = Run.from_file(sys.argv[1])
        Run({"q1": {"a": 1.0}}, "y").save(sys.argv[1])
        print(len(run["q1"]), list(run["q1"])[-1], dict(Run.from_file(sys.argv[1]).to_dict()))
    """
    done = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "5000 document-4999 {'q1': {'a': 1.0}}\n")


def test_files_with_other_endings(tmp_path: Path) -> None:
    _, run = collection(8)
    Run(run, "x").save(tmp_path / "x.run")
    (tmp_path / "x.gz").write_bytes(gzip.compress((tmp_path / "x.run").read_bytes()))
    assert Run.from_file(tmp_path / "x.gz").to_dict() == Run.from_file(tmp_path / "x.run", kind="trec").to_dict()
    assert Run.from_file(tmp_path / "x.gz", kind="gz", name="y").name == "y"
    for path, kind, message in (
        ("x.run", "xml", "is not known"),
        ("x.run", "json", "not JSON"),
        ("no", None, "no such"),
    ):
        with pytest.raises(InputError, match=message):
            Run.from_file(tmp_path / path, kind=kind)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_data_frames(library: str) -> None:
    frames = pytest.importorskip(library)
    frame = frames.DataFrame({"query": [1, 1, 2], "doc": ["a", "b", "a"], "rel": [2, 0, 1]})
    assert Qrels.from_df(frame, "query", "doc", "rel").to_dict() == {"1": {"a": 2, "b": 0}, "2": {"a": 1}}
    assert Run.from_df(frame, "query", "doc", "rel", name="x").name == "x"
    with pytest.raises(InputError, match="no column 'q_id' for the topic; there are 'query'"):
        Qrels.from_df(frame)
    if library == "pandas":
        again = Qrels.from_df(Qrels.from_df(frame, "query", "doc", "rel").to_dataframe())
        assert again.to_dict() == {"1": {"a": 2, "b": 0}, "2": {"a": 1}}


def systems(count: int) -> tuple[Data, list[Data]]:
    """Judgments and runs that find what is relevant the later, the higher their number."""
    rng = random.Random(count)
    docs = [f"d{n:03d}" for n in range(30)]
    qrels = {f"q{t}": {doc: rng.randrange(3) for doc in rng.sample(docs, 12)} for t in range(40)}
    runs = [
        {q: {d: found.get(d, 0) / (1 + 2 * n) + 3 * rng.random() for d in docs} for q, found in qrels.items()}
        for n in range(count)
    ]
    return qrels, runs


@pytest.mark.parametrize("test", ["student", "fisher", "tukey"])
def test_compare_as_ranx_does(ranx: Any, test: str) -> None:
    qrels, runs = systems(5)
    names = [f"model_{n}" for n in range(5)]
    metrics = ["map@10", "ndcg@5-l2", "mrr"]
    reports = []
    for module in (ranx, ours):
        made = [module.Run(run, name=name) for run, name in zip(runs, names, strict=True)]
        reports.append(module.compare(module.Qrels(qrels), made, metrics, stat_test=test, max_p=0.05))
    theirs, found = (report.to_dict() for report in reports)
    assert list(found) == list(theirs)
    for name in names:
        assert found[name]["scores"] == pytest.approx(theirs[name]["scores"], abs=1e-12)
        assert found[name]["win_tie_loss"] == theirs[name]["win_tie_loss"]
        for other, values in theirs[name]["comparisons"].items():
            # Drawn differently for fisher, of another form for tukey.
            within = {"student": 1e-9, "fisher": 0.08, "tukey": 1.0}[test]
            assert found[name]["comparisons"][other] == pytest.approx(values, abs=within)
    if test == "student":
        assert str(reports[1]).replace("-", "").split() == str(reports[0]).replace("-", "").split()
        assert reports[1].comparisons["model_0", "model_1"] == pytest.approx(
            {m: pytest.approx(dict(v)) for m, v in reports[0].comparisons["model_0", "model_1"].items()}
        )


def test_tukey_is_blocked_by_topic() -> None:
    from truerank.statistics.tukey import tukey

    qrels, runs = systems(3)
    report = compare(Qrels(qrels), [Run(run) for run in runs], "map", stat_test="Tukey")
    values = [evaluate(qrels, run, "map", return_mean=False) for run in runs]
    assert report.comparisons["run_1", "run_3"]["map"]["p_value"] == tukey(values).p[0, 2]


def test_more_systems_than_letters() -> None:
    qrels, runs = systems(29)
    report = compare(qrels, [Run(run) for run in runs], ["map", "mrr"], max_p=0.05)
    rows = str(report).splitlines()
    assert [row.split()[0] for row in rows[2:]][-4:] == ["z", "aa", "ab", "ac"]
    assert ",ᵃᵇ" in rows[2]
    assert "z,aa,ab" in report.to_latex()


def test_equal_names_are_told_apart(ranx: Any) -> None:
    qrels, runs = systems(3)
    merged = ranx.compare(ranx.Qrels(qrels), [ranx.Run(run, name="x") for run in runs], ["map"])
    assert len(merged.results) == 1
    report = compare(Qrels(qrels), [Run(run, name="x") for run in runs], ["map"])
    assert report.model_names == ["x#1", "x#2", "x#3"]
    assert len(report.results) == 3


def test_systems_that_do_not_differ() -> None:
    qrels, runs = systems(1)
    report = compare(qrels, [runs[0], runs[0]], "map", stat_test="student")
    assert report.comparisons["run_1", "run_2"]["map"] == {"p_value": 1.0, "significant": False}
    assert report.win_tie_loss["run_1", "run_2"]["map"] == {"W": 0, "T": 40, "L": 0}


def test_a_report_in_other_forms(tmp_path: Path) -> None:
    qrels, runs = systems(3)
    report = compare(Qrels(qrels), [Run(run, f"my_{n}") for n, run in enumerate(runs)], ["map", "rbp.95"], max_p=0.05)
    report.save(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text()) == report.to_dict()
    report.rounding_digits, report.show_percentages = 4, True
    assert f"{100 * report.results['my_0']['map']:.2f}ᵇᶜ" in str(report)
    text = report.to_latex()
    assert rf"a & my\_0 & \textbf{{{report.format_score(report.results['my_0']['map'])}}}$^{{bc}}$ &" in text
    assert r"\toprule" in text
    assert "RBP.95" in text
    pandas = pytest.importorskip("pandas")
    frame = report.to_dataframe()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["model_names", "map", "rbp.95"]
    assert frame["model_names"].tolist() == report.model_names


def test_one_query_is_said() -> None:
    report = compare({"q": {"a": 1}}, [{"q": {"a": 1.0}}, {"q": {"b": 2.0, "a": 1.0}}], "mrr")
    assert "note: mrr: there is one topic" in str(report)


def test_unknown_tests_and_nothing_to_compare() -> None:
    with pytest.raises(InputError, match="take one of student, fisher, tukey"):
        compare({"q": {"a": 1}}, [{"q": {"a": 1.0}}], "mrr", stat_test="wilcoxon")
    with pytest.raises(InputError, match="no run given"):
        compare({"q": {"a": 1}}, [], "mrr")
    with pytest.raises(InputError, match="Run is empty"):
        evaluate(Qrels({"q": {"a": 1}}), Run(), "mrr")


SCRIPT = """
from {module} import Qrels, Run, evaluate, compare
import json, sys
qrels = Qrels(json.load(open(sys.argv[1])), name="test")
runs = [Run(run, name=name) for name, run in json.load(open(sys.argv[2])).items()]
print(len(qrels), qrels.size, list(qrels.keys())[:3], runs[0].name)
for run in runs:
    print(round(evaluate(qrels, run, "ndcg@10"), 10))
    print({{m: round(v, 10) for m, v in evaluate(qrels, run, ["map@100-l2", "mrr", "rbp.95"]).items()}})
    print({{m: round(v, 10) for m, v in run.mean_scores.items()}})
    print(evaluate(qrels, run, "hit_rate@5", return_mean=False).tolist())
    print([round(v, 10) for v in run.scores["mrr"].values()], list(run.scores["mrr"]))
    run.save(sys.argv[3]); print(open(sys.argv[3]).read()[:500])
report = compare(qrels=qrels, runs=runs, metrics=["map@100", "mrr@100", "ndcg@10"], max_p=0.05)
print([line.split() for line in str(report).splitlines() if "---" not in line])
print(json.dumps(report.to_dict()["model_0"]["win_tie_loss"]))
compared = report.to_dict()["model_0"]["comparisons"]
print({{o: {{m: round(float(p), 9) for m, p in v.items()}} for o, v in compared.items()}})
print(report.to_dataframe().round(9).to_string())
"""


def test_a_script_works_after_one_changed_line(tmp_path: Path) -> None:
    pytest.importorskip("ranx")
    qrels, runs = systems(4)
    (tmp_path / "qrels.json").write_text(json.dumps(qrels))
    (tmp_path / "runs.json").write_text(json.dumps({f"model_{n}": run for n, run in enumerate(runs)}))
    printed = []
    for module in ("ranx", "truerank.compat.ranx"):
        files = [str(tmp_path / name) for name in ("qrels.json", "runs.json", f"{module}.txt")]
        command = [sys.executable, "-W", "ignore", "-c", SCRIPT.format(module=module), *files]
        printed.append(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert printed[1] == printed[0]
    assert len(printed[0].splitlines()) > 30


FUNCTIONS = (
    *("hits", "hit_rate", "precision", "recall", "f1", "r_precision", "reciprocal_rank", "average_precision"),
    *("dcg", "dcg_burges", "ndcg", "ndcg_burges", "get_hit_lists"),
)


@pytest.mark.parametrize("k", [0, 3])
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_metrics_are_those_of_ranx(name, level, k):
    theirs = pytest.importorskip("ranx.metrics")
    import truerank.compat.ranx.metrics as ours

    rng = np.random.default_rng(7)
    # Scores are in no order: the rows are the ranking.
    run = np.array([[(doc, rng.random()) for doc in rng.permutation(9)[:6]] for _ in range(12)])
    # ranx takes the rows of judgments for the ideal ranking: they have to be in its order.
    grades = [sorted(rng.integers(0, 4, 5).tolist(), reverse=True) for _ in range(12)]
    qrels = np.array([[*zip(rng.permutation(9)[:5].tolist(), each, strict=True)] for each in grades])
    assert np.allclose(getattr(ours, name)(qrels, run, k, level), getattr(theirs, name)(qrels, run, k, level))


def test_bpref_is_that_of_ranx_where_a_judged_document_is_not_relevant():
    theirs = pytest.importorskip("ranx.metrics")
    import truerank.compat.ranx.metrics as ours

    qrels = np.array([[(1, 2), (2, 1), (3, 0), (4, 0)]])
    run = np.array([[(1, 0.9), (3, 0.8), (2, 0.7)]])
    assert ours.bpref(qrels, run).tolist() == theirs.bpref(qrels, run).tolist() == [0.75]
    assert ours.bpref(qrels, run, 1).tolist() == [0.75]


def test_functions_with_other_parameters_are_those_of_ranx():
    theirs = pytest.importorskip("ranx.metrics")
    import truerank.compat.ranx.metrics as ours

    qrels = np.array([[(12, 5), (25, 3)], [(11, 6), (22, 1)]])
    run = np.array([[(12, 0.9), (23, 0.8), (25, 0.7)], [(12, 0.9), (11, 0.8), (25, 0.7)]])
    biased = ours.rank_biased_precision(qrels, run, 0.8), theirs.rank_biased_precision(qrels, run, 0.8)
    assert np.allclose(*biased)
    at_recall = ours.interpolated_precision_at_recall(qrels, run), theirs.interpolated_precision_at_recall(qrels, run)
    assert np.allclose(*at_recall)
    assert {*theirs.__all__} <= {*ours.__all__}


@pytest.mark.parametrize(
    ("given", "refusal"),
    [(([[]], [[], []]), "give as many"), (([[(1, 1)]], [[(1, 1)]], -1), "k=-1 is no depth")],
)
def test_functions_refuse_what_cannot_be_meant(given, refusal):
    from truerank.compat.ranx.metrics import ndcg

    with pytest.raises(InputError, match=refusal):
        ndcg(*given)
