"""Pages of help: one screen with what people need every day, and with --help-all everything, in groups."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from truerank.report.signature import GROUPS, OWN, SHOWN, OptionGroup

EXAMPLES = 2
"""Examples on the one screen."""
WIDEST = 30
"""Columns that an option and its value take beside its text."""
METAVAR = 24
"""Columns of a list of values that are worth their place on the one screen."""
_SENTENCE = re.compile(r"(?<=[^.\s])\.\s+(?=[A-Z({])")
_USUAL = re.compile(r"(?:Default: ([^.]*)\.|\[default: ([^]]*)\])\s*$")


class Told(click.Option):
    """An option that knows its group, and whether it is one of every day."""

    def __init__(
        self,
        *args: Any,
        group: OptionGroup = OWN,
        everyday: bool = False,
        brief: str = "",
        values: str = "",
        **given: Any,
    ) -> None:
        super().__init__(*args, **given)
        self.group, self.everyday, self.brief, self.values = group, everyday, brief, values

    def in_short(self, ctx: click.Context) -> tuple[str, str] | None:
        """What the one screen has of it: the first sentence of its text, and the default."""
        record = self.get_help_record(ctx)
        if record is None:
            return None
        names, text = record[0], self.help or ""
        metavar = self.metavar or ""
        if metavar and (self.values or ("|" in metavar and len(metavar) > METAVAR)):
            names = names.replace(metavar, self.values or "NAME")
        return names, self.brief or first_sentence(text)


def first_sentence(text: str) -> str:
    """The first sentence of a text about an option, and in brackets what it is by default.

    >>> first_sentence("Depth of the pool, as in P.10. Longer lists are cut. Default: 100.")
    'Depth of the pool, as in P.10 [100]'
    >>> first_sentence("Significance level.  [default: 0.05]")
    'Significance level [0.05]'
    """
    usual = _USUAL.search(text)
    first = _SENTENCE.split(_USUAL.sub("", text).strip())[0].rstrip(".")
    default = next(filter(None, usual.groups()), "") if usual else ""
    return f"{first} [{default}]" if default else first


def help_all() -> click.Option:
    """The option --help-all of a command."""

    def show(ctx: click.Context, _: click.Parameter, value: bool) -> None:
        if value and not ctx.resilient_parsing:
            click.echo(everything(ctx))
            ctx.exit()

    return Told(
        ["--help-all"],
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=show,
        help="Show all options, in groups.",
        group=SHOWN,
    )


def everything(ctx: click.Context) -> str:
    """All that there is to say of a command."""
    whole: Any = getattr(ctx.command, "format_everything", ctx.command.format_help)
    formatter = ctx.make_formatter()
    whole(ctx, formatter)
    return formatter.getvalue().rstrip("\n")


class Paged(click.Command):
    """A command whose --help is one screen, whose --help-all is everything, and that knows words of other tools."""

    def __init__(self, name: str, params: Sequence[click.Parameter], **given: Any) -> None:
        super().__init__(name, params=[*params, help_all()], **given)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Take the command line apart; an option that other tools have is refused with what it is called here."""
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            from truerank.cli.hints import instead

            if (hint := instead(error.option_name, self, ctx)) is None:
                raise
            raise click.UsageError(f"no such option: {error.option_name}; {hint}", ctx) from None

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One screen: what the command does, two examples, and the options of every day."""
        self.format_usage(ctx, formatter)
        whole = self.help or ""
        paragraphs = whole.split("\n\n")
        without = [each for each in paragraphs[1:2] if each.startswith("Without -m")]
        examples = [_examples(each) for each in paragraphs if each.startswith("\b\nExample")]
        _write_text(formatter, "\n\n".join([paragraphs[0], *without, *examples[:1]]))
        grouped = self.grouped()
        short = {
            group: [row for each in options if each.everyday and (row := each.in_short(ctx))]
            for group, options in grouped
        }
        widest = max((len(name) for rows in short.values() for name, _ in rows if len(name) <= WIDEST), default=0)
        for group, rows in short.items():
            if rows:
                with section(formatter, group.title):
                    formatter.write_dl([(f"{name:{widest}}", text) for name, text in rows], col_max=widest)
        words = [group.word for group, options in grouped if len(short[group]) < len(options) and group.word]
        count = sum(len(options) for _, options in grouped)
        formatter.write_paragraph()
        also = f" ({', '.join(words)})" if words else ""
        formatter.write_text(f"All {count} options{also}:")
        formatter.write_text(f"{ctx.command_path} --help-all")

    def format_everything(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """All that there is to say, and all options in groups."""
        self.format_usage(ctx, formatter)
        _write_text(formatter, self.help or "")
        for group, options in self.grouped():
            with section(formatter, group.title):
                if group.about:
                    formatter.write_text(group.about)
                    formatter.write_paragraph()
                formatter.write_dl([row for each in options if (row := each.get_help_record(ctx))])
        with section(formatter, "Help"):
            others = [each for each in self.get_params(ctx) if isinstance(each, click.Option)]
            others = [each for each in others if not isinstance(each, Told) or each.name == "help_all"]
            formatter.write_dl([row for each in others if (row := each.get_help_record(ctx))])

    def grouped(self) -> list[tuple[OptionGroup, list[Told]]]:
        """The options by their groups, in the order that help has; groups of this command alone come with its own."""
        found: dict[OptionGroup, list[Told]] = {}
        for each in self.params:
            if isinstance(each, Told) and each.name != "help_all":
                found.setdefault(each.group, []).append(each)
        own = [group for group in found if group not in GROUPS]
        order = [group for each in GROUPS for group in ([*own, each] if each is OWN else [each])]
        return [(group, found[group]) for group in order if group in found]


@contextmanager
def section(formatter: click.HelpFormatter, title: str) -> Iterator[None]:
    """A part of a page below its title, which may end in a question mark."""
    formatter.write_paragraph()
    formatter.write(f"{title}\n")
    with formatter.indentation():
        yield


def _write_text(formatter: click.HelpFormatter, text: str) -> None:
    formatter.write_paragraph()
    with formatter.indentation():
        formatter.write_text(text)


def _examples(paragraph: str) -> str:
    """The first examples of a paragraph, each with the lines that it goes on in."""
    _, title, *lines = paragraph.splitlines()
    examples = list(_joined(lines))
    return "\n".join(["\b", title, *(line for each in examples[:EXAMPLES] for line in each)])


def _joined(lines: list[str]) -> Iterator[list[str]]:
    """Lines with those that go on from them."""
    example: list[str] = []
    for line in lines:
        example.append(line)
        if not line.endswith("\\"):
            yield example
            example = []
