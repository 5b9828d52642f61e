"""Measures as text: ``nDCG(dcg='exp-log2')@10`` and back."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from truerank.data.errors import InputError
from truerank.data.printing import brief
from truerank.measures.core.base import Measure
from truerank.measures.table import ALIASES, BEYOND_ACCURACY, PUBLISHED, TABLE, TREC_EVAL

LONGEST = 4_000
"""Characters of a measure's text: room for gains of some hundred grades."""
DEEPEST = 24
"""Levels of its syntax: a measure in a measure has some six."""


_MARK = re.compile(r"""'[^']*'?|"[^"]*"?|[(){}\[\],\s]""")
"""What may end a measure, or begin or end what has none in it; and text in quotes, whatever is in it."""


class UnknownMeasure(InputError, NameError):
    """A name that no measure has."""


def parse(text: str) -> Measure:
    """Read a measure from its text form; ``str`` gives the text back.

    Names are taken in upper and lower case alike, and so are other names that measures are known by; but not where case
    alone tells one published measure from another, as nRBP and NRBP.

    >>> parse("AP(rel=2)@100"), parse("nDCG(gains={1: 3})@5"), parse("MAP"), parse("GM(measure=nDCG@10)")
    (AP(rel=2)@100, nDCG(gains={1:3})@5, AP, GM(measure=nDCG@10))
    >>> parse("ndcg@10"), parse("mrr@10"), parse("map"), parse("HitRate@5")
    (nDCG@10, RR@10, AP, Success@5)
    """
    return _parsed(text)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> Measure:
    """Kept, since measures are, and are asked for again and again."""
    return _measure(tree_of(text), text)


@lru_cache(maxsize=1024)
def _typed(text: str) -> Measure:
    """A measure that knows how it was typed."""
    return parse(text).as_typed(text)


def tree_of(text: str) -> ast.expr:
    """The syntax of a measure's text, which is that of Python, within limits: nothing is lost from it silently.

    >>> ast.unparse(tree_of("AP(rel=2) @ 100"))
    'AP(rel=2) @ 100'
    """
    if len(text) > LONGEST:
        raise InputError(f"{brief(text)} has {len(text):,} characters; a measure has at most {LONGEST:,}")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise malformed(text) from None
    if "#" in text:
        raise malformed(text)  # Python takes the rest for a comment.
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        for node in level:
            _refuse_twice(node, text)
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise InputError(f"{brief(text)} is nested too deeply for a measure; write one like GM(measure=nDCG@10)")
    return tree


def _refuse_twice(node: ast.AST, text: str) -> None:
    """Refuse parameters and grades that are given twice: Python would take the last."""
    given: list[object] = []
    if isinstance(node, ast.Call):
        given = [keyword.arg for keyword in node.keywords]
    elif isinstance(node, ast.Dict):
        given = [key.value if isinstance(key, ast.Constant) else ast.dump(key) for key in node.keys if key is not None]
    for name, count in Counter(given).items():
        if count > 1:
            raise InputError(f"{brief(text)} gives {name} twice; give it once")


def malformed(text: str) -> InputError:
    """What is said of text that is no measure."""
    return InputError(f"{brief(text)} is not a measure; write one like AP, nDCG@10 or RBP(p=0.8)")


def parse_all(measures: str | Measure | Iterable[str | Measure]) -> tuple[Measure, ...]:
    """Read measures from text with spaces between them, or from texts and measures; each is taken once.

    They know how they were typed.

    >>> parse_all("P@10 AP  nDCG(dcg='exp-log2')@10")
    (P@10, AP, nDCG(dcg='exp-log2')@10)
    >>> " ".join(f"{measure}" for measure in parse_all("MRR hit@5"))
    'MRR hit@5'
    """
    if isinstance(measures, Measure):
        return (measures,)
    if not isinstance(measures, (str, Iterable)) or getattr(measures, "ndim", 1) == 0:
        _refuse_function(measures)
        raise InputError(f"measures are text such as 'AP nDCG@10', or a list, not {brief(measures)}")
    found: dict[Measure, None] = {}
    for item in (measures,) if isinstance(measures, str) else measures:
        if isinstance(item, Measure):
            found[item] = None
        elif isinstance(item, str):
            found.update(dict.fromkeys(_typed(part) for part in dict.fromkeys(split(item))))
        else:
            _refuse_function(item)
            raise InputError(f"a measure is text such as 'nDCG@10' or an object such as truerank.AP, not {brief(item)}")
    if not found:
        raise InputError("no measure given; name at least one, such as AP")
    for text, count in Counter(map(str, found)).items():
        if count > 1:
            raise InputError(f"two different measures are both called {text}; give one of them another name")
    return tuple(found)


def _refuse_function(given: object) -> None:
    """Say how a function becomes a measure."""
    if callable(given) and not isinstance(given, type):
        name = getattr(given, "__name__", "function")
        raise InputError(f"{name} is a function; make a measure of it with truerank.measure({name})")


