"""Notes: a sentence with a code and its facts."""

from __future__ import annotations

import copy
import json
import pickle

import pytest

from truerank.data.notes import Code, Note
from truerank.data.printing import sentence

TIED = Code("TR999", "ties", "{tied} of {runs:run} {tied:has|have} ties")


@pytest.mark.parametrize(
    ("template", "facts", "text"),
    [
        ("{n:run}", {"n": 1}, "1 run"),
        ("{n:run}", {"n": 1200}, "1,200 runs"),
        ("{n:query/queries}", {"n": 2}, "2 queries"),
        ("{n:other measure}", {"n": 2}, "2 other measures"),
        ("{n:has|have}", {"n": 1}, "has"),
        ("{n:has|have}", {"n": 0}, "have"),
        ("{x:%}", {"x": 0.999}, "99.9%"),
        ("{x:+.3f}", {"x": 0.25}, "+0.250"),
        ("{x:g}", {"x": 0.5}, "0.5"),
        ("{names:names}", {"names": ["a", "b"]}, "a and b"),
        ("{names:names}", {"names": list("abcd")}, "a, b, c and d"),
        ("{names:names}", {"names": list("abcdefg")}, "a, b, c and 4 others"),
        ("{names:all names}", {"names": list("abcdefg")}, "a, b, c, d, e, f and g"),
        ("({p:p})", {"p": 0.0334}, "(p = .033)"),
        ("({p:p})", {"p": 0.00001}, "(p < .0001)"),
        ("{n:run}[ in {g:group}[ of {x}]]", {"n": 1, "g": 2, "x": None}, "1 run in 2 groups"),
        ("{n:run}[ in {g:group}[ of {x}]]", {"n": 1, "g": None, "x": 3}, "1 run"),
        ("{name}", {"name": "{n:run}"}, "{n:run}"),
    ],
)
def test_sentences(template: str, facts: dict[str, object], text: str) -> None:
    assert sentence(template, **facts) == text


def test_a_note_is_its_text_and_knows_more() -> None:
    note = TIED(tied=1, runs=3)
    assert note == "1 of 3 runs has ties"
    assert (note.code, note.facts) == ("TR999", {"tied": 1, "runs": 3})
    assert json.loads(json.dumps(note.as_dict())) == {"code": "TR999", "facts": {"tied": 1, "runs": 3}, "text": note}


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda note: pickle.loads(pickle.dumps(note))])
def test_a_note_travels(again: object) -> None:
    note = TIED(tied=2, runs=3)
    other = again(note)  # type: ignore[operator]
    assert isinstance(other, Note)
    assert (other, other.code, other.facts) == (note, note.code, note.facts)


def test_a_note_quotes_a_part_of_a_long_name_and_its_facts_all_of_it() -> None:
    name = "x" * 10_000
    note = Code("TR999", "a topic", "topic {topic} is missing")(topic=name)
    assert len(note) < 400
    assert note.endswith(" is missing")
    assert note.facts["topic"] == name
    assert len(note.in_brief(name).brief) < 400
