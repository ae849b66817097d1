"""`python -m nodealer`: the same as the `nodealer` command."""

import sys

from nodealer.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
