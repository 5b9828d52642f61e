"""Lines as trec_eval prints them: name, topic and value, with tabs between them."""

from __future__ import annotations

import math
from collections.abc import Iterator

from truerank.compat.trec_eval.values import Column, Texts, Values

_WIDTH = 22


def printed(values: Values, *, per_topic: bool, summary: bool, standardised: bool = False) -> str:
    """The output: topics in their order, then all of them together."""
    lines = []
    if per_topic:
        shown = [column for column in values.columns if column.family.shown != "summary"]
        heads = [_head(column, standardised) for column in shown]
        texts = [
            column.texts if isinstance(column, Texts) else _numbers(column, column.values.tolist(), standardised)
            for column in shown
        ]
        for row, topic in enumerate(values.topics):
            lines += [f"{head}\t{topic}\t{text[row]}\n" for head, text in zip(heads, texts, strict=True)]
    if summary:
        lines += _summary(values, standardised)
    return "".join(lines)


def _summary(values: Values, standardised: bool) -> Iterator[str]:
    for column in values.columns:
        if column.family.shown == "topic":
            continue
        if isinstance(column, Texts):
            text = column.texts[0]
        else:
            (text,) = _numbers(column, [column.summary(values.count)], standardised)
        yield f"{_head(column, standardised)}\tall\t{text}\n"


def _head(column: Column | Texts, standardised: bool) -> str:
    mark = "Z" if standardised and isinstance(column, Column) else ""
    return f"{mark}{column.name:<{_WIDTH}}"


def _numbers(column: Column, numbers: list[float], standardised: bool) -> list[str]:
    if column.family.count and not standardised:
        return [str(int(number)) for number in numbers]
    # C prints the sign that 0 / 0 has.
    return [f"{number:6.4f}" if not math.isnan(number) else "  -nan" for number in numbers]
