"""Options that commands share; they have the names of the Python keywords."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import click

from truerank.cli.program import debug_option
from truerank.conventions.choices import AXES, CHOICES, Conventions
from truerank.conventions.presets import PRESETS
from truerank.data.errors import InputError
from truerank.report.formats import FORMATS

Command = TypeVar("Command", bound=Callable[..., Any])

_HELP = {
    "ties": "Order of documents with equal scores: the mean over all orders, an extreme, both extremes, or one order.",
    "unjudged": "What documents without a judgment count as.",
    "ending": "Whether the end of a list is an answer of its own.",
    "limit": "Most documents that a list could have: one of so many, without NIL, was not ended by its system.",
    "nil": "What a document named NIL is: the end of its list, where that counts, or an answer as in TREC 2001.",
    "missing": "What a judged topic counts as that the run leaves out.",
    "no_relevant": "What a topic counts as where a measure is undefined.",
    "relevant": "Where relevant documents are counted.",
    "negative": "Whether a grade below 0 is a judgment or none.",
    "precision": "How scores are compared.",
    "identical": "What becomes of a document that has the id of its topic.",
}


class Choice(click.ParamType):  # type: ignore[type-arg]  # Older click has no ParamType[str].
    """A value of a convention; ties also take sample(SEED)."""

    name = "choice"

    def __init__(self, axis: str) -> None:
        self.axis = axis

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The values there are."""
        return "|".join(value + "(SEED)" * (value == "sample") for value in CHOICES[self.axis])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a value that the convention does not have."""
        try:
            Conventions(**{self.axis: value})
        except InputError:
            self.fail(f"{value!r} is not one of {self.get_metavar(param or click.Option(['--x']))}", param, ctx)
        return str(value)


def conventions_without(*left_out: str, **usual: str) -> Callable[[Command], Command]:
    """Give a command an option for each convention but some, and --like; ``usual`` are defaults of its own."""

    def given(command: Command) -> Command:
        like = "|".join(PRESETS)
        command = click.option("--like", type=click.Choice([*PRESETS]), metavar=like, help="Conventions of a tool.")(
            command
        )
        for axis in reversed([axis for axis in AXES if axis not in left_out]):
            words: Any = {"type": click.IntRange(min=1), "metavar": "N", "help": f"{_HELP[axis]} Default: none."}
            if axis in CHOICES:
                words = {"type": Choice(axis), "help": f"{_HELP[axis]} Default: {usual.get(axis, CHOICES[axis][0])}."}
            command = click.option(f"--{axis.replace('_', '-')}", **words)(command)
        return command

    return given


def convention_options(command: Command) -> Command:
    """Give a command an option for each convention, and --like."""
    return conventions_without()(command)


class ColumnNames(click.ParamType):  # type: ignore[type-arg]
    """Names of columns by what they hold, as in topic=qid,doc=docno."""

    name = "columns"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> dict[str, str]:
        """Take the text apart."""
        if isinstance(value, dict):
            return value
        pairs = [pair.partition("=") for pair in str(value).split(",")]
        if not all(part.strip() and name.strip() for part, _, name in pairs):
            self.fail(f"{value!r} is not like topic=qid,doc=docno,score=bm25", param, ctx)
        return {part.strip(): name.strip() for part, _, name in pairs}


def run_options(command: Command) -> Command:
    """Give a command the options that say how to read its runs; it gets them ready to be read.

    Those of further collections, ``also``, are pairs of judgments and runs, and are read alike.
    """

    @wraps(command)
    def reading(*args: Any, **given: Any) -> Any:
        options = {name: value for name in _DATA if (value := given.pop(name)) is not None}
        if options:
            from truerank.io.runs import with_options

            given["runs"] = with_options(given["runs"], options)
            if "also" in given:
                given["also"] = [(qrels, with_options(runs, options)) for qrels, runs in given["also"]]
        return command(*args, **given)

    for names, settings in reversed(_DATA.values()):
        reading = click.option(*names, **settings)(reading)
    return reading  # type: ignore[return-value]


def data_options(command: Command) -> Command:
    """Give a command the options that say how to read its runs and judgments; it gets them ready to be read."""

    @wraps(command)
    def reading(*args: Any, **given: Any) -> Any:
        columns = given.pop("qrels_columns")
        if columns is not None and given["qrels"] is not None:
            from truerank.io.load import as_qrels

            given["qrels"] = as_qrels(given["qrels"], columns=columns)
            if "also" in given:
                given["also"] = [(as_qrels(qrels, columns=columns), runs) for qrels, runs in given["also"]]
        return command(*args, **given)

    names, settings = _QRELS_COLUMNS
    return run_options(click.option(*names, **settings)(reading))  # type: ignore[return-value]


_AGGREGATES = ("max", "first", "sum")
_DATA: dict[str, tuple[list[str], dict[str, Any]]] = {
    "columns": (
        ["--columns"],
        {
            "type": ColumnNames(),
            "metavar": "PART=NAME,...",
            "help": "Columns of the runs, where their names do not tell: topic, doc, score or rank.",
        },
    ),
    "higher_is_better": (
        ["--higher-is-better/--lower-is-better"],
        {"default": None, "help": "Whether scores of the runs are similarities or distances."},
    ),
    "chunks": (
        ["--chunks"],
        {"metavar": "SEPARATOR", "help": "Merge chunks of documents: the document precedes the last separator."},
    ),
    "aggregate": (
        ["--aggregate"],
        {
            "type": click.Choice(_AGGREGATES),
            "metavar": "|".join(_AGGREGATES),
            "help": "Score of a document, of those of its chunks. Default: max.",
        },
    ),
}
_QRELS_COLUMNS: tuple[list[str], dict[str, Any]] = (
    ["--qrels-columns"],
    {
        "type": ColumnNames(),
        "metavar": "PART=NAME,...",
        "help": "Columns of the judgments: topic, doc and grade.",
    },
)


def measure_option(command: Command) -> Command:
    """Give a command the option --measure; it gets ``measures``."""
    return click.option(
        "-m",
        "--measure",
        "measures",
        multiple=True,
        metavar="MEASURE",
        help="A measure, or several in quotes; repeatable.",
    )(command)


def figure_options(command: Command) -> Command:
    """Give a command the options --plot and --theme."""
    command = click.option(
        "--theme", type=click.Choice(["light", "dark"]), default="light", help="Colours of the figure."
    )(command)
    return click.option(
        "--plot", type=click.Path(), metavar="FILE", help="A figure: .svg, .png, .pdf, .html or .json."
    )(command)


def output_options(command: Command) -> Command:
    """Give a command the options --format and --out, and --debug."""
    command = debug_option(command)
    command = click.option(
        "--out",
        type=click.Path(),
        metavar="FILE",
        help="Write to a file, which appears when it is complete; its ending says the format.",
    )(command)
    return click.option(
        "--format",
        "form",
        type=click.Choice([*FORMATS]),
        metavar="|".join(FORMATS),
        help="Default: table on a terminal, tsv in a pipe.",
    )(command)
