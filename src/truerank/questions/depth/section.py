"""Scores by depth, as a section of a page: a figure a measure, who leads where, and how stable orderings are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from truerank.data.printing import counted
from truerank.measures.core.base import Measure
from truerank.questions.depth.figure import FEW, coloured, leads, plot_depth
from truerank.questions.depth.question import Curves
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
    """Who leads at which depth, and which significant differences another depth reverses."""
    if len(found) < 2:
        return ()
    name = str(endless(by))
    each = next(one for one in found.every_stability if one.measure == name)
    first = f"By {name} {leads(found, name)}"
    last, cutoff = found.max_depth, by.cutoff
    if each.stable_from is None:
        return (f"{first}; no two runs differ significantly at depth {last}.",)
    if cutoff is not None and cutoff < last:
        count = int(each.significant_reversed[cutoff - 1])
        differences = counted(count, "significant difference") if count else "no significant difference"
        said = f"{differences} at depth {last} {'are' if count > 1 else 'is'} reversed at depth {cutoff}"
        return (f"{first}; {said} (tau {each.tau_a[cutoff - 1]:.2f}).",)
    said = f"no significant difference at depth {last} is reversed (tau {each.stable_tau_a:.2f})"
    return (f"{first}; from depth {each.stable_from} on, {said}.",)


def section(found: Curves, measures: Mapping[str, Measure], command: str) -> Section:
    """One line per run, the depth of the pool marked; by the measures of the page, each without its cutoff."""
    blocks = []
    for place, (measure, by) in enumerate(measures.items()):
        name = str(endless(by))
        if name in found.measures:
            said = f"{leads(found, name)}. {_drawn(found, name)}" if len(found) > 1 else _drawn(found, name)
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


def _drawn(found: Curves, measure: str) -> str:
    pool = "" if found.pool_depth is None else f"; the pool goes down to depth {found.pool_depth}"
    lines = ", one line per run" if len(found) > 1 else f" of {next(iter(found))}"
    lines += ", some in colour" if len(found) > FEW else ""
    return f"{measure} at depths 1 to {found.max_depth}{lines}{pool}."
