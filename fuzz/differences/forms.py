"""The same data in every form, in other orders and under other names, and the same work in other portions."""

from __future__ import annotations

import io
import os
import random
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any

import truerank as tr
from fuzz import material
from fuzz.case import Case
from fuzz.targets.target import Disagreement, Light
from truerank.io.cutting import ROW
from truerank.io.trec import read_run
from truerank.track.engines.executor import Here

MEASURES = ("AP", "nDCG@3", "ERR", "RBP", "infAP", "Bpref", "Judged@5", "GM", "RBU", "F@2", "AUC", "Q", "nDCGT", "RR")


def answer(qrels: Any, run: Any, given: dict[str, Any]) -> str:
    """Everything that an evaluation says, to the bit; what it says about how the data were read is not compared."""
    run = tr.read_run(run, "run") if not isinstance(run, tr.Run) else run
    scores = tr.evaluate(qrels, {"run": run}, given["measures"], **given["conventions"])
    return repr([(str(m), s.topics, s.values.tolist(), s.mean, s.low, s.high) for m, s in scores["run"].items()])


class Forms(Light):
    """A run and judgments as files of each format, compressed or not, as Python data, as tables, through a pipe."""

    name, share = "forms", 6

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A collection, and the conventions to score it under."""
        qrels = material.judgments(rng)
        conventions = rng.choice(
            (
                {},
                {"ties": "bounds"},
                {"ties": "docid"},
                {"unjudged": "bounds"},
                {"like": "trec_eval-9"},
                {"ties": "input"},
            )
        )
        return Case(
            self.name,
            given={
                "qrels": qrels,
                "run": material.lists(rng, qrels),
                "conventions": conventions,
                "measures": " ".join(rng.sample(MEASURES, 2)),
                "form": rng.choice(
                    [*material.RUN_FORMS, "rows", *material.TABLES, "open", "shuffled", "renamed", "portions"]
                ),
                "packing": rng.choice(("", "", *material.COMPRESSIONS, "pipe")),
            },
        )

    def run(self, case: Case, folder: Path) -> str:
        """Score the dict, and the form of it."""
        given = case.given
        qrels, run, form = given["qrels"], given["run"], given["form"]
        if not qrels or not run or not all(run.values()) or not all(qrels.values()):
            return "nothing"
        if form == "list" or (form == "shuffled" and given["conventions"].get("ties") == "input"):
            return "nothing"
        before = repr((qrels, run))
        first = answer(qrels, run, given)
        if repr((qrels, run)) != before:
            raise Disagreement("data that were given are changed")
        second = self._otherwise(given, folder)
        if first != second:
            raise Disagreement(f"{form} {given['packing']} and a dict", f"{second}\nnot\n{first}")
        return f"{form} {given['packing']}"

    def _otherwise(self, given: dict[str, Any], folder: Path) -> str:
        qrels, run, form = given["qrels"], given["run"], given["form"]
        if form == "rows":
            rows = [(t, d, s) for t, docs in run.items() for d, s in docs.items()]
            return answer([(t, d, g) for t, docs in qrels.items() for d, g in docs.items()], rows, given)
        if form == "shuffled":
            drawn = random.Random(len(repr(run)))
            mixed = {t: dict(drawn.sample([*docs.items()], len(docs))) for t, docs in run.items()}
            return answer(qrels, dict(drawn.sample([*mixed.items()], len(mixed))), given)
        if form == "renamed":
            # NIL keeps its name and so may lose its place, where ties are broken by names.
            if "NIL" in repr(given) and (given["conventions"].get("ties") == "docid" or "like" in given["conventions"]):
                return answer(qrels, run, given)
            return answer(_renamed(qrels), _renamed(run), given)
        if form == "portions":
            source = io.BytesIO(material.trec_run(run))
            return answer(qrels, read_run(source, "run", chunk=64, threads=3), given)
        if form in material.TABLES:
            return answer(
                material.table(form, material.columns(qrels, "grade")),
                material.table(form, material.columns(run, "score")),
                given,
            )
        if form == "open":
            return answer(io.BytesIO(material.trec_qrels(qrels)), io.BytesIO(material.trec_run(run)), given)
        return self._from_file(given, folder)

    def _from_file(self, given: dict[str, Any], folder: Path) -> str:
        form, packing = given["form"], given["packing"]
        content = material.RUN_FORMS[form](given["run"])
        judged = material.QRELS_FORMS.get(form, material.trec_qrels)(given["qrels"])
        if packing in material.COMPRESSIONS:
            content = material.COMPRESSIONS[packing](content)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            path, beside = Path(place) / "run", Path(place) / "qrels"
            beside.write_bytes(judged)
            if packing != "pipe":
                path.write_bytes(content)
                return answer(str(beside), str(path), given)
            os.mkfifo(path)
            done = Event()
            writer = Thread(target=_written, args=(path, content, done), daemon=True)
            writer.start()
            try:
                return answer(str(beside), str(path), given)
            finally:
                done.set()
                writer.join()


def _renamed(data: material.Lists) -> material.Lists:
    """A prefix of all ids leaves their order as it is; NIL is no document."""
    return {t: {d if d == "NIL" else f"x{d}": v for d, v in docs.items()} for t, docs in data.items()}


def _written(path: Path, content: bytes, done: Event) -> None:
    """Write into a pipe whenever somebody opens it; the first has all there is, and whoever opens it again nothing."""
    while not done.is_set():
        try:
            pipe = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError:
            time.sleep(0.0005)
            continue
        os.set_blocking(pipe, True)
        with suppress(BrokenPipeError), os.fdopen(pipe, "wb", buffering=0) as file:
            file.write(content)
        content = b""


QUESTIONS: dict[str, Callable[..., Any]] = {
    "evaluate": lambda q, r, m, engine=None: tr.evaluate(q, r, m, engine=engine),
    "bounds": lambda q, r, m, engine=None: tr.evaluate(
        q, r, "AP nDCG@3", ties="bounds", unjudged="bounds", engine=engine
    ),
    "ties": lambda q, r, m, engine=None: tr.ties(q, r, m, engine=engine),
    "compare": lambda q, r, m, engine=None: tr.compare(q, r, m, settled=True, engine=engine),
    "unjudged": lambda q, r, m, engine=None: tr.unjudged(q, r, "RBP nDCG@3", next=5, engine=engine),
    "depth": lambda q, r, m, engine=None: tr.depth(q, r, "AP nDCG", condensed=True, engine=engine),
    "diff": lambda q, r, m, engine=None: tr.diff(q, r["a"], r["b"], m, engine=engine),
    "truncate": lambda q, r, m, engine=None: tr.truncate(q, r, "F RBPU", against="AP", engine=engine),
    "precision and recall": lambda q, r, m, engine=None: tr.precision_recall(q, r, engine=engine),
    "nil": lambda q, r, m, engine=None: tr.nil(q, r, "RR AP", limit=8, engine=engine),
}


class Pieces(Light):
    """Questions about runs looked at as a whole and in pieces; and JSON that says the same twice."""

    name, share = "pieces", 1

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A question, judgments and two runs."""
        qrels = material.judgments(rng, rng.choice((2, 2, 3, 3, 4, 6)))
        return Case(
            self.name,
            given={
                "question": rng.choice([*QUESTIONS]),
                "qrels": qrels,
                "runs": {name: material.lists(rng, qrels) for name in "ab"},
                "pieces": rng.choice((2, 3, 4)),
                "measures": " ".join(rng.sample(MEASURES, 2)),
            },
        )

    def run(self, case: Case, folder: Path) -> str:
        """Ask both ways."""
        given = case.given
        ask = partial(QUESTIONS[given["question"]], given["qrels"], given["runs"], given.get("measures", "AP RR"))
        whole = ask().to_json()
        engine = tr.Engine()
        # So many rows at a time, or one topic that has more.
        vars(engine)["executor"] = Here(cuts_at=given["pieces"] * ROW)
        parts = ask(engine=engine).to_json()
        if parts != whole:
            raise Disagreement(f"{given['question']} in pieces", f"{parts}\nnot\n{whole}")
        return str(given["question"])


TARGETS = (Forms(), Pieces())
