"""The questions: which runs were judgments pooled from, what do systems lose that were not, what is to be judged?"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, overload

from truerank.conventions.axes import AXES, USUAL_ORDERS
from truerank.conventions.presets import AxisRules
from truerank.data.errors import InputError
from truerank.data.given_ids import ByTopic, as_given
from truerank.data.notes import Code, Note
from truerank.data.printing import counted, sentence
from truerank.pooling.certainty import NOT_JUDGED, deep
from truerank.questions.pool.losses import READINGS, LeaveOut
from truerank.questions.signature import Also, AskedTopics, Engines, Judgments, Runs, question, reads
from truerank.report.answer import Answer, ByName, Keyed, Sheet, Written
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Argument, Option
from truerank.report.table import Cell, Column, Table, plain

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.conventions.axes import Apart
    from truerank.data.qrels import Qrels
    from truerank.data.reading import Reading
    from truerank.io.runs import Named
    from truerank.questions.pool.leave_out import GroupRule
    from truerank.track.track import Progress

NOT_POOLED = "These runs were not pooled: documents are not judged more often above any depth than below it."
NOTHING_ELSE = "The judgments are the top {depth} of {members} of these {runs:run}, and nothing else."
MOST = (
    "{members} of these {runs:run} were pooled to depth {depth}; their pool has {share:%} of the judged documents[, so "
    "most of them came from other runs{few}]."
)
GIVEN = "A pool of {members} of these {runs:run}, {depth} deep, has {share:%} of the judged documents."
NO_POOL = Code(
    "TR261",
    "judgments that are no pool of the runs",
    "the judgments show no pool of these runs: down to no rank are documents judged clearly more often than past it; "
    "other runs were pooled, or none",
    consequence=0.0,
)
_FOUND = (
    "of [{at_least} to ]{members} of {runs:run}[: {inside:%} of its documents are judged]"
    "[, and {outside:%} of those just past it]"
)
DEPTH = Code(
    "TR262",
    "how deep the pool is, and how many runs show it",
    f"the pool is {{depth}} deep, {_FOUND}",
    varied=f"the pool is {{depth}} to {{deepest}} deep, depending on the {{by}} ({{depths}}), {_FOUND}",
    various=f"the pool is {{depth}} to {{deepest}} deep, depending on the {{by}}, {_FOUND}",
    given="the pool is taken to be {depth} deep, of {members} of {runs:run}[; {shallower} of these "
    "{shallower:is|are} not judged to that depth]",
    each={"depths": "{depth} for [{topics:topic}][{runs:run}]"},
)
_NOT_JUDGED = "[; {not_judged:,} more are in the pool and not judged]"
HELD = Code(
    "TR263",
    "how many of the judged documents the pool holds",
    "it holds {held:,} of {judgments:,} judged documents ({share:%}); the other {others:,} were found in other ways, "
    f"or by other runs{_NOT_JUDGED}",
    all=f"it holds all {{judgments:,}} judged documents{_NOT_JUDGED}",
    certain=f"it holds all {{judgments:,}} judged documents, so that nothing else was judged{_NOT_JUDGED}",
    consequence=0.05,
)
UNCLEAR = Code(
    "TR264",
    "runs for which it cannot be determined whether they contributed",
    "for {runs:run} it cannot be determined whether documents of theirs were pooled[: {shared:names} "
    "{shared_runs:has|have} no document alone][; {few:names} {few_runs:has|have} too few alone]",
    consequence=0.3,
)


class Contribution(Row):
    """What a run has to do with the pool."""

    run: str = column("the run")
    contributes: bool | None = column("whether its documents were pooled; null if it cannot be determined")
    pool_depth: int = column("how deep it was pooled, or would have been; 0 where it was not")
    judged_to: int = column("the deepest rank down to which its documents are judged in every topic")
    to_end: bool = column("whether that is the end of all its lists")
    judged_pool: float = column("share of judged documents down to the least depth of the pool", over="mean")
    judged_10: float = column("share of judged documents among the first 10", over="mean")
    judged_100: float = column("share of judged documents among the first 100", over="mean")
    own: int = column("documents within the depth of the pool that no other run of the pool has there")
    unique: int = column("those of them that are judged")
    unique_relevant: int = column("relevant ones among these")
    weight: float = column(
        "how many times as likely the judgments of these are if it contributed than if not, as a power of ten"
    )
    reason: str = column("why it cannot be determined whether it contributed", over="none")


class TopicPool(Row):
    """The pool of a topic."""

    topic: str = column("the topic")
    depth: int = column("how deep its pool is")
    judgments: int = column("judged documents")
    explained: int = column("those that stand within that depth in a run of the pool")


class Pools(Keyed[Contribution], Answer):
    """The pool that judgments were made of, as far as runs tell, and each run's part in it: ``found["bm25"]``."""

    question = "pool"
    by_collection = True
    sheets = {
        "runs": Sheet(Contribution, "each run's part in the pool", of="ordered"),
        "topics": Sheet(TopicPool, "how deep the pool of each topic is"),
    }

    parts: tuple[Contribution, ...]
    """In the order of the runs."""
    topics: tuple[TopicPool, ...]
    depth: int | None = column(
        "how deep the pool is, in every topic and for all its runs; null where the runs do not tell"
    )
    deepest: int | None = column("how deep it is in the topic, or for the run, where it is deepest")
    certainty: str = column(
        'how sure the pool is: "certain" where it has all documents of the judgments and no others, "likely" where '
        'judgments break off at its depth or it has nearly all of them, and "unclear"'
    )
    ties: str = column("the order in which tied documents were pooled")
    judgments: int = column("judged documents")
    not_judged: int = column("documents that are in the pool and not judged, which have the grade -1")
    explained: int = column("judged documents that stand within the depth of the pool in one of its runs")
    relevant: int = column("judged documents that are relevant")
    explained_relevant: int = column("those that stand within the depth of the pool in one of its runs")
    inside: float = column("share of the pool's documents that the judgments have")
    outside: float = column("share of documents that the judgments have, just past the pool")
    edge: float = column("how many times as likely the judgments are with an edge at its depth, as a power of ten")
    num_topics: int = column("how many topics are judged")
    given: bool = column("whether the runs of the pool were named, rather than found")

    @cached_property
    def runs(self) -> Mapping[str, Contribution]:
        """Each run's part, by its name."""
        return ByName({part.run: part for part in self.parts})

    @property
    def by_name(self) -> Mapping[str, Contribution]:
        """What was found, by run."""
        return self.runs

    @property
    def ordered(self) -> list[Contribution]:
        """Runs that contributed first, then those that may have; most relevant documents of their own first."""
        place = {True: 0, None: 1, False: 2}
        return sorted(
            self.parts,
            key=lambda part: (place[part.contributes], -part.unique_relevant, -part.unique, -part.judged_to),
        )

    @derived(for_people=False)
    def contributors(self) -> tuple[str, ...]:
        """The runs that contributed."""
        return tuple(part.run for part in self.parts if part.contributes)

    @derived(for_people=False)
    def possible(self) -> tuple[str, ...]:
        """The runs for which it cannot be determined whether they contributed."""
        return tuple(part.run for part in self.parts if part.contributes is None)

    def verdict(self, show: str) -> str:
        """Whether these runs were pooled, how deep, and how much of the judgments that explains."""
        if self.depth is None or not (self.contributors or self.possible):
            return NOT_POOLED
        sure, every = len(self.contributors), len(self.contributors) + len(self.possible)
        share = self.explained / max(self.judgments, 1)
        depth = f"{self.depth}" if self.depth == self.deepest else f"{self.depth} to {self.deepest}"
        members = f"{sure} to {every}" if self.possible and not self.given else f"{every}"
        if self.given:
            form = GIVEN
        elif self.explained == self.judgments:
            form = NOTHING_ELSE
        else:
            form = MOST
        few = "" if share < 1 / 2 else None
        return sentence(form, depth=depth, members=members, runs=len(self), share=share, few=few)

    def own_notes(self, show: str) -> Iterator[Note]:
        """What was found, and how sure it is."""
        if self.depth is None or not (self.contributors or self.possible):
            yield NO_POOL()
            return
        yield self._depth(self.depth)
        form = "" if self.explained < self.judgments else "certain" if self.certainty == "certain" else "all"
        yield HELD(
            form,
            held=self.explained,
            judgments=self.judgments,
            share=self.explained / max(self.judgments, 1),
            others=self.judgments - self.explained,
            not_judged=self.not_judged or None,
            certainty=self.certainty,
        )
        if self.possible:
            yield self._unclear()

    def _depth(self, depth: int) -> Note:
        members = [self[name] for name in (*self.contributors, *self.possible)]
        known: dict[str, Any] = {
            "depth": depth,
            "deepest": self.deepest,
            "contributors": len(self.contributors),
            "members": len(members),
            "runs": len(self),
        }
        if self.given:
            shallower = sum(part.judged_to < depth and not part.to_end for part in members)
            return DEPTH("given", shallower=shallower or None, **known)
        known["at_least"] = len(self.contributors) if self.possible else None
        known["inside"] = None if math.isnan(self.inside) else self.inside
        known["outside"] = None if math.isnan(self.inside) or math.isnan(self.outside) else self.outside
        if depth == self.deepest:
            return DEPTH(**known)
        topics = Counter(topic.depth for topic in self.topics)
        by, counts = ("topic", topics) if len(topics) > 1 else ("run", Counter(part.pool_depth for part in members))
        if len(counts) > 3:
            return DEPTH("various", by=by, **known)
        depths = [
            {
                "depth": each,
                "topics": count if by == "topic" else None,
                "runs": count if by == "run" else None,
            }
            for each, count in sorted(counts.items())
        ]
        return DEPTH("varied", by=by, depths=depths, **known)

    def _unclear(self) -> Note:
        shared = [name for name in self.possible if not self[name].own]
        few = [name for name in self.possible if self[name].own]
        return UNCLEAR(
            runs=len(self.possible),
            names=self.possible,
            shared=shared or None,
            shared_runs=len(shared),
            few=few or None,
            few_runs=len(few),
        ).weighed(share=len(self.possible) / len(self))

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Shares of judged documents by their depth, that of the pool among them."""
        if show != "runs":
            return super().layout(show, top=top)
        at = sorted({10, 100} if self.depth is None else {10, 100, self.depth})
        shares = [Column(f"Judged@{depth}", number=True) for depth in at]
        varied = self.depth != self.deepest and len({part.pool_depth for part in self.parts if part.pool_depth}) > 1
        depth = [Column("pooled to", number=True)] if varied else []
        numbers = [Column(name, number=True) for name in ("own", "judged", "relevant", "weight")]
        columns = (Column("run", whole=True), Column("contributes"), *depth, Column("judged to", number=True))
        return Table((*columns, *shares, *numbers), tuple(self._cells(part, at, varied) for part in self.ordered))

    def _cells(self, part: Contribution, at: Sequence[int], varied: bool) -> tuple[Cell, ...]:
        shares = {10: part.judged_10, 100: part.judged_100}
        if self.depth is not None:
            shares[self.depth] = part.judged_pool
        contributes = "unclear" if part.contributes is None else plain(part.contributes)
        judged_to = f"{part.judged_to} (end)" if part.to_end else part.judged_to
        own = (part.own, part.unique, part.unique_relevant, "" if math.isnan(part.weight) else f"{part.weight:+.0f}")
        depth = (part.pool_depth,) if varied else ()
        return (part.run, contributes, *depth, judged_to, *(shares[depth] for depth in at), *own)

    def caption(self, show: str) -> str:
        """How many topics and judgments, and the pool."""
        pool = "no pool"
        if self.depth is not None and self.deepest is not None:
            runs = counted(len(self.contributors), "run")
            maybe = f" and perhaps {len(self.possible)} more" if self.possible else ""
            pool = f"pool of {runs}{maybe}, {deep((self.depth, self.deepest))} deep"
        counts = f"{counted(self.num_topics, 'topic')}, {counted(self.judgments, 'judgment')}"
        return f"{counts}, ties {self.ties}, {pool}: {self.certainty}"

    def __repr__(self) -> str:
        return f"Pools(depth {self.depth}, {len(self.contributors)} of {len(self)} runs contribute)"


class Pooled(Row):
    """A document of a pool."""

    topic: str = column("the topic")
    document: str = column("the document")
    runs: int = column("how many runs have it within the depth of the pool")
    best_rank: int = column("its best rank over these runs")
    grade: float | None = column("what it is judged; null where it is not")


class DocumentPool(Answer, Sequence[Pooled]):
    """The documents that runs have within a depth, by topic; those of most runs first, then those ranked best."""

    question = "pool"
    sheets = {"documents": Sheet(Pooled, "the documents of a pool; in Python", top=20)}

    documents: tuple[Pooled, ...]
    depth: int = column("how deep the pool is")
    runs: tuple[str, ...] = column("the runs that were pooled")

    @property
    def to_judge(self) -> tuple[Pooled, ...]:
        """The documents that have no judgment yet."""
        return tuple(one for one in self.documents if one.grade is None)

    def by_topic(self) -> dict[Any, list[Any]]:
        """The documents of each topic, both as they were given: as text, or as whole numbers."""
        found: dict[str, list[Any]] = {}
        for one, document in zip(self.documents, as_given([one.document for one in self.documents]), strict=True):
            found.setdefault(one.topic, []).append(document)
        return ByTopic(found.items())

    def to_qrels(self, *, judged: bool = True) -> str:
        """Lines of TREC qrels, with the grade -1 where there is no judgment; ``judged=False`` has these lines only."""
        from truerank.io.trec import judgment_lines

        some = self.documents if judged else self.to_judge
        return judgment_lines((one.topic, one.document, NOT_JUDGED if one.grade is None else one.grade) for one in some)

    @overload
    def __getitem__(self, place: int) -> Pooled: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Pooled]: ...
    def __getitem__(self, place: int | slice) -> Pooled | Sequence[Pooled]:
        return self.documents[place]

    def __len__(self) -> int:
        return len(self.documents)

    def __repr__(self) -> str:
        return f"DocumentPool({len(self)} documents, {len(self.runs)} runs to depth {self.depth})"


class PoolFiles(Answer):
    """Judgments of a shallower pool, and documents to judge: what the command writes in place of a table."""

    written: tuple[Written, ...]

    def writes(self) -> Iterable[Written]:
        """The files."""
        return self.written


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
    from truerank.questions.pool.work import pooled_track, summarise, survey_runs

    track = pooled_track(qrels, runs, precision, depth, ties, engine)
    parts = survey_runs(track, depth, ties, progress)
    return summarise(survey(track.judgments, parts, depth=depth, contributors=contributors))


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
    from truerank.questions.pool.work import pooled_track, restricted, survey_runs

    track = pooled_track(qrels, runs, precision, depth, ties, engine)
    parts = survey_runs(track, depth, ties, progress)
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
    >>> [(one.document, one.runs, one.best_rank) for one in found]
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
    from truerank.questions.pool.leave_out import refuse, score_run, summarise, with_cache
    from truerank.questions.pool.work import graded, refuse_pool
    from truerank.track.track import Track

    readings = READINGS if unjudged is None else (unjudged,) if isinstance(unjudged, str) else tuple(unjudged)
    refuse(by, groups, readings, parse_all(measures))
    refuse_pool(depth, pool_ties)
    track = with_cache(Track.of(qrels, runs, measures, {**given, "unjudged": readings[0]}, engine=engine))
    graded(track.judgments)
    near = reach(len(track.runs), len(track.judgments.topics), depth)
    parts = track.each(score_run, progress=progress, readings=readings, orders=orders(pool_ties), reach=near)
    found = survey(track.judgments, parts, depth=depth, contributors=contributors)
    return summarise(track, parts, found, by=by, groups=groups)


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
    """Find which runs were pooled, how deep, and what new runs lose.

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
