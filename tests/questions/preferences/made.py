"""Preferences made at random, and the slow way to look at them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, permutations

import numpy as np

Row = tuple[str, str, str, str]
SIGNS = {"<": -1, "=": 0, ">": 1}


def rows(seed: int, *, docs: int, count: int, topics: int = 2, signs: str = "<=>") -> list[Row]:
    """Judgments (topic, document, sign, document), some of them repeated or contradictory."""
    rng = np.random.default_rng(seed)
    made = []
    for _ in range(count):
        one, other = rng.choice(docs, 2, replace=False).tolist()
        made.append((f"q{rng.integers(topics)}", f"d{one}", signs[rng.integers(len(signs))], f"d{other}"))
    return made


def of_topic(given: Iterable[Row], topic: str) -> list[Row]:
    return [row for row in given if row[0] == topic]


def documents(given: Iterable[Row]) -> list[str]:
    return sorted({doc for _, one, _, other in given for doc in (one, other)})


def strict(given: Iterable[Row]) -> list[tuple[str, str]]:
    """Better and worse document of each preference."""
    return [(one, other) if sign == ">" else (other, one) for _, one, sign, other in given if sign != "="]


def margins(given: Iterable[Row]) -> dict[tuple[str, str], int]:
    """For each pair that was compared, both ways round, how many more judgments are for the first."""
    found: dict[tuple[str, str], int] = {}
    for _, one, sign, other in given:
        found[one, other] = found.get((one, other), 0) + SIGNS[sign]
        found[other, one] = -found[one, other]
    return found


def triples(given: Iterable[Row]) -> tuple[int, list[tuple[str, str, str]]]:
    """How many triples are closed, and the cyclic ones with the first document first."""
    net = margins(given)
    closed, cyclic = 0, []
    for a, b, c in combinations(sorted({doc for pair in net for doc in pair}), 3):
        if not {(a, b), (b, c), (c, a)} <= set(net):
            continue
        closed += 1
        if min(net[a, b], net[b, c], net[c, a]) > 0:
            cyclic.append((a, b, c))
        elif max(net[a, b], net[b, c], net[c, a]) < 0:
            cyclic.append((a, c, b))
    return closed, sorted(cyclic)


def least(given: Iterable[Row]) -> int:
    """Fewest judgments that a ranking violates, over all rankings."""
    pairs = strict(given)
    every = permutations(sorted({doc for pair in pairs for doc in pair}))
    return min(sum(order.index(a) > order.index(b) for a, b in pairs) for order in every)
