"""Where results go: the terminal, a pipe or a file; notices never end up between the data."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Collection, Iterable
from typing import Any

import click

from truerank.cli.lines import say
from truerank.cli.places import refuse_place
from truerank.data.classes import dataclass
from truerank.data.printing import visible
from truerank.report.answer import Answer
from truerank.report.formats import ENDINGS, MACHINE

SIGNIFICANT = 10
"""Digits of a number on standard output, which people read, too; what comes after them is mostly rounding. Files and
JSON have every bit."""


@dataclass(frozen=True, eq=False)
class Destination:
    """Where an answer goes, and in which format."""

    form: str
    file: str | None
    """None for standard output."""

    @property
    def terminal(self) -> bool:
        """Whether it is a table for a person who looks at it now."""
        return self.form == "table" and self.file is None and sys.stdout.isatty()


def place(form: str | None, out: str | None) -> Destination:
    """The place asked for, with the format asked for, or the one that suits the place."""
    return Destination(chosen(form, out), None if out in (None, "-") else out)


def show(
    answer: Answer,
    at: Destination,
    name: str | None,
    *,
    quiet: Collection[str] = (),
    notes: bool = False,
    **options: Any,
) -> None:
    """Put an answer in its place; notes stand below a table on a terminal and inside JSON, else on standard error.

    An answer that has a verdict has its notes with it in every format for people.
    """
    if at.terminal:
        from rich.console import Console

        from truerank.report import terminal

        terminal.show(answer.table(name, quiet=quiet, every_note=notes, **options), Console(), notes=notes)
        return
    block = at.form not in MACHINE and bool(answer.verdict(answer.kind(name)))
    if at.form in MACHINE and at.file is None:
        options["significant"] = SIGNIFICANT
    if block:
        options["every_note"] = notes
    text = answer.render(at.form, name, quiet=quiet if block or at.form == "json" else None, **options) + "\n"
    if at.file is None:
        echo(text)
    else:
        put(text, at.file)
    if at.form != "json" and not block:
        for note in answer.notes(name, quiet, whole=at.form in MACHINE):
            say(f"note: {note}")


def append(text: str, path: str) -> None:
    """Add to the end of a file, as steps of a workflow do to the summary of their job; "-" is standard output.

    In Markdown a heading right below something else may be read as part of it, so that an empty line comes between.
    """
    if path == "-":
        echo(text)
        return
    if os.path.isfile(path):
        with open(path, "rb") as file:
            file.seek(max(0, os.path.getsize(path) - 2))
            end = file.read()
        if end not in (b"", b"\n", b"\n\n"):
            text = ("\n" if end.endswith(b"\n") else "\n\n") + text
    from truerank.io import writing

    writing.add(text.encode("utf-8", "surrogateescape"), path)


def chosen(form: str | None, out: str | None) -> str:
    """The format asked for, or the one that suits the place."""
    if out is not None and out != "-":
        refuse_place(out, "--out")
        return form or _by_ending(out)
    if form is not None:
        return form
    return "table" if sys.stdout.isatty() else "tsv"


def _by_ending(out: str) -> str:
    """The format that the name of a file stands for; one without an ending, such as a device, gets tsv."""
    ending = os.path.splitext(out)[1]
    if ending and ending.lower() not in ENDINGS and (os.path.isfile(out) or not os.path.exists(out)):
        known = ", ".join(ENDINGS)
        message = f"{ending} stands for no format; end {os.path.basename(out)} in one of {known}, or give --format"
        raise click.BadParameter(message, param_hint="'--out'")
    return ENDINGS.get(ending.lower(), "tsv")


def echo(text: str) -> None:
    """Write to standard output; names that are not UTF-8 come out as the bytes they came in as.

    On a terminal, characters that would do something to it are seen instead, whatever the format is.
    """
    stream = sys.stdout
    if stream.isatty():
        text = visible(text, keep="\n\t")
    encoding = (stream.encoding or "utf-8").lower().replace("-", "")
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="surrogateescape" if encoding == "utf8" else "backslashreplace")
    binary = getattr(stream, "buffer", None)
    if isinstance(binary, io.RawIOBase):
        # Unbuffered (python -u): such a stream says how much of a text it took, and nobody else asks for the rest.
        binary = io.BufferedWriter(binary)
        try:
            binary.write(text.encode(stream.encoding or "utf-8", stream.errors or "strict"))
            binary.flush()
        finally:
            binary.detach()
        return
    stream.write(text)
    stream.flush()


def put(text: str, out: str) -> None:
    """Write a text to a file, which appears when it is complete."""
    deliver([text], out)


def deliver(pieces: Iterable[str], out: str) -> None:
    """Write a text that comes in pieces to a file, which appears when it is complete; "-" is standard output."""
    if out == "-":
        for piece in pieces:
            echo(piece)
        return
    from truerank.io import writing

    writing.put((piece.encode("utf-8", "surrogateescape") for piece in pieces), out)
