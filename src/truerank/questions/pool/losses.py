"""The answer to what systems lose that are left out of the pool, and how fair the pool is to new ones."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Annotated, Any

from truerank.conventions.axes import AXES, Conventions
from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.pooling.certainty import NEARLY
from truerank.report.answer import Answer, Sheet
from truerank.report.rows import Row, column, derived
from truerank.report.signature import Option
from truerank.report.table import Table, caption

VERDICTS = {
    "fair": "New systems can be compared with those of the pool",
    "nearly fair": "New systems can be compared with those of the pool if their scores are some way apart",
    "biased against": "New systems are at a disadvantage: judge their documents, or bound their scores",
    "biased for": "New systems are at an advantage: judge their documents, or bound their scores",
    "cannot be determined": "What new systems would lose cannot be determined from this",
}
_CHANGED = (
    "{measure}, unjudged {unjudged}: left out, a system [loses {mean_lost:.4f}][gains {mean_gained:.4f}]"
    "[ ({mean_relative:.1%})] on average; at the extremes {extremes}[; {steepest} falls {fallen} of {systems} ranks]"
    "[; {steepest} rises {risen} of {systems} ranks][; tau {tau_b:.3f}][; {undefined} is undefined]. "
)
_UNCHANGED = "{measure}, unjudged {unjudged}: left out, no system loses or gains anything. "
_FORMS: dict[str, Any] = {
    f"{verdict}{ending}": said + consequence
    for ending, said in (("", _CHANGED), (", unchanged", _UNCHANGED))
    for verdict, consequence in VERDICTS.items()
}
LEFT_OUT = Code(
    "TR265",
    "what systems lose that are left out of the pool, and how fair it is to new ones",
    **_FORMS,
    each={"extremes": "{run} [loses {lost:.4f}][gains {gained:.4f}][ ({relative:.1%})]"},
)
_LEFT_OUT = (
    "[{runs:run}][{groups:group}] left out in turn; the runs of the pool hold {explained:%} of the judged documents"
)
PART = Code(
    "TR266",
    "how much of the judgments the runs explain that are left out in turn, and whether it is enough",
    _LEFT_OUT,
    part=f"{_LEFT_OUT}: others are from runs that are not here, which may have had what one of these has alone, so "
    "that it seems to lose too much",
    few=f"{_LEFT_OUT}: what {{left_out}} lose says little of others; {{least}} are the least",
)

READINGS = ("nonrelevant", "condensed")
"""What unjudged documents may count as where systems are left out: what gives one score."""
SURE, NEAR = 0.95, 0.9
"""Kendall's tau from which on orderings count as the same, and as nearly the same."""
LITTLE = 0.05
"""Share of the scores, or of all places, that may be lost or won before it matters."""
FEW = 5
"""Systems, or groups of them, that have to be left out in turn before anything is said of others."""
MANY = 10
"""Losses by one measure that people are shown."""


class Loss(Row):
    """A system scored with all judgments, and without those that only it, or its group, contributed."""

    measure: str = column("the measure")
    unjudged: str = column("what documents without a judgment count as")
    run: str = column("the system")
    group: str = column("its group, which was left out with it", over="none")
    score: float = column("its score with all judgments", over="mean")
    without: float = column("its score without the judgments that only its group contributed", over="mean")
    loss: float = column("how much worse it is without them; negative where it is better", over="mean")
    relative: float = column("the loss as a share of the score; undefined for a score of 0", head="share", over="mean")
    rank: int = column("its rank among all systems")
    rank_without: int = column("its rank without these judgments")
    removed: int = column("judgments that only its group contributed")
    removed_relevant: int = column("those of relevant documents", head="relevant")

    @property
    def drop(self) -> int:
        """Ranks lost; negative if some are won."""
        return self.rank_without - self.rank

    @derived(head="measure")
    def read(self) -> str:
        """The measure, and what unjudged documents count as where that is not the usual."""
        return self.measure if self.unjudged == AXES["unjudged"].default else f"{self.measure} {self.unjudged}"

    @derived(head="rank")
    def ranks(self) -> str:
        """Its ranks with and without the judgments."""
        return f"{self.rank} to {self.rank_without}" if self.drop else str(self.rank)

    brief = ("read", "run", "group", "score", "without", "loss", "relative", "ranks", "removed", "removed_relevant")


