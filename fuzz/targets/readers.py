"""Files of every format and compression, damaged; some of what is read is evaluated and linted, too."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import truerank as tr
from fuzz import material
from fuzz.case import Case
from fuzz.mutations import damaged
from fuzz.targets.target import Light, pattern

MEASURES = (
    *("AP", "nDCG@3 RR", "ERR RBP", "Bpref infAP", "P@2 R@3 F", "RBU OIE(size=100)", "nDCG(dcg='exp-log2')", "Q G"),
    *(
        "Rprec SetF IPrecAvg",
        "Judged@3 NumRet NumRel",
        "RRT APT nDCGT",
        "Compat INST BPM",
        "GM",
        "AUC iRBU",
        "AP(norm='pool')@2",
    ),
)
CONVENTIONS: tuple[dict[str, Any], ...] = (
    *({}, {}, {}, {"ties": "bounds", "unjudged": "bounds"}, {"unjudged": "condensed"}, {"like": "trec_eval-9"}),
    *({"precision": "float32", "ties": "docid"}, {"negative": "unjudged", "relevant": "run"}, {"ties": "rank"}),
    *({"nil": "answer"}, {"missing": "skip", "no_relevant": "nan"}, {"ties": "sample(7)"}, {"identical": "drop"}),
)
GOOD_QRELS = tr.read_qrels({"q1": {"a": 1, "b": 0, "doc-9": 2, "é": -1}, "q2": {"a": 0, "d1": 1}, "q3": {"b": 0}})
GOOD_RUN = tr.read_run({"q1": {"a": 2.0, "b": 2.0, "x": 1.0}, "q2": {"d1": 1.0, "NIL": 0.5}})
EVALUATED, LINTED = 0.15, 0.01
"""Shares of what is read that are also put to use: that takes many times as long as reading."""


class Reader(Light):
    """A file that is read as one kind of data."""

    def __init__(self, kind: str, share: int) -> None:
        self.name, self.kind, self.share = f"read {kind}", kind, share

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Well-formed or kept data, damaged, compressed, and sometimes damaged again."""
        given: dict[str, Any] = {}
        if corpus and rng.random() < 0.5:
            kept = rng.choice(corpus)
            content, given = kept.files["file"], dict(kept.given)
        else:
            content = self._well_formed(rng)
        packed = rng.random()
        if rng.random() < 0.95:
            content = damaged(rng, content, [each.files["file"] for each in corpus[-50:]])
        if packed < 0.2:
            content = rng.choice([*material.COMPRESSIONS.values()])(content)
            if rng.random() < 0.5:
                content = damaged(rng, content, rounds=1)
        if rng.random() < 0.15:
            given["form"] = rng.choice(("trec", "list", "csv", "json", "parquet"))
        if rng.random() < 0.1:
            given["columns"] = {
                rng.choice(("topic", "doc", "score", "rank", "grade", "better")): rng.choice(("topic", "x", "rank"))
            }
        if self.kind == "run" and rng.random() < 0.15:
            given |= rng.choice(({"higher_is_better": False}, {"chunks": "#"}, {"chunks": "-", "aggregate": "sum"}))
        if self.kind == "preferences" and rng.random() < 0.3:
            given["repeated"] = rng.choice(("each", "once", "majority"))
        return Case(self.name, {"file": content}, given)

    def _well_formed(self, rng: random.Random) -> bytes:
        if self.kind == "preferences":
            return rng.choice([*material.PREFERENCE_FORMS.values()])(material.pairs(rng))
        qrels = material.judgments(rng)
        if self.kind == "qrels":
            return rng.choice([*material.QRELS_FORMS.values()])(qrels)
        return rng.choice([*material.RUN_FORMS.values()])(material.lists(rng, qrels))

    def run(self, case: Case, folder: Path) -> str:
        """Read it, and use what was read; what is done is drawn from the content, so that it can be done again."""
        drawn = random.Random(zlib.crc32(case.files["file"]))
        path = folder / ("input" + drawn.choice(("", "", ".run", ".csv", ".gz", ".parquet", ".json")))
        path.write_bytes(case.files["file"])
        data: Any = path if drawn.random() < 0.8 else path.open("rb")
        try:
            return self._used(data, case.given, drawn)
        finally:
            if data is not path:
                data.close()
            path.unlink()

    def _used(self, data: Any, given: dict[str, Any], drawn: random.Random) -> str:
        measures, conventions, use = drawn.choice(MEASURES), drawn.choice(CONVENTIONS), drawn.random()
        if self.kind == "run":
            run = tr.read_run(data, **given)
            for topic in run.topics[:3]:
                run.ranking(topic)
            if use < LINTED:
                return _codes(tr.lint(GOOD_QRELS, run))
            if use < EVALUATED:
                return _codes(tr.evaluate(GOOD_QRELS, run, measures, **conventions))
            return _noted(run)
        if self.kind == "qrels":
            qrels = tr.read_qrels(data, **given)
            if use < LINTED:
                return _codes(tr.lint(qrels, GOOD_RUN))
            if use < EVALUATED:
                return _codes(tr.evaluate(qrels, GOOD_RUN, measures, **conventions))
            return _noted(qrels)
        found = tr.read_preferences(data, **given)
        tr.induced_qrels(found)
        if use < EVALUATED / 2:
            return _codes(tr.preferences(found, GOOD_RUN))
        if use < EVALUATED:
            return _codes(tr.evaluate(found, GOOD_RUN, "PrefLoss"))
        return _noted(found)


class Linted(Light):
    """Two files that lint looks at, which takes what readers refuse."""

    name, share = "lint", 12

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Judgments and a run, one or both of them damaged."""
        if corpus and rng.random() < 0.5:
            files = dict(rng.choice(corpus).files)
        else:
            qrels = material.judgments(rng)
            files = {
                "qrels": rng.choice([*material.QRELS_FORMS.values()])(qrels),
                "run": rng.choice([*material.RUN_FORMS.values()])(material.lists(rng, qrels)),
            }
        for name in rng.choice((("run",), ("qrels",), ("qrels", "run"))):
            files[name] = damaged(rng, files[name])
        return Case(self.name, files)

    def run(self, case: Case, folder: Path) -> str:
        """Lint them."""
        places = case.written(folder)
        found = tr.lint(places["qrels"], places["run"])
        found.to_json()
        return _codes(found)


def _noted(data: Any) -> str:
    """What readers said about a file, without its names and numbers."""
    return " ".join(sorted({pattern(str(note)) for note in data.notes})) or "read"


def _codes(answer: Any) -> str:
    """The notes of an answer, which say what was special about the input."""
    codes = sorted({note.code for note in answer.notices})
    findings = sorted({finding.check for finding in getattr(answer, "findings", ())})
    return " ".join([*codes, *findings]) or "nothing special"


TARGETS = (Reader("run", 230), Reader("qrels", 190), Reader("preferences", 110), Linted())
