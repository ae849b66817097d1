"""A link to one peer: a session, and the tasks that serve it.

Whoever uses a link sends payloads and takes what arrives, and need not know whether there is a
connection at the moment. What is sent waits in the window until the other end has taken it; when
the window is full `send` waits, for this peer alone, and `offer` says no. What arrives comes in
order and once, except that a peer whose program was started again begins anew, behind a `Began`.

Theory of operation. All decisions are the session's. A link gives it the time, the bytes and the
connections, wakes whoever waits after each of these, and does what the session asks: a task looks
at the clock, one dials, and every connection has one that reads and one that writes. Readers and
writers are shielded from cancellation, because a carrier may not survive that; they end because the
task that owns the connection finishes or abandons the stream.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import trio

from nodealer.kernel import (
    MESSAGE_BYTES_MAX,
    Cause,
    Chance,
    LocalError,
    PeerError,
    Reach,
    Reason,
    Traffic,
    Way,
)
from nodealer.node.transport import timing
from nodealer.node.transport.addresses import Address, PeerKey, is_nearby, peer_id
from nodealer.node.transport.carrier import Carrier, Stream, StreamBroken, Unreachable
from nodealer.node.transport.session import LinkSession
from nodealer.node.transport.states import LinkState
from nodealer.node.transport.windows import Began

ADDRESSES_MAX: Final = 16
"""Addresses of a peer that are tried; more only make the round longer."""

CLOSE_SECONDS: Final = 2.0
"""How long a stream may take to end in good order before it is abandoned."""

BATCH_BYTES: Final = 1 << 15
"""Frames are written together up to this: a write costs more than what is in it."""

DIAL_SECONDS: Final = 20.0
"""For one attempt, handshakes included."""

HEAD_START_SECONDS: Final = 1.0
"""What an address has before the next one is tried beside it: many places are silent for ever."""


class LinkEnded(Exception):  # noqa: N818 - most links end because somebody wanted it
    """The link is over for good."""

    def __init__(self, cause: Cause, refusal: PeerError | None) -> None:
        super().__init__(f"{cause.meaning}: {refusal}" if refusal else cause.meaning)
        self.cause = cause
        self.refusal = refusal


class Bell:
    """Wakes all who wait; whoever looks first and then waits misses nothing."""

    __slots__ = ("_lot",)

    def __init__(self) -> None:
        self._lot = trio.lowlevel.ParkingLot()

    def ring(self) -> None:
        """Wake everybody who waits now."""
        self._lot.unpark_all()

    async def wait(self) -> None:
        """Wait until somebody rings."""
        await self._lot.park()


class Link:
    """A lasting link to one peer; made and run by a `Switchboard`."""

    def __init__(
        self,
        peer: PeerKey,
        session: LinkSession,
        carrier: Carrier,
        chance: Chance,
        former: Link | None = None,
    ) -> None:
        """Begin to link a peer; why a former link has ended is remembered until there is news."""
        self.peer = peer
        self.session = session
        if former is not None:
            past = former.session
            session.since, session.cause, session.ended = past.since, past.cause, past.ended
            session.refusal = past.refusal
        self._carrier = carrier
        self._chance = chance
        self._addresses: tuple[Address, ...] = ()
        self._anything = Bell()
        self._to_read = Bell()
        self._to_write = Bell()
        self._to_plan = Bell()
        self._clock = Bell()
        self._taken_up = 0
        self._planned: object = None
        self._wakes_at = 0
        self._new_streams: list[tuple[int, Stream]] = []
        self._places: dict[int, Address | None] = {}
        self._tries = 0
        self._next_try: int | None = None
        self._failure: Cause | None = None
        """The most telling one of the present attempts at all addresses."""

    # --- for whoever uses the link ---

    @property
    def state(self) -> LinkState:
        """Where this end of the link stands."""
        return self.session.state

    @property
    def place(self) -> Address | None:
        """Where the other end of the connection is, or the relay; nothing without one."""
        number = self.session.current
        return None if number is None else self._places.get(number)

    @property
    def waiting(self) -> int:
        """How many payloads the peer has not taken."""
        return len(self.session.outbox)

    @property
    def reach(self) -> Reach:
        """How the peer is reached now; times are microseconds of trio's clock."""
        session, place = self.session, self.place
        out, into = session.outbox, session.inbox
        relay = None if place is None else place.relay
        is_unknown = not self._addresses and session.cause is Cause.NOT_TRIED
        return Reach(
            way=_way(place) if session.is_reached else Way.NONE,
            since=session.since,
            cause=Cause.NO_ADDRESS if is_unknown else session.cause,
            reason=None if session.refusal is None else session.refusal.reason,
            kind="" if place is None else place.kind,
            relay="" if relay is None else peer_id(relay),
            round_trip_us=session.pulse.rtt_us,
            tries=self._tries,
            next_try=self._next_try,
            ended=session.ended,
            traffic=Traffic(out.added, out.added_bytes, into.heard, into.heard_bytes),
        )

    @property
    def has_ended(self) -> bool:
        """Whether the link is over for good."""
        return self.session.state is LinkState.ENDED

    @property
    def addresses(self) -> tuple[Address, ...]:
        """Where the peer may be."""
        return self._addresses

    async def changed(self) -> None:
        """Wait until anything happens; look at the status before and after."""
        await self._anything.wait()

    def offer(self, payload: bytes) -> bool:
        """Send a payload if there is room for it in the window, and say whether there was."""
        if not 0 < len(payload) <= MESSAGE_BYTES_MAX:
            raise LocalError(Reason.LOCAL_ARGUMENT, f"a payload of {len(payload)} bytes")
        self._require_open()
        if not self.session.offer(payload):
            return False
        self._happened()
        return True

    async def send(self, payload: bytes) -> None:
        """Send a payload; wait for room. Cancelled, it has not been sent."""
        await trio.lowlevel.checkpoint()
        while not self.offer(payload):
            await self._anything.wait()

    async def receive(self) -> bytes | Began:
        """Return what comes next; cancelled, nothing is lost. Raise `LinkEnded` after the last."""
        await trio.lowlevel.checkpoint()
        while (item := self.session.take(now_us())) is None:
            self._require_open(is_reading=True)
            await self._to_read.wait()
        self._happened()
        return item

    def begin_goodbye(self, patience_seconds: float) -> None:
        """Begin to leave, once the peer has taken everything or patience is over."""
        self.session.goodbye(now_us(), round(patience_seconds * timing.SECOND_US))
        self._happened()

    def keep(self, addresses: tuple[Address, ...] = ()) -> None:
        """Want this link: dial these addresses whenever it has no connection, the first first."""
        self.session.is_kept = True
        if addresses:
            self._addresses = addresses[:ADDRESSES_MAX]
            self._tries = 0
        self._happened()

    def _require_open(self, *, is_reading: bool = False) -> None:
        session = self.session
        if self.has_ended or (session.is_leaving and not is_reading):
            cause = session.cause if self.has_ended else Cause.LEFT
            raise LinkEnded(cause, session.refusal if cause is Cause.REFUSED else None)

    # --- for the switchboard ---

    def take_up(self, stream: Stream) -> None:
        """Use a new stream to this peer, or not."""
        number = self.session.attach(now_us())
        self._places[number] = stream.place
        self._new_streams.append((number, stream))
        self._taken_up += 1
        self._happened()

    def stop(self) -> None:
        """End at once, without a word."""
        self.session.stop(Cause.STOPPED)
        self._happened()

    async def run(self) -> None:
        """Serve the link until it has ended."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._watch_clock)
            async with trio.open_nursery() as dialling:
                dialling.start_soon(self._dial)
                while self._new_streams or not self.has_ended:
                    while self._new_streams:
                        nursery.start_soon(self._serve, *self._new_streams.pop(0))
                    if not self.has_ended:
                        await self._to_plan.wait()
                dialling.cancel_scope.cancel()

    def _happened(self) -> None:
        """Wake whoever has something to do now; most of what happens concerns one or two tasks."""
        session = self.session
        self._anything.ring()
        self._to_write.ring()
        if len(session.inbox) or self.has_ended:
            self._to_read.ring()
        plan = (session.state, session.needs_connection, self._taken_up, self._addresses)
        if plan != self._planned:
            self._planned = plan
            self._to_plan.ring()
        if session.wake < self._wakes_at or self.has_ended:
            self._clock.ring()

    async def _watch_clock(self) -> None:
        while not self.has_ended:
            self._wakes_at = self.session.wake
            with trio.move_on_at(self._wakes_at / timing.SECOND_US) as waiting:
                await self._clock.wait()
            if waiting.cancelled_caught:
                self.session.tick(now_us())
                self._happened()

    # --- dialling ---

    async def _dial(self) -> None:
        while not self.has_ended:
            if self.session.state is LinkState.UP:
                self._tries = 0
            if not self._needs_dialling():
                await self._to_plan.wait()
                continue
            delay = timing.backoff(self._tries, self._chance, leads=self.session.leads)
            self._next_try = now_us() + delay
            with trio.move_on_after(delay / timing.SECOND_US) as waiting:
                while self._needs_dialling():
                    await self._to_plan.wait()
            self._next_try = None
            if waiting.cancelled_caught:
                await self._dial_once()

    def _needs_dialling(self) -> bool:
        return bool(self._addresses) and self.session.needs_connection

    async def _dial_once(self) -> None:
        """Try one address after the other; what does not answer at once is not waited for."""
        self._tries += 1  # until the link is up
        self._failure = None
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._while_needed, nursery.cancel_scope)
            async with trio.open_nursery() as attempts:
                for address in self._addresses:
                    failed = trio.Event()
                    attempts.start_soon(self._try, address, failed)
                    with trio.move_on_after(HEAD_START_SECONDS):
                        await failed.wait()
            nursery.cancel_scope.cancel()

    async def _while_needed(self, dialling: trio.CancelScope) -> None:
        """End all attempts once there is a connection, ours or one that the peer has opened."""
        while self._needs_dialling():
            await self._to_plan.wait()
        dialling.cancel()

    async def _try(self, address: Address, failed: trio.Event) -> None:
        try:
            with trio.fail_after(DIAL_SECONDS):
                stream = await self._carrier.open(self.peer, address)
        except Unreachable as error:
            self._failed(error.cause)
        except trio.TooSlowError:
            self._failed(Cause.UNREACHABLE)
        else:
            self.take_up(stream)
        failed.set()

    def _failed(self, cause: Cause) -> None:
        if self.session.state is LinkState.AWAY:
            if self._failure is None or cause is not Cause.UNREACHABLE:
                self.session.cause = self._failure = cause
            self._happened()

    # --- serving a connection ---

    async def _serve(self, number: int, stream: Stream) -> None:
        """Read and write a stream until either ends or the session wants it no more."""
        tasks = _Pair()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(tasks.run, self._read, number, stream)
            nursery.start_soon(tasks.run, self._write, number, stream)
            try:
                await tasks.first_ended.wait()
            finally:
                with trio.CancelScope(shield=True):
                    await self._end(number, stream, tasks)

    async def _end(self, number: int, stream: Stream, tasks: _Pair) -> None:
        with trio.move_on_after(CLOSE_SECONDS):
            if self.session.is_parting(number):
                await tasks.all_ended.wait()
        # Before the stream is closed, so that nobody waits for that to dial again.
        self.session.lost(number, Cause.BROKEN, now_us())
        self._places.pop(number, None)
        self._happened()
        with trio.move_on_after(CLOSE_SECONDS):
            await stream.abandon()
            await tasks.all_ended.wait()
        tasks.cancel()

    async def _read(self, number: int, stream: Stream) -> None:
        while chunk := await stream.read():
            self.session.bytes_in(number, chunk, now_us())
            self._happened()
            if not self.session.is_wanted(number) and not self.session.is_parting(number):
                return

    async def _write(self, number: int, stream: Stream) -> None:
        while True:
            if batch := self._batch(number):
                await stream.write(batch)
            elif self.session.is_wanted(number):
                await self._to_write.wait()
            else:
                break
        if self.session.is_parting(number):
            await stream.finish()

    def _batch(self, number: int) -> bytes:
        """Return the frames that are to be written, as many as one write is good for."""
        frames, size = [], 0
        while size < BATCH_BYTES and (frame := self.session.outgoing(number, now_us())):
            frames.append(frame)
            size += len(frame)
        return b"".join(frames)


def offered(link: Link | None, payload: bytes, waiting_max: int | None = None) -> bool:
    """Send a payload if there is room for it, and say whether there was.

    What is sent so may be lost; the layers above ask for it again, or do without. A link that has
    ended, or is about to, has no room. With a bound there is room only while no more payloads
    than this wait for the peer.
    """
    if link is None or (waiting_max is not None and link.waiting > waiting_max):
        return False
    try:
        return link.offer(payload)
    except LinkEnded:
        return False


class _Pair:
    """The reader and the writer of a stream, which nobody cancels before the stream has ended."""

    def __init__(self) -> None:
        self.first_ended = trio.Event()
        self.all_ended = trio.Event()
        self._scopes: list[trio.CancelScope] = []

    async def run(
        self, task: Callable[[int, Stream], Awaitable[None]], number: int, stream: Stream
    ) -> None:
        """Run one of the two."""
        try:
            with trio.CancelScope(shield=True) as scope:
                self._scopes.append(scope)
                await task(number, stream)
        except StreamBroken:
            pass  # why does not matter: the session dials again
        finally:
            if self.first_ended.is_set():
                self.all_ended.set()
            self.first_ended.set()

    def cancel(self) -> None:
        """Cancel what did not end by itself, once the stream is abandoned."""
        for scope in self._scopes:
            scope.cancel()


def _way(place: Address | None) -> Way:
    if place is not None and place.relay is not None:
        return Way.RELAYED
    return Way.NEARBY if place is not None and is_nearby(place) else Way.DIRECT


def now_us() -> int:
    """Return the time of trio's clock in microseconds."""
    return round(trio.current_time() * timing.SECOND_US)
