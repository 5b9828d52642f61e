"""Where other tools' numbers differ from ours, and why. Every entry is checked by a test, so none can be stale."""

from __future__ import annotations

from typing import NamedTuple


class Difference(NamedTuple):
    """A measure of another tool that is not compared, or not to the last bit."""

    tool: str
    measure: str
    reason: str


DIFFERENCES = (
    Difference(
        "pytrec_eval",
        "iprec_at_recall",
        "trec_eval turns a recall level into a number of documents with int(level * R + 0.9), which falls one short "
        "of the level where level * R is a tenth over a whole number and rounds down, as 0.7 * 3 does; ours is the "
        "definition, the highest precision at a depth with recall of at least the level",
    ),
    Difference("pytrec_eval", "11pt_avg", "the mean of iprec_at_recall, with the same rounding of levels"),
    Difference("pytrec_eval", "relstring", "a string of grades, not a measure"),
    Difference("pytrec_eval", "runid", "a name, not a measure"),
    Difference("trec_eval-10", "iprec_at_recall", "a level is the whole number nearest to recall times R"),
    Difference("trec_eval-10", "11pt_avg", "the mean of iprec_at_recall, with the same rounding of levels"),
)


def differs(tool: str, measure: str) -> bool:
    """Whether a difference is listed for a measure, by its name or the family before its parameter."""
    return any(d.tool == tool and (measure == d.measure or measure.startswith(d.measure + "_")) for d in DIFFERENCES)
