"""The table of properties."""

from __future__ import annotations

from collections.abc import Iterable

from truerank.data.errors import InputError
from truerank.questions.properties.axioms import SEVEN
from truerank.questions.properties.numeric import NUMERIC
from truerank.questions.properties.property import Property

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
