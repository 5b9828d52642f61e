"""Libraries that an installation may do without, asked for before work starts."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from truerank.data.errors import MissingLibraryError

EXTRAS = {"scipy": "stats", "altair": "plot", "vl_convert": "plot", "pyarrow": "parquet", "pyspark": "spark"}
"""Libraries by the extra that installs them; others are installed by their own name."""


def needed(module: str, what: str, extra: str = "") -> Any:
    """Import a library, or a part of it; where it is missing, say ``what`` needs it and how to get it.

    ``extra`` installs all that is needed, where that is more than this library.

    >>> needed("json", "a test").__name__
    'json'
    >>> needed("no_such_library", "a test")
    Traceback (most recent call last):
    ...
    truerank.data.errors.MissingLibraryError: a test needs no_such_library; install it with: pip install no_such_library
    """
    library = module.partition(".")[0]
    try:
        import_module(library)
        return import_module(module)
    except ImportError:
        extra = extra or EXTRAS.get(library, "")
        how = f"install truerank[{extra}]" if extra else f"install it with: pip install {library}"
        raise MissingLibraryError(f"{what} needs {library}; {how}") from None
