"""Identifiers, numbers and sentences as people read them."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from string import Formatter
from typing import Any

_LONGEST = 80
_MOST_OF_P = 8
"""Decimals of a p-value at most."""
_WORD = re.compile(r"\S{400,}")
_LINE = 1600
"""Characters of a line that is read; a name of any length may be quoted in it."""
_BEGIN = re.compile(r" *(- |\S+(?: \S+)*? {2,})?")
"""What the lines after the first stand below of: blanks, and a dash or a name with blanks after it."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character, or a byte that is none."""


def shown(identifier: bytes) -> str:
    """Return an identifier in quotes, cut where it is very long.

    >>> shown(b"FT911-3")
    "'FT911-3'"
    """
    text = identifier.decode("utf-8", "replace")
    return brief(text)


def brief(value: object, longest: int = _LONGEST) -> str:
    """A value that was given, as Python writes it, cut where it is very long.

    >>> brief("AP"), brief(10**5000), brief("x" * 100)[-6:], brief([7] * 99)[-6:]
    ("'AP'", 'a whole number of about 5,000 digits', "xx...'", ', 7...')
    >>> brief({"q1": 10**5000})
    'a dict with a number of thousands of digits'
    """
    if isinstance(value, int) and value.bit_length() > longest * 4:
        # Python refuses to write very long ones, and takes its time for long ones.
        return f"a whole number of about {round(value.bit_length() * math.log10(2)):,} digits"
    if isinstance(value, str):
        return repr(value if len(value) <= longest else f"{value[: longest - 3]}...")
    try:
        text = repr(value)
    except ValueError:
        return f"a {type(value).__name__} with a number of thousands of digits"
    return text if len(text) <= longest else f"{text[: longest - 3]}..."


def shortened(text: str, longest: int | None = _LINE) -> str:
    """A line with enough of what it quotes to find it, never all of it; None cuts long words alone.

    >>> len(shortened(f"there is no run {'x' * 10**6!r}; name one")), shortened("there is no run 'x'")
    (328, "there is no run 'x'")
    """
    if len(text) < 400:
        return text
    short = _WORD.sub(lambda word: f"{word[0][:280]}...{word[0][-20:]}", text)
    return (
        short if longest is None or len(short) <= longest else f"{short[: longest // 2]} ... {short[-(longest // 2) :]}"
    )


def readable(text: str) -> str:
    r"""Text that any file or library takes; bytes of an id that are not UTF-8 are written in hexadecimal.

    >>> readable("caf\udce9")
    'caf\\xe9'
    """
    return text if text.isascii() else _HALF.sub(lambda found: _written(found[0]), text)


def visible(text: str, keep: str = "") -> str:
    r"""Somebody else's text with nothing in it that would act instead of being seen, on a terminal or in a page.

    Control characters, what turns the direction of writing, and bytes that are not UTF-8 are written as Python has
    them in quotes; but for those to ``keep``, such as the ends of lines.

    >>> visible("bm25\x1b[2J\n"), visible("caf\udce9 \u202e"), visible("café 日本", keep="\n")
    ('bm25\\x1b[2J\\n', 'caf\\xe9 \\u202e', 'café 日本')
    """
    if text.isprintable():
        return text
    return "".join([sign if sign.isprintable() or sign in keep else _written(sign) for sign in text])


def _written(sign: str) -> str:
    code = ord(sign)
    if 0xDC80 <= code <= 0xDCFF:
        return f"\\x{code - 0xDC00:02x}"
    acts = code < 0xA0 or 0x2028 <= code <= 0x202E or 0x2066 <= code <= 0x2069
    # Halves of characters and those that never are any: libraries refuse such text, or break down over it.
    acts = acts or 0xD800 <= code <= 0xDFFF or code & 0xFFFE == 0xFFFE
    return repr(sign)[1:-1] if acts else sign


def wrapped(text: str, width: int) -> str:
    """A line in as many as it takes, broken between words alone; what follows is as far in as it began, or its text.

    >>> print(wrapped("gate failed: 0.143 less", 16))
    gate failed:
    0.143 less
    >>> print(wrapped("  - tied documents stand in order", 22))
      - tied documents
        stand in order
    >>> print(wrapped("range:  from 0 to 1, both included", 22))
    range:  from 0 to 1,
            both included
    """
    if len(text) <= width:
        return text
    begin = _BEGIN.match(text)
    hang = begin.end() if begin and begin.end() <= width // 3 else 0
    return textwrap.fill(
        text,
        width,
        subsequent_indent=" " * hang,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
        replace_whitespace=False,
    )


