"""The answer about several collections: in each, and over all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.data.notes import Note
from truerank.report.answer import Top
from truerank.report.several import SeveralCollections

if TYPE_CHECKING:
    from truerank.questions.compare.across import Across
    from truerank.questions.compare.answer import AcrossPair, AcrossSystem
    from truerank.report.plots.chart import Plot


class SeveralComparisons(SeveralCollections):
    """Systems compared in several collections, and over all of them."""

    @cached_property
    def across(self) -> tuple[Across, ...]:
        """By measure, the systems over all collections."""
        from truerank.questions.compare.across import across

        return across(self.collections)

    @property
    def every_across(self) -> Sequence[AcrossSystem]:
        return [row for one in self.across for row in one.systems]

    @property
    def every_across_pair(self) -> Sequence[AcrossPair]:
        return [row for one in self.across for row in one.pairs]

    def usual(self) -> str:
        """Gates, if there are some; otherwise all collections together."""
        return "gates" if self.answers[0].gates else "across"

    def verdict(self, show: str) -> str:
        """Over all collections, which run is better or may be the best, after what makes that doubtful in one."""
        if not self.sheets[show].spans:
            return super().verdict(show)
        from truerank.questions.compare.across import verdict

        if not any(one.pairs for one in self.across):
            return ""
        doubts = [f"{note.about(one.collection)}." for one in self.answers for note in one.doubts]
        return " ".join([*doubts, *map(verdict, self.across)])

    def own_notes(self, show: str) -> Iterator[Note]:
        from truerank.questions.compare.across import said_across

        return said_across(self.across)

    def caption(self, show: str) -> str:
        from truerank.questions.compare.words import how_across

        return how_across(self.collections)

    def summary(self, top: Top = None) -> str:
        """The summary of each collection."""
        return "\n".join(f"## {one.collection}\n\n{one.summary(top)}" for one in self.answers)

    def render(self, form: str, show: str | None = None, *, quiet: Collection[str] | None = (), **options: Any) -> str:
        if show == "paper":
            from truerank.questions.compare.paper import FORMS

            if form in FORMS:
                return "\n\n".join(one.render(form, show) for one in self.answers)
        if form == "markdown" and show is None and self.answers[0].gates:
            return self.summary(top=options.get("top")).removesuffix("\n")
        return super().render(form, show, quiet=quiet, **options)

    def plot(self, show: str | None = None, **look: Any) -> Plot:
        """Draw each collection; of a sheet about all of them there is no figure of its own."""
        shown = None if show is not None and self.sheets[self.kind(show)].spans else show
        drawn: Plot = self._side_by_side("plot", self.answers[0].plot)(shown, **look)
        return drawn
