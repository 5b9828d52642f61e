"""What a parameter is on the command line: said once, where a function or a method declares it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin


class Argument(NamedTuple):
    """A parameter that is given by its place."""

    metavar: str
    many: bool = False
    required: bool = True
    holds: str = ""
    """"runs" or "qrels", where options say how to read what it names."""


class Option(NamedTuple):
    """A parameter that is given by name: that of the keyword, unless ``flags`` say otherwise."""

    help: str
    flags: str = ""
    """Such as "-m/--measure"."""
    metavar: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    """The last value that it takes; where nothing is said, whole numbers up to 10^15, and any with infinity."""
    many: bool = False
    """Whether it may be given several times."""
    required: bool = False
    file: bool = False
    """Whether it is a file to be written."""
    columns: bool = False
    """Whether it says which columns of a file hold what, as in topic=qid,doc=docno."""
    values: int = 1
    """How many values it takes at a time."""
    holds: str = ""
    """"collections", where it takes judgments and runs that options say how to read; "groups", where each group of
    topics is asked about; "engine", where it is made of several options."""


Theme = Annotated[str, Option("Colours of the figure.", choices=("light", "dark"))]
"""A parameter of what draws a figure."""


class Parameter(NamedTuple):
    """A parameter of a function, as the command line has it."""

    name: str
    type: type
    """What it is, one of many: a text, a number, a flag."""
    default: Any
    told: Argument | Option


def parameters(function: Callable[..., Any]) -> Iterator[Parameter]:
    """The parameters that are told of in annotations, as in ``depth: Annotated[int, Option("The last one.")] = 10``.

    >>> def count(*, most: Annotated[int | None, Option("How many.")] = None, hidden: int = 0) -> None: ...
    >>> [(each.name, each.type, each.told.help) for each in parameters(count)]
    [('most', <class 'int'>, 'How many.')]
    """
    names = vars(inspect.getmodule(function))
    for name, parameter in inspect.signature(function).parameters.items():
        annotation = parameter.annotation
        # Each on its own: others may name types that only a type checker knows.
        if isinstance(annotation, str) and (annotation in names or annotation.startswith("Annotated[")):
            annotation = eval(annotation, names)
        if get_origin(annotation) is Annotated:
            kind, told = get_args(annotation)[:2]
            default = None if parameter.default is inspect.Parameter.empty else parameter.default
            yield Parameter(name, _plain(kind), default, told)


def _plain(kind: Any) -> type:
    """The one type that a value of an option has."""
    known = [each for each in (kind, *get_args(kind)) if each in (bool, int, float, str)]
    return known[0] if known else str
