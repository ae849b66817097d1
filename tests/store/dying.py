"""Processes that are killed at every point at which the store touches the disk.

    python -m tests.store.dying SCENARIO FOLDER STRIDE

A scenario prepares a folder and then does something with it. It is done again and again, each time
in a process of its own and in a folder of its own, FOLDER/1, FOLDER/2, …, and the n-th process
kills itself with SIGKILL before the n-th call that the store makes to the system or the database;
until one comes through. With a stride above 1 only every so many of them are tried. What a process
has finished it writes to the file `done` in its folder. The number of those that were killed is
printed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from types import FrameType, MappingProxyType
from typing import Final

from nodealer.crypto.boxes import Cost
from nodealer.store.identity import create_identity, protect
from nodealer.store.moving import arrive, leave
from nodealer.store.opening import create, open_journal
from tests.store.players import charter_for, home_in, identity_of, origin_of, places_in, seed_of
from tests.store.playing import recorded

CHARTER = charter_for(2)
_CALLS: Final = """
open close write pwrite ftruncate fsync flock link unlink replace rename mkdir
connect execute executemany
"""
TOUCHING: Final = frozenset(_CALLS.split())
"""The calls before which a process is killed."""

CHEAP = Cost(10)
SECURED = "a long passphrase"
POINTS_MAX: Final = 2_000

Act = Callable[[Path], None]


def finished(folder: Path, what: str) -> None:
    """Write down that something was finished."""
    with (folder / "done").open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")
        file.flush()


def nothing(folder: Path) -> None:
    """Prepare nothing but the folder itself."""
    folder.mkdir()


def a_journal(folder: Path) -> None:
    """Prepare a journal of one batch."""
    folder.mkdir()
    home = home_in(folder)
    with closing(create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))) as made:
        made.append(recorded().after(0, 0)[0])


def make_one(folder: Path) -> None:
    """Make a journal."""
    home = home_in(folder)
    made = create(home.profile, origin_of(CHARTER, 0), home.identity, seed_of(0))
    finished(folder, "made")
    made.close()


def append(folder: Path) -> None:
    """Open a journal, store two batches and close it."""
    with closing(open_journal(home_in(folder).profile, CHARTER.table, identity_of(0))) as journal:
        for number in (1, 2):
            journal.append(recorded().after(0, 0)[number])
            finished(folder, str(number))


def draw(folder: Path) -> None:
    """Draw an identity."""
    profile = places_in(folder).profile()
    profile.make()
    create_identity(profile.key)
    finished(folder, "drawn")


def reprotect(folder: Path) -> None:
    """Put an identity under a passphrase."""
    protect(home_in(folder).profile.key, None, SECURED, CHEAP)
    finished(folder, "protected")


def move_away(folder: Path) -> None:
    """Move a profile to a file."""
    profile = home_in(folder).profile
    leave(profile, None, folder / "moved", secured_by=SECURED, why="moved", cost=CHEAP)
    finished(folder, "left")


def a_file(folder: Path) -> None:
    """Prepare the file of a move."""
    a_journal(folder)
    move_away(folder)
    (folder / "done").unlink()


def move_in(folder: Path) -> None:
    """Put the file of a move in place, on another machine."""
    there = places_in(folder / "there").profile()
    arrive(there, folder / "moved", secured_by=SECURED, cost=CHEAP)
    finished(folder, "arrived")


SCENARIOS: Final[Mapping[str, tuple[Act, Act]]] = MappingProxyType(
    {
        "make": (nothing, make_one),
        "append": (a_journal, append),
        "draw": (nothing, draw),
        "protect": (a_journal, reprotect),
        "leave": (a_journal, move_away),
        "arrive": (a_file, move_in),
    }
)


def killing_at(point: int) -> Callable[[FrameType, str, object], None]:
    """Return a profiler that kills this process before the n-th touching call of the store."""
    left = point

    def profile(frame: FrameType, event: str, called: object) -> None:
        nonlocal left
        touches = event == "c_call" and getattr(called, "__name__", "") in TOUCHING
        if touches and _is_of_store(frame):
            left -= 1
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return profile


def _is_of_store(frame: FrameType | None) -> bool:
    """Say whether the store calls, itself or by a path."""
    while frame is not None and _module(frame).startswith("pathlib"):
        frame = frame.f_back
    return frame is not None and _module(frame).startswith("nodealer.store")


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", ""))


def killed_at(point: int, act: Act, folder: Path) -> bool:
    """Do it in a process of its own; say whether it was killed."""
    child = os.fork()
    if child == 0:
        sys.setprofile(killing_at(point))
        act(folder)
        sys.setprofile(None)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status:
        raise SystemExit(f"the process that dies at {point} ended with {status}")
    return False


def main(scenario: str, place: str, stride: int) -> None:
    """Kill one process after the other."""
    prepare, act = SCENARIOS[scenario]
    recorded()
    for killed, point in enumerate(range(1, POINTS_MAX, stride)):
        folder = Path(place) / str(point)
        prepare(folder)
        if not killed_at(point, act, folder):
            sys.stdout.write(f"{killed}\n")
            return
    raise SystemExit("it never comes through")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
