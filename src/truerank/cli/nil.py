"""truerank nil: when runs are silent, when they should be, and what that does to scores and places."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, figure_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--show",
    type=click.Choice(["cases", "scores", "lengths", "agreement", "pairs"]),
    default="cases",
    show_default=True,
    help="Silent or not, rightly or not; scores by both methodologies; lengths of lists; how far the two orderings of "
    "runs agree; or the pairs of runs that they put in opposite orders.",
)
@figure_options
@conventions_without("missing", "nil", ending="terminal")
@data_options
@output_options
def nil(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    show: str,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Tell where runs are silent, and what silence does to scores and places.

    A run is silent on a topic if it leaves it out, or lists NIL first. Scores are given twice: with NIL as a document,
    relevant where nothing else is (original), and with lists that end at their NIL and have a terminal document where
    the system ended them (modified), that is at a NIL or before --limit documents.
    Without -m the measures are RR nDCG RBP(p=0.5) AP. JSON has everything that --show chooses from. The figure has
    both scores of each run and the share of its lists that were ended early; with --show lengths, it has the lengths.

    \b
    Example:
      truerank nil qrels.txt *.run --limit 5
      truerank nil qrels.txt *.run --limit 5 -m RR --show scores --plot nil.svg
    """
    from truerank.analysis.nil import DEFAULT_MEASURES, nil
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.nil import nil_table
    from truerank.report.plots.chart import form_of

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    given: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        found = nil(qrels, list(runs), given, progress=step, **conventions)
    if plot is not None:
        found.plot(show, theme=theme).save(plot)
    emit(nil_table(found, show, whole=form in MACHINE), form, out)
