"""An answer: sheets of rows, notes, and how people see them; all other forms of a result come from that."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Generic, NamedTuple, TypeVar, cast

from truerank.conventions.axes import Conventions
from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.extras import needed
from truerank.data.given_ids import are_numbers, as_given
from truerank.data.notes import ONLY_RELEVANT, Later, Note, ranked, read_notes, urgent_first, worth_knowing
from truerank.data.printing import counted, readable
from truerank.measures.core.typed import as_typed
from truerank.report.rows import (
    Described,
    Row,
    column,
    dataclass_transform,
    derived,
    described,
    documents,
    jsonable,
    laid_out,
)
from truerank.report.signature import Option, parameters
from truerank.report.table import Column, Table, caption, hidden, more_notes, plain

if TYPE_CHECKING:
    from typing_extensions import Self

    from truerank.measures.core.base import Measure

VERSION = 2
"""Of the form of JSON, which changes with every key that is renamed or removed."""
_PANDAS = {"float": "float64", "id": "Int64", "large id": "UInt64"}
_POLARS = {"str": "String", "int": "Int64", "float": "Float64", "bool": "Boolean", "id": "Int64", "large id": "UInt64"}
_ARROW = {"str": "string", "int": "int64", "float": "float64", "bool": "bool_", "id": "int64", "large id": "uint64"}
"""What libraries call the types of columns; pandas is left to see whether whole numbers are all there, but for ids."""
Result = TypeVar("Result")


class Sheet(NamedTuple):
    """One table of an answer."""

    row: type[Row]
    help: str
    """What it shows, in a line."""
    of: str = ""
    """The attribute that has its rows, where that is not called as the sheet is."""
    meaning: str = ""
    """What stands below the table for people to understand its columns."""
    json: bool = True
    """Whether it is in JSON; not where that would say again, at length, what other sheets have."""
    top: int | None = None
    """Rows that people see; all where it is None."""
    by: str = "measure"
    """Of what so many rows are shown, where there is such a column."""
    flag: str = ""
    """An option of the command line that asks for it, beside --show; in Python it is a keyword."""
    needs: str = ""
    """The parameter of the question without which there is nothing to show."""
    spans: bool = False
    """Whether its rows are about all collections at once; the answer for one collection may have none."""

    @property
    def grouped(self) -> bool:
        """Whether so many rows are shown of each measure, say, and not of all."""
        return self.by in self.row.described

    @property
    def keyword(self) -> str:
        """Its flag as a keyword."""
        return self.flag.removeprefix("--").replace("-", "_")


class File(NamedTuple):
    """A file that the command line writes beside the table, if it is asked for: by the option of the file's name."""

    help: str
    of: str = ""
    """The method that has its text, or pieces of it, or draws the figure, where that is not called as the option is."""
    figure: bool = False
    append: bool = False
    """Whether it is added to the end of what is there, as steps of a workflow do to the summary of their job."""
    needs: str = ""
    """The parameter of the question without which there is nothing to write."""
    not_of: tuple[str, ...] = ()
    """Sheets of which there is no figure."""


class Written(NamedTuple):
    """A file that a question was asked to write."""

    path: str
    """"-" is standard output."""
    pieces: Iterable[str]
    note: str = ""


class Notices:
    """The notes of an answer; those that were left for later are made when any are read."""

    def __get__(self, answer: Answer | None, kind: type[Answer]) -> tuple[Note, ...]:
        if answer is None:
            return ()  # The default.
        known: tuple[Note, ...] = vars(answer)["notices"]
        if any(isinstance(note, Later) for note in known):
            known = vars(answer)["notices"] = read_notes(known)
        return known

    def __set__(self, answer: Answer, notes: tuple[Note | Later, ...]) -> None:
        vars(answer)["notices"] = notes


