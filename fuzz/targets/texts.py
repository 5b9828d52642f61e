"""Texts that are parsed: measures, conventions, gates, columns; and rules that were saved."""

from __future__ import annotations

import json
import random
import re
import zlib
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import truerank as tr
from fuzz.case import Case
from fuzz.mutations import changed, changed_text, damaged, odd_value, word
from fuzz.targets.readers import GOOD_QRELS, GOOD_RUN
from fuzz.targets.target import Disagreement, Light
from truerank.conventions.axes import AXES
from truerank.conventions.presets import PRESETS
from truerank.measures.grammar import parse_all
from truerank.measures.table import TABLE
from truerank.questions.compare.gates import gate as read_gate

MEASURES = (
    *("AP", "nDCG@10", "RBP(p=0.8)", "nDCG(dcg='exp-log2')@10", "nDCG(gains={1: 3, 2: 9})@5", "GM(measure=nDCG@10)"),
    *(
        "F(beta=2)@5",
        "P(rel=2)@5 AP(norm='pool')@2",
        "OIE(size=100, beta=1.2)",
        "IPrec(recall=0.5)",
        "ERR(max_rel=4)@20",
    ),
    *("Utility(a=3, b=-0.5, d=0.25, size=50)", "RBPU(p=0.5, e=0.3)", "Compat(p=0.5, normalise=False)", "INSQ(T=2)"),
    *("MAP", "map", "ndcg_cut_10", "P_5", "recip_rank", "RBPT(p=0.5)", "SDCG@3", "BPM(T=2)", "iprec_at_recall_0.10"),
)
WORDS = (
    *TABLE,
    "@",
    "@10",
    "@0",
    "@-1",
    "@1e3",
    "@9223372036854775808",
    "@1000000000",
    "(",
    ")",
    "()",
    "rel=",
    "rel=2",
    "p=",
    "p=1",
    *(
        "p=0.5",
        "gains={",
        "{1:3}",
        "{1: 3, 2: 9}",
        "max_rel=",
        "measure=",
        "GM(measure=",
        "beta=1e308",
        "norm='min'",
        "dcg=",
        "e=",
    ),
    *(
        "size=",
        "T=",
        "recall=",
        "points=",
        "mult=",
        "floor=",
        "nan",
        "inf",
        "-",
        "1e400",
        "True",
        "None",
        "'",
        " ",
        ",",
        "lambda: 0",
    ),
    *(
        "__import__('os')",
        "f'{1}'",
        "**{}",
        "*[]",
        "a.b",
        "[1]",
        "1+1",
        "10**10",
        "9**9**9",
        "x if y else z",
        "rel=1,rel=2",
        "#",
    ),
)
GATES = (
    *(
        "no worse than 0.005 at 0.05",
        "better",
        "better by 1% at 0.1",
        "equivalent within 0.01",
        "not significantly worse",
    ),
    *("nDCG@10: better", "AP: no worse than 2% at 0.01"),
)
GATE_WORDS = (
    "no",
    "worse",
    "than",
    "better",
    "by",
    "at",
    "equivalent",
    "within",
    "not",
    "significantly",
    "%",
    ":",
    "0.05",
    "1e400",
    "nan",
    "-1",
)


VALUES: dict[type, tuple[str, ...]] = {
    float: ("0", "0.1", "0.5", "0.8", "0.999999999", "1", "1.5", "2", "-0.5", "1e-9", "1e-300", "1e6", "1e300"),
    int: ("0", "1", "2", "3", "10", "100", "1000000", "1000000000", "-1"),
    str: ("'log2'", "'exp-log2'", "'pool'", "'min'", "'x'"),
    bool: ("True", "False"),
}
PARAMETERS = {"gains": ("{1: 3}", "{1: 1, 2: 5}", "{1: 0.5, 2: 0.25}", "{0: 1, 1: 4}", "{2: 0}", "{1: 1e300}")}
DEPTHS = ("", "", "", "@1", "@2", "@3", "@10", "@1000", "@100000", "@1000000000000000", "@0")
"""Not those between: down to 20 million documents of all topics, bounds take the memory that these take."""


def written_measure(rng: random.Random) -> str:
    """A measure of the table with parameters of its own, which mostly are in their ranges."""
    name = rng.choice([*TABLE])
    parameters = {each.name: each.default for each in fields(TABLE[name]) if each.name != "k"}
    given = []
    for parameter in rng.sample(sorted(parameters), min(len(parameters), rng.choice((0, 1, 1, 2)))):
        usual = parameters[parameter]
        kind = bool if isinstance(usual, bool) else float if isinstance(usual, (int, float)) else type(usual)
        pool = PARAMETERS.get(parameter) or VALUES.get(kind) or (*VALUES[float], *VALUES[int])
        given.append(f"{parameter}={rng.choice(pool)}")
    return f"{name}({','.join(given)}){rng.choice(DEPTHS)}" if given else f"{name}{rng.choice(DEPTHS)}"


NUMBER = re.compile(r"[0-9.]+(?=%|$| )")
GATE_NUMBERS = ("0.005", "0.05", "0.01", "0.1", "1", "2", "0", "0.49", "1e-300", "1e300", "0.5", "100", ".5", "5e-324")
RULE_NUMBERS = (0, 1, 2, 3, 10, 1000, 10**18, 0.5, 0.001, 1.0, 1.5, -1, -0.5, 1e308, -1e308, 5e-324, "inf", "-inf")
GRADES = [2.0, float("nan"), 0.0, 1.0, -1.0]
OTHER_RUN = {"q1": {"doc-9": 2.0, "b": 2.0, "a": 1.0}, "q2": {"a": 1.0, "d1": 0.5}, "q3": {"b": 1.0}}


