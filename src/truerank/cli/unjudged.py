"""truerank unjudged: what documents that nobody judged leave open."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, measure_option, output_options


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--cutoff",
    multiple=True,
    type=click.IntRange(min=1),
    help="Depth that judged documents are counted to; repeatable.",
)
@click.option(
    "--next",
    type=click.IntRange(min=1),
    metavar="N",
    help="List N documents to judge, those first that narrow the bounds of the first measure most.",
)
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    help="How deep to look for them. Default: the cutoff of the measure, or else 100.",
)
@click.option(
    "--show",
    type=click.Choice(["runs", "pairs", "next"]),
    help="Scores of runs, pairs of runs, or documents to judge (default with --next).",
)
@conventions_without("unjudged")
@data_options
@output_options
def unjudged(
    qrels: str,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    cutoff: tuple[int, ...],
    next: int | None,  # noqa: A002 - the name of the option
    depth: int | None,
    show: str | None,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Tell how much of each run is judged, and what the rest leaves open.

    A score is given with unjudged documents not relevant, without them (condensed), and between bounds: none of them
    relevant (low), and all of them, with those that follow the end of a list (high). Of two runs whose bounds overlap
    neither is certainly better. Without -m the measures are RBP nDCG@10. JSON has everything that --show chooses from.

    \b
    Example:
      truerank unjudged qrels.txt bm25.run dense.run -m "RBP(p=0.9)"
      truerank unjudged qrels.txt *.run -m nDCG@10 --next 50 --out to-judge.tsv
    """
    from truerank.analysis.unjudged import CUTOFFS, DEFAULT_MEASURES, unjudged
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.unjudged import unjudged_table

    if show == "next" and next is None:
        raise click.UsageError("--show next needs --next, how many documents to list")
    form = chosen(form, out)
    given: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        found = unjudged(
            qrels,
            list(runs),
            given,
            cutoff=cutoff or CUTOFFS,
            next=next or 0,
            depth=depth,
            progress=step,
            **conventions,
        )
    show = show or ("runs" if next is None else "next")
    emit(unjudged_table(found, show, whole=form in MACHINE), form, out)
