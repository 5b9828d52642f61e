"""Whatever the work is done with, answers are the same, to the bit and to the word."""

from __future__ import annotations

import gc
import gzip
import mmap
import random
import re
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.quick import first

import truerank as tr
from truerank.data import parallel
from truerank.io import compression, cutting, parquet
from truerank.io.cutting import ROW
from truerank.io.runs import Named
from truerank.report.answer import Answer
from truerank.track import loop
from truerank.track.engines import executor
from truerank.track.engines.executor import Here
from truerank.track.engines.processes import Processes
from truerank.track.loop import RunPieces

DRAW = random.Random(11)
QRELS = {f"q{topic}": {f"d{n}": DRAW.choice([0, 0, 1, 2]) for n in range(12)} for topic in range(9)}
QRELS["q7"] = {"d1": 0}
RUNS = {
    name: {
        topic: {f"d{n}": float(DRAW.randint(1, 5)) for n in DRAW.sample(range(20), DRAW.randint(1, 15))}
        for topic in [*QRELS, "unjudged"]
        if topic != missing
    }
    for name, missing in (("a", "q3"), ("b", "q0"), ("c", ""))
}
JUDGED = {
    "d": {
        topic: {doc: -float(place) for place, doc in enumerate([*list(QRELS[topic])[:3], "unjudged"])}
        for topic in ("q1", "q2", "q3")
    }
}
"""A run that is judged to depth 3, with topics missing."""
SILENT = {
    name: {
        topic: {
            **docs,
            **({"NIL": 2.5} if topic in ("q1", "q4") else {}),
            **({topic: 3.0} if topic in ("q2", "q6") else {}),
        }
        for topic, docs in run.items()
    }
    for name, run in RUNS.items()
}
"""Runs that have a NIL here and there, and documents with the ids of topics."""
HALF = {topic: dict(list(docs.items())[::2]) for topic, docs in QRELS.items()}
"""Every other judgment."""
PREFERENCES = [(topic, "d1", "d2") for topic in QRELS] + [(topic, "d3", "d1") for topic in ("q1", "q2", "q5")]
REPLIES = dict.fromkeys(("length", "exactly", "single", "recall", "redundancy"), False) | {"top": True, "depth": 10}
QUESTIONS: dict[str, Callable[..., Any]] = {
    "evaluate": lambda **given: tr.evaluate(QRELS, RUNS, "AP nDCG@3 ERR GM c@1 infAP Judged@5", **given),
    "sampled": lambda **given: tr.evaluate(QRELS, RUNS, "AP infAP ERR", ties="sample(7)", **given),
    "pooled": lambda **given: tr.evaluate(QRELS, RUNS, "AP(norm='pool') AP", **given),
    "ends": lambda **given: tr.evaluate(QRELS, SILENT, "RBP nDCG@3 RR", ending="terminal", limit=10, **given),
    "answered": lambda **given: tr.evaluate(QRELS, SILENT, "RBP nDCG@3 RR", nil="answer", **given),
    "identical": lambda **given: tr.evaluate(QRELS, SILENT, "AP", identical="drop", **given),
    "rank": lambda **given: tr.evaluate(QRELS, RUNS, "AP", ties="input", precision="float32", **given),
    "preferences": lambda **given: tr.preferences(PREFERENCES, RUNS, QRELS, **given),
    "choose": lambda missing, **given: tr.choose(QRELS, RUNS, **REPLIES, **given),
    "pool": lambda missing, **given: tr.pool(RUNS, 3, **given),
    "judges": lambda **given: tr.judges({"all": QRELS, "half": HALF}, "AP", runs=RUNS, **given),
    "audit": lambda **given: tr.audit(QRELS, RUNS, "P@3", people=HALF, **given),
    "design": lambda **given: tr.design(QRELS, RUNS, "AP", difference=0.05, **given),
    "fit": lambda **given: tr.fit_rule(QRELS, RUNS["c"], "F", "fixed", **given),
    "bounds": lambda **given: tr.evaluate(QRELS, RUNS, "AP nDCG@3", ties="bounds", unjudged="bounds", **given),
    "ties": lambda **given: tr.ties(QRELS, RUNS, "AP nDCG@3 infAP", **given),
    "compare": lambda **given: tr.compare(QRELS, RUNS, "AP nDCG@3", settled=False, **given),
    "unjudged": lambda **given: tr.unjudged(QRELS, RUNS, "RBP nDCG@3", next=5, **given),
    "pools": lambda missing, **given: tr.pools(QRELS, RUNS, depth=3 if missing == "empty" else None, **given),
    "leave_out": lambda **given: tr.leave_out(QRELS, RUNS, "AP", depth=2, contributors="all", **given),
    "meta": lambda **given: tr.meta(QRELS, RUNS, "AP RR", splits=20, pairs=20, permutations=50, **given),
    "precision and recall": lambda **given: tr.precision_recall(QRELS, RUNS, **given),
    "roc": lambda **given: tr.roc(QRELS, RUNS, **given),
    "settled": lambda **given: tr.compare(QRELS, RUNS, "AP nDCG@3", settled=True, **given),
    "nil": lambda missing, **given: tr.nil(QRELS, RUNS, "RR AP", limit=8, **given),
    "truncate": lambda **given: tr.truncate(QRELS, RUNS, "F RBPU", against="AP", **given),
    "stop": lambda **given: tr.stop(QRELS, RUNS, "F RBPU", folds=3, **given),
    "diff": lambda **given: tr.diff(QRELS, RUNS["a"], RUNS["b"], "AP nDCG@3", **given),
    "depth": lambda **given: tr.depth(QRELS, RUNS, "AP nDCG", condensed=True, **given),
    "depth of a pool": lambda **given: tr.depth(QRELS, JUDGED, "AP", **given),
}


