"""truerank agreement: how far two rankings agree."""

from __future__ import annotations

import click

from truerank.cli.old_options import output_options


@click.command
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@click.option("-p", "p", type=float, default=0.9, show_default=True, help="Persistence of rank-biased overlap.")
@click.option(
    "--column",
    "columns",
    multiple=True,
    metavar="NAME",
    help="Which column, where a header line names several; give it twice if A and B have different ones.",
)
@output_options
def agreement(a: str, b: str, p: float, columns: tuple[str, ...], form: str | None, out: str | None) -> None:
    """Tell how far two rankings agree.

    A and B hold an item and its score a line, as truerank evaluate writes for
    runs, or an item a line, best first. Where one is the truth, it is A.

    \b
    Example:
      truerank agreement scores.tsv scores.tsv --column AP --column nDCG@10
    after
      truerank evaluate qrels.txt *.run --out scores.tsv
    """
    from truerank.analysis.agreement.between import agreement
    from truerank.analysis.agreement.files import read_ranking
    from truerank.cli.output import chosen, emit
    from truerank.report.agreement import agreement_table

    if len(columns) > 2:
        raise click.BadParameter("give it once, or once for each file", param_hint="'--column'")
    first, last = (columns[0], columns[-1]) if columns else (None, None)
    form = chosen(form, out)
    emit(agreement_table(agreement(read_ranking(a, first), read_ranking(b, last), p=p)), form, out)
