"""The name by which this program was called, so that hints can be typed as they stand.

Whoever has started `./scripts/nodealer` in a directory of sources has no `nodealer` on the path,
and who has installed it has no scripts. Sentences of all packages say `nodealer` with a command
behind it, in backquotes or on an example's line of its own; what goes out to people passes through
here.
"""

from __future__ import annotations

import os
import re
import sys
from functools import cache
from pathlib import Path
from typing import Final

CALLED: Final = "NODEALER_CALLED"
"""How `scripts/nodealer` was called, if it has started this program."""

_COMMANDS: Final = re.compile(r"(`|^  |^usage: )nodealer(?= )", re.MULTILINE)
"""A command that somebody is to type: in backquotes, an example in a help, or how it is used."""


@cache
def called() -> str:
    """Return what is to be typed for this program."""
    given = os.environ.get(CALLED) or sys.argv[0]
    import shlex  # noqa: PLC0415 - few starts have anything to hint at
    import shutil  # noqa: PLC0415 - few starts have anything to hint at

    name = Path(given).name
    if name != "nodealer":
        return "python -m nodealer"
    return name if shutil.which(name) == given else shlex.quote(given)


def as_called(text: str) -> str:
    """Return a text with its commands as they are to be typed here."""
    return _COMMANDS.sub(lambda found: f"{found[1]}{called()}", text)
