"""What colours mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerank.report.plots.chart import needed
from truerank.report.plots.theme import Theme
from truerank.report.plots.values import readable

_DASHES = ([1, 0], [5, 3], [2, 2], [8, 3, 2, 3])


@dataclass(frozen=True)
class Key:
    """The colours of groups, as the legend has them; past the last colour they start again, dashed."""

    theme: Theme
    title: str = ""
    groups: tuple[str, ...] = ()
    symbol: str = "stroke"
    """What stands before each in the legend: a "stroke" for lines, a "circle" for dots."""
    columns: int = 6
    """How many stand beside each other there."""
    aside: str = ""
    """A group that is there for comparison only: grey."""

    def colour(self) -> Any:
        """The channel of colours; without groups there is one colour."""
        palette = self.theme.palette
        if not self.groups:
            return needed("altair").ColorValue(palette[0])
        colours = [palette[place % len(palette)] for place in range(len(self.groups))]
        if self.aside:
            colours[self.groups.index(self.aside)] = self.theme.faint
        return self._channel("Color", colours)

    def channels(self) -> tuple[Any, ...]:
        """Colours, and dashes where there are too few of them."""
        colours = len(self.theme.palette)
        laps = [0 if group == self.aside else place // colours for place, group in enumerate(self.groups)]
        dashes = [_DASHES[lap % len(_DASHES)] for lap in laps]
        return (self.colour(), self._channel("StrokeDash", dashes)) if any(laps) else (self.colour(),)

    def _channel(self, name: str, values: list[Any]) -> Any:
        alt = needed("altair")
        legend = alt.Legend(title=self.title or None, orient="top", titleOrient="left", symbolType=self.symbol)
        legend.columns = self.columns
        scale = alt.Scale(domain=[*map(readable, self.groups)], range=values)
        return getattr(alt, name)("group:N", scale=scale, legend=legend)
