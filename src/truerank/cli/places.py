"""Where a command may write: where a file can be, in no file that it reads, and each thing in a place of its own."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Hashable, Iterable, Iterator
from contextlib import suppress
from typing import Any, NamedTuple

import click


class Output(NamedTuple):
    """Something that a command is asked to write."""

    option: str
    """What asks for it."""
    path: str
    """"-" is standard output."""


def refuse_place(file: str, option: str) -> None:
    """Refuse a place where no file can be written; "-" is standard output."""
    if file == "-":
        return
    path = os.path.realpath(file)
    if os.path.isdir(path):
        raise _refused(f"{file} is a directory; name a file", option)
    if not os.path.isdir(os.path.dirname(path)):
        if os.path.islink(file):
            raise _refused(f"{file} is a link to {path}, and there is no such folder; make it first", option)
        raise _refused(f"there is no folder {os.path.dirname(file) or os.path.dirname(path)}; make it first", option)


def refuse_inputs(outputs: Iterable[Output], given: Any) -> None:
    """Refuse to write to a file that is read, by whatever name or link, and two things to one place.

    ``given`` is what was given beside the outputs, with whatever lists are in it: all texts that are names of files
    are inputs. What is neither is a device or a pipe, which nothing is lost in.
    """
    inputs = {file: name for name in _texts(given) if (file := _file(name, sys.stdin)) is not None}
    written: dict[Hashable, str] = {}
    for option, path in outputs:
        file = _file(path, sys.stdout)
        if file is not None and file in inputs:
            name = "standard input" if inputs[file] == "-" else inputs[file]
            raise _refused(f"{path} is the input {name}, which would be lost; name another file", option)
        place = path if path == "-" else file or os.path.realpath(path)
        if place in written:
            raise _refused(f"{path} is where {written[place]} goes, too; name another file", option)
        if place == "-" or not os.path.exists(path) or file is not None:
            written[place] = option
    file = _file("-", sys.stdout)
    if file is not None and file in inputs:
        raise click.UsageError(
            f"standard output goes to the input {inputs[file]}; send it to another file", click.get_current_context()
        )


def _refused(message: str, option: str) -> click.BadParameter:
    return click.BadParameter(message, param_hint=f"'{option}'")


def _texts(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, (list, tuple, Iterator)):
        for one in given:
            yield from _texts(one)


def _file(path: str, stream: Any) -> tuple[int, int] | None:
    """What tells a file from any other, whatever it is called; None for what is no file. "-" is the stream."""
    with suppress(OSError, ValueError, AttributeError):
        found = os.fstat(stream.fileno()) if path == "-" else os.stat(path)
        if stat.S_ISREG(found.st_mode):
            return found.st_dev, found.st_ino
    return None
