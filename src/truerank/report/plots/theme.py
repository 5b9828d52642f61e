"""How figures look: light or dark, in colours that colour-blind readers tell apart, and what colours mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import readable

FONT = "Helvetica, Arial, Liberation Sans, sans-serif"
SIZES = {"text": 15.0, "subtitle": 11.5, "label": 11.0}
"""Pixels of the letters of a title, of a caption and in a legend."""
PADDING = 12
"""Pixels around a figure."""
_DASHES = ([1, 0], [5, 3], [2, 2], [8, 3, 2, 3])
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down", "cross")


@dataclass(frozen=True)
class Theme:
    """The colours of everything in a figure."""

    name: str
    background: str
    ink: str
    """Of titles."""
    quiet: str
    """Of what stands on axes."""
    grid: str
    faint: str
    """Of the many lines that are there to be seen together."""
    alarm: str
    """Of a line that says where something ends."""
    palette: tuple[str, ...]
    """After Okabe & Ito, with more contrast to the background, since names are written in them too."""

    @property
    def config(self) -> dict[str, Any]:
        """The theme as a Vega-Lite configuration."""
        axis = {"labelColor": self.quiet, "titleColor": self.ink, "gridColor": self.grid, "domainColor": self.quiet}
        return {
            "background": self.background,
            "font": FONT,
            "padding": PADDING,
            "view": {"stroke": self.grid},
            "axis": {**axis, "tickColor": self.quiet, "gridWidth": 0.6, "labelFontSize": 10, "titleFontSize": 11}
            | {"tickSize": 4, "titleFontWeight": "bold", "titlePadding": 6, "titleLimit": 400},
            "legend": {
                "labelColor": self.ink,
                "titleColor": self.ink,
                "labelFontSize": SIZES["label"],
                "titleFontSize": 11,
            }
            | {"symbolStrokeWidth": 2.5, "symbolSize": 160, "labelLimit": 300, "titleLimit": 400},
            "title": {"color": self.ink, "subtitleColor": self.quiet, "fontSize": SIZES["text"]}
            | {"subtitleFontSize": SIZES["subtitle"]}
            | {"anchor": "start", "subtitlePadding": 5, "offset": 12},
        }


THEMES = {
    "light": Theme(
        name="light",
        background="#ffffff",
        ink="#1b1b1b",
        quiet="#555555",
        grid="#e7e7e7",
        faint="#b4b4b4",
        alarm="#d7261e",
        palette=("#005b96", "#3ba3e0", "#00875f", "#d88a00", "#c2649a", "#7a5195", "#1b1b1b"),
    ),
    "dark": Theme(
        name="dark",
        background="#16181d",
        ink="#f0f0f0",
        quiet="#b8bcc4",
        grid="#2d3139",
        faint="#5b616c",
        alarm="#ff6b5e",
        palette=("#2f9be0", "#9bd6fa", "#1fc297", "#f2b134", "#e79ac6", "#a98bd6", "#f0f0f0"),
    ),
}


def chosen(theme: str) -> Theme:
    """The theme of that name."""
    if theme not in THEMES:
        raise InputError(f"theme={theme!r} is not a choice; take one of {', '.join(THEMES)}")
    return THEMES[theme]


@dataclass(frozen=True)
class Key:
    """The colours of groups, as the legend has them; each has a dash or a shape too, for paper without colours.

    Past the last colour they start again, with other dashes.
    """

    theme: Theme
    title: str = ""
    groups: tuple[str, ...] = ()
    symbol: str = "stroke"
    """What stands before each in the legend: a "stroke" for lines, a "circle" for dots."""
    columns: int = 6
    """How many stand beside each other there."""
    aside: str = ""
    """A group that is there for comparison only: grey."""
    among: tuple[str, ...] = ()
    """All that colours are for, as they were given: so a run has the same colour wherever it is among some of them."""
    direct: bool = False
    """Whether each is named where it is drawn, so that there is no legend."""

    def places(self) -> list[int]:
        """The place of each group among the colours: that in which it was given, unless another has it."""
        if not self.among:
            return [*range(len(self.groups))]
        colours = len(self.theme.palette)
        found: dict[str, int] = {}
        for group in sorted(self.groups, key=self.among.index):
            first = self.among.index(group) % colours
            free = (at % colours for at in range(first, first + colours) if at % colours not in found.values())
            found[group] = next(free, len(found))
        return [found[group] for group in self.groups]

    def colour(self) -> Any:
        """The channel of colours; without groups there is one colour."""
        palette = self.theme.palette
        if not self.groups:
            return needed("altair", "a figure").ColorValue(palette[0])
        colours = [palette[place % len(palette)] for place in self.places()]
        if self.aside:
            colours[self.groups.index(self.aside)] = self.theme.faint
        return self._channel("Color", colours)

    def channels(self) -> tuple[Any, ...]:
        """Colours and dashes of lines; of those that are named beside their ends, dashes only past the last colour."""
        colours = len(self.theme.palette)
        steps = [place // colours if self.direct else place for place in self.places()]
        dashes = [
            _DASHES[0 if group == self.aside else step % len(_DASHES)]
            for group, step in zip(self.groups, steps, strict=True)
        ]
        return (self.colour(), self._channel("StrokeDash", dashes)) if any(steps) else (self.colour(),)

    def shapes(self) -> tuple[Any, ...]:
        """Colours and shapes of dots."""
        if len(self.groups) < 2:
            return (self.colour(),)
        return self.colour(), self._channel("Shape", [_SHAPES[place % len(_SHAPES)] for place in self.places()])

    def _channel(self, name: str, values: list[Any]) -> Any:
        alt = needed("altair", "a figure")
        legend = None
        if not self.direct:
            # A legend of shapes has them as symbols.
            symbol: dict[str, Any] = {} if name == "Shape" else {"symbolType": self.symbol}
            if self.symbol == "stroke":
                # Long enough for dashes to be told apart.
                symbol |= {"symbolSize": 700}
            legend = alt.Legend(title=self.title or None, orient="top", titleOrient="left", **symbol)
            legend.columns = self.columns
        scale = alt.Scale(domain=[*map(readable, self.groups)], range=values)
        return getattr(alt, name)("group:N", scale=scale, legend=legend)
