"""The answers: which runs the judgments were pooled from, what systems lose by being left out, and documents pooled."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, overload

from truerank.data.given_ids import ByTopic, as_given
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.pooling.certainty import NOT_JUDGED, deep
from truerank.report.answer import Answer, ByName, Keyed, Sheet, Written
from truerank.report.rows import Row, column, derived
from truerank.report.table import Cell, Column, Table, plain

NO_POOL = Code(
    "TR261",
    "judgments that are no pool of the runs",
    "the judgments show no pool of these runs: down to no rank are documents judged clearly more often than past it; "
    "other runs were pooled, or none",
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
)
UNCLEAR = Code(
    "TR264",
    "runs for which it cannot be determined whether they contributed",
    "for {runs:run} it cannot be determined whether documents of theirs were pooled[: {shared:names} "
    "{shared_runs:has|have} no document alone][; {few:names} {few_runs:has|have} too few alone]",
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

    def says(self, show: str) -> Iterator[Note]:
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
        )

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
    rank: int = column("the best of their ranks")
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
