"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "depth": "Score runs at every depth, and tell how much the depth matters.",
    "ties": "Tell what the order of ties does to scores, and which runs it could swap.",
    "pool": "Find out which runs the judgments were pooled from, how deep, and what systems lose that were not.",
    "agreement": "Tell how far two rankings agree.",
    "preferences": "Look at preference judgments: contradictions, the least loss, runs, and agreement with grades.",
    "meta": "Compare measures by what they say of the same runs.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""
