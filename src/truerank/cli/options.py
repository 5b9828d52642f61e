"""Options that all commands share; they have the names of the Python keywords."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields
from typing import Any, get_args

import click

from truerank.cli.program import DEBUG
from truerank.conventions.axes import AXES
from truerank.conventions.presets import PRESETS, AxisRules
from truerank.data.errors import InputError
from truerank.questions.signature import ASKED, AskedTopics
from truerank.report.formats import FORMATS
from truerank.report.signature import Argument, Option, Parameter
from truerank.track.engine import Engine

AGGREGATES = ("max", "first", "sum")


def option(parameter: Parameter) -> click.Parameter:
    """A parameter of a question as an argument or an option."""
    told = parameter.told
    if isinstance(told, Argument):
        nargs = -1 if told.many else 1
        return click.Argument([parameter.name], nargs=nargs, required=told.required, metavar=told.metavar)
    flags = told.flags or f"--{parameter.name.replace('_', '-')}"
    if parameter.type is bool:
        if parameter.default is None:
            # What is neither said nor denied is left to the question.
            flags = f"{flags}/--no-{flags.removeprefix('--')}"
        return click.Option([flags, parameter.name], is_flag=True, default=parameter.default, help=told.help)
    alone: dict[str, Any] = {"is_flag": False, "flag_value": told.alone} if told.alone else {}
    return click.Option(
        [*flags.split("/"), parameter.name],
        **alone,
        type=value_type(parameter),
        help=_with_default(parameter, told),
        multiple=told.many,
        nargs=told.values,
        required=told.required,
        metavar=told.metavar or "|".join(told.choices) or None,
    )


def flag_of(parameter: Parameter) -> str:
    """What a parameter is called on the command line, in full."""
    told = parameter.told
    if isinstance(told, Argument):
        return told.metavar.strip("[]")
    return (told.flags or f"--{parameter.name.replace('_', '-')}").split("/")[-1]


def value_type(parameter: Parameter) -> Any:
    """What a value may be, in the terms of click."""
    told = parameter.told
    if isinstance(told, Argument):
        return click.STRING
    if told.choices:
        return click.Choice(told.choices)
    if told.file:
        return click.Path()
    if told.columns:
        return ColumnNames()
    if told.least is None and told.most is None:
        return {int: click.INT, float: click.FLOAT}.get(parameter.type, click.STRING)
    if parameter.type is int:
        return click.IntRange(min=_whole(told.least), max=_whole(told.most))
    return click.FloatRange(min=told.least, max=told.most)


def _whole(end: float | None) -> int | None:
    return None if end is None or math.isinf(end) else int(end)


def _with_default(parameter: Parameter, told: Option) -> str:
    if parameter.default in (None, "", ()) or parameter.default is False or told.many:
        return told.help
    return f"{told.help}  [default: {parameter.default}]"


class ConventionValue(click.ParamType):  # type: ignore[type-arg]  # Older click has no ParamType[str].
    """A value of a convention; ties also take sample(SEED)."""

    name = "choice"

    def __init__(self, axis: str, rules: AxisRules) -> None:
        self.axis, self.rules = axis, rules

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:
        """The values there are."""
        named = ["NAME"] if AXES[self.axis].named else []
        values = ("sample(SEED)" if value == "sample" else value for value in self.rules.open(self.axis))
        return "|".join([*named, *values])

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Refuse a value that the convention does not have, or that has no meaning here."""
        try:
            AXES[self.axis].checked(value)
        except InputError:
            self.fail(f"{value!r} is not one of {self.get_metavar(param or click.Option(['--x']))}", param, ctx)
        if value in self.rules.refused.get(self.axis, ()):
            self.fail(f"{value!r} {self.rules.refused[self.axis][value]}", param, ctx)
        return str(value)


def convention_options(rules: AxisRules) -> list[click.Parameter]:
    """An option for each convention that a question leaves open, and --like."""
    found: list[click.Parameter] = []
    for axis in AXES.values():
        if axis.name in rules.fixed:
            continue
        usual = rules.usual.get(axis.name, axis.default)
        help_ = f"{axis.help} Default: {'none' if usual is None else usual}."
        if axis.values:
            found.append(click.Option([axis.option], type=ConventionValue(axis.name, rules), help=help_))
        else:
            found.append(click.Option([axis.option], type=click.IntRange(min=1), metavar="N", help=help_))
    like = "|".join(PRESETS)
    return [
        *found,
        click.Option(["--like"], type=click.Choice([*PRESETS]), metavar=like, help="Conventions of a tool."),
    ]


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


