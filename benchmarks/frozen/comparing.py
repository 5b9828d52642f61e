"""Hold what was frozen before against what is now, by the table of keys."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.frozen.freezing import thawed

TABLE = Path(__file__).parent / "keys.txt"
KEYS = (
    *("collection", "group", "measure", "run", "compared_with", "judge", "variant", "other", "system", "name", "file"),
    *(
        "whole_measure",
        "cut_measure",
        "bin",
        "topic",
        "doc",
        "a",
        "b",
        "c",
        "depth",
        "pool_depth",
        "cutoff",
        "rank",
        "grade",
        "other_grade",
    ),
    *(
        "rule",
        "property",
        "parameter",
        "feature",
        "direction",
        "source",
        "order",
        "ending",
        "paper",
        "claim",
        "exhibit",
    ),
    *("kind", "lengths", "key"),
)
"""Columns that tell rows apart; rows that they do not tell apart are compared in their order."""
CLOSE = 1e-12
NOISE = 1e-15
"""A difference of equal scores may be a rounding error, which no relative tolerance covers."""

Record = dict[str, Any]
Sheets = dict[str, list[Record]]


class Rule(NamedTuple):
    """A line of the table: what becomes of the keys that fit a pattern."""

    what: str
    pattern: re.Pattern[str]
    then: str
    """The new key of what is renamed, the new word, or the reason of what is dropped or changed."""


@dataclass
class Table:
    """The table of keys: question/sheet/column -> question/sheet/column."""

    rules: Sequence[Rule]
    used: Counter[Rule] = field(default_factory=Counter)
    """How many values each rule was needed for."""

    def key(self, old: str) -> str | None:
        """The new key; None if it is dropped."""
        for rule in self.rules:
            found = rule.pattern.fullmatch(old) if rule.what in ("renamed", "dropped") else None
            if found:
                return found.expand(rule.then) if rule.what == "renamed" else None
        return old

    def word(self, key: str, value: Any) -> Any:
        """What is said now in place of a word that has another one."""
        if isinstance(value, str):
            for rule in self.rules:
                if rule.what == "reworded" and rule.pattern.fullmatch(f"{key}={value}"):
                    self.used[rule] += 1
                    return rule.then
        return value

    def use(self, what: str, key: str, failure: str = "") -> bool:
        """Whether a line says so of a key, or of the key in some rows; one more value needs it."""
        told = (key, f"{key} {failure}")
        rule = next((rule for rule in self.rules if rule.what == what and any(map(rule.pattern.fullmatch, told))), None)
        if rule:
            self.used[rule] += 1
        return rule is not None


def table(text: str) -> Table:
    """Read the table.

    >>> table(r"renamed  judges/runs/place_(.+)  judges/runs/rank.\\1").key("judges/runs/place_nist")
    'judges/runs/rank.nist'
    """
    lines = (line for line in text.splitlines() if line.strip() and not line.startswith("#"))
    parts = (line.split(maxsplit=2) for line in lines)
    return Table([Rule(what, re.compile(pattern), then) for what, pattern, then in parts])


def compare(
    before: str, after: str, only: Sequence[str] = (), tables: Sequence[str] = (), *, every: bool = False
) -> int:
    """Print what differs and how often each line of the table was needed; 1 if something is not in the table."""
    told = table("\n".join(file.read_text(encoding="utf-8") for file in (*map(Path, tables), TABLE)))
    old, new = thawed(before), thawed(after)
    failures: dict[str, list[str]] = defaultdict(list)
    equal: Counter[str] = Counter()
    for case in old:
        if only and not case.startswith(tuple(only)):
            continue
        for key, failure in differences(case, sheets(old[case]), sheets(new.get(case, {})), told):
            if failure:
                failures[re.sub(r"\.\d+", ".N", key)].append(f"{case}: {failure}")
            else:
                equal[case.split()[0]] += 1
    for key, found in sorted(failures.items()):
        print(f"{key}: {len(found)}")
        for line in found if every else found[:2]:
            print(f"    {line if every else line[:300]}")
    for rule in told.rules:
        if told.used[rule]:
            print(f"{rule.what} {told.used[rule]:7}  {rule.pattern.pattern}  {rule.then}")
        elif not only:
            print(f"unused           {rule.pattern.pattern}")
    print(f"{sum(equal.values())} values are equal; {sum(map(len, failures.values()))} are not, and not in the table")
    return int(bool(failures))


def differences(case: str, old: Sheets, new: Sheets, told: Table) -> Iterator[tuple[str, str]]:
    """For every value its key, and what is wrong with it; "" if it is equal. What the table explains is left out."""
    question = case.split()[0]
    for sheet, before in old.items():
        rows = [{name: told.word(f"{question}/{sheet}/{name}", value) for name, value in row.items()} for row in before]
        goals: dict[str, dict[str, str]] = defaultdict(dict)
        for column in dict.fromkeys(column for row in rows for column in row):
            key = f"{question}/{sheet}/{column}"
            goal = told.key(key)
            if goal is None:
                for row in rows:
                    if column in row:
                        told.use("dropped", key)
                continue
            if goal != key:
                told.use("renamed", key)
            if goal.startswith("-"):
                goal = goal[1:]
                rows = [{**row, column: negated(row[column])} if column in row else row for row in rows]
            _, goal_sheet, goal_column = goal.split("/", 2)
            goals[goal_sheet][column] = goal_column
        for goal_sheet, columns in goals.items():
            for column, failure in _in_sheet(rows, new.get(goal_sheet, []), columns):
                key = f"{question}/{sheet}/{column}"
                if not failure or not told.use("changed", key, failure):
                    yield key, failure


def negated(value: Any) -> Any:
    """A number with the other sign, the opposite of a truth."""
    return not value if isinstance(value, bool) else -value if isinstance(value, (int, float)) else value


def _in_sheet(old: Sequence[Record], new: Sequence[Record], columns: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The old column of every value, and what is wrong with it."""
    now = {column for row in new for column in row}
    renamed = [{columns[name]: value for name, value in row.items() if name in columns} for row in old]
    keys = [key for key in KEYS if key in now and any(key in row for row in renamed)]
    rows = _by_key(new, keys)
    # What tells rows apart is equal if the row is there.
    values = {before: after for before, after in columns.items() if after not in keys} or columns
    for key, row in _by_key(renamed, keys).items():
        there = rows.get(key) or _turned(rows.get(_other_way(keys, key)))
        for before, after in values.items():
            if after not in row:
                continue
            # A column by name, of what no row has, may be left out.
            if after not in now and (row[after] is not None or before == after):
                yield before, f"{_named(keys, key)}: {row[after]!r} -> no column {after}"
            elif there is None:
                yield before, f"{_named(keys, key)}: {row[after]!r} -> no row"
            elif not same(row[after], there.get(after)):
                yield before, f"{_named(keys, key)}: {row[after]!r} -> {there.get(after)!r}"
            else:
                yield before, ""


