"""Questions back: what a question has to know first is asked of a person at a terminal."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Any

import click

from truerank.cli.options import value_type
from truerank.data.printing import wrapped
from truerank.questions.signature import Unanswered
from truerank.report.answer import Answer

ANSWER = 10
"""Columns that are left for the answer beside a question, and for what may be answered."""


def asked(function: Callable[..., Answer], given: dict[str, Any]) -> Answer:
    """The answer to a question; what it has to know more is asked of a person at a terminal."""
    replies: list[Any] = []

    def reply(missing: Unanswered) -> Any:
        replies.append(ask(missing))
        return replies[-1]

    if "ask" in inspect.signature(function).parameters and sys.stdin.isatty() and sys.stdout.isatty():
        given = {**given, "ask": reply}
    try:
        answer = function(**given)
    except Unanswered as missing:
        how = " or ".join(_options(missing))
        raise click.UsageError(f"not answered yet: {missing.text} Give {how}", click.get_current_context()) from None
    if replies:
        click.echo()
    return answer


def _options(missing: Unanswered) -> list[str]:
    name = missing.parameter.name.replace("_", "-")
    return [f"--{name}", f"--no-{name}"] if missing.parameter.type is bool else [f"--{name} N"]


def ask(missing: Unanswered) -> Any:
    """Ask a person; None where an optional question is left open."""
    click.echo()
    from shutil import get_terminal_size

    width = get_terminal_size().columns
    click.secho(wrapped(missing.help, width), dim=True)
    kind, question = value_type(missing.parameter), wrapped(missing.text, width - ANSWER)
    try:
        if missing.parameter.type is bool:
            return click.confirm(question, default=None)
        if not missing.optional:
            return click.prompt(question, type=kind)
        return click.prompt(
            f"{question} [Enter: the usual value]",
            default="",
            show_default=False,
            value_proc=lambda typed: kind.convert(typed, None, None) if typed else None,
        )
    except click.Abort:
        click.echo()
        raise KeyboardInterrupt from None
