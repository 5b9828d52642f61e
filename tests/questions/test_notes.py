"""Notes are templates: each sentence can be said, of facts of the kind that its holes ask for."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

import pytest

import truerank
from truerank.data.notes import Code
from truerank.data.printing import sentence

_HOLE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


def codes() -> Iterator[Code]:
    for module in pkgutil.walk_packages(truerank.__path__, "truerank."):
        if not module.name.endswith("__main__"):
            yield from (one for one in vars(importlib.import_module(module.name)).values() if isinstance(one, Code))


CODES = sorted({one.code: one for one in codes()}.values(), key=lambda one: one.code)
TEMPLATES = [
    (f"{one.code} {name}".strip(), template, one)
    for one in CODES
    for name, template in (("", one.sentence), *one.forms.items(), *one.each.items())
]


def example(name: str, how: str | None, at: int) -> Any:
    """A fact that fits a hole, and no other hole of its sentence."""
    if how is None:
        return f"<{name}>"
    if how in ("names", "all names"):
        return [f"<{name} a>", f"<{name} b>"]
    if how in ("%", "p", "score") or re.fullmatch(r"[+,]*(\.\d+)?[fgeE%]", how):
        return 0.125 + at / 64
    return 7 + at


@pytest.mark.parametrize(("name", "template"), [(name, template) for name, template, _ in TEMPLATES])
def test_a_sentence_can_be_said(name: str, template: str) -> None:
    """With every fact known, and with those in brackets unknown; nothing of its form is left in it."""
    holes = {each: how or None for each, how in _HOLE.findall(template)}
    # A number may also be written in words elsewhere in the sentence.
    for each, how in _HOLE.findall(template):
        if how and "|" not in how:
            holes[each] = how
    facts = {each: example(each, how, at) for at, (each, how) in enumerate(holes.items())}
    text = sentence(template, **facts)
    assert not re.search(r"[{}\[\]]", re.sub(r"\[-?\d|\d\]", "", text)), text
    optional = {each for clause in re.findall(r"\[([^\[\]]*)\]", template) for each, _ in _HOLE.findall(clause)}
    needed = {each for each, _ in _HOLE.findall(re.sub(r"\[[^\[\]]*\]", "", template))}
    sentence(template, **{each: None if each in optional - needed else fact for each, fact in facts.items()})


def test_every_code_has_a_sentence() -> None:
    assert [one.code for one in CODES if not one.sentence and not one.forms] == []


def test_nothing_is_said_but_in_a_form() -> None:
    with pytest.raises(KeyError):
        Code("TR000", "a test", "{runs:run}")("3 runs, whatever they are", runs=3)
