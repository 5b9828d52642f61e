"""A command made of a question: arguments, options and help from its signature, output from its answer."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from functools import cache
from importlib import import_module
from typing import Any, get_args

import click

from truerank.cli.ask import asked
from truerank.cli.lines import say
from truerank.cli.options import (
    convention_options,
    data_options,
    engine_of,
    engine_options,
    flag_of,
    option,
    output_options,
)
from truerank.cli.output import append, deliver, place, show
from truerank.cli.pages import Paged, help_all
from truerank.cli.places import Output, refuse_inputs, refuse_place
from truerank.cli.program import Program
from truerank.cli.progress import watched
from truerank.data.reading import FILE, KEYWORDS, TOPICS
from truerank.questions.signature import description
from truerank.report.answer import Answer, File
from truerank.report.formats import MACHINE
from truerank.report.signature import FIGURE, SHOWN, Argument, Option, Parameter, parameters

PYTHON = "In Python"
"""Begins the paragraphs of a docstring that are not about the command."""
EXAMPLE = 76
"""Columns of an example in the help, which stands two further in."""
_WORD = re.compile(r"""(?:"[^"]*"|'[^']*'|\S)+""")
"""A word as a shell has it."""


@cache
def command(name: str) -> click.Command:
    """The command of a question, or the group of its commands where it has several."""
    module = import_module(f"truerank.questions.{name}.question")
    if not hasattr(module, "COMMANDS"):
        return QuestionCommand(name, getattr(module, "COMMAND", None) or getattr(module, name))
    inside: dict[str, click.Command] = {
        each: QuestionCommand(each, function) for each, function in module.COMMANDS.items()
    }
    return Program(name, commands=inside, params=[help_all()], help=help_text(module.__doc__ or ""))


