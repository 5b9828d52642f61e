"""scipy, which some tests need and nothing else does."""

from __future__ import annotations

from typing import Any

from truerank.data.errors import InputError


def special(what: str) -> Any:
    """``scipy.special``, or an error that says what needs it."""
    try:
        from scipy import special as functions  # type: ignore[import-untyped]
    except ImportError:
        raise _missing(what) from None
    return functions


def distribution(name: str, what: str) -> Any:
    """A distribution of ``scipy.stats``, or an error that says what needs it."""
    try:
        from scipy import stats
    except ImportError:
        raise _missing(what) from None
    return getattr(stats, name)


def _missing(what: str) -> InputError:
    return InputError(f"{what} needs scipy; install truerank[stats]")