class Grammar(Light):
    """Measures as text, parsed, printed, parsed again and evaluated."""

    name, share = "measures", 170

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A measure of any parameters, or with its words and signs in other places."""
        if rng.random() < 0.5:
            return Case(self.name, given={"text": written_measure(rng)})
        text = rng.choice(corpus).given["text"] if corpus and rng.random() < 0.5 else rng.choice(MEASURES)
        return Case(self.name, given={"text": changed_text(rng, text, WORDS)})

    def run(self, case: Case, folder: Path) -> str:
        """Parse it; what was parsed says itself in a text that means the same, and has a value.

        That of one list takes a tenth of the time that a collection takes.
        """
        found = parse_all(case.given["text"])
        for measure in found:
            text = str(measure)
            if str(tr.parse(text)) != text:
                raise Disagreement("text of a measure", f"{text!r} is read as {tr.parse(text)!s}")
            measure.of(GRADES)
        if zlib.crc32(case.given["text"].encode("utf-8", "replace")) % 4 == 0:
            tr.evaluate(GOOD_QRELS, GOOD_RUN, found)
        return " ".join(sorted({type(measure).__name__ for measure in found}))


class Gates(Light):
    """Gates as text."""

    name, share = "gates", 30

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A gate with its words in other places."""
        text = rng.choice(corpus).given["text"] if corpus and rng.random() < 0.5 else rng.choice(GATES)
        if rng.random() < 0.6:
            return Case(self.name, given={"text": NUMBER.sub(lambda _: rng.choice(GATE_NUMBERS), text)})
        return Case(self.name, given={"text": changed_text(rng, text, GATE_WORDS)})

    def run(self, case: Case, folder: Path) -> str:
        """Parse it, and hold a run to some of them, which takes many times as long."""
        found = read_gate(case.given["text"])
        if zlib.crc32(case.given["text"].encode("utf-8", "replace")) % 16:
            return str(found.form)
        about = "AP" if found.measure is None else found.measure
        answer = tr.compare(GOOD_QRELS, {"a": GOOD_RUN, "b": OTHER_RUN}, [about], gate=case.given["text"], test="t")
        answer.to_json()
        return f"{found.form} {[each.passed for each in answer.gates]}"


class Keywords(Light):
    """Keywords of functions with values that are not theirs."""

    name, share = "keywords", 50
    AXES = (
        *("ties", "unjudged", "ending", "limit", "nil", "missing", "no_relevant", "relevant", "negative"),
        "precision",
        "identical",
        "like",
    )
    VALUES = (
        "expected",
        "best",
        "bounds",
        "docid",
        "rank",
        "sample(1)",
        "sample(",
        "sample(" + "1" * 5000 + ")",
        "condensed",
        "terminal",
        "skip",
        "nan",
        "trec_eval-9",
        "float32",
        "drop",
        0,
        1,
        3,
        10**30,
    )

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Some keywords of ``evaluate``."""
        names = rng.sample(self.AXES, rng.choice((1, 1, 2, 3)))
        given = {name: self._value(rng, name) for name in names}
        measures = rng.choice((rng.choice(MEASURES), written_measure(rng)))
        return Case(self.name, given={"measures": measures, "keywords": given})

    def _value(self, rng: random.Random, name: str) -> Any:
        known = [*AXES[name].values] if name in AXES else [*PRESETS]
        if rng.random() < 0.8 and known:
            return rng.choice(known)
        if name == "limit" and rng.random() < 0.8:
            return rng.choice((None, 0, 1, 2, 3, 10**15))
        return rng.choice((rng.choice(self.VALUES), rng.choice(self.VALUES), odd_value(rng), word(rng)))

    def run(self, case: Case, folder: Path) -> str:
        """Evaluate under them."""
        tr.evaluate(GOOD_QRELS, GOOD_RUN, case.given["measures"], **case.given["keywords"])
        return " ".join(sorted(case.given["keywords"]))


class SavedRules(Light):
    """Rules for stopping as they are saved, damaged."""

    name, share = "rules", 80

    def __init__(self) -> None:
        self._saved: list[dict[str, Any]] = []

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A rule that was fitted, with values, names and bytes changed."""
        if rng.random() < 0.3:
            rule = rng.choice(self._fitted())
            known = rule["parameters"]
            odd = {name: rng.choice(RULE_NUMBERS) for name in rng.sample(sorted(known), min(2, len(known)))}
            return Case(self.name, {"rule.json": json.dumps({**rule, "parameters": {**known, **odd}}).encode()})
        if corpus and rng.random() < 0.4:
            content = rng.choice(corpus).files["rule.json"]
        else:
            content = json.dumps(changed(rng, rng.choice(self._fitted()))).encode("utf-8", "surrogatepass")
        if rng.random() < 0.5:
            content = damaged(rng, content, rounds=rng.choice((1, 1, 2)))
        return Case(self.name, {"rule.json": content})

    def _fitted(self) -> list[dict[str, Any]]:
        if not self._saved:
            for kind in ("fixed", "threshold", "gap", "tail", "learned"):
                rule = tr.fit_rule(GOOD_QRELS, GOOD_RUN, "F", kind)
                self._saved.append(json.loads(rule.to_json()))
        return self._saved

    def run(self, case: Case, folder: Path) -> str:
        """Load it, and cut a run by it."""
        rule = tr.load_rule(case.written(folder)["rule.json"])
        cut = rule.apply(tr.read_run(GOOD_RUN))
        rule.to_json()
        return f"{type(rule).__name__} {len(cut.topics)}"


TARGETS = (Grammar(), Gates(), Keywords(), SavedRules())
