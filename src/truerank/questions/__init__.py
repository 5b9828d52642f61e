"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "depth": "Score runs at every depth, and tell how much the depth matters.",
    "ties": "Tell what the order of ties does to scores, and which runs it could swap.",
    "truncate": "Find the length at which each list scores best, and what it loses as it is.",
    "stop": "Find out where lists may end without judgments to tell, and end them there.",
    "calibrate": "Say what e or beta means, or find the value that means what is wanted.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""
