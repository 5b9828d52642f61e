"""How the program ends: errors in one line, and exit codes that scripts can rely on."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, MutableMapping, Sequence
from typing import Any, NoReturn

import click

from truerank.cli.interrupt import INTERRUPTED, asked, end_in_order, wait_for_order
from truerank.cli.lines import say
from truerank.data.errors import InputError
from truerank.data.printing import shortened, visible

ERROR, BROKEN_PIPE = 2, 141
_NONE: dict[str, str] = {}
_KEYWORD = re.compile(r"(?<![\w(,.'/-])([a-z_]+)=(?:'([\w()-]+)'|(\d[\w.+]*)|(?=[\s;]|$))")
"""A keyword of Python with its value, or without one, that stands in a sentence."""


class Program(click.Group):
    """A group of commands whose errors are one line on standard error: what is wrong; what to do."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> NoReturn:
        """Run the command that the arguments name, and exit."""
        state: dict[str, Any] = {}
        try:
            end_in_order()
            code = super().main(args, prog_name, complete_var, standalone_mode=False, obj=state, **extra)
        except (KeyboardInterrupt, click.Abort):
            code = INTERRUPTED
        except Exception as error:
            if asked():
                code = INTERRUPTED
            else:
                if state.get("debug"):
                    import traceback

                    click.echo(visible(traceback.format_exc(), keep="\n"), err=True, nl=False)
                say(f"truerank: {shortened(one_line(error, state.get('options', {})))}")
                code = ERROR
        wait_for_order()
        sys.exit(code if isinstance(code, int) else 0)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command, or one whose name is near."""
        name = args[0]
        if self.get_command(ctx, name) is None and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name, self.list_commands(ctx), n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(self.list_commands(ctx))}"
            ctx.fail(f"no such command {name!r}, {hint}")
        found = super().resolve_command(ctx, args)
        if found[1] is not None and isinstance(ctx.obj, MutableMapping):
            params = [param for param in found[1].params if isinstance(param, click.Option) and param.name]
            ctx.obj["options"] = {param.name: max(param.opts, key=len) for param in params}
        return found

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command; a reader that goes away and a user who stops it are not errors."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Whatever is still buffered has nowhere to go when the interpreter closes standard output.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(BROKEN_PIPE)
        except KeyboardInterrupt:
            ctx.exit(INTERRUPTED)
        return result


def one_line(error: Exception, options: Mapping[str, str] = _NONE) -> str:
    """What went wrong, and what to do, in one line; keywords of Python are said as ``options`` of the command."""
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "truerank"
        return f"{_sentence(error.format_message())}; see: {path} --help"
    if isinstance(error, click.ClickException):
        return _sentence(error.format_message())
    if isinstance(error, InputError):
        return in_options(" ".join(str(error).split()), options)
    if isinstance(error, OSError) and error.filename is not None:
        return f"{os.fsdecode(error.filename)}: {error.strerror}; check the path and its permissions"
    if isinstance(error, OSError) and error.strerror is not None:
        return f"{error.strerror[:1].lower()}{error.strerror[1:]}; check where the output goes"
    if isinstance(error, MemoryError):
        return "out of memory; evaluate fewer runs at a time"
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return f"internal error: {what}; run it again with --debug and report what it prints"


def in_options(text: str, options: Mapping[str, str]) -> str:
    """The text with keywords and their values as the options that they are; those of a measure stay.

    >>> in_options("nDCGT(ending='terminal') goes with no_relevant='nan'; give size=", {"no_relevant": "--no-relevant"})
    "nDCGT(ending='terminal') goes with --no-relevant nan; give size="
    """

    def option(found: re.Match[str]) -> str:
        name, quoted, number = found.groups()
        value = quoted or number
        if name not in options:
            return found[0]
        return f"{options[name]} {value}" if value else options[name]

    return _KEYWORD.sub(option, text)


def _remember(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    state = ctx.find_root().obj
    if value and isinstance(state, MutableMapping):
        state["debug"] = True


DEBUG = click.Option(
    ["--debug"], is_flag=True, expose_value=False, callback=_remember, help="Show where an error came from."
)
"""Also prints where an error came from."""


def debug_option(command: Any) -> Any:
    """Give a command the option --debug."""
    return click.option(*DEBUG.opts, is_flag=True, expose_value=False, callback=_remember, help=DEBUG.help)(command)


def _sentence(text: str) -> str:
    text = " ".join(text.split()).rstrip(".")
    return text[:1].lower() + text[1:]
