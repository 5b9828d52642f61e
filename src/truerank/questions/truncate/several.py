"""The answer about several collections: best lengths in each, and tau over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.data.errors import InputError
from truerank.data.notes import Note
from truerank.questions.truncate.against import NOT_COMPARED
from truerank.questions.truncate.question import OF_SYSTEMS
from truerank.report.several import SeveralCollections
from truerank.report.signature import Theme, adjustable
from truerank.report.table import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from truerank.questions.truncate.against import Against
    from truerank.report.plots.chart import Plot
    from truerank.report.signature import Adjustments


class SeveralCuts(SeveralCollections):
    """The best length of every list in several collections; with other measures, tau with whole lists over all."""

    @cached_property
    def against(self) -> Against | None:
        """Systems by lists cut against systems by whole lists, if there are measures of these."""
        if not self.answers[0].compared:
            return None
        from truerank.questions.truncate.work import compare_orders

        return compare_orders(self.collections)

    @property
    def pairs(self) -> Sequence[Any]:
        return () if self.against is None else self.against.pairs

    @property
    def taus(self) -> Sequence[Any]:
        return () if self.against is None else self.against.taus

    @property
    def systems(self) -> Sequence[Any]:
        return () if self.against is None else self.against.systems

    def own_notes(self, show: str) -> Iterable[Note]:
        return () if self.against is None else self.against.own_notes(show)

    def caption(self, show: str) -> str:
        if not self.sheets[show].spans:
            return super().caption(show)
        return "" if self.against is None else self.against.caption(show)

    def layout(self, show: str, **options: Any) -> Table:
        if show == "against" and self.against is not None:
            return self.against.layout("mean")
        return super().layout(show, **options)

    def whole_layout(self, show: str, **options: Any) -> Table:
        """Programs see tau in each collection."""
        return super().whole_layout("taus" if show == "against" else show, **options)

    @adjustable
    def plot(
        self,
        show: str | None = None,
        *,
        pairs: Sequence[tuple[str, str]] | None = None,
        theme: Theme = "light",
        **look: Unpack[Adjustments],
    ) -> Plot:
        """Draw the share of lists by their best length, one panel per collection; or systems, see ``Cuts.plot``."""
        if show in OF_SYSTEMS:
            if self.against is None:
                raise InputError(NOT_COMPARED)
            return self.against.scatter(pairs, theme=theme)
        from truerank.questions.truncate.figure import plot_lengths

        return plot_lengths(self.answers, theme=theme)
