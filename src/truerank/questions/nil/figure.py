"""Lengths of lists, and scores by two methodologies, after Liu, Moffat, Baldwin & Zhang 2016, figures 1 to 3."""

from __future__ import annotations

from string import ascii_uppercase
from typing import Any

from truerank.boards.rows import BoardPair, BoardRun
from truerank.data.extras import needed
from truerank.data.printing import counted, readable
from truerank.questions.nil.question import NilAnswer
from truerank.report.plots.chart import Plot
from truerank.report.plots.marks import Arrow, Bar, Dot, arrows, bars, diagonal, dots
from truerank.report.plots.panels import Layer, Panel, PlotAxis, extent, figure, numbers
from truerank.report.plots.theme import Key, Theme, chosen

BEFORE, AFTER = "as submitted", "ended at NIL"
REVERSED, KEPT = "in a reversed pair", "order kept"
_BAR = 0.4
"""Width of a bar; two stand side by side."""
_SIZE = {"width": 290, "height": 210}
PAIRS = 3
"""Reversed pairs that have letters."""
_ROOM = 0.04
"""Share of an axis that is left free at its ends."""


def plot_lengths(found: NilAnswer, *, theme: str = "light") -> Plot:
    """Two bars a length, or a bin of them: lists as submitted, and ended at their NIL."""
    look = chosen(theme)
    key = Key(look, "", (BEFORE, AFTER), symbol="square")
    names = tuple(one.length for one in found.lengths)
    x = PlotAxis(
        "Length", (-0.5, len(names) - 0.5), ticks=tuple(map(float, range(len(names)))), nice=False, names=names
    )
    y = PlotAxis("Lists", (0.0, float(max(max(one.before, one.after) for one in found.lengths)) or 1.0))
    drawn = [
        bar
        for place, (name, one) in enumerate(zip(names, found.lengths, strict=True))
        for bar in (
            Bar(place - _BAR, place, one.before, BEFORE, name),
            Bar(place, place + _BAR, one.after, AFTER, name),
        )
    ]
    lists = sum(one.before for one in found.lengths)
    of = f"{counted(lists, 'list')} of {counted(len(found), 'run')}"
    caption = f"{of}, as submitted with NIL as a document, and ended at their NIL"
    panel = Panel((bars(drawn, x, y, key),), width=560, height=230)
    return figure([panel], look, title="Lengths of lists", caption=caption)


def plot_scores(found: NilAnswer, *, top: int | None = None, theme: str = "light") -> Plot:
    """A row a measure: modified against original scores, and both against the share of lists ended by the system.

    The reversed pairs that are farthest apart have letters on the left; on the right are all runs, or the ``top`` ones.
    """
    look = chosen(theme)
    several = len(found) > 1
    key = Key(look, "Run:", (KEPT, REVERSED), symbol="circle") if several else Key(look)
    panels = []
    for measure in found.measures:
        label = found.labelled(measure)
        rows = {name: run[measure] for name, run in found.items()}
        scores = {name: (row.scores["original"], row.scores["modified"]) for name, row in rows.items()}
        turned = {name for pair in found.reversed_pairs(measure) for name in (pair.run, pair.compared_with)}
        group = {name: (REVERSED if name in turned else KEPT) if several else "" for name in found}
        share = {name: 100 * cases.ended for name, cases in found.cases.items()}
        span = extent((value for both in scores.values() for value in both), room=_ROOM)
        original, modified = (PlotAxis(f"{label}, {how}", span, nice=False) for how in ("original", "modified"))
        ended, both = (
            PlotAxis("Lists ended by the system, %", (-3.0, 103.0), nice=False),
            PlotAxis(label, span, nice=False),
        )
        points = [Dot(name, *both, group[name]) for name, both in scores.items()]
        best = sorted(found, key=lambda name: (rows[name].ranks["modified"] or len(found) + 1, name))[:top]
        moves = [Arrow(name, share[name], *both, group[name]) for name, both in scores.items() if name in best]
        # Of runs that are tied by both, tau-a would say that the orders differ.
        tau = next(row.tau_b for row in found.orders if row.measure == measure)
        title = f"{label}: tau-b {tau:.3f}" if tau == tau else label
        scatter = (
            diagonal(original, modified, look.quiet),
            dots(points, original, modified, key),
            *_letters(lettered(found.reversed_pairs(measure)), rows, original, modified, look),
        )
        panels.append(Panel(scatter, title, **_SIZE))
        of = "" if len(best) == len(found) else f", the best {len(best)} of {counted(len(found), 'run')}"
        panels.append(Panel(arrows(moves, ended, both, key), f"From original to modified{of}", **_SIZE))
    caption = (
        f"{counted(len(found), 'run')}, {counted(len(found.topics), 'topic')}; original: NIL as a document; "
        "modified: lists ended at NIL, with a terminal document"
    )
    return figure(panels, look, columns=2, title="What taking truncation into account does to scores", caption=caption)


def lettered(pairs: tuple[BoardPair, ...]) -> tuple[BoardPair, ...]:
    """Pairs that have letters: the farthest apart, where no run is in two of them."""
    kept: list[BoardPair] = []
    for pair in pairs:
        if len(kept) < PAIRS and all(
            {pair.run, pair.compared_with}.isdisjoint((one.run, one.compared_with)) for one in kept
        ):
            kept.append(pair)
    return tuple(kept)


def _letters(
    pairs: tuple[BoardPair, ...], runs: dict[str, BoardRun], x: PlotAxis, y: PlotAxis, look: Theme
) -> tuple[Layer, ...]:
    """A and B beside the dots of a pair, as in the paper's figure 2, and who they are in the corner below the line."""
    if not pairs:
        return ()
    alt = needed("altair", "a figure")
    names = [name for pair in pairs for name in (pair.run, pair.compared_with)]
    rows: list[dict[str, Any]] = []
    for letter, name in zip(ascii_uppercase, names, strict=False):
        [original, modified] = numbers([runs[name].scores["original"], runs[name].scores["modified"]])
        rows.append({"name": readable(name), "letter": letter, "x": original, "y": modified})
    text = alt.Chart().mark_text(fontSize=10.5, fontWeight="bold", color=look.ink, dx=-7, dy=-7)
    place = (alt.X("x:Q", **x.encoding()), alt.Y("y:Q", **y.encoding()))
    layers = [Layer(text.encode(*place, text=alt.Text("letter:N")), rows)]
    for step in range(len(pairs)):
        said = ", ".join(f"{row['letter']} {row['name']}" for row in rows[2 * step : 2 * step + 2])
        line = alt.Chart().mark_text(align="right", baseline="bottom", fontSize=9.5, color=look.quiet, limit=270)
        up = 5 + 12 * (len(pairs) - 1 - step)
        corner = {"x": alt.value(_SIZE["width"] - 5), "y": alt.value(_SIZE["height"] - up)}
        layers.append(Layer(line.encode(text=alt.Text("said:N"), **corner), [{"said": said}]))
    return tuple(layers)
