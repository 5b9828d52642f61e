"""Questions back: what a question has to know first is asked of a person at a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click

from truerank.cli.options import value_type
from truerank.questions.signature import Unanswered
from truerank.report.answer import Answer


def asked(function: Callable[..., Answer], given: dict[str, Any]) -> Answer:
    """The answer to a question; where it has to know more, a person is asked until it does."""
    try:
        return function(**given)
    except Unanswered as missing:
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            raise
        said = {missing.parameter.name: ask(missing)}
    return asked(function, {**given, **said})


def ask(missing: Unanswered) -> Any:
    """Ask a person; None where an optional question is left open."""
    click.echo()
    click.secho(missing.help, dim=True)
    kind = value_type(missing.parameter)
    try:
        if missing.parameter.type is bool:
            return click.confirm(missing.text, default=None)
        if not missing.optional:
            return click.prompt(missing.text, type=kind)
        return click.prompt(
            f"{missing.text} [Enter: the usual value]",
            default="",
            show_default=False,
            value_proc=lambda typed: kind.convert(typed, None, None) if typed else None,
        )
    except click.Abort:
        click.echo()
        raise KeyboardInterrupt from None