class LossSummary(Row):
    """The losses of all systems left out, by one measure under one reading of unjudged documents."""

    measure: str = column("the measure")
    unjudged: str = column("what documents without a judgment count as")
    left_out: int = column("systems that were left out")
    groups: int = column("how many times that was: systems, or groups of them")
    explained: float = column("share of the judged documents that the runs of the pool hold", over="mean")
    systems: int = column("all systems")
    mean_loss: float = column("the mean loss of the systems left out", over="mean")
    mean_relative: float = column("the mean loss as a share of the mean score", over="mean")
    tau_b: float = column("Kendall's tau-b between all systems as scored and as scored when left out", over="mean")

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
        """How far the pool can be trusted for new systems: "fair", "nearly fair", "biased against" or "biased for".

        It "cannot be determined" from a few systems, or from runs that hold a part of the judged documents only.
        """
        if self.groups < FEW or self.explained < NEARLY:
            return "cannot be determined"
        if not self.tau_b >= NEAR:
            return "biased against" if self.mean_loss >= 0 else "biased for"
        few = abs(self.steepest_drop.drop) <= max(1.0, LITTLE * self.systems)
        little = abs(self.mean_relative) <= LITTLE and few
        return "fair" if self.tau_b >= SURE and little else "nearly fair"

    def note(self) -> Note:
        """What systems lose, and what follows for new ones."""
        known: dict[str, Any] = {
            "measure": self.measure,
            "unjudged": self.unjudged,
            "mean_loss": self.mean_loss,
            "tau_b": None if math.isnan(self.tau_b) else self.tau_b,
            "verdict": self.verdict,
        }
        extremes = {one.run: one for one in (self.largest_loss, self.smallest_loss) if one.loss}
        if not extremes:
            return LEFT_OUT(f"{self.verdict}, unchanged", **known)
        drop = self.steepest_drop.drop
        mean = _lost_or_gained(self.mean_loss, self.mean_relative)
        return LEFT_OUT(
            self.verdict,
            **{f"mean_{name}": value for name, value in mean.items()},
            extremes=[{"run": run, **_lost_or_gained(one.loss, one.relative)} for run, one in extremes.items()],
            steepest=self.steepest,
            fallen=drop if drop > 0 else None,
            risen=-drop if drop < 0 else None,
            systems=self.systems,
            undefined="tau" if math.isnan(self.tau_b) else None,
            **known,
        )


def _lost_or_gained(loss: float, relative: float) -> dict[str, float | None]:
    """A loss or a gain, and its share of the score.

    >>> _lost_or_gained(-0.004, float("nan"))
    {'lost': None, 'gained': 0.004, 'relative': None}
    """
    return {
        "lost": loss if loss >= 0 else None,
        "gained": -loss if loss < 0 else None,
        "relative": None if math.isnan(relative) else abs(relative),
    }


class LeaveOut(Answer):
    """Every contributing system, or group of systems, left out of the pool; the largest losses first."""

    question = "pool"
    by_collection = True
    sheets = {
        "losses": Sheet(Loss, "with --leave-out, what each system loses", top=MANY, by="read", needs="by"),
        "summaries": Sheet(LossSummary, "with --leave-out, what systems lose by each measure", needs="by"),
    }

    by: str = column('what was left out at a time: "run" or "group"')
    depth: int = column("how deep the pool is, in every topic and for all its runs")
    explained: float = column("share of the judged documents that the runs of the pool hold")
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

    def own_notes(self, show: str) -> Iterator[Note]:
        """How much of the judgments the runs explain; by measure, what systems lose, and how far to trust the pool."""
        form = "part" if self.explained < NEARLY else "few" if len(self.groups) < FEW else ""
        count = len(self.groups)
        yield PART(
            form,
            by=self.by,
            left_out=count,
            runs=count if self.by == "run" else None,
            groups=count if self.by == "group" else None,
            explained=self.explained,
            least=FEW,
        )
        yield from (one.note() for one in self.summaries)

    def layout(
        self,
        show: str,
        *,
        top: Annotated[int | None, Option("Losses that people see of each measure.", metavar="N", least=1)] = None,
    ) -> Table:
        """The largest losses by each measure under each reading of unjudged documents."""
        return self._named(super().layout(show, top=top))

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
