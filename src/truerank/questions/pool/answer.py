"""The answers: which runs the judgments were pooled from, what systems lose by being left out, and documents pooled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Annotated, overload

from truerank.conventions.axes import AXES, Conventions
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import Answer, ByName, Keyed, Sheet, Written
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option
from truerank.report.table import Cell, Column, Table, caption, plain
from truerank.track.certainty import certainty

NO_POOL = Code(
    "TR261",
    "judgments that are no pool of the runs",
    "no run is judged down to rank {depth} in every topic: the judgments are no pool of these runs, "
    "or their ties were in another order",
)
DEPTH = Code("TR262", "how deep the pool is, and how many runs show it")
HELD = Code("TR263", "how many of the judged documents the pool holds")
THROUGH_OTHERS = Code(
    "TR264",
    "contributing runs without a document of their own",
    "{runs} of them may be judged through others alone, having no document of their own: {names:names}",
)
LEFT_OUT = Code("TR265", "what systems lose that are left out of the pool, and how fair it is to new ones")

READINGS = ("nonrelevant", "condensed")
"""What unjudged documents may count as where systems are left out: what gives one score."""
SURE, NEAR = 0.95, 0.9
"""Kendall's tau from which on orderings count as the same, and as nearly the same."""
LITTLE = 0.05
"""Share of the scores, or of all places, that may be lost or won before it matters."""
MANY = 10
"""Losses by one measure that people are shown."""
UNJUDGED = -1
"""The grade that stands, in qrels, for a document that is in the pool and not judged."""
VERDICTS = {
    "fair": "New systems can be compared with those of the pool",
    "nearly fair": "New systems can be compared with those of the pool if their scores are some way apart",
    "biased against": "New systems are at a disadvantage: judge their documents, or bound their scores",
    "biased for": "New systems are at an advantage: judge their documents, or bound their scores",
}


class Contribution(Row):
    """What a run has to do with the pool."""

    run: str = column("the run")
    contributes: bool = column("whether its documents are judged down to the depth of the pool in every topic")
    judged_to: int = column("the deepest rank down to which its documents are judged in every topic")
    to_end: bool = column("whether that is the end of all its lists")
    judged_pool: float = column("share of judged documents down to the depth of the pool")
    judged_10: float = column("share of judged documents among the first 10")
    judged_100: float = column("share of judged documents among the first 100")
    unique: int = column("documents that it alone contributed")
    unique_relevant: int = column("relevant ones among them")


class Pools(Keyed[Contribution], Answer):
    """The pool that judgments were made of, as far as runs tell, and each run's part in it: ``found["bm25"]``."""

    question = "pool"
    sheets = {"runs": Sheet(Contribution, "each run's part in the pool", of="ordered")}

    parts: tuple[Contribution, ...]
    """In the order of the runs."""
    depth: int | None = column("how deep the pool is; null where the runs do not tell")
    ties: str = column("the order in which tied documents were pooled")
    judgments: int = column("judged documents")
    explained: int = column("those that stand within that depth in a contributing run")
    relevant: int = column("judged documents that are relevant")
    explained_relevant: int = column("those that stand within that depth in a contributing run")
    num_topics: int = column("how many topics are judged")

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
        """Runs that contributed first, and of these the one with most relevant documents of its own."""
        return sorted(
            self.parts,
            key=lambda part: (not part.contributes, -part.unique_relevant, -part.unique, -part.judged_to),
        )

    @derived(for_people=False)
    def contributors(self) -> tuple[str, ...]:
        """The runs that the pool was made of."""
        return tuple(part.run for part in self.parts if part.contributes)

    @derived(for_people=False)
    def certainty(self) -> str:
        """How sure the pool is: "certain", "likely" or "unclear", by the share of the judgments that it holds."""
        return certainty(self.depth, len(self.contributors), self.explained, self.judgments)

    def says(self, show: str) -> Iterator[Note]:
        """What was found, and how sure it is."""
        if self.depth is None or not self.contributors:
            yield NO_POOL(depth=self.depth or 1)
            return
        yield self._depth(self.depth)
        yield self._held()
        alone = [name for name in self.contributors if not self[name].unique]
        if alone and len(self.contributors) > 1:
            yield THROUGH_OTHERS(runs=len(alone), names=alone)

    def _depth(self, depth: int) -> Note:
        some = [self[name] for name in self.contributors]
        stop = sum(part.judged_to == depth and not part.to_end for part in some)
        those = f"{len(some)} of {counted(len(self), 'run')}"
        if any(part.judged_to < depth and not part.to_end for part in some):
            said = f"the pool is taken to be {depth} deep, of {those}; not all of these are judged so deep"
        else:
            exact = f", {stop} of them no deeper" if stop else ", and deeper"
            verb = "is" if len(some) == 1 else "are"
            said = f"{those} {verb} judged down to rank {depth} in every topic{exact}: the pool is {depth} deep"
        return DEPTH(said, depth=depth, contributors=len(some), runs=len(self), no_deeper=stop)

    def _held(self) -> Note:
        said = f"it holds {self.explained:,} of {self.judgments:,} judged documents"
        if self.certainty == "certain":
            said = f"it holds all {self.judgments:,} judged documents, so that nothing else was judged"
        elif self.certainty == "likely":
            said += f"; the other {self.judgments - self.explained:,} were found in other ways"
        else:
            said += ": the others were found in other ways, or by other runs, so that its depth is a guess"
        return HELD(said, held=self.explained, judgments=self.judgments, certainty=self.certainty)

    def layout(self, show: str, *, top: int | None = None) -> Table:
        """Shares of judged documents by their depth, that of the pool among them."""
        at = sorted({10, 100} if self.depth is None else {10, 100, self.depth})
        shares = [Column(f"Judged@{depth}", number=True) for depth in at]
        numbers = [Column(name, number=True) for name in ("unique", "relevant")]
        columns = (Column("run", whole=True), Column("contributes"), Column("judged to", number=True))
        return Table((*columns, *shares, *numbers), tuple(self._cells(part, at) for part in self.ordered))

    def _cells(self, part: Contribution, at: Sequence[int]) -> tuple[Cell, ...]:
        shares = {10: part.judged_10, 100: part.judged_100}
        if self.depth is not None:
            shares[self.depth] = part.judged_pool
        judged_to = f"{part.judged_to} (end)" if part.to_end else part.judged_to
        own = (part.unique, part.unique_relevant)
        return (part.run, plain(part.contributes), judged_to, *(shares[depth] for depth in at), *own)

    def caption(self, show: str) -> str:
        """How many topics and judgments, and the pool."""
        pool = "no pool"
        if self.depth is not None:
            pool = f"pool of {counted(len(self.contributors), 'run')}, {self.depth} deep"
        counts = f"{counted(self.num_topics, 'topic')}, {counted(self.judgments, 'judgment')}"
        return f"{counts}, ties {self.ties}, {pool}: {self.certainty}"

    def __repr__(self) -> str:
        return f"Pools(depth {self.depth}, {len(self.contributors)} of {len(self)} runs contribute)"


