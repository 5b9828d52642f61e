"""How a file is written, told by its first lines: in TREC columns, as a list, under a header line, or as JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.io.encoding import BOM, readable, refuse_foreign
from truerank.io.headers import Declared, known
from truerank.io.judgments import is_sign
from truerank.io.lines import line_end, words
from truerank.io.parquet import MAGIC
from truerank.io.source import Source

FORMS = ("trec", "list", "csv", "json", "letor", "parquet")

DELIMITERS = ("\t", ",", ";", " ")
"""What may stand between the values of a line; the space stands for any whitespace of ASCII."""

_HEAD = 1 << 16
# An id may begin with a bracket; a bracket with a quote or another bracket behind it opens JSON.
_JSON = re.compile(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:["\[{\]]|$))')
# A grade, the topic, and nothing but features and a comment behind it.
_LETOR = re.compile(r"\s*[-+]?[\d.]+(?:[eE][-+]?\d+)?\s+qid:\S+(?:\s+\d+:\S+)*\s*(?:#.*)?$")
_MAYBE_NUMBER = re.compile(r"(?<![^\t,; ])[^\S\t,; ]*[-+]?[\d.iInN][^\t,; ]*")
"""A value that begins as a number does, infinity and nan among them; there may be a million that do not."""
_MARKUP = re.compile(r"<(?:!|\?xml|html|head|body)", re.IGNORECASE)
_LISTED = (2, 3)
_OTHERS = (b"{", b"[", b"PAR1", b"ARROW1")
"""How JSON, Parquet and Arrow files begin."""
_KINDS = {4: "qrels", 5: "run", 6: "run", 7: "run"}
"""What files are, by the columns that most of their first lines have; a run may lack its tag, or have a column more."""


@dataclass(frozen=True, eq=False)
class Head:
    """The first line of a file that is neither blank nor a comment."""

    line: str
    number: int
    """Its number, from 1."""

    @property
    def count(self) -> int:
        """How many columns it has, if whitespace separates them."""
        return len(words(self.line))

    @cached_property
    def has_number(self) -> bool:
        """Whether any of its values is a number, so that it cannot be a header line."""
        return any(map(_is_number, _MAYBE_NUMBER.findall(self.line)))

    def values(self, delimiter: str) -> list[str]:
        """The line taken apart; nothing where its quotes do not match."""
        import csv

        try:
            return [value.strip() for value in next(split([self.line], delimiter), [])]
        except csv.Error:
            return []


def split(lines: Iterable[str], delimiter: str) -> Iterator[list[str]]:
    """Take lines apart."""
    if delimiter == " ":
        return map(words, lines)
    # Few files need it, and all commands would wait for it.
    import csv

    return csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)


def mismatch(error: Exception) -> str:
    """What is wrong with lines that cannot be taken apart; a quote that is not closed makes a value without an end.

    >>> mismatch(ValueError("field larger than field limit (131072)"))
    'quotes do not match, or a value is too long (field larger than field limit (131072))'
    """
    return f"quotes do not match{', or a value is too long' if 'limit' in str(error) else ''} ({error})"


def head_of(source: Source) -> Head:
    """Return the first line of a file that says something."""
    text = source.text[: line_end(source.text, _HEAD)].tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")
    for number, line in enumerate(text.split("\n"), 1):
        if words(line) and not line.lstrip().startswith("#"):
            return Head(line.rstrip("\r"), number)
    return Head("", 1)


def looks_like(source: Source) -> str:
    """Tell whether lines are those of a "run" or of "qrels" of TREC, by their columns; "" where they are neither.

    Whatever else is wrong with them does not matter.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> [looks_like(open_source(io.StringIO(text))) for text in ("q1 0 d1 high", "q1 Q0 d1 1 0.5 t", "q1 d1 d2")]
    ['qrels', 'run', '']
    """
    text = readable(source.text)[0]
    head = text[: line_end(text, _HEAD)].tobytes().removeprefix(BOM)
    if head.count(0) * 8 > len(head) or head.lstrip().startswith(_OTHERS):
        return ""
    lines = [line.split() for line in head.split(b"\n") if line.strip() and not line.lstrip().startswith(b"#")]
    if not lines or any(map(is_sign, lines[0][2:])) or any(word.startswith(b"qid:") for word in lines[0][1:2]):
        return ""  # Nothing, preferences, or features.
    return _KINDS.get(Counter(map(len, lines)).most_common(1)[0][0], "")


def form_of(source: Source, declared: Declared) -> str:
    """Tell by its first lines how a file is written.

    >>> import io
    >>> from truerank.io.source import open_source
    >>> [form_of(open_source(io.StringIO(text)), Declared("run")) for text in ("qid,docno,score", "q1 Q0 d1 1 0.5 t")]
    ['csv', 'trec']
    """
    if source.text[: len(MAGIC)].tobytes() == MAGIC:
        return "parquet"
    refuse_foreign(source)
    if _JSON.match(source.text[:_HEAD].tobytes().removeprefix(BOM).decode("utf-8", "surrogateescape")):
        return "json"
    head = head_of(source)
    if _MARKUP.match(head.line.lstrip()):
        raise InputError("this is a page of HTML or XML, perhaps of a failed download; fetch the file again")
    if _LETOR.match(head.line):
        return "letor"
    if delimiter_of(head, declared) is not None:
        return "csv"
    if head.count == 1 and any(mark in head.line for mark in ",;"):
        return "csv"
    if declared.kind != "run" or head.count not in (*_LISTED, 4, 5):
        return "trec"
    if head.count > 2 and not head.has_number:
        return "csv"
    return "list" if head.count in _LISTED else "trec"


def delimiter_of(head: Head, declared: Declared) -> str | None:
    """Return what separates the names of a header line; None where the line is no header."""
    if head.has_number:
        return None
    given = [*(declared.columns or {}).values()]
    for delimiter in DELIMITERS:
        names = head.values(delimiter)
        if len(names) > 1 and (len(known(names)) > 1 or any(name in names for name in given)):
            return delimiter
    return None


def refuse_unknown(form: str) -> None:
    """Refuse a form that there is none of."""
    if form not in FORMS:
        raise InputError(f"form={form!r} is not one of {', '.join(map(repr, FORMS))}; choose one")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