class JudgeFile(click.ParamType):  # type: ignore[type-arg]
    """A judge's name and file."""

    name = "judge"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Take the text apart; a file alone has its own name."""
        if isinstance(value, tuple):
            return value
        from truerank.io.judges import named_file

        return named_file(str(value))


def data_options(holds: Collection[str], *, has_topic: bool = False, judges: bool = False) -> list[click.Parameter]:
    """How to read runs and judgments, where a question has them.

    ``has_topic`` is whether its own --topic names one; ``judges`` whether it may choose among some.
    """
    found: list[click.Parameter] = []
    if "runs" in holds:
        found += [
            click.Option(
                ["--columns"],
                type=ColumnNames(),
                metavar="PART=NAME,...",
                help="Columns of the runs, where their names do not tell: topic, doc, score or rank.",
            ),
            click.Option(
                ["--higher-is-better/--lower-is-better"],
                default=None,
                help="Whether scores of the runs are similarities or distances.",
            ),
            click.Option(
                ["--chunks"],
                metavar="SEPARATOR",
                help="Merge chunks of documents: the document precedes the last separator.",
            ),
            click.Option(
                ["--aggregate"],
                type=click.Choice(AGGREGATES),
                metavar="|".join(AGGREGATES),
                help="Score of a document, of those of its chunks. Default: max.",
            ),
        ]
    if "qrels" in holds:
        found.append(
            click.Option(
                ["--qrels-columns"],
                type=ColumnNames(),
                metavar="PART=NAME,...",
                help="Columns of the judgments: topic, doc and grade; also judge, judges=A+B, confidence.",
            )
        )
        flags = ["--topics"] if has_topic else ["--topic", "--topics"]
        found.append(click.Option([*flags, "topics"], metavar=ASKED, multiple=True, help=get_args(AskedTopics)[1].help))
    if "qrels" in holds and judges:
        found += [
            click.Option(
                ["--judge"],
                type=JudgeFile(),
                multiple=True,
                metavar="NAME=FILE",
                help="A further judge, beside QRELS; repeatable. --judges says whose judgments count.",
            ),
            click.Option(
                ["--probabilities"],
                is_flag=True,
                default=None,
                help="Grades of the judgments are probabilities of relevance.",
            ),
        ]
    return found


def engine_options() -> list[click.Parameter]:
    """What the work is done with: an option for each field of an engine."""
    return [
        click.Option([f"--{each.name}"], type=_TYPES.get(each.name, click.STRING), **each.metadata)
        for each in fields(Engine)
    ]


_TYPES = {"workers": click.IntRange(min=1)}


def engine_of(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with an engine in place of what was said of it; without one where nothing was."""
    told = {each.name: value for each in fields(Engine) if (value := given.pop(each.name)) is not None}
    return {**given, "engine": Engine(**told)} if told else given


def output_options(*, shown: bool) -> list[click.Parameter]:
    """Where the answer goes, if it is ``shown``, and which notes are left out."""
    found: list[click.Parameter] = []
    if shown:
        found += [
            click.Option(
                ["--format", "form"],
                type=click.Choice([*FORMATS]),
                metavar="|".join(FORMATS),
                help="Default: table on a terminal, tsv in a pipe.",
            ),
            click.Option(
                ["--out"],
                type=click.Path(),
                metavar="FILE",
                help="Write to a file, which appears when it is complete; its ending says the format.",
            ),
            click.Option(
                ["--quiet"], multiple=True, metavar="CODE", help="Leave out notes of a code, such as TR107; repeatable."
            ),
            click.Option(
                ["--digits"],
                type=click.IntRange(0, 17),
                metavar="N",
                help="Decimals of numbers. Default: what they are worth for people, at most ten digits in tsv and csv.",
            ),
            click.Option(["--notes"], is_flag=True, help="Show all notes on a terminal, not only the first three."),
        ]
    return [*found, DEBUG]
