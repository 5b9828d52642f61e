"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "compare": "Compare runs, and tell which differ by more than chance.",
    "design": "Tell how many topics it takes to find a difference that matters.",
    "report": "Write one HTML page about your runs, to share.",
    "diff": "Compare two runs topic by topic, and show which documents made the difference.",
    "explain": "Show how the score of one topic comes about, rank by rank, and what would change it.",
    "curves": "Give precision against recall, or true against false positives, of one topic or on average.",
    "why": "Find which conventions give a number that somebody else reported.",
    "lint": "Look for what is suspicious in judgments and runs, before trusting a score.",
    "depth": "Score runs at every depth, and find the depth from which on conclusions hold.",
    "ties": "Show what the order of ties does to scores, and which pairs of runs it can reverse.",
    "unjudged": "Show how much of each run is judged, and what its unjudged documents could change.",
    "judges": "Tell how far judges agree, whom each favours, and what of a leaderboard depends on the judge.",
    "audit": "Tell what people would say of runs, where a machine judged all documents and people judged some.",
    "pool": "Find out which runs the judgments were pooled from, how deep, and what systems lose that were not.",
    "nil": "Show which topics runs leave unanswered, and what that does to scores and ranks.",
    "truncate": "Find the length at which each list scores best, and what it loses as it is.",
    "stop": "Learn a stopping rule from scores, and cut lists with it.",
    "calibrate": "Translate a measure's parameters into user behaviour, and back.",
    "agreement": "Measure how far two rankings agree.",
    "preferences": "Look at preference judgments: contradictions, the least loss, runs, and agreement with grades.",
    "negatives": "Show what scoring against a sample of negatives does to scores, and to the order of runs.",
    "choose": "Choose a measure by answering questions about readers, systems and judgments.",
    "properties": "Tell which formal properties measures have, with the smallest rankings that show it.",
    "meta": "Compare measures by what they say of the same runs.",
    "measures": "List the measures, or show some in full.",
    "reproduce": "Make the tables and figures of a paper from one's own runs, and tell which claims hold.",
    "demo": "Rank the systems of a simulated track, and see what moves them.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""
