"""Values under a header line that are as simple as those of a TREC file, and read as fast."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truerank.data.errors import InputError
from truerank.io.columns import BOM, Columns, read_columns
from truerank.io.declared import Declared, Parts
from truerank.io.forms import delimiter_of, head_of
from truerank.io.layout import Layout
from truerank.io.source import Source


def read_plain(source: Source, declared: Declared) -> tuple[Columns, Parts] | None:
    """Read lines as those of a TREC file are read, which takes a fraction of the time.

    None where that may not be what they say: values with quotes or spaces, empty ones, and whatever is to be refused.
    """
    head = head_of(source)
    delimiter = delimiter_of(head, declared)
    if delimiter is None:
        return None
    names = head.values(delimiter)
    if declared.fitting(names).prefers:
        return None
    parts = declared.parts(names)
    text = source.text.tobytes().removeprefix(BOM).split(b"\n", head.number)
    body = text[-1] if len(text) > head.number else b""
    if not _is_plain(body, delimiter):
        return None
    if delimiter not in " \t":
        body = body.replace(delimiter.encode(), b"\t")
    # Blank lines for those above, so that lines keep their numbers.
    lines = np.frombuffer(b"\n" * head.number + body, np.uint8)
    layout = Layout(
        kind="a table",
        columns=tuple(names),
        ids=(names.index(parts.doc),),
        number=names.index(str(parts.value)),
        topic=names.index(str(parts.topic)),
    )
    try:
        return read_columns(replace(source, text=lines), layout), parts
    except InputError:
        return None


def _is_plain(body: bytes, delimiter: str) -> bool:
    """Whether whitespace and delimiters mean the same to a reader of TREC files, to whom two are like one."""
    mark = delimiter.encode()
    strange = [] if delimiter == " " else [b'"', b" ", b"\v", b"\f", mark * 2, b"\n" + mark, mark + b"\n", mark + b"\r"]
    if delimiter not in " \t":
        strange.append(b"\t")
    ends = (b"#",) if delimiter == " " else (b"#", mark)
    return not (
        any(each in body for each in (b"\n#", *strange))
        or body.startswith(ends)
        or body.endswith(ends)
        or body.count(b"\r") != body.count(b"\r\n")
    )
