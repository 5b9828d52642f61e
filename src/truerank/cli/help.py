"""``truerank help COMMAND``: the same as ``truerank COMMAND --help``."""

from __future__ import annotations

from typing import Any

import click


@click.command("help")
@click.argument("names", metavar="[COMMAND]...", nargs=-1)
@click.pass_context
def command(ctx: click.Context, names: tuple[str, ...]) -> None:
    """Show this page, or the help of a command.

    \b
    Example:
      truerank help compare
      truerank help stop fit
    """
    at: Any = ctx.find_root()
    for name in names:
        if not isinstance(at.command, click.Group):
            ctx.fail(f"{at.command_path} has no commands of its own")
        found, inner, _ = at.command.resolve_command(at, [name])
        assert inner is not None
        at = click.Context(inner, info_name=found, parent=at)
    click.echo(at.get_help())
