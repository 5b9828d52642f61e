"""People who behave as a measure says: lists, and what is seen of who reads them."""

from __future__ import annotations

from typing import Any

import numpy as np

from truerank.measures.grammar import parse

DEPTH = 20


def lists(seed: int, topics: int, runs: int = 4) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, list[str]]]]:
    """Judgments of all documents, and lists in random order, better ones first on the whole."""
    rng = np.random.default_rng(seed)
    qrels: dict[str, dict[str, int]] = {}
    made: dict[str, dict[str, list[str]]] = {f"r{i}": {} for i in range(runs)}
    for t in range(topics):
        grades = (rng.random(DEPTH) < rng.uniform(0.1, 0.5)).astype(int)
        grades[0] = 1
        qrels[f"q{t}"] = {f"d{i}": int(g) for i, g in enumerate(grades)}
        for name in made:
            length = int(rng.integers(DEPTH // 2, DEPTH + 1))
            order = np.argsort(-(0.6 * grades + rng.random(DEPTH)))
            made[name][f"q{t}"] = [f"d{i}" for i in order[:length]]
    return qrels, made


def preferring(seed: int, measure: str, strength: float, pairs: int, **size: int) -> tuple[Any, Any, list[Any]]:
    """Preferences by the odds of the difference in score."""
    rng = np.random.default_rng([seed, 1])
    qrels, runs = lists(seed, **size)
    of = parse(measure)
    score = {
        (name, topic): of.of(
            [float(qrels[topic][d]) for d in docs], pool=[float(g) for g in qrels[topic].values() if g]
        )
        for name, found in runs.items()
        for topic, docs in found.items()
    }
    rows = []
    for topic in qrels:
        for _ in range(pairs):
            one, other = rng.choice(len(runs), 2, replace=False)
            a, b = f"r{one}", f"r{other}"
            odds = strength * (score[a, topic] - score[b, topic])
            rows.append((topic, a, b, a if rng.random() < 1 / (1 + np.exp(-odds)) else b))
    return qrels, runs, rows


def reading(seed: int, p: float, people: int, **size: int) -> tuple[Any, Any, list[Any]]:
    """How far readers come who go on with probability p."""
    rng = np.random.default_rng([seed, 2])
    qrels, runs = lists(seed, **size)
    rows = [
        (topic, "r0", min(int(rng.geometric(1 - p)), len(docs)))
        for topic, docs in runs["r0"].items()
        for _ in range(people)
    ]
    return qrels, runs, rows


def clicking(seed: int, p: float, people: int, chance: tuple[float, float], **size: int) -> tuple[Any, Any, list[Any]]:
    """What is clicked among the first ten by readers who go on with probability p."""
    rng = np.random.default_rng([seed, 3])
    qrels, runs = lists(seed, **size)
    rows = []
    for topic, docs in runs["r0"].items():
        for _ in range(people):
            clicked = [
                rank
                for rank, doc in enumerate(docs[:10], 1)
                if rng.random() < p ** (rank - 1) * chance[qrels[topic][doc]]
            ]
            rows.append((topic, "r0", clicked))
    return qrels, runs, rows
