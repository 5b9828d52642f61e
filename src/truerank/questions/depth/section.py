"""Scores by depth, as a section of a page: a figure a measure, who leads where, and how soon orderings settle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from truerank.measures.core.base import Measure
from truerank.questions.depth.answer import Curves
from truerank.questions.depth.figure import FEW, coloured, plot_depth
from truerank.report.pages.section import Picture, Section
from truerank.report.plots.inline import inline


def endless(measure: Measure) -> Measure | None:
    """The measure without its cutoff, which has a value at every depth; None for one that looks at whole lists.

    >>> from truerank.measures.grammar import parse
    >>> str(endless(parse("nDCG@10"))), endless(parse("Rprec"))
    ('nDCG', None)
    """
    return replace(measure, cutoff=None) if measure.takes_cutoff else None


def verdict(found: Curves, by: Measure) -> tuple[str, ...]:
    """How far the ordering at the depth of the measure agrees with that at the last depth."""
    if len(found) < 2:
        return ()
    name = str(endless(by))
    each = next(one for one in found.every_stability if one.measure == name)
    if by.cutoff is not None and by.cutoff < found.max_depth:
        there = each.at(by.cutoff)
        said = f"By {name}, the orders of runs at depths {there['depth']} and {found.max_depth} agree by tau"
        return (f"{said} {there['tau']:.2f}.",)
    said = f"By {name}, the order of runs hardly changes from depth {each.settled} on: tau with that at"
    return (f"{said} {found.max_depth} is {1 - found.within:g} or more.",)


def section(found: Curves, measures: Mapping[str, Measure], command: str) -> Section:
    """One line per run, the depth of the pool marked; by the measures of the page, each without its cutoff."""
    blocks = []
    for place, (measure, by) in enumerate(measures.items()):
        name = str(endless(by))
        if name in found.measures:
            said = f"{_leader(found, name)} {_drawn(found, name)}" if len(found) > 1 else _drawn(found, name)
            alone = replace(only(found, name), condensed=None)
            svg = inline(plot_depth(alone, colours=coloured(found)), said, f"depth-{place}")
            blocks.append(Picture(svg=svg, said=said, measure=measure))
    return Section(name="depth", title="Depth", blocks=tuple(blocks), commands=(command,))


def only(found: Curves, *measures: str) -> Curves:
    """The curves of some measures, also those without unjudged documents."""
    return replace(
        found,
        wanted=tuple(one for one in found.wanted if str(one) in measures),
        lines=tuple(line for line in found.lines if line.measure in measures),
        per_topic={measure: values for measure, values in found.per_topic.items() if measure in measures},
        condensed=None if found.condensed is None else only(found.condensed, *measures),
    )


def _leader(found: Curves, measure: str) -> str:
    """Who leads at the last depth, and from which depth on."""
    sign = found.wanted[found.measures.index(measure)].sign
    runs, means = list(found), sign * found.means(measure)
    first = np.argmax(np.where(np.isnan(means), -np.inf, means), axis=0)
    last = int(first[-1])
    changes = np.flatnonzero(first != last)
    if not len(changes):
        return f"{runs[last]} leads at every depth."
    since = int(changes[-1]) + 2
    return f"{runs[last]} leads from depth {since} on, {runs[int(first[since - 2])]} at depth {since - 1}."


def _drawn(found: Curves, measure: str) -> str:
    pool = "" if found.pool_depth is None else f"; the pool goes down to depth {found.pool_depth}"
    lines = ", one line per run" if len(found) > 1 else f" of {next(iter(found))}"
    lines += ", some in colour" if len(found) > FEW else ""
    return f"{measure} at depths 1 to {found.max_depth}{lines}{pool}."
