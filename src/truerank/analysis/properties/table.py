"""The table of properties."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.analysis.properties.base import Property
from truerank.analysis.properties.boundedness import Boundedness
from truerank.analysis.properties.completeness import Completeness
from truerank.analysis.properties.confidence import Confidence
from truerank.analysis.properties.convergence import Convergence
from truerank.analysis.properties.deepness import Deepness
from truerank.analysis.properties.localisation import Localisation
from truerank.analysis.properties.monotonicity import Monotonicity
from truerank.analysis.properties.priority import Priority
from truerank.analysis.properties.realisability import Realisability
from truerank.analysis.properties.recall import Recall
from truerank.analysis.properties.redundancy import Redundancy
from truerank.analysis.properties.shallowness import Shallowness
from truerank.analysis.properties.top_weightedness import TopWeightedness
from truerank.data.errors import InputError

SEVEN: tuple[Property, ...] = (
    Priority(),
    TopWeightedness(),
    Deepness(),
    Shallowness(),
    Confidence(),
    Recall(),
    Redundancy(),
)
"""Amigó, Mizzaro & Spina's."""
NUMERIC: tuple[Property, ...] = (
    Boundedness(),
    Monotonicity(),
    Convergence(),
    Localisation(),
    Completeness(),
    Realisability(),
)
"""Moffat's, but for the one that is Priority."""
PROPERTIES = {each.name: each for each in (*SEVEN, *NUMERIC)}


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
