"""truerank diff: two runs topic by topic, and the documents behind the differences."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import convention_options, data_options, figure_options, measure_option, output_options


def _two(ctx: click.Context, param: click.Parameter, runs: tuple[str, ...]) -> tuple[str, ...]:
    if len(runs) != 2:
        ctx.fail(f"two runs are compared, A and B; given are {len(runs)}")
    return runs


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="A B", nargs=-1, callback=_two)
@measure_option
@click.option("--topic", "topics", multiple=True, help="Compare this topic only; repeatable.")
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="Topics to list, those with the largest differences. Default: a few for people, all for programs.",
)
@click.option(
    "--show",
    type=click.Choice(["topics", "documents"]),
    help="A row a topic, or a row a document (default with --topic).",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    help="Ranks that documents are looked at in. Default: the cutoff of the measure, or else 100.",
)
@figure_options
@convention_options
@data_options
@output_options
def diff(
    qrels: str,
    runs: Any,
    measures: tuple[str, ...],
    topics: tuple[str, ...],
    top: int | None,
    show: str | None,
    depth: int | None,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Compare two runs topic by topic, and show which documents made the difference.

    Differences are scores of B less scores of A, the largest first. A document's impact is what it adds to the score
    of B less what it adds to that of A, so that impacts add up to the difference. Without -m the measure is nDCG@10.
    JSON has topics and documents.

    \b
    Example:
      truerank diff qrels.txt bm25.run dense.run -m nDCG@10
      truerank diff qrels.txt bm25.run dense.run --topic 418
      truerank diff qrels.txt bm25.run dense.run -m "AP P@10" --plot diff.svg
    """
    from truerank.analysis.diff import DEFAULT_MEASURES, diff
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import waiting
    from truerank.report.diff import diff_table
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    given: Any = list(measures) or DEFAULT_MEASURES
    a, b = runs
    show = show or ("documents" if topics else "topics")
    with waiting("comparing runs"):
        found = diff(qrels, a, b, given, topics=topics or None, depth=depth, **conventions)
        if plot is not None:
            found.plot(theme=theme).save(plot)
        table = diff_table(found, show, top=top or (len(topics) or None), whole=form in MACHINE)
    emit(table, form, out)
