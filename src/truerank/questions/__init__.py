"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "compare": "Compare runs, and tell which differ by more than chance.",
    "diff": "Compare two runs topic by topic, and show which documents made the difference.",
    "depth": "Score runs at every depth, and tell how much the depth matters.",
    "ties": "Tell what the order of ties does to scores, and which runs it could swap.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""