class QuestionCommand(Paged):
    """The command that asks a question and shows the answer; what can be refused is refused before any work."""

    def __init__(self, name: str, function: Callable[..., Answer]) -> None:
        self.function = function
        self.described = description(function)
        every = [*parameters(function), *self.described.more]
        self.own = [each for each in every if each.told.holds != "engine"]
        self.has_engine = len(every) > len(self.own)
        self.answers = _answers(function)
        self.files = {name: file for answer in self.answers for name, file in answer.files.items()}
        self.around = list(_around(self.answers, self.described.known, {each.name for each in self.own}))
        super().__init__(
            name,
            callback=self.ask,
            params=[*map(option, self.own), *(option(each, SHOWN) for each in self.around), *self._shared()],
            help=help_text(function.__doc__ or "", self.own),
        )

    @property
    def goes_out(self) -> bool:
        """Whether the answer goes where --out says; otherwise what the question itself writes does."""
        return all(each.name != "out" for each in self.own)

    def _shared(self) -> Iterator[click.Parameter]:
        """Options that other commands have, too."""
        reads = "given" in inspect.signature(self.function).parameters
        if reads:
            yield from convention_options(self.described.rules)
        names = {each.name for each in self.own}
        holds = {each.told.holds for each in self.own if isinstance(each.told, Argument)}
        judges = reads and "judges" not in self.described.rules.fixed
        for each in data_options(holds, has_topic="topic" in names, judges=judges):
            # A question that has such a keyword of its own keeps it.
            if each.name not in names:
                yield each
        if self.has_engine:
            yield from engine_options()
        yield from output_options(shown=self.goes_out)

    def ask(
        self,
        *,
        form: str | None = None,
        quiet: tuple[str, ...] = (),
        notes: bool = False,
        digits: int | None = None,
        **given: Any,
    ) -> None:
        """Ask the question, and put the answer in its place."""
        out = given.pop("out") if self.goes_out else None
        at = place(form, out)
        around = {each.name: given.pop(each.name) for each in self.around}
        files = {name: paths for name in self.files if (paths := _texts(around.pop(name)))}
        # Where a workflow has no summary, the variable that names its file is empty.
        files = {name: paths for name, paths in files.items() if any(paths) or not self.files[name].append}
        self._refuse_files(files, around, given)
        refuse_inputs(self._outputs(out, files, given), self._read(given))
        self._refuse_sheet(around.get("show"), given)
        if "show" in inspect.signature(self.function).parameters:
            # It refuses to show what it would not find.
            given["show"] = around.get("show")
        for each in self.own:
            # What was not given is what the function takes for granted.
            if given[each.name] in (None, ()):
                del given[each.name]
        given = engine_of(given) if self.has_engine else given
        with watched(self.function) as more:
            answer = self._known(around) or asked(self.function, {**_listed(given, self.own), **more})
            name = _sheet(answer, around)
            for file, paths in files.items():
                if "-" not in paths:
                    _write(answer, self.files[file], file, paths, name, around)
        for file in (file for file, paths in files.items() if "-" in paths):
            # Standard output is a screen's own once no progress is shown on it.
            _write(answer, self.files[file], file, ("-",), name, around)
        written = list(answer.writes())
        for one in written:
            deliver(one.pieces, one.path)
        taken = "-" in (*(one.path for one in written), *(path for paths in files.values() for path in paths))
        if shown := bool(answer.sheets) and not taken:
            if form is None and at.file is None and answer.form:
                at = replace(at, form=answer.form)
            show(answer, at, name, quiet=quiet, notes=notes, digits=digits, **_some(around, answer.options()))
        block = answer.kind(name) if shown and at.form not in MACHINE and at.file is None else ""
        for line in (*(one.note for one in written if one.note), *answer.closing(block)):
            say(line)
        if at.file is not None and (line := answer.written_to(at.file)):
            say(line)
        if code := answer.exit_code:
            click.get_current_context().exit(code)

    def _known(self, around: dict[str, Any]) -> Answer | None:
        """An answer for which nothing has to be asked, where its sheet is to be shown."""
        return next((kind() for kind in self.described.known if around.get("show") in kind.sheets), None)

    def _refuse_files(self, files: dict[str, tuple[str, ...]], around: dict[str, Any], given: dict[str, Any]) -> None:
        """Refuse files that cannot be written, without what they are about, and options about those not asked for."""
        for each in self.own:
            if _is_output(each) and given[each.name] is not None:
                refuse_place(given[each.name], flag_of(each))
        for name, file in self.files.items():
            if name in files:
                self._needed(_option(name), file.needs, given)
                if around.get("show") in file.not_of:
                    raise click.UsageError(f"there is no figure of --show {around['show']}; leave out {_option(name)}")
                for path in files[name]:
                    _refuse_file(path, name, file)
            elif not file.figure:
                for each in self._about(name, file):
                    if around[each.name] is not None:
                        raise click.UsageError(f"{flag_of(each)} needs {_option(name)}")

    def _outputs(self, out: str | None, files: dict[str, tuple[str, ...]], given: dict[str, Any]) -> Iterator[Output]:
        """All that is to be written."""
        if out is not None:
            yield Output("--out", out)
        yield from (Output(_option(name), path) for name, paths in files.items() for path in paths)
        for each in self.own:
            if _is_output(each) and given[each.name] is not None:
                yield Output(flag_of(each), given[each.name])
        if self.described.writes is not None:
            yield from (Output(*one) for one in self.described.writes(given))

    def _read(self, given: dict[str, Any]) -> Iterator[Any]:
        """What may name a file that is read; files of other collections are named by a folder or a pattern."""
        for name in _texts(given.get(TOPICS)):
            yield name.removeprefix(FILE)
        for each in self.own:
            if not _is_output(each):
                yield given[each.name]
            if each.told.holds == "judges":
                from truerank.io.judges import named_file

                yield from (named_file(path)[1] for path in given[each.name])
            elif each.told.holds and given[each.name]:
                from truerank.io.runs import files_of

                paths = given[each.name]
                several = [path for _, path in paths] if each.told.holds == "collections" else paths
                if each.told.holds == "collections":
                    from truerank.track.collections import own_name

                    # Judgments may be given as NAME=FILE, and so may those of the first collection.
                    yield [own_name(one)[1] for one in (given.get("qrels"), *(one for one, _ in paths))]
                for path in [several] if isinstance(several, str) else several:
                    yield files_of(path)

    def _about(self, name: str, file: File) -> Iterator[Parameter]:
        """The parameters that say how a file is made, and nothing else."""
        for answer in self.answers:
            if name in answer.files:
                laid_out = {each.name for each in parameters(answer.layout)}
                yield from (each for each in parameters(_method(answer, file, name)) if each.name not in laid_out)

    def _refuse_sheet(self, name: str | None, given: dict[str, Any]) -> None:
        """Refuse to show what was not asked for."""
        for answer in self.answers:
            if name is not None and name in answer.sheets:
                self._needed(f"--show {name}", answer.sheets[name].needs, given)

    def _needed(self, what: str, needs: str, given: dict[str, Any]) -> None:
        if needs and given[needs] in (None, (), False):
            [missing] = (each for each in self.own if each.name == needs)
            raise click.UsageError(f"{what} needs {flag_of(missing)}")


def _listed(given: dict[str, Any], own: list[Parameter]) -> dict[str, Any]:
    """The arguments, runs as lists, and without how to read them where nothing was said of it."""
    several = {each.name for each in own if each.told.holds == "runs"}
    return {
        name: list(value) if name in several and isinstance(value, tuple) else value
        for name, value in given.items()
        if value not in (None, ()) or name not in KEYWORDS
    }


def _texts(given: Any) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else tuple(given) if isinstance(given, tuple) else ()


def _is_output(parameter: Parameter) -> bool:
    return isinstance(parameter.told, Option) and parameter.told.file


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _refuse_file(path: str, name: str, file: File) -> None:
    if not file.figure:
        refuse_place(path, _option(name))
        return
    from truerank.data.extras import needed
    from truerank.data.parallel import Ahead
    from truerank.report.plots.chart import form_of

    form_of(path)
    # Importing it takes a while, which is better spent while runs are read.
    Ahead(lambda: needed("altair", "a figure"))


