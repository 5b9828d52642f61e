"""``python -m truerank.compat.ir_measures``: ir_measures' own command, with truerank's measures beside its own."""

from __future__ import annotations

import sys
from importlib import import_module

from truerank.compat.ir_measures.plugin import register


def main() -> None:
    """Make our measures known to ir_measures, and hand over to its command."""
    try:
        register()
    except ImportError as error:
        sys.exit(f"truerank: {error}; without it there is: truerank evaluate QRELS RUN --like ir_measures")
    import_module("ir_measures.__main__").main_cli()


if __name__ == "__main__":
    main()
