"""``python -m truerank`` is the command ``truerank``."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from truerank.cli.interrupt import INTERRUPTED, begin, end_at_once, wait_for_order

THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS")
"""What says how many threads numpy's library of linear algebra starts when it is imported; the first counts."""


def main() -> None:
    """Run the program, which is imported once it can be stopped without a word."""
    begin()
    if not any(name in os.environ for name in THREADS):
        # They are for products of large matrices; to start them costs a short command more than all of its own work.
        os.environ[THREADS[0]] = "1"
    from truerank.cli.main import main as run

    try:
        run()
    except KeyboardInterrupt:
        leave(INTERRUPTED)
    except SystemExit as ended:
        leave(ended.code)


def leave(code: str | int | None) -> None:
    """End the program; at once, where something is still read ahead that nobody waits for any more.

    When the interpreter takes itself apart it stops such a thread wherever it is, and a library that is in the middle
    of a file may then take the whole process down, with a signal in place of the exit code.
    """
    wait_for_order()
    temporary = sys.modules.get("truerank.io.temporary")
    if temporary is not None:
        temporary.remove_all()
    end_at_once()
    parallel = sys.modules.get("truerank.data.parallel")
    if parallel is not None and parallel.is_ahead() and not isinstance(code, str):
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        os._exit(code or 0)
    # All memory is given back in a moment; what of it is garbage need not be found out before.
    gc.freeze()
    sys.exit(code)


if __name__ == "__main__":
    main()
