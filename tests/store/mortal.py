"""A game against a player whose process is killed again and again, and starts again each time.

    python -m tests.store.mortal FOLDER STRIDE

Seat 0 plays in a process of its own from its journal; seat 1 plays here, in memory. Each process of
seat 0 kills itself with SIGKILL after some calls with which the store touches the disk, another
number each time, and so on until the game is closed. What was on its way is lost with it. At the
end the number of deaths and the tip of seat 1 are printed; whoever looks can compare it with the
journal that is left.

The two talk by turns: one message to the process, then everything that comes back, then an empty
one.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from nodealer.crypto import SECP256K1
from nodealer.deck import Keyring
from nodealer.games.registry import game
from nodealer.kernel import Seat
from nodealer.ledger import AskAction, Ready, read, write
from nodealer.ledger.objects import Evidence
from nodealer.ledger.ready import Suspect
from nodealer.store.opening import create, open_journal
from nodealer.store.seats import come_back_to
from nodealer.table import Player, Setting, Table, check_charter, sit_down
from tests.store.dying import killing_at
from tests.store.players import charter_for, home_in, identity_of, origin_of, seed_of, store

CHARTER = charter_for(2)
MORTAL, IMMORTAL = Seat(0), Seat(1)
LENGTH_BYTES = 4
STARTS_MAX = 200
"""Whoever lives so often, and is not through, achieves nothing in its lives."""

LEAST, SPREAD = 45, 41
"""Coming back takes some forty calls; a life that is shorter would achieve nothing."""

NEVER = 0
"""No call has this number."""


def send(handle: int, data: bytes) -> None:
    """Send a frame."""
    os.write(handle, len(data).to_bytes(LENGTH_BYTES, "big") + data)


def taken(handle: int) -> bytes | None:
    """Return the next frame; none if the other end is gone, also in the middle of a frame."""
    head = _exactly(handle, LENGTH_BYTES)
    return None if head is None else _exactly(handle, int.from_bytes(head, "big"))


def _exactly(handle: int, length: int) -> bytes | None:
    found = b""
    while len(found) < length:
        more = os.read(handle, length - len(found))
        if not more:
            return None
        found += more
    return found


def acted(table: Table) -> tuple[Table, Ready] | None:
    """Let the player act if it is asked."""
    asked = any(isinstance(ask, AskAction) for ask in table.ledger.asked)
    return table.act(table.legal()[0]) if asked and not table.position.is_closed else None


def play_mortal(folder: Path, point: int, incoming: int, outgoing: int) -> None:
    """Play seat 0 from its journal, until this process has touched the disk often enough."""
    home = home_in(folder)
    sys.setprofile(killing_at(point))
    with closing(open_journal(home.profile, CHARTER.table, home.identity)) as journal:
        table, ready = come_back_to(journal)
        assert journal.doubt is None, "a crash is nothing to be in doubt about"
        while True:
            store(journal, table, ready)
            for one in ready.send:
                send(outgoing, write(one.message))
            more = acted(table)
            if more is None:
                send(outgoing, b"")
                data = taken(incoming)
                if data is None:
                    break
                more = table.receive(read(data), IMMORTAL) if data else table.tell()
            table, ready = more
    sys.setprofile(None)


class Immortal:
    """Seat 1, in memory."""

    def __init__(self) -> None:
        ring = Keyring(SECP256K1, IMMORTAL, seed_of(IMMORTAL))
        player = Player(ring, identity_of(IMMORTAL).signer)
        setting = Setting(check_charter(CHARTER), game("macaua"))
        self.waiting: list[bytes] = []
        self.faults: list[str] = []
        self.done(*sit_down(setting, player))

    def done(self, table: Table, ready: Ready) -> None:
        """Take what the table came to."""
        self.table = table
        self.waiting += [write(one.message) for one in ready.send]
        self.faults += [str(event) for event in ready.show if isinstance(event, Evidence | Suspect)]
        if (more := acted(table)) is not None:
            self.done(*more)

    def receive(self, data: bytes) -> None:
        """Take in a message."""
        self.done(*self.table.receive(read(data), MORTAL))


def life(folder: Path, point: int, other: Immortal) -> bool:
    """Let one process of seat 0 live; say whether it was killed."""
    there, incoming = os.pipe()
    back, outgoing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(incoming)
        os.close(back)
        play_mortal(folder, point, there, outgoing)
        os._exit(0)
    os.close(there)
    os.close(outgoing)
    other.waiting.clear()
    other.done(*other.table.tell())
    for data in conversation(back, incoming, other):
        other.receive(data)
    os.close(incoming)
    os.close(back)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
        return True
    if status:
        raise SystemExit(f"the process ended with {status}")
    return False


def conversation(back: int, incoming: int, other: Immortal) -> Iterator[bytes]:
    """Yield what comes from the process, and give it what waits for it, until all is said."""
    has_told = False
    while (data := taken(back)) is not None:
        if data:
            yield data
        elif other.waiting or not has_told:
            has_told = has_told or not other.waiting
            try:
                send(incoming, other.waiting.pop(0) if other.waiting else b"")
            except BrokenPipeError:
                return
        else:
            return


def main(place: str, stride: int) -> None:
    """Play a game."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    folder = Path(place)
    home = home_in(folder)
    create(home.profile, origin_of(CHARTER, MORTAL), home.identity, seed_of(MORTAL)).close()
    other = Immortal()
    deaths = 0
    while not other.table.position.is_closed and deaths < STARTS_MAX:
        deaths += life(folder, LEAST + deaths * stride % SPREAD, other)
    if deaths == STARTS_MAX:
        raise SystemExit("it does not come to an end")
    if life(folder, NEVER, other):
        raise SystemExit("nobody has killed it")
    told = {
        "deaths": deaths,
        "closed": other.table.position.is_closed,
        "tip": other.table.ledger.tip.id.hex(),
        "faults": other.faults,
    }
    sys.stdout.write(json.dumps(told) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
