"""One end of a link, without input or output: what it makes of what happens, and what to write.

The caller tells what happens (a connection was opened or lost, bytes came, time passed, somebody
wants to send, take or leave) and then asks: what is to be written on this connection, is it still
wanted, when to look again. The session never waits and keeps no clock; times are given to it in
microseconds.

Theory of operation. A link outlives its connections. Each end has a random name for its run, and
says in its hello whom it has heard before and how much has arrived, so that the other end knows
where to go on (`windows`). The end that leads picks the connection: always the newest one, whoever
dialled it, with a number that grows (`turn`), so that a hello overtaken by a newer one is known as
old. The other end keeps new connections aside until the leading end speaks on one. So two that dial
each other at the same moment, or one that dials again because it knows sooner that a connection is
dead, end up on the same one; and a better path can replace a worse one without losing a byte.

Writing is pulled: `outgoing` returns the next frame, in this order: hello, goodbye, answer to a
ping, ping, payload, acknowledgement. There is no queue of frames that a peer could make grow, only
one place for each of these. Reading never waits for whoever takes the payloads, because the window
bounds what may arrive; so pings are answered however slow the reader is.

A frame that no program sends that follows the page ends the link, with a reason. Whether to try
again, and when, is for the layer above.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from nodealer.kernel import Cause, Ended, PeerError, Reason, digest
from nodealer.node.transport import timing
from nodealer.node.transport.frames import (
    Ack,
    Bye,
    Data,
    Deframer,
    Head,
    Hello,
    Ping,
    Pong,
    RunId,
    read_frame,
    write_frame,
)
from nodealer.node.transport.pulse import Pulse
from nodealer.node.transport.states import FOLLOWING, Happening, LinkState
from nodealer.node.transport.windows import Began, Inbox, Outbox


@dataclass(slots=True)
class _Connection:
    """A connection that is used or may be used; times are those of waiting."""

    hello_by: int | None
    frame_by: int | None = None
    deframer: Deframer = field(default_factory=Deframer)

    def forgive(self, gap: int) -> None:
        self.hello_by = None if self.hello_by is None else self.hello_by + gap
        self.frame_by = None if self.frame_by is None else self.frame_by + gap


NAME: Final = "nodealer/1/meeting"

_WITH_FRAMES: Final = (LinkState.UP, LinkState.LEAVING)


class LinkSession:
    """One end of a link to one peer."""

    def __init__(self, own: RunId, *, leads: bool, now: int, is_kept: bool = True) -> None:
        self.leads = leads
        self.is_kept = is_kept
        """Whether this node wants the link; otherwise it is forgotten without a connection."""
        self.state = LinkState.AWAY
        self.cause = Cause.NOT_TRIED
        self.refusal: PeerError | None = None
        self.is_reached = False
        """Whether the other end has said hello, and was not lost since."""
        self.since = now
        """When that became so."""
        self.ended: Ended | None = None
        """What has ended it last."""
        self.outbox = Outbox()
        self.inbox = Inbox()
        self.pulse = Pulse()
        self._own = own
        self._peer: RunId | None = None
        self._turn = 0
        self._connections: dict[int, _Connection] = {}
        self._parting: dict[int, list[bytes]] = {}
        self._count = 0
        self._current: int | None = None
        self._owes_hello = False
        self._ack_at: int | None = None
        self._leave_by: int | None = None
        self._idle_paid_at = now
        self._away_at = now
        self._looked_at = now
        self._ticked_at = now
        self._woke_at: int | None = None

    @property
    def name(self) -> bytes:
        """What both ends call this meeting of two runs, and nobody else; another after a restart.

        Only once the other end was heard; before, nothing is sent that could need it.
        """
        assert self._peer is not None, "the other end has said hello"
        return digest(NAME, *sorted((self._own, self._peer)))

    # --- what happens ---

    def attach(self, now: int) -> int:
        """Take up a new connection, and return its number; it may not be wanted."""
        self._look(now)
        self._count += 1
        if self.state not in (LinkState.ENDED, LinkState.LEAVING) and self._may_idle():
            self._connections[self._count] = _Connection(hello_by=now + timing.HELLO_US)
            if self.leads:
                self._use(self._count, Cause.REPLACED)
                self._move(Happening.OPENED)
                self._turn += 1
            else:
                self._drop_surplus()
        return self._count

    def lost(self, number: int, cause: Cause, now: int) -> None:
        """Take note that a connection is gone."""
        self._look(now)
        self._parting.pop(number, None)
        if number in self._connections:
            self._lose(number, cause, now)

    def bytes_in(self, number: int, chunk: bytes, now: int) -> None:
        """Take what came on a connection; what breaks the rules ends the link."""
        self._look(now)
        if number == self._current:
            self.pulse.heard(now)
        try:
            self._read(number, chunk, now)
        except PeerError as error:
            self.refusal = error
            self._end(Happening.BROKE_RULES, Cause.REFUSED)
        self._settle(now)

    def tick(self, now: int) -> None:
        """Take note of the time."""
        self._look(now)
        self._ticked_at = now
        for number, connection in list(self._connections.items()):
            if connection.hello_by is not None and now >= connection.hello_by:
                self._lose(number, Cause.MUTE, now)
            elif connection.frame_by is not None and now >= connection.frame_by:
                self._lose(number, Cause.STUCK, now)
        death = self.pulse.death(now) if self.state in _WITH_FRAMES else None
        if death is not None and self._current is not None:
            self._lose(self._current, death, now)
        self._settle(now)

    def offer(self, payload: bytes) -> bool:
        """Send a payload if the window has room for it, and say whether it had."""
        is_open = self.state is not LinkState.ENDED and not self.is_leaving
        if not is_open or not self.outbox.has_room(len(payload)):
            return False
        self.outbox.add(payload)
        return True

    def take(self, now: int) -> bytes | Began | None:
        """Return what has arrived next, if anything has."""
        item = self.inbox.take()
        if self._ack_at is None and self.inbox.owes_word:
            self._ack_at = now + timing.ACK_AFTER_US
        return item

    def goodbye(self, now: int, patience_us: int) -> None:
        """Leave once everything sent is taken, or when patience is over."""
        self._look(now)
        if self._leave_by is None:
            self._leave_by = now + patience_us
        self._settle(now)

    def stop(self, cause: Cause) -> None:
        """End at once, without a word."""
        if self.state is not LinkState.ENDED:
            self._end(Happening.GIVEN_UP, cause)

    # --- what to do ---

    def outgoing(self, number: int, now: int) -> bytes | None:
        """Return the next frame to be written on a connection, if there is one."""
        if self._parting.get(number):
            return self._parting[number].pop()
        if number != self._current:
            return None
        head, payload = self._next(now)
        return None if head is None else write_frame(head, payload)

    def is_wanted(self, number: int) -> bool:
        """Say whether a connection is used or may be used."""
        return number in self._connections

    def is_parting(self, number: int) -> bool:
        """Say whether a connection that is not wanted ends in good order: closed, not broken."""
        return number in self._parting

    @property
    def current(self) -> int | None:
        """The number of the connection that is used."""
        return self._current

    @property
    def needs_connection(self) -> bool:
        """Whether somebody should dial."""
        has_business = not self.is_leaving or len(self.outbox) > 0
        return self.state is LinkState.AWAY and not self._connections and has_business

    @property
    def is_leaving(self) -> bool:
        """Whether this end has begun to say goodbye."""
        return self._leave_by is not None

    @property
    def wake(self) -> int:
        """The next moment at which `tick` has something to do, a beat from now at the latest."""
        moments = [self._looked_at + timing.BEAT_US]
        for connection in self._connections.values():
            moments += [by for by in (connection.hello_by, connection.frame_by) if by is not None]
        if self.state is LinkState.UP:
            moments.append(self.pulse.wake)
            if self._ack_at is not None:
                moments.append(self._ack_at)
        if self._leave_by is not None:
            moments.append(self._leave_by)
        # What is past was seen to; it may wait for a writer that is busy.
        return min(moment for moment in moments if moment > self._ticked_at)

    # --- connections ---

    def _use(self, number: int, why_not_the_other: Cause) -> None:
        """Make a connection the one that is used."""
        if self._current is not None:
            self._drop(self._current, why_not_the_other)
        self._current = number
        self._owes_hello = True

    def _lose(self, number: int, cause: Cause, now: int) -> None:
        is_current = number == self._current
        cause = self._deeper(number, cause, now)
        self._drop(number, cause)
        if is_current:
            self._part_from(cause, now)
        if is_current and self.state is LinkState.LEAVING:
            self._end(Happening.LOST, Cause.LEFT)
        elif is_current:
            self._away_at = now
            self._move(Happening.LOST)

    def _deeper(self, number: int, cause: Cause, now: int) -> Cause:
        """Return what lies behind the loss of a connection, where that is known here."""
        if cause is Cause.BROKEN and self._connections[number].hello_by is not None:
            return Cause.TURNED_AWAY
        is_just_awake = self._woke_at is not None and now < self._woke_at + timing.AWAKE_US
        is_loss = cause in (Cause.BROKEN, Cause.SILENT)
        return Cause.ASLEEP if is_just_awake and is_loss else cause

    def _part_from(self, cause: Cause, now: int) -> None:
        """Note that the other end is reached no more."""
        if self.is_reached:
            self.is_reached, self.since, self.ended = False, now, Ended(cause, now)

    def _drop(self, number: int, cause: Cause) -> None:
        del self._connections[number]
        self.cause = cause
        if number == self._current:
            self._current = None

    def _drop_surplus(self) -> None:
        waiting = [number for number in self._connections if number != self._current]
        for number in waiting[: -timing.CANDIDATES_MAX]:
            self._drop(number, Cause.REPLACED)

    # --- reading ---

    def _read(self, number: int, chunk: bytes, now: int) -> None:
        connection = self._connections.get(number)
        if connection is None:
            return
        for body in connection.deframer.feed(chunk):
            head, payload = read_frame(body)
            if isinstance(head, Hello):
                self._on_hello(number, head, now)
            elif number == self._current and self.state in _WITH_FRAMES:
                self._on_frame(head, payload, now)
            else:
                raise PeerError(Reason.LINK_UNEXPECTED, "before the hello")
            connection.frame_by = None
            if number not in self._connections:
                return
        if connection.deframer.is_between:
            connection.frame_by = None
        elif connection.frame_by is None:
            connection.frame_by = now + timing.FRAME_US

    def _on_hello(self, number: int, hello: Hello, now: int) -> None:
        connection = self._connections[number]
        if connection.hello_by is None:
            raise PeerError(Reason.LINK_UNEXPECTED, "a second hello")
        if self.leads:
            if hello.turn != self._turn:
                raise PeerError(Reason.LINK_UNEXPECTED, "an answer to another hello")
        elif hello.own == self._peer and hello.turn <= self._turn:
            self._drop(number, Cause.REPLACED)  # overtaken by a newer one
            return
        else:
            self._turn = hello.turn
            self._use(number, Cause.REPLACED)
        connection.hello_by = None
        self._agree(hello)
        self._move(Happening.GREETED)
        self.is_reached, self.since, self._woke_at, self.refusal = True, now, None, None
        self.pulse.begin(now)
        # The last word about what was taken may have been lost with the last connection.
        self._ack_at = now if self.inbox.taken else None

    def _agree(self, hello: Hello) -> None:
        """Go on where the other end stands, or begin anew if it is another run."""
        if hello.own == self._peer:
            self.outbox.resume(hello.arrived if hello.other == self._own else 0)
            return
        is_first = self._peer is None
        self.outbox.renew(keep=is_first)
        self.inbox.renew(renewed=not is_first)
        self._peer = hello.own

    def _on_frame(self, head: Head, payload: bytes, now: int) -> None:
        match head:
            case Data(number, taken):
                self.outbox.release(taken)
                self.inbox.arrive(number, payload)
            case Ack(taken):
                if not self.outbox.release(taken):
                    self._require_idle()
            case Ping(token):
                self._require_idle()
                self.pulse.asked(token)
            case Pong(token):
                self.pulse.answered(token, now)
            case _:
                self._part(answers=self.state is LinkState.UP)

    def _part(self, *, answers: bool) -> None:
        assert self._current is not None, "a goodbye came on it"
        self._parting[self._current] = [write_frame(Bye())] if answers else []
        self._end(Happening.BYE_HEARD, Cause.PEER_LEFT if answers else Cause.LEFT)

    # --- writing ---

    def _next(self, now: int) -> tuple[Head | None, bytes]:
        if self._owes_hello:
            self._owes_hello = False
            return Hello(self._own, self._peer, self.inbox.arrived, self._turn), b""
        if self.state is not LinkState.UP:
            return None, b""
        if (word := self._word(now)) is not None:
            return word, b""
        if (entry := self.outbox.next()) is not None:
            return Data(entry[0], self._tell()), entry[1]
        if self.inbox.is_urgent or (self._ack_at is not None and now >= self._ack_at):
            return Ack(self._tell()), b""
        return None, b""

    def _word(self, now: int) -> Head | None:
        """Return what goes before payloads."""
        if self._is_time_to_leave(now):
            self._move(Happening.BYE_SENT)
            for number in [other for other in self._connections if other != self._current]:
                self._drop(number, Cause.LEFT)
            self._leave_by = now + timing.FAREWELL_US
            return Bye()
        if (token := self.pulse.pong()) is not None:
            return Pong(token)
        if (token := self.pulse.ping(now)) is not None:
            return Ping(token)
        return None

    def _tell(self) -> int:
        self._ack_at = None
        return self.inbox.tell()

    def _is_time_to_leave(self, now: int) -> bool:
        return self._leave_by is not None and (not self.outbox or now >= self._leave_by)

    # --- time and the end ---

    def _look(self, now: int) -> None:
        gap = now - self._looked_at
        self._looked_at = now
        if gap > timing.ASLEEP_US:
            self.pulse.forgive(gap)
            if gap >= timing.SILENT_US:
                self._woke_at = now
            self._away_at += gap
            for connection in self._connections.values():
                connection.forgive(gap)

    def _may_idle(self) -> bool:
        may = timing.IDLE.is_free(self._idle_paid_at, self._looked_at)
        if may:
            self._idle_paid_at = timing.IDLE.after(self._idle_paid_at, self._looked_at)
        return may

    def _require_idle(self) -> None:
        if not self._may_idle():
            raise PeerError(Reason.LINK_FLOOD)

    def _settle(self, now: int) -> None:
        """End a link that has nothing to wait for any more."""
        if self.state is LinkState.ENDED:
            return
        if self._leave_by is not None and self._has_left(self._leave_by, now):
            self._end(Happening.GIVEN_UP, Cause.LEFT)
        elif self._is_forgotten(now):
            self._end(Happening.GIVEN_UP, Cause.FORGOTTEN)

    def _has_left(self, leave_by: int, now: int) -> bool:
        if self.state is LinkState.UP:
            return now >= leave_by + timing.FAREWELL_US  # not even the goodbye could be written
        has_business = self.state is LinkState.LEAVING or len(self.outbox) > 0
        return now >= leave_by or not has_business

    def _is_forgotten(self, now: int) -> bool:
        is_alone = self.state is LinkState.AWAY and not self._connections
        return not self.is_kept and is_alone and now - self._away_at >= timing.FORGET_US

    def _end(self, happening: Happening, cause: Cause) -> None:
        self._move(happening)
        for number in list(self._connections):
            self._drop(number, cause)
        self.cause = cause
        self._part_from(cause, self._looked_at)
        self.outbox.renew(keep=False)

    def _move(self, happening: Happening) -> None:
        self.state = FOLLOWING[self.state][happening]
