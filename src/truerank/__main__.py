"""``python -m truerank`` is the command ``truerank``."""

import sys

from truerank.cli.interrupt import INTERRUPTED, begin


def main() -> None:
    """Run the program, which is imported once it can be stopped without a word."""
    begin()
    from truerank.cli.main import main as run

    try:
        run()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
