"""A figure that is done: shown in a notebook, or saved."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.printing import visible
from truerank.io.writing import put
from truerank.report.html import escaped
from truerank.report.plots.letters import fixed, wrapped
from truerank.report.plots.theme import SIZES

HOVER = "hover"
"""Name of what pointing at something selects, and the first part of the names of layers that only then matter."""
SCALE = 2
"""Pixels of a PNG for each pixel of the figure."""
FORMS = ("svg", "png", "pdf", "html", "json")
BESIDE = 60
"""Pixels that an axis takes beside its panel, about."""
NARROW = 440
"""Pixels that a caption may take, however narrow the panels below it are."""


def titled(title: dict[str, Any], width: float) -> dict[str, Any]:
    """A title and its caption, broken into lines of so many pixels, so that neither is cut off.

    >>> titled({"text": "a leads", "subtitle": "a line for each run, the pool dashed"}, 120)["subtitle"]
    ['a line for each run, the', 'pool dashed']
    """
    return {
        part: wrapped(said, SIZES[part], width, bold=part == "text") or "" if isinstance(said, str) else said
        for part, said in title.items()
    }


def form_of(path: str | os.PathLike[str]) -> str:
    """What a figure is to be written as, going by the ending; refuses a path where it cannot be written.

    >>> form_of("depth.SVG")
    'svg'
    """
    place = Path(path)
    form = place.suffix.lower().removeprefix(".")
    if form not in FORMS:
        endings = ", ".join(f".{form}" for form in FORMS)
        raise InputError(f"{place.name} does not say what figure to write; end it in one of {endings}")
    if place.is_dir():
        raise InputError(f"{place} is a directory; name a file")
    if not place.parent.is_dir():
        raise InputError(f"there is no folder {place.parent}; make it first")
    return form


@dataclass(frozen=True, eq=False)
class Plot:
    """A figure as a Vega-Lite specification with its data inside."""

    spec: dict[str, Any]
    width: int
    height: int
    ranking: tuple[str, ...] = ()
    """The runs that have marks of their own, the best first."""

    def __post_init__(self) -> None:
        # Names are somebody else's text; what draws breaks down, with all of Python, over one that is no XML.
        object.__setattr__(self, "spec", all_visible(self.spec))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the figure; the ending says as what: svg, png, pdf, html (interactive, needs no network) or json."""
        put(self.render(form_of(path)), path)
        return Path(path)

    def render(self, form: str) -> bytes:
        """The contents of a file: svg, png, pdf, html or json."""
        if form == "html":
            return self._page().encode()
        if form == "json":
            return (json.dumps(self.spec, allow_nan=False) + "\n").encode()
        svg = needed("vl_convert", "a figure").vegalite_to_svg(
            json.dumps(self._still(), allow_nan=False), allowed_base_urls=[]
        )
        if form == "svg":
            return fixed(svg).encode()
        if form == "png":
            return bytes(needed("vl_convert", "a figure").svg_to_png(svg, scale=SCALE))
        return bytes(needed("vl_convert", "a figure").svg_to_pdf(svg))

    def _still(self) -> dict[str, Any]:
        """The specification without what answers to a pointer: paper has none, and drawing it takes longer."""
        panels = [
            {**panel, "layer": [layer for layer in panel["layer"] if not layer.get("name", "").startswith(HOVER)]}
            for panel in self.spec["concat"]
        ]
        return {**{key: value for key, value in self._laid_out().items() if key != "params"}, "concat": panels}

    def _laid_out(self) -> dict[str, Any]:
        """The specification with a title that is no wider than the panels, or than what a caption needs."""
        wide = [panel["width"] for panel in self.spec["concat"]]
        columns = min(self.spec["columns"], len(wide))
        across = max(NARROW, columns * (max(wide, default=0) + BESIDE))
        return {**self.spec, "title": titled(self.spec["title"], across)}

    def _page(self) -> str:
        """A page that stands alone; what draws it is inside."""
        # Names of runs end up inside a script, and must not end it.
        spec = json.dumps(self._laid_out(), allow_nan=False).replace("<", "\\u003c")
        program = needed("vl_convert", "a figure").javascript_bundle().replace("</script", "<\\/script")
        title, background = escaped(self.spec["description"]), self.spec["config"]["background"]
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
            f"<style>body {{ margin: 0; background: {background}; }}</style>\n</head>\n<body>\n"
            f'<div id="plot"></div>\n<script>{program}</script>\n'
            f'<script>vegaEmbed("#plot", {spec});</script>\n</body>\n</html>\n'
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # A picture that stays where no script runs; the page that answers to a pointer has a megabyte of program in it.
        return {"image/svg+xml": self.render("svg").decode(), "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"Plot({self.spec['description']!r})"


def all_visible(part: Any) -> Any:
    """A part of a specification with nothing but text that can be seen; names that belong together stay equal."""
    if isinstance(part, str):
        return visible(part)
    if isinstance(part, dict):
        return {all_visible(key): all_visible(value) for key, value in part.items()}
    return [all_visible(one) for one in part] if isinstance(part, (list, tuple)) else part
