"""Which measures have which properties."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import lru_cache

from truerank.analysis.properties.base import Property
from truerank.analysis.properties.blocks import Block, blocks
from truerank.analysis.properties.comparison import Asked, Universe
from truerank.analysis.properties.levels import discerned
from truerank.analysis.properties.published import ROWS, claim
from truerank.analysis.properties.results import ScaleFound, Verdict, Verdicts
from truerank.analysis.properties.scales import scales
from truerank.analysis.properties.scoring import scores
from truerank.analysis.properties.search import LONGEST, Search
from truerank.analysis.properties.table import SEVEN, chosen
from truerank.analysis.properties.thresholds import FARTHER
from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import whole
from truerank.measures.grammar import parse_all
from truerank.measures.table import TABLE


def properties(
    measures: str | Measure | Iterable[str | Measure] | None = None,
    *,
    property: str | Iterable[str] | None = None,  # noqa: A002
    longest: int = LONGEST,
    published: bool = False,
    seed: int = 0,
    progress: Callable[[str], object] | None = None,
) -> Verdicts:
    """Tell which formal properties measures have, and show rankings that prove it where they do not.

    Without ``measures`` the whole catalogue is looked at; ``property`` names some properties only. All rankings of two
    levels of relevance up to the length ``longest`` are tried, and shorter ones of three; then longer ones, some of
    them drawn at random by ``seed``. Each verdict is "strict", "equal" on some case or "reversed" on some, with the
    smallest rankings that show it, their scores, the scale of relevance and the reading of the property; "depends"
    where readings differ. A measure of one's own works too, see ``measure``.

    ``published`` compares with the claims of Amigó, Mizzaro & Spina (SIGIR 2022), by default for the measures of their
    Table 1.

    >>> found = properties("AP RBP(p=0.75)", property=["Top-weightedness", "Shallowness threshold"])
    >>> print(found["AP"]["Top-weightedness"].outcome, "|", found["AP"]["Top-weightedness"].witness.said)
    reversed | 00000101, R = 2: the swap at rank 5 gives 0.2250, the swap at rank 7 gives 0.2262
    >>> found["RBP(p=0.75)"]["Shallowness threshold"].holds
    False
    """
    whole("seed", seed, least=0)
    usual = ROWS if published else TABLE
    wanted = tuple(usual.values()) if measures is None else parse_all(measures)
    asked_for = SEVEN if published and property is None else chosen(property)
    found = {}
    for measure in wanted:
        found[str(measure)] = _verdicts(measure, asked_for, _search(measure, longest, seed))
        if progress is not None:
            progress(str(measure))
    return Verdicts(wanted, found, asked_for, Search(longest, seed), published)


def _verdicts(measure: Measure, wanted: tuple[Property, ...], search: Search) -> dict[str, Verdict]:
    if measure.needs_pool:
        raise InputError(f"{measure} asks which runs made the pool, and a ranking alone has none; leave it out")
    layout, asked = _universe(wanted, search)
    results: dict[str, list[ScaleFound]] = {each.name: [] for each in wanted}
    for scale in map(discerned, scales(measure)):
        found = scores(layout, scale, measure)
        for each, comparisons in zip(wanted, asked, strict=True):
            results[each.name].append(ScaleFound(scale.name, tuple(each.found(comparisons, found)), each.satisfied))
    return {
        each.name: Verdict(str(measure), each, tuple(results[each.name]), claim(measure, each.name)) for each in wanted
    }


def _search(measure: Measure, longest: int, seed: int) -> Search:
    """What a measure makes worth trying; most share one search."""
    search, cutoff, size = Search(longest, seed), measure.core.cutoff, getattr(measure.core, "size", None)
    return replace(
        search,
        cutoff=cutoff if cutoff is not None and cutoff + 2 > search.sparse else None,
        size=size if size is not None and size >= 2 * FARTHER[0] else None,
    )


@lru_cache(maxsize=8)
def _universe(wanted: tuple[Property, ...], search: Search) -> tuple[tuple[Block, ...], tuple[Asked, ...]]:
    """The comparisons of properties, which are the same for all measures."""
    universe = Universe()
    asked = tuple(universe.ask(each.comparisons(search)) for each in wanted)
    return blocks(universe.cases), asked
