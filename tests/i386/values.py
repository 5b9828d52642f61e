"""Every measure of a simulated track as JSON; or, with a file of such values, how far these are from them."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import truerank as tr
from truerank.measures.table import TABLE

TOLERANCE = 1e-12
"""The floating-point unit of i386 keeps more digits between two steps, so that the last bits differ."""


def values() -> dict[str, list[float | None]]:
    """Means of two runs, one of them with many ties, with the ends over their orders; None where undefined."""
    track = tr.simulate(systems=3, topics=12, seed=7)
    found: dict[str, list[float | None]] = {}
    for measure in TABLE.values():
        scores = tr.evaluate(track.qrels, track.runs, measure, ties="bounds")
        numbers = [end for run in scores.values() for one in run.values() for end in (one.mean, one.low, one.high)]
        found[str(measure)] = [None if number is None or math.isnan(number) else number for number in numbers]
    return found


def main() -> None:
    """Print the values, or compare them."""
    if len(sys.argv) == 1:
        print(json.dumps(values()))
        return
    wanted, found = json.loads(Path(sys.argv[1]).read_text()), json.loads(json.dumps(values()))
    assert wanted.keys() == found.keys()
    for measure, numbers in wanted.items():
        for one, other in zip(numbers, found[measure], strict=True):
            same = one == other or (None not in (one, other) and math.isclose(one, other, rel_tol=TOLERANCE))
            assert same, f"{measure}: {other} where {one} is right"
    print(f"{len(wanted)} measures agree to {TOLERANCE:g}")


if __name__ == "__main__":
    main()
