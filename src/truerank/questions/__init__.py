"""The questions, one folder each, with the name that users type."""

from __future__ import annotations

QUESTIONS: dict[str, str] = {
    "evaluate": "Score runs against judgments.",
    "compare": "Test which runs differ, and by how much; gate a change in CI.",
    "diff": "Compare two runs topic by topic, down to the documents.",
    "explain": "Show how the score of one topic comes about, rank by rank.",
    "report": "Write one HTML page about your runs, to share.",
    "lint": "Check files for mistakes before you trust a score.",
    "ties": "Show what the order of tied documents changes.",
    "unjudged": "Show what unjudged documents could change, and what to judge next.",
    "depth": "Show how scores and the ranking change with depth.",
    "judges": "Compare judges, human or LLM, and the leaderboards they produce.",
    "audit": "Estimate scores under human judgments from LLM labels.",
    "pool": "Find which runs were pooled, how deep, and what new runs lose.",
    "why": "Find out why somebody else reports a different number.",
    "nil": "Score empty lists and unanswerable questions.",
    "truncate": "Find the length at which each list scores best.",
    "stop": "Learn where to cut lists, from scores alone.",
    "measures": "List the measures, or show one in full.",
    "choose": "Choose a measure by answering a few questions.",
    "design": "Find how many topics you need.",
    "agreement": "Measure how far two rankings agree.",
    "calibrate": "Translate a measure's parameters into user behaviour, and back.",
    "curves": "Show precision against recall, or a ROC curve.",
    "demo": "See what truerank does, on a simulated track.",
    "meta": "Compare measures: how they rank and distinguish the same runs.",
    "negatives": "Show what sampled negatives change, in scores and ranks.",
    "preferences": "Score runs against preference judgments, and check these.",
    "properties": "Show which formal properties measures have, with examples.",
    "reproduce": "Make a paper's tables and figures from your runs.",
}
"""Every question in a line, in the order that a new user needs them; nothing is imported to list them."""

GROUPS: dict[str, tuple[str, ...]] = {
    "Everyday": ("evaluate", "compare", "diff", "explain", "report", "lint"),
    "Can I trust the result?": ("ties", "unjudged", "depth", "judges", "audit", "pool", "why"),
    "Short lists, unanswerable questions": ("nil", "truncate", "stop"),
    "Before you start": ("measures", "choose", "design"),
    "Coming from another tool": ("trec_eval",),
}
"""Commands by what a person wants; help counts the others at its end."""