def _answers(function: Callable[..., Answer]) -> list[type[Answer]]:
    """The kinds of answer that a question has; one, for most."""
    returned = function.__annotations__["return"]
    kind = eval(returned, vars(inspect.getmodule(function))) if isinstance(returned, str) else returned
    return [*get_args(kind)] or [kind]


def _around(answers: list[type[Answer]], known: tuple[type[Answer], ...], own: Collection[str]) -> Iterator[Parameter]:
    """What is about showing the answer: which sheet, how it is laid out, and files beside it; not what is its own."""
    found: dict[str, Parameter] = {}
    several = [answer for answer in answers if len(answer.sheets) > 1]
    sheets = {name: sheet for answer in (*several, *known) for name, sheet in answer.sheets.items()}
    if sheets:
        told = "; ".join(f"{name}: {sheet.help}" for name, sheet in sheets.items())
        found["show"] = Parameter(
            "show", str, None, Option(f"{told}.", choices=tuple(sheets), brief=", ".join(sheets), group=SHOWN)
        )
    for answer in answers:
        for sheet in answer.sheets.values():
            if sheet.flag:
                found[sheet.keyword] = Parameter(sheet.keyword, bool, False, Option(f"{sheet.help}."))
        for each in parameters(answer.layout):
            if each.name != "top" or answer.has_top():
                found[each.name] = each
        for name, file in answer.files.items():
            said = Option(file.help, metavar="FILE", file=True, many=file.figure)
            found[name] = Parameter(name, str, () if file.figure else None, said)
            found |= {each.name: each for each in parameters(_method(answer, file, name))}
            if file.figure:
                found = {**{each.name: each for each in FIGURE if each.name not in own}, **found}
    yield from found.values()


def _method(answer: Any, file: File, name: str) -> Callable[..., Any]:
    """What makes a file of an answer."""
    found: Callable[..., Any] = getattr(answer, file.of or name)
    return found


def _sheet(answer: Answer, around: dict[str, Any]) -> str | None:
    """The sheet that was asked for by name or by its flag; None for the usual one."""
    for name, sheet in answer.sheets.items():
        if sheet.flag and around.get(sheet.keyword):
            return name
    return around.get("show")


def _taken(around: dict[str, Any], method: Callable[..., Any]) -> dict[str, Any]:
    """Those options that a method takes."""
    return _some(around, {each.name for each in parameters(method)})


def _some(around: dict[str, Any], names: Collection[str]) -> dict[str, Any]:
    """Those options that have these names and were given."""
    return {name: value for name, value in around.items() if name in names and value is not None}


def _write(
    answer: Answer, file: File, name: str, paths: tuple[str, ...], sheet: str | None, around: dict[str, Any]
) -> None:
    """Write a file, or a figure in as many forms as there are paths."""
    method = _method(answer, file, name)
    shows = {"show": sheet} if "show" in inspect.signature(method).parameters else {}
    taken = _taken(around, method)
    made = method(**shows, **taken)
    if file.figure:
        told = {each.name: around[each.name] for each in FIGURE if around.get(each.name) not in (None, ())}
        told = {name: value for name, value in told.items() if name not in taken}
        if "top" in _some(around, answer.options()) and not made.ranking:
            # It is about the table alone.
            told.pop("top", None)
        if told:
            from truerank.report.plots.adjust import adjusted

            made = adjusted(made, **told)
        for path in paths:
            made.save(path)
    elif file.append:
        append(made, *paths)
    else:
        deliver([made] if isinstance(made, str) else made, *paths)


def help_text(docstring: str, own: list[Parameter] | None = None) -> str:
    """The docstring for people at a command line: without what is about Python, examples left as they are."""
    kept = list(_kept(inspect.cleandoc(docstring).replace("``", "").split("\n\n")))
    usual = next((each.default for each in own or () if each.name == "measures" and each.default), None)
    if usual:
        kept.insert(1, f"Without -m the {'measures are' if ' ' in usual else 'measure is'} {usual}.")
    return "\n\n".join(kept)


def _kept(paragraphs: list[str]) -> Iterator[str]:
    for paragraph in paragraphs:
        if paragraph.startswith((PYTHON, ">>>")):
            return
        lines = paragraph.splitlines()
        laid_out = any(line.startswith((" ", "- ")) for line in lines)
        yield "\n".join(["\b", *map(_continued, lines)]) if laid_out else paragraph


def _continued(line: str) -> str:
    r"""An example in as many lines as a narrow screen takes, as a shell reads them; words in quotes stay together.

    >>> print(_continued("  truerank compare qrels.txt base.run new.run -m nDCG@10 --gate 'no worse than 1% of it'"))
      truerank compare qrels.txt base.run new.run -m nDCG@10 --gate \
        'no worse than 1% of it'
    """
    if len(line) <= EXAMPLE or not line.startswith("  truerank "):
        return line
    lines = ["  truerank"]
    for word in _WORD.findall(line)[1:]:
        if len(lines[-1]) + 1 + len(word) > EXAMPLE - 2:
            lines[-1] += " \\"
            lines.append(f"    {word}")
        else:
            lines[-1] += f" {word}"
    return "\n".join(lines)
