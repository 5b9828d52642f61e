"""Preferences laid out: topics, runs, cycles, grades, agreement, and what it comes to in words."""

from __future__ import annotations

from typing import Any

from truerank.analysis.preferring.results import PreferenceSurvey
from truerank.data.printing import counted
from truerank.report.captions import caption
from truerank.report.preferences_words import said, share
from truerank.report.table import Cell, Table

SHOWN = 20
"""Intransitive triples and cycles that a person reads."""
_BROKEN = ("a", "b", "c", "cycle", "order", "document", "by", "graded_by", "graded by", "exact")
_WORDS = ("run", "topic", "measure", *_BROKEN)
_BEST = {"loss": "low", "violated": "low", "kept": "high", "AUC": "high"}
_NAMES = {
    "runs": ("run", "kept", "violated", "tied", "neither", "loss"),
    "lists": ("run", "topic", "loss"),
    "triples": ("topic", "a", "b", "c"),
    "cycles": ("topic", "size", "least", "least_found", "cycle", "order"),
    "agreement": ("topic", "agree", "contradict", "finer", "unjudged", "tau", "gamma"),
    "orderings": ("measure", "runs", "kendall_a", "kendall_b", "tau_ap", "pairs", "swapped"),
}
"""Names of columns where there may be no rows."""
_OUTCOMES = ("kept", "violated", "tied", "neither")
_MEANING = {
    "topics": "compared: share of all pairs of documents; intransitive: of the triples with all pairs compared; least "
    "loss: what no ranking can do better than",
    "runs": "shares of all preferences: kept, violated, both documents tied, neither retrieved; loss: mean over "
    "topics, where the last two cost a half{ties}; AUC: by induced grades",
    "lists": "preferences of each topic: kept, violated, tied, neither document retrieved",
    "triples": "a is preferred to b, b to c, and c to a",
    "cycles": "documents preferred to one another by way of others; least: judgments among them that every ranking "
    "violates",
    "grades": "levels: steps down to a document that is better than no other; copeland: wins less losses",
    "agreement": "preferences that agree with grades, contradict them, tell apart what grades do not, or lack a grade; "
    "ties with equal and with different grades; tau, and gamma of what both decide",
    "orderings": "orderings of runs by preference loss and by a measure of grades; swapped: pairs in opposite orders",
}
_COSTS = {"best": " (ties nothing)", "worst": " (ties one)"}


def preferences_table(found: PreferenceSurvey, show: str | None = None, *, whole: bool = False) -> Table:
    """A row a run, a topic, both, a triple, a cycle, a document or a measure; ``whole`` has all, for programs."""
    show = show or ("runs" if found.runs else "topics")
    records = found.to_records(show)
    notes = (*said(found, show), *found.notices)
    if not whole and records:
        if show in ("triples", "cycles"):
            records = records[:SHOWN]
        records = [_brief(found, show, record) for record in records]
    return Table.of_records(
        records,
        _WORDS,
        names=_NAMES.get(show, ()),
        broken=_BROKEN,
        best=_BEST if show == "runs" else {},
        caption=_caption(found, show, explained=not whole),
        notes=notes,
        document=lambda: {**found.to_dict(), "notices": [*said(found), *found.notices]},
    )


def _brief(found: PreferenceSurvey, show: str, record: dict[str, Any]) -> dict[str, Cell]:
    """The columns that a person looks at."""
    if show == "runs":
        every = record["preferences"]
        shares = {name: share(record[name], every) for name in _OUTCOMES}
        bounds = {name: record[name] for name in ("loss_low", "loss_high") if name in record}
        rest = {"least": record["least"], "excess": record["excess"], "AUC": record["auc"]}
        return {"run": record["run"], **shares, "loss": record["loss"], **bounds, **rest}
    if show == "lists":
        return {name: record[name] for name in ("run", "topic", "preferences", *_OUTCOMES, "loss", "least")}
    if show == "topics":
        return _topic(record)
    if show == "triples":
        return {"topic": record["topic"], "cycle": " > ".join([*(record[one] for one in "abca")])}
    if show == "cycles":
        cycle = record["cycle"].split(" ")
        least = record["least"] if record["least"] == record["least_found"] else f"{record['least']} or more"
        return {
            "topic": record["topic"],
            "size": record["size"],
            "least": least,
            "cycle": " > ".join([*cycle, cycle[0]]),
        }
    if show == "agreement":
        return {name.replace("_", " "): value for name, value in record.items()}
    return record


def _topic(record: dict[str, Any]) -> dict[str, Cell]:
    return {
        **{name: record[name] for name in ("topic", "documents", "preferences", "ties")},
        "compared": share(record["pairs"], record["possible"]),
        **{name: record[name] for name in ("repeated", "contradictory", "triples")},
        "intransitive": record["cyclic"],
        "in cycles": record["in_cycles"],
        "least loss": record["least_loss"],
        "graded by": record["graded_by"],
    }


def _caption(found: PreferenceSurvey, show: str, *, explained: bool) -> str:
    # Topics without preferences are left out unless asked for, other than topics without relevant documents.
    skips = ["no_relevant"] * (found.conventions.no_relevant == "skip")
    return caption(
        counted(len(found.topics), "topic"),
        counted(found.total.preferences, "preference"),
        conventions=found.conventions.unusual("no_relevant", apart=skips),
        meaning=_MEANING[show].format(ties=_COSTS.get(found.conventions.ties, "")) * explained,
    )