class Loss(Row):
    """A system scored with all judgments, and without those that only it, or its group, contributed."""

    measure: str = column("the measure")
    unjudged: str = column("what documents without a judgment count as")
    run: str = column("the system")
    group: str = column("its group, which was left out with it")
    score: float = column("its score with all judgments")
    without: float = column("its score without the judgments that only its group contributed")
    loss: float = column("how much worse it is without them; negative where it is better")
    relative: float = column("the loss as a share of the score; undefined for a score of 0", head="share")
    rank: int = column("its place among all systems")
    rank_without: int = column("its place without these judgments")
    removed: int = column("judgments that only its group contributed")
    removed_relevant: int = column("those of relevant documents", head="relevant")

    @property
    def drop(self) -> int:
        """Places lost; negative where some are won."""
        return self.rank_without - self.rank

    @derived(head="measure")
    def read(self) -> str:
        """The measure, and what unjudged documents count as where that is not the usual."""
        return self.measure if self.unjudged == AXES["unjudged"].default else f"{self.measure} {self.unjudged}"

    @derived(head="rank")
    def places(self) -> str:
        """Its places with and without the judgments."""
        return f"{self.rank} to {self.rank_without}" if self.drop else str(self.rank)

    brief = ("read", "run", "group", "score", "without", "loss", "relative", "places", "removed", "removed_relevant")


class LossSummary(Row):
    """The losses of all systems left out, by one measure under one reading of unjudged documents."""

    measure: str = column("the measure")
    unjudged: str = column("what documents without a judgment count as")
    left_out: int = column("systems that were left out")
    systems: int = column("all systems")
    mean_loss: float = column("the mean loss of the systems left out")
    mean_relative: float = column("the mean loss as a share of the mean score")
    tau: float = column("Kendall's tau-b between all systems as scored and as scored when left out")

    largest_loss: Loss
    """The greatest loss."""
    smallest_loss: Loss
    """The smallest loss, or the greatest gain."""
    steepest_drop: Loss
    """The greatest change of rank."""

    @derived(for_people=False)
    def largest(self) -> str:
        """The system with the greatest loss."""
        return self.largest_loss.run

    @derived(for_people=False)
    def smallest(self) -> str:
        """The system with the smallest loss, or the greatest gain."""
        return self.smallest_loss.run

    @derived(for_people=False)
    def steepest(self) -> str:
        """The system whose rank changes most."""
        return self.steepest_drop.run

    @derived(for_people=False)
    def verdict(self) -> str:
        """How far the pool can be trusted for new systems: "fair", "nearly fair", "biased against", "biased for"."""
        if not self.tau >= NEAR:
            return "biased against" if self.mean_loss >= 0 else "biased for"
        few = abs(self.steepest_drop.drop) <= max(1.0, LITTLE * self.systems)
        little = abs(self.mean_relative) <= LITTLE and few
        return "fair" if self.tau >= SURE and little else "nearly fair"

    def note(self) -> Note:
        """What was found, in words."""
        parts = [f"a system {_moved(self.mean_loss, self.mean_relative)} on average"]
        extremes = {one.run: one for one in (self.largest_loss, self.smallest_loss) if one.loss}
        if extremes:
            most = [f"{one.run} {_moved(one.loss, one.relative)}" for one in extremes.values()]
            parts.append(f"at the extremes {' and '.join(most)}")
        if moved := self.steepest_drop.drop:
            way = "falls" if moved > 0 else "rises"
            parts.append(f"{self.steepest} {way} {abs(moved)} of {self.systems} places")
        parts.append("tau is undefined" if math.isnan(self.tau) else f"tau {self.tau:.3f}")
        said = f"{self.measure}, unjudged {self.unjudged}: left out, {'; '.join(parts)}. {VERDICTS[self.verdict]}"
        return LEFT_OUT(
            said,
            measure=self.measure,
            unjudged=self.unjudged,
            mean_loss=self.mean_loss,
            tau=self.tau,
            verdict=self.verdict,
        )


