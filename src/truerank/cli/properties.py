"""truerank properties: which formal properties measures have."""

from __future__ import annotations

import click

from truerank.cli.old_options import output_options


@click.command
@click.argument("measures", metavar="[MEASURE]...", nargs=-1)
@click.option(
    "--property", "names", multiple=True, metavar="PROPERTY", help="A property, or how its name begins; repeatable."
)
@click.option("--longest", type=int, metavar="N", help="Length up to which all rankings are tried. Default: 8.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of what is drawn at random.")
@click.option(
    "--published",
    is_flag=True,
    help="Compare with the claims of Amigó, Mizzaro & Spina (2022), by default for the measures of their table.",
)
@click.option(
    "--show",
    type=click.Choice(["verdicts", "witnesses", "readings"]),
    help="A table of verdicts, the rankings that show each, or every scale and reading apart.",
)
@output_options
def properties(
    measures: tuple[str, ...],
    names: tuple[str, ...],
    longest: int | None,
    seed: int,
    published: bool,
    show: str | None,
    form: str | None,
    out: str | None,
) -> None:
    """Tell which formal properties measures have, with the smallest rankings that show it.

    Looks for counter-examples among all short rankings and some longer ones. Without a measure it goes through the
    whole catalogue. JSON has everything that --show chooses from.

    \b
    Example:
      truerank properties AP
      truerank properties --published
      truerank properties "RBP(p=0.75)" "RBP(p=0.76)" --property shallowness --show witnesses
    """
    from truerank.analysis.properties.check import properties
    from truerank.analysis.properties.search import LONGEST
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import waiting
    from truerank.report.formats import MACHINE
    from truerank.report.properties import properties_table

    form = chosen(form, out)
    with waiting("looking for counter-examples"):
        found = properties(
            list(measures) or None,
            property=list(names) or None,
            longest=LONGEST if longest is None else longest,
            published=published,
            seed=seed,
        )
    emit(properties_table(found, show, whole=form in MACHINE), form, out)
