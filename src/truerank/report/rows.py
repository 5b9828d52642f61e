"""Rows whose columns say what they hold: records, tables, data frames, JSON and the reference come from that."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Generic, NamedTuple, TypeVar, get_args, overload

from truerank.data.classes import dataclass
from truerank.measures.core.typed import TypedName, as_typed
from truerank.report.table import Cell, Column

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[type], type]:
        """Tells type checkers what ``Row`` does; Python has it from 3.11 on."""
        return lambda kind: kind


MEASURE, TYPED = "measure", "typed"
"""Columns with the name of a measure, and in JSON beside it what was typed."""
R = TypeVar("R", bound="Row")
T = TypeVar("T")


class Described(NamedTuple):
    """How a field of a row becomes columns."""

    name: str
    kind: str
    """A "cell"; "words", several of them or of numbers, joined by spaces outside JSON; "numbers" by name, a column
    each; numbers by name that are "joined" in one cell outside JSON; a "series" of numbers, which has a row each
    outside JSON; or "nested" things with a form of their own, which only JSON has."""
    type: str
    """What is in a cell: "str", "int", "float" or "bool"."""
    meaning: str
    called: str = ""
    """What it is called outside Python, where that is no name of Python: "c@1"."""
    none: bool = False
    """Whether it may be absent in a row."""
    form: str = ""
    """How people see numbers, see ``Column.form``."""
    best: str = ""
    """The better end, "high" or "low"."""
    head: str = ""
    """What people see above it; for numbers by name a pattern such as "at {}"."""
    minor: int = 0
    """How soon it is left out on a narrow screen, see ``Column.minor``."""
    spread: str = ""
    """For numbers by name that have a column each, how these are called: "judged@{}"."""
    joined: str = ""
    """For numbers by name in one cell, what stands between both: ":" as in "bm25:3 dense:7"."""
    along: str = ""
    """For a series, what its places are called."""
    begins: int = 1
    """For a series, the number of its first place."""
    optional: bool = False
    """Whether it is left out where no row has it."""
    folds: bool = False
    """Whether text may be broken into lines on a screen."""
    derived: bool = False
    """Whether it is worked out from other columns."""
    for_people: bool = False
    """Whether it is not in records, where it would say again what other columns do."""
    text: bool = False
    """Whether it is a thing of which tables and JSON have the text."""
    json_only: bool = False
    """Whether only JSON has it: what is dear to work out, or a sentence."""
    nested: bool = False
    """Whether it is no cell, nor several: only JSON can hold it."""
    over: str = ""
    """What becomes of it over several collections, see ``Column.over``."""
    summary: str = ""
    """Of ids, what a row has instead that sums up others, see ``Column.summary``."""

    @property
    def is_key(self) -> bool:
        """Whether it tells rows of a collection apart."""
        return self.kind == "cell" and (self.over == "key" or (not self.over and self.type == "str"))

    @property
    def column_name(self) -> str:
        """What its column is called."""
        return self.called or self.name

    def column(self, key: str | None = None) -> Column:
        """The column; of numbers by name, the one of a key."""
        # Of a measure, programs have the catalogue's name, and people what was typed.
        named = self.column_name if key is None else TypedName(self.spread.format(str(key)), self.spread.format(key))
        return Column(
            named,
            number=self.type in ("int", "float") and self.kind != "words",
            whole=self.type in ("str", "bool") and not self.folds,
            best=self.best,
            head=self.head.format(key) if self.head else "",
            form=self.form,
            minor=self.minor,
            meaning=self.meaning.format(key) if key is not None else self.meaning,
            type="str" if self.kind == "words" else self.type,
            over="none" if self.kind in ("words", "joined") and not self.over else self.over,
            summary=self.summary,
        )


def column(meaning: str, *, default: Any = MISSING, **told: Any) -> Any:
    """A field of a row that is a column, or several; ``Described`` has what can be told of it beside its meaning."""
    return field(default=default, metadata={"column": {"meaning": meaning, **told}})


def derived(*, for_people: bool = True, kept: bool = False, **told: Any) -> Callable[[Callable[[Any], T]], _Derived[T]]:
    """A column worked out from the others: one that people see, or with ``for_people=False`` one of records, too.

    Its meaning is the docstring, and its place is where it is written. ``kept`` has it worked out once.
    """
    return lambda get: _Derived(get, {"derived": True, "for_people": for_people, **told}, kept=kept)


class _Derived(Generic[T]):
    def __init__(self, get: Callable[[Any], T], told: dict[str, Any], *, kept: bool) -> None:
        self.get, self.kept, self.__doc__ = get, kept, get.__doc__
        self.told = {"meaning": (get.__doc__ or "").removesuffix("."), **told}

    @overload
    def __get__(self, row: None, owner: Any) -> _Derived[T]: ...
    @overload
    def __get__(self, row: object, owner: Any) -> T: ...
    def __get__(self, row: Any, owner: Any) -> Any:
        if row is None:
            return self
        found = self.get(row)
        if self.kept:
            # What is in the row itself is found before this is asked again.
            vars(row)[self.get.__name__] = found
        return found


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(column,))
class Row:
    """One thing that was found; a field that is declared with ``column`` is a column.

    >>> class Tied(Row):
    ...     run: str = column("the run")
    ...     documents: int = column("documents listed")
    ...     tied: int = column("those that share their score")
    ...     @derived(form="share")
    ...     def share(self) -> float:
    ...         "share of documents that are tied"
    ...         return self.tied / self.documents
    ...     brief = ("run", "share")
    >>> records([Tied(run="bm25", documents=4, tied=1)], Tied)
    [{'run': 'bm25', 'documents': 4, 'tied': 1}]
    >>> columns, cells = laid_out([Tied(run="bm25", documents=4, tied=1)], Tied, brief=True)
    >>> [column.name for column in columns], cells
    (['run', 'share'], [['bm25', 0.25]])
    """

    brief: ClassVar[tuple[str, ...]] = ()
    """Names of what people see, where that is not every column: columns, derived ones, or "orders.docid" for one of
    several numbers by name."""
    leading: ClassVar[tuple[str, ...]] = ()
    """Names of columns that stand before those that it inherits."""
    described: ClassVar[dict[str, Described]] = {}
    """Its columns by name."""

    def __init_subclass__(cls, eq: bool = True, **more: Any) -> None:
        super().__init_subclass__(**more)
        written = tuple(vars(cls))
        dataclass(frozen=True, kw_only=True, eq=eq)(cls)
        found = described(cls, cls.described, written)
        cls.described = {**{name: found[name] for name in cls.leading}, **found}


def described(
    cls: type, inherited: Mapping[str, Described], written: Sequence[str], *, nested: bool = False
) -> dict[str, Described]:
    """What a dataclass declares with ``column`` and ``derived``, in the order ``written``, after what it inherits.

    What has no form of a cell has to be declared as nested, unless that is what is expected here.
    """
    declared = {f.name: (f.type, f.metadata["column"]) for f in fields(cls) if "column" in f.metadata}
    for name, value in vars(cls).items():
        if isinstance(value, _Derived):
            declared[name] = (value.get.__annotations__["return"], value.told)
    order = sorted(declared, key=lambda name: written.index(name) if name in written else -1)
    found = {}
    for name in order:
        type_, told = declared[name]
        one = _described(name, type_ if isinstance(type_, str) else _spelled(type_), told)
        if one.kind == "nested" and not (nested or one.nested):
            raise TypeError(f"{cls.__name__}.{name}: {type_} fits no cell; say nested=True, or how it is to be told")
        found[name] = one
    return {**{name: one for name, one in inherited.items() if name not in found}, **found}


def _spelled(type_: Any) -> str:
    """A type as an annotation spells it."""
    return type_.__name__ if isinstance(type_, type) and not get_args(type_) else str(type_)


def _described(name: str, annotation: str, told: dict[str, Any]) -> Described:
    plain = annotation.removesuffix(" | None")
    several = re.fullmatch(r"tuple\[(str|int|float), \.\.\.\]", plain)
    by_name = re.fullmatch(r"dict\[\w+, (int|float)(?: \| None)?\]", plain)
    if plain in _TYPES:
        kind, type_ = "cell", plain
    elif told.get("text"):
        kind, type_ = "cell", "str"
    elif several and not told.get("nested"):
        kind, type_ = "words", several[1]
    elif told.get("along"):
        kind, type_ = "series", "float"
    elif told.get("joined"):
        kind, type_ = "joined", "str"
    elif by_name:
        kind, type_ = "numbers" if told.get("spread") else "nested", by_name[1]
    else:
        kind, type_ = "nested", "str"
    return Described(name, kind, type_, none=plain != annotation, **told)


_TYPES = ("str", "int", "float", "bool")


class ColumnarRows(Sequence[R]):
    """Rows kept as columns; a row is made when it is asked for.

    >>> class Mean(Row):
    ...     run: str = column("the run")
    ...     mean: float = column("its mean")
    >>> rows = ColumnarRows(Mean, run=["a", "b"], mean=[0.5, 0.25])
    >>> rows[1], len(rows)
    (Mean(run='b', mean=0.25), 2)
    """

    def __init__(self, kind: type[R], /, **columns: Any) -> None:
        self.kind = kind
        self._columns = {name: plain_list(values) for name, values in columns.items()}

    def column(self, name: str) -> list[Any]:
        """All values of a field."""
        return self._columns[name]

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> ColumnarRows[R]: ...
    def __getitem__(self, place: int | slice) -> R | ColumnarRows[R]:
        if isinstance(place, slice):
            return ColumnarRows(self.kind, **{name: values[place] for name, values in self._columns.items()})
        return self.kind(**{name: values[place] for name, values in self._columns.items()})

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    @classmethod
    def joined(cls, kind: type[R], parts: Sequence[ColumnarRows[R]]) -> ColumnarRows[R]:
        """The rows of several, one after the other.

        >>> class Depth(Row):
        ...     depth: int = column("the depth")
        >>> some, more = ColumnarRows(Depth, depth=[1, 2]), ColumnarRows(Depth, depth=[5])
        >>> ColumnarRows.joined(Depth, [some, more]).column("depth")
        [1, 2, 5]
        """
        names = parts[0]._columns if parts else ()
        return cls(kind, **{name: [value for part in parts for value in part.column(name)] for name in names})


def plain_list(values: Any) -> list[Any]:
    """A list of Python's own objects, of a sequence or an array."""
    return list(values.tolist() if hasattr(values, "tolist") else values)


