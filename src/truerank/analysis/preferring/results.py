"""Results: preference judgments, and how far they can be satisfied, are satisfied by runs, and agree with grades."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from truerank.analysis.keyed import ByRun
from truerank.analysis.preferring.against import GradeAgreement
from truerank.analysis.preferring.grades import Grades
from truerank.analysis.preferring.graph import Graph
from truerank.analysis.preferring.lists import RunPreferences
from truerank.analysis.preferring.orderings import Ordering
from truerank.analysis.preferring.topics import ORDERS, Judgments, TopicPreferences, grade_records
from truerank.analysis.tabular import Tabular
from truerank.conventions.choices import Conventions

if TYPE_CHECKING:
    from truerank.report.table import Table


@dataclass(frozen=True, eq=False)
class PreferenceSurvey(ByRun[RunPreferences], Tabular):
    """Preference judgments by topic, and what runs and grades make of them."""

    judgments: Judgments
    runs: dict[str, RunPreferences]
    agreement: GradeAgreement | None
    """With the grades of other judgments, where these were given."""
    orderings: tuple[Ordering, ...]
    """How measures of the grades order the runs, where both were given."""
    graph: Graph
    graded: Grades
    """Grades that the preferences stand for."""
    conventions: Conventions
    notices: tuple[str, ...] = ()

    kinds = ("topics", "runs", "lists", "triples", "cycles", "grades", "agreement", "orderings")

    @property
    def total(self) -> TopicPreferences:
        """The preferences of all topics together."""
        return self.judgments.total

    @property
    def topics(self) -> dict[str, TopicPreferences]:
        """The preferences of each topic."""
        return self.judgments.topics

    @cached_property
    def orders(self) -> dict[str, str]:
        """How the documents of each topic that has some are graded: by "levels", or else by "copeland"."""
        flags = zip(self.graded.by_level.tolist(), self.graded.keeps_ties.tolist(), strict=True)
        found = {topic: ORDERS[flag] for topic, flag in zip(self.topics, flags, strict=True)}
        return {topic: how for topic, how in found.items() if self.topics[topic].documents}

    def to_records(self, show: str | None = None) -> list[dict[str, Any]]:
        """One record a run, or a topic if there are no runs; or what ``show`` names, one of ``kinds``."""
        made: dict[str, Callable[[], list[dict[str, Any]]]] = {
            "topics": self._topics,
            "runs": lambda: [{"run": name, **run.as_dict()} for name, run in self.runs.items()],
            "lists": self._lists,
            "triples": lambda: [asdict(one) for one in self.judgments.triples],
            "cycles": self._cycles,
            "grades": lambda: grade_records(self.graph, self.graded),
            "agreement": lambda: [] if self.agreement is None else self.agreement.records(),
            "orderings": lambda: [one.as_dict() for one in self.orderings],
        }
        return made[self.kind(show or ("runs" if self.runs else "topics"))]()

    def _topics(self) -> list[dict[str, Any]]:
        return [
            {"topic": name, **one.as_dict(), "graded_by": self.orders.get(name)} for name, one in self.topics.items()
        ]

    def _lists(self) -> list[dict[str, Any]]:
        return [
            {
                "run": name,
                "topic": topic,
                **run.counts.at(place),
                "loss": run.loss.per_topic.get(topic),
                "least": self.topics[topic].least_loss,
            }
            for name, run in self.runs.items()
            for place, topic in enumerate(run.topics)
        ]

    def _cycles(self) -> list[dict[str, Any]]:
        return [
            {
                "topic": one.topic,
                "size": len(one.documents),
                "least": one.least,
                "least_found": one.least_found,
                "cycle": " ".join(one.cycle),
                "order": " ".join(one.order),
            }
            for one in self.judgments.components
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in the terms of JSON."""
        return {
            "conventions": self.conventions.as_dict(),
            "judgments": self.total.as_dict(),
            "topics": {record.pop("topic"): record for record in self._topics()},
            "triples": self.to_records("triples"),
            "cycles": [asdict(one) for one in self.judgments.components],
            "grades": self.to_records("grades"),
            "runs": {
                name: {
                    **run.as_dict(),
                    "topics": {
                        topic: {**run.counts.at(place), "loss": run.loss.per_topic.get(topic)}
                        for place, topic in enumerate(run.topics)
                    },
                }
                for name, run in self.runs.items()
            },
            "agreement": None
            if self.agreement is None
            else {**self.agreement.total, "topics": self.agreement.records()},
            "orderings": self.to_records("orderings"),
            "notices": list(self.notices),
        }

    def _table(self, show: str | None) -> Table:
        # Reports are made of results, so this module knows of them only when asked for one.
        from truerank.report.preferences import preferences_table

        return preferences_table(self, show)

    def __repr__(self) -> str:
        total = self.total
        return f"PreferenceSurvey({len(self.topics)} topics, {total.preferences} preferences, {len(self.runs)} runs)"
