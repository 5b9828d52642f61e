"""On Spark answers are the same, to the bit and to the word: on several processes, and on a cluster that loses one."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.track import test_engines as plain

import truerank as tr

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java"),
    # Of pyspark, about the versions of libraries that are not used here.
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")


@pytest.fixture(scope="module")
def spark() -> Iterator[tr.Engine]:
    engine = tr.Engine("local-cluster[2,1,1024]")
    yield engine
    engine.executor.session.stop()  # type: ignore[attr-defined]


@pytest.mark.parametrize("ask", plain.QUESTIONS.values(), ids=plain.QUESTIONS)
def test_every_question_has_the_same_answer(ask: Callable[..., Any], spark: tr.Engine) -> None:
    assert plain.told(ask(missing="empty", engine=spark)) == plain.told(ask(missing="empty"))


@pytest.mark.parametrize("given", [{}, {"ties": "input"}, {"ties": "bounds", "unjudged": "bounds"}], ids=str)
def test_files_are_cut_into_tasks(
    given: dict[str, Any], spark: tr.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / f"{name}.run" for name in plain.SILENT]
    for path, run in zip(paths, plain.SILENT.values(), strict=True):
        (plain.as_shuffled if path.stem == "b" else plain.as_trec)(path, run)
    whole = tr.evaluate(plain.QRELS, paths, "AP nDCG@3 infAP", **given)
    monkeypatch.setattr(spark.executor, "cuts_at", 3 * plain.ROW)
    monkeypatch.chdir(tmp_path)
    found = tr.evaluate(plain.QRELS, [path.name for path in paths], "AP nDCG@3 infAP", engine=spark, **given)
    assert plain.without_sorting(found) == plain.without_sorting(whole)
    assert [note.facts["run"] for note in found.notices if note.code == "TR113"] == ["b"]


@pytest.mark.parametrize("given", [{}, {"ties": "input"}, {"unjudged": "bounds"}], ids=str)
def test_a_data_frame_is_distributed_by_topic(given: dict[str, Any], spark: tr.Engine) -> None:
    session = spark.executor.session  # type: ignore[attr-defined]
    rows = plain.rows_of(plain.SILENT["a"])
    rows = rows[::2] + rows[1::2]
    frame = session.createDataFrame([(d, t, s) for t, d, s in rows], "docno string, qid string, score double")
    if not given:
        # After which rows have no order that would be theirs.
        frame = frame.repartitionByRange(3, "score")
    whole = plain.told(tr.evaluate(plain.QRELS, {"a": frame.toArrow()}, "AP nDCG@3 ERR", **given))
    # That of the frame is taken where no engine is given.
    for engine in (spark, session, None):
        assert plain.told(tr.evaluate(plain.QRELS, {"a": frame}, "AP nDCG@3 ERR", engine=engine, **given)) == whole
    both = plain.told(tr.compare(plain.QRELS, {"a": frame, "b": plain.RUNS["b"]}, "AP", settled=True))
    assert both == plain.told(tr.compare(plain.QRELS, {"a": frame.toArrow(), "b": plain.RUNS["b"]}, "AP", settled=True))


def test_what_is_wrong_is_refused_in_the_same_words(
    spark: tr.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [tmp_path / f"{n}.run" for n in range(4)]
    for n, path in enumerate(paths):
        path.write_text("".join(plain.lines(plain.RUNS["c"])) + ("q1 Q0 x\n" if n > 1 else ""))
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tr.InputError, match=r"^2\.run:\d+: 3 columns"):
        tr.evaluate(plain.QRELS, [path.name for path in paths], "AP", engine=spark)
    with pytest.raises(tr.InputError, match="a session of Spark is open already"):
        _ = tr.Engine("local[1]").executor
    own = tr.measure(lambda ranking: 1.0, name="Own")
    with pytest.raises(tr.InputError, match="other machines cannot do this"):
        tr.evaluate(plain.QRELS, plain.RUNS, own, engine=spark)


@pytest.mark.parametrize("column", ["topic", "doc", "score"])
def test_a_missing_value_is_said_of_the_row_in_the_data_frame(column: str, spark: tr.Engine) -> None:
    session = spark.executor.session  # type: ignore[attr-defined]
    rows = [{"topic": f"q{n % 9}", "doc": f"d{n}", "score": float(n)} for n in range(600)]
    rows[500] = {**rows[500], column: None}
    frame = session.createDataFrame(rows, "topic string, doc string, score double")
    for each, row in ((frame, 500), (frame.where("doc != 'd3' or doc is null"), 499)):
        with pytest.raises(tr.InputError) as whole:
            tr.evaluate(plain.QRELS, {"a": each.toArrow()}, "AP")
        with pytest.raises(tr.InputError) as distributed:
            tr.evaluate(plain.QRELS, {"a": each}, "AP")
        assert str(distributed.value) == str(whole.value)
        assert f"column '{column}' has no value in row {row} " in str(whole.value)


SLOW = """
import os, time
def slow(ranking):
    with open(os.environ["MARKS"], "a") as file:
        file.write(".")
    time.sleep(0.05)
    return float(len(ranking.grades) % 7)
