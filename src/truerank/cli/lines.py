"""Lines for people on standard error."""

from __future__ import annotations

import shutil
import sys

import click

from truerank.data.printing import visible, wrapped


def say(line: str) -> None:
    """A line for people; what names in it would do to a terminal is seen instead, which breaks it between words."""
    text = visible(line)
    click.echo(wrapped(text, shutil.get_terminal_size().columns) if sys.stderr.isatty() else text, err=True)