def values_of(rows: Sequence[Row], one: Described) -> list[Any]:
    """The values of a column, row by row."""
    if isinstance(rows, ColumnarRows) and not one.derived:
        return rows.column(one.name)
    return [getattr(row, one.name) for row in rows]


def laid_out(
    rows: Sequence[Row], kind: type[Row], *, brief: bool, every: bool = False
) -> tuple[list[Column], list[list[Cell]]]:
    """Columns and cells: what people see, if ``brief``, or everything that is one value.

    Optional columns that no row has are left out, unless ``every`` one is asked for.
    """
    columns: list[Column] = []
    cells: list[list[Any]] = []
    series = [one for one in kind.described.values() if one.kind == "series"]
    if series:
        return _unrolled(rows, kind, series)
    for one, key in _asked(kind, brief):
        values = values_of(rows, one)
        if one.optional and not every and not any(value is not None for value in values):
            continue
        if one.kind != "numbers":
            columns.append(one.column())
            cells.append(
                [_joined(value, one.joined) if one.joined else _cell(value, text=one.text) for value in values]
            )
            continue
        keys = dict.fromkeys(k for value in values for k in value or ())
        for each in keys if key is None else [k for k in keys if str(k) == key]:
            columns.append(one.column(each))
            cells.append([_cell((value or {}).get(each)) for value in values])
    return columns, [list(row) for row in zip(*cells, strict=True)] if rows else []


