"""truerank measures: the catalogue."""

from __future__ import annotations

import click

from truerank.cli.options import output_options


@click.command
@click.argument("names", metavar="[MEASURE]...", nargs=-1)
@output_options
def measures(names: tuple[str, ...], form: str | None, out: str | None) -> None:
    """List the measures, or show some in full.

    \b
    Example:
      truerank measures AP nDCG
    """
    from truerank.cli.output import chosen, echo, emit, put
    from truerank.measures.catalogue import entry
    from truerank.measures.catalogue import measures as catalogue
    from truerank.measures.grammar import parse
    from truerank.report.catalogue import catalogue_table, in_full

    entries = tuple(entry(parse(name)) for name in names) or catalogue()
    in_words = bool(names) and form in (None, "table") and (out is None or chosen(form, out) in ("table", "tsv"))
    if not in_words:
        emit(catalogue_table(entries), chosen(form, out), out)
        return
    text = "\n\n".join(in_full(one) for one in entries) + "\n"
    if out in (None, "-"):
        echo(text)
    else:
        put(text, out)
