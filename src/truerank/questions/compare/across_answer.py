"""Systems over several collections: rows of the answer."""

from __future__ import annotations

from truerank.report.digits import ranks
from truerank.report.rows import Row, column, derived


class AcrossSystem(Row):
    """A system over collections; those that a collection lacks have no mean, and are not compared."""

    measure: str = column("the measure")
    run: str = column("the run, or the system of several; of all collections those of one name")
    means: dict[str, float] = column(
        "its mean over the topics of {}; empty where that does not have it", spread="mean@{}", head="{}"
    )
    mean: float | None = column("the mean over collections, each of which counts the same", best="measure")
    low: float | None = column("where its interval begins, by a bootstrap of topics within collections", minor=2)
    high: float | None = column("where it ends", minor=2)
    rank: int | None = column("its rank by that mean among the systems that all collections have", head="place")
    rank_low: int | None = column(
        "the best rank that it can have, for all systems at once, by a bootstrap of topics within collections"
    )
    rank_high: int | None = column("the worst rank that it can have")
    collections: int = column("collections that have it", minor=3)

    @derived(head="could be")
    def places(self) -> str | None:
        """The places that it could have, by all that is shown of pairs."""
        return None if self.rank_low is None or self.rank_high is None else ranks((self.rank_low, self.rank_high))

    brief = ("measure", "rank", "run", "means", "mean", "low", "high", "places", "collections")


class AcrossPair(Row):
    """Two systems over collections; verdict and differences are of ``run``, against what it is compared with."""

    measure: str = column("the measure")
    run: str = column("the run that the verdict is of")
    compared_with: str = column("the run that it is compared with")
    verdict: str = column('"better" or "worse" where that is so for all pairs at once, or "not significant"')
    differences: dict[str, float] = column("the difference of means in {}", spread="difference@{}", head="{}", minor=1)
    difference: float = column("the mean of the run less that of the other, over collections", form="signed")
    low: float = column("where its interval begins, by a bootstrap of topics within collections, of this pair alone")
    high: float = column("where it ends")
    p: float = column("p by the same bootstrap, of this pair alone", form="p")
    p_corrected: float = column("p for all pairs of the measure at once: any pair is as far off by chance", form="p")
    p_strata: float = column(
        "p of the randomisation test over strata, of this pair alone: signs turned topic by topic", form="p", minor=2
    )
    p_mixed: float = column(
        "p for the difference being the same in all collections, by Cochran's Q; undefined where one does not vary",
        form="p",
        minor=1,
    )
    better_in: int = column("collections in which the run has the better mean", minor=3)
    worse_in: int = column("collections in which it has the worse one", minor=3)
