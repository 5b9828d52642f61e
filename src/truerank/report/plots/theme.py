"""How figures look: light or dark, in colours that colour-blind readers tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from truerank.data.errors import InputError

FONT = "Helvetica, Arial, Liberation Sans, sans-serif"


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
            "padding": 12,
            "view": {"stroke": self.grid},
            "axis": {**axis, "tickColor": self.quiet, "gridWidth": 0.6, "labelFontSize": 10, "titleFontSize": 11}
            | {"tickSize": 4, "titleFontWeight": "bold", "titlePadding": 6, "titleLimit": 400},
            "legend": {"labelColor": self.ink, "titleColor": self.ink, "labelFontSize": 11, "titleFontSize": 11}
            | {"symbolStrokeWidth": 2.5, "symbolSize": 160, "labelLimit": 300, "titleLimit": 400},
            "title": {"color": self.ink, "subtitleColor": self.quiet, "fontSize": 15, "subtitleFontSize": 11.5}
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
