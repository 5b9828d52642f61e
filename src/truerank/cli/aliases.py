"""Old names of commands: the command that they became, with the arguments that it takes."""

from __future__ import annotations

from collections.abc import Sequence

import click

from truerank.questions.aliases import ALIASES


def renamed(args: Sequence[str], new: click.Command) -> list[str]:
    """The command line with an old name, as the new command takes it."""
    alias = ALIASES[args[0]]
    files, options = _apart(list(args[1:]), new)
    return [alias.now, *options, *alias.files(files)]


def _apart(args: list[str], command: click.Command) -> tuple[list[str], list[str]]:
    """Files, and options with their values.

    >>> measure, quiet = click.Option(["-m", "--measure"]), click.Option(["--quiet"], is_flag=True)
    >>> _apart(["a", "-m", "AP", "b", "--quiet", "c", "--", "-d"], click.Command("x", params=[measure, quiet]))
    (['a', 'b', 'c', '-d'], ['-m', 'AP', '--quiet'])
    """
    values = {
        flag: 0 if param.is_flag or param.count else param.nargs
        for param in command.params
        if isinstance(param, click.Option)
        for flag in param.opts
    }
    files: list[str] = []
    options: list[str] = []
    while args:
        one = args.pop(0)
        if one == "--":
            files += args
            break
        if one == "-" or not one.startswith("-"):
            files.append(one)
            continue
        # A value may stand in the same word, as in --measure=AP; what is no option is refused by the command.
        count = values.get(one, 0)
        options += [one, *args[:count]]
        del args[:count]
    return files, options
