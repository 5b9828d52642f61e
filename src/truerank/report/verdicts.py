"""Verdicts of several measures in one."""

from __future__ import annotations

from collections.abc import Mapping

from truerank.data.printing import enumerated


def per_measure(said: Mapping[str, str]) -> str:
    """What is said by each measure: once if it is the same by all, else with the measures before it.

    >>> per_measure({"AP": "Ties change nothing.", "RR": "Ties change nothing."})
    'Ties change nothing.'
    >>> per_measure({"AP": "Ties change nothing.", "P@5": "Ties swap 1 pair.", "RR": "Ties change nothing."})
    'AP and RR: Ties change nothing. P@5: Ties swap 1 pair.'
    """
    by: dict[str, list[str]] = {}
    for measure, text in said.items():
        if text:
            by.setdefault(text, []).append(measure)
    if len(by) == 1:
        return next(iter(by))
    return " ".join(f"{enumerated(measures)}: {text}" for text, measures in by.items())
