"""truerank: evaluate rankings, with every choice that a score hides made explicit.

>>> import truerank as tr
>>> scores = tr.evaluate({"q1": {"a": 1}}, {"q1": ["b", "a"]}, "RR nDCG@10")
>>> scores["run"]["RR"].mean
0.5
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

# Names are imported when first used: the command line answers --help without waiting for numpy. They are listed once,
# where type checkers look for them.
_STUB = __loader__.get_data(f"{__file__}i").decode()  # type: ignore[name-defined]
_HOMES = {name: (home, name) for home, name in re.findall(r"from (truerank\.\S+) import \w+ as (\w+)", _STUB)}
_HOMES |= {name: (f"truerank.io.{home}", there) for name, home, there in re.findall(r"(\w+) = (\w+)\.(\w+)", _STUB)}


def __getattr__(name: str) -> Any:
    if name == "measures":
        # The package of that name is also the function: importing a measure binds it here.
        return import_module("truerank.measures")
    if name in _HOMES:
        home, there = _HOMES[name]
        return getattr(import_module(home), there)
    if not name.startswith("_"):
        from truerank.measures.grammar import parse
        from truerank.measures.table import ALIASES, TABLE

        if name in TABLE or name in ALIASES:
            return parse(name)
    raise AttributeError(f"module 'truerank' has no attribute {name!r}")


def __dir__() -> list[str]:
    from truerank.measures.table import TABLE

    return sorted([*_HOMES, *TABLE])
