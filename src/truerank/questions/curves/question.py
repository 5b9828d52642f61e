"""truerank curves: precision against recall, or hits against false alarms."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, figure_options, output_options

_KINDS = ("precision-recall", "roc")


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@click.option(
    "--kind",
    type=click.Choice(_KINDS),
    default=_KINDS[0],
    show_default=True,
    help="Interpolated precision at recall levels, or the receiver operating characteristic.",
)
@click.option("--topic", help="The curve of this topic only. Default: a mean over topics.")
@click.option("--rel", type=float, default=1.0, show_default=True, help="Grade from which on a document is relevant.")
@click.option("--points", type=click.IntRange(min=2), default=11, show_default=True, help="How many recall levels.")
@click.option(
    "--show",
    type=click.Choice(["curve", "every", "depths"]),
    default="curve",
    show_default=True,
    help="Precision at these levels; of one topic, at every level there is, or precision and recall at every depth.",
)
@figure_options
@conventions_without("ending", "limit")
@data_options
@output_options
def curves(
    qrels: str,
    runs: Any,
    kind: str,
    topic: str | None,
    rel: float,
    points: int,
    show: str,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Give precision against recall, or hits against false alarms, of one topic or on average.

    Interpolated precision is the highest at that recall or past it. At the break-even point precision and recall are
    equal. The figure has curves of equal F1 behind the lines.

    \b
    Example:
      truerank curves qrels.txt bm25.run dense.run --plot pr.svg
      truerank curves qrels.txt bm25.run --topic 401 --show depths
      truerank curves qrels.txt bm25.run --kind roc --plot roc.svg
    """
    from truerank.analysis.precision_recall import precision_recall
    from truerank.analysis.roc import roc
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of
    from truerank.report.tradeoffs import recall_table, roc_table

    if kind == "roc" and show != "curve":
        raise click.UsageError(f"--show {show} is of precision and recall; leave out --kind roc")
    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    whole = form in MACHINE
    with progress(len(runs)) as step:
        given: Any = {"topic": topic, "rel": rel, "progress": step, **conventions}
        if kind == "roc":
            roc_found = roc(qrels, list(runs), **given)
            table, draw = roc_table(roc_found, whole=whole), roc_found.plot
        else:
            found = precision_recall(qrels, list(runs), points=points, **given)
            table, draw = recall_table(found, show, whole=whole), found.plot
    if plot is not None:
        draw(theme=theme).save(plot)
    emit(table, form, out)
