"""The moves of a host and a guest at everything that happens, as tables.

A row says for a phase and a happening what is done and which phases can follow. The code looks here
before it does anything, and stops if it ends up elsewhere. A happening that a phase has no row for
is refused: a message is dropped as `lobby/unexpected`, a wish of one's own player is an error of
the caller. The phase of a lobby is not stored; it follows from what is there.

Host:

    gathering   a seat is free
    offering    all seats are taken, and answers are missing
    ready       all seats have answered; the host may start
    founded     the charter is made, and nothing else ever will be in this lobby
    closed      the host has left; nothing will come of it

Guest:

    knocking    nothing was heard from the host yet
    waiting     an offer is here that cannot be accepted: a seat is free, or something is wrong
    asked       an offer is here, and the player has not accepted it
    accepted    the player has accepted, and the answer was sent
    founded     the charter is whole
    out         refused, removed, left, or the lobby is closed
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, TypeVar


class HostPhase(Enum):
    """The phase of a host."""

    GATHERING = "gathering"
    OFFERING = "offering"
    READY = "ready"
    FOUNDED = "founded"
    CLOSED = "closed"


class GuestPhase(Enum):
    """The phase of a guest."""

    KNOCKING = "knocking"
    WAITING = "waiting"
    ASKED = "asked"
    ACCEPTED = "accepted"
    FOUNDED = "founded"
    OUT = "out"


P = TypeVar("P", HostPhase, GuestPhase)


@dataclass(frozen=True, slots=True)
class LobbyMove(Generic[P]):
    """The deed that is done, and where it can lead."""

    does: str
    to: tuple[P, ...]


def _stays(does: str, phase: P) -> LobbyMove[P]:
    return LobbyMove(does, (phase,))


_G, _O, _R, _F, _C = HostPhase

HOST: Final[Mapping[HostPhase, Mapping[str, LobbyMove[HostPhase]]]] = {
    _G: {
        "join": LobbyMove("let in", (_G, _O)),
        "left": _stays("let go", _G),
        "answer": _stays("drop as stale", _G),
        "withdrawn": _stays("drop as stale", _G),
        "address": _stays("pass on", _G),
        "line": _stays("hand round", _G),
        "pledge": _stays("drop as stale", _G),
        "nonce": _stays("drop as stale", _G),
        "moved": _stays("announce", _G),
        "say": _stays("speak", _G),
        "name": _stays("expect", _G),
        "change": LobbyMove("offer anew", (_G, _O)),
        "remove": _stays("send away", _G),
        "renew": _stays("change the locks", _G),
        "leave": LobbyMove("close", (_C,)),
    },
    _O: {
        "join": LobbyMove("let in", (_G, _O)),
        "left": LobbyMove("let go", (_G, _O)),
        "answer": LobbyMove("take", (_G, _O, _R)),
        "withdrawn": LobbyMove("give back", (_G, _O)),
        "address": _stays("pass on", _O),
        "line": _stays("hand round", _O),
        "pledge": _stays("take pledge", _O),
        "nonce": _stays("take nonce", _O),
        "moved": _stays("announce", _O),
        "say": _stays("speak", _O),
        "name": _stays("expect", _O),
        "accept": LobbyMove("answer", (_O, _R)),
        "withdraw": _stays("unanswer", _O),
        "change": LobbyMove("offer anew", (_G, _O)),
        "remove": LobbyMove("send away", (_G, _O)),
        "renew": _stays("change the locks", _O),
        "leave": LobbyMove("close", (_C,)),
    },
    _R: {
        "join": LobbyMove("let in", (_G, _O, _R)),
        "left": LobbyMove("let go", (_G, _R)),
        "answer": LobbyMove("take", (_G, _R)),
        "withdrawn": LobbyMove("give back", (_G, _O, _R)),
        "address": _stays("pass on", _R),
        "line": _stays("hand round", _R),
        "pledge": _stays("take pledge", _R),
        "nonce": _stays("take nonce", _R),
        "moved": _stays("announce", _R),
        "say": _stays("speak", _R),
        "name": _stays("expect", _R),
        "withdraw": LobbyMove("unanswer", (_O,)),
        "change": LobbyMove("offer anew", (_G, _O)),
        "remove": LobbyMove("send away", (_G, _R)),
        "renew": _stays("change the locks", _R),
        "start": LobbyMove("found", (_F,)),
        "leave": LobbyMove("close", (_C,)),
    },
    _F: {
        "join": _stays("remind", _F),
        "left": _stays("warn", _F),
        "answer": _stays("drop as stale", _F),
        "withdrawn": _stays("warn", _F),
        "address": _stays("pass on", _F),
        "pledge": _stays("drop as stale", _F),
        "nonce": _stays("drop as stale", _F),
        "moved": _stays("announce", _F),
        "settle": _stays("forget the seed", _F),
    },
    _C: {
        "join": _stays("turn away", _C),
    },
}
"""What a host does: messages of guests first, then the wishes of its own player."""

_K, _W, _A, _Y, _D, _X = GuestPhase

GUEST: Final[Mapping[GuestPhase, Mapping[str, LobbyMove[GuestPhase]]]] = {
    _K: {
        "linked": _stays("knock", _K),
        "moved": _stays("announce", _K),
        "offer": LobbyMove("look at it", (_K, _W, _A)),
        "refused": LobbyMove("go", (_X,)),
        "leave": LobbyMove("say goodbye", (_X,)),
    },
    _W: {
        "linked": _stays("knock", _W),
        "moved": _stays("announce", _W),
        "offer": LobbyMove("look at it", (_W, _A, _X)),
        "progress": _stays("note", _W),
        "complete": LobbyMove("found", (_W, _D)),
        "refused": LobbyMove("go", (_X,)),
        "address": _stays("write down", _W),
        "line": _stays("listen", _W),
        "drawing": _stays("draw", _W),
        "say": _stays("speak", _W),
        "leave": LobbyMove("say goodbye", (_X,)),
    },
    _A: {
        "linked": _stays("knock", _A),
        "moved": _stays("announce", _A),
        "offer": LobbyMove("look at it", (_W, _A, _X)),
        "progress": _stays("note", _A),
        "complete": LobbyMove("found", (_A, _D)),
        "refused": LobbyMove("go", (_X,)),
        "address": _stays("write down", _A),
        "line": _stays("listen", _A),
        "drawing": _stays("draw", _A),
        "say": _stays("speak", _A),
        "accept": LobbyMove("answer", (_Y,)),
        "leave": LobbyMove("say goodbye", (_X,)),
    },
    _Y: {
        "linked": _stays("knock", _Y),
        "moved": _stays("announce", _Y),
        "offer": LobbyMove("look at it", (_W, _A, _Y, _X)),
        "progress": _stays("note", _Y),
        "complete": LobbyMove("found", (_Y, _D)),
        "refused": LobbyMove("go", (_X,)),
        "address": _stays("write down", _Y),
        "line": _stays("listen", _Y),
        "drawing": _stays("draw", _Y),
        "say": _stays("speak", _Y),
        "withdraw": LobbyMove("unanswer", (_A,)),
        "leave": LobbyMove("say goodbye", (_X,)),
    },
    _D: {
        "address": _stays("write down", _D),
        "settle": _stays("forget the seed", _D),
    },
    _X: {
        "linked": _stays("repeat goodbye", _X),
        "again": LobbyMove("start over", (_K,)),
    },
}
"""What a guest does: its link and the messages of the host first, then the wishes of its player."""
