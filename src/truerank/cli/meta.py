"""truerank meta: measures compared by what they say of the same runs."""

from __future__ import annotations

from typing import Any

import click

from truerank.cli.old_options import conventions_without, data_options, figure_options, measure_option, output_options

_SHOWN = ("summary", "tau", "discrimination", "asl", "swap", "bins", "coverage", "uir")


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("runs", metavar="RUN...", nargs=-1, required=True)
@measure_option
@click.option(
    "--reference",
    default="P@10 R@100 RR",
    show_default=True,
    metavar="MEASURES",
    help="The measures whose unanimous improvements are to be covered.",
)
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="Cut lists here first; with --published, 100.")
@click.option("--test", default="student", show_default=True, help="The test of each pair of runs.")
@click.option("--alpha", type=click.FloatRange(0, 1), default=0.05, show_default=True, help="Its level.")
@click.option(
    "--permutations",
    type=click.IntRange(min=1),
    default=10_000,
    show_default=True,
    metavar="N",
    help="Draws of a test that draws.",
)
@click.option(
    "--splits",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Splits of the topics in halves, and sets of topics drawn anew.",
)
@click.option(
    "--fuzziness",
    type=click.FloatRange(0, 1, max_open=True),
    default=0.05,
    show_default=True,
    help="Share of a score up to which a difference is a tie.",
)
@click.option(
    "--pairs",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    metavar="N",
    help="Pairs of topics drawn for the sampled coverage.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of everything drawn.")
@click.option(
    "--show",
    type=click.Choice(_SHOWN),
    metavar="|".join(_SHOWN),
    help="All criteria with ranks (default), or one in full; --published has coverage by default.",
)
@click.option("--published", is_flag=True, help="Print beside it what Amigó, Mizzaro & Spina (2022) report.")
@figure_options
@conventions_without("limit", "relevant")
@data_options
@output_options
def meta(
    qrels: Any,
    runs: Any,
    measures: tuple[str, ...],
    depth: int | None,
    show: str | None,
    published: bool,
    plot: str | None,
    theme: str,
    form: str | None,
    out: str | None,
    **given: Any,
) -> None:
    """Compare measures by what they say of the same runs.

    How alike they order runs, how many pairs of runs they tell apart, how
    sure that is with other topics, and whether their improvements are
    improvements by all of some reference measures. Without -m the measures
    are those of Amigó, Mizzaro & Spina (2022), table 3.

    \b
    Example:
      truerank meta qrels.txt *.run -m "AP nDCG@10 P@10 RR"
      truerank meta qrels.txt *.run --show tau --plot tau.svg
      truerank meta qrels.txt *.run --published
    """
    from truerank.analysis.criteria.published import DEPTH
    from truerank.analysis.meta import DEFAULT_MEASURES, meta
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress
    from truerank.report.formats import MACHINE
    from truerank.report.meta import meta_table
    from truerank.report.plots.chart import form_of

    form = chosen(form, out)
    if plot is not None:
        form_of(plot)
    wanted: Any = list(measures) or DEFAULT_MEASURES
    with progress(len(runs)) as step:
        cut = DEPTH if depth is None and published else depth
        found = meta(qrels, list(runs), wanted, depth=cut, progress=step, **given)
    if plot is not None:
        found.plot(show if show in ("discrimination", "swap", "tau") else "summary", theme=theme).save(plot)
    emit(meta_table(found, show, whole=form in MACHINE, published=published), form, out)
