"""Options that commands share; they have the names of the Python keywords."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from truerank.cli.program import debug_option
from truerank.conventions.choices import CHOICES, Conventions
from truerank.conventions.presets import PRESETS
from truerank.data.errors import InputError
from truerank.report.formats import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_HELP = {
    "ties": "Order of documents with equal scores: the mean over all orders, an extreme, both extremes, or one order.",
    "unjudged": "What documents without a judgment count as.",
    "ending": "Whether the end of a list is an answer of its own.",
    "missing": "What a judged topic counts as that the run leaves out.",
    "no_relevant": "What a topic counts as where a measure is undefined.",
    "relevant": "Where relevant documents are counted.",
    "negative": "Whether a grade below 0 is a judgment or none.",
    "precision": "How scores are compared.",
    "identical": "What becomes of a document that has the id of its topic.",
}


class Choice(click.ParamType):  # type: ignore[type-arg]  # Older click has no ParamType[str].
    """A value of a convention; ties also take sample(SEED)."""

    name = "choice"

    def __init__(self, axis: str) -> None:
        self.axis = axis

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The values there are."""
        return "|".join(value + "(SEED)" * (value == "sample") for value in CHOICES[self.axis])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a value that the convention does not have."""
        try:
            Conventions(**{self.axis: value})
        except InputError:
            self.fail(f"{value!r} is not one of {self.get_metavar(param or click.Option(['--x']))}", param, ctx)
        return str(value)


def convention_options(command: Command) -> Command:
    """Give a command an option for each convention, and --like."""
    like = "|".join(PRESETS)
    command = click.option("--like", type=click.Choice([*PRESETS]), metavar=like, help="Conventions of a tool.")(
        command
    )
    for axis in reversed(CHOICES):
        text = f"{_HELP[axis]} Default: {CHOICES[axis][0]}."
        command = click.option(f"--{axis.replace('_', '-')}", type=Choice(axis), help=text)(command)
    return command


def output_options(command: Command) -> Command:
    """Give a command the options --format and --out, and --debug."""
    command = debug_option(command)
    command = click.option(
        "--out",
        type=click.Path(),
        metavar="FILE",
        help="Write to a file, which appears when it is complete; its ending says the format.",
    )(command)
    return click.option(
        "--format",
        "form",
        type=click.Choice([*FORMATS]),
        metavar="|".join(FORMATS),
        help="Default: table on a terminal, tsv in a pipe.",
    )(command)