Top = Annotated[int | None, Option("List N rows of each measure.", metavar="N", least=1)]
"""A parameter of layouts."""
PLOT = File("Draw a figure: .svg, .png, .pdf, .html or .json; repeatable.", figure=True)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=False, field_specifiers=(column,))
@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Answer:
    """What a question found. Subclasses declare their ``sheets``, and say what is worth saying.

    A field that is declared with ``column`` is no table, and stands in JSON by its name.

    >>> class Mean(Row):
    ...     run: str = column("the run")
    ...     mean: float = column("its mean", best="high")
    >>> class Means(Answer):
    ...     question = "means"
    ...     sheets = {"runs": Sheet(Mean, "means of runs", of="means")}
    ...     means: tuple[Mean, ...]
    >>> found = Means(means=(Mean(run="a", mean=0.5),))
    >>> found.to_records()
    [{'run': 'a', 'mean': 0.5}]
    >>> found.to_dict()["runs"]
    [{'run': 'a', 'mean': 0.5}]
    """

    question: ClassVar[str] = ""
    """The name that users type."""
    sheets: ClassVar[Mapping[str, Sheet]] = {}
    """What there is to show; the first is the usual one."""
    files: ClassVar[Mapping[str, File]] = {}
    """What can be written beside the table, by option; a figure is "plot"."""
    described: ClassVar[dict[str, Described]] = {}
    """What JSON has beside the sheets."""
    by_collection: ClassVar[bool] = False
    """Whether it may be asked of several collections, see ``SeveralCollections``."""

    collection: str = ""
    """What the collection, or the group of topics, is called, if there are several."""
    notices: tuple[Note, ...] = cast("Any", Notices())
    """What a reader should know about how the numbers came about."""

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        written = tuple(vars(cls))
        if any("ClassVar" not in str(kind) for kind in vars(cls).get("__annotations__", {}).values()):
            dataclass(frozen=True, kw_only=True, eq=False, repr=False)(cls)
        cls.described = described(cls, cls.described, written, nested=True)

    # What subclasses say.

    def verdict(self, show: str) -> str:
        """The sentence that answers the question where a sheet is shown; "" for a question that has none."""
        return ""

    def own_notes(self, show: str) -> Iterable[Note]:
        """What was found, in words, where a sheet is shown."""
        return ()

    @classmethod
    def of_several(cls, answers: Sequence[Self], apart: str) -> Answer:
        """The answer about several collections; questions that say more about all of them have a class of their own."""
        from truerank.report.several import SeveralCollections

        return SeveralCollections(answers=tuple(answers), apart=apart)

    def lead(self, show: str) -> Iterable[str]:
        """What people read before the table; where it is a note, programs have it as such."""
        return ()

    def usual(self) -> str:
        """The sheet that is shown where none is asked for."""
        return next(iter(self.sheets))

    def caption(self, show: str) -> str:
        """How the numbers came about, in a line; where it is a note, programs have it as such."""
        return ""

    def layout(self, show: str, *, top: Top = None) -> Table:
        """The table that people see; one of the rows in brief, unless a question has another."""
        sheet = self.sheets[show]
        rows = self.rows(show)
        few = shown_rows(rows, sheet, top)
        table = _table(few, sheet.row, brief=True)
        return replace(table, hidden=hidden(len(few), len(rows), show, _most(rows, sheet)))

    def whole_layout(self, show: str) -> Table:
        """The table that programs read; a row a record, unless a question has another."""
        return _table(self.rows(show), self.sheets[show].row, brief=False)

    @property
    def form(self) -> str:
        """The format that is printed where none is asked for, also in a pipe; "" where that depends on the place."""
        return ""

    @property
    def exit_code(self) -> int:
        """What the command ends with: 1 where something that was asked is not so."""
        return 0

    def closing(self, block: str = "") -> Iterable[str]:
        """What is said last, on standard error; not what is in the ``block`` of that sheet on standard output."""
        return ()

    def written_to(self, path: str) -> str:
        """What is said once it is in a file, on standard error; "" for nothing."""
        return ""

    def writes(self) -> Iterable[Written]:
        """Files that were asked for with the question; where one goes to standard output, nothing else does."""
        return ()

    # What follows from that.

    def options(self, *, whole: bool = False) -> set[str]:
        """The options of the table that people see, or of the whole one, by name."""
        return {each.name for each in parameters(self.whole_layout if whole else self.layout)}

    def kind(self, show: str | None, flags: Mapping[str, bool] | None = None) -> str:
        """The sheet that is asked for, by name or by the keyword that is its flag; the usual one where none is."""
        if show not in (None, *self.sheets):
            raise InputError(f"show={show!r} is not one of {', '.join(self.sheets)}")
        by_flag = {sheet.keyword: name for name, sheet in self.sheets.items() if sheet.flag}
        for keyword, asked in (flags or {}).items():
            if keyword not in by_flag:
                raise TypeError(f"{self.question} has no keyword {keyword!r}; it has show=")
            if asked:
                return by_flag[keyword]
        return show or self.usual()

    @classmethod
    def has_top(cls) -> bool:
        """Whether people do not see every row of every sheet."""
        return any(sheet.top is not None for sheet in cls.sheets.values())

    @cached_property
    def collections(self) -> Mapping[str, Any]:
        """The answer for each collection, by name."""
        return {self.collection: self}

    def rows(self, show: str | None = None) -> Sequence[Any]:
        """The rows of a sheet."""
        name = self.kind(show)
        sheet = self.sheets[name]
        rows: Sequence[Any] = getattr(self, sheet.of or name, ()) if sheet.spans else getattr(self, sheet.of or name)
        return rows

    def notes(self, show: str | None = None, quiet: Collection[str] = (), *, whole: bool = False) -> tuple[Note, ...]:
        """Everything there is to say where a sheet is shown, but for some codes.

        Of the ``whole`` table, which programs read, what people have around theirs is among it.
        """
        name = self.kind(show)
        around = self._around(name) if whole else ()
        every = urgent_first((*around, *self.own_notes(name), *self.notices))
        return tuple(note for note in every if note.code not in quiet)

    def _around(self, show: str) -> Iterator[Note]:
        return (one for one in (self.caption(show), *self.lead(show)) if isinstance(one, Note))

    def worth_knowing(self, show: str | None = None, quiet: Collection[str] = ()) -> tuple[list[Note], int]:
        """The notes that stand below the table of a sheet, and how many others there are."""
        return worth_knowing(self._every_note(self.kind(show), quiet))

    def _every_note(self, show: str, quiet: Collection[str]) -> list[Note]:
        """What there is to say below a table that has a verdict, which also has what others have above them."""
        lead = [line if isinstance(line, Note) else Note(line) for line in self.lead(show)]
        return [note for note in dict.fromkeys((*lead, *self.notes(show, quiet))) if note.code not in quiet]

    def table(
        self,
        show: str | None = None,
        *,
        quiet: Collection[str] = (),
        digits: int | None = None,
        every_note: bool = False,
        **options: Any,
    ) -> Table:
        """The table of a sheet as people see it, with what is said around it; numbers with so many decimals."""
        name = self.kind(show)
        laid = self.layout(name, **options)
        verdict = self.verdict(name)
        # Where no table is shown, there is nothing whose columns would have to be explained.
        meaning = self.sheets[name].meaning if laid.columns else ""
        if verdict:
            notes = self._every_note(name, quiet)
            shown, more = (ranked(notes), 0) if every_note else worth_knowing(notes)
            return replace(
                laid,
                verdict=verdict,
                caption=laid.caption or method_line(self.caption(name), whole=every_note),
                key="; ".join(filter(None, (laid.key, self.sheets[name].meaning))),
                notes=tuple(ranked(notes)),
                worth=tuple(note.line for note in shown),
                more=more_notes(more),
                digits=digits,
            )
        key = "; ".join(filter(None, (laid.key, meaning)))
        lead = [line for line in self.lead(name) if not (isinstance(line, Note) and line.code in quiet)]
        return replace(
            laid,
            caption=laid.caption or self.caption(name),
            key=key,
            notes=tuple(note for note in self.notes(name, quiet) if note not in lead),
            lead=(*lead, *laid.lead),
            digits=digits,
        )

    def whole(
        self,
        show: str | None = None,
        *,
        quiet: Collection[str] = (),
        digits: int | None = None,
        significant: int | None = None,
        **options: Any,
    ) -> Table:
        """The table of a sheet as programs read it: every column, nothing rounded unless that is asked for."""
        name = self.kind(show)
        laid = self.whole_layout(name, **{option: options[option] for option in self.options(whole=True) & {*options}})
        return replace(laid, notes=self.notes(name, quiet, whole=True), digits=digits, significant=significant)

    def to_records(self, show: str | None = None, **flags: bool) -> list[dict[str, Any]]:
        """A record a row of a sheet, by default of the usual one."""
        columns, cells = self._in_columns(self.kind(show, flags))
        if not cells:
            return []
        names = [column.name for column in columns]
        by_column = [
            as_given(values, head.summary) for head, values in zip(columns, zip(*cells, strict=True), strict=True)
        ]
        return [dict(zip(names, row, strict=True)) for row in zip(*by_column, strict=True)]

    def _in_columns(self, show: str) -> tuple[Sequence[Column], Sequence[Sequence[Any]]]:
        """The columns and cells of records."""
        return laid_out(self.rows(show), self.sheets[show].row, brief=False)

    def to_dict(self, *, quiet: Collection[str] = ()) -> dict[str, Any]:
        """Everything, in the terms of JSON; but for notes of some codes."""
        begin = {"version": VERSION, "question": self.question, **self._block(quiet), **self._facts()}
        sheets: dict[str, Any] = {
            name: documents(self.rows(name), one.row) for name, one in self.sheets.items() if one.json
        }
        said = dict.fromkeys(note for show in self.sheets for note in (*self._around(show), *self.own_notes(show)))
        every = urgent_first(dict.fromkeys((*said, *self.notices)))
        return {**begin, **sheets, "notes": [jsonable(note.as_dict()) for note in every if note.code not in quiet]}

    def _block(self, quiet: Collection[str]) -> dict[str, Any]:
        """What people see around the usual table, in the terms of JSON."""
        show = self.usual()
        shown, _ = self.worth_knowing(show, quiet)
        return {
            "verdict": self.verdict(show) or None,
            "worth_knowing": [jsonable(note.as_worth()) for note in shown],
            "method": method_line(self.caption(show)) or None,
        }

    def _facts(self) -> dict[str, Any]:
        """What JSON has beside the sheets."""
        return {name: jsonable(getattr(self, name)) for name in self.described}

    def to_json(self, *, quiet: Collection[str] = ()) -> str:
        """``to_dict`` as JSON."""
        import json

        return json.dumps(self.to_dict(quiet=quiet), allow_nan=False)

    def to_pandas(self, show: str | None = None, *, wide: bool = False, **flags: bool) -> Any:
        """``to_records`` as a DataFrame of pandas; or ``wide``, the table that csv has, with a column a measure."""
        pandas, frame = needed("pandas", "to_pandas"), self._frame(show, flags, wide=wide)
        return pandas.DataFrame(
            {name: pandas.Series(values, dtype=_pandas_type(type_, values)) for name, (type_, values) in frame.items()}
        )

    def to_polars(self, show: str | None = None, *, wide: bool = False, **flags: bool) -> Any:
        """``to_records`` as a DataFrame of polars; or ``wide``, the table that csv has."""
        polars, frame = needed("polars", "to_polars"), self._frame(show, flags, wide=wide)
        schema = {name: getattr(polars, _POLARS[type_]) for name, (type_, _) in frame.items()}
        return polars.DataFrame({name: values for name, (_, values) in frame.items()}, schema=schema)

    def to_arrow(self, show: str | None = None, *, wide: bool = False, **flags: bool) -> Any:
        """``to_records`` as a Table of pyarrow; or ``wide``, the table that csv has."""
        pyarrow, frame = needed("pyarrow", "to_arrow"), self._frame(show, flags, wide=wide)
        schema = pyarrow.schema([(name, getattr(pyarrow, _ARROW[type_])()) for name, (type_, _) in frame.items()])
        return pyarrow.table({name: values for name, (_, values) in frame.items()}, schema=schema)

    def _frame(self, show: str | None, flags: Mapping[str, bool], *, wide: bool) -> dict[str, tuple[str, list[Any]]]:
        """The columns of a sheet with their types, in text that any library takes."""
        name = self.kind(show, flags)
        columns: Sequence[Column]
        cells: Sequence[Sequence[Any]]
        if wide:
            flat = self.whole_layout(name).flat()
            columns, cells = flat.columns, flat.rows
        else:
            columns, cells = self._in_columns(name)
        found = zip(*cells, strict=True) if cells else ((),) * len(columns)
        return {f"{head.name}": _typed(head, values, wide=wide) for head, values in zip(columns, found, strict=True)}

    def to_csv(self, path: str | os.PathLike[str] | None = None, show: str | None = None, **flags: bool) -> str | None:
        """A sheet as comma-separated values: the text, or None where it is written to a file."""
        return self._written("csv", path, self.kind(show, flags))

    def to_tsv(self, path: str | os.PathLike[str] | None = None, show: str | None = None, **flags: bool) -> str | None:
        """A sheet as tab-separated values: the text, or None where it is written to a file."""
        return self._written("tsv", path, self.kind(show, flags))

    def _written(self, form: str, path: str | os.PathLike[str] | None, show: str) -> str | None:
        from truerank.io.writing import put

        text = readable(f"{self.render(form, show)}\n")
        if path is None:
            return text
        try:
            put(text.encode("utf-8", "surrogateescape"), path)
        except OSError as error:
            raise InputError(f"not writable ({error.strerror}); give another path", os.fspath(path)) from None
        return None

    def to_markdown(self, show: str | None = None, **flags: bool) -> str:
        """A Markdown table."""
        return self.render("markdown", self.kind(show, flags))

    def to_latex(self, show: str | None = None, **flags: bool) -> str:
        """A LaTeX table, for the package booktabs."""
        return self.render("latex", self.kind(show, flags))

    def to_html(self, show: str | None = None, **flags: bool) -> str:
        """An HTML table, to be put into a page."""
        from truerank.report.html import fragment

        return fragment(self.table(self.kind(show, flags)))

    def render(self, form: str, show: str | None = None, *, quiet: Collection[str] | None = (), **options: Any) -> str:
        """The text of a format, without a final newline; ``quiet`` are codes of notes to leave out, None for all."""
        from truerank.report.formats import MACHINE, render

        if form == "json":
            return self.to_json(quiet=quiet or ())
        laid_out = self.whole if form in MACHINE else self.table
        table = laid_out(show, quiet=quiet or (), **options)
        return render(replace(table, notes=()) if quiet is None else table, form)

    def _repr_html_(self) -> str:
        return self.to_html()

    def __str__(self) -> str:
        return self.render("table")

    def __repr__(self) -> str:
        sizes = ", ".join(f"{len(self.rows(name))} {name}" for name in [next(iter(self.sheets))])
        return f"{type(self).__name__}({sizes})"


