"""Every measure against brute force: over all orders of ties, and over all grades that unjudged documents may have."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

from tests.every_measure import oracle
from tests.every_measure.definitions import Listing
from tests.every_measure.oracle import Choice, Collection
from tests.every_measure.table import MEASURES

import truerank as tr
from fuzz.case import Case
from fuzz.targets.target import Disagreement, Light
from truerank.measures.core.base import Measure
from truerank.measures.table import TABLE
from truerank.track.pools import POOLED

NAMES = ("a", "b", "ab", "B", "é", "doc-10", "doc-9")
GRADES = (None, None, 0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 0.5, -1.0)
SCORES = (None, 3.0, 3.0, 2.0, 2.0, 1.0, 0.0, -0.0)
TIES = ("expected", "best", "worst", "bounds", "docid", "docid-asc", "input")
TOLERANCE = 1e-12
BOUNDED = [name for name, row in MEASURES.items() if row.bounded]


def collection(rng: random.Random) -> dict[str, Any]:
    """A topic or two, small enough to go through all orders."""
    qrels: dict[str, dict[str, float]] = {}
    run: dict[str, dict[str, float]] = {}
    for topic in range(1, rng.choice((1, 1, 2)) + 1):
        docs = NAMES[: rng.choice((0, 1, 2, 3, 4, 5, 6, 6))]
        judged = {doc: grade for doc in docs if (grade := rng.choice(GRADES)) is not None}
        listed = {doc: score for doc in rng.sample(docs, len(docs)) if (score := rng.choice(SCORES)) is not None}
        qrels[f"q{topic}"] = judged or {"z": rng.choice((0.0, 1.0))}
        if listed or rng.random() < 0.5:
            run[f"q{topic}"] = listed
    other = {topic: {doc: float(place) for place, doc in enumerate(judged)} for topic, judged in qrels.items()}
    return {"qrels": qrels, "run": {**(run or {"q1": {}}), "unjudged": {"a": 1.0}}, "other": other}


def _measure(given: dict[str, Any]) -> tuple[Measure, dict[str, Any]]:
    # Parameters are named by their place: JSON would make texts of the grades that gains are mapped from.
    params = MEASURES[given["measure"]].variants[given["variant"]]
    found: Measure = TABLE[given["measure"]](**params)
    return (found if given["k"] is None else found @ given["k"]), params


def _drawn(rng: random.Random, names: Sequence[str], ties: Sequence[str]) -> dict[str, Any]:
    name = rng.choice(names)
    row = MEASURES[name]
    found = collection(rng)
    order = rng.choice(ties)
    cut = row.cutoff and not (name == "OIE" and order in ("best", "worst", "bounds"))
    return {
        **found,
        "measure": name,
        "variant": rng.randrange(len(row.variants)),
        "k": rng.choice((None, 0, 1, 2, 3, 5, 8)) if cut else None,
        "choice": asdict(
            Choice(
                ties=order,
                unjudged=rng.choice(("nonrelevant", "condensed", "residual")),
                ending=rng.choice(("none", "terminal", "terminal-once")) if row.terminal else "none",
                relevant=rng.choice(("judgments", "judgments", "run")),
                negative=rng.choice(("judged", "unjudged")),
            )
        ),
    }


def _whole(given: dict[str, Any]) -> bool:
    """Whether nothing is missing that every case has; a smaller one may lack something."""
    return (
        bool(given["qrels"] and given["run"])
        and all(given["qrels"].values())
        and given["choice"].keys() == asdict(Choice()).keys()
    )


def _score(given: dict[str, Any], measure: Measure, choice: Choice) -> Any:
    runs = {"run": given["run"]}
    if "pool" in str(measure):
        runs["other"] = given["other"]
    return tr.evaluate(given["qrels"], runs, [measure], **asdict(choice), no_relevant="nan")["run"][str(measure)]


class Orders(Light):
    """Means and extremes over the orders of ties, under any conventions."""

    name, share = "all orders", 25

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A measure, a collection and conventions."""
        return Case(self.name, given=_drawn(rng, [*MEASURES], TIES))

    def run(self, case: Case, folder: Path) -> str:
        """Compare value, low and high of each topic with going through all orders."""
        given = case.given
        if not _whole(given):
            return "nothing"
        measure, params = _measure(given)
        choice = Choice(**given["choice"])
        score = _score(given, measure, choice)
        data = Collection(given["qrels"], given["run"], (given["other"],))
        wanted = [oracle.evaluate(given["measure"], params, given["k"], data, topic, choice) for topic in data.qrels]
        for what, found in (("value", score.values), ("low", score.low_values), ("high", score.high_values)):
            expected = [getattr(value, what) for value in wanted]
            values = [None] * len(expected) if found is None else found.tolist()
            if not all(map(same, values, expected)):
                raise Disagreement(f"{given['measure']} {what} and brute force", f"{values}, not {expected}")
        return str(given["measure"])


