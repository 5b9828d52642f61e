"""What a parameter is on the command line: said once, where a function or a method declares it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from functools import wraps
from typing import Annotated, Any, NamedTuple, TypedDict, TypeVar, get_args, get_origin

F = TypeVar("F", bound=Callable[..., Any])


class OptionGroup(NamedTuple):
    """Options that help shows together."""

    title: str
    word: str
    """What ``--help`` calls it if it is left to ``--help-all``; "" is not mentioned."""
    about: str = ""
    """What all of them have in common, which only ``--help-all`` says."""


WHAT = OptionGroup("What to look at", "")
OWN = OptionGroup("How", "")
"""The options of one question, unless it says otherwise."""
SHOWN = OptionGroup("What to show", "")
FIGURES = OptionGroup("Figures", "figures", "For the figure that --plot draws.")
CONVENTIONS = OptionGroup(
    "Conventions",
    "ties, unjudged documents",
    "How a score is computed where tools differ. Without an option the default holds; --like takes all conventions of "
    "another tool at once, and options beside it change some of them.",
)
INPUT = OptionGroup(
    "Input",
    "input columns",
    "How to read files whose columns have names of their own. TREC files, and tables with the usual names, need none.",
)
ENGINE = OptionGroup(
    "Engine", "engines", "For many runs, or runs larger than memory. Results are the same bits with any engine."
)
GROUPS = (WHAT, OWN, SHOWN, FIGURES, CONVENTIONS, INPUT, ENGINE)
"""The order in which help shows them; groups of a question's own come where its other options do."""
WHAT_NAMES = frozenset({"measures", "measure", "baseline", "topic", "topics", "group", "system", "also", "runs"})
"""Keywords that say what is looked at, whatever the question."""
RARE_NAMES = frozenset({"seed", "draws", "permutations", "resamples", "splits", "confidence", "tolerance", "precision"})
"""Keywords that few people need, whatever the question."""


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
    group: OptionGroup | None = None
    """The group that help shows it in; None follows from what it is."""
    everyday: bool | None = None
    """Whether ``--help`` has it, and not only ``--help-all``; None follows from what it is."""
    brief: str = ""
    """What ``--help`` says, if not the first sentence of ``help``."""


Theme = Annotated[str, Option("Colours of the figure.", choices=("light", "dark"), group=FIGURES)]
"""A parameter of what draws a figure."""


class Parameter(NamedTuple):
    """A parameter of a function, as the command line has it."""

    name: str
    type: type
    """What it is, one of many: a text, a number, a flag."""
    default: Any
    told: Argument | Option

    @property
    def group(self) -> OptionGroup:
        """The group that help shows it in."""
        if isinstance(self.told, Option) and self.told.group is not None:
            return self.told.group
        # A number of topics says how many there are to be, not which.
        return WHAT if self.name in WHAT_NAMES and self.type is str else OWN

    @property
    def everyday(self) -> bool:
        """Whether ``--help`` has it, and not only ``--help-all``."""
        if isinstance(self.told, Option) and self.told.everyday is not None:
            return self.told.everyday
        return self.name not in RARE_NAMES and self.group not in (FIGURES, CONVENTIONS, INPUT, ENGINE)


class Adjustments(TypedDict, total=False):
    """What can be said of any figure; None is not said."""

    width: int | None
    height: int | None
    title: str | None
    highlight: str | Iterable[str] | None
    top: int | None


FIGURE = (
    Parameter(
        "width",
        int,
        None,
        Option("Width of the figure in pixels.", metavar="PIXELS", least=100, most=10_000, group=FIGURES),
    ),
    Parameter(
        "height",
        int,
        None,
        Option("Height of the figure in pixels.", metavar="PIXELS", least=80, most=10_000, group=FIGURES),
    ),
    Parameter("title", str, None, Option("Title of the figure.", metavar="TEXT", group=FIGURES)),
    Parameter(
        "highlight",
        str,
        None,
        Option("Highlight this run in the figure; repeatable.", metavar="RUN", many=True, group=FIGURES),
    ),
    Parameter(
        "top",
        int,
        None,
        Option("Draw only the best N runs. Default: all.", metavar="N", least=1, group=FIGURES),
    ),
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
