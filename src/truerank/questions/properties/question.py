"""The question: which formal properties do measures have?"""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, Annotated, Any

from truerank.questions.properties.answer import LONGEST, Verdicts
from truerank.questions.signature import question
from truerank.report.signature import Argument, Option

if TYPE_CHECKING:
    from truerank.track.track import Progress

Named = Annotated[Any, Argument("[MEASURE]...", many=True, required=False)]


@question()
def properties(
    measures: Named = None,
    *,
    property: Annotated[  # noqa: A002 - what it is called on screen
        Any, Option("A property, or how its name begins; repeatable.", metavar="PROPERTY", many=True)
    ] = None,
    longest: Annotated[int, Option("Length up to which all rankings are tried.", metavar="N")] = LONGEST,
    seed: Annotated[int, Option("Of what is drawn at random.", least=0, most=inf)] = 0,
    regions: Annotated[
        bool, Option("Find for which p, e, beta, T and cutoff each property holds; of a measure that has them.")
    ] = False,
    progress: Progress | None = None,
) -> Verdicts:
    """Tell which formal properties measures have, with the smallest rankings that show it.

    Looks for counter-examples among all short rankings and some longer ones. Without a measure it goes through the
    whole catalogue.

    Example:
      truerank properties AP
      truerank properties "RBP(p=0.75)" "RBP(p=0.76)" --property shallowness --show witnesses
      truerank properties RBPU --regions --plot regions.svg

    In Python, ``measures`` is a measure, several in a string, or a list; a measure of one's own works too, see
    ``measure``. All rankings of two levels of relevance up to the length ``longest`` are tried, and shorter ones of
    three; then longer ones, some of them drawn at random by ``seed``. Each verdict is "strict", "equal" on some ranking
    or "reversed" on some, with the smallest rankings that show it, their scores, the scale of relevance and the reading
    of the property; "depends" where readings differ. ``regions`` has for each parameter, the others being as given, the
    values for which each property holds, as ``by_value``: bounds that are proved, and others by bisection between
    verdicts of the same search.

    >>> found = properties("AP RBP(p=0.75)", property=["Top-weightedness", "Shallowness threshold"])
    >>> print(found["AP"]["Top-weightedness"].outcome, "|", found["AP"]["Top-weightedness"].witness)
    reversed | 00000101, R = 2: the swap at rank 5 gives 0.2250, the swap at rank 7 gives 0.2262
    >>> found["RBP(p=0.75)"]["Shallowness threshold"].holds
    False
    """
    from truerank.questions.properties.work import verdicts

    return verdicts(measures, property, longest=longest, seed=seed, progress=progress, along=regions)
