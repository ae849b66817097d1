"""The tests; a package, so that helpers can be imported as `tests.…` wherever a test lives.

The sample game is found wherever they are: those that are programs are started from the top of the
project, as `python -m tests.…`, without more.
"""

import sys
from pathlib import Path

SAMPLE_GAME = str(Path(__file__).parent / "sample_game" / "src")

if SAMPLE_GAME not in sys.path:
    sys.path.append(SAMPLE_GAME)