def counted(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number of things in words; ``plural`` where it is not the noun with an s.

    >>> counted(1, "topic"), counted(12000, "line"), counted(2, "query", "queries")
    ('1 topic', '12,000 lines', '2 queries')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def percent(share: float) -> str:
    """A share in per cent; what is not all is not rounded to all, nor something to nothing.

    >>> percent(1 / 3), percent(0.05), percent(0.0476), percent(0.999), percent(0.0001), percent(0.9999)
    ('33%', '5%', '4.8%', '99.9%', 'less than 0.1%', 'more than 99.9%')
    """
    value = 100 * share
    if math.isnan(value):
        return "undefined"
    if 0 < value < 0.1:
        return "less than 0.1%"
    if 99.9 + 1e-9 < value < 100:
        return "more than 99.9%"
    return f"{value:.0f}%" if 10 <= value <= 90 else f"{value:.1f}".removesuffix(".0") + "%"


def named(names: Sequence[str], most: int = 3) -> str:
    """Some names, where it does not matter how many more there are.

    >>> named(["a", "b", "c"]), named(["a", "b", "c", "d"]), named([])
    ('a, b, c', 'a, b, c, ...', '')
    """
    return ", ".join([*names[:most], *(["..."] if len(names) > most else [])])


def enumerated(names: Sequence[str], most: int | None = None) -> str:
    """Names as people write them; of more than ``most`` so many, and how many others. A single one more is named.

    >>> enumerated(["a"]), enumerated(["a", "b"]), enumerated(["a", "b", "c", "d"], 3), enumerated([])
    ('a', 'a and b', 'a, b, c and d', '')
    >>> enumerated(list("abcdefg"), 3), enumerated(list("abcdefg"))
    ('a, b, c and 4 others', 'a, b, c, d, e, f and g')
    """
    if most is not None and len(names) > most + 1:
        names = [*names[:most], f"{len(names) - most:,} others"]
    # Formatted, since a measure's name is then what was typed.
    told = [f"{name}" for name in names]
    return " and ".join([part for part in (", ".join(told[:-1]), *told[-1:]) if part])


def p_value(p: float, level: float = 0.0) -> str:
    """A p-value with its sign: two digits where it matters, and more where it would look like the level.

    >>> p_value(0.00084), p_value(0.0342), p_value(0.42), p_value(1.0), p_value(0.00001), p_value(0.996)
    ('p = .0008', 'p = .034', 'p = .42', 'p = 1', 'p < .0001', 'p = .996')
    >>> p_value(0.0503), p_value(0.0503, 0.05), p_value(0.04996, 0.05)
    ('p = .050', 'p = .0503', 'p = .04996')
    """
    if math.isnan(p):
        return "p is undefined"
    if p < 0.0001:
        return "p < .0001"
    if p >= 0.9995:
        return "p = 1"
    digits = 2 if 0.1 <= p < 0.99 else 3 if p >= 0.01 else 4
    while p != level and round(p, digits) == level and digits < _MOST_OF_P:
        digits += 1
    return f"p = {f'{p:.{digits}f}'.lstrip('0')}"


def quoted(names: Sequence[str], most: int = 3) -> str:
    """Names in a sentence, in quotes; of more than ``most`` so many, and how many others.

    >>> quoted(["a"]), quoted(["a", "b"]), quoted(["a", "b", "c", "d", "e"])
    ('"a"', '"a" and "b"', '"a", "b", "c" and 2 others')
    """
    others = [f"{len(names) - most:,} others"] if len(names) > most + 1 else []
    shown = names if not others else names[:most]
    return enumerated([*(f'"{name}"' for name in shown), *others])


def sentence(template: str, **facts: Any) -> str:
    """Put facts into a sentence; after a colon stands how.

    ``{runs:run}`` counts things and ``{runs:query/queries}`` has its own plural, ``{runs:has|have}`` goes with a
    number, ``{share:%}`` is a share in per cent, ``{best:score}`` a score and ``{p:p}`` a p-value with its sign.
    ``{topics:names}`` names a few and says how many others there are, ``{runs:quoted}`` does so in quotes, and
    ``{topics:all names}`` names all. The rest is as in ``format``. A clause in brackets is left out if one of its facts
    is None; it may have others in it.

    >>> sentence("{tied} of {runs:run} {tied:has|have} ties, {share:%} of documents", tied=1, runs=3, share=0.25)
    '1 of 3 runs has ties, 25% of documents'
    >>> [sentence("{runs:run}[, {tied} of them tied]", runs=3, tied=tied) for tied in (1, None)]
    ['3 runs, 1 of them tied', '3 runs']
    >>> [sentence("{x}[ of {n}[ in {groups:group}]]", x=1, n=n, groups=groups) for n, groups in ((2, 3), (2, None))]
    ['1 of 2 in 3 groups', '1 of 2']
    >>> sentence("{runs:names} of {runs:all names}, {p:p}", runs=list("abcde"), p=0.0342)
    'a, b, c and 2 others of a, b, c, d and e, p = .034'
    """
    told, clauses = template, 1
    while clauses:
        told, clauses = _CLAUSE.subn(lambda clause: clause[1] if _is_known(clause[1], facts) else "", told)
    return _WORDS.vformat(told, (), facts)


_CLAUSE = re.compile(r"\[([^][]*)\]")
"""A clause that has no other in it."""


def _is_known(clause: str, facts: Mapping[str, Any]) -> bool:
    return all(facts[name] is not None for _, name, _, _ in _WORDS.parse(clause) if name)


class _Words(Formatter):
    """Formats numbers with the words that go with them."""

    def format_field(self, value: Any, format_spec: str) -> str:
        """One fact, in words where the specification has some."""
        if "|" in format_spec:
            one, several = format_spec.split("|")
            return one if value == 1 else several
        if format_spec == "%":
            return percent(value)
        if format_spec == "quoted":
            return quoted([value] if isinstance(value, str) else value)
        if format_spec == "score":
            return f"{value:.4f}".removesuffix("00")
        if format_spec == "p":
            return p_value(value)
        if format_spec in ("names", "all names"):
            return enumerated(value, 3 if format_spec == "names" else None)
        noun, _, plural = format_spec.partition("/")
        if isinstance(value, int) and noun.replace(" ", "").isalpha() and len(noun) > 1:
            return counted(value, noun, plural or None)
        return str(super().format_field(value, format_spec))


_WORDS = _Words()
