"""truerank calibrate: what e and beta mean, and the values that mean what is wanted."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, figure_options, measure_option, output_options


@click.command
@measure_option
@click.option(
    "--pays-for", type=click.IntRange(min=1), metavar="N", help="Documents that a hit at rank 1 is to pay for."
)
@click.option(
    "--silence-at", type=click.IntRange(min=1), metavar="RANK", help="Rank where a lone hit is to equal silence."
)
@click.option("--grade", type=float, default=1, show_default=True, help="Grade of the hit.")
@click.option("--max-grade", type=float, help="Highest grade of the collection. Default: that of the hit or the list.")
@click.option("--num-rel", type=click.IntRange(min=1), metavar="R", help="Relevant documents of the collection.")
@click.option(
    "--size",
    type=click.IntRange(min=2),
    multiple=True,
    metavar="N",
    help="Documents of the collection, for OIE; repeatable.",
)
@click.option("--ranking", metavar="GRADES", help="A list to score at every length, such as '0^10 1^90' or 00101.")
@click.option("--qrels", metavar="QRELS", help="Judgments of a list to score at every length.")
@click.option("--run", metavar="RUN", help="The run that has the list.")
@click.option("--topic", metavar="TOPIC", help="The topic of the list.")
@click.option(
    "--show",
    type=click.Choice(["measures", "lengths"]),
    help="What measures charge, or scores by length (default where there is a list).",
)
@figure_options
@click.option("--raw", is_flag=True, help="Draw a panel a measure with its own scores, rather than all on one scale.")
@conventions_without("ending", "limit", "nil", "relevant", "missing", "no_relevant")
@output_options
def calibrate(
    measures: tuple[str, ...],
    size: tuple[int, ...],
    show: str | None,
    plot: str | None,
    raw: bool,
    theme: str,
    form: str | None,
    out: str | None,
    **given: Any,
) -> None:
    """Say what e or beta means, or find the value that means what is wanted.

    Silence is the empty list. A hit at rank 1 pays for n documents if its list, the hit and n - 1 documents without
    relevance, is no worse than silence. A lone hit at a rank has only such documents above it, and nothing below.
    Without -m the measures are FlatU RBPU DCGU RBU ERRU OIE.

    \b
    Example:
      truerank calibrate -m "RBPU(p=0.8) OIE(size=20000)"
      truerank calibrate --silence-at 20
      truerank calibrate -m "RBU(p=0.98) DCGU" --ranking "0^10 1^90" --plot lengths.svg
    """
    from truerank.analysis.calibrate import DEFAULT_MEASURES, calibrate
    from truerank.cli.output import chosen, emit
    from truerank.data.errors import InputError
    from truerank.report.calibrate import calibration_table, lengths_table
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of

    form = chosen(form, out)
    has_list = given["ranking"] is not None or given["topic"] is not None
    if plot is not None:
        form_of(plot)
        if not has_list:
            raise InputError("a figure needs a list; give --ranking, or --qrels, --run and --topic")
    wanted: Any = list(measures) or DEFAULT_MEASURES
    found = calibrate(wanted, size=size or None, **given)
    if plot is not None:
        found.plot(raw=raw, theme=theme).save(plot)
    whole = form in MACHINE
    by_length = show == "lengths" or (show is None and has_list)
    emit(lengths_table(found, every=whole) if by_length else calibration_table(found, whole=whole), form, out)
