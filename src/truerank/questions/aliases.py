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
    """What the command is called today."""
    function: str = ""
    """What the function is called, where it has another name than the command."""
    files: Callable[[list[str]], list[str]] = _same_files
    """The files on an old command line as the new command takes them; options stay as they are."""
    usage: str = ""
    """What to type now, if more than the name is another one."""
    call: Callable[..., Call] = _same_call
    """The arguments in Python as the new function takes them."""


def _by_topic(files: list[str]) -> list[str]:
    return ["--by-topic", *files]


def _two_judges(files: list[str]) -> list[str]:
    named = [f"{name}={file}" for name, file in zip(("old", "new"), files, strict=False)]
    return [*named, *(word for run in files[2:] for word in ("--runs", run))]


def _two_judges_call(before: Any, after: Any, runs: Any, measures: Any = "nDCG@10 AP", **keywords: Any) -> Call:
    return ({"old": before, "new": after}, measures), {"runs": runs, **keywords}


def _by_people(files: list[str]) -> list[str]:
    named = ["--qrels", *files[:1]] if files else []
    return [*named, *(word for run in files[1:] for word in ("--run", run))]


def _by_people_call(qrels: Any, runs: Any, measures: Any = "RBP", **keywords: Any) -> Call:
    return (measures,), {"qrels": qrels, "run": runs, **keywords}


def _features_file(files: list[str]) -> list[str]:
    return [*files[:1], *files]


def _features_call(data: Any, measures: Any = "nDCG@10", **keywords: Any) -> Call:
    from truerank.io.features import read_features

    return (*read_features(data), measures), keywords


ALIASES: dict[str, Alias] = {
    "order": Alias("agreement", "agreement_by_topic", files=_by_topic),
    "features": Alias("evaluate", files=_features_file, usage="FILE FILE", call=_features_call),
    "fit": Alias("calibrate", files=_by_people, usage="--qrels QRELS --run RUN", call=_by_people_call),
    "rejudged": Alias("judges", files=_two_judges, call=_two_judges_call),
}
"""Every old name."""


def deprecated(name: str) -> Callable[..., Any]:
    """What a public name of Python was: the new function, with a warning at each place that calls it."""
    import truerank

    alias = ALIASES[name]
    now = alias.function or alias.now

    def forwarded(*args: Any, **keywords: Any) -> Any:
        warnings.warn(f"truerank.{name} is now truerank.{now}", DeprecationWarning, stacklevel=2)
        args, keywords = alias.call(*args, **keywords)
        return truerank.at_home(now)(*args, **keywords)

    forwarded.__name__ = forwarded.__qualname__ = name
    forwarded.__doc__ = f"Deprecated: call ``truerank.{now}``."
    return forwarded
