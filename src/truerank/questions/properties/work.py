"""Which measures have which properties: each is looked for in the scores of the same rankings."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from truerank.data.errors import InputError
from truerank.measures.core.base import Measure
from truerank.measures.core.parameters import whole
from truerank.measures.grammar import parse_all
from truerank.measures.table import TABLE
from truerank.questions.properties.axioms import FARTHER, SEVEN
from truerank.questions.properties.examples import SPARE, SearchSpace, drawn
from truerank.questions.properties.interval import IntervalScale
from truerank.questions.properties.numeric import NUMERIC
from truerank.questions.properties.property import Property, Trials, Universe
from truerank.questions.properties.question import ScaleVerdict, Verdict, Verdicts
from truerank.questions.properties.regions import regions
from truerank.questions.properties.scoring import (
    AS_THEY_ARE,
    BINARY,
    Block,
    OnScale,
    blocks,
    orders_all,
    scales,
    score,
    scores,
)
from truerank.statistics.level import EQUAL
from truerank.track.track import Progress

PROPERTIES = {each.name: each for each in (*SEVEN, *NUMERIC, IntervalScale())}


def chosen(names: str | Iterable[str] | None) -> tuple[Property, ...]:
    """Properties by their names or how these begin; all of them without any.

    >>> [each.name for each in chosen("recall, deep")]
    ['Recall', 'Deepness threshold']
    """
    if names is None:
        return tuple(PROPERTIES.values())
    wanted = names.split(",") if isinstance(names, str) else list(names)
    found = dict.fromkeys(_named(name) for name in wanted)
    if not found:
        raise InputError("no property given; name at least one, such as Priority")
    return tuple(found)


def _named(name: object) -> Property:
    if not isinstance(name, str):
        raise InputError(f"a property is named, as in 'Priority', not {name!r}")
    given = name.strip().lower().replace("_", "-").replace("iza", "isa")
    known = [each for each in PROPERTIES.values() if given and each.name.lower().startswith(given)]
    exact = [each for each in known if each.name.lower() == given]
    if len(exact or known) != 1:
        which = f"{name!r} is more than one property" if known else f"there is no property {name!r}"
        raise InputError(f"{which}; there are {', '.join(PROPERTIES)}")
    return (exact or known)[0]


_DISCERNED = 3
"""Length of the rankings that tell whether a measure tells levels of relevance apart."""


def verdicts(
    measures: str | Measure | Iterable[str | Measure] | None,
    names: str | Iterable[str] | None,
    *,
    longest: int,
    seed: int,
    progress: Progress | None,
    along: bool = False,
) -> Verdicts:
    """The verdicts on measures, one after the other."""
    whole("seed", seed, least=0)
    search = SearchSpace(longest, seed)
    wanted = tuple(TABLE.values()) if measures is None else parse_all(measures)
    for measure in wanted:
        if measure.needs_pool:
            raise InputError(f"{measure} asks which runs made the pool, and a ranking alone has none; leave it out")
    stated = chosen(names)
    if along and measures is None:
        raise InputError(
            "regions are those of measures that are named; give one, as in: truerank properties RBP --regions"
        )
    by_value = (
        regions(wanted, stated, lambda one, some: _verdicts(one, some, _worth_trying(search, one)), progress)
        if along
        else ()
    )
    found: list[Verdict] = []
    for done, measure in enumerate(wanted, 1):
        found += _verdicts(measure, stated, _worth_trying(search, measure))
        if progress is not None:
            progress(str(measure), done, len(wanted))
    return Verdicts(
        verdicts=tuple(found),
        wanted=wanted,
        properties={each.name: each for each in stated},
        longest=longest,
        seed=seed,
        by_value=by_value,
    )


def _verdicts(measure: Measure, stated: tuple[Property, ...], search: SearchSpace) -> list[Verdict]:
    layout, trials = _universe(stated, search)
    on: dict[str, list[ScaleVerdict]] = {each.name: [] for each in stated}
    for scale in map(discerned, scales(measure)):
        found = scores(layout, scale, measure)
        for each, its in zip(stated, trials, strict=True):
            on[each.name].append(ScaleVerdict(scale.name, tuple(each.verdicts(its, found)), each.satisfied))
    return [
        Verdict(
            measure=str(measure),
            property=each.name,
            about=each,
            scales=tuple(on[each.name]),
        )
        for each in stated
    ]


COLLECTION = 20_000
"""Documents of a collection that is ordered as a whole, where its size is not given: as many as in the paper."""


def _worth_trying(search: SearchSpace, measure: Measure) -> SearchSpace:
    """What a measure makes worth trying; most share one search."""
    cutoff, size = measure.core.cutoff, getattr(measure.core, "size", None)
    if size is None and orders_all(measure):
        size = COLLECTION
    return replace(
        search,
        cutoff=cutoff if cutoff is not None and cutoff + 2 > search.sparse else None,
        size=size if size is not None and size >= 2 * FARTHER[0] else None,
        spare=SPARE if orders_all(measure) else search.spare,
    )


@lru_cache(maxsize=8)
def _universe(stated: tuple[Property, ...], search: SearchSpace) -> tuple[tuple[Block, ...], tuple[Trials, ...]]:
    """The trials of properties, which are the same for all measures."""
    universe = Universe()
    trials = tuple(universe.ask(each.trials(search)) for each in stated)
    return blocks(universe.examples), trials


def discerned(scale: OnScale) -> OnScale:
    """The scale with two levels only, where a measure without a scale of its own scores the third as the second.

    Otherwise a measure that asks for no more than whether documents are relevant would seem to lack Priority.
    """
    if scale.name != AS_THEY_ARE:
        return scale
    layout = blocks(
        [
            drawn(grades, missing, top=2)
            for length in range(1, _DISCERNED + 1)
            for grades in product((0, 1, 2), repeat=length)
            for missing in ((), (2,))
        ]
    )
    merged = replace(scale, grades={**scale.grades, 2: (0.0, 1.0, 1.0)})
    if not np.allclose(score(layout, scale), score(layout, merged), rtol=EQUAL, atol=0.0, equal_nan=True):
        return scale
    return OnScale(BINARY, {1: scale.measure[1]}, {1: scale.grades[1]})