def _moved(loss: float, relative: float) -> str:
    """A loss or a gain in words.

    >>> _moved(0.0192, 0.041), _moved(-0.004, float("nan"))
    ('loses 0.0192 (4.1%)', 'gains 0.0040')
    """
    share = "" if math.isnan(relative) else f" ({abs(relative):.1%})"
    return f"{'gains' if loss < 0 else 'loses'} {abs(loss):.4f}{share}"


class LeaveOut(Answer):
    """Every contributing system, or group of systems, left out of the pool; the largest losses first."""

    question = "pool"
    sheets = {
        "losses": Sheet(Loss, "with --leave-out, what each system loses", top=MANY, by="read", needs="by"),
        "summaries": Sheet(LossSummary, "with --leave-out, what systems lose by each measure", needs="by"),
    }

    by: str = column('what was left out at a time: "run" or "group"')
    depth: int = column("how deep the pool is")
    groups: dict[str, tuple[str, ...]] = column("the runs of each group that was left out")
    conventions: Conventions = column("the conventions that scores were read under")
    losses: tuple[Loss, ...]
    summaries: tuple[LossSummary, ...]

    def of(self, measure: object, unjudged: str = "nonrelevant") -> tuple[Loss, ...]:
        """The losses by one measure, the largest first."""
        found = tuple(one for one in self.losses if (one.measure, one.unjudged) == (str(measure), unjudged))
        if not found:
            known = ", ".join(f"{one.measure} ({one.unjudged})" for one in self.summaries)
            raise KeyError(f"{measure} with unjudged {unjudged} was not evaluated; there are {known}")
        return found

    def says(self, show: str) -> Iterator[Note]:
        """By measure, what systems lose, and how far the pool can be trusted."""
        return (one.note() for one in self.summaries)

    def layout(
        self,
        show: str,
        *,
        top: Annotated[int | None, Option("Losses that people see of each measure.", metavar="N", least=1)] = None,
    ) -> Table:
        """The largest losses by each measure under each reading of unjudged documents."""
        table = self._named(super().layout(show, top=top))
        cut = len(self.rows(show)) - len(table.rows)
        if not cut:
            return table
        said = f"{counted(cut, 'smaller loss', 'smaller losses')} {'is' if cut == 1 else 'are'} not shown"
        return replace(table, caption=f"{self.caption(show)}; {said}")

    def whole_layout(self, show: str) -> Table:
        """Groups are named where several runs are left out together."""
        return self._named(super().whole_layout(show))

    def _named(self, table: Table) -> Table:
        """The table without the column of groups, where each run is its own."""
        if self.by == "group":
            return table
        kept = [place for place, one in enumerate(table.columns) if one.name != "group"]
        columns = tuple(table.columns[place] for place in kept)
        return replace(table, columns=columns, rows=tuple(tuple(row[place] for place in kept) for row in table.rows))

    def caption(self, show: str) -> str:
        """How many were left out, the depth of the pool and the conventions."""
        left = f"{counted(len(self.groups), self.by)} left out in turn"
        return caption(
            left, f"pool {self.depth} deep", conventions=self.conventions.unusual("ties", apart=["unjudged"])
        )

    def __repr__(self) -> str:
        return f"LeaveOut({len(self.groups)} {self.by}s, {len(self.summaries)} readings, pool of depth {self.depth})"


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

    def by_topic(self) -> dict[str, list[str]]:
        """The documents of each topic."""
        found: dict[str, list[str]] = {}
        for one in self.documents:
            found.setdefault(one.topic, []).append(one.document)
        return found

    def to_qrels(self, *, judged: bool = True) -> str:
        """Lines of TREC qrels, with the grade -1 where there is no judgment; ``judged=False`` has these lines only."""
        from truerank.io.trec import judgment_lines

        some = self.documents if judged else self.to_judge
        return judgment_lines((one.topic, one.document, UNJUDGED if one.grade is None else one.grade) for one in some)

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
