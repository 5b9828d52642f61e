"""Measures from text: ir_measures' grammar, and trec_eval's names."""

from __future__ import annotations

import ast
import re
from typing import Any

from truerank.compat.ir_measures.measures import Measure, registry
from truerank.compat.ir_measures.records import deprecated
from truerank.compat.trec_eval.names import NICKNAMES, families, measures_of
from truerank.data.errors import InputError
from truerank.data.printing import brief
from truerank.measures.grammar import UnknownMeasure, malformed, tree_of

TREC_EVAL: dict[str, tuple[str, str]] = {
    "ndcg": ("nDCG", ""),
    "P": ("P", "cutoff"),
    "map_cut": ("AP", "cutoff"),
    "set_map": ("SetAP", ""),
    "set_P": ("SetP", ""),
    "infAP": ("infAP", ""),
    "bpref": ("Bpref", ""),
    "num_rel_ret": ("NumRelRet", ""),
    "recip_rank": ("RR", ""),
    "recall": ("R", "cutoff"),
    "set_recall": ("SetR", ""),
    "set_relative_P": ("SetRelP", ""),
    "num_ret": ("NumRet", ""),
    "num_rel": ("NumRel", ""),
    "ndcg_cut": ("nDCG", "cutoff"),
    "Rprec": ("Rprec", ""),
    "num_q": ("NumQ", ""),
    "map": ("AP", ""),
    "success": ("Success", "cutoff"),
    "set_F": ("SetF", "beta"),
    "iprec_at_recall": ("IPrec", "recall"),
}
"""trec_eval's names: the measure and its parameter, "" where it has none."""


def parse_measure(measure: str | Measure) -> Measure:
    """Read a measure from its text form.

    >>> parse_measure("nDCG(dcg='exp-log2')@10"), parse_measure("MAP"), parse_measure("IPrec(rel=2)@0.2")
    (nDCG(dcg='exp-log2')@10, AP, IPrec(rel=2)@0.2)
    """
    if not isinstance(measure, str):
        if isinstance(measure, Measure):
            return measure
        raise InputError(f"a measure is text such as 'nDCG@10', not {measure!r}")
    node = tree_of(measure)
    at, given = None, {}
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        at, node = _literal(node.right, measure), node.left
    if isinstance(node, ast.Call):
        if node.args or any(keyword.arg is None for keyword in node.keywords):
            raise InputError(f"{measure!r}: parameters are named, as in RBP(p=0.8)")
        given = {str(keyword.arg): _literal(keyword.value, measure) for keyword in node.keywords}
        node = node.func
    if not isinstance(node, ast.Name):
        raise malformed(measure)
    if node.id not in registry:
        hint = "; it is trec_eval's: use parse_trec_measure" if _family(node.id)[0] in TREC_EVAL else ""
        raise UnknownMeasure(f"measure not found: {node.id}{hint}")
    found = registry[node.id](**given)
    return found if at is None else found @ at


def _literal(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        what = brief(ast.get_source_segment(text.strip(), node))
        raise InputError(f"{brief(text)}: {what} is not a number, text, truth value or map") from None


def parse_trec_measure(measure: str) -> list[Measure]:
    """Measures from trec_eval's name, with or without parameters, or its name for several.

    >>> parse_trec_measure("P_5,10"), parse_trec_measure("map"), parse_trec_measure("set_F.2.0")
    ([P@5, P@10], [AP], [SetF(beta=2.0)])
    """
    if measure in NICKNAMES:
        return [each for name in sorted(NICKNAMES[measure]) if name in TREC_EVAL for each in parse_trec_measure(name)]
    name, values = _family(measure)
    if name not in TREC_EVAL:
        ours = ", ".join(map(str, measures_of(measure, version=9).values()))
        raise InputError(f"ir_measures has no measure for trec_eval's {measure}; it is {ours} in truerank")
    ours_name, parameter = TREC_EVAL[name]
    found = registry[ours_name]
    if not parameter:
        if values:
            raise InputError(f"trec_eval's {name} takes no parameter, and {measure!r} gives {values}")
        return [found]
    kind = int if parameter == "cutoff" else float
    given = values.split(",") if values else families()[name].default
    return [found(**{parameter: kind(value)}) for value in given]


def _family(text: str) -> tuple[str, str]:
    """The name and the parameters of ``P.5,10``, ``P_5`` or ``P``."""
    if text in TREC_EVAL:
        return text, ""
    found = re.fullmatch(r"(.+?)[._](\d+(?:\.\d+)?(?:,\d+(?:\.\d+)?)*)", text)
    return (found[1], found[2]) if found and found[1] in TREC_EVAL else (text, "")


convert_trec_name = deprecated("convert_trec_name", parse_trec_measure)