def _other_way(keys: Sequence[str], key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The key of a pair of runs that is told the other way round."""
    pair = {"run": "compared_with", "compared_with": "run"}
    return (*(key[keys.index(pair.get(name, name))] for name in keys), key[-1]) if {*pair} <= {*keys} else ()


def _turned(row: Record | None) -> Record | None:
    """A pair of runs told the other way round: differences have the other sign."""
    return row and {
        name: -value if "difference" in name and isinstance(value, float) else value for name, value in row.items()
    }


def _by_key(rows: Iterable[Record], keys: Sequence[str]) -> dict[tuple[Any, ...], Record]:
    seen: Counter[tuple[Any, ...]] = Counter()
    found = {}
    for row in rows:
        key = tuple(row.get(name) for name in keys)
        seen[key] += 1
        numbered = (*key, seen[key])
        found[numbered] = row
    return found


def _named(keys: Sequence[str], key: Sequence[Any]) -> str:
    told = [f"{name}={value}" for name, value in zip(keys, key, strict=False) if value is not None]
    return " ".join([*told, *([f"#{key[-1]}"] if key[-1] > 1 else [])])


def same(old: Any, new: Any) -> bool:
    """Whether two values are equal, but for rounding.

    >>> same(3, 3), same(3, 4), same(0.1 + 0.2, 0.3), same("0.30000000000000004", "0.3"), same(None, "")
    (True, False, True, True, False)
    """
    if old == new:
        return True
    if isinstance(old, str) and isinstance(new, str):
        return _number(old) is not None and same(_number(old), _number(new))
    if isinstance(old, (int, float)) and isinstance(new, (int, float)):
        whole = isinstance(old, int) and isinstance(new, int)
        return not whole and math.isclose(old, new, rel_tol=CLOSE, abs_tol=NOISE)
    return False


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def sheets(frozen: Mapping[str, Any]) -> Sheets:
    """What a case answered as rows by sheet; what is beside the sheets is a row of the sheet "beside"."""
    found: Sheets = {}
    beside: Record = {name: frozen[name] for name in ("error", "code", "lines", "files") if name in frozen}
    document = dict(frozen.get("document", {}))
    # The key was called notices.
    notes = document.pop("notices", None) or document.pop("notes", None) or []
    found["notes"] = [_note(note) for note in notes]
    means = document.pop("means", {})
    for name, value in (*document.items(), *frozen.get("sheets", {}).items()):
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
            rows = (*value, *({"collection": "mean", **row} for row in means.get(name, ())))
            found[name] = [dict(flat(row)) for row in rows]
        else:
            beside[name] = value
    for name, rows in frozen.get("figure", {}).items():
        found[f"figure {name}"] = [dict(flat(row)) for row in (rows if isinstance(rows, list) else [rows])]
    found["beside"] = [dict(flat(beside))]
    return found


def _note(note: Mapping[str, Any]) -> Record:
    """A note's text and facts under its code, so that a rule of the table may be about one code."""
    facts = note["facts"]
    told = {"text": note["text"], "brief": note.get("brief", ""), "facts": facts}
    keys = {name: facts[name] for name in ("collection", "measure", "run") if isinstance(facts.get(name), str)}
    return {**keys, "key": note["code"], **dict(flat({note["code"]: told}))}


def flat(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """What is nested, by dotted names; what is empty has no value.

    >>> dict(flat({"a": 1, "b": {"c": [2, 3]}}))
    {'a': 1, 'b.c.0': 2, 'b.c.1': 3}
    """
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from flat(each, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from flat(each, f"{name}.{index}")
    else:
        yield name, value