class ByName(Mapping[str, Result]):
    """What was found of each run, by its name."""

    def __init__(self, found: Mapping[str, Result]) -> None:
        self._found = found

    def __getitem__(self, name: str) -> Result:
        if name not in self._found:
            raise KeyError(f"there is no run {name!r}; there are {', '.join(self._found)}")
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(self._found)})"


class ByMeasure(ByName[Result]):
    """What was found by each measure; "RBP(p=0.8)" and "MAP" find what is called RBP and AP."""

    def __getitem__(self, measure: str | Measure) -> Result:
        name = str(measure)
        if name not in self._found:
            from truerank.measures.grammar import parse

            try:
                name = str(parse(name))
            except InputError:
                name = ""
        if name not in self._found:
            raise KeyError(f"{measure} was not evaluated; there are {', '.join(map(as_typed, self._found))}")
        return self._found[name]


class Keyed(Generic[Result]):
    """An answer that finds things by name: ``found["bm25"]``."""

    @property
    def by_name(self) -> Mapping[str, Result]:
        """What is found by name."""
        raise NotImplementedError

    def __getitem__(self, name: Any) -> Result:
        return self.by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.by_name)

    def __len__(self) -> int:
        return len(self.by_name)

    def keys(self) -> Iterable[str]:
        """The names."""
        return self.by_name.keys()

    def values(self) -> Iterable[Result]:
        """What is found by them."""
        return self.by_name.values()

    def items(self) -> Iterable[tuple[str, Result]]:
        """Both."""
        return self.by_name.items()


