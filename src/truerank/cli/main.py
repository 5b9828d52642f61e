"""The program: its commands, imported when they are used."""

from __future__ import annotations

import gc
from importlib import import_module

import click

from truerank.cli.lines import say
from truerank.cli.pages import help_all, section
from truerank.cli.program import Program, debug_option
from truerank.questions import GROUPS, QUESTIONS
from truerank.version import __version__

OTHERS = {
    "trec_eval": "Take trec_eval's arguments, print what it prints.",
    "simulate": "Simulate a track: judgments, and one run per system.",
    "help": "Show this page, or the help of a command.",
}
"""Commands that are no questions, in a line."""
COMMANDS = {**QUESTIONS, **OTHERS}
FIRST = """\
First time?  truerank demo
Your files:  truerank evaluate qrels.txt bm25.run dense.run -m "nDCG@10 MRR"
A command:   truerank compare --help"""
"""What the help ends with."""


class Commands(Program):
    """Commands by name; the file of a command is imported when the command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands, in the order that a new user needs them."""
        return [*COMMANDS]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One screen: the commands by what people want, without importing any of them."""
        self._format_groups(formatter)
        more = [name for name in COMMANDS if not any(name in names for names in GROUPS.values())]
        formatter.write_paragraph()
        formatter.write_text(f"More: {', '.join(sorted(more))}")
        formatter.write_text("(one line each: truerank --help-all)")
        formatter.write_paragraph()
        formatter.write_text(f"\b\n{FIRST}")

    def format_everything(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """All commands in a line each, and the options of the program itself."""
        self._format_groups(formatter)
        with section(formatter, "More"):
            rest = {name for name in COMMANDS if not any(name in names for names in GROUPS.values())}
            formatter.write_dl([_row(name) for name in sorted(rest)])
        self.format_options(ctx, formatter)
        formatter.write_paragraph()
        formatter.write_text(f"\b\n{FIRST}")

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The options of the program itself."""
        click.Command.format_options(self, ctx, formatter)

    def _format_groups(self, formatter: click.HelpFormatter) -> None:
        formatter.write_usage("truerank", "COMMAND [ARGUMENTS]")
        formatter.write_paragraph()
        formatter.write_text(self.help or "")
        for title, names in GROUPS.items():
            with section(formatter, title):
                formatter.write_dl([_row(name) for name in names])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; an old name is forwarded to the command that it became, and says so."""
        if args[0] in COMMANDS:
            return super().resolve_command(ctx, args)
        from truerank.questions.aliases import ALIASES

        if args[0] not in ALIASES:
            from truerank.cli.hints import for_files

            if (typed := for_files(args)) is not None:
                raise click.UsageError(f"a command is missing before {args[0]}; type: {typed}", ctx)
        else:
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


def _row(name: str) -> tuple[str, str]:
    """A command and its line, at one indentation for all groups."""
    widest = max(len(each) for names in GROUPS.values() for each in names)
    return f"{name:{widest}}", COMMANDS[name].rstrip(".")


@click.group(cls=Commands, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="truerank", message="%(prog)s %(version)s")
@debug_option
@click.pass_context
def program(ctx: click.Context) -> None:
    """Score rankings, compare them, and see what the scores depend on."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


program.params.append(help_all())


def main() -> None:
    """Run the program."""
    # Imports make many objects and no garbage; looking for it would take a tenth of a short command's time.
    gc.set_threshold(100_000)
    program.main(prog_name="truerank")
