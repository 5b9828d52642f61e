"""Pools of documents: which runs made the judged one, and what one made now would hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from truerank.conventions.axes import USUAL_ORDERS, Conventions
from truerank.conventions.ties import broken_by_order, topics_of
from truerank.data.arrays import Rows
from truerank.data.errors import InputError
from truerank.data.ids import Ids, text
from truerank.data.judge import JudgedRun, every_document
from truerank.data.printing import counted, named
from truerank.data.qrels import Preferences, Qrels, taken
from truerank.data.run import Run
from truerank.io.load import as_qrels
from truerank.io.runs import named_runs
from truerank.io.source import is_stream
from truerank.measures.core.parameters import whole
from truerank.pooling.certainty import NOT_JUDGED, deep
from truerank.pooling.judged_depth import ENDLESS
from truerank.pooling.survey import PooledRun, PoolPart, Survey, look_at_pool, orders, reach
from truerank.questions.pool.question import Contribution, DocumentPool, Pooled, Pools, TopicPool
from truerank.track.engine import Engine
from truerank.track.facts import of_judgments
from truerank.track.loop import PieceResult, RunPieces, RunTask, each_run
from truerank.track.track import Progress, Track


def refuse_pool(depth: int | None, ties: str | None) -> None:
    """Refuse what no pool can be made with."""
    if depth is not None:
        whole("depth", depth, least=1)
    if ties is not None and ties not in USUAL_ORDERS:
        known = ", ".join(USUAL_ORDERS)
        raise InputError(f"a pool is made of single rankings, and ties={ties!r} is none; take {known}")


def graded(qrels: Any) -> Qrels:
    """Judgments of documents; preferences are refused."""
    judgments = as_qrels(qrels)
    if isinstance(judgments, Preferences):
        raise InputError("these judgments are preferences (three columns), and a pool is of documents; give qrels")
    return judgments


def pooled_track(qrels: Any, runs: Any, precision: str, depth: int | None, ties: str | None, engine: Any) -> Track:
    """Judgments and runs, to be looked at without any measure."""
    refuse_pool(depth, ties)
    # As everywhere, judgments in a pipe come before runs that may be in others.
    judged = graded(qrels) if is_stream(qrels) else qrels
    used, named = Engine.of(engine), named_runs(runs)
    conventions = Conventions(precision=precision)
    return Track(graded(judged), tuple(named), (), conventions, engine=used.beside(named))


def survey_runs(track: Track, depth: int | None, ties: str | None, progress: Progress | None) -> list[PoolPart]:
    """What is kept of each run, in the orders that tied documents may have been pooled in."""
    near = reach(len(track.runs), len(track.judgments.topics), depth)
    return track.each(look_at_pool, progress=progress, orders=orders(ties), reach=near)


def summarise(survey: Survey) -> Pools:
    """What the runs say of the pool."""
    relevant, held, judged = survey.judgments.grade > 0, survey.holders > 0, survey.judged
    evidence = survey.evidence
    topics = survey.topics
    counts = [np.bincount(topics[some], minlength=len(survey.topic_depth)) for some in (judged, judged & held)]
    return Pools(
        parts=tuple(_contribution(survey, one) for one in survey.runs.values()),
        depth=survey.depth,
        deepest=survey.depths[1] or None,
        certainty=survey.certainty,
        judgments=int(judged.sum()),
        not_judged=int((~judged).sum()),
        explained=survey.explained,
        relevant=int(relevant.sum()),
        explained_relevant=int((held & relevant).sum()),
        inside=np.nan if evidence is None else evidence.inside,
        outside=np.nan if evidence is None else evidence.outside,
        edge=survey.edge / np.log(10),
        num_topics=len(survey.judgments.topics),
        topics=tuple(
            TopicPool(topic=text(topic), depth=depth, judgments=some, explained=its)
            for topic, depth, some, its in zip(
                survey.judgments.topics, survey.topic_depth.tolist(), *(one.tolist() for one in counts), strict=True
            )
        ),
        given=survey.given,
        ties=survey.ties,
        notices=tuple(of_judgments(survey.judgments)),
    )


def _contribution(survey: Survey, one: PooledRun) -> Contribution:
    told = True if one.run in survey.contributors else None if one.run in survey.possible else False
    others, mine = survey.own(one.run)
    mine = mine[survey.judged[mine]]
    depth = survey.depth
    return Contribution(
        run=one.run,
        contributes=told,
        pool_depth=0 if told is False else min(survey.run_depth[one.run], survey.depths[1]),
        judged_to=one.depth,
        to_end=one.judged_to == ENDLESS,
        judged_pool=np.nan if depth is None else one.share(depth),
        judged_10=one.share(10),
        judged_100=one.share(100),
        own=others + len(mine),
        unique=len(mine),
        unique_relevant=int((survey.judgments.grade[mine] > 0).sum()),
        weight=survey.weight(one.run),
        reason=_reason(survey, one, others, len(mine)) if told is None else "",
    )


def _reason(survey: Survey, one: PooledRun, others: int, judged: int) -> str:
    """Why it cannot be determined whether a run contributed."""
    if others + judged:
        few = (
            f"it has {counted(others + judged, 'document')} that no other run of the pool has, {judged} of them judged"
        )
        return f"{few}: too few to tell"
    instead = survey.instead(one.run)
    if not instead:
        return "all its documents are those of runs that contributed"
    return (
        f"what no contributing run has of its documents, {named(instead)} {'has' if len(instead) == 1 else 'have'} too"
    )


def restricted(survey: Survey, depth: int) -> Qrels:
    """The judgments that a shallower pool would have had; the survey has to reach so deep."""
    if not survey.given and (survey.depth is None or depth > survey.depth):
        pool = "these runs do not tell of one" if survey.depth is None else f"it is {deep(survey.depths)} deep"
        raise InputError(
            f"the pool cannot be restricted to depth {depth}: {pool}; choose contributors='all' (--all-runs) to take "
            "the judgments there are of all runs' documents"
        )
    if survey.given:
        every = np.full(len(survey.topic_depth), depth)
        survey = replace(survey, run_depth=dict.fromkeys(survey.members, depth), topic_depth=every)
    kept = survey.pooled(survey.members, depth)
    said = f"judgments are those of a pool {depth} deep of {len(survey.members)} runs"
    note = f"{said}: {int(kept.sum()):,} of {len(kept):,}"
    return replace(taken(survey.judgments, kept), notes=(*survey.judgments.notes, note))


def pooled(
    runs: Any, depth: int, *, qrels: Any, ties: str, precision: str, engine: Any, progress: Progress | None
) -> DocumentPool:
    """The documents that at least one of the runs has among its first ``depth``."""
    refuse_pool(depth, ties)
    precision = Conventions(precision=precision).precision
    used, named = Engine.of(engine), named_runs(runs)
    judgments = None if qrels is None else graded(qrels)
    known = {} if judgments is None else _grades(judgments)
    apart = {*judgments.rest.judgments.topics} if judgments is not None and judgments.rest is not None else set()
    found: dict[bytes, dict[bytes, tuple[int, int]]] = {}
    for top in each_run(TopWork(depth, ties, precision), RunPieces(named, used.beside(named)), progress):
        for topic, document, rank in top:
            if topic in apart:
                continue
            documents = found.setdefault(topic, {})
            count, best = documents.get(document, (0, rank))
            documents[document] = count + 1, min(best, rank)
    return DocumentPool(
        documents=tuple(
            Pooled(
                topic=text(topic),
                document=text(document),
                runs=count,
                best_rank=best,
                grade=known.get((topic, document)),
            )
            for topic in sorted(found)
            for document, (count, best) in sorted(found[topic].items(), key=lambda one: (-one[1][0], one[1][1], one[0]))
        ),
        depth=depth,
        runs=tuple(each.name for each in named),
    )


@dataclass(frozen=True)
class TopWork:
    """The first documents of each topic of a run."""

    depth: int
    ties: str
    precision: str

    def read(self, task: RunTask) -> Run:
        """The run, or a piece of it."""
        return task.piece.read()

    def score_run(self, task: RunTask, data: Run) -> PieceResult:
        """Topics, documents and their ranks."""
        return PieceResult.of([*_top(data, self.depth, self.ties, self.precision)], task, data)

    def together(self, pieces: Sequence[PieceResult]) -> list[tuple[bytes, bytes, int]]:
        """Those of all pieces."""
        return [row for piece in pieces for row in piece.part]


def _top(run: Run, depth: int, ties: str, precision: str) -> Iterator[tuple[bytes, bytes, int]]:
    """The first documents of each topic, with their ranks."""
    ranked = broken_by_order(every_document(_unjudged(run, precision), depth), ties)
    first = np.flatnonzero(ranked.above < depth)
    topics = [run.topics[topic] for topic in topics_of(ranked)[first].tolist()]
    yield from zip(topics, run.docs.take(ranked.row[first]).tolist(), (ranked.above[first] + 1).tolist(), strict=True)


def _unjudged(run: Run, precision: str) -> JudgedRun:
    """A run with every one of its topics judged, and no document."""
    topics = len(run.topics)
    none: Rows = np.zeros(0, np.intp)
    nothing = Ids.pack([])
    begin = np.zeros(topics + 1, np.intp)
    return JudgedRun(
        qrels=Qrels(run.topics, begin, np.zeros(0), nothing, nothing.keys()),
        run=run,
        precision=precision,
        length=np.diff(run.offsets),
        run_topic=np.arange(topics),
        offsets=begin,
        row=none,
        judgment=none,
        grade=np.zeros(0),
        above=none,
        size=none,
    )


def _grades(qrels: Qrels) -> dict[tuple[bytes, bytes], float]:
    """What is judged, and how; not what was pooled before, and not judged."""
    counts = np.diff(qrels.offsets).tolist()
    topics = [topic for topic, count in zip(qrels.topics, counts, strict=True) for _ in range(count)]
    rows = zip(topics, qrels.docs.tolist(), qrels.grade.tolist(), strict=True)
    return {(topic, document): grade for topic, document, grade in rows if grade != NOT_JUDGED}
