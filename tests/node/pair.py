"""Two ends of a link and the connections between them, moved by hand: no tasks and no real time.

A wire is one connection. Bytes written at one end wait until the test delivers them; each end
learns on its own, and late if the test likes, that a wire was opened or is broken. What was not
delivered when an end loses its wire is lost, as with real ones.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from nodealer.kernel import Cause
from nodealer.node.transport.frames import RunId
from nodealer.node.transport.session import LinkSession
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.timing import SECOND_US
from nodealer.node.transport.windows import Began

LEADER, FOLLOWER = 0, 1


@dataclass(slots=True)
class Wire:
    """One connection; `numbers` are None before an end has heard of it and after it is gone."""

    numbers: list[int | None] = field(default_factory=lambda: [None, None])
    waiting: list[bytearray] = field(default_factory=lambda: [bytearray(), bytearray()])
    is_known: list[bool] = field(default_factory=lambda: [False, False])
    is_broken: bool = False


class Pair:
    """Two sessions, the one at 0 leading."""

    def __init__(self, start: int = 0) -> None:
        self.now = start
        self.runs = 0
        self.wires: list[Wire] = []
        self.offered: list[list[bytes]] = [[], []]
        self.taken: list[list[bytes | Began]] = [[], []]
        self.sessions = [self.new_session(LEADER), self.new_session(FOLLOWER)]

    def new_session(self, end: int) -> LinkSession:
        self.runs += 1
        return LinkSession(RunId(bytes([self.runs]) * 16), leads=end == LEADER, now=self.now)

    # --- what a test can do ---

    def open(self, *ends: int) -> Wire:
        """Open a wire; the ends named (or both) know it at once."""
        wire = Wire()
        self.wires.append(wire)
        for end in ends or (LEADER, FOLLOWER):
            self.learn(wire, end)
        return wire

    def learn(self, wire: Wire, end: int) -> None:
        """Let an end hear that a wire was opened."""
        if not wire.is_known[end]:
            wire.is_known[end] = True
            wire.numbers[end] = self.sessions[end].attach(self.now)
            self.pump()

    def send(self, end: int, payload: bytes) -> bool:
        """Let an end send something."""
        was_taken = self.sessions[end].offer(payload)
        if was_taken:
            self.offered[end].append(payload)
        self.pump()
        return was_taken

    def deliver(self, wire: Wire, end: int, count: int | None = None) -> None:
        """Let so many bytes arrive at an end."""
        waiting, number = wire.waiting[end], wire.numbers[end]
        if not wire.is_known[end]:
            return
        chunk = bytes(waiting[:count])
        del waiting[:count]
        if chunk and number is not None:
            self.sessions[end].bytes_in(number, chunk, self.now)
        self.pump()

    def take(self, end: int) -> bytes | Began | None:
        """Let an end take what has arrived next."""
        item = self.sessions[end].take(self.now)
        if item is not None:
            self.taken[end].append(item)
        self.pump()
        return item

    def lose(self, wire: Wire, end: int, cause: Cause = Cause.BROKEN) -> None:
        """Let an end notice that a wire is gone, with all that has not arrived."""
        wire.is_broken = True
        number = wire.numbers[end]
        wire.numbers[end] = None
        wire.waiting[end].clear()
        if number is not None:
            self.sessions[end].lost(number, cause, self.now)
        self.pump()

    def pass_time(self, microseconds: int) -> None:
        """Let time pass, both ends looking whenever they asked to."""
        until = self.now + microseconds
        while self.now < until:
            asked = min(s.wake for s in self.sessions)
            self.now = min(until, max(asked, self.now + 1))
            for session in self.sessions:
                session.tick(self.now)
            self.pump()

    def restart(self, end: int) -> None:
        """Let the program of an end stop without a word and start again."""
        for wire in self.wires:
            self.lose(wire, end)
            wire.is_known[end] = True  # a wire to the former run is none to this one
        self.sessions[end] = self.new_session(end)
        self.offered[end] = []
        self.pump()

    # --- what follows by itself ---

    def pump(self) -> None:
        """Write what the sessions want written, and drop the wires that they do not want."""
        for wire in self.wires:
            for end in (LEADER, FOLLOWER):
                self._serve(wire, end)

    def _serve(self, wire: Wire, end: int) -> None:
        session, number = self.sessions[end], wire.numbers[end]
        if number is None:
            return
        while (data := session.outgoing(number, self.now)) is not None:
            wire.waiting[1 - end] += data
        if not session.is_wanted(number):
            # In good order: what was written still arrives.
            if not session.is_parting(number):
                wire.waiting[1 - end].clear()
            wire.is_broken = True
            wire.numbers[end] = None
            session.lost(number, Cause.BROKEN, self.now)

    def settle(self, rounds: int = 10_000) -> None:
        """Deliver everything, let both take everything, until nothing happens any more."""
        for _ in range(rounds):
            moved = [self._step(wire, end) for wire in self.wires for end in (0, 1)]
            if not any(moved):
                return
        raise AssertionError("the two ends never come to rest")

    def _step(self, wire: Wire, end: int) -> bool:
        has_moved = bool(wire.waiting[end]) and wire.numbers[end] is not None
        if has_moved:
            self.deliver(wire, end)
        elif wire.is_broken and wire.numbers[end] is not None:
            self.lose(wire, end)
            has_moved = True
        while self.take(end) is not None:
            has_moved = True
        return has_moved

    def connect(self) -> Wire:
        """Open a wire and let both ends come up on it."""
        wire = self.open()
        self.settle()
        assert self.is_up
        return wire

    @property
    def is_up(self) -> bool:
        """Whether both ends are up."""
        return all(session.state is LinkState.UP for session in self.sessions)

    def payloads(self, end: int) -> list[bytes]:
        """Return what an end has taken since the last marker."""
        items = self.taken[end]
        markers = [place for place, item in enumerate(items) if isinstance(item, Began)]
        start = markers[-1] + 1 if markers else 0
        return [item for item in items[start:] if isinstance(item, bytes)]


SECONDS = SECOND_US