def told(answer: Any) -> Any:
    """All that an answer says; a rule says so itself."""
    return answer.to_dict() if isinstance(answer, Answer) else repr(answer)


@cache
def at_once(ask: Callable[..., Any], missing: str) -> Any:
    """What there is to be found."""
    return told(ask(missing=missing))


def in_pieces(rows: int) -> tr.Engine:
    """Runs in pieces of about so many rows, or of so many bytes of text."""
    engine = tr.Engine()
    vars(engine)["executor"] = Here(cuts_at=rows * ROW)
    return engine


@pytest.fixture(scope="module")
def processes() -> Iterator[tr.Engine]:
    engine = tr.Engine(workers=2)
    yield engine
    engine.executor.close()


@pytest.mark.parametrize("missing", first(1, ["empty", "skip"]))
@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_pieces_make_up_the_whole(ask: Callable[..., Any], missing: str) -> None:
    for rows in (1, 30, 60):
        assert told(ask(missing=missing, engine=in_pieces(rows))) == at_once(ask, missing)


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_processes_find_the_same(ask: Callable[..., Any], processes: tr.Engine) -> None:
    assert told(ask(missing="empty", engine=processes)) == at_once(ask, "empty")


def whole(run: dict[str, dict[str, float]]) -> dict[int, dict[int, float]]:
    """The same with ids that are whole numbers."""
    judged = {topic: docs for topic, docs in run.items() if topic != "unjudged"}
    return {int(topic[1:]): {int(doc[1:]): value for doc, value in docs.items()} for topic, docs in judged.items()}


def records_of_whole(runs: dict[str, Any], **given: Any) -> str:
    """Records that have ids of topics and documents, which their text tells from text."""
    qrels = whole(QRELS)
    found = (
        tr.evaluate(qrels, runs, "AP", **given).to_records("topics"),
        tr.unjudged(qrels, runs, "RBP", next=5, **given).to_records("next"),
        tr.diff(qrels, *[*runs.values()][:2], "AP", **given).to_records("documents"),
        tr.pool(runs, 3, **given).by_topic(),
    )
    return repr(found)


def test_ids_are_whole_numbers_whatever_the_work_is_done_with(processes: tr.Engine, tmp_path: Path) -> None:
    runs = {name: whole(run) for name, run in RUNS.items()}
    here = records_of_whole(runs)
    assert "'topic': 3, 'doc': 13" in here
    assert records_of_whole(runs, engine=in_pieces(10)) == here
    assert records_of_whole(runs, engine=processes) == here
    files = {name: tmp_path / f"{name}.parquet" for name in runs}
    for name, path in files.items():
        as_parquet(path, runs[name])
    here = records_of_whole(files)
    assert "'doc': '13'" in here
    assert records_of_whole(files, engine=in_pieces(10)) == here
    assert records_of_whole(files, engine=processes) == here


