"""What a parameter is on the command line: said once, where a function or a method declares it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypedDict, TypeVar, get_args, get_origin

F = TypeVar("F", bound=Callable[..., Any])


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
    alone: str = ""
    """What it stands for where it is given without a value; "" where it needs one."""
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


class Adjustments(TypedDict, total=False):
    """What can be said of any figure; None is not said."""

    width: int | None
    height: int | None
    title: str | None
    highlight: str | Iterable[str] | None
    top: int | None


FIGURE = (
    Parameter("width", int, None, Option("Width of the figure in pixels.", metavar="PIXELS", least=100, most=10_000)),
    Parameter("height", int, None, Option("Height of the figure in pixels.", metavar="PIXELS", least=80, most=10_000)),
    Parameter("title", str, None, Option("Title of the figure.", metavar="TEXT")),
    Parameter(
        "highlight", str, None, Option("A run that stands out in the figure; repeatable.", metavar="RUN", many=True)
    ),
    Parameter("top", int, None, Option("Runs that are drawn, the best ones. Default: all.", metavar="N", least=1)),
)
"""The options of every figure."""


def adjustable(draw: F) -> F:
    """Have a method that draws take what can be said of any figure: width, height, title, highlight and top."""

    own = inspect.signature(draw).parameters

    @wraps(draw)
    def drawn(*args: Any, **given: Any) -> Any:
        told = {one.name: given.pop(one.name) for one in FIGURE if one.name in given and one.name not in own}
        plot = draw(*args, **given)
        if not told:
            return plot
        from truerank.report.plots.adjust import adjusted

        return adjusted(plot, **told)

    return drawn  # type: ignore[return-value]


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
