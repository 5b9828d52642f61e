"""The questions: which runs were judgments pooled from, what do systems lose that were not, what is to be judged?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, overload

from truerank.conventions.axes import AXES, USUAL_ORDERS
from truerank.conventions.presets import AxisRules
from truerank.data.errors import InputError
from truerank.questions.pool.answer import DocumentPool, PoolFiles, Pools
from truerank.questions.pool.losses import READINGS, LeaveOut
from truerank.questions.signature import Also, AskedTopics, Engines, Judgments, Runs, question, reads
from truerank.report.answer import Written
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Apart
    from truerank.data.qrels import Qrels
    from truerank.data.reading import Reading
    from truerank.io.runs import Named
    from truerank.questions.pool.leave_out import GroupRule
    from truerank.track.track import Progress

MEASURES = "AP nDCG@10"
RULES = AxisRules(fixed={"unjudged": "nonrelevant"})
_NO_SCORES = ("precision", "like")
"""Conventions that a pool is made under, too."""


@reads
def pools(
    qrels: Judgments,
    runs: Runs,
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    also: Also = (),
    name: str = "",
    engine: Any = None,
    progress: Progress | None = None,
    **how: Unpack[Reading],
) -> Pools:
    """Find out which runs the judgments were pooled from, and how deep.

    The pool ends at the rank where the share of judged documents breaks off; a run contributed if its first documents
    down to there are judged that no other run of the pool has, more often than documents outside of it. So judgments
    may be lost, sampled, or of relevant documents only, depths may differ by topic or by run, and of a run without
    documents of its own it cannot be told. ``depth`` and ``contributors`` (names, or "all") are what is known already,
    and so is ``ties``, the order in which tied documents were pooled: "docid" (as trec_eval), "docid-asc", "input" or
    "rank"; it is otherwise the one in which most documents of the pool's runs are judged. A document with the grade -1
    was in the pool, and was not judged.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "a", "y"]}, "new": {"q1": ["z", "a"]}}
    >>> found = pools(qrels, runs)
    >>> found.depth, found.contributors, found.certainty, found["two"].unique_relevant
    (2, ('one', 'two'), 'certain', 1)
    """
    from truerank.pooling.survey import survey
    from truerank.questions.pool.work import conclude, look, pooled_track

    track = pooled_track(qrels, runs, precision, depth, ties, engine)
    parts = look(track, depth, ties, progress)
    return conclude(survey(track.judgments, parts, depth=depth, contributors=contributors))


@reads
def restrict(
    qrels: Judgments,
    runs: Runs,
    depth: int,
    *,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    engine: Any = None,
    progress: Progress | None = None,
    **how: Unpack[Reading],
) -> Qrels:
    """Keep the judgments of documents that stand within ``depth`` in a contributing run.

    Contributing are the runs that ``pools`` finds, those named in ``contributors``, or "all"; ``ties``, the
    order in which tied documents are pooled, is by default the one that ``pools`` finds. Topics stay, even without a
    judgment.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1}}
    >>> restrict(qrels, {"one": {"q1": ["a", "b"]}, "two": {"q1": ["c", "a"]}}, 1).docs.tolist()
    [b'a', b'c']
    """
    from truerank.pooling.survey import survey
    from truerank.questions.pool.work import look, pooled_track, restricted

    track = pooled_track(qrels, runs, precision, depth, ties, engine)
    parts = look(track, depth, ties, progress)
    return restricted(survey(track.judgments, parts, contributors=contributors), depth)


@overload
def pool(
    runs: Any,
    depth: int = 10,
    *,
    qrels: Any = None,
    ties: str = "docid",
    precision: str = "float64",
    engine: Any = None,
    progress: Progress | None = None,
    **how: Unpack[Reading],
) -> DocumentPool: ...


@overload
def pool(
    qrels: Any,
    runs: Any,
    *,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    ties: str | None = None,
    precision: str = "float64",
    also: Also = (),
    name: str = "",
    engine: Any = None,
    progress: Progress | None = None,
    **how: Unpack[Reading],
) -> Pools: ...


def pool(*data: Any, **given: Any) -> Pools | DocumentPool:
    """Find the pool behind judgments, as ``truerank pool`` does; or pool runs, where there is a depth and no judgments.

    ``pool(qrels, runs)`` is ``pools``. ``pool(runs, depth)`` has the documents that at least one run has among its
    first ``depth``, 10 if nothing is said: ``qrels`` are judgments that are there already; ``ties`` is the order in
    which tied documents are pooled: "docid" (as trec_eval), "docid-asc", "input" or "rank".

    >>> runs = {"one": {"q1": ["a", "b"]}, "two": {"q1": ["c", "a"]}}
    >>> found = pool(runs, depth=2, qrels={"q1": {"a": 1}})
    >>> [(one.document, one.runs, one.rank) for one in found]
    [('a', 2, 1), ('c', 1, 1), ('b', 1, 2)]
    >>> print(found.to_qrels(judged=False), end="")
    q1 0 c -1
    q1 0 b -1
    >>> pool({"q1": {"a": 1, "b": 0, "c": 1}}, runs).depth
    2
    """
    of_runs = len(data) == 1 or (len(data) == 2 and isinstance(data[1], int))
    if (of_runs and "runs" not in given) or (not data and "qrels" not in given):
        return _of_runs(*data, **given)
    if not data and isinstance(given.get("depth"), int) and "contributors" not in given:
        # What was named alike in both: judgments that are there already.
        return _of_runs(**given)
    return pools(*data, **given)


@reads
def _of_runs(
    runs: Runs,
    depth: int = 10,
    *,
    qrels: Judgments = None,
    ties: str = "docid",
    precision: str = "float64",
    engine: Any = None,
    progress: Progress | None = None,
) -> DocumentPool:
    from truerank.questions.pool.work import pooled

    return pooled(runs, depth, qrels=qrels, ties=ties, precision=precision, engine=engine, progress=progress)


@reads
def leave_out(
    qrels: Judgments,
    runs: Runs,
    measures: Any = MEASURES,
    *,
    by: str = "run",
    groups: GroupRule | None = None,
    depth: int | None = None,
    contributors: str | Iterable[str] | None = None,
    pool_ties: str | None = None,
    unjudged: str | Iterable[str] | None = None,
    also: Also = (),
    name: str = "",
    engine: Any = None,
    progress: Progress | None = None,
    **given: Unpack[Apart],
) -> LeaveOut:
    """Score every contributing run without the judgments that only it contributed.

    Such a judgment is about a document that no other contributing run has within the depth of the pool; a system that
    had not been there would be scored without it. ``by="group"`` leaves out all runs of a team at once: ``groups`` is a
    dict from runs to teams, a function, or a regular expression for the beginning of names (by default, the letters
    that they begin with). The other systems keep their scores. ``unjudged`` is "nonrelevant" or "condensed", by default
    both; ``depth``, ``contributors`` and ``pool_ties`` are what is known of the pool, as for ``pools``; conventions are
    those of ``evaluate``.

    >>> qrels = {"q1": {"a": 1, "b": 0, "c": 1, "d": 0}}
    >>> runs = {"one": {"q1": ["a", "b", "x"]}, "two": {"q1": ["c", "b", "y"]}, "three": {"q1": ["d", "a", "z"]}}
    >>> worst = leave_out(qrels, runs, "P@1").of("P@1")[0]
    >>> worst.run, worst.score, worst.without, worst.removed_relevant
    ('two', 1.0, 0.0, 1)
    """
    from truerank.measures.grammar import parse_all
    from truerank.pooling.survey import orders, reach, survey
    from truerank.questions.pool.leave_out import conclude, look, refuse, with_cache
    from truerank.questions.pool.work import graded, refuse_pool
    from truerank.track.track import Track

    readings = READINGS if unjudged is None else (unjudged,) if isinstance(unjudged, str) else tuple(unjudged)
    refuse(by, groups, readings, parse_all(measures))
    refuse_pool(depth, pool_ties)
    track = with_cache(Track.of(qrels, runs, measures, {**given, "unjudged": readings[0]}, engine=engine))
    graded(track.judgments)
    near = reach(len(track.runs), len(track.judgments.topics), depth)
    parts = track.each(look, progress=progress, readings=readings, orders=orders(pool_ties), reach=near)
    found = survey(track.judgments, parts, depth=depth, contributors=contributors)
    return conclude(track, parts, found, by=by, groups=groups)


@question(RULES)
def command(  # type: ignore[misc]  # Which file the judgments are is found out here, and so are their topics.
    files: Annotated[Any, Argument("[QRELS] RUN...", many=True, holds="runs")],
    measures: Annotated[
        Any,
        Option(
            f"What to score by; repeatable. Default: {MEASURES}.", flags="-m/--measure", metavar="MEASURE", many=True
        ),
    ] = None,
    *,
    depth: Annotated[
        int | None, Option("Depth of the pool. Default: what the runs show.", metavar="D", least=1)
    ] = None,
    all_runs: Annotated[bool, Option("All runs contributed, not only those that are judged so deep.")] = False,
    pool_ties: Annotated[
        str | None,
        Option(
            "Order in which tied documents were pooled. Default: the one whose pool holds most judgments.",
            choices=USUAL_ORDERS,
        ),
    ] = None,
    by: Annotated[
        str | None,
        Option(
            "Score each without the judgments that only it contributed.",
            flags="--leave-out",
            choices=("run", "group"),
        ),
    ] = None,
    group_by: Annotated[
        str | None, Option("Beginning of names that groups share. Default: their first letters.", metavar="REGEX")
    ] = None,
    unjudged: Annotated[
        str | None, Option("What documents without a judgment count as. Default: both.", choices=READINGS)
    ] = None,
    shallow: Annotated[
        str | None,
        Option(
            "Write the judgments that a pool of depth D would have had.", flags="--restrict", metavar="FILE", file=True
        ),
    ] = None,
    to_judge: Annotated[
        str | None,
        Option("Write the documents of all runs to depth D that have no judgment.", metavar="FILE", file=True),
    ] = None,
    qrels_columns: Annotated[
        Mapping[str, str] | None,
        Option("Columns of the judgments: topic, doc and grade.", metavar="PART=NAME,...", columns=True),
    ] = None,
    topics: AskedTopics = None,
    also: Also = (),
    engine: Engines = None,
    progress: Progress | None = None,
    **given: Unpack[Apart],
) -> Pools | LeaveOut | PoolFiles:
    """Find out which runs the judgments were pooled from, how deep, and what systems lose that were not.

    Without --leave-out, --restrict or --to-judge there is one row per run, and how sure it is.

      --leave-out run|group    the bias of the pool against new systems
      --restrict FILE          TREC qrels, for studies of shallower pools
      --to-judge FILE          the same with grade -1, for assessors; QRELS may be left out

    Example:
      truerank pool qrels.txt *.run
      truerank pool qrels.txt *.run --leave-out group -m AP
      truerank pool qrels.txt *.run --depth 10 --restrict shallow.qrels
    """
    from truerank.conventions.presets import conventions
    from truerank.io.load import as_qrels
    from truerank.io.trec import qrels_lines
    from truerank.questions.pool.work import graded

    qrels, runs = _told_apart(files)
    scoring = {"measures": measures, "unjudged": unjudged, **given}
    _refuse_needless(qrels, runs, scoring, depth=depth, by=by, group_by=group_by, shallow=shallow, to_judge=to_judge)
    if qrels is None and topics is not None:
        raise InputError("--topics are those of judgments, and there are none; leave it out")
    if qrels is not None and (qrels_columns is not None or topics is not None):
        qrels = as_qrels(qrels, columns=qrels_columns, topics=topics)
    contributors = "all" if all_runs else None
    if by is not None:
        return leave_out(
            qrels,
            runs,
            measures or MEASURES,
            by=by,
            groups=group_by,
            depth=depth,
            contributors=contributors,
            pool_ties=pool_ties,
            unjudged=unjudged,
            engine=engine,
            progress=progress,
            **given,
        )
    precision = conventions(given.get("like"), precision=given.get("precision")).precision
    known: dict[str, Any] = {"precision": precision, "engine": engine, "progress": progress}
    if depth is None or (shallow is None and to_judge is None):
        return pools(qrels, runs, depth=depth, contributors=contributors, ties=pool_ties, **known)
    # Standard input can be read once only.
    qrels = None if qrels is None else graded(qrels)
    written = []
    if shallow is not None:
        kept = restrict(qrels, runs, depth, contributors=contributors, ties=pool_ties, **known)
        written.append(_file(shallow, qrels_lines(kept), kept.notes[-1]))
    if to_judge is not None:
        pooled = pool(runs, depth, qrels=qrels, ties=pool_ties or USUAL_ORDERS[0], **known)
        said = f"{len(pooled.to_judge):,} of {len(pooled):,} documents are to be judged"
        said += f", of a pool {pooled.depth} deep of {len(pooled.runs)} runs"
        written.append(_file(to_judge, pooled.to_qrels(judged=False), said))
    return PoolFiles(written=tuple(written))


def _told_apart(files: Sequence[Any]) -> tuple[Any, list[Named]]:
    """Judgments and runs; where the first file has the columns of a run, there are no judgments."""
    from truerank.io.forms import looks_like
    from truerank.io.runs import Named
    from truerank.io.source import open_source

    named = [file if isinstance(file, Named) else Named("", file) for file in files]
    first = named[0].data
    if os.path.isfile(first) and looks_like(open_source(first)) == "run":
        return None, named
    return first, named[1:]


def _refuse_needless(
    qrels: Any,
    runs: Sequence[Named],
    scoring: Mapping[str, Any],
    *,
    depth: int | None,
    by: str | None,
    group_by: str | None,
    shallow: str | None,
    to_judge: str | None,
) -> None:
    """Refuse options that would do nothing, and files that are missing; ``scoring`` are options about scores."""
    written = [option for option, file in (("--restrict", shallow), ("--to-judge", to_judge)) if file is not None]
    if qrels is None and written != ["--to-judge"]:
        raise InputError("the first file is a run; name the judgments before the runs")
    if not runs:
        raise InputError("there is no run; name the runs after the judgments")
    if written and depth is None:
        raise InputError(f"{written[0]} is about a pool of some depth; add --depth")
    if written and by is not None:
        raise InputError(f"{written[0]} writes a file, and --leave-out a table; give one of them")
    if group_by is not None and by != "group":
        raise InputError("--group-by says which runs belong together; add --leave-out group")
    for name, value in scoring.items():
        if value and by is None and name not in _NO_SCORES:
            option = AXES[name].option if name in AXES else "--measure"
            raise InputError(f"{option} is about scores; add --leave-out")


def _file(path: str, lines: str, said: str) -> Written:
    return Written(path, [lines], f"note: {said}" if path == "-" else f"note: {path}: {said}")


COMMAND = command
