"""What is kept of a run: its values by both methodologies, and its lists."""

from __future__ import annotations

from dataclasses import dataclass

from truerank.data.arrays import Mask, Rows
from truerank.data.parts import Part, per_topic
from truerank.track.facts import RunPart
from truerank.track.values import Values


@dataclass(frozen=True, eq=False, kw_only=True)
class ListsPart(Part):
    """The lists of a run, one a topic."""

    before: Rows = per_topic()
    """Documents as they were handed in, NIL included; 0 where the topic is left out."""
    after: Rows = per_topic()
    """Documents down to the NIL."""
    nil_rank: Rows = per_topic()
    """The rank of the NIL, 0 without one."""
    found: Rows = per_topic()
    """Relevant documents down to the NIL."""
    below: Rows = per_topic()
    """Relevant documents below it."""
    was_ended: Mask = per_topic()
    """Which lists the system ended: those with a NIL and those shorter than the limit; without a limit, all."""


@dataclass(frozen=True, eq=False, kw_only=True)
class NilPart(RunPart):
    """A run: its values are those of the modified methodology."""

    original: dict[str, Values]
    """By measure, the values of the original one."""
    c: Values
    """c@1."""
    lengths: ListsPart
