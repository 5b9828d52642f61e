"""truerank ties: what the order of documents with equal scores does to scores and places."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--show",
    type=click.Choice(["runs", "orders", "pairs"]),
    default="runs",
    show_default=True,
    help="Scores of runs, how far the orders of ties that tools take stray, or the pairs of runs that can swap.",
)
@conventions_without("ties")
@data_options
@output_options
def ties(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    show: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Tell what the order of ties does to scores, and which runs it could swap.

    A score is the mean over all orders of tied documents, with the worst and the best order beside it, and the orders
    that tools take: docid (descending, as trec_eval), docid-asc, input, and rank where there is a rank column.
    Without -m the measures are nDCG@10 AP. JSON has everything that --show chooses from.

    \b
    Example:
      truerank ties qrels.txt bm25.run dense.run -m "AP nDCG@10"
      truerank ties qrels.txt *.run --show pairs
    """
    from truerank.analysis.ties import DEFAULT_MEASURES, ties
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.ties import ties_table

    form = chosen(form, out)
    given: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        found = ties(qrels, list(runs), given, progress=step, **conventions)
    emit(ties_table(found, show, whole=form in MACHINE), form, out)
