"""Which systems belong together: the runs of one team found much the same documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from truerank.data.errors import InputError

LETTERS = r"[^\W\d_]+"
"""The letters that a name begins with: ``ok8alx`` and ``ok8amxc`` are runs of one team."""
Rule: TypeAlias = "str | Mapping[str, str] | Callable[[str], str]"


def grouped(names: Iterable[str], rule: Rule | None = None) -> dict[str, str]:
    """The group of each run.

    The rule is a dict from runs to groups, a function of the name, or a regular expression for the beginning of names:
    a group is what its first parenthesis matches or, without one, what all of it does. A name that it does not match,
    or that a dict lacks, is a group of its own.

    >>> grouped(["ok8alx", "ok8amxc", "INQ601", "1"])
    {'ok8alx': 'ok', 'ok8amxc': 'ok', 'INQ601': 'INQ', '1': '1'}
    >>> grouped(["bm25-a", "bm25-b"], "(.*)-")
    {'bm25-a': 'bm25', 'bm25-b': 'bm25'}
    """
    chosen: Rule = LETTERS if rule is None else rule
    if isinstance(chosen, str):
        return {name: _matched(_compiled(chosen), name) for name in names}
    if isinstance(chosen, Mapping):
        listed = [*names]
        for name in chosen:
            if name not in listed:
                raise InputError(f"there is no run {name!r} to group; there are {', '.join(listed)}")
        return {name: str(chosen.get(name, name)) for name in listed}
    return {name: str(chosen(name)) for name in names}


def _compiled(rule: str) -> re.Pattern[str]:
    try:
        return re.compile(rule)
    except re.error as error:
        raise InputError(f"{rule!r} is no regular expression ({error}); give one such as '[a-z]+'") from None


def _matched(rule: re.Pattern[str], name: str) -> str:
    found = rule.match(name)
    if found is None:
        return name
    return (found[1] if rule.groups else found[0]) or name