class ScoresAnswer(Answer):
    """What a question found that scored runs: the conventions and topics of the scores, and the measures."""

    conventions: Conventions = column("the conventions that scores were read under")
    wanted: tuple[Measure, ...] = ()
    """The measures."""
    topics: tuple[str, ...] = ()
    """The judged topics."""

    @derived(for_people=False)
    def num_topics(self) -> int:
        """How many topics are judged."""
        return len(self.topics)

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, as they are written."""
        return tuple(map(str, self.wanted))

    @property
    def of_unjudged(self) -> str:
        """What the line about the method says of unjudged documents, where there is nothing else to say; mostly ""."""
        return next((str(note) for note in self.notices if note.code == ONLY_RELEVANT.code), "")

    def labelled(self, measure: str) -> str:
        """What a figure calls a measure that has this name: with what its reader is like."""
        return self.wanted[self.measures.index(measure)].label

    def layout(self, show: str, *, top: Top = None) -> Table:
        """The table that people see; of one measure, the better end of a column is that of the measure."""
        return better_ends(super().layout(show, top=top), self.wanted)


class MeasureAnswer(Keyed[Result], ScoresAnswer):
    """What a question about runs found by measure: ``found["AP"]`` is the row of the sheet "measures".

    >>> class Gap(Row):
    ...     measure: str = column("the measure")
    ...     gap: float = column("how far apart runs are")
    >>> class Gaps(MeasureAnswer[Gap]):
    ...     sheets = {"measures": Sheet(Gap, "how far apart runs are", of="gaps")}
    ...     gaps: tuple[Gap, ...]
    >>> Gaps(conventions=Conventions(), gaps=(Gap(measure="AP", gap=0.1),))["MAP"].gap
    0.1
    """

    @cached_property
    def by_name(self) -> ByMeasure[Result]:
        """What was found, by measure."""
        return ByMeasure({row.measure: row for row in self.rows("measures")})


class TrackAnswer(Keyed[ByMeasure[Result]], ScoresAnswer, Generic[Result]):
    """What a question about runs found: by run and measure, with conventions and topics.

    ``found["bm25"]["AP"]`` is what was found of a run by a measure: by default the row of the first sheet.
    """

    told_apart: ClassVar[tuple[str, ...]] = ()
    """Axes that a caption need not name: the question is about them."""

    def scored(self) -> Iterable[Any]:
        """What has a run and a measure, and is found by both; by default the rows of the first sheet."""
        return self.rows(next(iter(self.sheets)))

    @cached_property
    def runs(self) -> Mapping[str, ByMeasure[Result]]:
        """What was found, by run and measure."""
        by_run: dict[str, dict[str, Any]] = {}
        for row in self.scored():
            by_run.setdefault(row.run, {})[row.measure] = row
        return ByName({run: ByMeasure(found) for run, found in by_run.items()})

    @property
    def by_name(self) -> Mapping[str, ByMeasure[Result]]:
        """What was found, by run."""
        return self.runs

    def caption(self, show: str) -> str:
        """How many runs and topics there are, and conventions that are not the usual ones."""
        counts = (counted(len(self), "run"), counted(len(self.topics), "topic"))
        return caption(*counts, conventions=self.conventions.unusual(apart=self.told_apart), meaning=self.of_unjudged)


def method_line(caption: str, *, whole: bool = False) -> str:
    """How numbers came about, in a line; the whole of it if all notes are asked for."""
    return caption.brief if isinstance(caption, Note) and caption.brief and not whole else str(caption)


def better_ends(table: Table, measures: Sequence[Measure]) -> Table:
    """A table in which the better end of a column of scores is that of the measure, if there is only one."""
    end = ""
    if len(measures) == 1:
        end = "high" if measures[0].higher_is_better else "low"
    columns = [replace(each, best=end) if each.best == "measure" else each for each in table.columns]
    return replace(table, columns=tuple(columns))


def _typed(head: Column, values: Sequence[Any], *, wide: bool) -> tuple[str, list[Any]]:
    """A column for data frames with its type; where ids are whole numbers, a row that sums up others has none."""
    if are_numbers(values, head.summary):
        numbers = [value if isinstance(value, int) else None for value in as_given(values, head.summary)]
        least, most = (end(value for value in numbers if value is not None) for end in (min, max))
        if least >= -(1 << 63) and most < 1 << 63:
            return "id", numbers
        if least >= 0 and most < 1 << 64:
            return "large id", numbers
    # What is true or false has a word for it in the table that csv has.
    type_ = "str" if wide and head.type == "bool" else head.type
    return type_, [readable(str(value)) if isinstance(value, str) else value for value in values]


def _pandas_type(type_: str, values: Sequence[Any]) -> str | None:
    """What pandas calls a type: ids that are all there are its usual numbers."""
    found = _PANDAS.get(type_)
    return found.lower() if found and "id" in type_ and None not in values else found


def _table(rows: Sequence[Any], kind: type[Row], *, brief: bool) -> Table:
    table = raw_table(rows, kind, brief=brief)
    return replace(table, rows=tuple(tuple(map(plain, row)) for row in table.rows))


def raw_table(rows: Sequence[Any], kind: type[Row], *, brief: bool) -> Table:
    """The same as records have it: with what is true or false as such."""
    columns, cells = laid_out(rows, kind, brief=brief)
    return Table(tuple(columns), tuple(map(tuple, cells)))


def _most(rows: Sequence[Any], sheet: Sheet) -> int:
    """How many rows there are of one measure, say, at most."""
    return max(Counter(getattr(row, sheet.by) for row in rows).values(), default=0) if sheet.grouped else len(rows)


def shown_rows(rows: Sequence[Any], sheet: Sheet, top: int | None) -> Sequence[Any]:
    """The rows that people see: of each measure, say, the first few."""
    most = top or sheet.top
    if most is None:
        return rows
    if not sheet.grouped:
        return rows[:most]
    seen: dict[Any, int] = {}
    few = []
    for row in rows:
        of = getattr(row, sheet.by)
        seen[of] = seen.get(of, 0) + 1
        if seen[of] <= most:
            few.append(row)
    return few
