"""The form of an answer in JSON, as a JSON schema made of what its rows and fields declare."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from truerank.report.answer import VERSION, Answer, Sheet
from truerank.report.rows import MEASURE, TYPED, Described, Row

_TYPES = {"str": "string", "int": "integer", "float": "number", "bool": "boolean"}
_APART = ("collection", "group")
"""What several answers in one are of."""
_WORTH = {
    "type": "object",
    "properties": {
        "text": {"type": "string"},
        "likelihood": {"type": "number", "description": "how likely it happens; 1 for a fact"},
        "consequence": {
            "type": "number",
            "description": "what it changes if it does: 1 reverses a verdict, 0.7 makes it significant or not, 0.5 "
            "gives another leader, 0.3 moves a score by more than a standard error, 0.1 moves a printed digit",
        },
        "sure": {"type": "boolean", "description": "whether it is a fact about what was scored"},
        "command": {"type": ["string", "null"], "description": "the command or option that says more"},
    },
    "required": ["text", "likelihood", "consequence", "sure", "command"],
    "additionalProperties": False,
}
_BLOCK = {
    "verdict": {"type": ["string", "null"], "description": "the sentence that answers the question"},
    "worth_knowing": {"type": "array", "description": "the notes that matter most", "items": _WORTH},
    "method": {"type": ["string", "null"], "description": "how the numbers came about, in a line"},
}
_NOTICE = {
    "type": "object",
    "properties": {"code": {"type": "string"}, "facts": {"type": "object"}, "text": {"type": "string"}},
    "required": ["code", "facts", "text"],
}


def schema(answer: type[Answer]) -> dict[str, Any]:
    """The schema of an answer; numbers that are undefined are null.

    >>> from truerank.questions.ties.question import Ties
    >>> found = schema(Ties)
    >>> found["properties"]["orders"]["items"]["properties"]["run"]
    {'type': 'string', 'description': 'the run whose score it moves most'}
    """
    sheets = {name: sheet for name, sheet in answer.sheets.items() if sheet.json}
    properties = {
        "version": {"const": VERSION},
        "question": {"const": answer.question},
        **_BLOCK,
        **{name: _value(one) for name, one in answer.described.items()},
        **{
            name: {
                "type": "array",
                "description": sheet.help,
                "items": _row(sheet.row, several=answer.by_collection and not sheet.spans),
            }
            for name, sheet in sheets.items()
        },
        "notes": {"type": "array", "description": "what there is to know, with codes", "items": _NOTICE},
    }
    required = list(properties)
    if answer.by_collection:
        properties |= _several(answer, sheets)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": answer.__name__,
        "description": (answer.__doc__ or "").partition("\n")[0],
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def _several(answer: type[Answer], sheets: Mapping[str, Sheet]) -> dict[str, Any]:
    """What JSON has in addition where there are several collections."""
    facts = {name: _value(one) for name, one in answer.described.items()}
    means = {name: {"type": "array", "items": {"type": "object"}} for name, sheet in sheets.items() if not sheet.spans}
    return {
        **{
            f"{one}s": {
                "type": "array",
                "description": f"what is known of each {one}",
                "items": {
                    "type": "object",
                    "properties": {one: {"type": "string"}, **facts},
                    "required": [one, *facts],
                    "additionalProperties": False,
                },
            }
            for one in _APART
            if f"{one}s" not in (*sheets, *answer.described)
        },
        "means": {
            "type": "object",
            "description": "by sheet, means over collections or groups; of those that have it, which are counted",
            "properties": means,
            "additionalProperties": False,
        },
    }


def _row(kind: type[Row], *, several: bool = False) -> dict[str, Any]:
    told = [one for one in kind.described.values() if not one.for_people]
    named = {}
    for one in told:
        if one.kind != "numbers":
            named[one.column_name] = _value(one)
        if one.column_name == MEASURE:
            named[TYPED] = {**_value(one), "description": "the measure as it was typed"}
    required = list(named)
    if several:
        apart = {one: {"type": "string", "description": f"the {one}, where there are several"} for one in _APART}
        named = {**apart, **named}
    spread = [_value(one) for one in told if one.kind == "numbers"]
    return {
        "type": "object",
        "description": (kind.__doc__ or "").partition("\n")[0],
        "properties": named,
        "required": required,
        # Numbers by name have columns of their own.
        "additionalProperties": {"anyOf": spread} if spread else False,
    }


def _value(one: Described) -> dict[str, Any]:
    told = {"description": one.meaning}
    if one.kind == "nested":
        numbers = {"type": [_TYPES[one.type], "null"]}
        return told if one.type == "str" else {"type": "object", "additionalProperties": numbers, **told}
    if one.kind == "words":
        items = {"type": "string"} if one.type == "str" else {"type": ["number", "null"]}
        return {"type": ["array", "null"] if one.none else "array", "items": items, **told}
    if one.kind == "joined":
        return {"type": "object", "additionalProperties": {"type": ["number", "null"]}, **told}
    if one.kind == "series":
        return {"type": "array", "items": {"type": ["number", "null"]}, **told}
    type_ = _TYPES[one.type]
    # Of numbers any may be undefined.
    null = one.none or one.type == "float" or one.kind == "numbers"
    return {"type": [type_, "null"] if null else type_, **told}