def split(text: str) -> list[str]:
    """Cut text at spaces and commas that stand outside brackets and quotes.

    >>> split("P@5,P@10 nDCG(gains={1: 3, 2: 9})")
    ['P@5', 'P@10', 'nDCG(gains={1: 3, 2: 9})']
    """
    parts, begin, depth = [], 0, 0
    for found in _MARK.finditer(text):
        mark = found[0]
        depth += (mark in "([{") - (mark in ")]}")
        if depth == 0 and (mark == "," or mark.isspace()):
            # Parts are cut out whole: one that grows by a character at a time takes the square of its length.
            parts.append(text[begin : found.start()])
            begin = found.end()
    return [part for part in (*parts, text[begin:]) if part]


def _measure(node: ast.expr, text: str) -> Measure:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        if isinstance(node.right, ast.Call):
            raise InputError(f"{brief(text)}: the cutoff comes last, as in RBP(p=0.5)@10")
        whole = _measure(node.left, text)
        has_depth = isinstance(node.left, ast.Name) and "_" in node.left.id and whole.cutoff is not None
        if has_depth or isinstance(node.left, ast.BinOp):
            raise InputError(f"{brief(text)} has two cutoffs; keep one")
        cut: Measure = whole @ _literal(node.right, text)
        return cut
    if isinstance(node, ast.Call):
        if node.args or any(k.arg is None for k in node.keywords):
            raise InputError(f"{brief(text)}: parameters are named, as in RBP(p=0.8)")
        given = {str(k.arg): _value(k.value, text) for k in node.keywords}
        try:
            return _measure(node.func, text)(**given)
        except InputError as error:
            raise InputError(f"{brief(text)}: {error.message}") from None
    if isinstance(node, ast.Name):
        return _named(node.id)
    raise malformed(text)


def _named(name: str) -> Measure:
    if name in TABLE:
        return TABLE[name]
    if name in ALIASES:
        return parse(ALIASES[name])
    _refuse_other(name)
    known = {each.lower(): each for each in (*ALIASES, *TABLE)}
    if name.lower() in known:
        return _named(known[name.lower()])
    if (ours := _underscored(name, known)) is not None:
        return parse(ours)
    if name.lower() in BEYOND_ACCURACY:
        raise UnknownMeasure(f"{name} is not offered: measures here score lists against judgments, as HR@10 does")
    import difflib

    near = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.5)
    hint = f"did you mean {known[near[0]]}?" if near else "the catalogue is: truerank measures"
    raise UnknownMeasure(f"there is no measure {brief(name)}; {hint}")


def _underscored(name: str, known: dict[str, str]) -> str | None:
    """How a measure is written here that other tools write with underscores.

    >>> known = {"hitrate": "HitRate", "ndcg": "nDCG"}
    >>> [_underscored(name, known) for name in ("hit_rate", "ndcg_at_10", "P_5", "recip_rank", "novel_at_5")]
    ['HitRate', 'nDCG@10', 'P@5', 'RR', None]
    """
    if name in TREC_EVAL:
        return TREC_EVAL[name]
    family, at, depth = re.fullmatch(r"(.*?)(?:(_at_|_cut_|_)([0-9]+))?", name).groups()  # type: ignore[union-attr]
    ours = TREC_EVAL.get(family) or known.get(family.lower().replace("_", ""))
    return None if ours is None or (at == "_" and family not in TREC_EVAL) else f"{ours}@{depth}" if at else ours


def _refuse_other(name: str) -> None:
    """Refuse a name that is published for another measure, and one that may be either of two."""
    ours = {_named(each): each for each in (*ALIASES, *TABLE) if each.lower() == name.lower()}
    others = {each: what for each, what in PUBLISHED.items() if each.lower() == name.lower()}
    if len(ours) + len(others) < 2:
        return
    about = {each: _summary(measure) for measure, each in ours.items()}
    if name in others:
        [(known, what), *_] = about.items()
        raise UnknownMeasure(f"{name} is {others[name]}; {known} is another measure: {what}")
    each = [f"{known} ({what})" for known, what in about.items()] + [f"{one}, {what}" for one, what in others.items()]
    raise UnknownMeasure(f"{brief(name)} may be {' or '.join(each)}; write {' or '.join(about)}")


def _summary(measure: Measure) -> str:
    """What a measure is, in the first words of its description.

    >>> _summary(TABLE["nRBP"])
    'RBP over the RBP of the best ranking of the judged documents, both to the same depth'
    """
    return re.split(r"[.:;](?:\s|$)", " ".join((type(measure).__doc__ or "").split()), maxsplit=1)[0]


def _value(node: ast.expr, text: str) -> Any:
    return _measure(node, text) if isinstance(node, (ast.Name, ast.Call, ast.BinOp)) else _literal(node, text)


def _literal(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        what = brief(ast.get_source_segment(text.strip(), node))
        raise InputError(f"{brief(text)}: {what} is not a number, text or map of numbers") from None
