"""truerank choose: questions that end in a measure."""

from __future__ import annotations

import sys
from typing import Any

import click

from truerank.analysis.choosing.guide import Unanswered, walk
from truerank.analysis.choosing.questions import QUESTIONS, Answer, Question
from truerank.cli.old_options import Command, data_options, output_options
from truerank.data.errors import InputError

_TYPES: dict[str, click.ParamType] = {"depth": click.FloatRange(min=1)}  # type: ignore[type-arg]
_WHOLE = click.IntRange(min=1)


def answer_options(command: Command) -> Command:
    """Give a command an option for each question of the guide."""
    for question in reversed(QUESTIONS.values()):
        usual = " Default: the usual value." * question.optional
        if question.number:
            kind = _TYPES.get(question.name, _WHOLE)
            command = click.option(question.option, type=kind, metavar="N", help=question.text + usual)(command)
        else:
            both = f"{question.option}/--no-{question.name}"
            command = click.option(both, default=None, help=question.text)(command)
    return command


@click.command
@click.argument("qrels", metavar="[QRELS]", required=False)
@click.argument("runs", metavar="[RUN]...", nargs=-1)
@answer_options
@click.option("--published", is_flag=True, help="Take the measure of the published guide, whatever its properties.")
@click.option(
    "--show",
    type=click.Choice(["properties", "path", "alternatives", "guide"]),
    help="Properties of the measure, the answers that led to it, other measures, or the whole guide.",
)
@data_options
@output_options
def choose(
    qrels: str | None,
    runs: Any,
    published: bool,
    show: str | None,
    form: str | None,
    out: str | None,
    **answers: Any,
) -> None:
    """Choose a measure by answering questions about readers, systems and judgments.

    What is not answered by options is asked, on a terminal. The guide is that of Amigó, Mizzaro & Spina (2022).
    With QRELS and RUNs it also says where they contradict the answers.

    \b
    Example:
      truerank choose
      truerank choose --no-length --top --no-exactly --no-single --recall --graded qrels.txt bm25.run
      truerank choose --length --top --no-recall --no-redundancy --depth 10 --silence-at 20
    """
    from truerank.analysis.choose import choose
    from truerank.cli.output import chosen, emit
    from truerank.cli.progress import progress, waiting
    from truerank.report.choose import choice_table
    from truerank.report.formats import MACHINE

    form = chosen(form, out)
    if show == "guide":
        _show_guide(form, out)
        return
    complete(answers, published)
    with progress(len(runs)) as step:
        found = choose(qrels, runs or None, published=published, progress=step, **answers)
    with waiting("looking at the properties of the measure"):
        table = choice_table(found, show, whole=form in MACHINE)
    emit(table, form, out)


def complete(answers: dict[str, Answer | None], published: bool) -> None:
    """Ask for the answers that are missing; where nobody can answer, name the first of them."""
    asked = False
    while True:
        try:
            _, leaf = walk(answers, published=published)
            break
        except Unanswered as missing:
            question = missing.question
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            how = f"{question.option} N" if question.number else f"{question.option} or --no-{question.name}"
            raise InputError(f"not answered yet: {question.text} Give {how}; see: truerank choose --help")
        answers[question.name] = ask(question)
        asked = True
    for name in leaf.numbers if asked else ():
        open_yet = answers.get(name) is None and not (name == "silence_at" and answers.get("pays_for") is not None)
        if open_yet and QUESTIONS[name].optional:
            answers[name] = ask(QUESTIONS[name])
    if asked:
        click.echo()


def ask(question: Question) -> Answer | None:
    """Ask a person; None where an optional question is left open."""
    click.echo()
    click.secho(question.help, dim=True)
    try:
        if not question.number:
            return click.confirm(question.text, default=None)
        kind = _TYPES.get(question.name, _WHOLE)
        if not question.optional:
            number: float = click.prompt(question.text, type=kind)
            return number
        found: float | None = click.prompt(
            f"{question.text} [Enter: the usual value]",
            default="",
            show_default=False,
            value_proc=lambda typed: kind.convert(typed, None, None) if typed else None,
        )
        return found
    except click.Abort:
        click.echo()
        raise KeyboardInterrupt from None


def _show_guide(form: str, out: str | None) -> None:
    from truerank.cli.output import echo, emit, put
    from truerank.report.guide import guide_table, tree

    if form != "table":
        emit(guide_table(), form, out)
    elif out in (None, "-"):
        echo(f"{tree()}\n")
    else:
        put(f"{tree()}\n", out)
