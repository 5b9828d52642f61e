"""What the work is done with: this process, several of them, or Spark; and in how much memory."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.data.classes import dataclass
from truerank.data.errors import InputError
from truerank.data.printing import brief

# The options of every command are made of this file, so that it does without numpy.
if TYPE_CHECKING:
    from truerank.track.engines.executor import Executor

HERE, PROCESSES = "here", "processes"
_MASTER = re.compile(r"local(\[.*\])?|local-cluster\[.*\]|spark://.+|k8s://.+|yarn")
"""What Spark calls a master."""
_SIZE = re.compile(r"(\d+(?:\.\d*)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


MOST_WORKERS = 1000
"""Processes at most; there are never more of them than there is work for."""


def told(help_: str, metavar: str) -> Any:
    """A field that is an option on the command line, with its help."""
    return field(default=None, metadata={"help": help_, "metavar": metavar})


@dataclass(frozen=True, eq=False)
class Engine:
    """What the work is done with; whatever it is, answers and notes are the same to the last bit.

    ``engine`` is "here" (this process), "processes", a session of Spark or the master of one, such as
    "spark://host:7077" or "local[4]"; by default several processes where there are many runs and it pays. ``workers``
    is how many processes. ``memory`` is how much of it may be used, as in "1G": runs that are larger are looked at in
    ranges of their topics, and never are in memory as a whole.

    >>> Engine(memory="300M").bytes, Engine(workers=2).kind, Engine("local[2]").kind
    (314572800, 'processes', 'spark')
    """

    engine: Any = told("What does the work: here, processes, or a master of Spark such as spark://host:7077.", "NAME")
    workers: int | None = told("How many processes. Default: several for many runs, where it pays.", "N")
    memory: int | str | None = told("Memory to use, as in 1G: larger runs are looked at in ranges of topics.", "SIZE")

    def __post_init__(self) -> None:
        if isinstance(self.engine, str) and self.engine not in (HERE, PROCESSES) and not _MASTER.fullmatch(self.engine):
            raise InputError(
                f"engine={brief(self.engine)} is none; take here, processes, or a master of Spark such as "
                "spark://host:7077, local[4] or local-cluster[2,1,1024]"
            )
        if self.engine is not None and not isinstance(self.engine, str) and not is_session(self.engine):
            raise InputError(f"engine is a {type(self.engine).__name__}; give its name, an Engine or a SparkSession")
        if self.workers is not None:
            count = isinstance(self.workers, int) and not isinstance(self.workers, bool)
            if not count or not 1 <= self.workers <= MOST_WORKERS:
                raise InputError(f"workers is a whole number from 1 to {MOST_WORKERS:,}, not {brief(self.workers)}")
            if self.kind == "spark":
                raise InputError("Spark has workers of its own; leave workers out")
            if self.engine == HERE and self.workers > 1:
                raise InputError("engine='here' is one process; leave workers out, or choose engine='processes'")
        if self.memory is not None and self.bytes is None:
            raise InputError(f"memory is a size such as 300M or 1G, not {brief(self.memory)}")

    @classmethod
    def of(cls, given: Any) -> Engine:
        """The engine that a caller means."""
        return given if isinstance(given, Engine) else cls(given)

    def beside(self, runs: Iterable[Any]) -> Engine:
        """This engine for some runs; where none was asked for, that of data frames of Spark among them."""
        sessions = (getattr(run.data, "sparkSession", None) for run in runs)
        session = next((each for each in sessions if each is not None and is_session(each)), None)
        return self if session is None or self.kind else Engine(session, memory=self.memory)

    @property
    def kind(self) -> str:
        """ "here", "processes" or "spark"; "" where what pays is taken."""
        if self.engine is None:
            return {None: "", 1: HERE}.get(self.workers, PROCESSES)
        return self.engine if self.engine in (HERE, PROCESSES) else "spark"

    @property
    def bytes(self) -> int | None:
        """The memory in bytes; None where all may be used, or what is given is no size."""
        if isinstance(self.memory, int) and not isinstance(self.memory, bool):
            return self.memory if self.memory > 0 else None
        found = _SIZE.fullmatch(self.memory.strip()) if isinstance(self.memory, str) else None
        size = float(found[1]) * (1 << _UNITS[found[2].upper()]) if found else 0.0
        return int(size) or None if math.isfinite(size) else None

    @cached_property
    def executor(self) -> Executor:
        """What does the work; processes stay until the engine is gone, for the next question."""
        from truerank.track.engines.executor import Here, WherePays

        if self.kind == PROCESSES:
            from truerank.track.engines.processes import Processes

            return Processes(self.workers)
        if self.kind == "spark":
            from truerank.track.engines.spark import Spark

            return Spark.of(self.engine)
        return WherePays() if self.kind == "" and self.memory is None else Here()


def is_session(given: object) -> bool:
    """Whether something is a session of Spark, told by name: asking for its type would import it."""
    return any(
        each.__name__ == "SparkSession" and each.__module__.startswith("pyspark.") for each in type(given).__mro__
    )
