"""``python -m truerank`` is the command ``truerank``."""

from truerank.cli.main import main

if __name__ == "__main__":
    main()