"""
DRIVER = """
import os, sys
import truerank as tr
from slow_measure import slow
engine = sys.argv[1] if len(sys.argv) > 1 else None
runs = sorted(name for name in os.listdir(".") if name.endswith(".run"))
measures = ["AP", "nDCG@3", "infAP", tr.measure(slow, name="Slow")]
print(tr.evaluate("qrels", runs, measures, engine=engine).to_json())
"""


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]], dict[str, str]]]:
    """A master and two workers, each a process of its own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    home = Path(pyspark.__file__).parent
    known = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1", "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    known |= {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path]), "MARKS": str(tmp_path / "marks")}
    address = f"spark://127.0.0.1:{port}"

    def started(*words: str) -> subprocess.Popen[bytes]:
        kind, *more = words
        with open(tmp_path / f"{kind}.log", "ab") as log:
            return subprocess.Popen(
                [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{kind}", *more],
                env=known,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    master = started("master.Master", "--host", "127.0.0.1", "--port", str(port), "--webui-port", "0")
    own = ["--cores", "1", "--memory", "1g", "--webui-port", "0", "--host", "127.0.0.1"]
    workers = [started("worker.Worker", *own, "--work-dir", str(tmp_path / f"work{n}"), address) for n in range(2)]
    yield address, workers, known
    for process in (*workers, master):
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def test_a_cluster_that_loses_a_machine_finds_the_same(
    cluster: tuple[str, list[subprocess.Popen[bytes]], dict[str, str]], tmp_path: Path
) -> None:
    address, workers, known = cluster
    (tmp_path / "slow_measure.py").write_text(SLOW)
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 {d} {g}\n" for t, docs in plain.QRELS.items() for d, g in docs.items())
    )
    for n in range(12):
        # Without ties, of which the slow measure would be given all orders.
        rows = enumerate(plain.rows_of(plain.RUNS["abc"[n % 3]]))
        (tmp_path / f"{n:02}.run").write_text("".join(f"{t} Q0 {d} 1 {-place} t\n" for place, (t, d, _) in rows))
    here = subprocess.run(
        [sys.executable, "-c", DRIVER], cwd=tmp_path, env=known, capture_output=True, check=True, timeout=300
    )
    marks = tmp_path / "marks"
    marks.unlink()
    with subprocess.Popen(
        [sys.executable, "-c", DRIVER, address],
        cwd=tmp_path,
        env=known,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as driver:
        patience = time.monotonic() + 300
        while (not marks.exists() or marks.stat().st_size < 15) and driver.poll() is None:
            assert time.monotonic() < patience, (tmp_path / "worker.Worker.log").read_text()[-2000:]
            time.sleep(0.05)
        os.killpg(workers[0].pid, signal.SIGKILL)
        out, said = driver.communicate(timeout=300)
    assert driver.returncode == 0, said.decode()[-2000:]
    assert json.loads(out) == json.loads(here.stdout)
    assert out == here.stdout
