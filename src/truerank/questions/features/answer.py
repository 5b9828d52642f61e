"""The answer: features by the score that each has as a ranking, what ties leave open, and which are worse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from truerank.data.notes import Code, Note
from truerank.data.printing import counted
from truerank.report.answer import ByMeasure, ByName, Keyed, ScoresAnswer, Sheet
from truerank.report.rows import Row, column
from truerank.report.table import DIGITS, caption

LEVEL = Code("TR211", "features that are not shown to be worse than the best, or than a baseline")
CONSTANT = Code(
    "TR212",
    "features that have one value in every topic, so that they order nothing",
    "{features:feature} {features:orders|order} nothing: in every topic all documents share one value ({names})",
)
TIED = Code("TR213", "features that ties leave open by more than what sets them apart")
UNKNOWN = Code(
    "TR214",
    "features that are not known of some documents",
    "{features:feature} {features:is|are} not known of some documents, which {features:its|their} lists lack",
)
DIRECTIONS = ("both", "high", "low")
"""Which values are to come first; of both, those that make the better ranking."""


class FeatureRow(Row):
    """A feature as a ranking, by a measure."""

    measure: str = column("the measure")
    feature: str = column("the feature")
    direction: str = column('whether documents with the "high" or the "low" values come first')
    score: float = column("mean over topics, where documents that share a value count with the mean over their orders")
    worst: float = column("with ties in the order that is worst in every topic", minor=2)
    best: float = column("with ties in the order that is best in every topic", minor=2)
    other: float | None = column("the score in the other direction, where both were tried", default=None, minor=3)
    tied: float = column("share of documents that share their value with another one of the topic", minor=1)
    difference: float = column("its score less that of the feature it is tested against", form="signed")
    p: float | None = column("corrected p of that difference; nothing for that feature itself", default=None, form="p")
    verdict: str = column('"better" or "worse" where p is below alpha, "against" for that feature itself')

    brief = ("measure", "feature", "direction", "score", "worst", "best", "other", "tied", "difference", "p", "verdict")


class Features(Keyed[ByMeasure[FeatureRow]], ScoresAnswer):
    """Features as rankings: ``found["25"]["nDCG@10"].score``."""

    question = "features"
    sheets = {
        "features": Sheet(
            FeatureRow, "one row per measure and feature, the best first", of="scored", top=20, by="measure"
        )
    }

    scored: tuple[FeatureRow, ...]
    """By measure, the best first."""
    documents: int = column("documents of all topics")
    against: dict[str, str] = column("by measure, the feature that others are tested against")
    test: str = column("the test, in words")
    correction: str = column("how p is corrected")
    alpha: float = column("the p below which a difference is significant")
    constant: tuple[str, ...] = column("features that have one value in every topic, and order nothing", default=())

    @cached_property
    def by_name(self) -> Mapping[str, ByMeasure[FeatureRow]]:
        """What was found, by feature and measure."""
        found: dict[str, dict[str, FeatureRow]] = {}
        for row in self.scored:
            found.setdefault(row.feature, {})[row.measure] = row
        return ByName({feature: ByMeasure(rows) for feature, rows in found.items()})

    def caption(self, show: str) -> str:
        """How many features, topics and documents there are, and how p came about."""
        counts = (
            counted(len(self), "feature"),
            counted(len(self.topics), "topic"),
            counted(self.documents, "document"),
            f"p by {self.test}, {'not corrected' if self.correction == 'none' else self.correction.title()}",
        )
        return caption(*counts, conventions=self.conventions.unusual(apart=("ties",)))

    def says(self, show: str) -> Iterator[Note]:
        """Which features are as good as the best, order nothing, or hang on ties."""
        for measure in self.wanted:
            rows = [row for row in self.scored if row.measure == str(measure)]
            yield from self._level(rows)
            yield from self._open(rows, measure.sign)
        if self.constant:
            few = ", ".join(self.constant[:5]) + (", ..." if len(self.constant) > 5 else "")
            yield CONSTANT(features=len(self.constant), names=few)

    def _level(self, rows: list[FeatureRow]) -> Iterator[Note]:
        top = next((row for row in rows if row.verdict == "against"), None)
        if top is None or len(rows) < 2:
            return
        level = [row.feature for row in rows if not row.verdict]
        one = f"feature {top.feature} ({top.score:.{DIGITS}f})"
        if level:
            named = f"{', '.join(level[:5])}{', ...' if len(level) > 5 else ''}"
            others = counted(len(rows) - 1, "other feature")
            said = f"{len(level)} of {others} ({named}) {'is' if len(level) == 1 else 'are'} not told apart from {one}"
        else:
            said = f"every other feature is told apart from {one}"
        yield LEVEL(
            f"{top.measure}: {said}",
            measure=top.measure,
            against=top.feature,
            level=len(level),
            features=len(rows),
        )

    def _open(self, rows: list[FeatureRow], sign: float) -> Iterator[Note]:
        top = next((row for row in rows if row.verdict == "against"), None)
        if top is None:
            return
        could = [row.feature for row in rows if sign * row.best > sign * top.score > sign * row.score]
        if could:
            named = f"{', '.join(could[:5])}{', ...' if len(could) > 5 else ''}"
            yield TIED(
                f"{top.measure}: {counted(len(could), 'feature')} could be above feature {top.feature} by the order of "
                f"ties alone ({named})",
                measure=top.measure,
                features=len(could),
            )
