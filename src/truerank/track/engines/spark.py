"""Spark: a task for each piece of a run, on whatever machine has time.

Work, with all judgments in it, is broadcast to each machine once: a part of them would change the highest grade, and so
ERR and RBP. Of files only the paths are sent, so that they have to be where all machines see them. A data frame is
distributed by topic, and looked at by as many rows at a time as make whole topics. The package itself is sent, too:
all that machines need is Python with numpy.
"""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
import warnings
import weakref
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from truerank.data.errors import InputError, MissingValueError
from truerank.data.extras import needed
from truerank.data.parallel import limit_threads
from truerank.io.cutting import COST
from truerank.io.distributed import FramePiece, frame_columns, topic_batches
from truerank.io.runs import is_distributed, is_lasting
from truerank.io.temporary import folder_for
from truerank.track.engines import worker
from truerank.track.engines.executor import Work
from truerank.track.engines.processes import error_of

RANGE = 64 << 20
"""Bytes of text that are a task."""
_JAVA = "Spark needs Java 17 or later; install it (Debian: openjdk-17-jre-headless), or set JAVA_HOME"
_PARTITIONS = 3
"""Parts of a data frame, for each task that runs at a time."""


class Spark:
    """A session of Spark."""

    processes = 0
    shares_memory = False
    cuts_at: int | None = RANGE * COST

    def __init__(self, session: Any) -> None:
        if not hasattr(session, "sparkContext") or "connect" in type(session).__module__:
            raise InputError("a session of Spark Connect cannot be sent work; give the master, or a classic session")
        self.session = session
        self.sees_disk = str(session.sparkContext.master).startswith("local")

    @classmethod
    def of(cls, given: Any) -> Spark:
        """A session, or one that is made for a master and ends with this."""
        if not isinstance(given, str):
            return cls(given)
        with _quiet():
            sql = needed("pyspark.sql", "engine=" + repr(given))
            needed("pyarrow", "Spark")
            active = sql.SparkSession.getActiveSession()
        if active is not None:
            if active.sparkContext.master != given:
                raise InputError(
                    f"a session of Spark is open already, with the master {active.sparkContext.master}; give that "
                    f"session, or end it before another one is made with {given}"
                )
            return cls(active)
        made = cls(_session(sql, given))
        weakref.finalize(made, made.session.stop)
        return made

    def run(self, work: Work, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        """Tasks go to whoever has time; one that is lost with its machine is done again by another."""
        try:
            content = pickle.dumps(work, pickle.HIGHEST_PROTOCOL)
        except Exception as error:
            raise InputError(
                f"other machines cannot do this ({error}); put functions of your own into a module, or choose "
                "engine='here'"
            ) from None
        context = self.session.sparkContext
        _sent(context)
        job = Job(context.broadcast(content), int(context.getConf().get("spark.task.cpus", "1")))
        try:
            yield from self._run(work, job, tasks)
        finally:
            job.content.unpersist()

    def _run(self, work: Any, job: Job, tasks: Sequence[Any]) -> Iterator[tuple[int, Any]]:
        frames = [place for place, task in enumerate(tasks) if is_distributed(_data(task))]
        others = [place for place, task in enumerate(tasks) if place not in frames]
        failed: dict[int, BaseException] = {}
        if others:
            sent = [pickle.dumps(tasks[place].from_anywhere(), pickle.HIGHEST_PROTOCOL) for place in others]
            with _refusing():
                answers = self.session.sparkContext.parallelize(sent, len(sent)).map(job).collect()
            for place, (kind, content) in zip(others, answers, strict=True):
                if kind != worker.DONE:
                    failed[place] = _as_given(error_of(kind, content), tasks[place])
                elif not failed:
                    yield place, pickle.loads(content)
        for place in frames:
            if failed and place > min(failed):
                break
            found = []
            for kind, content in self._of_frame(job, tasks[place]):
                if kind != worker.DONE:
                    failed[place] = _at_row(error_of(kind, content), tasks[place].piece.data)
                    break
                found.append(pickle.loads(content))
            else:
                yield place, type(found[0])(work.together(found))
        if failed:
            raise failed[min(failed)]

    def _of_frame(self, job: Job, task: Any) -> list[tuple[bytes, bytes]]:
        """What is found in a data frame, in whole topics."""
        functions = needed("pyspark.sql.functions", "Spark")
        frame, order = task.piece.data, "truerank_order"
        columns = frame_columns(task.piece)
        topic, count = columns[0], _PARTITIONS * self.session.sparkContext.defaultParallelism
        look = FrameJob(job, task.place, task.piece.name, dict(task.piece.options), topic)
        with _refusing():
            # Rows of a topic keep their order, which ties may stand in.
            rows = (
                frame.select(*(functions.col(f"`{name}`") for name in columns))
                .withColumn(order, functions.monotonically_increasing_id())
                .repartition(count, functions.col(f"`{topic}`"))
                .sortWithinPartitions(functions.col(f"`{topic}`"), order)
                .drop(order)
                .mapInArrow(look, "kind binary, content binary")
                .collect()
            )
        if not rows:
            raise InputError(f"there are no rows in the run {task.piece.name!r}; give at least one topic")
        return [(bytes(row.kind), bytes(row.content)) for row in rows]


def _data(task: Any) -> Any:
    return getattr(getattr(task, "piece", None), "data", None)


def _as_given(error: BaseException, task: Any) -> BaseException:
    """The error, about the file by the name that it was given by."""
    for named in task.runs:
        if isinstance(error, InputError) and is_lasting(named.data) and error.file == os.path.abspath(named.data):
            return type(error)(error.message, os.fspath(named.data), error.line)
    return error


def _at_row(error: BaseException, frame: Any) -> BaseException:
    """The error, about the row of the whole data frame and not of a part that is sorted by topic."""
    if not isinstance(error, MissingValueError):
        return error
    functions = needed("pyspark.sql.functions", "Spark")
    with _refusing():
        # Spark numbers rows by their partition, in the upper bits, and by their place in it.
        missing = functions.col(f"`{error.column}`").isNull().alias("missing")
        rows = frame.select(missing, functions.monotonically_increasing_id().alias("place"))
        first = rows.where("missing").agg(functions.min("place")).first()[0]
        if first is None:
            return error
        partition, place = divmod(first, 1 << 33)
        before = frame.select(functions.spark_partition_id().alias("part")).where(functions.col("part") < partition)
        return MissingValueError.at(error.column, before.count() + place)


class Job:
    """What a machine does with a task, both as they were sent."""

    def __init__(self, content: Any, threads: int) -> None:
        self.content, self.threads = content, threads

    @property
    def work(self) -> Any:
        """The work; a process that does several tasks makes it of what was sent once."""
        limit_threads(self.threads)
        if _known.get("content") is not self.content.value:
            _known.update(content=self.content.value, work=pickle.loads(self.content.value))
        return _known["work"]

    def __call__(self, content: bytes) -> tuple[bytes, bytes]:
        """The answer, as it is sent back; what is refused is an answer, so that Spark does not try again."""
        return worker.answered(self.work, pickle.loads(content))


_known: dict[str, Any] = {}


class FrameJob:
    """What a machine does with its part of a data frame."""

    def __init__(self, job: Job, place: int, name: str, options: dict[str, Any], topic: str) -> None:
        self.job, self.place, self.name, self.options, self.topic = job, place, name, options, topic

    def __call__(self, batches: Iterator[Any]) -> Iterator[Any]:
        """Answers, one for some rows."""
        batch = needed("pyarrow", "Spark").RecordBatch

        from truerank.track.loop import RunTask

        work = self.job.work
        for table in topic_batches(batches, self.topic):
            task = RunTask(self.place, FramePiece(self.name, table, self.options))
            kind, content = worker.answered(work, task)
            yield batch.from_pydict({"kind": [kind], "content": [content]})


def _session(sql: Any, master: str) -> Any:
    """A new session that keeps its words to itself."""
    if master.startswith("local"):
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    # It has no name: Java goes on writing there as long as it runs.
    with tempfile.TemporaryFile() as log:
        return _started(sql, master, log)


def _started(sql: Any, master: str, log: IO[bytes]) -> Any:
    try:
        with _quiet(), _standard_error(log.fileno()):
            builder = sql.SparkSession.builder.master(master).appName("truerank")
            return (
                builder.config("spark.ui.enabled", "false")
                .config("spark.ui.showConsoleProgress", "false")
                # Its Python would import from the current folder first; that of 3.10 does so all the same.
                .config("spark.executorEnv.PYTHONSAFEPATH", "1")
                .getOrCreate()
            )
    except Exception as error:
        log.seek(0)
        if "JAVA_GATEWAY_EXITED" in str(error) or b"JAVA_HOME" in log.read():
            raise InputError(_JAVA) from None
        raise InputError(f"Spark did not start with the master {master} ({_first(error)})") from None


@contextmanager
def _standard_error(target: int) -> Iterator[None]:
    """Have what is started now write its errors to a file: Spark greets everybody on them."""
    sys.stderr.flush()
    kept = os.dup(2)
    try:
        os.dup2(target, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without warnings about versions of libraries that are not used here."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _refusing() -> Iterator[None]:
    """Say in a line what Spark says in pages."""
    try:
        with _quiet():
            yield
    except InputError:
        raise
    except Exception as error:
        said = str(error)
        if "No module named 'numpy'" in said:
            raise InputError(
                "the machines of Spark have no numpy; install it there, or set PYSPARK_PYTHON to a Python that has it"
            ) from None
        raise InputError(f"Spark failed ({_first(error)}); look at its logs") from error


def _first(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines or [type(error).__name__])[0][:300]


def _sent(context: Any) -> None:
    """Send this package to the machines, once in a session."""
    if getattr(context, "_truerank", False):
        return
    import truerank

    home = os.path.dirname(os.path.abspath(truerank.__file__))
    # Machines that join later ask for it, too.
    path = os.path.join(folder_for(context), "truerank.zip")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for where, folders, files in os.walk(home):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            for name in sorted(files):
                full = os.path.join(where, name)
                archive.write(full, os.path.join("truerank", os.path.relpath(full, home)))
    context.addPyFile(path)
    context._truerank = True
