"""truerank trec_eval: trec_eval's own command line and output."""

from __future__ import annotations

import click


@click.command(
    "trec_eval",
    add_help_option=False,
    context_settings={"ignore_unknown_options": True, "allow_interspersed_args": False},
)
@click.argument("words", metavar="[trec_eval's own arguments]", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...]) -> None:
    """Take trec_eval's arguments, print what it prints.

    \b
    Example:
      truerank trec_eval -q -m map -m P.5,10 qrels.txt bm25.run
    """
    from truerank.cli.lines import say
    from truerank.cli.output import echo
    from truerank.compat.trec_eval.program import trec_eval

    outcome = trec_eval(list(words))
    for note in outcome.notes:
        say(note)
    echo(outcome.text)
    ctx.exit(outcome.code)