class Grades(Light):
    """Residuals of unjudged documents: no grades that these may have take a measure past them."""

    name, share = "all judgments", 15

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A measure with bounds, and a collection."""
        drawn = _drawn(rng, BOUNDED, ("docid",))
        drawn["choice"] = asdict(Choice(ties="docid", unjudged="residual", ending=drawn["choice"]["ending"]))
        return Case(self.name, given=drawn)

    def run(self, case: Case, folder: Path) -> str:
        """Go through the grades of unjudged documents; the normaliser is that of the judgments as they are."""
        given = case.given
        if not _whole(given):
            return "nothing"
        name, k = given["measure"], given["k"]
        measure, params = _measure(given)
        choice, row = Choice(**given["choice"]), MEASURES[given["measure"]]
        score = _score(given, measure, choice)
        ending = row.ending if row.ending != "none" else choice.ending
        data = Collection(given["qrels"], given["run"], (given["other"],))
        most = max([row.range[1], *(params.get("gains", {}).values() if row.raised else ())])
        for topic, low, high in zip(score.topics, score.low_values, score.high_values, strict=True):
            judged = data.qrels[topic]
            order = [
                doc
                for group in oracle.arranged(oracle.tie_groups(judged, data.run.get(topic, {})), "docid")
                for doc, _ in group
            ]
            for grades in _graded(order, judged, data, params):
                listing = Listing(
                    tuple(grades.get(doc) for doc in order),
                    tuple(judged.values()),
                    data.top,
                    len(order),
                    ending,
                    pooled=partial(oracle.pool_grades, (data.run, *data.others), topic, judged),
                )
                value = row.value(listing, row.fixed if k is None else k, **params)
                if math.isnan(value) or math.isnan(low):
                    continue
                value = min(max(value, row.range[0]), most)
                if not low - TOLERANCE <= value <= high + TOLERANCE:
                    raise Disagreement(
                        f"{name} leaves its residual", f"{topic}: {grades} give {value}, not {low} to {high}"
                    )
        return str(name)


def _graded(
    order: list[str], judged: dict[str, float], data: Collection, params: dict[str, Any]
) -> list[dict[str, float | None]]:
    unjudged = [doc for doc in order if doc not in judged][:4]
    highest = data.top if "rel" in params else params.get("max_rel", data.top)
    grades = sorted({0.0, highest or 1.0, *(g for g in data.levels if 0 < g <= (highest or 1.0))})
    return [
        {**judged, **dict(zip(unjudged, drawn, strict=True))}
        for drawn in product((None, *grades), repeat=len(unjudged))
    ]


class Judgments(Light):
    """Bounds: no judgments that may still be made take a score past them, whatever it is divided by then."""

    name, share = "judgments to come", 20

    def make(self, rng: random.Random, corpus: Sequence[Case]) -> Case:
        """A measure with bounds, a collection, and documents that no run lists."""
        drawn = _drawn(rng, BOUNDED, ("expected", "docid", "input", "bounds", "bounds"))
        drawn["choice"] |= {"unjudged": "bounds", "relevant": "judgments"}
        return Case(self.name, given={**drawn, "unseen": rng.choice((0, 0, 1, 2))})

    def run(self, case: Case, folder: Path) -> str:
        """Judge the first topic in many ways, each as a topic of its own, which is scored as it is then."""
        given = case.given
        if not _whole(given) or "q1" not in given["qrels"]:
            return "nothing"
        measure, _ = _measure(given)
        choice = {**given["choice"], "no_relevant": "nan"}
        runs = {"run": given["run"], **({"other": given["other"]} if "pool" in str(measure) else {})}
        before = tr.evaluate(given["qrels"], runs, [measure], **choice, unseen=given["unseen"])
        score = before["run"][str(measure)]
        first = [*score.topics].index("q1")
        if score.low_values is None or score.high_values is None:
            raise Disagreement(f"{given['measure']} has no bounds", str(measure))
        low, high = score.low_values[first], score.high_values[first]
        every = _judged(given, runs)
        after = tr.evaluate(
            {**given["qrels"], **{f"c{place}": judged for place, judged in enumerate(every)}},
            {
                name: {**run, **{f"c{place}": run["q1"] for place in range(len(every)) if "q1" in run}}
                for name, run in runs.items()
            },
            [measure],
            **{**choice, "unjudged": "nonrelevant"},
        )
        if _pool(before) != _pool(after):
            # What was added to the judgments shows another pool, which the bounds were not about.
            return "another pool"
        scores = after["run"][str(measure)]
        for ends in (scores.values, scores.low_values, scores.high_values):
            for topic, value in zip(scores.topics, [] if ends is None else ends, strict=ends is not None):
                if not topic.startswith("c") or math.isnan(value) or math.isnan(low) or math.isnan(high):
                    continue
                if not low - TOLERANCE <= value <= high + TOLERANCE:
                    raise Disagreement(
                        f"{given['measure']} leaves its bounds",
                        f"{measure}: {every[int(topic[1:])]} give {value}, not {low} to {high}",
                    )
        return str(given["measure"])


def _pool(scores: tr.Scores) -> list[str]:
    """The pool that scores are about, as notes tell it."""
    return [str(note) for note in scores.notices if note.code == POOLED.code]


def _judged(given: dict[str, Any], runs: dict[str, Any]) -> list[dict[str, float]]:
    """The first topic with what is unjudged in it left so, or given grades that others have; some of many ways."""
    known = given["qrels"]["q1"]
    listed = sorted({doc for run in runs.values() for doc in run.get("q1", ())} - {*known})
    levels = {grade for topic in given["qrels"].values() for grade in topic.values()}
    grades = [None, *sorted({0.0, max(0.0, *levels) or 1.0, *(grade for grade in levels if grade > 0)})]
    free = [*listed, *(f"unseen{place}" for place in range(given["unseen"]))]
    drawn = random.Random(repr(given))
    ways = [[grade] * len(free) for grade in grades]
    ways += [[drawn.choice(grades) for _ in free] for _ in range(12)]
    return [known | {doc: g for doc, g in zip(free, way, strict=True) if g is not None} for way in ways]


def same(found: float | None, expected: float | None) -> bool:
    """Whether two values are the same but for rounding; nothing is the same as nothing."""
    if found is None or expected is None:
        return found is expected
    if math.isnan(expected) or math.isinf(expected):
        return found == expected or (math.isnan(found) and math.isnan(expected))
    return abs(found - expected) <= TOLERANCE * max(1.0, abs(expected))


TARGETS = (Orders(), Grades(), Judgments())