def rows_of(run: dict[str, dict[str, float]]) -> list[tuple[str, str, float]]:
    return [(topic, doc, score) for topic, docs in run.items() for doc, score in docs.items()]


def lines(run: dict[str, dict[str, float]], *, shuffled: bool = False) -> list[str]:
    found = [f"{topic} Q0 {doc} {n % 7} {score} t\n" for n, (topic, doc, score) in enumerate(rows_of(run))]
    random.Random(5).shuffle(found) if shuffled else None
    return found


def as_trec(path: Path, run: Any) -> None:
    path.write_text("# a comment\n" + "\n".join(lines(run)))


def as_shuffled(path: Path, run: Any) -> None:
    path.write_text("# a comment\n\n" + "".join(lines(run, shuffled=True)))


def as_csv(path: Path, run: Any, score: str = "score") -> None:
    path.write_text(f"docno,{score},qid\n" + "".join(f"{d},{s},{t}\n" for t, d, s in rows_of(run)))


def as_shuffled_csv(path: Path, run: Any, score: str = "score") -> None:
    every = [f"{d};{s};{t}\r\n" for t, d, s in rows_of(run)]
    random.Random(5).shuffle(every)
    path.write_text(f"docno;{score};qid\r\n" + "".join(every), newline="")


def as_list(path: Path, run: Any) -> None:
    path.write_text("".join(f"{t}\t{d}\n" for t, d, _ in rows_of(run)))


def as_gzip(path: Path, run: Any) -> None:
    path.write_bytes(
        gzip.compress("".join(lines(run)[:40]).encode()) + gzip.compress("".join(lines(run)[40:]).encode())
    )


def as_parquet(path: Path, run: Any, score: str = "score", *, shuffled: bool = False) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    every = rows_of(run)
    random.Random(5).shuffle(every) if shuffled else None
    names = ("query_id", "doc_id", score)
    table = pyarrow.table(dict(zip(names, map(list, zip(*every, strict=True)), strict=True)))
    parquet.write_table(table, path, row_group_size=7)


def as_shuffled_parquet(path: Path, run: Any) -> None:
    as_parquet(path, run, shuffled=True)


FORMS = (as_trec, as_shuffled, as_csv, as_shuffled_csv, as_list, as_gzip, as_parquet, as_shuffled_parquet)


def without_sorting(answer: Any) -> dict[str, Any]:
    """All but what is said of how it was found."""
    found = told(answer)
    return {**found, "notes": [note for note in found["notes"] if note["code"] != "TR113"]}


@pytest.mark.parametrize("written", FORMS, ids=lambda form: form.__name__)
@pytest.mark.parametrize("given", first(1, [{}, {"ties": "input"}, {"ties": "bounds", "unjudged": "bounds"}]), ids=str)
def test_files_are_cut_at_topics(
    written: Callable[..., None], given: dict[str, Any], tmp_path: Path, processes: tr.Engine
) -> None:
    paths = []
    for name, run in SILENT.items():
        paths.append(tmp_path / f"{name}{'.parquet' if 'parquet' in written.__name__ else '.txt'}")
        written(paths[-1], run)
    whole = tr.evaluate(QRELS, paths, "AP nDCG@3 infAP", **given)
    engine = in_pieces(3)
    pieces = tr.evaluate(QRELS, paths, "AP nDCG@3 infAP", engine=engine, **given)
    assert without_sorting(pieces) == without_sorting(whole)
    sorted_first = [note for note in pieces.notices if note.code == "TR113"]
    assert len(sorted_first) == (len(paths) if "shuffled" in written.__name__ else 0)
    assert told(tr.evaluate(QRELS, paths, "AP nDCG@3 infAP", engine=processes, **given)) == told(whole)


