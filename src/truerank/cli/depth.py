"""truerank depth: scores as a function of how deep the evaluation looks."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, figure_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option("--max-depth", type=click.IntRange(min=1), default=1000, show_default=True, help="The last depth.")
@click.option("--condensed", is_flag=True, help="Beside the lists as they are, also without unjudged documents.")
@click.option(
    "--show",
    type=click.Choice(["stability", "curves"]),
    help="How stable each measure is (default for several runs), or its scores.",
)
@click.option(
    "--within", type=click.FloatRange(0, 2), default=0.05, show_default=True, help="Settled is tau of 1 less this."
)
@click.option(
    "--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Level of the tests behind findings."
)
@figure_options
@click.option("--scale", type=click.Choice(["log", "linear"]), default="log", help="Axis of depths in the figure.")
@conventions_without("ending", "limit", "relevant")
@data_options
@output_options
def depth(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    max_depth: int,
    condensed: bool,
    show: str | None,
    within: float,
    alpha: float,
    plot: str | None,
    scale: str,
    theme: str,
    form: str | None,
    out: str | None,
    **chosen_conventions: str | None,
) -> None:
    """Score runs at every depth, and tell how much the depth matters.

    Without -m the measures are AP(norm='min') nDCG Q(norm='min') RBP ERR.
    The figure has one line a run, plain and condensed side by side.

    \b
    Example:
      truerank depth qrels.txt *.run --condensed --plot depth.svg
    """
    from dataclasses import replace

    from truerank.analysis.depth import DEFAULT_MEASURES, depths
    from truerank.analysis.depths.stability import stability
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.conventions.presets import conventions
    from truerank.data.parallel import Ahead
    from truerank.report.depth import curves_table, stability_table
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of, needed

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
        # Importing it takes a while, which is better spent while runs are read.
        drawing = Ahead(lambda: needed("altair"))
    choice = conventions(**chosen_conventions)
    choices = [choice, replace(choice, unjudged="condensed")] if condensed else [choice]
    given: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        curves = depths(qrels, list(runs), given, choices, max_depth=max_depth, progress=step)
    if plot is not None:
        drawing.result()
        drawn = Ahead(lambda: curves[0].plot(*curves[1:], scale=scale, theme=theme).save(plot))
    several = len(curves[0]) > 1
    if show == "curves" or (show is None and not several):
        table = curves_table(curves, every=form in MACHINE)
    else:
        found = [stability(one, within=within, alpha=alpha) for one in curves]
        table = stability_table(curves, found, full=form in MACHINE)
    if plot is not None:
        drawn.result()
    emit(table, form, out)