def _unrolled(rows: Sequence[Row], kind: type[Row], series: list[Described]) -> tuple[list[Column], list[list[Cell]]]:
    """A row for each place of the series, which go in step."""
    alone = [one for one in kind.described.values() if one.kind == "cell" and not one.json_only]
    place = Column(series[0].along, number=True, type="int", meaning=f"the {series[0].along}", over="key")
    cells: list[list[Cell]] = []
    for row in rows:
        whose = [getattr(row, one.name) for one in alone]
        values = zip(*(plain_list(getattr(row, one.name)) for one in series), strict=True)
        cells += [[*whose, at, *each] for at, each in enumerate(values, series[0].begins)]
    return [*(one.column() for one in alone), place, *(one.column() for one in series)], cells


def _asked(kind: type[Row], brief: bool) -> Iterable[tuple[Described, str | None]]:
    if brief and kind.brief:
        for name in kind.brief:
            whole, _, key = name.partition(".")
            yield kind.described[whole], key or None
        return
    for one in kind.described.values():
        if one.kind != "nested" and not one.for_people and not one.json_only:
            yield one, None


def records(rows: Sequence[Row], kind: type[Row], *, every: bool = False) -> list[dict[str, Any]]:
    """A record a row, with everything that is one value; ``every`` optional column too, if asked for."""
    columns, cells = laid_out(rows, kind, brief=False, every=every)
    names = [column.name for column in columns]
    return [dict(zip(names, row, strict=True)) for row in cells]


def documents(rows: Sequence[Row], kind: type[Row]) -> list[dict[str, Any]]:
    """The rows in the terms of JSON: the records, with series and words as lists, and what has a form of its own."""
    if any(one.kind == "series" for one in kind.described.values()):
        told = [one for one in kind.described.values() if not one.for_people]
        return [_document({one.column_name: getattr(row, one.name) for one in told}) for row in rows]
    found = records(rows, kind, every=True)
    for one in kind.described.values():
        if (one.kind in ("nested", "words", "joined") or one.json_only) and not one.for_people:
            for record, value in zip(found, values_of(rows, one), strict=True):
                record[one.column_name] = value
    return [_document(record) for record in found]


def _document(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record in the terms of JSON, in which a measure has the catalogue's name and what was typed."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        found[name] = jsonable(value)
        if name == MEASURE:
            found[TYPED] = None if value is None else as_typed(value)
    return found


def jsonable(value: Any) -> Any:
    """A value in the terms of JSON, which has neither NaN nor infinity."""
    if isinstance(value, Row):
        [found] = documents([value], type(value))
        return found
    if hasattr(value, "as_dict"):
        return jsonable(value.as_dict())
    if hasattr(value, "tolist"):
        return jsonable(value.tolist())
    if isinstance(value, Mapping):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [jsonable(item) for item in value]
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (str, int)) else str(value)


def _cell(value: Any, *, text: bool = False) -> Any:
    if text:
        return None if value is None else str(value)
    # Cells that are more than one value are tuples, too.
    if type(value) is tuple:
        return " ".join(f"{each:.6g}" if isinstance(each, float) else str(each) for each in value)
    return value.item() if hasattr(value, "item") else value


def _joined(numbers: Mapping[str, Any], between: str) -> str:
    return " ".join(f"{name}{between}{number}" for name, number in numbers.items())
