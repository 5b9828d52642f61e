"""truerank why: find the conventions behind a number."""

from __future__ import annotations

import click

from truerank.cli.old_options import output_options
from truerank.conventions.presets import PRESETS


@click.command
@click.argument("qrels", metavar="QRELS")
@click.argument("run", metavar="RUN")
@click.option("-m", "--measure", required=True, metavar="MEASURE", help="The measure that the number is said to be.")
@click.option("--value", required=True, metavar="NUMBER", help="The number as it was reported, with all its digits.")
@click.option(
    "--tool", type=click.Choice([*PRESETS]), metavar="|".join(PRESETS), help="Start from what this tool does."
)
@output_options
@click.pass_context
def why(
    ctx: click.Context,
    qrels: str,
    run: str,
    measure: str,
    value: str,
    tool: str | None,
    form: str | None,
    out: str | None,
) -> None:
    """Find which conventions give a number that somebody else reported.

    Tries what other tools do, then every single change of a convention or of
    the measure, then every two. Exits with 1 if nothing gives the number.

    \b
    Example:
      truerank why qrels.txt bm25.run -m AP --value 0.4123 --tool ranx
    """
    from truerank.analysis.why import why
    from truerank.cli.output import chosen, echo, emit
    from truerank.cli.progress import waiting
    from truerank.report.why import in_words, why_table

    with waiting("trying conventions"):
        found = why(qrels, run, measure, value, tool=tool)
    if form in (None, "table") and out is None:
        echo(in_words(found) + "\n")
    else:
        emit(why_table(found), chosen(form, out), out)
    if not found.found:
        ctx.exit(1)