def test_rows_that_seem_grouped_and_are_not_are_sorted_after_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.run"
    as_shuffled(path, RUNS["a"])
    whole = tr.evaluate(QRELS, path, "AP nDCG@3")
    monkeypatch.setattr(cutting, "is_grouped", lambda form: True)
    found = tr.evaluate(QRELS, path, "AP nDCG@3", engine=in_pieces(3))
    assert without_sorting(found) == without_sorting(whole)
    assert found.notices[-1].code == "TR113"


@pytest.mark.parametrize("written", [as_csv, as_shuffled_csv, as_parquet], ids=lambda form: form.__name__)
def test_pieces_are_read_as_the_whole_is_declared(written: Callable[..., None], tmp_path: Path) -> None:
    path = tmp_path / f"a.{written.__name__.removeprefix('as_')}"
    written(path, RUNS["a"], "distance")
    with pytest.raises(tr.InputError, match="higher_is_better"):
        tr.evaluate(QRELS, path, "AP", engine=in_pieces(3))
    whole = tr.evaluate(QRELS, path, "AP", higher_is_better=False)
    pieces = tr.evaluate(QRELS, path, "AP", higher_is_better=False, engine=in_pieces(3))
    assert without_sorting(pieces) == without_sorting(whole)


def test_chunks_are_counted_over_all_pieces(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    path.write_text("".join(f"q{t} Q0 d{n % 3}{'#' if n else ''}{n} 1 {9 - n} t\n" for t in range(5) for n in range(6)))
    run = [Named("", str(path), {"chunks": "#"})]
    whole = tr.evaluate(QRELS, run, "AP")
    assert told(tr.evaluate(QRELS, run, "AP", engine=in_pieces(2))) == told(whole)
    assert "30 chunks made" in whole.notices[0]


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize(
    "wrong",
    ["q5 Q0 d1 1\n", "q5 Q0 x 1 high t\n", "q5 Q0 twice 1 1 t\nq5 Q0 twice 2 0.5 t\n"],
    ids=["columns", "score", "twice"],
)
def test_what_is_wrong_is_said_of_the_line_in_the_file(wrong: str, shuffled: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    good = lines(RUNS["c"])
    at = max(n for n, line in enumerate(good) if line.startswith("q5 ")) + 1
    text = [*good[:at], *wrong.splitlines(keepends=True), *good[at:]]
    if shuffled:
        # Every other line, so that topics are mixed and those of one keep their order.
        text = text[::2] + text[1::2]
    path.write_text("# a comment\n" + "".join(text))
    with pytest.raises(tr.InputError) as whole:
        tr.evaluate(QRELS, path, "AP")
    with pytest.raises(tr.InputError) as pieces:
        tr.evaluate(QRELS, path, "AP", engine=in_pieces(3))
    assert str(pieces.value) == str(whole.value)
    assert f"{path}:" in str(whole.value)


@pytest.mark.parametrize(
    ("runs", "given"),
    [({"x": {"other": ["d1"], "more": ["d2"]}}, {}), (RUNS, {"missing": "error"})],
    ids=["strangers", "missing"],
)
def test_the_same_runs_are_refused(runs: Any, given: dict[str, Any], processes: tr.Engine) -> None:
    said = []
    for engine in (None, in_pieces(1), processes):
        with pytest.raises(tr.InputError) as error:
            tr.evaluate(QRELS, runs, "AP", engine=engine, **given)
        said.append(str(error.value))
    assert len({*said}) == 1


def test_the_first_run_that_is_wrong_is_named(tmp_path: Path, processes: tr.Engine) -> None:
    paths = [tmp_path / f"{n}.run" for n in range(6)]
    for n, path in enumerate(paths):
        path.write_text("".join(lines(RUNS["c"])) + ("q1 Q0 x\n" if n in (2, 3, 5) else ""))
    with pytest.raises(tr.InputError, match=r"2\.run:\d+: 3 columns"):
        tr.evaluate(QRELS, paths, "AP", engine=processes)
    # Others are there for the next question.
    assert len(tr.evaluate(QRELS, paths[:2], "AP", engine=processes).scores) == 2


def test_functions_of_a_script_are_not_known_elsewhere(processes: tr.Engine) -> None:
    own = tr.measure(lambda ranking: 1.0, name="Own")
    with pytest.raises(tr.InputError, match="other processes cannot do this"):
        tr.evaluate(QRELS, RUNS, own, engine=processes)
    assert tr.evaluate(QRELS, RUNS, own)["a"]["Own"].mean == 1.0


@pytest.mark.parametrize("own", [False, True])
def test_many_runs_take_processes_where_it_pays(own: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [tmp_path / f"{n}.run" for n in range(5)]
    for path in paths:
        path.write_text("".join(lines(RUNS["c"])))
    measures = [tr.measure(lambda ranking: 1.0, name="Own")] if own else ["AP", "ERR"]
    here = told(tr.evaluate(QRELS, paths, measures, engine="here"))
    started: list[int] = []
    run = Processes.run
    monkeypatch.setattr(executor, "PAYS", 0.0)
    monkeypatch.setattr(executor, "processors", lambda: 2)
    monkeypatch.setattr(
        Processes, "run", lambda self, work, tasks: started.append(len(tasks)) or run(self, work, tasks)
    )
    done: list[tuple[str, int, int]] = []
    assert told(tr.evaluate(QRELS, paths, measures, progress=lambda *step: done.append(step))) == here
    assert started == ([] if own else [3])
    assert [step[1:] for step in done] == [(n, 5) for n in range(1, 6)]


def test_a_worker_that_is_killed_is_told_of(tmp_path: Path) -> None:
    engine = tr.Engine(workers=2)
    assert isinstance(engine.executor, Processes)
    tr.evaluate(QRELS, RUNS, "AP", engine=engine)
    for each in engine.executor._workers:
        each._process.kill()
    with pytest.raises(tr.InputError, match="a worker ended"):
        tr.evaluate(QRELS, RUNS, "AP", engine=engine)
    assert tr.evaluate(QRELS, RUNS, "AP", engine=engine).scores
    engine.executor.close()


def test_memory_is_kept_to_and_refused_where_it_is_too_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.run"
    as_trec(path, RUNS["a"])
    with pytest.raises(tr.InputError, match=r"memory of 1 MB is not enough: [\d,]+ MB are in use"):
        tr.evaluate(QRELS, path, "AP", engine=tr.Engine(memory="1M"))
    monkeypatch.setattr(loop, "in_use", lambda: 0)
    monkeypatch.setattr(loop, "SMALLEST", 1)
    engine = tr.Engine(memory=6 * 100)
    assert told(tr.evaluate(QRELS, path, "AP nDCG", engine=engine)) == told(tr.evaluate(QRELS, path, "AP nDCG"))
    with pytest.raises(tr.InputError, match="run 'a' is looked at as a whole here"):
        tr.explain(QRELS, path, "AP", topic="q1", engine=engine)
    (tmp_path / "a.json").write_text(
        '{"q1": {"d1": 1.0, "d2": 0.5}, "q2": {"d1": 1.0, "d2": 0.5, "d3": 0.25}}' + " " * 99
    )
    with pytest.raises(tr.InputError, match=r"a\.json: a file of this form is read as a whole"):
        tr.evaluate(QRELS, tmp_path / "a.json", "AP", engine=engine)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="elsewhere it is not asked how much there is")
def test_memory_in_use_is_what_the_process_has_now() -> None:
    before = loop.in_use()
    with mmap.mmap(-1, 64 << 20) as held:
        for page in range(0, len(held), mmap.PAGESIZE):
            held[page] = 1
        assert loop.in_use() > before + (48 << 20)
    assert loop.in_use() < before + (48 << 20)


def test_a_file_that_changes_between_pieces_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.run"
    as_trec(path, RUNS["a"])
    pieces = RunPieces([Named("a", str(path))], in_pieces(2)).of(0)
    path.write_text(path.read_text() + "q9 Q0 d 1 1 t\n")
    with pytest.raises(tr.InputError, match="changed while it was read"):
        pieces[0].read()


def test_nothing_is_left_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    path = tmp_path / "a.run"
    as_shuffled(path, RUNS["a"])
    tr.evaluate(QRELS, path, "AP", engine=in_pieces(2))
    gc.collect()
    assert not [*(tmp_path / "temporary").iterdir()]


def test_a_small_file_that_becomes_a_large_one_is_refused_before_it_fills_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.setattr(compression, "LIMIT", 1 << 23)
    (tmp_path / "a.run").write_bytes(gzip.compress(b"q1 Q0 d1 1 1 t\n" + b"# nothing\n" * (1 << 20)))
    written: list[int] = []
    unpacked = cutting.decompressed_pieces

    def counted(path: str) -> Iterator[bytes]:
        for piece in unpacked(path):
            written.append(len(piece))
            yield piece

    monkeypatch.setattr(cutting, "decompressed_pieces", counted)
    with pytest.raises(tr.InputError, match=r"a\.run: more than 0\.0078125 GiB when decompressed; if that is right, "):
        tr.evaluate(QRELS, tmp_path / "a.run", "AP", engine=in_pieces(3))
    assert 0 < sum(written) <= 1 << 23
    assert not [path for path in (tmp_path / "temporary").rglob("*") if path.is_file() and path.stat().st_size]


def test_a_parquet_file_in_pieces_has_the_limits_of_a_whole_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.parquet"
    as_parquet(path, RUNS["a"])
    rows = len(rows_of(RUNS["a"]))
    monkeypatch.setattr(parquet, "LIMIT", parquet.ROW * (rows - 1))
    with pytest.raises(tr.InputError, match=rf"a\.parquet: there are {rows} rows, and up to {rows - 1} are read"):
        tr.evaluate(QRELS, path, "AP", engine=in_pieces(3))
    path.write_bytes(b"PAR1" + b"?" * 4000)
    with pytest.raises(tr.InputError, match=r"a\.parquet: the parquet data are damaged or cut short"):
        tr.evaluate(QRELS, path, "AP", engine=in_pieces(3))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"engine": "elsewhere"}, "engine='elsewhere' is none; take here, processes, or a master of Spark"),
        ({"engine": 7}, "engine is a int"),
        ({"workers": 0}, "workers is a whole number from 1 to 1,000, not 0"),
        ({"workers": 10**30}, "workers is a whole number from 1 to 1,000"),
        ({"engine": "here", "workers": 2}, "is one process"),
        ({"engine": "local[2]", "workers": 2}, "Spark has workers of its own"),
        ({"memory": "much"}, "memory is a size such as 300M or 1G, not 'much'"),
        ({"memory": 0}, "memory is a size"),
        ({"memory": "1" * 400}, "memory is a size"),
    ],
)
def test_engines_that_there_are_none_of(given: dict[str, Any], message: str) -> None:
    with pytest.raises(tr.InputError, match=re.escape(message)):
        tr.Engine(**given)


