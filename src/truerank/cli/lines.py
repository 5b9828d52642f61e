"""Lines for people on standard error."""

from __future__ import annotations

import sys

import click

from truerank.data.printing import visible, wrapped


def say(line: str) -> None:
    """A line for people; what names in it would do to a terminal is seen instead, which breaks it between words."""
    text = visible(line)
    if sys.stderr.isatty():
        from shutil import get_terminal_size

        text = wrapped(text, get_terminal_size().columns)
    click.echo(text, err=True)
