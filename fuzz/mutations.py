"""Ways to damage what is well formed: bytes, lines, fields, words and documents."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Callable, Sequence
from typing import Any

NUMBERS = (
    *("0", "-0", "1", "-1", "2", "3", "10", "0.5", "-0.5", "1e-400", "1e400", "-1e400", "nan", "inf", "-inf", "NaN"),
    *("Infinity", "1e308", "-1e308", "5e-324", "1024", "65536", "2147483647", "2147483648", "4294967296", "1e5", "0.1"),
    *("9007199254740993", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1_000", "0x10", "1e"),
    *("+1", "1.", ".5", ".", "-", "+", "1e+", "--1", "1,5", "1.5.2", "٣", "１", "½", "1e99999999999", "0" * 400),
    *("0." + "1" * 401, "9" * 400, "0" * 5000 + "1", "1" * 5000, "1" + "0" * 30, "0." + "0" * 320 + "1"),
)
"""Numbers at the ends of types, and what is nearly a number."""

READ = (
    *("0", "-0", "1", "-1", "2", "3", "10", "0.5", "-0.5", "0.1", "1e-5", "1e5", "1024", "65536", "1e308", "-1e308"),
    *(
        "5e-324",
        "1e-300",
        "2147483648",
        "9007199254740993",
        "0.30000000000000004",
        "0.3",
        "1e15",
        "1e16",
        "127",
        "-128",
    ),
)
"""Numbers that are read almost everywhere."""

NAMES = (
    *(
        "NIL",
        "nil",
        "-",
        "--",
        "Q0",
        "q1",
        "d1",
        "#",
        "# d1",
        "\ufeff",
        "é",
        "e\u0301",
        "\u202e",
        "\U0001f600",
        "a b",
        "a\tb",
        "a,b",
    ),
    *(
        '"',
        "'",
        '"a',
        "`",
        "|",
        "\\",
        "%s",
        "%n",
        "{}",
        "{0}",
        "$HOME",
        "../../x",
        "/dev/null",
        "con",
        "=1+1",
        "@x",
        "a" * 300,
    ),
    *(
        "\x00",
        "\x1b[31mred",
        "\x1b]0;title\x07",
        "\r",
        "\x0b",
        "\x0c",
        "\x1c",
        "\x85",
        "\u2028",
        "\xa0",
        "\u3000",
        "\x7f",
    ),
    *(
        "topic",
        "doc",
        "score",
        "rank",
        "grade",
        "relevance",
        "qid",
        "docno",
        "query_id",
        "_id",
        "hits",
        "iter",
        "run",
        "tag",
    ),
    *("<b>", "<script>", "[x](javascript:1)", "![x](y)", "&amp;", "\\input{x}", "True", "None", "null", "[]", "{", "}"),
)
"""Names that mean something to somebody, and characters that few tools expect."""

BYTES = (
    b"\x00",
    b"\xff",
    b"\xfe\xff",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3",
    b"\xed\xa0\x80",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"PAR1",
    b"\x1f\x8b",
    b"BZh9",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
    b"{",
    b"[",
    b'"',
    b",",
    b"\x1a",
    b"\x85",
    b"\xc2\x85",
)


def word(rng: random.Random) -> str:
    """A word that is not expected."""
    kind = rng.random()
    if kind < 0.45:
        return rng.choice(NUMBERS)
    if kind < 0.9:
        return rng.choice(NAMES)
    return "".join(rng.choices(string.printable, k=rng.randint(0, 8)))


def damaged(rng: random.Random, content: bytes, others: Sequence[bytes] = (), rounds: int | None = None) -> bytes:
    """The content after one mutation or several; ``others`` are what it may be crossed with.

    Half of the time it is changed into what may well be read: what is refused at once shows little of what is behind.
    """
    mutations = _OF_VALUES if rng.random() < 0.5 else _OF_BYTES
    for _ in range(rounds or rng.choice((1, 1, 1, 1, 1, 2, 2, 3, 5))):
        content = rng.choice(mutations)(rng, content, others)
        if len(content) > 1 << 16:
            content = content[: 1 << 16]
    return content


def _flip(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    if not content:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << rng.randrange(8))]) + content[at + 1 :]


def _insert(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    at = rng.randint(0, len(content))
    new = rng.choice(BYTES) if rng.random() < 0.6 else bytes([rng.randrange(256)]) * rng.choice((1, 2, 9, 300))
    return content[:at] + new + content[at:]


def _delete(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _slice(rng, content)
    return content[:begin] + content[end:]


def _repeat(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    begin, end = _slice(rng, content)
    return content[:end] + content[begin:end] * rng.choice((1, 1, 2, 20)) + content[end:]


def _cut(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    return content[: rng.randint(0, len(content))]


def _cross(rng: random.Random, content: bytes, others: Sequence[bytes]) -> bytes:
    if not others:
        return content
    other = rng.choice(others)
    return content[: rng.randint(0, len(content))] + other[rng.randint(0, len(other)) :]


def _slice(rng: random.Random, content: bytes) -> tuple[int, int]:
    begin = rng.randint(0, len(content))
    return begin, min(len(content), begin + rng.choice((1, 2, 4, 8, 30, 200)))


def _lines(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(rng.randint(0, len(lines)), lines[at])
    elif kind == 2:
        rng.shuffle(lines)
    elif kind == 3:
        lines.insert(at, rng.choice((b"", b" ", b"# comment", b"\t\t", word(rng).encode())))
    elif kind == 4:
        lines = [line + b"\r" for line in lines]
    else:
        lines = lines[at:] + lines[:at]
    return b"\n".join(lines)


def _fields(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    lines = content.split(b"\n")
    at = rng.randrange(len(lines))
    mark = next((mark for mark in (b"\t", b",", b" ") if mark in lines[at]), b" ")
    parts = lines[at].split(mark)
    index = rng.randrange(len(parts))
    kind = rng.randrange(5)
    if kind <= 1:
        parts[index] = word(rng).encode()
    elif kind == 2:
        del parts[index]
    elif kind == 3:
        parts.insert(index, rng.choice(parts))
    else:
        other = rng.randrange(len(parts))
        parts[index], parts[other] = parts[other], parts[index]
    lines[at] = rng.choice((mark, mark, mark, b"  ", b"\t", b", ", b";")).join(parts)
    return b"\n".join(lines)


def _values(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """A word exchanged for another that stands somewhere in the file, or a number for a number: mostly still read."""
    words = [(found.start(), found.end()) for found in re.finditer(rb"[^\s,\"\[\]{}:]+", content[:4096])]
    if not words:
        return content
    begin, end = rng.choice(words)
    other = rng.choice(words)
    new = content[other[0] : other[1]] if rng.random() < 0.5 else rng.choice(NUMBERS[:40]).encode()
    return content[:begin] + new + content[end:]


def _document(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """JSON, also one document a line, changed as a document; other text is left to other mutations."""
    lines = content.split(b"\n") if content.count(b"\n") > 1 else [content]
    at = rng.randrange(len(lines))
    try:
        lines[at] = json.dumps(changed(rng, json.loads(lines[at])), ensure_ascii=rng.random() < 0.5).encode(
            "utf-8", "surrogatepass"
        )
    except (ValueError, RecursionError):
        return _fields(rng, content, ())
    return b"\n".join(lines)


_OF_BYTES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    *(_flip, _insert, _delete, _repeat, _cut, _cross),
    *(_lines, _lines, _lines, _lines, _values, _values, _values, _values),
    *(_fields, _fields, _fields, _document, _document, _document),
)


def _rows(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """Lines left out, repeated or in another order, the first of which may be a header and stays."""
    first, *lines = content.split(b"\n")
    if not lines:
        return content
    at = rng.randrange(len(lines))
    kind = rng.randrange(3)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(rng.randrange(len(lines)), lines[at])
    else:
        rng.shuffle(lines)
    return b"\n".join([first, *lines])


def _numbers(rng: random.Random, content: bytes, _: Sequence[bytes]) -> bytes:
    """A number exchanged for another one that is read, however large or small."""
    found = [(each.start(), each.end()) for each in re.finditer(rb"(?<![\w.-])-?[0-9]+(\.[0-9]+)?\b", content[:4096])]
    if not found:
        return _values(rng, content, ())
    begin, end = rng.choice(found)
    return content[:begin] + rng.choice(READ).encode() + content[end:]


_OF_VALUES: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (_rows, _numbers, _numbers, _values)


def odd_value(rng: random.Random) -> Any:
    """A value of JSON that is not expected where it stands."""
    return rng.choice(
        (
            *(None, True, False, 0, 1, -1, 5, 2**31, 2**63, 2**64, 10**30, 10**400, 0.5, -0.0, 1e308, 5e-324),
            *(float("nan"), float("inf"), "", "1", "nan", "inf", "-inf", [], {}, [[]], {"": {}}, [None], word(rng)),
        )
    )


def changed(rng: random.Random, value: Any, depth: int = 0) -> Any:
    """A document with something in it replaced, left out, repeated, renamed or wrapped."""
    if depth < 6 and isinstance(value, (dict, list)) and value and rng.random() < 0.85:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = rng.choice(keys)
        kind = rng.random()
        copy: Any = dict(value) if isinstance(value, dict) else list(value)
        if kind < 0.6:
            copy[key] = changed(rng, value[key], depth + 1)
        elif kind < 0.75:
            del copy[key]
        elif isinstance(copy, dict):
            copy[rng.choice((word(rng), rng.choice(keys)))] = value[key] if kind < 0.9 else odd_value(rng)
        else:
            copy.insert(rng.randint(0, len(copy)), value[key] if kind < 0.9 else odd_value(rng))
        return copy
    kind = rng.random()
    if kind < 0.6:
        return odd_value(rng)
    if kind < 0.7:
        return [value]
    if kind < 0.8:
        return {word(rng): value}
    if kind < 0.9:
        return str(value)
    return rng.choice((value, word(rng)))


def changed_text(rng: random.Random, text: str, words: Sequence[str]) -> str:
    """Text with characters and words of a language in other places."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        at = rng.randint(0, len(text))
        end = min(len(text), at + rng.choice((0, 0, 1, 1, 2, 5)))
        new = rng.choice(
            (rng.choice(words), rng.choice(words), word(rng), rng.choice("()[]{}@=,.'\" \t-+*#:;\\\x00é"), "")
        )
        if rng.random() < 0.03:
            new *= rng.choice((50, 200, 2000))
        text = text[:at] + new + text[end:]
    return text[: 1 << 15]
