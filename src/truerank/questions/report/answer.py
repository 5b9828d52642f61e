"""The answer: a leaderboard with what is open of every score, the verdict in sentences, and the page of it all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from truerank.data.notes import Code, Note
from truerank.questions.compare.answer import GateOutcome
from truerank.report.answer import Answer, Sheet, TrackAnswer
from truerank.report.digits import ranks
from truerank.report.pages.answer import PageAnswer
from truerank.report.rows import Row, column, derived
from truerank.report.several import SeveralCollections
from truerank.report.table import caption

if TYPE_CHECKING:
    from truerank.measures.core.base import Measure
    from truerank.questions.report.parts import ReportParts
    from truerank.report.pages.html import Page

VERDICT = Code("TR801", "what all questions together say of runs by a measure", "{text}")
LEFT_OUT = Code("TR802", "a part that a report has not, and why", "no {part}: {reason}")


SHALLOW = 10
"""Depth that unjudged documents are counted to, for a measure without a cutoff."""
TOP = 20
"""Runs of each measure that people see where no page is written."""


def counted_to(measure: Measure) -> int:
    """How deep unjudged documents are counted by a measure."""
    return measure.cutoff or SHALLOW


class RunStanding(Row):
    """A run by a measure: its mean, how far that may be off, and where the run could stand."""

    measure: str = column("the measure")
    rank: int = column("its rank by the mean", head="#")
    run: str = column("the run")
    mean: float = column("the mean over topics, or what else sums them up by the measure", best="measure", over="mean")
    low: float = column(
        "where the 95% confidence interval of the mean begins; undefined where there is none", head="95% from"
    )
    high: float = column("where it ends", head="to")
    rank_low: int | None = column(
        "the best rank that it can have by significant differences; none if runs were not compared"
    )
    rank_high: int | None = column("the worst rank that it can have by significant differences")
    ties_worst: float | None = column(
        "the score with ties in the order that is worst in every topic",
        head="ties worst",
        minor=2,
        over="mean",
    )
    ties_best: float | None = column("the same in the best order", head="best", minor=2, over="mean")
    unjudged: float | None = column(
        "share of unjudged documents down to the cutoff of the measure, or else to 10",
        form="share",
        minor=1,
        over="mean",
    )
    unjudged_low: float | None = column(
        "the lowest score that judging documents that these runs list can lead to; none for a measure without bounds",
        over="mean",
    )
    unjudged_high: float | None = column("the highest such score", over="mean")

    @derived(head="possible ranks", over="none")
    def possible_ranks(self) -> str:
        """The ranks that it can have: those that no significant difference rules out."""
        if self.rank_low is None or self.rank_high is None:
            return ""
        return ranks((self.rank_low, self.rank_high))

    brief = ("measure", "rank", "run", "mean", "low", "high", "possible_ranks", "ties_worst", "ties_best", "unjudged")


class InputFile(Row):
    """What was read."""

    role: str = column('"judgments" or "run"')
    name: str = column("what it is called in the report")
    path: str = column("the file, as it was given; empty for data given in Python")
    size: int | None = column("bytes of the file")
    sha256: str = column("SHA-256 of the file, by which others can tell that they have the same one", default="")


class Report(PageAnswer, TrackAnswer[RunStanding]):
    """A report: ``found["bm25"]["AP"]`` is the standing of a run, and ``found.save("report.html")`` writes the page."""

    question = "report"
    by_collection = True
    sheets = {
        "runs": Sheet(
            RunStanding,
            "a leaderboard with intervals, possible ranks, and what ties and unjudged documents could change",
            of="standings",
            top=TOP,
            meaning="possible ranks are those that no significant difference rules out",
        ),
        "gates": Sheet(GateOutcome, "how gates came out", needs="gate"),
        "files": Sheet(InputFile, "the files that were read, with hashes", of="inputs"),
    }

    standings: tuple[RunStanding, ...]
    """By measure, the best first."""
    inputs: tuple[InputFile, ...]
    baseline: str | None = column("the run that others are compared with; none if there is one run")
    title: str = column("what stands above the page")
    made_by: str = column("the version of truerank")
    command: str = column("the command that makes the same report")
    made_on: date
    """The day."""
    chosen: str = ""
    """The baseline that was named, or that gates have; "" if each measure has its best run."""
    parts: ReportParts
    """The answers that the page is made of."""

    @classmethod
    def of_several(cls, answers: Sequence[Report], apart: str) -> Answer:
        """Collections, on one page."""
        return SeveralReports(answers=tuple(answers), apart=apart)

    @property
    def gates(self) -> tuple[GateOutcome, ...]:
        """How gates came out; none if none were asked for."""
        return () if self.parts.gated is None else self.parts.gated.gates

    @property
    def exit_code(self) -> int:
        """1 if a gate is not passed."""
        return 0 if self.parts.gated is None else self.parts.gated.exit_code

    def closing(self, block: str = "") -> Iterator[str]:
        """How gates came out."""
        if self.parts.gated is not None:
            yield from self.parts.gated.closing(block)

    def verdict(self, show: str) -> str:
        """The sentences that the page begins with, measure by measure."""
        if show == "gates" and self.parts.gated is not None:
            return self.parts.gated.verdict("gates")
        return " ".join(self._verdicts()) if show == "runs" else ""

    def _verdicts(self) -> Iterator[Note]:
        from truerank.questions.report.page import verdicts

        for one in verdicts(self):
            note = VERDICT(text=f"{one.text} {one.detail}".strip(), measure=one.measure)
            yield note.about(f"{one.measure}") if len(self.measures) > 1 else note

    def _around(self, show: str) -> Iterator[Note]:
        """For programs, the verdict is a note by each measure."""
        yield from super()._around(show)
        if show == "runs":
            yield from self._verdicts()

    def own_notes(self, show: str) -> Iterator[Note]:
        """What tests can show, and parts that are not there."""
        if show == "runs":
            from truerank.questions.report.page import named_baseline
            from truerank.questions.report.worth import of_tests

            for measure in self.measures:
                yield from of_tests(self.parts, measure, named_baseline(self))
        for part, reason in self.parts.left_out.items():
            yield LEFT_OUT(part=part, reason=reason)

    def caption(self, show: str) -> str:
        """How many runs and topics there are, and the conventions."""
        counts = f"{len(self):,} runs" if len(self) != 1 else "1 run"
        topics = f"{len(self.topics):,} topics" if len(self.topics) != 1 else "1 topic"
        return caption(counts, topics, conventions=self.conventions.unusual("ties", "unjudged", "ending"))

    def paged(self) -> Page:
        """Everything that is on the page."""
        from truerank.questions.report.page import page

        return page(self)

    def __repr__(self) -> str:
        return f"Report({len(self)} runs, {len(self.topics)} topics, {len(self.wanted)} measures)"


class SeveralReports(PageAnswer, SeveralCollections):
    """A report about several collections: one page, with what holds over all of them first."""

    @cached_property
    def comparison(self) -> SeveralCollections | None:
        """How runs compare, in each collection and over all; None if one of them has nothing to compare."""
        each = [(one.collection, one.parts.comparison) for one in self.answers]
        named = [replace(found, collection=name) for name, found in each if found is not None]
        if len(named) < len(each):
            return None
        from truerank.questions.compare.several import SeveralComparisons

        return SeveralComparisons(answers=tuple(named))

    def paged(self) -> Page:
        """Everything that is on the page."""
        from truerank.questions.report.page import page_of_all

        return page_of_all(self)