@pytest.mark.parametrize("more", first(1, [["--workers", 2], ["--memory", "2G"], ["--engine", "here"]]), ids=str)
def test_commands_print_the_same(
    more: list[Any], truerank: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Memory is what the whole process has, and here also what tests before this one left in it.
    monkeypatch.setattr(loop, "in_use", lambda: 100 << 20)
    (tmp_path / "qrels").write_text("".join(f"{t} 0 {d} {g}\n" for t, docs in QRELS.items() for d, g in docs.items()))
    for name, run in RUNS.items():
        as_trec(tmp_path / f"{name}.run", run)
    given = [tmp_path / "qrels", *(tmp_path / f"{name}.run" for name in RUNS)]
    for command in ("evaluate", "ties", "compare", "depth", "unjudged"):
        plain, other = truerank(command, *given), truerank(command, *given, *more)
        assert (other.exit_code, other.stdout, other.stderr) == (0, plain.stdout, plain.stderr)


def test_there_are_no_more_workers_than_tasks() -> None:
    engine = tr.Engine(workers=500)
    found = tr.evaluate(QRELS, RUNS, "AP", engine=engine)
    assert found.means() == tr.evaluate(QRELS, RUNS, "AP").means()
    assert 1 <= len(engine.executor._workers) <= len(RUNS)
    engine.executor.close()


def test_workers_keep_to_their_share_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(parallel.THREADS, "1")
    assert parallel.processors() == 1
    monkeypatch.delenv(parallel.THREADS)
    monkeypatch.setattr(parallel, "_limits", [])
    parallel.limit_threads(1)
    assert parallel.processors() == 1
