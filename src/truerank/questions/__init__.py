"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "curves": "Give precision against recall, or hits against false alarms, of one topic or on average.",
    "depth": "Score runs at every depth, and tell how much the depth matters.",
    "ties": "Tell what the order of ties does to scores, and which runs it could swap.",
    "unjudged": "Tell how much of each run is judged, and what the rest leaves open.",
    "nil": "Tell where runs are silent, and what silence does to scores and places.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""
