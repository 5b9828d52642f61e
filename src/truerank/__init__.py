"""truerank: evaluate rankings, with every choice that a score hides made explicit.

>>> import truerank as tr
>>> scores = tr.evaluate({"q1": {"a": 1}}, {"q1": ["b", "a"]}, "RR nDCG@10")
>>> scores["run"]["RR"].mean
0.5
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# Names are imported when first used: the command line answers --help without waiting for numpy, and until it runs there
# is hardly a moment in which stopping it would show where. They are listed once, where type checkers look for them.
_HOMES: dict[str, tuple[str, str]] = {}


def _homes() -> dict[str, tuple[str, str]]:
    """Where each public name is at home, and what it is called there."""
    if not _HOMES:
        import re

        stub = __loader__.get_data(f"{__file__}i").decode()  # type: ignore[name-defined]
        found = {name: (home, name) for home, name in re.findall(r"from (truerank\.\S+) import \w+ as (\w+)", stub)}
        found |= {
            name: (f"truerank.io.{home}", there) for name, home, there in re.findall(r"(\w+) = (\w+)\.(\w+)", stub)
        }
        _HOMES.update(found)
    return _HOMES


def at_home(name: str) -> Any:
    """What a public name stands for, whatever else has been imported by that name."""
    from importlib import import_module

    home, there = _homes()[name]
    return getattr(import_module(home), there)


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name == "measures":
        # The package of that name is also the function: importing a measure binds it here.
        return import_module("truerank.measures")
    if name in _homes():
        return at_home(name)
    if not name.startswith("_"):
        from truerank.measures.grammar import parse
        from truerank.measures.table import ALIASES, TABLE

        if name in TABLE or name in ALIASES:
            return parse(name)
        from truerank.questions import aliases

        if name in aliases.ALIASES:
            return aliases.deprecated(name)
    raise AttributeError(f"module 'truerank' has no attribute {name!r}")


def __dir__() -> list[str]:
    from truerank.measures.table import TABLE

    return sorted([*_homes(), *TABLE])
