"""Random walks where there are too many states to visit.

Here the seats do not forget: each keeps its ledger from step to step, with all that it has received
and not stored, except that now and then one crashes and starts from its journal. A step is chosen
by a hash of the seed, the walk and the step: a seat does something by itself, or is told something
that others have sent or that a Byzantine seat makes up. Every few steps, and at the end, the state
that the journals make up is judged like a visited one, which includes healing.

Walks share what they have found. Two journals of different walks may be alike in all that a seat
goes by, and hold seals of another that state different ranks: in each walk it has signed one of the
two. So here journals are the same only if they hold the same statements; otherwise a seat would be
healed with what was signed in another walk, and both seals together name whom neither names alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from nodealer.kernel import Seat, digest
from nodealer.ledger import Ledger, LedgerMessage, Ready
from tests.ledger.explore.ends import Ends
from tests.ledger.explore.moves import Seats, State
from tests.ledger.explore.nodes import restarted, told
from tests.ledger.explore.setting import Setting
from tests.ledger.explore.visit import Bad, Outcome

DOMAIN = "explorer"

CRASHES = 16
"""One step of so many is a crash."""

DEEDS = 4
"""One step of so many is something that a seat does by itself."""

JUDGED = 8
"""The state is judged after every so many steps."""


@dataclass
class Walker:
    """A seat on a walk: what it holds in memory, and what it has stored."""

    seat: Seat
    ledger: Ledger
    records: tuple[LedgerMessage, ...]


class Walks:
    """Random walks over the ledgers of a table."""

    def __init__(self, setting: Setting, seed: int = 0) -> None:
        self.table = Seats(setting)
        self.table.is_exact = True
        self.ends = Ends(self.table)
        self.seed = seed

    def run(self, walks: int, length: int) -> Outcome:
        """Take so many walks, each of so many steps; stop at a bad end."""
        outcome = Outcome(is_whole=False)
        for walk in range(walks):
            outcome.states += 1
            bad = self._walk(walk, length)
            if bad is not None:
                outcome.bad.append(bad)
                outcome.bad_states += 1
                break
        outcome.nodes = len(self.table.nodes)
        return outcome

    def _walk(self, walk: int, length: int) -> Bad | None:
        seats = [Walker(node.seat, node.ledger, node.records) for node in self.table.first_state()]
        path: list[str] = []
        for step in range(1, length + 1):
            chance = int.from_bytes(digest(DOMAIN, self.seed, walk, step), "big")
            chance, place = divmod(chance, len(seats))
            label, ready = self._step(seats, place, chance)
            if ready.persist:
                path.append(f"seat {seats[place].seat} {label}: {told(ready)}")
            named = self.table.accused(seats[place].ledger)
            if named is not None:
                return Bad(f"an honest seat is named: {named}", tuple(path))
            if step % JUDGED == 0 or step == length:
                what = self.ends.bad(self._state(seats))
                if what is not None:
                    return Bad(what, tuple(path))
        return None

    def _step(self, seats: list[Walker], place: int, chance: int) -> tuple[str, Ready]:
        walker = seats[place]
        chance, is_crash = divmod(chance, CRASHES)
        chance, is_deed = divmod(chance, DEEDS)
        if is_crash == 0:
            label = "restarts"
            walker.ledger, ready = restarted(self.table.read(walker.seat, walker.records, None))
        else:
            deeds = list(self.table.deeds(walker.ledger)) if is_deed == 0 else []
            if deeds:
                label, (walker.ledger, ready) = deeds[chance % len(deeds)]
            else:
                label, (walker.ledger, ready) = self._told(seats, place, chance)
        walker.records += ready.persist
        return label, ready

    def _told(
        self, seats: list[Walker], place: int, chance: int
    ) -> tuple[str, tuple[Ledger, Ready]]:
        walker, sent = seats[place], 0
        for other in seats:
            if other is not walker:
                sent |= self.table.sent_of(other.seat, other.records)
        own = self.table.sent_of(walker.seat, walker.records)
        offers = self.table.offered(walker.ledger, self.table.near(walker.ledger, sent), own)
        if not offers:
            return "waits", (walker.ledger, Ready())
        number = offers[chance % len(offers)]
        label = f"gets {self.table.describe(number)}"
        return label, walker.ledger.receive(self.table.messages[number])

    def _state(self, seats: list[Walker]) -> State:
        return tuple(self.table.node(one.seat, one.records, 0) for one in seats)
