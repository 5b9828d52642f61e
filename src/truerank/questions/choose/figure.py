"""The guide as a picture, after figure 4 of Amigó, Mizzaro & Spina 2022: questions, answers, and where they lead."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field

from truerank.questions.choose.guide import GUIDE, PAPER, QUESTIONS, Branch, Reply, written
from truerank.questions.choose.leaves import Leaf
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import PlacedText, Segment, segments, words
from truerank.report.plots.panels import Panel, PlotAxis, figure
from truerank.report.plots.theme import chosen

_WIDE, _TALL = 158, 44
"""Pixels of a question, and from one measure to the next."""
_LETTERS, _LINE = 21, 12.5
"""Letters of a line of a question, and how high a line is."""
_STEM, _HEAD = 0.76, 0.97
"""Where in its column a question forks, and where its answers end."""


@dataclass
class _GuideTree:
    """What is drawn, on the way that was taken or beside it."""

    lines: list[Segment] = field(default_factory=list)
    questions: list[PlacedText] = field(default_factory=list)
    answers: list[PlacedText] = field(default_factory=list)
    measures: list[PlacedText] = field(default_factory=list)
    remarks: list[PlacedText] = field(default_factory=list)


def plot_guide(taken: Mapping[str, Reply] | None = None, label: str = "", *, theme: str = "light") -> Plot:
    """The whole tree; the way by some answers, and the measure that it ends in, stand out."""
    look = chosen(theme)
    on, off = _GuideTree(), _GuideTree()
    rows = _draw(GUIDE, 0, 0, taken, on, off, label)
    columns = 1 + max(int(one.x) for each in (on, off) for one in (*each.questions, *each.measures))
    x = PlotAxis("", (-0.02, columns + 0.35), nice=False, bare=True)
    y = PlotAxis("", (rows - 0.3, -0.7), nice=False, bare=True)
    answered = taken is not None
    layers = []
    for each, quiet in ((off, answered), (on, False)):
        ink, second = (look.quiet, look.faint) if quiet else (look.ink, look.quiet)
        line, width = (look.palette[0], 2.2) if each is on else (look.faint if quiet else look.quiet, 1.0)
        layers += [
            segments(each.lines, x, y, line, width=width),
            words(each.questions, x, y, ink),
            words(each.answers, x, y, second, size=9.5, up=6),
            words(each.measures, x, y, look.palette[0] if each is on else ink, size=12, bold=True),
            words(each.remarks, x, y, second, size=9, up=-13),
        ]
    caption = f"after figure 4 of {PAPER}; below each measure what stands there in the figure, where that is another"
    if answered:
        caption = "the way by your answers stands out; " + caption
    panel = Panel(
        tuple(layer for layer in layers if layer.rows), width=int(_WIDE * (columns + 0.35)), height=rows * _TALL
    )
    return figure([panel], look, title=f"Which measure: {label}" if label else "Which measure", caption=caption)


def _draw(
    node: Branch | Leaf,
    depth: int,
    row: int,
    taken: Mapping[str, Reply] | None,
    on: _GuideTree,
    off: _GuideTree,
    label: str,
) -> int:
    """Draw what is below a node from a row on; the first row that is left. ``taken`` is None off the way."""
    return _placed(node, depth, row, taken, on, off, label)[1]


def _placed(
    node: Branch | Leaf,
    depth: int,
    row: int,
    taken: Mapping[str, Reply] | None,
    on: _GuideTree,
    off: _GuideTree,
    label: str,
) -> tuple[float, int]:
    """Where a node stands, and the first row that is left."""
    here = off if taken is None else on
    if isinstance(node, Leaf):
        here.measures.append(PlacedText(depth, row, label if here is on and label else node.written))
        if node.figure != node.written:
            here.remarks.append(PlacedText(depth, row, f"figure: {node.figure}"))
        return row, row + 1
    reply = None if taken is None else taken.get(node.question, node.usual)
    follows = None if reply is None else node.next(reply)
    places, ways = [], []
    for answer, below in node.answers:
        way = taken if follows is below else None
        place, row = _placed(below, depth + 1, row, way, on, off, label)
        places.append(place)
        ways.append((answer, place, on if way is not None else off))
    middle = sum(places) / len(places)
    lines = textwrap.wrap(QUESTIONS[node.question].text, _LETTERS)
    # Text goes on downwards from its first line.
    here.questions.append(PlacedText(depth, middle - _LINE * (len(lines) - 1) / 2 / _TALL, "\n".join(lines)))
    for answer, place, which in ways:
        stem, end = depth + _STEM, depth + _HEAD
        which.lines += [Segment(stem, middle, stem, place), Segment(stem, place, end, place)]
        if node.least is not None:
            least = f"{node.least:g}"
            answer = f"{least}+" if place == places[1] else f"< {least}"
            answer = written(reply) if which is on and reply is not None else answer
        which.answers.append(PlacedText(stem + 0.03, place, answer))
    return middle, row
