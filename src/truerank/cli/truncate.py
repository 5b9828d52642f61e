"""truerank truncate: where lists are best cut, and what that does to the order of systems."""

from __future__ import annotations

import glob
import os
from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, figure_options, measure_option, output_options

_SHOWN = ("summary", "runs", "bins", "topics", "against")


def _collections(
    ctx: click.Context, param: click.Parameter, given: tuple[tuple[str, str], ...]
) -> list[tuple[str, list[str]]]:
    """Judgments with the files that a folder holds, or that a pattern matches."""
    found = []
    for qrels, pattern in given:
        inside = os.path.join(glob.escape(pattern), "*") if os.path.isdir(pattern) else pattern
        runs = sorted(path for path in glob.glob(inside) if os.path.isfile(path))
        if not runs:
            raise click.BadParameter(f"no run is named like {pattern}; give a folder or a pattern", ctx, param)
        found.append((qrels, runs))
    return found


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--show",
    type=click.Choice(_SHOWN),
    metavar="|".join(_SHOWN),
    help="Measures (default), runs, best lengths in bins, lists, or tau with whole lists (default with --against).",
)
@click.option(
    "--against",
    multiple=True,
    metavar="MEASURE",
    help="Measures of whole lists to hold the cut ones against, or 'published' for those of the paper; repeatable.",
)
@click.option(
    "--also",
    multiple=True,
    nargs=2,
    callback=_collections,
    metavar="QRELS RUNS",
    help="Another collection, its runs a folder or a pattern in quotes; repeatable.",
)
@click.option("--published", is_flag=True, help="Print beside it what Amigó, Mizzaro & Spina (2022) report.")
@figure_options
@click.option("--scatter", type=click.Path(), metavar="FILE", help="A figure of whole lists against cut ones.")
@conventions_without("limit", "relevant")
@data_options
@output_options
def truncate(
    qrels: Any,
    runs: Any,
    measures: tuple[str, ...],
    show: str | None,
    against: tuple[str, ...],
    also: list[tuple[Any, Any]],
    published: bool,
    plot: str | None,
    scatter: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **conventions: Any,
) -> None:
    """Find the length at which each list scores best, and what it loses as it is.

    The judgments say where that is, so this is what a system could gain by
    knowing where to stop. Of lengths that score alike it is the shortest; 0
    is silence. Without -m the measures are those of Amigó, Mizzaro & Spina
    (2022), with --published under both readings of the terminal document.

    \b
    Example:
      truerank truncate qrels.txt *.run -m "OIE(size=20000) RBPU(p=0.98)"
      truerank truncate qrels.txt *.run --show bins --plot lengths.svg
      truerank truncate qrels.txt *.run --against "AP nDCG" --also other.qrels "other/*.run"
    """
    from dataclasses import replace

    from truerank.analysis.cuts.against import against as compare
    from truerank.analysis.cuts.published import CUT, FULL, ONCE
    from truerank.analysis.truncate import truncate
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.against import against_table
    from truerank.report.formats import MACHINE
    from truerank.report.plots.chart import form_of
    from truerank.report.plots.truncate import plot_lengths
    from truerank.report.truncate import cuts_table, document

    if (show == "against" or scatter is not None) and not against:
        raise click.UsageError("whole lists are to be held against cut ones; add --against 'AP nDCG'")
    form = chosen(form, out)
    for file in (plot, scatter):
        if file is not None:
            form_of(file)
    wanted: Any = list(measures) or [*CUT, *(ONCE if published else ())]
    compared = [text for one in against for text in (FULL if one == "published" else (one,))]
    given = [(qrels, list(runs)), *also]
    typed = click.get_current_context().params
    names = _names([typed["qrels"], *(judgments for judgments, _ in typed["also"])])
    found = {}
    with progress(sum(len(each) for _, each in given)) as step:
        for name, (judgments, each) in zip(names, given, strict=True):
            found[name] = truncate(judgments, each, wanted, against=compared, progress=step, **conventions)
    whole = form in MACHINE
    held = compare(found) if against else None
    if held is not None and show in (None, "against"):
        table = against_table(held, whole=whole, published=published)
    else:
        table = cuts_table(found, show, whole=whole, published=published)
    table = replace(table, document=lambda: document(found, held, published=published))
    if plot is not None:
        plot_lengths(found, theme=theme).save(plot)
    if scatter is not None and held is not None:
        held.scatter(theme=theme).save(scatter)
    emit(table, form, out)


def _names(paths: list[str]) -> list[str]:
    """What collections are called: by their judgments or, where these are named alike, by the folder they are in."""
    from truerank.io.source import stem

    names = [stem(path) for path in paths]
    if len({*names}) < len(names):
        names = [os.path.basename(os.path.dirname(os.path.abspath(path))) for path in paths]
    return names if len({*names}) == len(names) else [f"{name}#{n}" for n, name in enumerate(names, 1)]
