"""Options that all commands share; they have the names of the Python keywords."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import fields
from typing import Any, get_args

import click

from truerank.cli.pages import Told
from truerank.cli.program import DEBUG
from truerank.conventions.axes import AXES
from truerank.conventions.presets import PRESETS, AxisRules
from truerank.data.errors import InputError
from truerank.questions.signature import ASKED, AskedTopics
from truerank.report.formats import FORMATS
from truerank.report.signature import (
    CONVENTIONS,
    ENGINE,
    INPUT,
    OWN,
    SHOWN,
    WHAT,
    Argument,
    Option,
    OptionGroup,
    Parameter,
)
from truerank.track.engine import Engine

AGGREGATES = ("max", "first", "sum")


def option(parameter: Parameter, group: OptionGroup = OWN) -> click.Parameter:
    """A parameter of a question as an argument or an option, in this group unless it has one."""
    told = parameter.told
    if isinstance(told, Argument):
        nargs = -1 if told.many else 1
        return click.Argument([parameter.name], nargs=nargs, required=told.required, metavar=told.metavar)
    flags = told.flags or f"--{parameter.name.replace('_', '-')}"
    shown: dict[str, Any] = {
        "group": group if parameter.group is OWN else parameter.group,
        "everyday": parameter.everyday,
        "brief": told.brief,
    }
    if parameter.type is bool:
        if parameter.default is None:
            # What is neither said nor denied is left to the question.
            flags = f"{flags}/--no-{flags.removeprefix('--')}"
        return Told([flags, parameter.name], is_flag=True, default=parameter.default, help=told.help, **shown)
    alone: dict[str, Any] = {"is_flag": False, "flag_value": told.alone} if told.alone else {}
    return Told(
        [*flags.split("/"), parameter.name],
        **alone,
        **shown,
        values="WHAT" if parameter.name == "show" else "",
        type=value_type(parameter),
        help=_with_default(parameter, told),
        multiple=told.many,
        nargs=told.values,
        required=told.required,
        metavar=told.metavar or "|".join(told.choices) or _VALUES.get(parameter.type),
    )


_VALUES = {int: "N", float: "X"}
"""What stands for a number in help."""


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
        return Whole(min=_whole(told.least), max=_whole(told.most))
    return Number(min=told.least, max=told.most)


class Whole(click.IntRange):
    """A whole number in a range, called so where it is refused."""

    name = "whole number"


class Number(click.FloatRange):
    """A number in a range, called so where it is refused."""

    name = "number"


def _whole(end: float | None) -> int | None:
    return None if end is None or math.isinf(end) else int(end)


def _with_default(parameter: Parameter, told: Option) -> str:
    if parameter.default in (None, "", ()) or parameter.default is False or told.many:
        return told.help
    if told.least is not None and parameter.default < told.least:
        # A default that nobody may give stands for leaving it out.
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
            found.append(Told([axis.option], type=ConventionValue(axis.name, rules), help=help_, group=CONVENTIONS))
        else:
            found.append(Told([axis.option], type=Whole(min=1), metavar="N", help=help_, group=CONVENTIONS))
    like = "|".join(PRESETS)
    return [
        *found,
        Told(
            ["--like"],
            type=click.Choice([*PRESETS]),
            metavar=like,
            help="Take the conventions of this tool.",
            group=CONVENTIONS,
        ),
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
            Told(
                ["--columns"],
                group=INPUT,
                type=ColumnNames(),
                metavar="PART=NAME,...",
                help="Say which columns of the runs hold the topic, doc, score or rank: topic=qid,doc=docno.",
            ),
            Told(
                ["--higher-is-better/--lower-is-better"],
                group=INPUT,
                default=None,
                help="Whether a higher score is a better rank (similarities), or a lower one (distances).",
            ),
            Told(
                ["--chunks"],
                group=INPUT,
                metavar="SEPARATOR",
                help="Merge chunks into documents. A chunk's id is that of its document, the separator, and a number.",
            ),
            Told(
                ["--aggregate"],
                group=INPUT,
                type=click.Choice(AGGREGATES),
                metavar="|".join(AGGREGATES),
                help="With --chunks: which score a document gets from its chunks. Default: max.",
            ),
        ]
    if "qrels" in holds:
        found.append(
            Told(
                ["--qrels-columns"],
                group=INPUT,
                type=ColumnNames(),
                metavar="PART=NAME,...",
                help="Say which columns of the judgments hold the topic, doc and grade; also judge, judges=A+B, "
                "confidence.",
            )
        )
        flags = ["--topics"] if has_topic else ["--topic", "--topics"]
        found.append(
            Told(
                [*flags, "topics"],
                metavar=ASKED,
                multiple=True,
                help=get_args(AskedTopics)[1].help,
                group=WHAT,
                everyday=True,
            )
        )
    if "qrels" in holds and judges:
        found += [
            Told(
                ["--judge"],
                group=INPUT,
                type=JudgeFile(),
                multiple=True,
                metavar="NAME=FILE",
                help="Add the judgments of another judge; repeatable. --judges says whose judgments count.",
            ),
            Told(
                ["--probabilities"],
                group=INPUT,
                is_flag=True,
                default=None,
                help="Take the grades of the judgments as probabilities of relevance.",
            ),
        ]
    return found


def engine_options() -> list[click.Parameter]:
    """What the work is done with: an option for each field of an engine."""
    return [
        Told([f"--{each.name}"], type=_TYPES.get(each.name, click.STRING), group=ENGINE, **each.metadata)
        for each in fields(Engine)
    ]


_TYPES = {"workers": Whole(min=1)}


def engine_of(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with an engine in place of what was said of it; without one where nothing was."""
    told = {each.name: value for each in fields(Engine) if (value := given.pop(each.name)) is not None}
    return {**given, "engine": Engine(**told)} if told else given


def output_options(*, shown: bool) -> list[click.Parameter]:
    """Where the answer goes, if it is ``shown``, and which notes are left out."""
    found: list[click.Parameter] = []
    if shown:
        found += [
            Told(
                ["--format", "form"],
                group=SHOWN,
                everyday=True,
                values="F",
                brief=", ".join(FORMATS),
                type=click.Choice([*FORMATS]),
                metavar="|".join(FORMATS),
                help="Format of the output. Default: table on a terminal, tsv in a pipe.",
            ),
            Told(
                ["--out"],
                group=SHOWN,
                everyday=True,
                type=click.Path(),
                metavar="FILE",
                help="Write to a file, which appears once it is complete. Its ending says the format: .csv, .json, ...",
                brief="Write to a file; its ending says the format",
            ),
            Told(
                ["--quiet"],
                group=SHOWN,
                multiple=True,
                metavar="CODE",
                help="Leave out notes with this code, such as TR107; repeatable.",
            ),
            Told(
                ["--digits"],
                group=SHOWN,
                type=Whole(0, 17),
                metavar="N",
                help="Show N decimals. Default: what they are worth in tables, at most ten digits in tsv and csv.",
            ),
            Told(
                ["--notes"], group=SHOWN, everyday=True, is_flag=True, help="Show all notes, not only the first three."
            ),
        ]
    return [*found, DEBUG]
