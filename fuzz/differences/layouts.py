"""The same arrays laid out in memory in other ways."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from tests.layouts import LAYOUTS

import truerank as tr
from fuzz.case import Case
from fuzz.differences.forms import MEASURES
from fuzz.targets.target import Disagreement, Light
from truerank.data.arrays import Array

DOCUMENTS = 6


class Layouts(Light):
    """Scores and grades as arrays, in C order and in another layout; judges that differ, of one topic and of all."""

    name, share = "layouts", 5

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """Lists of the same length, with ties, and two judges of each document."""
        topics = rng.choice((1, 1, 2, 4))

        def table(values: Sequence[float]) -> list[list[float]]:
            return [[rng.choice(values) for _ in range(DOCUMENTS)] for _ in range(topics)]

        return Case(
            self.name,
            given={
                "scores": table((3.0, 2.0, 2.0, 1.0, 0.5)),
                "grades": table((0, 0, 1, 1, 2, 3)),
                "others": table((0, 0, 1, 2)),
                "measures": " ".join(rng.sample(MEASURES, 2)),
                "layout": rng.choice([*LAYOUTS]),
                "form": rng.choice(("arrays", "neighbours", "columns", "judges")),
            },
        )

    def run(self, case: Case, folder: Path) -> str:
        """Score both."""
        given = case.given
        plain = {name: np.array(given[name], np.float64) for name in ("scores", "grades", "others")}
        other = {name: LAYOUTS[given["layout"]](array) for name, array in plain.items()}
        ask = FORMS[given["form"]]
        first, second = ask(plain, given["measures"]), ask(other, given["measures"])
        if first != second:
            raise Disagreement(f"{given['form']} in layout {given['layout']}", f"{second}\nnot\n{first}")
        return f"{given['form']} {given['layout']}"


def _values(scores: tr.Evaluation) -> str:
    return repr([(run, str(m), s.per_topic) for run, one in scores.items() for m, s in one.items()])


def _arrays(data: dict[str, Array], measures: str) -> str:
    """The list of each topic is a vector of scores for the documents of all topics."""
    offsets = np.arange(0, data["grades"].size + 1, DOCUMENTS)
    vectors = np.repeat(data["scores"], len(data["grades"]), axis=1)
    kept = [one for one in measures.split() if tr.parse(one).reads_list]
    found = tr.score_arrays(vectors, data["grades"].reshape(-1), offsets, kept)
    return repr(found.tolist() if len(kept) == 1 else {name: each.tolist() for name, each in found.items()})


def _judged(grades: Array) -> dict[str, dict[str, float]]:
    return {f"q{t}": {f"d{d}": g for d, g in enumerate(row)} for t, row in enumerate(grades.tolist())}


def _neighbours(data: dict[str, Array], measures: str) -> str:
    """A table of scores and a table of documents, as libraries for nearest neighbours return them."""
    topics, documents = data["scores"].shape
    ids = np.tile(np.arange(documents), (topics, 1))
    run = tr.read_run(
        (data["scores"], ids),
        "run",
        topic_ids=[f"q{t}" for t in range(topics)],
        doc_ids=[f"d{d}" for d in range(documents)],
        higher_is_better=True,
    )
    return _values(tr.evaluate(_judged(data["grades"]), {"run": run}, measures))


def _columns(data: dict[str, Array], measures: str) -> str:
    """Columns of a data frame, whose numbers stay where they are: one topic, as rows follow each other in its list."""
    pandas = import_module("pandas")
    docs = [f"d{d}" for d in range(DOCUMENTS)]
    frames = [
        pandas.DataFrame({"topic": "q0", "doc": docs, name: pandas.Series(data[f"{name}s"][0], copy=False)})
        for name in ("score", "grade")
    ]
    return _values(tr.evaluate(frames[1], {"run": tr.read_run(frames[0], "run")}, measures))


def _judges(data: dict[str, Array], measures: str) -> str:
    """Two judges; a topic scores alone what it scores among others."""
    judges = {"one": _judged(data["grades"]), "other": _judged(data["others"])}
    run = {
        topic: dict(zip(docs, row, strict=True))
        for (topic, docs), row in zip(judges["one"].items(), data["scores"].tolist(), strict=True)
    }
    among = tr.evaluate(judges, {"run": run}, measures, judges="expected")
    for topic in run:
        alone = tr.evaluate(judges, {"run": run}, measures, judges="expected", topics=[topic])
        for measure, score in alone["run"].items():
            if repr(score.per_topic[topic]) != repr(among["run"][measure].per_topic[topic]):
                raise Disagreement("judges of a topic alone and among others", f"{measure}: {score.per_topic[topic]}")
    return _values(among)


FORMS: dict[str, Callable[[dict[str, Any], str], str]] = {
    "arrays": _arrays,
    "neighbours": _neighbours,
    "columns": _columns,
    "judges": _judges,
}
TARGETS = (Layouts(),)
