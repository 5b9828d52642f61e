"""Names of questions that became part of another one: they still work, and say what to call instead.

Nothing lists them: neither help nor completion, the documentation nor ``dir(truerank)``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

Call = tuple[tuple[Any, ...], dict[str, Any]]
"""Positional arguments and keywords of a call."""


def _same_files(files: list[str]) -> list[str]:
    return files


def _same_call(*args: Any, **keywords: Any) -> Call:
    return args, keywords


class Alias(NamedTuple):
    """An old name of a question."""

    now: str
    """What it is called today, as a command and in Python."""
    files: Callable[[list[str]], list[str]] = _same_files
    """The files on an old command line as the new command takes them; options stay as they are."""
    call: Callable[..., Call] = _same_call
    """The arguments in Python as the new function takes them."""


def _rejudged_files(files: list[str]) -> list[str]:
    old, new, *runs = files if len(files) > 1 else [*files, ""]
    return [f"old={old}", f"new={new}", *(word for run in runs for word in ("--runs", run))]


def _rejudged_call(before: Any, after: Any, runs: Any, measures: Any = "nDCG@10 AP", **keywords: Any) -> Call:
    return ({"old": before, "new": after}, measures), {"runs": runs, **keywords}


ALIASES: dict[str, Alias] = {"rejudged": Alias("judges", files=_rejudged_files, call=_rejudged_call)}
"""Every old name."""


def deprecated(name: str) -> Callable[..., Any]:
    """What a public name of Python was: the new function, with a warning at each place that calls it."""
    import truerank

    alias = ALIASES[name]

    def forwarded(*args: Any, **keywords: Any) -> Any:
        warnings.warn(f"truerank.{name} is now truerank.{alias.now}", DeprecationWarning, stacklevel=2)
        args, keywords = alias.call(*args, **keywords)
        return truerank.at_home(alias.now)(*args, **keywords)

    forwarded.__name__ = forwarded.__qualname__ = name
    forwarded.__doc__ = f"Deprecated: call ``truerank.{alias.now}``."
    return forwarded
