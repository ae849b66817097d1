"""A host and its guests with links that lose nothing while both ends live, and what they do.

Everything goes through bytes. Every node's record is what it stored last; a node that crashes is
opened again from it, whatever was under way to or from it is gone, and its links are new ones. A
fuse makes a node crash at any point: before it stores, after that, and between any two sends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from nodealer.crypto import SECP256K1
from nodealer.crypto.shared_secret import SharedSecret
from nodealer.crypto.signing import SigningKey
from nodealer.deck import Keyring
from nodealer.games.registry import game
from nodealer.kernel import TableId
from nodealer.ledger import Clock
from nodealer.lobby import Guest, Host, Keys, NewSeat, TablePlan, hosting, plan_of, visiting
from nodealer.lobby import messages as m
from nodealer.lobby import ready as r
from nodealer.lobby.invite import Invite
from nodealer.lobby.moves import GuestPhase, HostPhase
from nodealer.lobby.record import reopen_guest, reopen_host
from nodealer.lobby.sayings import SaidAt
from nodealer.table import Player
from tests.support.circle import hashed

RULES = game("macaua")
CLOCK = Clock(act=60_000, answer=10_000, rejoin=60_000, longest=600_000)
ADDRESS = "/ip4/192.0.2.7/tcp/4001"
PROGRAM = "nodealer 0.1"

HOST = "ana"


def plan(seats: int = 3, **options: int | str | bool) -> TablePlan:
    """Return a plan for Macaua."""
    return plan_of(RULES, seats, options, CLOCK, "redeal")


def signer_of(name: str) -> SigningKey:
    """Return the key of somebody."""
    return SigningKey(hashed("lobby identity", name))


def player_of(founding: NewSeat, signer: SigningKey) -> Player | None:
    """Return the player with whom somebody sits down; none without a seat or its seed."""
    if founding.seat is None or founding.seed is None:
        return None
    return Player(Keyring(SECP256K1, founding.seat, founding.seed), signer)


def key_of(name: str) -> bytes:
    """Return the public key of somebody."""
    return signer_of(name).verify_key.raw


def secret_of(*what: object) -> SharedSecret:
    """Return a secret."""
    return SharedSecret(hashed("lobby secret", *what)[:16])


def keys_of(salt: object = 0) -> Keys:
    """Return number and secrets of a lobby."""
    lobby = hashed("lobby", salt)[:16]
    return Keys(lobby, secret_of("play", salt), secret_of("watch", salt))


class Crash(Exception):  # noqa: N818 - what happens, and no mistake
    """The fuse has burnt down."""


@dataclass
class World:
    """A lobby with everybody in it."""

    seats: int = 3
    salt: object = 0
    nodes: dict[str, Host | Guest] = field(default_factory=dict)
    kept: dict[str, r.Kept] = field(default_factory=dict)
    invites: dict[str, tuple[Invite, str]] = field(default_factory=dict)
    wires: deque[tuple[str, str, bytes]] = field(default_factory=deque)
    links: dict[str, bytes] = field(default_factory=dict)
    shown: list[tuple[str, r.LobbyEvent]] = field(default_factory=list)
    sent: list[tuple[str, str, m.LobbyMessage]] = field(default_factory=list)
    drawn: int = 0
    clock: int = 1000
    """In seconds."""
    runs: int = 0
    programs: set[str] = field(default_factory=set)
    """Those who say that a program plays."""
    fuse: tuple[str, int] | None = None
    cut: set[tuple[str, str]] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Open the lobby."""
        self.names = {key_of(HOST): HOST}
        self.do(HOST, self._open)

    def _open(self) -> tuple[Host, r.LobbyReady]:
        is_program = HOST in self.programs
        keys = keys_of(self.salt)
        return hosting.opened(
            plan(self.seats),
            HOST,
            signer_of(HOST),
            keys,
            is_program=is_program,
            chance=self.chance_of(HOST),
        )

    def chance_of(self, name: str) -> bytes:
        """Return chance for one run of somebody's program; the order of others does not matter."""
        self.runs += 1
        return hashed("chance", self.salt, self.runs, name)

    @property
    def host(self) -> Host:
        """The lobby of the host."""
        host = self.nodes[HOST]
        assert isinstance(host, Host)
        return host

    def guest(self, name: str) -> Guest:
        """Return the lobby of a guest."""
        guest = self.nodes[name]
        assert isinstance(guest, Guest)
        return guest

    def phase(self, name: str) -> str:
        """Return where somebody stands."""
        phase: HostPhase | GuestPhase = self.nodes[name].phase
        return str(phase.value)

    def draw(self, *what: object) -> bytes:
        """Return 32 bytes that were never drawn before."""
        self.drawn += 1
        return hashed("drawn", self.drawn, *what)

    def peer(self, name: str) -> r.LinkEnd:
        """Return a guest as the host's link shows it."""
        return r.LinkEnd(key_of(name), self.links[name])

    # What happens.

    def do(self, name: str, act: Callable[[], tuple[Host | Guest, r.LobbyReady]]) -> None:
        """Let a node do something, store, send and show; or crash on the way."""
        try:
            value, ready = act()
            self._burn(name)
            if ready.keep is not None:
                self.kept[name] = ready.keep
                self._burn(name)
            self.nodes[name] = value
            self.shown += [(name, event) for event in ready.show]
            for outgoing in ready.send:
                self._send(name, outgoing)
                self._burn(name)
        except Crash:
            self.restart(name)

    def comes(self, name: str, *, watches: bool = False) -> None:
        """Let somebody come with an invite."""
        self.names[key_of(name)] = name
        self.invites[name] = self.host.invite((ADDRESS,), watches=watches), name
        self._knock(name)

    def _knock(self, name: str) -> None:
        invite, called = self.invites[name]
        is_program = name in self.programs
        self.do(
            name,
            lambda: visiting.knocking(
                invite,
                called,
                signer_of(name),
                is_program=is_program,
                chance=self.chance_of(name),
            ),
        )
        self.connect(name)

    def connect(self, name: str) -> None:
        """Give a guest a link to the host that was not there before."""
        self.links[name] = self.draw("link", name)
        self._lose(name, HOST)
        if name in self.nodes:
            self.do(name, lambda: visiting.linked(self.guest(name), self.links[name], PROGRAM))

    def says(self, name: str, text: str) -> None:
        """Let somebody say something."""
        at = SaidAt(self.clock, self.clock * 1000)
        if name == HOST:
            self.do(HOST, lambda: hosting.say(self.host, text, at))
        else:
            self.do(name, lambda: visiting.say(self.guest(name), text, at))

    def heard(self, name: str) -> list[str]:
        """Return what somebody has heard, with who has said it."""
        lines = [one.line for by, one in self.shown if by == name and isinstance(one, r.LineSaid)]
        return [f"{one.name}: {one.text}" for one in lines]

    def restart(self, name: str) -> None:
        """Open a node again from what it stored; all its links are new."""
        self.nodes.pop(name, None)
        self.wires = deque(wire for wire in self.wires if name not in wire[:2])
        if name not in self.kept:
            if name != HOST:
                self._knock(name)
            else:
                self.do(HOST, self._open)
            return
        if name != HOST:
            self.nodes[name] = reopen_guest(self.kept[name], signer_of(name), self.chance_of(name))
            self.connect(name)
            return
        self.nodes[HOST] = reopen_host(self.kept[HOST], signer_of(HOST), self.chance_of(HOST))
        for guest in self.invites:
            self.connect(guest)

    def step(self) -> bool:
        """Deliver one message, if one is under way."""
        if not self.wires:
            return False
        sender, name, data = self.wires.popleft()
        if name == HOST:
            peer = self.peer(sender)
            self.do(HOST, lambda: hosting.receive_bytes(self.host, data, peer, self.clock * 1000))
        elif name in self.nodes:
            key = key_of(sender)
            self.do(
                name, lambda: visiting.receive_bytes(self.guest(name), data, key, self.clock * 1000)
            )
        return True

    def settle(self) -> None:
        """Deliver everything."""
        while self.step():
            pass

    def play(self, rounds: int = 40) -> None:
        """Let everybody accept what is offered and the host start, until nothing happens."""
        for _ in range(rounds):
            self.settle()
            wishing = [name for name in list(self.nodes) if self._wish(name)]
            if not wishing and not self.wires:
                return
        raise AssertionError("no end")

    def _wish(self, name: str) -> bool:
        if name != HOST:
            if self.guest(name).phase is GuestPhase.ASKED:
                self.accept(name)
                return True
            return False
        if self.host.phase is HostPhase.OFFERING and self.host.seed is None:
            self.accept(HOST)
            return True
        if self.host.phase is HostPhase.READY:
            self.do(HOST, lambda: hosting.start(self.host))
            return True
        return False

    def accept(self, name: str) -> None:
        """Let somebody accept what is offered."""
        seed = self.draw("seed", name)
        if name == HOST:
            self.do(HOST, lambda: hosting.accept(self.host, self.host.number, seed))
            return
        offer = self.guest(name).offer
        assert offer is not None
        number = offer.number
        self.do(name, lambda: visiting.accept(self.guest(name), number, seed, RULES))

    # What can be asked.

    def tables(self, name: str) -> set[TableId]:
        """Return every table that a node has ever found itself at."""
        founded = [one for by, one in self.shown if by == name and isinstance(one, r.CharterWhole)]
        return {one.founding.table for one in founded}

    def events(self, name: str, kind: type[r.LobbyEvent]) -> list[r.LobbyEvent]:
        """Return what a node has shown of one kind."""
        return [one for by, one in self.shown if by == name and isinstance(one, kind)]

    def dropped(self, name: str) -> list[str]:
        """Return the reasons for which a node has dropped messages."""
        return [
            one.slug for by, one in self.shown if by == name and isinstance(one, r.LobbyDropped)
        ]

    def _send(self, sender: str, outgoing: r.LobbyOutgoing) -> None:
        to = self.names[outgoing.to]
        self.sent.append((sender, to, outgoing.message))
        if (sender, to) not in self.cut:
            self.wires.append((sender, to, m.write(outgoing.message)))

    def _lose(self, one: str, other: str) -> None:
        pair = {one, other}
        self.wires = deque(wire for wire in self.wires if set(wire[:2]) != pair)

    def _burn(self, name: str) -> None:
        if self.fuse is None or self.fuse[0] != name:
            return
        left = self.fuse[1] - 1
        self.fuse = (name, left) if left else None
        if not left:
            raise Crash


def gathered(*names: str, seats: int = 0, programs: Iterable[str] = ()) -> World:
    """Return a lobby into which these have come; with a seat for each unless it is said."""
    world = World(seats or len(names) + 1, programs=set(programs))
    for name in names:
        world.comes(name)
        world.settle()
    return world


def accepted(*names: str, programs: Iterable[str] = ()) -> World:
    """Return a lobby in which all have accepted."""
    world = gathered(*names, programs=programs)
    for name in (HOST, *names):
        world.accept(name)
        world.settle()
    return world
