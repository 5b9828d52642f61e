"""The program: its commands, imported when they are used."""

from __future__ import annotations

import gc
from importlib import import_module

import click

from truerank.cli.lines import say
from truerank.cli.program import Program, debug_option
from truerank.questions import QUESTIONS
from truerank.questions.aliases import ALIASES
from truerank.version import __version__

OTHERS = {
    "trec_eval": "Take trec_eval's arguments, print what it prints.",
    "simulate": "Simulate a track: judgments, and a run for each system.",
    "help": "Show what there is, or what a command does.",
}
"""Commands that are no questions, in a line."""
COMMANDS = {**QUESTIONS, **OTHERS}


class Commands(Program):
    """Commands by name; the file of a command is imported when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order that a new user needs them."""
        return [*COMMANDS]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The commands in a line each, without importing those that are not asked for."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an old name is forwarded to the command that it became, and says so."""
        if args[0] in ALIASES:
            alias = ALIASES[args[0]]
            new = self.get_command(ctx, alias.now)
            assert new is not None
            if not ctx.resilient_parsing:
                say(f"truerank {args[0]} is now truerank {alias.now} {alias.usage}".rstrip())
            from truerank.cli.aliases import renamed

            args = renamed(args, new)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """A command by its name."""
        if cmd_name not in COMMANDS:
            return None
        if cmd_name in QUESTIONS:
            from truerank.cli.command import command as of_question

            return of_question(cmd_name)
        command: click.Command = import_module(f"truerank.cli.{cmd_name}").command
        return command


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="truerank", message="%(prog)s %(version)s")
@debug_option
@click.pass_context
def program(ctx: click.Context) -> None:
    """Evaluate rankings, with every choice that a score hides made explicit.

    \b
    truerank demo                                     see what it does
    truerank evaluate qrels.txt bm25.run dense.run    score your own runs
    truerank measures                                 what there is to measure
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main() -> None:
    """Run the program."""
    # Imports make many objects and no garbage; looking for it would take a tenth of a short command's time.
    gc.set_threshold(100_000)
    program.main(prog_name="truerank")
