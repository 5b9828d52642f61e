"""Notes are templates: each sentence can be said, of facts of the kind that its holes ask for."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from string import Formatter
from typing import Any

import pytest

import truerank
from truerank.data.notes import Code
from truerank.data.printing import sentence


def codes() -> Iterator[Code]:
    for module in pkgutil.walk_packages(truerank.__path__, "truerank."):
        if not module.name.endswith("__main__"):
            yield from (one for one in vars(importlib.import_module(module.name)).values() if isinstance(one, Code))


CODES = sorted({one.code: one for one in codes()}.values(), key=lambda one: one.code)
TEMPLATES = [
    (f"{one.code} {name}".strip(), template, one)
    for one in CODES
    for name, template in (("", one.sentence), *one.forms.items(), *one.each.items())
    if template
]


def holes(template: str) -> dict[str, str]:
    """How each fact is written; a number may also go with words elsewhere in the sentence."""
    every = [(name, how or "") for _, name, how, _ in Formatter().parse(template) if name]
    inner = [(name, "d") for _, how in every for _, name, _, _ in Formatter().parse(how) if name]
    return dict(sorted([*every, *inner], key=lambda each: "|" not in each[1]))


def example(name: str, how: str, at: int) -> Any:
    """A fact that fits a hole, and no other hole of its sentence."""
    if not how or how == ".80":
        return f"<{name}>"
    if how in ("names", "all names", "quoted"):
        return [f"<{name} a>", f"<{name} b>"]
    return 0.125 + at / 64 if how in ("%", "p", "score") or re.search(r"\d[fgeE%]|\}f", how) else 7 + at


@pytest.mark.parametrize(("name", "template"), [(name, template) for name, template, _ in TEMPLATES])
def test_a_sentence_can_be_said(name: str, template: str) -> None:
    """With every fact known, and with those in brackets unknown."""
    every = holes(template)
    facts = {each: example(each, how, at) for at, (each, how) in enumerate(every.items())}
    assert sentence(template, **facts)
    needed = template
    while (inside := re.sub(r"\[[^\[\]]*\]", "", needed)) != needed:
        needed = inside
    sentence(template, **{each: facts[each] if each in holes(needed) else None for each in facts})


def test_every_code_has_a_sentence() -> None:
    assert [one.code for one in CODES if not one.sentence and not one.forms] == []


def test_nothing_is_said_but_in_a_form() -> None:
    with pytest.raises(KeyError):
        Code("TR000", "a test", "{runs:run}")("3 runs, whatever they are", runs=3)
