"""A figure for a page: as wide and high as that, under a title of its own, with one run standing out, or the best."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from truerank.data.errors import InputError
from truerank.data.printing import named, readable
from truerank.report.plots.chart import HOVER, Plot, titled
from truerank.report.plots.letters import taken
from truerank.report.plots.marks import BESIDE
from truerank.report.plots.theme import PADDING, SIZES

_SMALLEST = 40
"""Pixels of a panel that still shows something."""
_LOOKS = 3
"""How often a figure is drawn to see what stands around its panels."""
_SIZE = re.compile(r'<svg[^>]*? width="([0-9.]+)" height="([0-9.]+)"')
_BOLD: dict[str, dict[str, Any]] = {
    "line": {"strokeWidth": 3.5},
    "circle": {"size": 110, "opacity": 1},
    "point": {"size": 110, "opacity": 1},
    "rule": {"strokeWidth": 4, "opacity": 1},
}
"""How marks stand out, by their kind."""


def adjusted(
    plot: Plot,
    *,
    width: int | None = None,
    height: int | None = None,
    title: str | None = None,
    highlight: str | Iterable[str] | None = None,
    top: int | None = None,
) -> Plot:
    """The same figure, otherwise laid out.

    ``width`` and ``height`` are those of the whole figure, in pixels; ``highlight`` names runs that stand out, and of
    ``top`` runs, the best ones, are drawn.
    """
    spec = copy.deepcopy(plot.spec)
    names = [readable(name) for name in ((highlight,) if isinstance(highlight, str) else highlight or ())]
    _refuse_absent(spec, names, plot.ranking)
    if top is not None:
        _keep_best(spec, plot.ranking, top, names)
    if names:
        _stand_out(spec, names)
    if title is not None:
        spec["title"]["text"] = title
        spec["description"] = f"{title}. {spec['title']['subtitle']}" if spec["title"]["subtitle"] else title
    found = replace(plot, spec=spec)
    return found if width is None and height is None else _sized(found, width, height)


def renamed(plot: Plot, names: Mapping[str, str]) -> Plot:
    """The same figure with other names for measures, in its titles and where lines and colours are named.

    >>> axis = {"title": "AP(norm='min'), whole lists"}
    >>> spec = {"concat": [{"layer": [{"encoding": {"y": {"axis": axis}}}]}], "datasets": {"rows": [{"group": "AP"}]}}
    >>> found = renamed(Plot(spec, 10, 10), {"AP(norm='min')": "AP", "AP": "AP'"}).spec
    >>> found["concat"][0]["layer"][0]["encoding"]["y"]["axis"]["title"], found["datasets"]["rows"][0]["group"]
    ('AP, whole lists', "AP'")
    """
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    word = re.compile(rf"(?<![\w(])(?:{known})(?![\w(])")

    def told(part: Any, where: str = "") -> Any:
        if isinstance(part, dict):
            return {key: told(value, key) for key, value in part.items()}
        if isinstance(part, list):
            return [told(value, where) for value in part]
        if not isinstance(part, str):
            return part
        if where in ("title", "text", "subtitle", "description"):
            return word.sub(lambda found: names[found[0]], part)
        return names.get(part, part) if where in ("name", "group", "domain") else part

    if not names:
        return plot
    spec = told(plot.spec)
    for was, now in zip(_channels(plot.spec), _channels(spec), strict=True):
        if isinstance(now.get("legend"), dict) and "columns" in now["legend"]:
            # As many names stand beside each other as there is room for.
            before, after = (_entry(one["scale"]["domain"]) for one in (was, now))
            now["legend"]["columns"] = max(1, int(now["legend"]["columns"] * before / after))
    return replace(plot, spec=spec)


def _sized(plot: Plot, width: int | None, height: int | None) -> Plot:
    """The figure in a size: drawn once to see what stands around its panels."""
    spec = copy.deepcopy(plot.spec)
    if width is not None:
        spec["title"] = titled(spec["title"], width - 2 * PADDING)
        _wrap_keys(spec, width)
        _resize(plot, spec, "width", width, min(spec["columns"], len(spec["concat"])))
    if height is not None:
        _resize(plot, spec, "height", height, -(-len(spec["concat"]) // spec["columns"]))
    wide, high = _measured(plot, spec)
    return replace(plot, spec=spec, width=round(wide), height=round(high))


def _measured(plot: Plot, spec: dict[str, Any]) -> tuple[float, float]:
    found = _SIZE.search(replace(plot, spec=spec).render("svg").decode())
    assert found is not None
    return float(found[1]), float(found[2])


def _resize(plot: Plot, spec: dict[str, Any], side: str, wanted: int, panels: int) -> None:
    # A long key or caption may have been wider than the panels at first.
    for _ in range(_LOOKS):
        around = _measured(plot, spec)[side == "height"] - panels * max(panel[side] for panel in spec["concat"])
        if (each := int((wanted - around) / panels)) < _SMALLEST:
            least = int(around + panels * _SMALLEST) + 1
            raise InputError(f"{side}={wanted} leaves no room for the figure; give {least:,} or more")
        _set_size(spec, side, each)


def _set_size(spec: dict[str, Any], side: str, each: int) -> None:
    for panel in spec["concat"]:
        was = panel[side]
        panel[side] = each
        for layer in panel["layer"]:
            # What stands beside a panel is placed in pixels.
            for channel in layer.get("encoding", {}).values():
                if side == "width" and isinstance(channel, dict) and channel.get("value", 0) == was + BESIDE:
                    channel["value"] = each + BESIDE


def _wrap_keys(spec: dict[str, Any], width: int) -> None:
    for channel in _channels(spec):
        groups = channel["scale"]["domain"]
        if isinstance(channel.get("legend"), dict):
            beside = taken(channel["legend"].get("title") or "", SIZES["label"], bold=True)
            fits = int((width - 60 - beside) / _entry(groups))
            channel["legend"]["columns"] = max(1, min(channel["legend"].get("columns", fits), fits))


def _entry(groups: Iterable[str]) -> float:
    """Pixels of the widest entry of a key, with its symbol."""
    return 34 + max((taken(group, SIZES["label"]) for group in groups), default=0.0)


def _channels(spec: dict[str, Any]) -> Iterable[dict[str, Any]]:
    """The channels that have a key to groups."""
    for panel in spec["concat"]:
        for layer in panel["layer"]:
            for channel in layer.get("encoding", {}).values():
                if isinstance(channel, dict) and channel.get("field") == "group" and channel.get("scale"):
                    yield channel


def _refuse_absent(spec: dict[str, Any], names: Sequence[str], ranking: Sequence[str]) -> None:
    marked = dict.fromkeys(row["name"] for rows in spec["datasets"].values() for row in rows if row.get("name"))
    for name in names:
        if name not in marked:
            there = [readable(run) for run in ranking] or [*marked]
            raise InputError(
                f"there is no {name!r} in the figure; there {'is' if len(there) == 1 else 'are'} {named(there)}"
            )


def _keep_best(spec: dict[str, Any], ranking: Sequence[str], top: int, also: Sequence[str]) -> None:
    every = [readable(run) for run in ranking]
    if not every:
        raise InputError("top= is for figures with a mark for each run, and this one has none; leave it out")
    if top >= len(every):
        return
    gone = {*every[top:]} - {*also}
    before = {name: len(rows) for name, rows in spec["datasets"].items()}
    for name, rows in spec["datasets"].items():
        spec["datasets"][name] = [row for row in rows if row.get("name") not in gone]
    for panel in spec["concat"]:
        listed = [layer for layer in panel["layer"] if layer.get("encoding", {}).get("y", {}).get("field") == "name"]
        if listed:
            # A row a name.
            data = listed[0]["data"]["name"]
            panel["height"] = round(panel["height"] * len(spec["datasets"][data]) / max(before[data], 1))
    left = {row.get("group") for rows in spec["datasets"].values() for row in rows}
    for channel in _channels(spec):
        kept = [place for place, group in enumerate(channel["scale"]["domain"]) if group in left]
        for part in ("domain", "range"):
            channel["scale"][part] = [channel["scale"][part][place] for place in kept]
    said = f"the best {top} of {len(every)}"
    spec["title"]["subtitle"] = f"{spec['title']['subtitle']}; {said}" if spec["title"]["subtitle"] else said


def _stand_out(spec: dict[str, Any], names: Sequence[str]) -> None:
    """Draw what has one of the names once more, on top: in its colour, or in ink."""
    ink = spec["config"]["title"]["color"]
    for panel in spec["concat"]:
        over: list[dict[str, Any]] = []
        done: set[tuple[str, str]] = set()
        for layer in panel["layer"]:
            data, mark = layer["data"]["name"], layer["mark"]
            kind = mark["type"] if isinstance(mark, dict) else mark
            some = [row for row in spec["datasets"][data] if row.get("name") in names]
            if not some or kind not in _BOLD or (data, kind) in done or layer.get("name", "").startswith(HOVER):
                continue
            # Thin lines and bold ones are of the same rows.
            done.add((data, kind))
            spec["datasets"][f"{data}_bold"] = some
            one = {**copy.deepcopy(layer), "data": {"name": f"{data}_bold"}}
            one["mark"] = {**(mark if isinstance(mark, dict) else {"type": mark}), **_BOLD[kind], "color": ink}
            one["encoding"] = {
                key: value for key, value in one["encoding"].items() if key not in ("color", "strokeDash")
            }
            one["transform"] = [step for step in one.get("transform", []) if "filter" not in step]
            over.append(one)
            if kind == "line":
                over.append(_named_line(one, ink))
        panel["layer"] += over


def _named_line(line: dict[str, Any], ink: str) -> dict[str, Any]:
    """The names of lines, above the middle of each."""
    middle = {"calculate": "slice(datum.x, floor(length(datum.x) / 2), floor(length(datum.x) / 2) + 1)", "as": "x"}
    upper = {"calculate": "slice(datum.y, floor(length(datum.y) / 2), floor(length(datum.y) / 2) + 1)", "as": "y"}
    place = {key: line["encoding"][key] for key in ("x", "y")}
    return {
        "data": line["data"],
        "transform": [upper, middle, {"flatten": ["x", "y"]}],
        "mark": {"type": "text", "dy": -9, "fontSize": 10.5, "fontWeight": "bold", "color": ink},
        "encoding": {**place, "text": {"field": "name", "type": "nominal"}},
    }
