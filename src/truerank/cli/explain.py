"""truerank explain: how the score of one topic comes about, and what would change it."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import convention_options, data_options, figure_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN", nargs=-1, required=True)
@measure_option
@click.option("--topic", help="The topic to explain; not needed where only one is judged.")
@click.option("--all", "every", is_flag=True, help="Show every document, also long stretches without gain.")
@click.option(
    "--show",
    type=click.Choice(["steps", "changes"]),
    default="steps",
    show_default=True,
    help="A row a document of the list, or a row a thing that would change the score.",
)
@figure_options
@convention_options
@data_options
@output_options
def explain(
    qrels: str,
    runs: Any,
    measures: tuple[str, ...],
    topic: str | None,
    every: bool,
    show: str,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Show how the score of one topic comes about, rank by rank, and what would change it.

    A row a document: its grade, gain and weight, and what it adds to the score; contributions add up to the score, also
    where documents are tied. Below: what order and missing documents cost, the best exchange of two documents, and what
    each tie and each unjudged document could change. Without -m the measure is AP.

    \b
    Example:
      truerank explain qrels.txt bm25.run --topic 401
      truerank explain qrels.txt bm25.run --topic 401 -m nDCG@10 --all
      truerank explain qrels.txt bm25.run --topic 401 -m "RBP ERR" --show changes
    """
    from truerank.analysis.explain import DEFAULT_MEASURES, explain
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import waiting
    from truerank.report.explain import explanation_table
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    given: Any = list(measures) or DEFAULT_MEASURES
    with waiting("explaining"):
        found = explain(qrels, list(runs), given, topic=topic, **conventions)
        if plot is not None:
            found.plot(theme=theme).save(plot)
    emit(explanation_table(found, show, whole=form in MACHINE, every=every), form, out)
